from scheduler_core import simulate
from tests.builders import job, scenario


def test_jobs_start_in_the_order_of_submission_whatever_they_ask() -> None:
    # One node of 8, busy until 10; then everybody needs all of it, in the order 1, 2, 3.
    jobs = [job(0, 10, 8), job(1, 30, 8, priority=0.1), job(2, 20, 8), job(3, 5, 8, priority=0.9)]
    outcome = simulate(scenario(jobs, order="fifo")).outcome
    assert outcome.start_ms.tolist() == [0, 10_000, 40_000, 60_000]  # 10, 10 + 30, 10 + 30 + 20


def test_the_same_submit_time_falls_to_the_row() -> None:
    outcome = simulate(scenario([job(0, 10, 8), job(0, 5, 8), job(0, 1, 8)], order="fifo")).outcome
    assert outcome.start_ms.tolist() == [0, 10_000, 15_000]
