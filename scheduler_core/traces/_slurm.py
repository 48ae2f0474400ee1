"""Columns of Slurm accounting, turned from text into the columns of the neutral job frame."""

from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from scheduler_core.traces._arrays import parse_array
from scheduler_core.traces._base import Bool, Float64, Int64
from scheduler_core.traces._frame import FrameBuilder, to_numbers
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._memory import parse_memory
from scheduler_core.traces._states import parse_slurm_state
from scheduler_core.traces._times import is_unknown, parse_clock_s, parse_duration_s, parse_limit_s
from scheduler_core.traces._tres import parse_amount, parse_gpus

NO_GPUS_SAID = -1.0
"""GPUs of a job whose resources are listed without any GPU, until the whole log is known."""

TEXTS = {"account": ("account",), "user": ("user",), "qos": ("qos",), "partition": ("partition",)}
NODES = ("nnodes", "allocnodes", "reqnodes")
CPUS = ("ncpus", "alloccpus", "reqcpus")
LIMITS = ("timelimit", "timelimitraw")
PER_NODE = ("trespernode", "allocgres", "reqgres")
IDS = ("jobid", "jobidraw")
OTHERS = ("submit", "eligible", "start", "end", "elapsedraw", "elapsed", "state", "reqmem", "reqtres", "alloctres")
WANTED = frozenset(
    {*IDS, *NODES, *CPUS, *LIMITS, *PER_NODE, *OTHERS, *TEXTS, "priority", "restarts", "nodelist"},
)
"""Columns (lower case) that are read; the others are not even split off."""

UNSTARTED_NODES = "none assigned"
KNOWN_LIMIT_WORDS = frozenset({"partition_limit", "unlimited", "infinite"})
MOST_TASKS = 1_000_000
"""Waiting array tasks of one log that get rows of their own."""


def map_words(values: pd.Series, function: Callable[[str], float]) -> Float64:
    """Return `function` of each text, computed once for each different text, float64, shape (n_rows,)."""
    codes, words = pd.factorize(values)
    results = np.array([function(str(word)) for word in words], np.float64)
    return results[codes] if len(words) else np.zeros(0)


def map_texts(values: pd.Series, function: Callable[[str], str]) -> pd.Series:
    """Return `function` of each text as text."""
    codes, words = pd.factorize(values)
    results = np.array([function(str(word)) for word in words], object)
    return pd.Series(results[codes] if len(words) else [], dtype=object)


