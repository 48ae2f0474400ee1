"""Jobs of several parts in one order, and as many jobs as an amount of work needs."""

from collections.abc import Callable, Sequence

import numpy as np

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import HOUR_MS, Int64, Jobs
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit

FIRST_TRY = 1_024


def draw_amount(first: Callable[[int], Jobs], asked_gpu_ms: int, field: str, value: float) -> Jobs:
    """Draw jobs until their work reaches an amount; the last job is the one that reaches it.

    Parameters
    ----------
    first : callable
        Returns the first n jobs of an endless sequence.
    asked_gpu_ms : int
        GPUs times run time to reach, in GPU-ms.
    field : str
        Field that asks for it, for the refusal.
    value : float
        What that field says.

    Returns
    -------
    Jobs
        In the order in which they were drawn.

    Raises
    ------
    InputError
        If that would be more jobs than a run may have.
    """
    n_jobs = FIRST_TRY if asked_gpu_ms else 0
    while True:
        jobs = first(n_jobs)
        work = np.cumsum(jobs.gpus.astype(np.float64) * jobs.runtime_ms)
        if not n_jobs:
            return jobs
        if work[-1] >= asked_gpu_ms:
            n_needed = int(np.searchsorted(work, asked_gpu_ms)) + 1
            return in_order([jobs], np.arange(n_needed))
        if n_jobs == limit("jobs"):
            most = Phrase(
                "at most {work:,.0f} GPU hours, which are {n_jobs:,} jobs of these classes",
                work=work[-1] / HOUR_MS,
                n_jobs=n_jobs,
            )
            raise InputError(field, value, most)
        n_jobs = min(round(1.1 * n_jobs * asked_gpu_ms / max(work[-1], 1.0)) + FIRST_TRY, limit("jobs"))


def in_order(parts: Sequence[Jobs], rows: Int64) -> Jobs:
    """Return these rows of all parts put behind each other."""
    return Jobs(*(np.concatenate(columns)[rows] for columns in zip(*parts, strict=True)))
