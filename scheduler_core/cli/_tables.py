"""Text tables and numbers as people say them."""

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scheduler_core.metrics import Value
from scheduler_core.units import format_duration, format_number

if TYPE_CHECKING:
    from scheduler_core.studies import Estimate

NOT_KNOWN = "-"
AT_LEAST = ">= "


def say(value: float | None, unit: str) -> str:
    """Return a number with its unit as people say it: 35 min, 4.2 h, 38.6 %.

    Parameters
    ----------
    value : float, optional
        The number; None gives a dash.
    unit : str
        Unit of a metric.

    Returns
    -------
    str
        At most three significant digits.

    Examples
    --------
    >>> say(15_120_000, "ms"), say(0.3864, "share"), say(-90_000, "ms")
    ('4.2 h', '38.6 %', '-1.5 min')
    """
    if value is None:
        return NOT_KNOWN
    if unit == "ms" and value == 0:
        return "0 s"
    if unit == "ms":
        return format_duration(value) if value >= 0 else f"-{format_duration(-value)}"
    if unit == "share":
        return f"{format_number(value * 100)} %"
    suffix = {"gpu_h": " GPU h", "jobs_per_h": " /h"}.get(unit, "")
    return format_number(value) + suffix


def say_value(value: Value, unit: str) -> str:
    """Return a value as people say it, with ``>=`` before a lower bound."""
    return (AT_LEAST if value.is_lower_bound and value.value is not None else "") + say(value.value, unit)


def say_estimate(found: "Estimate", unit: str) -> str:
    """Return the mean of an estimate as people say it, with ``>=`` before a lower bound."""
    return say_value(Value(found.mean, found.is_lower_bound), unit)


def say_interval(found: "Estimate", unit: str) -> str:
    """Return the interval of an estimate as people say it; empty with fewer than two replications."""
    if found.low is None or found.high is None:
        return ""
    return f"[{say(found.low, unit)}, {say(found.high, unit)}]"


def say_change(found: "Estimate", unit: str) -> str:
    """Return a difference as people say it, with its sign; shares differ by points."""
    if found.mean is None:
        return NOT_KNOWN
    sign = "+" if found.mean > 0 else ""
    if unit == "share":
        return f"{sign}{format_number(found.mean * 100)} points"
    return sign + say(found.mean, unit)


def say_change_interval(found: "Estimate", unit: str) -> str:
    """Return the interval of a difference as people say it."""
    if found.low is None or found.high is None:
        return ""
    if unit == "share":
        return f"[{format_number(found.low * 100)}, {format_number(found.high * 100)}]"
    return say_interval(found, unit)


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes; East Asian characters take two."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def printable(text: str) -> str:
    """Return a text without control characters, which could steer a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], n_left: int = 1) -> str:
    """Return a table as text.

    Parameters
    ----------
    header : sequence of str
        Heads of the columns.
    rows : sequence of sequence of str
        Cells.
    n_left : int
        Columns set to the left; the others are set to the right.

    Returns
    -------
    str
        Lines without trailing blanks.
    """
    cells = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(width(row[at]) for row in cells) for at in range(len(header))]

    def line(row: Sequence[str]) -> str:
        parts = []
        for at, cell in enumerate(row):
            blanks = " " * (widths[at] - width(cell))
            parts.append(cell + blanks if at < n_left else blanks + cell)
        return "  ".join(parts).rstrip()

    rule = "  ".join("-" * each for each in widths)
    return "\n".join([line(cells[0]), rule, *(line(row) for row in cells[1:])])
