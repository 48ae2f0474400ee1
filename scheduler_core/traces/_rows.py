"""Rows of a delimited log: which columns there are, and which lines have them all."""

import csv
import io
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from scheduler_core.traces._base import Int64
from scheduler_core.traces._ledger import Ledger
from scheduler_core.traces._source import Block

PIPE = "|"
FREE_TEXT = frozenset({"jobname", "comment", "admincomment", "systemcomment", "workdir", "submitline", "extra"})
"""Columns (lower case) in which a user may have written a pipe."""

Fit = Literal["exact", "joined", "missing", "extra"]


@dataclass(frozen=True)
class Layout:
    """Columns of a pipe-separated log.

    Attributes
    ----------
    columns : tuple of str
        Names in the order of the file, lower case.
    header : bytes
        The header line as it stands in the file; empty if there is none.
    has_end_pipe : bool
        Whether every line ends with a pipe (``sacct -p``).
    """

    columns: tuple[str, ...]
    header: bytes = b""
    has_end_pipe: bool = False

    @property
    def pipes(self) -> int:
        """Pipes between the columns of a line."""
        return len(self.columns) - 1

    @property
    def may_join(self) -> bool:
        """Whether the last column is free text, so that further pipes belong to it."""
        return self.columns[-1] in FREE_TEXT

    def trim(self, line: bytes) -> bytes:
        """Return the line without the pipe at its end, if lines have one."""
        return line[:-1] if self.has_end_pipe and line.endswith(b"|") else line

    def fit(self, line: bytes) -> Fit:
        """Say whether a line has the columns; `line` is trimmed."""
        extra = line.count(b"|") - self.pipes
        if extra == 0:
            return "exact"
        if extra < 0:
            return "missing"
        return "joined" if self.may_join else "extra"

    def split(self, line: str) -> dict[str, str]:
        """Return the values of one line by column.

        Parameters
        ----------
        line : str
            A line that fits.

        Returns
        -------
        dict
            Column (lower case) -> text; the last column keeps its pipes.
        """
        values = self.trim(line.encode()).decode().split(PIPE, self.pipes)
        return dict(zip(self.columns, values, strict=True))


@dataclass
class Rows:
    """Lines of one block that have all columns.

    Attributes
    ----------
    lines : list of bytes
        The lines, each with exactly the pipes of the layout.
    numbers : list of int
        Their line numbers.
    read, steps : int
        Lines with data in the block, and those among them that are steps of a job.
    """

    lines: list[bytes]
    numbers: list[int]
    read: int = 0
    steps: int = 0

    def frame(self, layout: Layout, wanted: list[str]) -> pd.DataFrame:
        """Return the wanted columns as text, in the order of the lines.

        Parameters
        ----------
        layout : Layout
            The columns of the lines.
        wanted : list of str
            Names of columns.

        Returns
        -------
        pandas.DataFrame
            One row a line.
        """
        return pd.read_csv(
            io.BytesIO(b"\n".join(self.lines).replace(b"\r", b" ")),
            sep=PIPE,
            header=None,
            names=list(layout.columns),
            usecols=wanted,
            dtype=object,
            na_filter=False,
            quoting=csv.QUOTE_NONE,
            encoding_errors="replace",
            lineterminator="\n",
            skip_blank_lines=False,
        )

    @property
    def line_numbers(self) -> Int64:
        """Line numbers, int64, shape (n_rows,)."""
        return np.array(self.numbers, np.int64)


def pick_rows(block: Block, layout: Layout, id_at: int, ledger: Ledger) -> Rows:
    """Return the lines of a block that are jobs with all columns; the others are counted.

    Parameters
    ----------
    block : Block
        Lines.
    layout : Layout
        What each should look like.
    id_at : int
        Position of the column with the job's id.
    ledger : Ledger
        Gets what is refused.

    Returns
    -------
    Rows
        The jobs.
    """
    rows = Rows([], [])
    misfits: dict[Fit, list[int]] = {"missing": [], "extra": []}
    pipes, header, end = layout.pipes + layout.has_end_pipe, layout.header, b"|" if layout.has_end_pipe else b""
    for number, raw in enumerate(block.lines, block.first_line):
        if raw.count(b"|") == pipes and raw != header and raw and raw.endswith(end):
            line = raw.removesuffix(end)
        elif not raw or raw == header or raw.isspace():
            continue
        else:
            line = layout.trim(raw)
            fit = layout.fit(line)
            if fit in misfits:
                rows.read += 1
                misfits[fit].append(number)
                continue
            line = b"|".join([*line.split(b"|", layout.pipes)[:-1], b""])  # free text is not kept
        rows.read += 1
        job_id = line[: line.find(b"|")] if id_at == 0 else line.split(b"|", id_at + 1)[id_at]
        if b"." in job_id:
            rows.steps += 1
            continue
        rows.lines.append(line)
        rows.numbers.append(number)
    ledger.add("refused", "refused.missing_columns", misfits["missing"])
    ledger.add("refused", "refused.extra_columns", misfits["extra"])
    return rows
