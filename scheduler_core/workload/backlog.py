"""Work that waited already when the run began (docs/model.md 10.8).

Purposes of the streams: "class" of the entity `backlog`, whose k-th number picks the class of the k-th job; and those
of `generated`, of the entity `backlog:<class>`. A larger backlog begins with the smaller one.
"""

import numpy as np

from scheduler_core.kernels.tables import HOUR_MS, Jobs
from scheduler_core.scenario.workload import JobClass, Workload
from scheduler_core.workload.amount import draw_amount
from scheduler_core.workload.choices import weighted
from scheduler_core.workload.generated import draw_jobs
from scheduler_core.workload.streams import Streams


def draw(workload: Workload, streams: Streams) -> Jobs:
    """Draw the jobs that wait at time 0.

    A job's class is drawn with the classes' jobs a day as weights, so that each class has the share of the GPU-hours
    that it has of what arrives. The last job is the one that reaches the hours asked for.

    Parameters
    ----------
    workload : Workload
        Classes and `backlog_gpu_h`.
    streams : Streams
        Random numbers of the replication.

    Returns
    -------
    Jobs
        In the order in which they were drawn; `tenant` and `type_set` are 0.

    Raises
    ------
    InputError
        If that would be more jobs than a run may have.
    """
    return draw_amount(
        lambda n_jobs: _first(workload.classes, streams, n_jobs),
        round(workload.backlog_gpu_h * HOUR_MS),
        "workload.backlog_gpu_h",
        workload.backlog_gpu_h,
    )


def _first(classes: tuple[JobClass, ...], streams: Streams, n_jobs: int) -> Jobs:
    """Return the first `n_jobs` jobs."""
    kind = weighted(streams.uniform("class", "backlog", n_jobs), {at: each.per_day for at, each in enumerate(classes)})
    parts = [_of(each, index, int(np.count_nonzero(kind == index)), streams) for index, each in enumerate(classes)]
    places = np.argsort(np.argsort(kind, kind="stable"), kind="stable")
    columns = {name: np.concatenate([getattr(part, name) for part in parts])[places] for name in Jobs._fields}
    return Jobs(**columns)


def _of(job_class: JobClass, index: int, n_jobs: int, streams: Streams) -> Jobs:
    jobs = draw_jobs(job_class, np.zeros(n_jobs, np.int64), streams, f"backlog:{job_class.name}")
    return jobs._replace(job_class=np.full(n_jobs, index, np.int32))
