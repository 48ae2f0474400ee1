"""Slurm accounting: ``sacct -P`` or ``-p`` with a header in any order, and the 26 columns of XDMoD without one.

Source: sacct(1) of Slurm 14 to 25; the quirks are those of docs/logs.md. What it cannot say: which jobs had to wait
for one another, on which GPU types a job could have run, and earlier attempts of a requeued job (unless sacct ran
with ``-D``).
"""

import re
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.registry import Param, ParamValue, TextParam
from scheduler_core.traces._base import Float64, Format, Options, Parsed
from scheduler_core.traces._frame import FrameBuilder
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._rows import Layout, pick_rows
from scheduler_core.traces._slurm import NO_GPUS_SAID, WANTED, SlurmColumns, add_jobs
from scheduler_core.traces._source import Source
from scheduler_core.traces._texts import message, texts

XDMOD_COLUMNS = (
    "jobid", "jobidraw", "cluster", "partition", "qos", "account", "group", "gid", "user", "uid", "submit",
    "eligible", "start", "end", "elapsed", "exitcode", "state", "nnodes", "ncpus", "reqcpus", "reqmem",
    "reqtres", "alloctres", "timelimit", "nodelist", "jobname",
)  # fmt: skip
HEADER_LINES = 20
"""Lines at the top among which the header is looked for (messages of the shell may come first)."""

HELD_S = 60.0
GPU_PARTITION_SHARE = 0.5
"""A partition where at least this share of the jobs has GPUs, or whose name says gpu, is a GPU partition."""

_CLOCK = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d.*|Unknown|None", re.ASCII)
_HEADING = re.compile(r"(?:[a-z][\w%]*)?", re.ASCII)
_WIDE = re.compile(r"^\s*JobID(?:Raw)?\s+\w+.*\n[-\s]+$", re.MULTILINE)


def find_layout(text: str) -> Layout | None:
    """Return the columns of a sacct log.

    Parameters
    ----------
    text : str
        The first lines.

    Returns
    -------
    Layout or None
        None where there is neither a header with JobID nor a line of the 26 columns.
    """
    lines = [line for line in text.split("\n") if line.strip()][:HEADER_LINES]
    for line in lines:
        names = [name.strip().lower() for name in line.split("|")]
        if len(names) > 1 and {"jobid", "jobidraw"} & set(names) and all(map(_HEADING.fullmatch, names)):
            has_end_pipe = not names[-1]
            columns = _unique(names[:-1] if has_end_pipe else names)
            return Layout(columns, line.encode(), has_end_pipe)
    for line in lines:
        values = line.split("|")
        if len(values) >= len(XDMOD_COLUMNS) and all(_CLOCK.fullmatch(values[at]) for at in (10, 12)):
            return Layout(XDMOD_COLUMNS, b"", has_end_pipe=len(values) > 26 and not values[-1])
    return None


def _unique(names: list[str]) -> tuple[str, ...]:
    """Return the names with a repeated one made different, so that the first of them counts."""
    return tuple(name if name not in names[:at] else f"{name}#{at}" for at, name in enumerate(names))


def detect(head: str) -> float:
    """Return how sure it is that a file is a sacct log, from its first text."""
    layout = find_layout(head)
    if layout is not None:
        return 1.0 if layout.header else 0.9
    return 0.3 if _WIDE.search(head) else 0.0


def _zone(name: ParamValue) -> ZoneInfo | None:
    if not name:
        return None
    try:
        return ZoneInfo(str(name))
    except (ValueError, OSError, KeyError) as error:
        raise InputError(
            "time_zone", name, Phrase("a zone such as Europe/Paris, or empty for times as written")
        ) from error


