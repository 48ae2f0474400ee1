from scheduler_core import simulate
from tests.builders import job, scenario


def test_gpus_count_as_much_as_time() -> None:
    # Left at 10: A 8 x 20 = 160 GPU-s, B 2 x 70 = 140, C 1 x 150 = 150. All come before A, B first, then C: A waits
    # until 160 and begins again.
    outcome = simulate(scenario([job(0, 30, 8), job(10, 70, 2), job(10, 150, 1)], order="srsf")).outcome
    assert outcome.start_ms.tolist() == [0, 10_000, 10_000]
    assert outcome.finish_ms.tolist() == [190_000, 80_000, 160_000]


def test_whoever_has_as_much_left_and_came_first_stays() -> None:
    outcome = simulate(scenario([job(0, 30, 8), job(10, 40, 4)], order="srsf")).outcome
    assert outcome.start_ms.tolist() == [0, 30_000]
