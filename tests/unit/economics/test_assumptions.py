"""The table of assumptions and the document of what a user changed in it."""

import json
import subprocess
import sys
from datetime import date
from typing import Any

import pytest

from scheduler_core import InputError, KernelError
from scheduler_core.economics.assumptions import STALE_DAYS, Assumptions, read_assumptions
from scheduler_core.economics.notes import catalogue
from scheduler_core.economics.table import assumption_rows, assumption_units, find_assumption, make_row

TODAY = date(2026, 12, 2)
ROW: dict[str, Any] = {
    "group": "x",
    "kind": "price",
    "unit": "usd_per_gpu_h",
    "en": "Price",
    "zh": "\u4ef7\u683c",
    "default": 2.0,
    "low": 1.0,
    "high": 3.0,
    "date": TODAY,
    "source": "assumption",
    "quote": "list",
}


def test_every_row_has_a_name_in_two_languages_a_unit_a_date_a_source_and_a_default_in_its_range() -> None:
    for slug, row in assumption_rows().items():
        assert all(row.text[language].strip() for language in ("en", "zh")), slug
        for figures in (row.figures, *row.of.values()):
            assert figures.source.strip(), slug
            assert figures.date <= TODAY, slug
            if figures.default is not None and not row.is_text:
                assert figures.low is not None, slug
                assert figures.high is not None, slug
                assert figures.low <= float(figures.default) <= figures.high, slug
    assert all(set(text) == {"en", "zh"} for text in (*assumption_units().values(), *catalogue().values()))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"unit": "fathoms"}, "no known kind, unit or currency"),
        ({"unit": "share"}, "no known kind, unit or currency"),
        ({"kind": "guess"}, "no known kind, unit or currency"),
        ({"quote": None}, "no known kind of price"),
        ({"quote": "rumour"}, "no known kind of price"),
        ({"kind": "number"}, "no known kind of price"),
        ({"source": "somebody"}, "has no Chinese"),
        ({"source": ""}, "its date or its source"),
        ({"date": "yesterday"}, "its date or its source"),
        ({"colour": "red"}, "lacks or misspells"),
    ],
)
def test_a_row_that_contradicts_itself_is_a_fault_of_ours(change: dict[str, Any], said: str) -> None:
    assert make_row("x", ROW).currency == "USD"
    with pytest.raises(KernelError, match=said):
        make_row("x", {**ROW, **change})
    with pytest.raises(KernelError, match="lacks or misspells 'zh'"):
        make_row("x", {name: value for name, value in ROW.items() if name != "zh"})


def test_every_price_says_its_kind_and_one_can_say_another() -> None:
    prices = [row for row in assumption_rows().values() if row.quote_slug is not None]
    assert len(prices) == 11
    asked = read_assumptions(["gpu:l40s"])
    for row in prices:
        assert asked.word(str(row.quote_slug)) == asked.figures(row.slug).quote
    assert Assumptions().word("contract_usd_per_gpu_h_quote") == "contract"
    changed = read_assumptions(["on_demand_usd_per_gpu_h_quote:street"])
    assert changed.texts() == ("on_demand_usd_per_gpu_h_quote:street",)
    with pytest.raises(InputError, match="one of list, street, contract, assumed"):
        read_assumptions(["on_demand_usd_per_gpu_h_quote:rumour"])


@pytest.mark.parametrize(
    ("text", "usd"),
    [
        ("colo_usd_per_kw_month:2160/year", 180),
        ("colo_usd_per_kw_month:2160 USD a year", 180),
        ("colo_usd_per_kw_month:180 per month", 180),
        ("on_demand_usd_per_gpu_h:1460/month", 2),
        ("person_usd_per_year:10000/month", 120_000),
        ("claim_usd_per_day:365/year", 1),
    ],
)
def test_an_amount_may_be_said_for_another_time(text: str, usd: float) -> None:
    slug = text.partition(":")[0]
    assert read_assumptions([text]).number(slug) == pytest.approx(usd)


@pytest.mark.parametrize(
    "text", ["colo_usd_per_kw_month:12/week", "server_price_usd:12/year", "colo_usd_per_kw_month:/"]
)
def test_a_time_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"periods h, day, month, year|an amount for no time|number in USD"):
        read_assumptions([text])


def test_a_document_holds_only_what_differs_and_knows_its_kind_of_gpu() -> None:
    asked = read_assumptions(["utilisation_share:62 %", "gpu=a100", "server_price_usd:120,000 USD", "pue:1.5"])
    assert asked.texts() == ("gpu:a100", "pue:1.5")  # 62 % and 120,000 are the defaults of an A100 node
    assert asked.number("on_demand_usd_per_gpu_h") == 1.79
    assert asked.figures("on_demand_usd_per_gpu_h").date == date(2026, 11, 9)
    assert asked.change({"gpu": None}).texts() == ("pue:1.5",)
    assert asked.change({"pue": 1.3}).texts() == ("gpu:a100",)


