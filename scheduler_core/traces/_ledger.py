"""What an importer did to the rows of a log, counted by reason, with the first line numbers of each."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scheduler_core.traces._texts import Param, render, texts

FIRST_LINES = 5
"""Line numbers kept for each reason."""

Kind = Literal["refused", "repaired", "clipped", "left_out"]
KINDS: tuple[Kind, ...] = ("refused", "repaired", "clipped", "left_out")


@dataclass(frozen=True)
class Tally:
    """How often one thing happened.

    Attributes
    ----------
    key : str
        Reason, a key in texts.toml.
    count : int
        Rows concerned.
    lines : tuple of int
        Line numbers of the first of them, counted from 1.
    params : tuple of pairs
        Placeholders of the text, such as the column.
    """

    key: str
    count: int
    lines: tuple[int, ...] = ()
    params: tuple[tuple[str, Param], ...] = ()

    def text(self, language: str = "en") -> str:
        """Return the reason in ``en`` or ``zh``, without the count."""
        return render(self.key, dict(self.params), language)

    def as_dict(self) -> dict[str, object]:
        """Return plain types, with both texts."""
        params = dict(self.params)
        found: dict[str, object] = {"key": self.key, "count": self.count, "lines": list(self.lines)}
        return found | {"params": params, "text": texts(self.key, **params)}


@dataclass
class _Entry:
    count: int = 0
    lines: list[int] = field(default_factory=list)


class Ledger:
    """Collects tallies while a log is read."""

    def __init__(self) -> None:
        self._entries: dict[tuple[Kind, str, tuple[tuple[str, Param], ...]], _Entry] = {}

    def add(
        self, kind: Kind, key: str, lines: NDArray[np.integer] | list[int], count: int | None = None, **params: Param
    ) -> None:
        """Count rows.

        Parameters
        ----------
        kind : str
            ``refused``, ``repaired``, ``clipped`` or ``left_out``.
        key : str
            Reason, a key in texts.toml.
        lines : integer array or list
            Line number of each row concerned, in the order of the file.
        count : int, optional
            What to count, where it is not the number of rows.
        **params : str, int or float
            Placeholders of the text.
        """
        if not len(lines):
            return
        entry = self._entries.setdefault((kind, key, tuple(params.items())), _Entry())
        entry.count += len(lines) if count is None else count
        for line in lines if len(entry.lines) < FIRST_LINES else ():
            if int(line) not in entry.lines:
                entry.lines.append(int(line))
            if len(entry.lines) == FIRST_LINES:
                break

    def tallies(self, kind: Kind) -> tuple[Tally, ...]:
        """Return what was counted as `kind`, in the order of first appearance."""
        return tuple(
            Tally(key, entry.count, tuple(entry.lines), params)
            for (its_kind, key, params), entry in self._entries.items()
            if its_kind == kind
        )

    def copy(self) -> "Ledger":
        """Return a ledger that starts with what this one holds."""
        other = Ledger()
        for key, entry in self._entries.items():
            other._entries[key] = _Entry(entry.count, list(entry.lines))
        return other
