"""Calling the engine: progress, cancelling, the log of placements, slices."""

import numpy as np
import pytest

from scheduler_core import workload
from scheduler_core.engine.run import SLICE_EVENTS, CancelledError, run
from scheduler_core.errors import CoreError
from scheduler_core.kernels.tables import NO_LIMIT_MS, STATES, Jobs, JobTable, Outcome
from scheduler_core.scenario import DISCIPLINES, Scenario
from tests.builders import job, pool, scenario

DISCIPLINE_SLUGS = list(DISCIPLINES)


def table_of(n_jobs: int, largest: int, longest_ms: int = 16_000) -> JobTable:
    """Return jobs of 1 to `largest` GPUs that come every second and run up to `longest_ms`."""
    random = np.random.default_rng(5)
    zeros = np.zeros(n_jobs, np.int32)
    runtime = random.integers(1, longest_ms + 1, n_jobs)
    jobs = Jobs(
        submit_ms=np.arange(n_jobs) * 1_000,
        runtime_ms=runtime,
        limit_ms=np.where(random.random(n_jobs) < 0.2, NO_LIMIT_MS, runtime * 2),
        gpus=random.integers(1, largest + 1, n_jobs).astype(np.int32),
        priority=random.integers(0, 1_001, n_jobs).astype(np.int32),
        tenant=zeros,
        job_class=zeros,
        type_set=zeros,
    )
    return JobTable(jobs, ("all",), ("c",), (None,))


