"""The table of jobs of a scenario, whichever way its workload is stated."""

from dataclasses import replace

import numpy as np

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import Jobs, JobTable
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.document import Scenario
from scheduler_core.workload import backlog, elastic, generated, listed
from scheduler_core.workload.amount import in_order
from scheduler_core.workload.names import TypeSets
from scheduler_core.workload.streams import Streams


def build(scenario: Scenario, replication: int = 0, log: JobTable | None = None) -> JobTable:
    """Return the jobs of a scenario.

    Parameters
    ----------
    scenario : Scenario
        Workload, tenants, run length and seed.
    replication : int
        Which repetition of a generated workload, from 0; listed jobs and logs are the same in each.
    log : JobTable, optional
        The imported log, where the workload is one.

    Returns
    -------
    JobTable
        Sorted by submit time; at one instant in the order of the classes, then of the jobs within the class (listed
        jobs: of the rows).

    Raises
    ------
    InputError
        If listed jobs are wrong, or the workload is a log and none is given.

    Notes
    -----
    2.4 million jobs of four classes take 0.8 s on one core (2.4 s with realistic limits) and, while they are drawn,
    150 MB besides the 105 MB of the table; 320,000 jobs take 65 ms.
    """
    table = elastic.add(_jobs_of(scenario, replication, log), scenario, replication)
    return replace(table, world=(scenario.run.seed, replication))


def _jobs_of(scenario: Scenario, replication: int, log: JobTable | None) -> JobTable:
    arrivals = scenario.workload.arrivals
    if arrivals.log is not None:
        if log is None:
            raise InputError(
                "log",
                None,
                Phrase("the imported log {sha256} that the scenario names", sha256=arrivals.log.sha256[:12]),
            )
        return log
    if arrivals.process is not None:
        return _generate(scenario, replication)
    tenants = [tenant.name for tenant in scenario.tenants]
    classes = [job_class.name for job_class in scenario.workload.classes]
    if arrivals.jobs is not None:
        places = [f"workload.arrivals.jobs.{row.id}" for row in arrivals.jobs]
        return listed.table_of(arrivals.jobs, tenants, classes, places)
    rows, places = listed.read_csv(arrivals.jobs_csv or "")
    return listed.table_of(rows, tenants, classes, places)


def _generate(scenario: Scenario, replication: int) -> JobTable:
    streams = Streams(scenario.run.seed, replication)
    workload = scenario.workload
    tenants = tuple(tenant.name for tenant in scenario.tenants)
    types = TypeSets()
    tenant_of = np.array([tenants.index(each.tenant) for each in workload.classes], np.int32)
    types_of = np.array([types.index(each.gpu_types) for each in workload.classes], np.int32)
    waiting = backlog.draw(workload, streams)
    parts = [waiting]
    for index, job_class in enumerate(workload.classes):
        jobs = generated.draw_class(job_class, workload.arrivals, streams, scenario.run.days_ms)
        parts.append(jobs._replace(job_class=np.full(jobs.submit_ms.shape[0], index, np.int32)))
    jobs = _merge(parts)
    jobs = jobs._replace(tenant=tenant_of[jobs.job_class], type_set=types_of[jobs.job_class])
    names = tuple(job_class.name for job_class in workload.classes)
    return JobTable(jobs, tenants, names, types.all, n_backlog=waiting.submit_ms.shape[0])


def _merge(parts: list[Jobs]) -> Jobs:
    """Sort by submit time; at one instant the parts stay in their order, so the backlog comes first."""
    order = np.argsort(np.concatenate([jobs.submit_ms for jobs in parts]), kind="stable")
    return in_order(parts, order)
