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
