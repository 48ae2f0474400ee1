"""Run a scenario: prepare the tables, call the loop in slices, hand over the outcome."""

from collections.abc import Callable

import numpy as np

from scheduler_core.engine.loop import advance
from scheduler_core.engine.setup import Prepared, prepare
from scheduler_core.errors import CoreError
from scheduler_core.kernels import state as st
from scheduler_core.kernels.tables import CAUSES, JobTable, Outcome, Placements
from scheduler_core.scenario.document import Scenario

SLICE_EVENTS = 1_000_000
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
    budget = slice_events or SLICE_EVENTS
    status = st.LOG_FULL if record_placements else st.MORE
    while status != st.DONE:
        if status == st.LOG_FULL:
            prepared = _with_room(prepared)
        elif progress is not None:
            done = int(prepared.state.clock.cells[st.NEXT_ROW])
            if not progress(done / max(1, table.n_jobs)):
                raise CancelledError("The run was cancelled.")
        status = advance(prepared.state, prepared.pick_node, prepared.pick_rest, budget)
    return _outcome(prepared, table)


def _with_room(prepared: Prepared) -> Prepared:
    """Return the same run with a log twice as large, or large enough for one more instant."""
    log, slices = prepared.state.log, prepared.state.slices
    extra = max(len(log.row), 4 * len(slices.node) + 1_024)
    grown = st.Log(*(np.concatenate((column, np.zeros(extra, np.int32))) for column in log))
    state = prepared.state._replace(log=grown)
    return Prepared(state, prepared.pick_node, prepared.pick_rest, prepared.layout)


def _outcome(prepared: Prepared, table: JobTable) -> Outcome:
    state = prepared.state
    runs, cells = state.runs, state.clock.cells
    placements = None
    if state.clock.settings[st.IS_RECORDING]:
        size = int(cells[st.LOG_SIZE])
        placements = Placements(
            state.log.row[:size].copy(),
            state.places.number[state.log.node[:size]],
            state.log.gpus[:size].copy(),
        )
    n_causes = len(CAUSES)
    return Outcome(
        start_ms=runs.start,
        finish_ms=runs.finish,
        state=runs.state,
        cause_ms=runs.cause.reshape(n_causes, table.n_jobs).T,
        order_behind_ms=runs.class_behind.reshape(-1, n_causes)[: len(table.classes)],
        end_ms=int(cells[st.NOW]),
        events=int(cells[st.EVENTS]),
        placements=placements,
    )