@dataclass
class SlurmColumns:
    """The jobs of one block of a log as text.

    Attributes
    ----------
    frame : pandas.DataFrame
        Columns with lower-case names, one row a job.
    lines : int64, shape (n_rows,)
        Line numbers.
    zone : ZoneInfo, optional
        Zone of times without offset.
    ledger : Ledger
        Gets what could not be understood.
    has_offsets : bool
        Whether a time carried its own offset.
    """

    frame: pd.DataFrame
    lines: Int64
    zone: ZoneInfo | None
    ledger: Ledger
    has_offsets: bool = False

    def text(self, *names: str) -> pd.Series:
        """Return the first of these columns that the log has, else empty texts."""
        for name in names:
            if name in self.frame:
                return self.frame[name]
        return pd.Series(np.full(len(self.frame), "", object), dtype=object)

    def number(self, *names: str) -> Float64:
        """Return the first of these columns as numbers, NaN where there is none."""
        is_there = any(name in self.frame for name in names)
        return to_numbers(self.text(*names)) if is_there else np.full(len(self.frame), np.nan)

    def _note_unreadable(self, name: str, values: pd.Series, result: Float64) -> None:
        bad = np.isnan(result)
        if bad.any():
            bad &= ~is_unknown(values)
            self.ledger.add("repaired", "repaired.unreadable", self.lines[bad], column=name)

    def clock(self, name: str) -> Float64:
        """Return a column of clock times in seconds since 1970, NaN if unknown."""
        values = self.text(name)
        seconds, has_offsets = parse_clock_s(values, self.zone)
        self.has_offsets |= has_offsets
        self._note_unreadable(name, values, seconds)
        return seconds

    def elapsed(self) -> Float64:
        """Return the run times in seconds, NaN if unknown."""
        raw = self.number("elapsedraw")
        if not np.isnan(raw).any():
            return raw
        values = self.text("elapsed")
        parsed = map_words(values, parse_duration_s)
        self._note_unreadable("elapsed", values, parsed)
        return np.where(np.isnan(raw), parsed, raw)

    def limits(self) -> Float64:
        """Return the time limits in seconds: infinity if unlimited, NaN if unknown."""
        values = self.text(*LIMITS)
        seconds = map_words(values, parse_limit_s)
        self._note_unreadable("timelimit", values.where(~values.str.lower().isin(KNOWN_LIMIT_WORDS), ""), seconds)
        return seconds

    def memory_gb(self, cpus: Float64, nodes: Float64) -> Float64:
        """Return the requested memory of each job in GB, NaN if unknown."""
        values = self.text("reqmem")
        amount = map_words(values, lambda text: parse_memory(text).amount_gb)
        per = map_words(values, lambda text: float(("job", "node", "cpu").index(parse_memory(text).per)))
        total: Float64 = amount * np.choose(per.astype(np.int64), [np.ones(len(values)), nodes, cpus])
        return total

    def gpus(self, nodes: Float64) -> tuple[Float64, pd.Series, Bool]:
        """Return the GPUs of each job.

        Parameters
        ----------
        nodes : float64, shape (n_rows,)
            Nodes, for what is counted per node.

        Returns
        -------
        count : float64, shape (n_rows,)
            Allocated, else requested; `NO_GPUS_SAID` where resources are listed without GPUs, NaN where none are.
        type : pandas.Series of str
            GPU type, empty if unknown.
        is_requested : bool, shape (n_rows,)
            Whether the count is what was requested, on a job whose allocation is listed without it.
        """
        columns = [self.text("alloctres"), self.text("reqtres"), self.text(*PER_NODE)]
        counts, kinds = zip(*[(_gpu_count(values), _gpu_type(values)) for values in columns], strict=True)
        allocated, requested, per_node = counts[0], counts[1], counts[2] * np.where(nodes > 0, nodes, 1)
        asked = np.where(np.isnan(requested), per_node, requested)
        count = np.where(np.isnan(allocated), asked, allocated)
        kind = kinds[0].where(kinds[0] != "", kinds[1].where(kinds[1] != "", kinds[2]))
        listed = (columns[0] != "").to_numpy() | (columns[1] != "").to_numpy()
        is_requested = np.isnan(allocated) & (asked > 0) & (columns[0] != "").to_numpy()
        return np.where(np.isnan(count) & listed, NO_GPUS_SAID, count), kind, is_requested


def _gpu_count(values: pd.Series) -> Float64:
    def count(text: str) -> float:
        found = parse_gpus(text)
        return np.nan if found is None else found.amount

    return map_words(values, count)


def _gpu_type(values: pd.Series) -> pd.Series:
    def kind(text: str) -> str:
        found = parse_gpus(text)
        return "" if found is None else found.type

    return map_texts(values, kind)


def run_times(columns: SlurmColumns, state: pd.Series) -> tuple[Float64, Float64]:
    """Return when jobs started and how long they ran.

    Parameters
    ----------
    columns : SlurmColumns
        The jobs.
    state : pandas.Series of str
        Their states.

    Returns
    -------
    start_s, duration_s : float64, shape (n_rows,)
        NaN for a job that never started; the duration of a job that still runs is NaN if the log does not say it.
    """
    start, end, elapsed = columns.clock("start"), columns.clock("end"), columns.elapsed()
    unstarted = (columns.text("nodelist").str.lower() == UNSTARTED_NODES).to_numpy() | (state == "PENDING").to_numpy()
    start[unstarted] = np.nan
    is_running = (state == "RUNNING").to_numpy()
    elapsed[(np.isnan(start) | is_running) & (elapsed <= 0)] = np.nan
    by_clock = np.where(is_running, np.nan, end - start)
    duration = np.where(np.isnan(elapsed), by_clock, elapsed)
    duration[unstarted] = np.nan
    return start, duration


