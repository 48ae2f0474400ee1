"""A run beside the formula: what one pool of equal jobs would wait, and what the run waited.

The formula takes the whole cluster as one pool of slots, each as large as the mean job, with Poisson arrivals and
exponential run times (Erlang C). It knows no fences, no gangs of unlike size, no priorities and no preemption, so the
gap between it and a run is what those cost.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics import checks
from scheduler_core.economics.queueing import mean_wait


@dataclass(frozen=True)
class JobLoad:
    """What the jobs of a run ask for.

    Attributes
    ----------
    asked_gpus : float
        GPUs that would be busy on average if nobody waited.
    jobs_per_day : float
        Jobs that come.
    mean_gpus : float
        Mean size of a job, weighted with its run time.
    run_time_ms, run_time_scv : float
        Mean run time, and its variance over the squared mean.
    """

    asked_gpus: float
    jobs_per_day: float
    mean_gpus: float
    run_time_ms: float
    run_time_scv: float


@dataclass(frozen=True)
class Measured:
    """What a run says that money needs.

    Attributes
    ----------
    utilisation : float
        Share of GPU time that was allocated.
    lost : float
        Share of the allocated GPU time whose work was not kept.
    wait_s : float
        Mean wait of all jobs.
    is_bound : bool
        Whether the wait can only be longer in truth.
    formula_wait_s : float, optional
        Mean wait of one pool of equal jobs; None where its line would grow for ever.
    load : JobLoad
        What its jobs ask for.
    cause : str
        What most of the waiting comes from, other than the order alone.
    waits_ms : int64, shape (n_jobs,)
        Waits, shortest first; of a job that has not started, its wait so far.
    """

    utilisation: float
    lost: float
    wait_s: float
    is_bound: bool
    formula_wait_s: float | None
    load: JobLoad
    cause: str
    waits_ms: NDArray[np.int64] = field(repr=False, compare=False)

    def late_share(self, limit_s: float) -> float:
        """Return the share of jobs that wait longer than `limit_s` seconds; 0 without jobs.

        Examples
        --------
        >>> load = JobLoad(1.0, 3.0, 1.0, 1_000.0, 1.0)
        >>> waits_ms = np.array([0, 5_000, 9_000])
        >>> round(Measured(0.5, 0.0, 4.7, False, None, load, "capacity", waits_ms).late_share(5), 3)
        0.333
        """
        n_jobs = self.waits_ms.shape[0]
        return 1 - int(np.searchsorted(self.waits_ms, limit_s * 1_000, side="right")) / n_jobs if n_jobs else 0.0

    @property
    def shares(self) -> dict[str, float]:
        """The inputs of the table that the run gives, by their names there."""
        return {"utilisation_share": self.utilisation, "lost_share": self.lost}

    def changes(self) -> dict[str, object]:
        """Return the inputs that the run gives, rounded to a thousandth."""
        return {slug: round(share, 3) for slug, share in self.shares.items()}


def pooled_wait_s(gpus: int, asked_gpus: float, jobs_per_day: float, mean_gpus: float) -> float | None:
    """Return the mean wait in s if the cluster were one pool of slots of the mean size; None if the line grows.

    Parameters
    ----------
    gpus : int
        Of the cluster.
    asked_gpus : float
        GPUs that would be busy on average if nobody waited.
    jobs_per_day : float
        Jobs that come.
    mean_gpus : float
        Mean size of a job, weighted with its run time.

    Examples
    --------
    >>> pooled_wait_s(3200, 1216, 1000, 8) < 1e-9, pooled_wait_s(8, 9, 10, 1) is None
    (True, True)
    """
    checks.positive("the jobs a day", jobs_per_day)
    slots = int(gpus // checks.positive("the mean size", mean_gpus))
    load = asked_gpus / mean_gpus
    if load >= slots:
        return None
    return mean_wait(slots, load, load / jobs_per_day * 86_400)
