from scheduler_core import simulate
from tests.builders import job, scenario


def test_who_has_more_left_is_evicted_begins_again_and_stands_where_the_rest_of_its_work_puts_it() -> None:
    # A has 60 of its 100 s left when B (50 s) comes at 40, and loses its 40 s. C (80 s) comes at 60, B has 30 left;
    # at 90 C (80) goes before A (100 again): C 90-170, A 170-270.
    outcome = simulate(scenario([job(0, 100, 8), job(40, 50, 8), job(60, 80, 8)], order="srtf")).outcome
    assert outcome.start_ms.tolist() == [0, 40_000, 90_000]
    assert outcome.finish_ms.tolist() == [270_000, 90_000, 170_000]
    assert outcome.ledger is not None
    assert outcome.ledger.lost_gpu_ms.tolist() == [8 * 40_000]


def test_the_last_in_rank_goes_first_however_urgent_it_is() -> None:
    # 3 s to go against 80 and 90: the second is evicted, though its priority is the highest.
    jobs = [job(0, 80, 4, priority=0.1), job(0, 90, 4, priority=1), job(0, 3, 4, priority=0)]
    outcome = simulate(scenario(jobs, order="srtf")).outcome
    assert outcome.start_ms.tolist() == [0, 3_000, 0]
