from scheduler_core import simulate
from tests.builders import job, scenario


def test_the_highest_priority_starts_first_and_ties_keep_their_order() -> None:
    # All wait for the node until 10. Priorities .3 .9 .3 .6: rows 2, 4, 1, 3.
    jobs = [job(0, 10, 8)] + [job(1, 10, 8, priority=value) for value in (0.3, 0.9, 0.3, 0.6)]
    outcome = simulate(scenario(jobs, order="priority")).outcome
    assert outcome.start_ms.tolist() == [0, 30_000, 10_000, 40_000, 20_000]


def test_priorities_a_thousandth_apart_are_different() -> None:
    jobs = [job(0, 10, 8), job(1, 10, 8, priority=0.5), job(1, 10, 8, priority=0.501)]
    outcome = simulate(scenario(jobs, order="priority")).outcome
    assert outcome.start_ms.tolist() == [0, 20_000, 10_000]


def test_nobody_who_runs_is_stopped_for_a_higher_priority() -> None:
    jobs = [job(0, 10, 8, priority=0), job(1, 1, 8, priority=1)]
    assert simulate(scenario(jobs, order="priority")).outcome.finish_ms.tolist() == [10_000, 11_000]