def test_the_same_values_have_one_text_and_one_hash_in_every_process() -> None:
    one = read_assumptions(["pue:1.5", "life_years:4"])
    other = read_assumptions(["life_years:4.0", "pue:1.50", "pue:1.5"])
    assert (one, one.canonical(), one.digest) == (other, other.canonical(), other.digest)
    assert hash(one) == hash(other)
    assert json.loads(one.canonical())["server_price_usd"] == 350_000, "defaults are part of it"
    assert one.digest != Assumptions().digest
    script = (
        "import sys; from scheduler_core import read_assumptions;"
        "sys.stdout.write(read_assumptions(['pue:1.5', 'life_years:4']).digest)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == one.digest


def test_what_a_link_says_is_read_back() -> None:
    asked = read_assumptions(["requests_per_day:320000", "counterfactual:moved", "bill_tenants:a, 1, 2; b, 3, 4"])
    assert read_assumptions(asked.texts()) == asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("utilisation_share:1.2", "utilisation_share is '1.2'; it must be a number above 0 and at most 1."),
        ("utilisation_share:-1", "must be a number above 0"),
        ("server_price_usd:-5", "must be a number in USD above 0"),
        ("life_years:0", "above 0 and at most 30"),
        ("pue:0.9", "at least 1"),
        ("availability_share:1.01", "at most 1"),
        ("discount_share:1", "below 1"),
        ("drift_share:-1", "above -1"),
        ("pue:nan", "must be a number"),
        ("pue:inf", "must be a number"),
        ("pue:two", "must be a number"),
        ("dedicated_gpus:2.5", "a whole number"),
        ("server_price_usd:281250 CNY", "currencies are not mixed"),
        ("gpu:tpu", "one of h100, a100"),
        ("utilization_share:0.5", "did you mean utilisation_share?"),
        ("pue", "written as name=value"),
        (f"bill_tenants:{'a' * 2_001}", "at most 2000 characters"),
    ],
)
def test_a_wrong_input_is_refused_with_its_field_its_value_and_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_assumptions([text])
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_figure_that_nobody_publishes_has_to_be_said() -> None:
    asked = read_assumptions(["gpu:ascend_910b"])
    with pytest.raises(InputError, match="the table has no figure for ascend_910b"):
        asked.number("on_demand_usd_per_gpu_h")
    assert asked.values()["on_demand_usd_per_gpu_h"] is None
    assert asked.change({"on_demand_usd_per_gpu_h": 3.0}).number("on_demand_usd_per_gpu_h") == 3.0


def test_old_prices_warn_until_they_are_looked_up_again() -> None:
    slug = "reserved_usd_per_gpu_h"
    day = find_assumption(slug).figures.date
    fresh, old = (date.fromordinal(day.toordinal() + STALE_DAYS + extra) for extra in (0, 1))
    assert Assumptions().notes(fresh, [slug]) == []
    (note,) = Assumptions().notes(old, [slug])
    assert note.is_warning
    assert "1 price is older than 90 days" in note.text()
    assert slug in note.text("zh")
    assert read_assumptions([f"{slug}:2.8"]).notes(old, [slug]) == [], "what the user says is of today"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("discount_share:0.3", "above the usual 0.25"),
        ("life_years:7", "above the usual 6"),
        ("utilisation_share:0.95", "above the usual 0.9"),
        ("energy_usd_per_kwh:0.4", "above the usual 0.3"),
        ("residual_share:0.6", "above the usual 0.5"),
        ("premium_ratio:4", "above the usual 3"),
        ("availability_share:0.9", "outside the range 0.95 to 0.995"),
    ],
)
def test_an_unusual_input_is_taken_with_a_warning(text: str, said: str) -> None:
    asked = read_assumptions([text])
    notes = asked.notes(TODAY, [text.partition(":")[0]])
    assert any(said in note.text() for note in notes)
    assert all(note.text("zh") for note in notes)


def test_rows_that_came_later_do_not_move_an_older_link_but_a_moved_default_does() -> None:
    first = "b84cdb2f"  # what links of the first table promise when nothing is changed
    assert Assumptions().is_same_as(first)
    assert Assumptions().is_same_as(Assumptions().digest[:8])
    assert read_assumptions(["pue:1.4", "gpu:a100"]).is_same_as("bb3ad4a3")
    assert not read_assumptions(["pue:1.41", "gpu:a100"]).is_same_as("bb3ad4a3")
    assert not Assumptions().is_same_as("00000000")
