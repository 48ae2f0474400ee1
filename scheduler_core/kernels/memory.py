"""How the memory of one run is laid out: its scalars and columns in one array (kernels/state.py)."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.state import EVICTED_LEFT, EVICTED_ROW, HEAD_SIZE, MOST_EVICTIONS, N_EVICTIONS
from scheduler_core.kernels.tables import Int64


class Same(NamedTuple):
    """A column that is another one, named by its head cell."""

    cell: int


Column = NDArray[np.integer] | int | Same


class Memory:
    """The array `m` of a run, with the lengths of its columns.

    Parameters
    ----------
    scalars : mapping of int to int
        Head cell -> value; the rest is 0.
    columns : mapping of int to array, int or Same
        Head cell -> first values of the column, or its length if it begins with zeros, or the column
        it is the same as.
    """

    def __init__(self, scalars: Mapping[int, int], columns: Mapping[int, Column]) -> None:
        same = {cell: values for cell, values in columns.items() if isinstance(values, Same)}
        columns = {cell: values for cell, values in columns.items() if not isinstance(values, Same)}
        self.lengths = {cell: v if isinstance(v, int) else len(v) for cell, v in columns.items()}
        # zeros asks the system for pages only when they are touched: columns never used cost nothing
        self.m: Int64 = np.zeros(HEAD_SIZE + sum(self.lengths.values()), np.int64)
        at = HEAD_SIZE
        for cell, values in columns.items():
            self.m[cell] = at
            if not isinstance(values, int | Same):
                self.m[at : at + len(values)] = values
            at += self.lengths[cell]
        for cell, values in same.items():
            self.m[cell], self.lengths[cell] = self.m[values.cell], self.lengths[values.cell]
        for cell, value in scalars.items():
            self.m[cell] = value

    def column(self, cell: int) -> Int64:
        """Return a column as a view of the memory."""
        begin = int(self.m[cell])
        return self.m[begin : begin + self.lengths[cell]]

    def make_room(self) -> int:
        """Double the room for evictions if half of it is used; return the room there is."""
        room = int(self.m[MOST_EVICTIONS])
        if self.m[N_EVICTIONS] <= room // 2:
            return room
        columns = range(EVICTED_ROW, EVICTED_LEFT + 1)
        grown = np.zeros(len(self.m) + 2 * room * len(columns), np.int64)
        grown[: len(self.m)] = self.m
        at = len(self.m)
        for cell in columns:
            grown[at : at + room] = self.column(cell)
            grown[cell], self.lengths[cell] = at, 2 * room
            at += 2 * room
        grown[MOST_EVICTIONS] = 2 * room
        self.m = grown
        return 2 * room
