"""Evictions by hand: stays and preemptions are stated and put into a result of `hand_result`. Times are seconds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from scheduler_core.kernels.tables import ATTEMPT_ENDS, REASONS, Attempts, Ledger
from scheduler_core.result import PENDING, Result
from scheduler_core.scenario.checkpoint import Checkpoint
from tests.unit.metrics.hand import S, ms


@dataclass
class Stay:
    """One stay of the job in `row` on its GPUs."""

    row: int
    start: float
    end: float
    ended: str = "finished"
    told: float | None = None
    before: float = 0
    saved: float = 0


@dataclass
class Eviction:
    """One preemption: the victim is told at `time` to leave for the evictor."""

    time: float
    victim: int
    evictor: int
    reason: str = "own_queue"
    lost_gpu_s: float = 0


def with_evictions(result: Result, stays: Sequence[Stay], evictions: Sequence[Eviction]) -> Result:
    """Return the result with these stays, in the order in which they ended, and these preemptions."""
    attempts = Attempts(
        row=np.array([stay.row for stay in stays], np.int32),
        start_ms=np.array([ms(stay.start) for stay in stays], np.int64),
        told_ms=np.array([ms(stay.told) for stay in stays], np.int64),
        end_ms=np.array([ms(stay.end) for stay in stays], np.int64),
        before_ms=np.array([ms(stay.before) for stay in stays], np.int64),
        saved_ms=np.array([ms(stay.saved) for stay in stays], np.int64),
        end=np.array([ATTEMPT_ENDS.index(stay.ended) for stay in stays], np.int8),
    )
    ledger = Ledger(
        time_ms=np.array([ms(each.time) for each in evictions], np.int64),
        victim=np.array([each.victim for each in evictions], np.int32),
        evictor=np.array([each.evictor for each in evictions], np.int32),
        reason=np.array([REASONS.index(each.reason) for each in evictions], np.int8),
        lost_gpu_ms=np.array([ms(each.lost_gpu_s) for each in evictions], np.int64),
    )
    waits = np.array([_requeue_wait(result, stays, row) for row in range(result.n_jobs)], np.int64)
    state = result.outcome.state.copy()
    for row in range(result.n_jobs):
        mine = [stay for stay in stays if stay.row == row]
        if mine and mine[-1].ended == "evicted":
            state[row] = PENDING
    outcome = replace(result.outcome, attempts=attempts, ledger=ledger, requeue_wait_ms=waits, state=state)
    return replace(result, outcome=outcome)


def _requeue_wait(result: Result, stays: Sequence[Stay], row: int) -> int:
    mine = [stay for stay in stays if stay.row == row]
    total = sum(ms(after.start) - ms(stay.end) for stay, after in pairwise(mine))
    return total + (result.outcome.end_ms - ms(mine[-1].end) if mine and mine[-1].ended == "evicted" else 0)


def with_saves(result: Result, every: float, cost: float, restart: float) -> Result:
    """Return the result with jobs of every class that save their work."""
    saves = Checkpoint.model_construct(every=round(every * S), cost=round(cost * S), restart=round(restart * S))
    workload = result.scenario.workload
    classes = tuple(each.model_copy(update={"checkpoint": saves}) for each in workload.classes)
    workload = workload.model_copy(update={"classes": classes})
    return replace(result, scenario=result.scenario.model_copy(update={"workload": workload}))


def interrupted(result: Result, most: int) -> Result:
    """Cut some finished stays in two: in the second half the job is told to leave, and is back a quarter later."""
    whole = result.attempts
    is_long = (whole.end == ATTEMPT_ENDS.index("finished")) & (whole.end_ms - whole.start_ms > 60_000)
    long = np.flatnonzero(is_long & result.is_counted[whole.row])[:most]
    quarter = (whole.end_ms[long] - whole.start_ms[long]) // 4
    start = whole.start_ms.copy()
    start[long] += 3 * quarter
    told, none = whole.start_ms[long] + 2 * quarter, np.zeros(long.shape[0], np.int64)
    attempts = Attempts(
        row=np.concatenate((whole.row[long], whole.row)),
        start_ms=np.concatenate((whole.start_ms[long], start)),
        told_ms=np.concatenate((told, whole.told_ms)),
        end_ms=np.concatenate((told, whole.end_ms)),
        before_ms=np.concatenate((none, whole.before_ms)),
        saved_ms=np.concatenate((none, whole.saved_ms)),
        end=np.concatenate((np.full(long.shape[0], ATTEMPT_ENDS.index("evicted"), np.int8), whole.end)),
    )
    lost = 2 * quarter * result.table.jobs.gpus[whole.row[long]]
    reason = np.full(long.shape[0], REASONS.index("own_queue"), np.int8)
    again = np.zeros(result.n_jobs, np.int64)
    again[whole.row[long]] = quarter
    ledger = Ledger(told, whole.row[long], np.roll(whole.row[long], 1), reason, lost)
    outcome = replace(result.outcome, attempts=attempts, ledger=ledger, requeue_wait_ms=again)
    return replace(result, outcome=outcome)
