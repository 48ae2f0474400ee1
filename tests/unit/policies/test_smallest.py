from scheduler_core import simulate
from tests.builders import job, scenario


def test_the_fewest_gpus_start_first_and_the_widest_waits_for_all_of_them() -> None:
    # Busy until 10. Sizes 8 5 3 5 wait: 3 and the first 5 fill the node to 20, then the other 5, then 8 at 30.
    jobs = [job(0, 10, 8)] + [job(1, 10, size) for size in (8, 5, 3, 5)]
    outcome = simulate(scenario(jobs, order="smallest")).outcome
    assert outcome.start_ms.tolist() == [0, 30_000, 10_000, 10_000, 20_000]


def test_a_small_job_that_comes_later_overtakes() -> None:
    jobs = [job(0, 10, 8), job(1, 10, 8), job(9, 10, 1)]
    assert simulate(scenario(jobs, order="smallest")).outcome.start_ms.tolist() == [0, 20_000, 10_000]
