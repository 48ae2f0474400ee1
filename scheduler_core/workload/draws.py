"""What is drawn for each job besides its size and times: its place under `order: random` (docs/model.md, 16.7)."""

import numpy as np

from scheduler_core.kernels.tables import Int64, JobTable
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
    counts = np.bincount(table.jobs.job_class, minlength=len(table.classes))
    for number, (name, n_jobs) in enumerate(zip(table.classes, counts.tolist(), strict=True)):
        cells = (streams.uniform("order", f"class:{name}", n_jobs) * 2.0**52).astype(np.int64)
        found[table.jobs.job_class == number] = cells
    return found
