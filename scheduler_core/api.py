"""Run one replication of a scenario."""

from collections.abc import Callable

from scheduler_core import workload
from scheduler_core.engine.run import run
from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.phrases import Phrase
from scheduler_core.result import Provenance, Result
from scheduler_core.scenario import Scenario, require_available, run_hash, scenario_hash

ENGINE_VERSION = "1"
"""Raised whenever the same scenario may give another job table."""


def simulate(
    scenario: Scenario,
    *,
    replication: int = 0,
    log: JobTable | None = None,
    tables: workload.JobTables | None = None,
    record_placements: bool = False,
    progress: Callable[[float], bool] | None = None,
) -> Result:
    """Simulate one replication.

    Parameters
    ----------
    scenario : Scenario
        The question.
    replication : int
        Which draw of the workload; 0 is the seed itself.
    log : JobTable, optional
        The jobs of the log that the scenario names; needed exactly when it names one.
    tables : JobTables, optional
        Job tables drawn before, which are used again and added to.
    record_placements : bool
        Keep the nodes each job ran on.
    progress : callable, optional
        Called now and then with the share of jobs submitted; False cancels.

    Returns
    -------
    Result
        What became of every job, with the hashes that identify the question.

    Raises
    ------
    ScenarioError
        If the scenario uses something that is not available yet.
    InputError
        If the replication is negative.
    CancelledError
        If `progress` returned False.
    """
    if replication < 0:
        raise InputError("replication", replication, Phrase("a whole number from 0"))
    require_available(scenario)
    draw = workload.build if tables is None else tables.get
    table = draw(scenario, replication, log)
    outcome = run(scenario, table, record_placements=record_placements, progress=progress)
    provenance = Provenance(
        scenario_hash=scenario_hash(scenario),
        run_hash=run_hash(scenario, ENGINE_VERSION, replication),
        engine_version=ENGINE_VERSION,
        seed=scenario.run.seed,
        replication=replication,
    )
    return Result(scenario, table, outcome, provenance)
