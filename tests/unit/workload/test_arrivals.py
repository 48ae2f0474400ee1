"""Arrivals have the rates of their profile and the variance of their process. All tolerances are 4 standard errors."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.workload import arrivals
from scheduler_core.workload.arrivals import HOUR_MS, Process
from scheduler_core.workload.streams import Streams

DAY_MS = 24 * HOUR_MS
WEEK_MS = 7 * DAY_MS


def test_profiles_are_those_of_the_semantics() -> None:
    rate, total = arrivals.profile(is_office=True, is_weekly=True)
    assert rate[7] == pytest.approx(0.87 * 7 / 7.01 / 14)  # Monday before 08:00
    assert rate[8] == pytest.approx(0.87 * 7 / 7.01 * 2.3)
    assert rate[3 * 24 + 17] == pytest.approx(1.37 * 7 / 7.01 * 2.3)  # Thursday before 18:00
    assert rate[6 * 24 + 18] == pytest.approx(0.58 * 7 / 7.01 / 14)  # Sunday after 18:00
    assert total[-1] == pytest.approx(168)  # mean 1


@pytest.mark.parametrize("is_office", [False, True])
@pytest.mark.parametrize("is_weekly", [False, True])
def test_each_hour_of_the_week_gets_its_share(is_office: bool, is_weekly: bool) -> None:
    weeks = 200
    process = Process(per_day=240, is_office=is_office, is_weekly=is_weekly)
    times_ms = arrivals.draw(Streams(1), "class:a", process, weeks * WEEK_MS)
    counts = np.bincount(times_ms // HOUR_MS % 168, minlength=168)
    expected = arrivals.profile(is_office, is_weekly).rate * 10 * weeks
    # A Poisson count has the standard error sqrt(expected); 168 hours, so the worst of them may reach 4.
    assert np.max(np.abs(counts - expected) / np.sqrt(expected)) < 4
    assert abs(times_ms.size - 240 * 7 * weeks) < 4 * np.sqrt(240 * 7 * weeks)


def test_office_without_week_repeats_every_day() -> None:
    rate = arrivals.profile(is_office=True, is_weekly=False).rate.reshape(7, 24)
    assert (rate == rate[0]).all()


def test_poisson_gaps_are_exponential() -> None:
    times_ms = arrivals.draw(Streams(2), "class:a", Process(per_day=24_000), 10 * DAY_MS)
    gaps_ms = np.diff(times_ms)
    n, mean_ms = gaps_ms.size, DAY_MS / 24_000
    # The sample mean of an exponential has the standard error mean/sqrt(n), its variance var*sqrt(8/n).
    assert abs(gaps_ms.mean() / mean_ms - 1) < 4 / np.sqrt(n)
    assert abs(gaps_ms.var() / mean_ms**2 - 1) < 4 * np.sqrt(8 / n)


def test_bursty_keeps_the_mean_and_raises_the_variance() -> None:
    days = 20_000
    times_ms = arrivals.draw(Streams(3), "class:a", Process(per_day=47, is_bursty=True), days * DAY_MS)
    daily = np.bincount(times_ms // DAY_MS, minlength=days)
    # Compound Poisson with 47 / 2.35 = 20 arrivals a day; E[S^2] = 0.85 + 0.15 (2 - 0.1) / 0.1^2 = 29.35 for the
    # geometric with p = 0.1, so the daily variance is 20 x 29.35 = 587.
    assert abs(daily.mean() - 47) < 4 * np.sqrt(587 / days)
    # The standard error of the variance is below var * sqrt(4/days) for this shape (excess kurtosis about 1.7).
    assert abs(daily.var() / 587 - 1) < 4 * np.sqrt(4 / days)


def test_batches_have_the_stated_share_and_a_geometric_size() -> None:
    times_ms = arrivals.draw(Streams(4), "class:a", Process(per_day=2_350, is_bursty=True), 300 * DAY_MS)
    _, sizes = np.unique(times_ms, return_counts=True)
    # Gaps of 86 s leave a chance of 1e-5 that two of 300,000 arrivals share their ms, far below the errors here.
    n = sizes.size
    single = 0.85 + 0.15 * 0.1  # a batch has one member with probability 0.1
    assert abs((sizes == 1).mean() - single) < 4 * np.sqrt(single * (1 - single) / n)
    over = 0.15 * 0.9**10
    assert abs((sizes > 10).mean() - over) < 4 * np.sqrt(over * (1 - over) / n)
    assert abs(sizes.mean() - 2.35) < 4 * np.sqrt((29.35 - 2.35**2) / n)


def test_no_arrival_at_or_after_the_end() -> None:
    process = Process(per_day=DAY_MS / 4)  # every 4 ms, so the last ms matters
    times_ms = arrivals.draw(Streams(5), "class:a", process, 100_000)
    assert times_ms[-1] < 100_000
    assert times_ms[-1] > 99_900


def test_nobody_arrives_at_rate_zero() -> None:
    assert arrivals.draw(Streams(5), "class:a", Process(per_day=0), DAY_MS).size == 0


@settings(max_examples=50)
@given(
    per_day=st.floats(0.01, 3_000),
    end_ms=st.integers(1, 15 * DAY_MS),
    more_ms=st.integers(0, 15 * DAY_MS),
    flags=st.tuples(st.booleans(), st.booleans(), st.booleans()),
    seed=st.integers(0, 2**63 - 1),
)
def test_a_longer_run_begins_with_the_shorter_one(
    per_day: float, end_ms: int, more_ms: int, flags: tuple[bool, bool, bool], seed: int
) -> None:
    process = Process(per_day, *flags)
    short = arrivals.draw(Streams(seed), "class:a", process, end_ms)
    long = arrivals.draw(Streams(seed), "class:a", process, end_ms + more_ms)
    assert (np.diff(long) >= 0).all()
    assert short.tolist() == long[long < end_ms].tolist()


def test_expected_hours_counts_whole_weeks_and_parts() -> None:
    process = Process(per_day=24, is_office=True)
    # A week is 168; then Monday 00:00 to 09:30: 8 h at 1/14 and 1.5 h at 2.3.
    assert arrivals.expected_hours(process, WEEK_MS + 9 * HOUR_MS + HOUR_MS // 2) == pytest.approx(168 + 8 / 14 + 3.45)
