"""Standard Workload Format: 18 numbers a line, ``;`` before comments and header.

Source: Feitelson, "The Standard Workload Format", version 2.2. It counts processors, not GPUs; a divisor chosen by
the user turns them into GPUs. Fields beyond the 18th are ignored.
"""

import csv
import io
import re
from typing import Literal

import numpy as np
import pandas as pd

from scheduler_core.phrases import Phrase
from scheduler_core.registry import Param
from scheduler_core.traces._base import Float64, Format, Int64, Options, Parsed
from scheduler_core.traces._frame import FrameBuilder, to_numbers
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._source import Block, Source
from scheduler_core.traces._states import SWF_PARTIAL, parse_swf_state
from scheduler_core.traces._texts import message, texts
from scheduler_core.traces._times import LARGEST_S, NAN

N_FIELDS = 18
(JOB, SUBMIT, WAIT, RUN, ALLOCATED, _CPU_S, USED_KB, ASKED, ASKED_S, ASKED_KB, STATUS, USER, GROUP) = range(13)
QUEUE = 14
NAMES = {"user": (USER, "user"), "account": (GROUP, "group"), "partition": (QUEUE, "queue")}
MINUS_ONE = -1
SEEN_LINES = 10
ABSOLUTE_S = 1e8
"""A first submit above 1973 is a time since 1970, not since the start of the log."""
MOST_KB = 1e9
"""More memory a processor (1 TB) is another unit than KB: bytes, most often."""

_HEADER = re.compile(r"^;\s*([A-Za-z][A-Za-z ]{1,30}?):\s*(.*?)\s*$", re.MULTILINE)


def read_header(text: str) -> dict[str, str]:
    """Return the ``; Key: value`` comments; the first of a key counts.

    Examples
    --------
    >>> read_header("; MaxProcs: 240")
    {'MaxProcs': '240'}
    """
    found: dict[str, str] = {}
    for key, value in _HEADER.findall(text):
        found.setdefault(key, value)
    return found


def _is_row(line: str) -> bool:
    fields = line.split()[:N_FIELDS]
    if len(fields) < N_FIELDS:
        return False
    try:
        return all(np.isfinite(float(field)) for field in fields)
    except ValueError:
        return False


def detect(head: str) -> float:
    """Return how sure it is that a file is in the Standard Workload Format, from its first text."""
    lines = [line for line in head.split("\n") if line.strip()]
    rows = [line for line in lines if not line.lstrip().startswith(";")][:SEEN_LINES]
    has_header = bool({"MaxProcs", "MaxNodes", "MaxJobs", "UnixStartTime", "Version"} & set(read_header(head)))
    if not rows:
        return 0.6 if has_header else 0.0
    share = sum(map(_is_row, rows)) / len(rows)
    return share if has_header else 0.9 * share


def parse(source: Source, options: Options, ledger: Ledger) -> Parsed:
    """Read a log in the Standard Workload Format.

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
        One row a job, in the order of the file.

    Raises
    ------
    TraceError
        If no line has 18 numbers and there is no header either.
    """
    if not detect(source.head_text):
        raise source.error(Phrase("is not in the Standard Workload Format: no line starts with 18 numbers."))
    header, builder = read_header(source.head_text), FrameBuilder(source)
    order = (ASKED, ALLOCATED) if options["procs"] == "requested" else (ALLOCATED, ASKED)
    n_read = 0
    for block in source.blocks():
        table, lines = _read_block(block, ledger)
        n_read += len(lines[0])
        if len(table):
            _add_jobs(table, lines[1], builder, order, ledger)
    parsed = Parsed(builder.build(), n_read)
    parsed.unknown_gpus = len(parsed.frame)
    parsed.max_procs = _positive(header.get("MaxProcs", ""))
    _settle_clock(parsed, header)
    parsed.cannot_say.extend(message(key) for key in ("swf.no_gpus", "swf.dependencies"))
    return parsed


def _positive(text: str) -> float:
    try:
        number = float(text.split()[0])
    except (ValueError, IndexError):
        return NAN
    return number if 0 < number < 1e12 else NAN


def _read_block(block: Block, ledger: Ledger) -> tuple[Float64, tuple[list[int], Int64]]:
    """Return the numbers of a block, shape (n_rows, 18), the lines with data and the lines of the rows."""
    kept: list[bytes] = []
    numbers: list[int] = []
    short: list[int] = []
    for number, line in enumerate(block.lines, block.first_line):
        if not line.strip() or line.lstrip().startswith(b";"):
            continue
        fields = line.split(None, N_FIELDS)
        if len(fields) < N_FIELDS:
            short.append(number)
            continue
        kept.append(b" ".join(fields[:N_FIELDS]))
        numbers.append(number)
    ledger.add("refused", "refused.swf_fields", short)
    data = [*numbers, *short]
    if not kept:
        return np.zeros((0, N_FIELDS)), (data, np.zeros(0, np.int64))
    table, rows = _to_table(kept), np.array(numbers, np.int64)
    bad = ~np.isfinite(table[:, [SUBMIT, WAIT, RUN, ALLOCATED, ASKED]]).all(axis=1)
    partial = np.isin(table[:, STATUS], SWF_PARTIAL) & ~bad
    ledger.add("refused", "refused.swf_numbers", rows[bad])
    ledger.add("refused", "refused.swf_partial", rows[partial])
    return table[~bad & ~partial], (data, rows[~bad & ~partial])


