"""Waits as recorded beside waits as simulated: how far a what-if on this log can be trusted."""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernels.tables import Int64
from scheduler_core.traces._names import band_name, size_band
from scheduler_core.traces._replay import Replay


class WaitRow(NamedTuple):
    """Waits of one group of jobs.

    Attributes
    ----------
    size : str
        ``all``, or a band of sizes such as ``8-15``.
    jobs : int
        Jobs with a recorded start (and a simulated one, where the simulation is given).
    recorded_median_ms, recorded_p95_ms : float
        Percentiles with linear interpolation; NaN for no jobs.
    simulated_median_ms, simulated_p95_ms : float
        Of the same jobs; NaN where no simulation is given.
    """

    size: str
    jobs: int
    recorded_median_ms: float
    recorded_p95_ms: float
    simulated_median_ms: float
    simulated_p95_ms: float


def recorded_table(replay: Replay, simulated_start_ms: Int64 | None = None) -> tuple[WaitRow, ...]:
    """Return recorded waits, and simulated ones of the same jobs, for all jobs and by size.

    Parameters
    ----------
    replay : Replay
        The log.
    simulated_start_ms : int64, shape (n_jobs,), optional
        Starts of a run of `replay.table`; -1 for jobs that did not start, which are left out on both sides.

    Returns
    -------
    tuple of WaitRow
        ``all`` first, then the bands that occur, smallest first. Empty if the log records no starts.
    """
    jobs = replay.table.jobs
    known = replay.recorded_start_ms >= 0
    if simulated_start_ms is not None:
        known &= simulated_start_ms >= 0
    rows = np.flatnonzero(known)
    if not len(rows):
        return ()
    recorded = (replay.recorded_start_ms - jobs.submit_ms)[rows]
    simulated = None if simulated_start_ms is None else (simulated_start_ms - jobs.submit_ms)[rows]
    bands = size_band(jobs.gpus[rows])
    groups = [("all", np.ones(len(rows), bool))]
    groups += [(band_name(int(band)), bands == band) for band in np.unique(bands)]
    found = []
    for name, members in groups:
        ours = (np.nan, np.nan) if simulated is None else _percentiles(simulated[members])
        found.append(WaitRow(name, int(members.sum()), *_percentiles(recorded[members]), *ours))
    return tuple(found)


def _percentiles(wait_ms: Int64) -> tuple[float, float]:
    median, p95 = np.quantile(wait_ms, [0.5, 0.95])
    return round(float(median), 3), round(float(p95), 3)  # interpolation leaves noise far below a microsecond
