"""Jobs of one class, drawn.

Purposes of the streams, each of the entity `class:<name>`: "gap", "is_batch", "batch_size" (arrivals), "gpus",
"duration", "limit_*", "priority". The k-th number of each belongs to the k-th arrival or job of the class.

The members of a batch share their instant of arrival and nothing else: size, run time, limit and priority are drawn
for each job. (In recorded sweeps the members are alike; a batch here is therefore milder than one of those.)
"""

import numpy as np

from scheduler_core.kernels.tables import Jobs
from scheduler_core.scenario.durations import Priority
from scheduler_core.scenario.workload import Arrivals, JobClass
from scheduler_core.workload import arrivals, choices, durations, limits
from scheduler_core.workload.streams import Streams

Int64 = choices.Int64


def draw_class(job_class: JobClass, times: Arrivals, streams: Streams, end_ms: int) -> Jobs:
    """Draw the jobs of one class that arrive before `end_ms`.

    Parameters
    ----------
    job_class : JobClass
        What the jobs are like.
    times : Arrivals
        Process and profiles.
    streams : Streams
        Random numbers of the replication.
    end_ms : int
        End of the run in ms.

    Returns
    -------
    Jobs
        In order of arrival; `tenant`, `job_class` and `type_set` are 0 and are set by who knows the names.
    """
    entity = f"class:{job_class.name}"
    process = arrivals.Process(
        per_day=job_class.per_day,
        is_bursty=times.process == "bursty",
        is_office=times.day == "office",
        is_weekly=times.week,
    )
    return draw_jobs(job_class, arrivals.draw(streams, entity, process, end_ms), streams, entity)


def draw_jobs(job_class: JobClass, submit_ms: Int64, streams: Streams, entity: str) -> Jobs:
    """Draw what the jobs of a class that arrive at given times are like; see `draw_class`.

    Parameters
    ----------
    job_class : JobClass
        What the jobs are like.
    submit_ms : int64, shape (n_jobs,)
        When they arrive, ascending.
    streams : Streams
        Random numbers of the replication.
    entity : str
        Whose numbers these are.

    Returns
    -------
    Jobs
        One row an arrival.
    """
    n_jobs = submit_ms.shape[0]
    gpus = choices.weighted(streams.uniform("gpus", entity, n_jobs), job_class.gpus)
    runtime_ms = durations.draw(job_class.duration, streams.uniform("duration", entity, n_jobs), gpus)
    unnamed = np.zeros(n_jobs, np.int32)
    return Jobs(
        submit_ms=submit_ms,
        runtime_ms=runtime_ms,
        limit_ms=limits.draw(job_class.limit, runtime_ms, streams, entity),
        gpus=gpus.astype(np.int32),
        priority=_priorities(job_class.priority, streams, entity, n_jobs).astype(np.int32),
        tenant=unnamed,
        job_class=unnamed,
        type_set=unnamed,
    )


def _priorities(rule: Priority, streams: Streams, entity: str, n_jobs: int) -> Int64:
    if rule.fixed is not None:
        return np.full(n_jobs, rule.fixed, np.int64)
    u = streams.uniform("priority", entity, n_jobs)
    if rule.uniform is not None:
        return choices.between(u, *rule.uniform)
    return choices.weighted(u, rule.choice or {})