def _to_table(lines: list[bytes]) -> Float64:
    """Return 18 numbers for each line, NaN where one is not a number."""
    text = b"\n".join(lines)
    try:
        frame = _split(text, "float64")
    except ValueError:  # some value is no number
        frame = _split(text, "object")
    return np.column_stack([to_numbers(frame[field]) for field in range(N_FIELDS)])


def _split(text: bytes, dtype: Literal["float64", "object"]) -> pd.DataFrame:
    return pd.read_csv(
        io.BytesIO(text),
        sep=" ",
        header=None,
        names=list(range(N_FIELDS)),
        dtype=dtype,
        na_filter=False,
        quoting=csv.QUOTE_NONE,
        encoding_errors="replace",
        lineterminator="\n",
        skip_blank_lines=False,
    )


def _add_jobs(table: Float64, lines: Int64, builder: FrameBuilder, order: tuple[int, int], ledger: Ledger) -> None:
    """Append rows to the frame; -1 is unknown everywhere."""
    absurd = (np.abs(table[:, [SUBMIT, WAIT, RUN]]) > LARGEST_S).any(axis=1)
    ledger.add("refused", "refused.out_of_range", lines[absurd])
    table, lines = table[~absurd], lines[~absurd]
    known = np.where(table < 0, np.nan, table)
    procs = np.where(known[:, order[0]] > 0, known[:, order[0]], known[:, order[1]])
    memory_kb = np.where(known[:, ASKED_KB] > 0, known[:, ASKED_KB], known[:, USED_KB])
    too_much = memory_kb > MOST_KB
    ledger.add("repaired", "repaired.swf_memory", lines[too_much])
    memory_kb[too_much] = np.nan
    codes, statuses = pd.factorize(np.nan_to_num(table[:, STATUS], nan=-1.0))
    state = np.array([parse_swf_state(status) for status in statuses], object)[codes]
    unstarted = (state == "CANCELLED") & ~(known[:, RUN] > 0) & ~(known[:, ALLOCATED] > 0)
    duration = np.where(unstarted, np.nan, known[:, RUN])
    start = np.where(np.isnan(duration), np.nan, table[:, SUBMIT] + known[:, WAIT])
    texts_by_column = {name: _names(table[:, field], word) for name, (field, word) in NAMES.items()}
    builder.add(
        pd.Series([f"{job:.0f}" for job in np.nan_to_num(table[:, JOB])], dtype="str"),
        texts_by_column | {"state": pd.Series(state)},
        {
            "submit_time_s": known[:, SUBMIT],
            "start_time_s": start,
            "duration_s": duration,
            "requested_s": np.where(known[:, ASKED_S] > 0, known[:, ASKED_S], np.nan),
            "cpus": procs,
            "gpus": np.zeros(len(table)),
            "mem_gb": np.where(memory_kb > 0, memory_kb, np.nan) * procs / 1024**2,
        },
        {"source_row": lines},
    )


def _names(numbers: Float64, word: str) -> pd.Series:
    """Return ``user-12`` for 12 and an empty text for -1."""
    codes, found = pd.factorize(np.nan_to_num(numbers, nan=-1.0))
    named = np.array(["" if number < 0 else f"{word}-{number:.0f}" for number in found], object)
    return pd.Series(named[codes])


def _settle_clock(parsed: Parsed, header: dict[str, str]) -> None:
    """Say how times of the log relate to the calendar."""
    started = _positive(header.get("UnixStartTime", ""))
    submit = parsed.frame["submit_time_s"].dropna().to_numpy()
    if np.isfinite(started):
        parsed.epoch_s = started
    elif not len(submit) or submit.min() < ABSOLUTE_S:
        parsed.epoch_s = NAN
        return
    site = header.get("TimeZoneString", "")
    parsed.time_zone = f"UTC (site: {site})" if site else "UTC"


FORMAT = Format(
    slug="swf",
    detect=detect,
    parse=parse,
    text=texts("format.swf"),
    tenants=("user", "account"),
    options=(Param(slug="procs", default="allocated", options=("allocated", "requested"), text=texts("option.procs")),),
)
