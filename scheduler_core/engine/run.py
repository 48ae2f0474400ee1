"""Run a scenario: prepare the tables, call the loop in slices, hand over the outcome."""

from collections.abc import Callable

import numpy as np

from scheduler_core.engine.evictions import attempts_of, ledger_of
from scheduler_core.engine.setup import prepare
from scheduler_core.errors import CoreError
from scheduler_core.kernels import state as st
from scheduler_core.kernels.memory import Memory
from scheduler_core.kernels.tables import CAUSES, JobTable, Outcome, Placements
from scheduler_core.scenario.document import Scenario

SLICE_EVENTS = {"strict": 500_000, "best_effort": 250_000, "easy": 50_000, "conservative": 1_000}
"""Events between two reports of progress: a few tenths of a second by discipline."""


class TooManyEvictionsError(CoreError):
    """More jobs were evicted in one instant than there is room to write down."""

    code = "too_many_evictions"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"More than {most // 2:,} preemptions happened at one moment; a grace or min_runtime above 0 ends that."
        )


Progress = Callable[[float], bool]


class CancelledError(CoreError):
    """The caller asked the run to stop."""

    code = "cancelled"


def run(
    scenario: Scenario,
    table: JobTable,
    *,
    record_placements: bool = False,
    progress: Progress | None = None,
    slice_events: int | None = None,
) -> Outcome:
    """Simulate the jobs of `table` on the cluster and policy of `scenario`.

    Parameters
    ----------
    scenario : Scenario
        Cluster, tenants, policy and run settings; its workload is not looked at.
    table : JobTable
        The jobs, sorted by submit time.
    record_placements : bool
        Keep the nodes each job ran on.
    progress : callable, optional
        Called between slices with the share of jobs submitted so far; False cancels.
    slice_events : int, optional
        Events between two calls of `progress`; any value gives the same outcome.

    Returns
    -------
    Outcome
        One row a job.

    Raises
    ------
    CancelledError
        If `progress` returned False.
    """
    prepared = prepare(scenario, table, record_placements=record_placements)
    memory = prepared.memory
    budget = slice_events or SLICE_EVENTS[scenario.policy.discipline.slug]
    status = st.MORE
    while status != st.DONE:
        if progress is not None and not progress(int(memory.m[st.NEXT_ROW]) / max(1, table.n_jobs)):
            raise CancelledError("The run was cancelled.")
        status = prepared.advance(budget)
        if status == st.FULL:
            raise TooManyEvictionsError(int(memory.m[st.MOST_EVICTIONS]))
        memory.make_room()
    return _outcome(memory, table)


def _outcome(memory: Memory, table: JobTable) -> Outcome:
    placements = _placements(memory) if memory.m[st.IS_RECORDING] else None
    n_causes = len(CAUSES)
    kept = memory.column(st.KEPT)
    cause_ms = np.zeros((n_causes, table.n_jobs), np.int64)  # columns that stay 0 cost no memory
    cause_ms[kept] = memory.column(st.WAIT).reshape(table.n_jobs, len(kept)).T
    return Outcome(
        start_ms=memory.column(st.START),
        finish_ms=memory.column(st.FINISH),
        state=memory.column(st.JOB_STATE).astype(np.int8),
        cause_ms=cause_ms.T,
        order_behind_ms=memory.column(st.CLASS_BEHIND).reshape(-1, n_causes)[: len(table.classes)],
        end_ms=int(memory.m[st.NOW]),
        events=int(memory.m[st.EVENTS]),
        placements=placements,
        attempts=attempts_of(memory) if memory.m[st.HAS_STAYS] else None,
        ledger=ledger_of(memory) if memory.m[st.SCOPES] else None,
        requeue_wait_ms=memory.column(st.REQUEUE_WAIT) if memory.m[st.HAS_STAYS] else None,
    )


def _placements(memory: Memory) -> Placements:
    """Return the nodes of every job that started, in the order of starts."""
    counts, first = memory.column(st.LOG_COUNT), memory.column(st.LOG_FIRST)
    rows = np.flatnonzero(counts)
    rows = rows[np.argsort(memory.column(st.LOG_SEQUENCE)[rows], kind="stable")]
    ends = np.cumsum(counts[rows])
    entries = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(
        first[rows] - (ends - counts[rows]), counts[rows]
    )
    return Placements(
        np.repeat(rows, counts[rows]).astype(np.int32),
        memory.column(st.NUMBER)[memory.column(st.LOG_NODE)[entries]].astype(np.int32),
        memory.column(st.LOG_GPUS)[entries].astype(np.int32),
    )
