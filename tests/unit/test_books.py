"""The books of attempts, worked by hand; tests/properties/test_books.py compares them with the twin."""

import numpy as np

from scheduler_core.books import BOOKS, Pauses, Saves, eviction_of, start_after, unbroken_ms
from scheduler_core.result import Result
from tests.unit.metrics.hand import Job, S, hand_result
from tests.unit.metrics.hand_evictions import Eviction, Stay, with_evictions, with_saves


def worked() -> Result:
    """Rule 15.13 of docs/model.md: told at 80 with grace 3, again from 200; another job holds the GPU in between."""
    jobs = [Job(0, 0, 253, gpus=2, runtime=100), Job(80, 83, 200, gpus=2, runtime=102)]
    stays = [Stay(0, 0, 83, "evicted", 80, 0, 60), Stay(1, 83, 200), Stay(0, 200, 253, "finished", None, 60, 100)]
    result = with_evictions(hand_result(jobs), stays, [Eviction(80, 0, 1, lost_gpu_s=20)])
    return with_saves(result, 30, 5, 8)


def per_gpu(result: Result, begin: int, end: int, row: int = 0) -> dict[str, float]:
    """Return what job `row` did in a span, in s, without zeros."""
    mine = result.attempts.row == row
    spent = {kind: int(gpu_ms[mine].sum()) / 2 / S for kind, gpu_ms in result.gpu_ms_in(begin * S, end * S).items()}
    return {kind: seconds for kind, seconds in spent.items() if seconds}


def test_an_evicted_attempt_is_booked_piece_by_piece() -> None:
    # 0-30 work, -35 save, -65 work, -70 save, -80 work that is lost, -83 grace; 200-208 restart, -238 work, -243 save,
    # -253 work.
    result = worked()
    assert per_gpu(result, 0, 100) == {"useful": 60, "lost": 10, "checkpoint": 10, "grace": 3}
    assert per_gpu(result, 100, 300) == {"useful": 40, "checkpoint": 5, "restart": 8}
    assert per_gpu(result, 32, 37) == {"useful": 2, "checkpoint": 3}
    assert per_gpu(result, 75, 82) == {"lost": 5, "grace": 2}
    assert per_gpu(result, 205, 240) == {"useful": 30, "checkpoint": 2, "restart": 3}


def test_books_are_whole_and_sum_to_what_was_allocated() -> None:
    result = worked()
    assert tuple(result.books) == BOOKS
    assert result.books == {
        "useful": 2 * (100 + 102) * S,  # the other held its GPUs for 117 s: 30 + 5 + 30 + 5 + 30 + 5 + 12
        "lost": 2 * 10 * S,
        "checkpoint": 2 * (15 + 15) * S,
        "restart": 2 * 8 * S,
        "grace": 2 * 3 * S,
        "idle_held": 0,
    }
    assert sum(result.books.values()) == 2 * (83 + 53 + 117) * S


def test_a_job_killed_in_the_end_loses_what_it_had_saved() -> None:
    jobs = [Job(0, 0, 253, gpus=2, runtime=100, is_killed=True)]
    stays = [Stay(0, 0, 83, "evicted", 80, 0, 60), Stay(0, 200, 253, "killed", None, 60, 60)]
    result = with_saves(with_evictions(hand_result(jobs), stays, [Eviction(80, 0, 0)]), 30, 5, 8)
    assert per_gpu(result, 0, 300) == {"lost": 70 + 40, "checkpoint": 15, "restart": 8, "grace": 3}


def test_waiting_again_is_time_in_line_and_not_wait() -> None:
    result = worked()
    assert result.wait_ms.tolist() == [0, 3 * S]
    assert result.requeue_wait_ms.tolist() == [117 * S, 0]  # from 83 to 200
    spans = result.spans_in_line
    assert (spans.row.tolist()[2:], spans.begin_ms.tolist()[2:], spans.end_ms.tolist()[2:]) == (
        [0],
        [83 * S],
        [200 * S],
    )
    assert result.preemptions.tolist() == [1, 0]
    assert result.can_evict
    assert not hand_result([Job(0, 0, 1)]).can_evict


def test_a_run_holds_its_gpus_for_its_work_and_all_saves_but_the_last() -> None:
    saves = Saves(*(np.full(3, value * S, np.int64) for value in (30, 5, 8)))
    runtime_ms = np.array([100 * S, 90 * S, 0], np.int64)
    assert unbroken_ms(runtime_ms, saves).tolist() == [115 * S, 100 * S, 0]  # saves at 30, 60, 90; at 30, 60
    assert unbroken_ms(runtime_ms, None) is runtime_ms
    assert worked().run_ms.tolist() == [115 * S, 117 * S]


def test_a_pause_counts_up_to_the_moment_and_for_its_own_attempt() -> None:
    pauses = Pauses(*(np.array(column, np.int64) for column in ([0, 0, 2], [10, 30, 5], [20, 35, 9])))
    attempt = np.array([0, 0, 0, 0, 1, 2, 2], np.int64)
    moment = np.array([10, 15, 25, 32, 99, 7, 99], np.int64)
    assert pauses.before(attempt, moment).tolist() == [0, 5, 10, 12, 0, 2, 4]


def test_a_preemption_finds_its_attempt_even_twice_at_one_instant() -> None:
    stays = [Stay(0, 0, 5, "evicted", 5), Stay(0, 5, 5, "evicted", 5), Stay(0, 6, 9)]
    result = with_evictions(hand_result([Job(0, 0, 9), Job(0, 5, 6)]), stays, [Eviction(5, 0, 1), Eviction(5, 0, 1)])
    assert result.outcome.ledger is not None
    assert eviction_of(result.attempts, result.outcome.ledger).tolist() == [0, 1]


def test_the_next_start_of_a_job_is_its_own() -> None:
    attempts = worked().attempts
    rows, times = np.array([0, 0, 0, 1]), np.array([0, 1, 201, 80], np.int64) * S
    assert start_after(attempts, rows, times).tolist() == [0, 200 * S, 2**62, 83 * S]
