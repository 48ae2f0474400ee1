"""How long jobs run: fixed, uniform, exponential, log-normal, and by number of GPUs.

Each job has one uniform number, turned into a run time by the inverse of the distribution function, so that changing
a parameter moves every job the same way and two scenarios that differ only there can be compared job by job.
Random run times are rounded to whole ms and are at least 1 ms.
"""

import numpy as np
from numpy.typing import NDArray

from scheduler_core.scenario.durations import Duration, Lognormal
from scheduler_core.units import LONGEST_MS
from scheduler_core.workload import choices, exact

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]


def draw(rule: Duration, u: Float64, gpus: Int64) -> Int64:
    """Return run times.

    Parameters
    ----------
    rule : Duration
        The class's distribution.
    u : float64, shape (n_jobs,)
        Uniform numbers between 0 and 1.
    gpus : int64, shape (n_jobs,)
        Size of each job, for `by_gpus`.

    Returns
    -------
    int64, shape (n_jobs,)
        Run times in ms.
    """
    if rule.by_gpus is None:
        return _draw_alike(rule, u)
    runtime_ms = _draw_alike(rule.by_gpus["default"], u)
    for size, other in rule.by_gpus.items():
        if size != "default":
            rows = np.flatnonzero(gpus == size)
            runtime_ms[rows] = _draw_alike(other, u[rows])
    return runtime_ms


def _draw_alike(rule: Duration, u: Float64) -> Int64:
    if rule.exponential is not None:
        return exponential(u, rule.exponential.mean)
    if rule.lognormal is not None:
        return lognormal(u, rule.lognormal.median, _sigma(rule.lognormal), rule.lognormal.min, rule.lognormal.max)
    if rule.uniform is not None:
        return choices.between(u, rule.uniform.min, rule.uniform.max)
    return np.full(u.shape[0], rule.fixed, np.int64)


def _sigma(rule: Lognormal) -> float:
    # Not `rule.spread`: the last bit of math.log is the machine's.
    return sigma_of(rule.median, rule.mean) if rule.mean is not None else float(rule.sigma or 0.0)


def exponential(u: Float64, mean_ms: float) -> Int64:
    """Return exponential run times in ms with the given mean, int64, shape of `u`."""
    return _whole_ms(-mean_ms * exact.log(u))


def lognormal(u: Float64, median_ms: float, sigma: float, low_ms: int | None, high_ms: int | None) -> Int64:
    """Return log-normal run times cut at both ends.

    Parameters
    ----------
    u : float64, shape (n,)
        Uniform numbers between 0 and 1.
    median_ms : float
        Median in ms, before the cut.
    sigma : float
        Standard deviation of the logarithm, before the cut.
    low_ms, high_ms : int, optional
        What lies outside is set to the bound (not drawn again), so the share of jobs at the bound is visible.

    Returns
    -------
    int64, shape (n,)
        Run times in ms.
    """
    runtime_ms = median_ms * exact.exp(sigma * exact.normal(u))
    # The longest duration a document can state is also the longest drawn, which keeps the rounding inside 64 bits.
    return np.clip(_whole_ms(np.minimum(runtime_ms, LONGEST_MS)), low_ms or 1, high_ms or LONGEST_MS)


def sigma_of(median_ms: float, mean_ms: float) -> float:
    """Return the sigma of the log-normal with this median and mean: sqrt(2 ln(mean / median))."""
    return float(np.sqrt(2.0 * exact.log_of(mean_ms / median_ms)))


def _whole_ms(runtime_ms: Float64) -> Int64:
    return np.maximum(np.rint(runtime_ms), 1).astype(np.int64)
