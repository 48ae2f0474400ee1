"""Preemption: numbers worked by hand."""

import pytest

from scheduler_core.kernels.tables import REASONS
from scheduler_core.metrics import Summary, Value, summarize
from scheduler_core.result import Result
from tests.unit.metrics.hand import HOUR, Job, S, hand_result
from tests.unit.metrics.hand_evictions import Eviction, Stay, with_evictions

LOST = ("lost_gpu_h", "lost_limit_gpu_h", "lost_evicted_gpu_h", *(f"lost_{reason}_gpu_h" for reason in REASONS))


def hours(number: float) -> float:
    return number * 3_600


def busy() -> Result:
    """Four jobs of 2 GPUs without saves: `a` is evicted three times, `b` once and killed in the end; `c` never starts.

    a: 0-1 h, 2-3 h, 4-6 h told at 5 h with 1 h of grace, waits again from 6 h to the end at 10 h.
    b: 0-2 h evicted, 3-8 h killed. d is for whom.
    """
    jobs = [
        Job(0, 0, None, gpus=2, job_class="a", runtime=hours(9)),
        Job(0, 0, hours(8), gpus=2, job_class="b", is_killed=True, runtime=hours(9)),
        Job(0, None, None, gpus=2, job_class="c"),
        Job(0, hours(1), hours(2), gpus=2, job_class="d"),
    ]
    stays = [
        Stay(0, 0, hours(1), "evicted", hours(1)),
        Stay(3, hours(1), hours(2)),
        Stay(1, 0, hours(2), "evicted", hours(2)),
        Stay(0, hours(2), hours(3), "evicted", hours(3)),
        Stay(0, hours(4), hours(6), "evicted", hours(5)),
        Stay(1, hours(3), hours(8), "killed"),
    ]
    evictions = [
        Eviction(hours(1), 0, 3, "own_queue", hours(2)),
        Eviction(hours(2), 1, 2, "borrowers", hours(4)),
        Eviction(hours(3), 0, 2, "borrowers", hours(2)),
        Eviction(hours(5), 0, 2, "order", hours(2)),
    ]
    return with_evictions(hand_result(jobs, kill_at_limit=True, end_s=hours(10)), stays, evictions)


@pytest.fixture(scope="module")
def summary() -> Summary:
    return summarize(busy())


def test_shares_and_rates_are_over_jobs_and_starts(summary: Summary) -> None:
    assert summary.value("preempted_share") == Value(2 / 3)  # a and b of a, b, d; c did not start
    assert summary.value("preemptions_per_job") == Value(4 / 3)
    assert summary.value("preemptions_per_start") == Value(4 / 6)  # 3 + 2 + 1 starts
    assert summary.value("thrash_share") == Value(1 / 3)  # a
    assert summary.value("preempted_share", "class:d") == Value(0.0)
    assert summary.value("preempted_share", "class:c") == Value(None)  # nobody of it started


def test_waiting_again_is_over_the_jobs_that_left(summary: Summary) -> None:
    # a: 1-2, 3-4, 6-10: 6 h and counting; b: 2-3: 1 h. The median lies half-way, and one of its ends is not known.
    assert summary.value("requeue_wait_p50", "class:b") == Value(1.0 * HOUR)
    assert summary.value("requeue_wait_p50", "class:a") == Value(6.0 * HOUR, is_lower_bound=True)
    assert summary.value("requeue_wait_p50") == Value(3.5 * HOUR, is_lower_bound=True)
    assert summary.value("requeue_wait_p95") == Value(5.75 * HOUR, is_lower_bound=True)
    assert summary.value("requeue_wait_p50", "class:d") == Value(None)


def test_lost_hours_are_split_by_cause_and_sum(summary: Summary) -> None:
    # a loses 2 x (1 + 1 + 1); b, killed in the end, 2 x (2 + 5), all of it to its limit.
    found = {slug: summary.value(slug).value for slug in LOST}
    assert found == {
        "lost_gpu_h": 20,
        "lost_limit_gpu_h": 14,
        "lost_evicted_gpu_h": 6,
        "lost_own_queue_gpu_h": 2,
        "lost_borrowers_gpu_h": 2,
        "lost_fair_share_gpu_h": 0,  # did not occur
        "lost_reservation_gpu_h": 0,
        "lost_order_gpu_h": 2,
    }
    assert summary.value("lost_evicted_gpu_h", "class:b") == Value(0.0)


def test_a_job_that_waits_again_is_not_counted_as_never_started(summary: Summary) -> None:
    assert summary.value("censored_share") == Value(1 / 4)  # c alone
    assert summary.value("wait_mean", "class:a") == Value(0.0)
    # in line: c 10 h, a 6 h, b 1 h, d 1 h of 24
    assert summary.value("queue_jobs_mean") == Value(18 / 24)


def test_taking_back_lasts_from_the_first_eviction_to_the_start() -> None:
    # Job 1 evicts at 10 and, its pins timed out, again at 20; it starts at 35: 25 s. Job 2: 50 to 52. Job 3 never.
    jobs = [Job(0, 0, None), Job(5, 35, 40), Job(50, 52, 60), Job(70, None, None)]
    stays = [Stay(0, 0, 10, "evicted", 10), Stay(0, 12, 20, "evicted", 20), Stay(1, 35, 40)]
    stays += [Stay(0, 40, 50, "evicted", 50), Stay(2, 52, 60), Stay(0, 60, 75, "evicted", 75)]
    asked = [(10, 1), (20, 1), (50, 2)]
    evictions = [Eviction(time, 0, evictor, "borrowers") for time, evictor in asked]
    result = with_evictions(hand_result(jobs, end_s=100), stays, [*evictions, Eviction(75, 0, 3, "own_queue")])
    assert summarize(result).value("reclaim_latency_p95").value == pytest.approx((2 + 0.95 * 23) * S)
    still = with_evictions(hand_result(jobs, end_s=100), stays, [*evictions, Eviction(75, 0, 3, "borrowers")])
    assert summarize(still).value("reclaim_latency_p95") == Value(25.0 * S, is_lower_bound=True)  # 2, 25, 25 or more


def test_where_nobody_may_evict_shares_are_zero_and_the_rest_has_no_number() -> None:
    summary = summarize(hand_result([Job(0, 0, 10)]))
    zero = ("preempted_share", "preemptions_per_start", "preemptions_per_job", "thrash_share", "lost_gpu_h")
    assert [summary.value(slug) for slug in zero] == [Value(0.0)] * 5
    none = ("requeue_wait_p50", "requeue_wait_p95", "reclaim_latency_p95", "lost_evicted_gpu_h", "lost_order_gpu_h")
    assert [summary.value(slug) for slug in none] == [Value(None)] * 5


def test_a_run_without_jobs_has_nothing_to_say() -> None:
    summary = summarize(with_evictions(hand_result([]), [], []))
    for slug in ("preempted_share", "preemptions_per_start", "requeue_wait_p95", "reclaim_latency_p95"):
        assert summary.value(slug) == Value(None)
    assert summary.value("lost_evicted_gpu_h") == Value(0.0)