def assert_equal(first: Outcome, second: Outcome) -> None:
    """Compare two outcomes, the placements of which are compared where both have them."""
    for name in ("start_ms", "finish_ms", "state", "cause_ms", "order_behind_ms"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
    assert (first.end_ms, first.events) == (second.end_ms, second.events)
    if first.placements is not None and second.placements is not None:
        for column in ("row", "node", "gpus"):
            assert np.array_equal(getattr(first.placements, column), getattr(second.placements, column)), column


def asked(discipline: str = "strict", order: str = "fifo") -> Scenario:
    """Return a cluster of three nodes of 4."""
    return scenario([], pool(3, 4), discipline=discipline, placement="best_fit", order=order)


class Listener:
    """Keeps the shares it is told, and stops the run at call number `cancel_at`."""

    def __init__(self, cancel_at: int | None = None) -> None:
        self.shares: list[float] = []
        self.cancel_at = cancel_at

    def __call__(self, share: float) -> bool:
        self.shares.append(share)
        return len(self.shares) != self.cancel_at


def test_every_discipline_has_a_slice() -> None:
    assert set(SLICE_EVENTS) == set(DISCIPLINES)


def test_progress_hears_growing_shares_of_jobs_submitted() -> None:
    listener = Listener()
    run(asked(), table_of(200, 4), progress=listener, slice_events=20)
    assert listener.shares[0] == 0
    assert listener.shares == sorted(listener.shares)
    assert 15 <= len(listener.shares) <= 21  # 400 events, since each job is submitted and ends; once before them
    assert 0.8 < listener.shares[-1] <= 1


@pytest.mark.parametrize("cancel_at", [1, 4])
def test_a_run_stops_when_progress_says_no(cancel_at: int) -> None:
    listener = Listener(cancel_at)
    with pytest.raises(CancelledError, match=r"^The run was cancelled\.$") as caught:
        run(asked(), table_of(200, 4), progress=listener, slice_events=20)
    assert isinstance(caught.value, CoreError)
    assert caught.value.code == "cancelled"
    assert len(listener.shares) == cancel_at


def test_a_run_of_no_jobs_ends() -> None:
    table = table_of(0, 4)
    drained = run(asked(), table)
    assert (drained.end_ms, drained.events, len(drained.start_ms)) == (0, 0, 0)
    assert drained.cause_ms.shape == (0, 12)
    whole_day = run(scenario([], run={"days": 1}), table, record_placements=True)
    assert whole_day.end_ms == 86_400_000
    assert whole_day.placements is not None
    assert len(whole_day.placements.row) == 0


def test_recording_placements_changes_nothing_else() -> None:
    table = table_of(3_000, 12, longest_ms=1_500)
    recorded = run(asked("best_effort"), table, record_placements=True)
    assert_equal(recorded, run(asked("best_effort"), table))
    placements = recorded.placements
    assert placements is not None
    assert len(placements.row) > 4_096
    taken = np.bincount(placements.row, weights=placements.gpus, minlength=table.n_jobs)
    assert np.array_equal(taken, table.jobs.gpus)  # every job got all its GPUs, once
    assert np.all(np.diff(recorded.start_ms[placements.row]) >= 0)  # in order of start
    assert set(placements.node.tolist()) == {0, 1, 2}
    assert np.all((placements.gpus >= 1) & (placements.gpus <= 4))


def test_many_jobs_of_no_length_at_one_instant_keep_within_the_memory() -> None:
    # One GPU, 500 jobs of 0 ms at once: 500 rounds at one instant, each with a placement of its own.
    jobs = [job(0, 0, 1) for _ in range(500)]
    asked_for = scenario(jobs, pool(1, 1), run={"days": 1, "drain": True})
    outcome = run(asked_for, workload.build(asked_for), record_placements=True)
    assert outcome.start_ms.tolist() == [0] * 500
    assert outcome.placements is not None
    assert outcome.placements.row.tolist() == list(range(500))


def test_finishes_to_come_have_room_beside_jobs_started_on_their_gpus() -> None:
    # submit_first, a pass per event: at 10 s eight jobs have given back their GPUs, are still to finish, and eight
    # submitted at 10 s start on those GPUs first: 16 coming finishes on 8 GPUs.
    jobs = [job(0, 10, 1, limit=10) for _ in range(8)] + [job(10, 5, 1, limit=5) for _ in range(8)]
    run_settings = {"days": 1, "drain": True, "ties": "submit_first", "pass_per": "event"}
    asked_for = scenario(jobs, pool(1), run=run_settings)
    outcome = run(asked_for, workload.build(asked_for), record_placements=True)
    assert outcome.start_ms.tolist() == [0] * 8 + [10_000] * 8
    assert outcome.finish_ms.tolist() == [10_000] * 8 + [15_000] * 8


def test_placements_are_kept_on_request_only() -> None:
    assert run(asked(), table_of(3, 4)).placements is None


@pytest.mark.parametrize("discipline", DISCIPLINE_SLUGS)
def test_slices_of_one_event_equal_one_slice(discipline: str) -> None:
    table = table_of(60, 12, longest_ms=6_000)
    calls = Listener()
    sliced = run(asked(discipline), table, record_placements=True, progress=calls, slice_events=1)
    assert_equal(sliced, run(asked(discipline), table, record_placements=True, slice_events=10**9))
    assert len(calls.shares) > 60
    assert (sliced.cause_ms.sum(axis=1) > 0).mean() > 0.3  # a line, or there would be nothing to slice


@pytest.mark.parametrize("discipline", DISCIPLINE_SLUGS)
def test_the_same_question_twice_gives_the_same_answer(discipline: str) -> None:
    table = table_of(50, 12, longest_ms=6_000)
    before = [np.asarray(column).tobytes() for column in table.jobs]
    first, second = (run(asked(discipline, order="priority"), table, record_placements=True) for _ in range(2))
    assert_equal(first, second)
    assert [np.asarray(column).tobytes() for column in table.jobs] == before, "the table is not written"


def test_an_outcome_has_the_shape_it_promises() -> None:
    table = table_of(40, 13)  # 13 is more than the cluster has
    outcome = run(asked(), table)
    assert outcome.start_ms.dtype == outcome.finish_ms.dtype == outcome.cause_ms.dtype == np.int64
    assert outcome.state.dtype == np.int8
    assert outcome.cause_ms.shape == (40, 12)
    assert outcome.order_behind_ms.shape == (1, 12)
    is_lost = table.jobs.gpus == 13
    assert is_lost.any()
    assert np.array_equal(outcome.state == STATES.index("unschedulable"), is_lost)
    assert np.array_equal(outcome.start_ms == -1, is_lost)
    assert not outcome.cause_ms[is_lost].any()
    assert outcome.events == 2 * int((~is_lost).sum())  # a submission and a finish each


@pytest.mark.parametrize("discipline", ["strict", "best_effort", "easy"])
@pytest.mark.parametrize("order", ["fifo", "priority", "shortest"])
def test_a_change_that_changes_nothing_changes_nothing(discipline: str, order: str) -> None:
    table = table_of(300, 12)
    plain = asked(discipline, order)
    change = [{"at": f"{at}s", "policy": {"order": order}} for at in (10, 77, 78, 200)]
    again = scenario([], pool(3, 4), discipline=discipline, placement="best_fit", order=order, change=change)
    first, second = (run(each, table, record_placements=True) for each in (plain, again))
    assert_equal(first, second)


def test_a_run_that_changes_is_the_same_in_slices_and_can_be_cancelled() -> None:
    table = table_of(300, 12)
    change = [{"at": "60s", "policy": {"discipline": "best_effort"}}, {"at": "200s", "policy": {"order": "smallest"}}]
    both = scenario([], pool(3, 4), placement="best_fit", change=change)
    whole = run(both, table, record_placements=True)
    assert_equal(whole, run(both, table, record_placements=True, slice_events=7))
    assert not np.array_equal(whole.start_ms, run(asked(), table).start_ms)
    with pytest.raises(CancelledError):
        run(both, table, slice_events=7, progress=lambda share: share < 0.5)
