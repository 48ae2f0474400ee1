"""Collect the columns of the neutral job frame block by block, without keeping the text of the log.

Texts that repeat (accounts, partitions, states) are kept as small integers from the start, so that a log of a
gigabyte becomes a frame of a fraction of that.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit
from scheduler_core.traces._base import NUMBER_COLUMNS, TEXT_COLUMNS, WHOLE_COLUMNS, Float64, Int64
from scheduler_core.traces._source import Source

Codes = NDArray[np.int32]


class Coder:
    """Numbers the texts of one column in the order in which they appear."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}

    def encode(self, values: pd.Series) -> Codes:
        """Return the number of each text, int32, shape (n_rows,)."""
        codes, words = pd.factorize(values)
        numbers = np.array([self.index.setdefault(str(word), len(self.index)) for word in words], np.int32)
        return numbers[codes] if len(words) else np.zeros(len(values), np.int32)


class FrameBuilder:
    """The neutral job frame while it grows.

    Parameters
    ----------
    source : Source
        The log, for the refusal when it holds too many jobs.
    """

    def __init__(self, source: Source) -> None:
        self._source, self._n_rows = source, 0
        self._ids: list[pd.Series] = []
        self._coders = {name: Coder() for name in TEXT_COLUMNS}
        self._texts: dict[str, list[Codes]] = {name: [] for name in TEXT_COLUMNS}
        self._numbers: dict[str, list[Float64]] = {name: [] for name in NUMBER_COLUMNS}
        self._wholes: dict[str, list[Int64]] = {name: [] for name in WHOLE_COLUMNS}

    def add(
        self,
        job_id: pd.Series,
        texts: Mapping[str, pd.Series],
        numbers: Mapping[str, Float64],
        wholes: Mapping[str, Int64],
    ) -> None:
        """Append rows.

        Parameters
        ----------
        job_id : pandas.Series of str, shape (n_rows,)
            Ids.
        texts, numbers, wholes : mapping
            Column -> values, shape (n_rows,). A text or number column that is missing is unknown; a missing count or
            number of attempts is 1.

        Raises
        ------
        TraceError
            If the log holds more jobs than can be simulated.
        """
        n_rows = len(job_id)
        self._n_rows += n_rows
        if self._n_rows > limit("jobs"):
            raise self._source.error(
                Phrase("holds more than {jobs:,} jobs; split it into shorter periods.", jobs=limit("jobs"))
            )
        self._ids.append(job_id.astype("str"))
        for name, coder in self._coders.items():
            unknown = pd.Series(np.full(n_rows, "", object))
            self._texts[name].append(coder.encode(texts.get(name, unknown)))
        for name, columns in self._numbers.items():
            columns.append(np.asarray(numbers[name], np.float64) if name in numbers else np.full(n_rows, np.nan))
        for name, wholes_so_far in self._wholes.items():
            wholes_so_far.append(np.asarray(wholes.get(name, np.ones(n_rows)), np.int64))

    def build(self) -> pd.DataFrame:
        """Return the frame and forget the parts."""
        columns: dict[str, object] = {}
        columns["job_id"] = (
            pd.concat(self._ids, ignore_index=True) if self._ids else pd.Series([], dtype="str")
        ).astype("str")
        self._ids.clear()
        for name, coder in self._coders.items():
            codes = np.concatenate(self._texts.pop(name) or [np.zeros(0, np.int32)])
            columns[name] = pd.Categorical.from_codes(codes, categories=pd.Index(list(coder.index), dtype="str"))
        for name in NUMBER_COLUMNS:
            columns[name] = np.concatenate(self._numbers.pop(name) or [np.zeros(0)])
        for name in WHOLE_COLUMNS:
            columns[name] = np.concatenate(self._wholes.pop(name) or [np.zeros(0, np.int64)])
        frame = pd.DataFrame(columns, copy=False)
        frame["is_gang"] = True
        return frame


def to_numbers(values: pd.Series) -> Float64:
    """Return a column of numbers as float64, NaN where a value is none or is absurdly large."""
    numbers = pd.to_numeric(values, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    return np.where(np.abs(numbers) < 1e15, numbers, np.nan)
