"""Distinct rows among integer columns: counting where the values are few, which is ten times faster than sorting."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_COUNTED = 1 << 22  # kinds that may be counted in a table of their own
MOST_NUMBERED = 1 << 62  # what a key holds


class Distinct(NamedTuple):
    """What `number_keys` and `number_rows` found.

    Attributes
    ----------
    values : int64, shape (n_kinds,)
        The keys, ascending; of `number_rows`, the first row of each kind.
    of_row : int32, shape (n_rows,)
        The place of each row's kind in `values`.
    n_rows : int64, shape (n_kinds,)
        Rows of each kind.
    """

    values: NDArray[np.int64]
    of_row: NDArray[np.int32]
    n_rows: NDArray[np.int64]


def number_keys(keys: NDArray[Any], top: int) -> Distinct:
    """Return the distinct values of `keys`, integers from 0 to below `top`, in ascending order."""
    if top <= MOST_COUNTED:
        counts = np.bincount(keys, minlength=1)
        values = np.flatnonzero(counts)
        number = (np.cumsum(counts > 0) - 1).astype(np.int32)
        return Distinct(values, number[keys], counts[values])
    values, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return Distinct(values, inverse.astype(np.int32), counts)


def number_rows(columns: Sequence[NDArray[Any]]) -> Distinct:
    """Return the distinct rows of integer columns of equal length, by the first column, then the second."""
    key, top = _counted(columns[0])
    for column in columns[1:]:
        more, span = _counted(column)
        if top * span > MOST_NUMBERED:
            values, key, _ = number_keys(key, top)
            top = max(1, len(values))
        key, top = key.astype(np.int64) * span + more, top * span
    values, of_row, n_rows = number_keys(key, top)
    first = np.zeros(len(values), np.int64)
    first[of_row[::-1]] = np.arange(len(of_row))[::-1]  # the last write counts
    return Distinct(first, of_row, n_rows)


def _counted(column: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return a column of integers from 0 on in the same order, and what they are below: few, or as few as differ."""
    if len(column) == 0:
        return column.astype(np.int64), 1
    low, high = int(column.min()), int(column.max())
    if high - low < MOST_COUNTED:
        return column.astype(np.int64) - low, high - low + 1
    values, inverse = np.unique(column, return_inverse=True)
    return inverse, len(values)