def parse(source: Source, options: Options, ledger: Ledger) -> Parsed:
    """Read a sacct log.

    Parameters
    ----------
    source : Source
        The log.
    options : mapping
        Values of all options.
    ledger : Ledger
        Gets what is refused and repaired.

    Returns
    -------
    Parsed
        One row a job; steps are left to the job they belong to.

    Raises
    ------
    TraceError
        If the log has no column with the job's id.
    InputError
        If the time zone is not known.
    """
    layout = find_layout(source.head_text)
    if layout is None and _WIDE.search(source.head_text):
        raise source.error(Phrase("is sacct without -P, which cuts values off; run sacct -P."))
    if layout is None:
        raise source.error(
            Phrase("is not a sacct log: it has neither a header with JobID and | nor the 26 columns of XDMoD.")
        )
    zone, builder = _zone(options["time_zone"]), FrameBuilder(source)
    id_at = layout.columns.index("jobid" if "jobid" in layout.columns else "jobidraw")
    wanted = [name for name in layout.columns if name in WANTED]
    n_read = n_steps = n_requested = 0
    has_offsets = False
    for block in source.blocks():
        rows = pick_rows(block, layout, id_at, ledger)
        n_read, n_steps = n_read + rows.read, n_steps + rows.steps
        if rows.lines:
            columns = SlurmColumns(rows.frame(layout, wanted), rows.line_numbers, zone, ledger)
            n_requested += add_jobs(columns, builder, has_task_rows=options["pending_arrays"] == "tasks")
            has_offsets |= columns.has_offsets
    parsed = Parsed(builder.build(), n_read, n_steps)
    parsed.time_zone = str(options["time_zone"]) or ("offset" if has_offsets else "")
    if n_requested:
        parsed.warnings.append(message("sacct.gpus_requested", count=n_requested))
    _settle_submits(parsed, options, ledger)
    _settle_gpus(parsed, options, ledger)
    parsed.cannot_say.extend(message(key) for key in ("sacct.attempts", "sacct.dependencies", "sacct.types"))
    return parsed


def _settle_submits(parsed: Parsed, options: Options, ledger: Ledger) -> None:
    """Decide from when a job waits, in place."""
    frame = parsed.frame
    submit, eligible = frame["submit_time_s"].to_numpy(), frame["eligible_time_s"].to_numpy()
    missing = np.isnan(submit) & ~np.isnan(eligible)
    ledger.add("repaired", "repaired.submit_from_eligible", frame["source_row"].to_numpy()[missing])
    known = np.where(np.isnan(submit), eligible, submit)
    held = int(np.count_nonzero(eligible - known > HELD_S))
    if options["submit"] == "eligible":
        frame["submit_time_s"] = np.fmax(known, eligible)
        return
    frame["submit_time_s"] = known
    if held:
        parsed.warnings.append(message("sacct.held", count=held))


def _settle_gpus(parsed: Parsed, options: Options, ledger: Ledger) -> None:
    """Decide the GPUs of jobs whose resources do not mention them, in place."""
    frame = parsed.frame
    gpus = frame["gpus"].to_numpy(copy=True)
    in_gpu_partition = _in_gpu_partition(frame["partition"], gpus)
    unknown = np.isnan(gpus) | ((gpus == NO_GPUS_SAID) & in_gpu_partition)
    n_missing = int(np.count_nonzero(unknown & in_gpu_partition))
    per_node = int(options["gpus_per_node"] or 0)
    if per_node:
        filled = unknown & in_gpu_partition
        gpus[filled] = (per_node * frame["nodes"].fillna(1).clip(lower=1).to_numpy())[filled]
        ledger.add("repaired", "repaired.gpus_per_node", frame["source_row"].to_numpy()[filled], gpus=per_node)
        unknown &= ~filled
    elif n_missing:
        parsed.warnings.append(message("sacct.gpus_missing", count=n_missing))
    gpus[~(gpus > 0)] = 0.0
    frame["gpus"] = gpus
    parsed.unknown_gpus = int(np.count_nonzero(unknown))


def _in_gpu_partition(partition: pd.Series, gpus: Float64) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which jobs are in a GPU partition, bool, shape (n_jobs,)."""
    names, codes = partition.cat.categories, partition.cat.codes.to_numpy()
    if not len(names):
        return np.zeros(len(codes), bool)
    n_jobs = np.bincount(codes, minlength=len(names))
    n_gpu_jobs = np.bincount(codes, weights=gpus > 0, minlength=len(names))
    says_gpu = np.array(["gpu" in name.lower() for name in names])
    is_gpu = says_gpu | (n_gpu_jobs >= GPU_PARTITION_SHARE * np.maximum(n_jobs, 1))
    is_gpu &= np.array([bool(name) for name in names])  # jobs without a partition share nothing
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = is_gpu[codes]
    return found


FORMAT = Format(
    slug="sacct",
    detect=detect,
    parse=parse,
    text=texts("format.sacct"),
    tenants=("account", "user"),
    options=(
        TextParam(slug="time_zone", default="", text=texts("option.time_zone")),
        Param(slug="submit", default="submit", options=("submit", "eligible"), text=texts("option.submit")),
        Param(
            slug="gpus_per_node",
            default=0,
            low=0,
            high=1024,
            is_whole=True,
            unit="GPUs",
            text=texts("option.gpus_per_node"),
        ),
        Param(slug="pending_arrays", default="tasks", options=("tasks", "row"), text=texts("option.pending_arrays")),
    ),
)
