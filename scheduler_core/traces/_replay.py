"""From the neutral job frame to what the engine replays: a job table, and starts and ends as recorded."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from scheduler_core.kernels.tables import DAY_MS, NO_LIMIT_MS, Int32, Int64, Jobs, JobTable
from scheduler_core.registry import ParamValue
from scheduler_core.scenario.limits import limit
from scheduler_core.traces._base import Bool, Float64
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._names import band_name, number_names, scale_priority, size_band
from scheduler_core.traces._report import CapacitySource, ImportReport, Unit
from scheduler_core.traces._texts import Message, message

HOUR_MS = 3_600_000
NAMED_JOBS = 10
HIGH_LOAD = 0.95
LONGEST_S = 3_660 * 86_400.0
"""Jobs longer than ten years are damaged rows."""

DAYS_STEP_MS = DAY_MS // 1000
"""The horizon is rounded up to a thousandth of a day, so that it can be written."""


@dataclass(frozen=True)
class LogFacts:
    """What a scenario document needs to name the log again.

    Attributes
    ----------
    sha256, format : str
        Content hash and slug.
    options : tuple of pairs
        Options that differ from their default.
    max_procs : float
        Processors of the machine as the log states them; NaN when it does not.
    """

    sha256: str
    format: str
    options: tuple[tuple[str, ParamValue], ...]
    max_procs: float


@dataclass(frozen=True, eq=False)
class Replay:
    """Jobs of a log, ready to be replayed.

    Attributes
    ----------
    table : JobTable
        The jobs, sorted by submit (stable), times from the first kept submit.
    recorded_start_ms, recorded_finish_ms : int64, shape (n_jobs,)
        As recorded, on the same clock; -1 where the log does not say when the job started.
    source_row : int64, shape (n_jobs,)
        Line of each job in the file.
    report : ImportReport
        What happened on the way.
    facts : LogFacts
        Which log it was.
    gpu_types : tuple of str
        GPU types that occur among the jobs.
    """

    table: JobTable
    recorded_start_ms: Int64
    recorded_finish_ms: Int64
    source_row: Int64
    report: ImportReport
    facts: LogFacts
    gpu_types: tuple[str, ...] = ()

    @property
    def days(self) -> float:
        """Days from the first submit to the last recorded end or submit, rounded up to a thousandth."""
        return span_ms(self.table.jobs, self.recorded_finish_ms) / DAY_MS

    def with_capacity(self, capacity: int, source: CapacitySource) -> "Replay":
        """Return the replay with a report that holds it against a cluster.

        Parameters
        ----------
        capacity : int
            Units of the cluster.
        source : str
            Where the number comes from, see `ImportReport.capacity_source`.

        Returns
        -------
        Replay
            Jobs larger than the cluster stay in the table; the report counts and names them.
        """
        jobs, report = self.table.jobs, self.report
        too_large = np.flatnonzero(jobs.gpus > capacity)
        fits = jobs.gpus <= capacity
        work = float(np.sum(jobs.gpus[fits].astype(np.float64) * jobs.runtime_ms[fits]))
        load = work / (capacity * span_ms(jobs, self.recorded_finish_ms)) if capacity else 0.0
        warnings: list[Message] = []
        names = tuple(self.table.job_id(int(row)) for row in too_large[:NAMED_JOBS])
        if len(too_large):
            warnings.append(message("replay.too_large", count=len(too_large), gpus=capacity, jobs=", ".join(names)))
        if load > HIGH_LOAD and source != "recorded_peak":
            warnings.append(message("replay.load", percent=100 * load))
        if report.recorded_peak > capacity:
            warnings.append(message("replay.peak", peak=report.recorded_peak, gpus=capacity))
        report = replace(
            report,
            capacity=capacity,
            capacity_source=source,
            load=load,
            too_large=len(too_large),
            too_large_jobs=names,
            warnings=(*report.warnings, *warnings),
        )
        return replace(self, report=report)


def span_ms(jobs: Jobs, finish_ms: Int64) -> int:
    """Return the length of the log in ms, rounded up to a thousandth of a day and at least that long."""
    if not len(jobs.submit_ms):
        return DAYS_STEP_MS
    last = max(int(jobs.submit_ms.max()) + 1, int(finish_ms.max()))
    return -(-last // DAYS_STEP_MS) * DAYS_STEP_MS


def choose_unit(frame: pd.DataFrame, can_run: Bool, unit: Unit | None) -> Unit:
    """Return what one unit of size is: GPU if any job that can be replayed has one, else processor."""
    if unit is not None:
        return unit
    return "gpu" if bool((frame["gpus"].to_numpy()[can_run] > 0).any()) else "processor"


def sizes(frame: pd.DataFrame, unit: Unit, procs_per_gpu: int) -> Float64:
    """Return the size of each job in units, rounded up, float64, shape (n_rows,); 0 where unknown."""
    amount = frame["gpus" if unit == "gpu" else "cpus"].to_numpy()
    divisor = 1 if unit == "gpu" else procs_per_gpu
    units: Float64 = np.ceil(np.nan_to_num(amount) / divisor)
    return units


def select(frame: pd.DataFrame, size: Float64, unit: Unit, ledger: Ledger) -> Bool:
    """Return which jobs can be replayed; the others are counted by the first reason that applies.

    Parameters
    ----------
    frame : pandas.DataFrame
        The neutral job frame.
    size : float64, shape (n_rows,)
        Units of each job.
    unit : str
        ``gpu`` or ``processor``.
    ledger : Ledger
        Gets what is left out.

    Returns
    -------
    bool, shape (n_rows,)
    """
    submit, duration = frame["submit_time_s"].to_numpy(), frame["duration_s"].to_numpy()
    state = frame["state"]
    waiting = state.isin(["PENDING", "CANCELLED"]).to_numpy() & np.isnan(frame["start_time_s"].to_numpy())
    reasons = {
        "left_out.never_started": waiting & np.isnan(duration),
        "left_out.no_run_time": np.isnan(duration),
        "left_out.no_submit": np.isnan(submit),
        f"left_out.no_{unit}": size <= 0,
        "left_out.out_of_range": (size > limit("gpus")) | (duration > LONGEST_S),
    }
    keep = np.ones(len(frame), bool)
    for key, applies in reasons.items():
        rows = np.flatnonzero(keep & applies)
        ledger.add("left_out", key, frame["source_row"].to_numpy()[rows], int(frame["count"].to_numpy()[rows].sum()))
        keep[rows] = False
    return keep


def plan_limits(requested_s: Float64, lines: Int64, ledger: Ledger) -> tuple[Int64, int]:
    """Return the planned length of each job in ms, and how many have no limit.

    Parameters
    ----------
    requested_s : float64, shape (n_jobs,)
        Limits in s; NaN, infinity and 0 mean none.
    lines : int64, shape (n_jobs,)
        Line numbers.
    ledger : Ledger
        Gets the limits above 365 days, which are cut.

    Returns
    -------
    limit_ms : int64, shape (n_jobs,)
    n_unlimited : int
    """
    has_limit = np.isfinite(requested_s) & (requested_s > 0)
    long = has_limit & (requested_s * 1000 > NO_LIMIT_MS)
    ledger.add("clipped", "clipped.limit", lines[long])
    limit_ms = np.full(len(lines), NO_LIMIT_MS, np.int64)
    usable = has_limit & ~long
    limit_ms[usable] = np.rint(requested_s[usable] * 1000).astype(np.int64)
    return limit_ms, int(np.count_nonzero(~has_limit))


def number_types(types: pd.Categorical, wanted: Collection[str]) -> tuple[Int32, tuple[tuple[str, ...] | None, ...]]:
    """Return the type set of each job and the sets.

    Parameters
    ----------
    types : pandas.Categorical, shape (n_jobs,)
        Recorded types.
    wanted : collection of str
        Types of the cluster; a recorded type that is not one of them (case aside) becomes "any".

    Returns
    -------
    index : int32, shape (n_jobs,)
    sets : tuple
        The first is None, any type.
    """
    by_word = {name.lower(): name for name in wanted}
    sets: list[tuple[str, ...] | None] = [None]
    index_of = np.zeros(max(len(types.categories), 1), np.int32)
    for code, word in enumerate(types.categories):
        name = by_word.get(str(word).lower())
        if name is not None:
            if (name,) not in sets:
                sets.append((name,))
            index_of[code] = sets.index((name,))
    return index_of[types.codes], tuple(sets)


def number_tenants(names: pd.Categorical, order: Sequence[str] | None) -> tuple[Int32, tuple[str, ...]]:
    """Return the tenant of each job and the names, in the order asked for.

    Parameters
    ----------
    names : pandas.Categorical, shape (n_jobs,)
        Tenants as recorded.
    order : sequence of str, optional
        Names in the wanted order; those that are not there get -1.

    Returns
    -------
    index : int32, shape (n_jobs,)
    names : tuple of str
    """
    index, found = number_names(names, limit("tenants"))
    if order is None:
        return index, found
    place = {name: at for at, name in enumerate(order)}
    moved = np.array([place.get(name, -1) for name in found], np.int32)
    return (moved[index] if len(found) else index), tuple(order)


def number_classes(frame: pd.DataFrame, gpus: Int32, by: str) -> tuple[Int32, tuple[str, ...]]:
    """Return the class of each job and the names: bands of size, partitions or qualities of service."""
    if by == "size":
        bands, index = np.unique(size_band(gpus), return_inverse=True)
        return index.astype(np.int32), tuple(band_name(int(band)) for band in bands)
    values = frame[by].cat.rename_categories(lambda name: name or "unknown")
    return number_names(pd.Categorical(values), limit("classes"))


def build_table(
    frame: pd.DataFrame,
    gpus: Int32,
    names: tuple[tuple[Int32, tuple[str, ...]], tuple[Int32, tuple[str, ...]]],
    types: tuple[Int32, tuple[tuple[str, ...] | None, ...]],
    limit_ms: Int64,
) -> JobTable:
    """Return the job table.

    Parameters
    ----------
    frame : pandas.DataFrame
        Kept jobs sorted by submit.
    gpus : int32, shape (n_jobs,)
        Units.
    names : pair
        Tenants and classes as `number_tenants` and `number_classes` return them.
    types : pair
        As `number_types` returns them.
    limit_ms : int64, shape (n_jobs,)
        Planned lengths.

    Returns
    -------
    JobTable
    """
    submit = frame["submit_time_s"].to_numpy()
    first = submit[0] if len(submit) else 0.0
    jobs = Jobs(
        submit_ms=np.rint((submit - first) * 1000).astype(np.int64),
        runtime_ms=np.rint(frame["duration_s"].to_numpy() * 1000).astype(np.int64),
        limit_ms=limit_ms,
        gpus=gpus,
        priority=scale_priority(frame["priority"].to_numpy()),
        tenant=names[0][0],
        job_class=names[1][0],
        type_set=types[0],
    )
    return JobTable(jobs, names[0][1], names[1][1], types[1], tuple(frame["job_id"].to_list()))


def recorded_starts(frame: pd.DataFrame, submit_ms: Int64) -> Int64:
    """Return recorded starts in ms from the first kept submit, -1 where unknown, int64, shape (n_jobs,)."""
    start, submit = frame["start_time_s"].to_numpy(), frame["submit_time_s"].to_numpy()
    wait_ms = np.rint((start - submit) * 1000)
    known = np.isfinite(wait_ms)
    found = np.full(len(frame), -1, np.int64)
    found[known] = submit_ms[known] + np.maximum(wait_ms[known], 0).astype(np.int64)
    return found
