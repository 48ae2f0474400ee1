"""Waits, slowdown, starvation, and when a number is a lower bound."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.metrics import Value, summarize
from scheduler_core.metrics._base import PERCENTILES, mean, quantile, ranked
from tests.unit.metrics.hand import Job, S, hand_result


def test_mean_and_percentiles_are_those_of_the_waits() -> None:
    jobs = [Job(0, wait, wait + 10) for wait in (0, 10, 20, 30, 40)]
    summary = summarize(hand_result(jobs))
    assert summary.value("wait_mean") == Value(20.0 * S)  # (0 + 10 + 20 + 30 + 40) / 5
    assert summary.value("wait_p50") == Value(20.0 * S)
    assert summary.value("wait_p95") == Value(38.0 * S)  # place 0.95 x 4 = 3.8 -> 30 + 0.8 x 10
    assert summary.value("wait_max") == Value(40.0 * S)


def test_percentiles_equal_those_of_numpy() -> None:
    waits = np.sort(np.random.default_rng(1).integers(0, 10**9, 137))
    for share in (0.5, 0.95, 0.99):
        assert quantile(waits, share).value == pytest.approx(float(np.quantile(waits, share)), rel=1e-12)


@pytest.mark.parametrize(("n_pending", "is_bound"), [(0, False), (2, False), (3, True)])
def test_mean_is_a_lower_bound_with_more_than_one_percent_censored(n_pending: int, is_bound: bool) -> None:
    assert mean(1.0, 200, n_pending).is_lower_bound is is_bound  # 2 / 200 is 1 %, not more


def test_percentile_is_a_lower_bound_only_inside_the_censored_part() -> None:
    # 100 jobs, 10 of them pending: the last ten places are unknown, so p95 (place 94.05) is and p50 (49.5) is not.
    jobs = [Job(0, wait, wait + 5) for wait in range(90)] + [Job(0, None, None) for _ in range(10)]
    summary = summarize(hand_result(jobs, end_s=3_600))
    assert not summary.value("wait_p50").is_lower_bound
    assert summary.value("wait_p95").is_lower_bound
    assert summary.value("wait_max") == Value(3_600.0 * S, is_lower_bound=True)
    assert summary.value("wait_mean").is_lower_bound
    assert summary.censored_share == 0.1


def test_percentile_place_just_below_the_censored_part_is_exact() -> None:
    values = np.arange(101, dtype=np.int64)
    assert quantile(values, 0.5, 50) == Value(50.0)  # place 50 of 0..100, places 51..100 are censored
    assert quantile(values, 0.5, 51).is_lower_bound


def test_job_still_running_has_a_known_wait() -> None:
    summary = summarize(hand_result([Job(0, 30, None)]))
    assert summary.value("wait_mean") == Value(30.0 * S)
    assert summary.censored_share == 0


def test_slowdown_is_bounded_below_by_one_and_by_the_run_bound() -> None:
    jobs = [Job(0, 0, 10), Job(0, 50, 60), Job(0, 300, 400)]
    # 60 s: (0 + 10) / 60 -> 1; (50 + 10) / 60 = 1; (300 + 100) / 100 = 4 -> mean 2
    # 10 s: 10 / 10 = 1; 60 / 10 = 6; 4 -> mean 11 / 3
    summary = summarize(hand_result(jobs))
    assert summary.value("slowdown_mean").value == pytest.approx(2.0)
    assert summary.value("slowdown_10s_mean").value == pytest.approx(11 / 3)


def test_killed_job_counts_with_the_run_its_limit_allows() -> None:
    job = Job(0, 300, 400, runtime=9_000, limit=100, is_killed=True)
    summary = summarize(hand_result([job], kill_at_limit=True))
    assert summary.value("slowdown_mean").value == pytest.approx(4.0)  # (300 + 100) / 100


def test_starved_means_over_a_day_and_over_ten_times_the_median_of_the_class() -> None:
    hour = 3_600
    short = [Job(0, hour, hour + 60, job_class="short") for _ in range(9)]
    jobs = [
        *short,
        Job(0, 25 * hour, 26 * hour, job_class="short"),  # over 24 h and over 10 x 1 h
        Job(0, 25 * hour, 26 * hour, job_class="long"),  # over 24 h, but the median of its class is its own wait
    ]
    summary = summarize(hand_result(jobs, days=3))
    assert summary.value("starved_share", "class:short") == Value(0.1)
    assert summary.value("starved_share", "class:long") == Value(0.0)


def test_waited_share_counts_waits_over_one_minute() -> None:
    summary = summarize(hand_result([Job(0, 60, 61), Job(0, 61, 62), Job(0, 0, 5), Job(0, 0, 5)]))
    assert summary.value("waited_share") == Value(0.25)


def test_scopes_split_by_class_tenant_size_and_pool() -> None:
    jobs = [
        Job(0, 10, 20, gpus=1),
        Job(0, 30, 40, gpus=7, tenant="ops", job_class="serve"),
        Job(0, 50, 60, gpus=4, tenant="ops", job_class="serve"),
    ]
    summary = summarize(hand_result(jobs))
    assert summary.jobs == {
        "all": 3,
        "class:train": 1,
        "class:serve": 2,
        "tenant:team": 1,
        "tenant:ops": 2,
        "size:1": 1,
        "size:4-7": 2,
        "pool:main": 3,
    }
    assert summary.value("wait_mean", "size:4-7") == Value(40.0 * S)
    assert summary.value("wait_mean", "tenant:ops") == Value(40.0 * S)
    assert summary.value("wait_mean", "pool:main") == Value(30.0 * S)


def test_empty_run_has_no_numbers_and_no_error() -> None:
    summary = summarize(hand_result([]))
    assert summary.jobs == {"all": 0, "pool:main": 0}
    assert summary.value("wait_mean") == Value(None)
    assert summary.value("utilisation") == Value(0.0)


def test_warm_up_jobs_are_left_out() -> None:
    day = 86_400
    summary = summarize(hand_result([Job(0, 500, 600), Job(day, day + 7, day + 9)], days=2, warmup_days=1))
    assert summary.value("wait_mean") == Value(7.0 * S)
    assert summary.jobs["all"] == 1


def test_oldest_job_in_line_is_the_longest_wait_without_a_warm_up() -> None:
    jobs = [Job(0, 40, 50), Job(30, 90, 99, tenant="ops", job_class="x"), Job(50, 50, 60)]
    summary = summarize(hand_result(jobs))
    assert summary.value("max_head_age") == Value(60.0 * S)  # 90 - 30
    assert summary.value("max_head_age", "tenant:team") == Value(40.0 * S)
    assert summary.value("max_head_age") == summary.value("wait_max")


def test_oldest_job_in_line_counts_leftovers_of_the_warm_up() -> None:
    day = 86_400
    jobs = [Job(day - 100, day + 50, day + 60), Job(day, day + 20, day + 30), Job(5, 90, 99)]
    summary = summarize(hand_result(jobs, days=2, warmup_days=1))
    assert summary.value("max_head_age") == Value(150.0 * S)  # submitted 100 s before the window, left 50 s into it
    assert summary.value("wait_max") == Value(20.0 * S)


def test_oldest_job_that_still_waits_is_a_lower_bound() -> None:
    summary = summarize(hand_result([Job(0, 500, 600), Job(100, None, None)], end_s=700, days=700 / 86_400))
    assert summary.value("max_head_age") == Value(600.0 * S, is_lower_bound=True)
    started = summarize(hand_result([Job(0, 650, 690), Job(100, None, None)], end_s=700, days=700 / 86_400))
    assert started.value("max_head_age") == Value(650.0 * S)
    assert summarize(hand_result([Job(0, 0, 5)])).value("max_head_age") == Value(0.0)


@given(
    st.lists(st.integers(0, 10), min_size=1, max_size=200),
    st.sampled_from(PERCENTILES),
)
def test_ranked_values_give_the_percentiles_of_sorted_ones(values: list[int], share: float) -> None:
    column = np.array(values, np.int64)
    assert quantile(ranked(column), share) == quantile(np.sort(column), share)
