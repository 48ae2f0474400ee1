"""How large the cluster behind a log was: stated by the log, or the most it used at one time."""

import math
from typing import NamedTuple

import numpy as np

from scheduler_core.kernels.tables import Int32, Int64
from scheduler_core.traces._replay import Replay
from scheduler_core.traces._report import CapacitySource


class Capacity(NamedTuple):
    """Units of a cluster, and where the number comes from (`ImportReport.capacity_source`)."""

    gpus: int
    source: CapacitySource


def peak_use(start_ms: Int64, finish_ms: Int64, gpus: Int32) -> int:
    """Return the most units in use at one time, exactly.

    Parameters
    ----------
    start_ms, finish_ms : int64, shape (n_jobs,)
        When each job held its units; at one instant, units are freed before they are taken.
    gpus : int32, shape (n_jobs,)
        Units.

    Returns
    -------
    int
        At least the largest job, also if that ran for no time.

    Examples
    --------
    >>> peak_use(np.array([0, 10]), np.array([10, 20]), np.array([4, 3], np.int32))
    4
    """
    if not len(gpus):
        return 0
    is_long = finish_ms > start_ms
    amount = gpus[is_long].astype(np.int64)
    when = np.concatenate([finish_ms[is_long], start_ms[is_long]])
    change = np.concatenate([-amount, amount])  # a stable sort keeps ends before starts
    order = np.argsort(when, kind="stable")
    in_use = np.cumsum(change[order])
    return max(int(in_use.max(initial=0)), int(gpus.max()))


def infer_capacity(replay: Replay) -> Capacity:
    """Return the size of the cluster as the log shows it.

    Parameters
    ----------
    replay : Replay
        The jobs.

    Returns
    -------
    Capacity
        The processors the log states (``MaxProcs``, divided like the jobs and rounded up) if jobs are counted in
        processors; else the recorded peak.
    """
    report, stated = replay.report, replay.facts.max_procs
    if report.unit == "processor" and math.isfinite(stated):
        return Capacity(math.ceil(stated / report.procs_per_gpu), "max_procs")
    return Capacity(report.recorded_peak, "recorded_peak")
