"""What is drawn for each job besides its size and times.

Its place under `order: random` (docs/model.md, 16.7), and how long it stays away each time it gives up (17.6).
"""

import numpy as np

from scheduler_core.kernels.state import N_BACKOFFS
from scheduler_core.kernels.tables import ELASTIC, Int64, JobTable
from scheduler_core.workload.streams import Float64, Streams

MOST_BACKOFF_MS = 30_000


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
    return (_of_each_job(table, "order", 1)[:, 0] * 2.0**52).astype(np.int64)


def backoff_draws(table: JobTable) -> Int64:
    """Return how long each job stays away each time it gives up, the same under every policy.

    Parameters
    ----------
    table : JobTable
        Jobs; drawn for the k-th job of a class, in the order of the table.

    Returns
    -------
    int64, shape (n_jobs, N_BACKOFFS)
        From 0 to 30,000 ms; after the last the first comes again.
    """
    return (_of_each_job(table, "backoff", N_BACKOFFS) * (MOST_BACKOFF_MS + 1)).astype(np.int64)


def _of_each_job(table: JobTable, purpose: str, n_draws: int) -> Float64:
    """Return so many numbers between 0 and 1 for each job, shape (n_jobs, n_draws)."""
    streams, found = Streams(*table.world), np.zeros((table.n_jobs, n_draws))
    of_job, names = table.jobs.job_class, [f"class:{name}" for name in table.classes]
    if table.offered is not None:  # a sequence of their own, so that they change no other draw
        of_job, names = np.where(table.offered, len(names), of_job), [*names, ELASTIC]
    counts = np.bincount(of_job, minlength=len(names))
    for number, (name, n_jobs) in enumerate(zip(names, counts.tolist(), strict=True)):
        drawn = streams.uniform(purpose, name, n_jobs * n_draws)
        found[of_job == number] = drawn.reshape(n_jobs, n_draws)
    return found
