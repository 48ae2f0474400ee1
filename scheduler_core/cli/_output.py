"""What leaves the command line: JSON, CSV and files, written whole or not at all.

Machines get full precision: whole numbers as they are, other numbers with nine significant digits (docs/model.md 10.2).
Text cells are safe in spreadsheets: none begins with a character that starts a formula.
"""

import csv
import io
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import click
import numpy as np

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import CAUSES, REASONS, Int64
from scheduler_core.phrases import Phrase
from scheduler_core.result import Result

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
JOB_COLUMNS = (
    "job_id",
    "tenant",
    "submit_s",
    "start_s",
    "finish_s",
    "wait_s",
    "requeue_wait_s",
    "state",
    "preemptions",
    *(f"{cause}_s" for cause in CAUSES),
)
"""Header of `--jobs`."""

LEDGER_COLUMNS = ("time_s", "victim", "evictor", "reason", "lost_gpu_s")
"""Header of `--ledger`."""

Cell: TypeAlias = str | float | int | bool | None


def nine_digits(value: float) -> float | int | None:
    """Return a number with nine significant digits; whole numbers as int; None for what JSON cannot hold.

    Examples
    --------
    >>> nine_digits(1 / 3), nine_digits(2.0)
    (0.333333333, 2)
    """
    if isinstance(value, int):
        return value
    if not np.isfinite(value):
        return None
    rounded = float(f"{value:.9g}")
    return int(rounded) if rounded.is_integer() and abs(rounded) < 2**53 else rounded


def plain(value: object) -> Any:  # noqa: ANN401  (what JSON holds)
    """Return a value made of dicts, lists, text and numbers of nine digits."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, (int, float, np.integer, np.floating)):
        return nine_digits(value.item() if isinstance(value, np.generic) else value)
    return str(value)


def write_json(document: Mapping[str, object]) -> None:
    """Print a document as JSON."""
    click.echo(json.dumps(plain(document), indent=2, ensure_ascii=False, allow_nan=False))


def safe_cell(cell: Cell) -> str:
    """Return a cell that no spreadsheet takes for a formula; numbers stay numbers.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell(-2.5), safe_cell(None)
    ("'=1+1", '-2.5', '')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, (int, float)):
        return str(plain(cell))
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def write_csv(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Print a table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    click.echo(text.getvalue(), nl=False)


def seconds(times_ms: Int64) -> list[str]:
    """Return times in seconds as exact text, empty where the time is negative (it did not happen)."""
    if not times_ms.any():
        return ["0"] * int(times_ms.shape[0])
    return [_seconds(time) for time in times_ms.tolist()]


def _seconds(time_ms: int) -> str:
    whole, rest = divmod(time_ms, 1000)
    if time_ms < 0:
        return ""
    return f"{whole}.{rest:03d}".rstrip("0") if rest else str(whole)


def check_target(path: Path) -> None:
    """Refuse a file that cannot be written, before the work is done.

    Parameters
    ----------
    path : Path
        Where a table is to go.

    Raises
    ------
    InputError
        If it is a folder, or its folder is missing or closed.
    """
    if path.is_dir():
        raise InputError(Phrase("the file to write"), str(path), Phrase("a file, not a folder"))
    if not path.parent.is_dir():
        raise InputError(
            Phrase("the file to write"),
            str(path),
            Phrase("in a folder that exists ({parent} does not)", parent=path.parent),
        )
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(Phrase("the file to write"), str(path), Phrase("in a place where you may write"))


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that appears under its name only when it is complete.

    Parameters
    ----------
    path : Path
        The file; a link is followed, and what is no ordinary file (a device, a pipe) is written to directly.

    Yields
    ------
    text file
        Removed again if anything goes wrong, Ctrl-C included.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="") as file:
            yield file
        return
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("w", encoding="utf-8", newline="") as file:
            yield file
        if path.exists():
            shutil.copymode(path, temporary)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def job_rows(result: Result) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each job in the order of `JOB_COLUMNS`."""
    columns = result.columns()
    texts: list[list[str]] = []
    for name in JOB_COLUMNS:
        if name.endswith("_s"):
            texts.append(seconds(np.asarray(columns[f"{name}"[:-2] + "_ms"], dtype=np.int64)))
        elif name == "preemptions":
            texts.append([str(count) for count in np.asarray(columns[name]).tolist()])
        else:
            texts.append(_safe_texts([str(text) for text in columns[name]]))
    return zip(*texts, strict=True)


def _safe_texts(texts: list[str]) -> list[str]:
    return [f"'{text}" if text.startswith(FORMULA_STARTS) else text for text in texts]


def write_jobs(path: Path, result: Result) -> None:
    """Write the jobs of a result as CSV, whole or not at all.

    Parameters
    ----------
    path : Path
        The file; replaced if it is there.
    result : Result
        The run.
    """
    _write_rows(path, JOB_COLUMNS, job_rows(result))


def ledger_rows(result: Result) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each preemption in the order of `LEDGER_COLUMNS`; none where nobody may be evicted."""
    ledger = result.outcome.ledger
    if ledger is None:
        return
    names = np.array(_safe_texts(result.job_ids), dtype=object)
    yield from zip(
        seconds(ledger.time_ms),
        names[ledger.victim].tolist(),
        names[ledger.evictor].tolist(),
        (REASONS[reason] for reason in ledger.reason.tolist()),
        seconds(ledger.lost_gpu_ms),
        strict=True,
    )


def write_ledger(path: Path, result: Result) -> None:
    """Write the preemptions of a result as CSV, whole or not at all.

    Parameters
    ----------
    path : Path
        The file; replaced if it is there.
    result : Result
        The run.
    """
    _write_rows(path, LEDGER_COLUMNS, ledger_rows(result))


def _write_rows(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def only_one(**formats: bool) -> None:
    """Refuse two output formats at once.

    Parameters
    ----------
    **formats : bool
        Name of each switch and whether it is on.

    Raises
    ------
    click.UsageError
        If more than one is on.
    """
    chosen = [f"--{name}" for name, is_on in formats.items() if is_on]
    if len(chosen) > 1:
        raise click.UsageError(f"{' and '.join(chosen)} exclude each other")
