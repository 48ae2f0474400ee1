"""Completion times, throughput, makespan."""

from scheduler_core.metrics import Value, summarize
from tests.unit.metrics.hand import Job, S, hand_result


def test_completion_covers_finished_jobs_and_says_what_share_that_is() -> None:
    jobs = [
        Job(0, 10, 30),  # 30 s
        Job(10, 20, 60),  # 50 s
        Job(0, 0, 40, limit=40, runtime=90, is_killed=True),
        Job(0, None, None),
    ]
    summary = summarize(hand_result(jobs, kill_at_limit=True))
    assert summary.value("jct_mean") == Value(40.0 * S)
    assert summary.value("jct_p50") == Value(40.0 * S)
    assert summary.value("finished_share") == Value(0.5)
    assert summary.value("killed_share") == Value(0.25)


def test_throughput_counts_finishes_in_the_window_per_hour() -> None:
    day = 86_400
    jobs = [Job(0, 0, day + 5), Job(0, 0, day - 5), Job(day, day, day + 1), Job(day, day, None)]
    summary = summarize(hand_result(jobs, days=2, warmup_days=1))
    assert summary.value("throughput") == Value(2 / 24)


def test_makespan_needs_a_drained_run() -> None:
    jobs = [Job(5, 5, 10), Job(6, 50, 100)]
    assert summarize(hand_result(jobs)).value("makespan") == Value(None)
    assert summarize(hand_result(jobs, drain=True)).value("makespan") == Value(95.0 * S)
