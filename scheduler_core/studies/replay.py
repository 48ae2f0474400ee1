"""Replay a log: first as it was recorded, then as simulated, so that the two can be held side by side.

The recorded result takes the starts of the log as given; where the simulated waits of the same policy come close to
it, the log can carry a what-if.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import CAUSES, Int64, Jobs, JobTable, Outcome
from scheduler_core.metrics import Summary, summarize
from scheduler_core.phrases import Phrase
from scheduler_core.result import FINISHED, UNSCHEDULABLE, Provenance, Result
from scheduler_core.scenario.document import Scenario, load
from scheduler_core.scenario.hashes import scenario_hash
from scheduler_core.studies.replicate import Progress, Simulate, engine

if TYPE_CHECKING:
    from scheduler_core.traces import LogSetup, Replay, WaitRow

RECORDED = "recorded"
"""Stands for the engine version in the provenance of a result that no engine made."""


@dataclass(frozen=True)
class ReplayStudy:
    """A log as recorded and as simulated.

    Attributes
    ----------
    scenario : Scenario
        What was simulated.
    simulated : Result
        The run.
    summary : Summary
        Its metrics.
    recorded : Result, optional
        The jobs whose start the log knows, started then; None if it knows none.
    recorded_summary : Summary, optional
        The metrics of that; it has no causes of waiting.
    rows : tuple of WaitRow
        Median and 95th percentile of the waits of the same jobs, recorded and simulated: all, then by size.
    """

    scenario: Scenario
    simulated: Result
    summary: Summary
    recorded: Result | None
    recorded_summary: Summary | None
    rows: "tuple[WaitRow, ...]"


def take(table: JobTable, rows: Int64) -> JobTable:
    """Return some jobs of a table, in the order of `rows`."""
    ids = tuple(table.job_id(int(row)) for row in rows)
    return replace(table, jobs=Jobs._make(column[rows] for column in table.jobs), ids=ids)


def recorded_result(scenario: Scenario, table: JobTable, recorded_start_ms: Int64) -> Result | None:
    """Return what the log says happened, as a result.

    Parameters
    ----------
    scenario : Scenario
        The cluster and the window to measure it by.
    table : JobTable
        The jobs.
    recorded_start_ms : int64, shape (n_jobs,)
        Recorded starts; -1 where not known.

    Returns
    -------
    Result, optional
        Over the jobs whose start is known; None if there is none. Waits have no cause.
    """
    rows = np.flatnonzero(recorded_start_ms >= 0)
    if not rows.shape[0]:
        return None
    known = take(table, rows)
    start = recorded_start_ms[rows]
    finish = start + known.jobs.runtime_ms
    outcome = Outcome(
        start_ms=start,
        finish_ms=finish,
        state=np.full(rows.shape[0], FINISHED, np.int8),
        cause_ms=np.zeros((rows.shape[0], len(CAUSES)), np.int64),
        order_behind_ms=np.zeros((len(table.classes), len(CAUSES)), np.int64),
        end_ms=int(finish.max()),
        events=0,
    )
    name = scenario_hash(scenario)
    return Result(scenario, known, outcome, Provenance(name, name, RECORDED, scenario.run.seed))


def replay(
    setup: "LogSetup",
    *,
    overrides: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    simulate: Simulate | None = None,
) -> ReplayStudy:
    """Replay a log.

    Parameters
    ----------
    setup : LogSetup
        The log and its cluster, from `traces.set_up`.
    overrides : mapping, optional
        Path -> value: what to change in the scenario of the replay.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.

    Returns
    -------
    ReplayStudy
        Recorded and simulated.

    Raises
    ------
    InputError
        If the log has no job that can be replayed.
    """
    if setup.document is None:
        raise InputError(Phrase("the log"), setup.replay.report.file, Phrase("a log with a job that can be replayed"))
    scenario = load(setup.document, overrides=overrides)
    return replay_scenario(scenario, setup.replay, progress=progress, simulate=simulate)


def replay_scenario(
    scenario: Scenario, jobs: "Replay", *, progress: Progress | None = None, simulate: Simulate | None = None
) -> ReplayStudy:
    """Replay the jobs of a log under a scenario; see `replay`."""
    from scheduler_core.traces import recorded_table  # noqa: PLC0415  (loads pandas)

    simulated = (simulate or engine())(scenario, log=jobs.table, progress=progress)
    is_out = simulated.outcome.state == UNSCHEDULABLE
    start = jobs.recorded_start_ms
    recorded = recorded_result(scenario, jobs.table, np.where(is_out, -1, start))
    return ReplayStudy(
        scenario=scenario,
        simulated=simulated,
        summary=summarize(simulated),
        recorded=recorded,
        recorded_summary=None if recorded is None else summarize(recorded),
        rows=recorded_table(jobs, simulated.outcome.start_ms),
    )
