"""What is drawn for each job besides its size and times: its place under `order: random` (docs/model.md, 16.7)."""

import numpy as np

from scheduler_core.kernels.tables import ELASTIC, Int64, JobTable
from scheduler_core.workload.streams import Streams


def order_draws(table: JobTable) -> Int64:
    """Return a number for each job, the same under every policy.

    Parameters
    ----------
    table : JobTable
        Jobs; the number is drawn for the k-th job of a class, in the order of the table.

    Returns
    -------
    int64, shape (n_jobs,)
        From 0 to 2**52 - 1.
    """
    streams, found = Streams(*table.world), np.zeros(table.n_jobs, np.int64)
    of_job, names = table.jobs.job_class, [f"class:{name}" for name in table.classes]
    if table.offered is not None:  # a sequence of their own, so that they change no other draw
        of_job, names = np.where(table.offered, len(names), of_job), [*names, ELASTIC]
    counts = np.bincount(of_job, minlength=len(names))
    for number, (name, n_jobs) in enumerate(zip(names, counts.tolist(), strict=True)):
        cells = (streams.uniform("order", name, n_jobs) * 2.0**52).astype(np.int64)
        found[of_job == number] = cells
    return found
