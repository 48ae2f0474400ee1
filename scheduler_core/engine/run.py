"""Run a scenario: prepare the tables, call the loop in slices, hand over the outcome."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from scheduler_core.engine.collected import holds_of
from scheduler_core.engine.evictions import attempts_of, ledger_of
from scheduler_core.engine.setup import Prepared
from scheduler_core.engine.stages import Stage, Waits, begin, is_over, last_event, stages_of, take_over
from scheduler_core.errors import CoreError
from scheduler_core.kernels import state as st
from scheduler_core.kernels.memory import IDLENESS, Memory
from scheduler_core.kernels.tables import JobTable, Outcome, Placements
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.document import Scenario

SLICE_EVENTS = {"strict": 500_000, "best_effort": 250_000, "easy": 50_000, "conservative": 1_000}
"""Events between two reports of progress: a few tenths of a second by discipline."""


class TooManyEvictionsError(CoreError):
    """More jobs were evicted in one instant than there is room to write down."""

    code = "too_many_evictions"

    def __init__(self, most: int) -> None:
        super().__init__(
            Phrase(
                "More than {most:,} preemptions happened at one moment; a grace or min_runtime above 0 ends that.",
                most=most // 2,
            )
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
    stages = stages_of(scenario)
    prepared = begin(stages[0], table, record_placements=record_placements)
    _run_stage(prepared, stages[0], table, progress, slice_events)
    waits = Waits(table.n_jobs)
    waits.add(prepared.memory)
    for before, stage in pairwise(stages):
        if scenario.run.drain and is_over(prepared.memory):
            prepared.memory.m[st.NOW] = last_event(prepared.memory, table)
            break
        following = begin(stage, table, record_placements=record_placements)
        take_over(following, stage, prepared, before)
        prepared = following
        _run_stage(prepared, stage, table, progress, slice_events)
        waits.add(prepared.memory)
    return _outcome(prepared.memory, waits, table)


def _run_stage(
    prepared: Prepared, stage: Stage, table: JobTable, progress: Progress | None, slice_events: int | None
) -> None:
    """Run to the end of a stage."""
    memory = prepared.memory
    budget = slice_events or SLICE_EVENTS[stage.scenario.policy.discipline.slug]
    status = st.MORE
    while status != st.DONE:
        if progress is not None and not progress(int(memory.m[st.NEXT_ROW]) / max(1, table.n_jobs)):
            raise CancelledError(Phrase("The run was cancelled."))
        status = prepared.advance(budget)
        if status == st.FULL:
            raise TooManyEvictionsError(int(memory.m[st.MOST_EVICTIONS]))
        memory.make_room()
        memory.make_room(IDLENESS)


def _outcome(memory: Memory, waits: Waits, table: JobTable) -> Outcome:
    """Return what happened: the last memory knows it, except for the waits."""
    placements = _placements(memory) if memory.m[st.IS_RECORDING] else None
    return Outcome(
        start_ms=memory.column(st.START),
        finish_ms=memory.column(st.FINISH),
        state=memory.column(st.JOB_STATE).astype(np.int8),
        cause_ms=waits.cause_ms.T,
        order_behind_ms=waits.behind_ms[: len(table.classes)],
        end_ms=int(memory.m[st.NOW]),
        events=int(memory.m[st.EVENTS]),
        placements=placements,
        attempts=attempts_of(memory) if memory.m[st.HAS_STAYS] else None,
        ledger=ledger_of(memory) if waits.is_evicting else None,
        requeue_wait_ms=memory.column(st.REQUEUE_WAIT) if memory.m[st.HAS_STAYS] else None,
        holds=holds_of(memory) if memory.m[st.COLLECT_MS] else None,
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
