from scheduler_core import simulate
from tests.builders import job, scenario

QUEUES = {"las": {"thresholds": "10s, 30s", "by": "time"}}


def test_whoever_has_had_less_than_a_threshold_evicts_whoever_has_had_more() -> None:
    # A has had 12 s when B comes: queue 1 against 0. B ends at 17; A begins again: 17-37. Its 12 s are lost.
    outcome = simulate(scenario([job(0, 20, 8), job(12, 5, 8)], order=QUEUES)).outcome
    assert outcome.start_ms.tolist() == [0, 12_000]
    assert outcome.finish_ms.tolist() == [37_000, 17_000]
    assert outcome.ledger is not None
    assert outcome.ledger.lost_gpu_ms.tolist() == [8 * 12_000]


def test_in_one_queue_nobody_is_evicted_by_who_came_later() -> None:
    # B comes at 9, when A has had 9 s of 10: both are in queue 0, and A came first.
    outcome = simulate(scenario([job(0, 20, 8), job(9, 5, 8)], order=QUEUES)).outcome
    assert outcome.start_ms.tolist() == [0, 20_000]


def test_work_that_was_lost_counts_as_attained() -> None:
    # A has had 12 s when B comes and 25 s when C (10 s) comes at 30: queue 1, though all of it is lost. So D (20 s,
    # from 31) goes before it at 40. At 52 D has had 12 s, queue 1 too: E (1 s) evicts it, and at 53 A, which came
    # before it, goes first.
    jobs = [job(0, 40, 8), job(12, 5, 8), job(30, 10, 8), job(31, 20, 8), job(52, 1, 8)]
    outcome = simulate(scenario(jobs, order=QUEUES)).outcome
    assert outcome.start_ms.tolist() == [0, 12_000, 30_000, 40_000, 52_000]
    assert outcome.finish_ms.tolist() == [93_000, 17_000, 40_000, 113_000, 53_000]
