import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import units
from scheduler_core.errors import InputError


@pytest.mark.parametrize(
    ("text", "duration_ms"),
    [
        ("250ms", 250),
        ("90s", 90_000),
        ("5min", 300_000),
        ("1.5h", 5_400_000),
        ("1h30min", 5_400_000),
        ("1 h 30 min", 5_400_000),
        ("2d", 172_800_000),
        ("1w", 604_800_000),
        ("0s", 0),
        (0, 0),
        ("0.001s", 1),
    ],
)
def test_durations_are_read_exactly(text: object, duration_ms: int) -> None:
    assert units.parse_duration(text) == duration_ms


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (5, "5 has no unit; write for example 5min"),
        ("5", "5 has no unit; write for example 5min"),
        (2.5, "2.5 has no unit"),
        ("5m", "m is not a unit; did you mean 5min?"),
        ("3 hours", "did you mean 3h?"),
        ("5 parsecs", "parsecs is not a unit"),
        ("-5min", "a duration with a unit"),
        ("five minutes", "a duration with a unit"),
        ("", "a duration with a unit"),
        ("min", "a duration with a unit"),
        ("1e3s", "e is not a unit"),
        (True, "a duration with a unit"),
        (None, "a duration with a unit"),
        ("0.0001s", "a whole number of milliseconds"),
        ("200000d", "at most 100000d"),
        ("9" * 60 + "s", "a duration with a unit"),
        (float("nan"), "has no unit"),
    ],
)
def test_a_refused_duration_says_what_would_be_right(text: object, said: str) -> None:
    with pytest.raises(InputError, match=r"^wait is .*; it must be .*\.$") as refused:
        units.parse_duration(text, "wait")
    assert said in str(refused.value)


@given(st.integers(0, units.LONGEST_MS))
def test_a_written_duration_reads_back_to_the_same_milliseconds(duration_ms: int) -> None:
    assert units.parse_duration(units.write_duration(duration_ms)) == duration_ms


def test_durations_are_written_as_people_write_them() -> None:
    written = [units.write_duration(ms) for ms in (0, 1, 1_500, 90_000, 5_400_000, 86_400_000, 172_800_000)]
    assert written == ["0s", "1ms", "1500ms", "90s", "90min", "24h", "2d"]


@given(st.integers(0, 1_000_000))
def test_thousandths_survive_a_round_trip(milli: int) -> None:
    assert units.to_milli(units.from_milli(milli)) == milli


def test_more_than_three_decimals_are_refused_not_rounded() -> None:
    with pytest.raises(InputError, match="at most three decimals"):
        units.to_milli(0.12345)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.5, "0.5"),
        (3.14159, "3.14"),
        (99.95, "100"),
        (999.6, "1,000"),
        (1234.5, "1,234"),
        (0.0012345, "0.00123"),
        (-42.42, "-42.4"),
    ],
)
def test_numbers_have_three_significant_digits(value: float, text: str) -> None:
    assert units.format_number(value) == text


def test_quantities_are_written_for_people() -> None:
    assert [units.format_duration(ms) for ms in (250, 45_000, 2_100_000, 15_120_000, 267_840_000)] == [
        "250 ms",
        "45 s",
        "35 min",
        "4.2 h",
        "3.1 d",
    ]
    assert (units.format_gpus(3200), units.format_gpus(1)) == ("3,200 GPUs", "1 GPU")
    assert (units.format_share(0.3864), units.format_share(0.9992, 2)) == ("38.6 %", "99.92 %")


def test_shortest_numbers_read_back_equal() -> None:
    assert repr(units.shortest(2.0)) == "2"
    assert repr(units.shortest(0.1)) == "0.1"
    assert repr(units.shortest(2.0**60)) == repr(2.0**60)