def add_jobs(columns: SlurmColumns, builder: FrameBuilder, *, has_task_rows: bool) -> int:
    """Append the jobs of one block to the frame.

    Parameters
    ----------
    columns : SlurmColumns
        The jobs.
    builder : FrameBuilder
        Gets the rows.
    has_task_rows : bool
        Whether each waiting task of an array gets a row of its own.

    Returns
    -------
    int
        Jobs whose GPUs are what was requested, because the allocation does not list them.
    """
    state = map_texts(columns.text("state"), parse_slurm_state)
    start, duration = run_times(columns, state)
    nodes, cpus = columns.number(*NODES), columns.number(*CPUS)
    from_tres = map_words(columns.text("alloctres", "reqtres"), lambda text: parse_amount(text, "cpu"))
    cpus = np.where(np.isnan(cpus), from_tres, cpus)
    gpus, gpu_type, is_requested = columns.gpus(nodes)
    words = {name: map_texts(columns.text(*names), _known) for name, names in TEXTS.items()}
    numbers = {
        "submit_time_s": columns.clock("submit"),
        "eligible_time_s": columns.clock("eligible"),
        "start_time_s": start,
        "duration_s": duration,
        "requested_s": columns.limits(),
        "gpus": gpus,
        "priority": columns.number("priority"),
        "cpus": cpus,
        "mem_gb": columns.memory_gb(cpus, nodes),
        "nodes": nodes,
    }
    restarts = np.nan_to_num(np.clip(columns.number("restarts"), 0, 10_000))
    wholes = {"source_row": columns.lines, "attempts": restarts.astype(np.int64) + 1}
    expand = _Expansion(columns, has_task_rows=has_task_rows)
    builder.add(
        expand.ids,
        {name: expand.rows(values) for name, values in (words | {"gpu_type": gpu_type, "state": state}).items()},
        {name: values[expand.taken] for name, values in numbers.items()},
        {name: values[expand.taken] for name, values in wholes.items()} | {"count": expand.count},
    )
    return int(np.count_nonzero(is_requested))


def _known(text: str) -> str:
    is_none = text.strip().lower() in {"", "na", "n/a", "none", "(null)", "unknown"}
    return "" if is_none else text.strip()


class _Expansion:
    """Rows of the block with each waiting array replaced by its tasks."""

    def __init__(self, columns: SlurmColumns, *, has_task_rows: bool) -> None:
        ids = columns.text(*IDS).str.strip()
        n_rows = len(ids)
        self.ids, self.taken, self.count = ids, np.arange(n_rows), np.ones(n_rows, np.int64)
        arrays = np.flatnonzero(ids.str.contains("_[", regex=False).to_numpy(bool))
        if not len(arrays):
            return
        repeats, parts, left = np.ones(n_rows, np.int64), ids.to_list(), MOST_TASKS
        tasks_of: dict[int, list[str]] = {}
        unreadable, cut = [], []
        for row in arrays.tolist():
            tasks = parse_array(parts[row])
            if tasks is None:
                unreadable.append(row)
                repeats[row] = 0
                continue
            if tasks.is_cut:
                cut.append(row)
            if has_task_rows and tasks.count <= left:
                left -= tasks.count
                tasks_of[row] = list(tasks.ids())
                repeats[row] = tasks.count
            else:
                self.count[row] = tasks.count
        columns.ledger.add("refused", "refused.array", columns.lines[unreadable])
        columns.ledger.add("repaired", "repaired.array_cut", columns.lines[cut])
        self.taken = np.repeat(np.arange(n_rows), repeats)
        self.count = self.count[self.taken]
        named = [name for row in range(n_rows) if repeats[row] for name in tasks_of.get(row, [parts[row]])]
        self.ids = pd.Series(named, dtype=object)

    def rows(self, values: pd.Series) -> pd.Series:
        """Return the values of a column for the rows after replacing."""
        return values if len(self.taken) == len(values) == len(self.ids) else values.iloc[self.taken]
