"""Lay out the memory of a run: the array `m` of kernels/state.py, and its columns as views."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.state import (
    EVICTED_LEFT,
    EVICTED_ROW,
    HEAD_SIZE,
    IDLE_GPUS,
    IDLE_ROW,
    MOST_EVICTIONS,
    MOST_IDLE,
    N_EVICTIONS,
    N_IDLE,
)
from scheduler_core.kernels.tables import Int64


class Log(NamedTuple):
    """Columns that grow with what happens: the cells of how many rows there are, of the room, of the first and last."""

    rows: int
    most: int
    first: int
    last: int

    @property
    def cells(self) -> range:
        """The cells of its columns."""
        return range(self.first, self.last + 1)


EVICTIONS = Log(N_EVICTIONS, MOST_EVICTIONS, EVICTED_ROW, EVICTED_LEFT)
IDLENESS = Log(N_IDLE, MOST_IDLE, IDLE_ROW, IDLE_GPUS)


class Same(NamedTuple):
    """A column that is another one, named by its head cell."""

    cell: int


class Unknown(NamedTuple):
    """A column of this length that begins with -1 everywhere."""

    length: int


Column = NDArray[np.integer] | int | Same | Unknown


def _length(values: Column) -> int:
    return values if isinstance(values, int) else values.length if isinstance(values, Unknown) else len(values)


class Memory:
    """The array `m` of a run, with the lengths of its columns.

    Parameters
    ----------
    scalars : mapping of int to int
        Head cell -> value; the rest is 0.
    columns : mapping of int to array, int, Unknown or Same
        Head cell -> first values of the column, or its length if it begins with zeros or -1, or the column
        it is the same as.
    """

    def __init__(self, scalars: Mapping[int, int], columns: Mapping[int, Column]) -> None:
        same = {cell: values for cell, values in columns.items() if isinstance(values, Same)}
        columns = {cell: values for cell, values in columns.items() if not isinstance(values, Same)}
        self.lengths = {cell: _length(values) for cell, values in columns.items()}
        # zeros asks the system for pages only when they are touched: columns never used cost nothing
        self.m: Int64 = np.zeros(HEAD_SIZE + sum(self.lengths.values()), np.int64)
        at = HEAD_SIZE
        for cell, values in columns.items():
            self.m[cell] = at
            if not isinstance(values, int):
                self.m[at : at + self.lengths[cell]] = -1 if isinstance(values, Unknown) else values
            at += self.lengths[cell]
        for cell, values in same.items():
            self.m[cell], self.lengths[cell] = self.m[values.cell], self.lengths[values.cell]
        for cell, value in scalars.items():
            self.m[cell] = value

    def column(self, cell: int) -> Int64:
        """Return a column as a view of the memory."""
        begin = int(self.m[cell])
        return self.m[begin : begin + self.lengths[cell]]

    def make_room(self, log: Log = EVICTIONS) -> int:
        """Double the room of a log if half of it is used; return the room there is."""
        room = int(self.m[log.most])
        if self.m[log.rows] <= room // 2:
            return room
        grown = np.zeros(len(self.m) + 2 * room * len(log.cells), np.int64)
        grown[: len(self.m)] = self.m
        at = len(self.m)
        for cell in log.cells:
            grown[at : at + room] = self.column(cell)
            grown[cell], self.lengths[cell] = at, 2 * room
            at += 2 * room
        grown[log.most] = 2 * room
        self.m = grown
        return 2 * room
