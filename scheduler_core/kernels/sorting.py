"""Stable order of whole tables: digits of eleven bits, lowest first.

numpy sorts by digits only up to 16 bits; comparing instead costs more than simulating the jobs.
"""

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.jit import INT, INTS, INTS32, kernel
from scheduler_core.kernels.tables import Int32, Int64

DIGIT_BITS = 11
DIGITS = 1 << DIGIT_BITS


@kernel(INT(INTS, INTS32, INTS, INTS32, INTS, INT))
def sort_by_digit(keys: Int64, rows: Int32, keys_out: Int64, rows_out: Int32, starts: Int64, shift: int) -> int:
    """Write `keys` and `rows` to the other pair in order of one digit, ties as they stand; return how many."""
    n_rows = keys.shape[0]
    for digit in range(DIGITS):
        starts[digit] = 0
    for at in range(n_rows):
        starts[(keys[at] >> shift) & (DIGITS - 1)] += 1
    total = 0
    for digit in range(DIGITS):
        count = starts[digit]
        starts[digit] = total
        total += count
    for at in range(n_rows):
        digit = (keys[at] >> shift) & (DIGITS - 1)
        place = starts[digit]
        starts[digit] = place + 1
        keys_out[place] = keys[at]
        rows_out[place] = rows[at]
    return n_rows


@kernel(INT(INTS32, INTS32, INTS, INTS, INTS32, INTS32, INTS32))
def sort_into_groups(
    order: Int32, kinds: Int32, groups: Int64, places: Int64, row_at: Int32, slot: Int32, rank: Int32
) -> int:
    """Lay rows that come in `order` out by group, each in that order; return how many.

    `groups` holds the group of each kind of row and `places` where each group begins, which moves on. Written are the
    row at each place, the place of each row, and its place in `order`.
    """
    for at in range(order.shape[0]):
        row = order[at]
        group = groups[kinds[row]]
        place = places[group]
        places[group] = place + 1
        row_at[place] = row
        slot[row] = place
        rank[row] = at
    return order.shape[0]


def sort_rows(keys: NDArray[np.integer] | NDArray[np.float64]) -> Int32:
    """Return the rows by key, ties by row.

    Parameters
    ----------
    keys : integer or float64 array, shape (n_rows,)
        Finite; whole floats are sorted as integers, others by their bits, which order alike.

    Returns
    -------
    int32 array, shape (n_rows,)
        Row numbers.
    """
    rows = np.arange(len(keys), dtype=np.int32)
    whole = as_integers(keys)
    if len(keys) == 0:
        return rows
    held = whole - whole.min()  # may run over into the sign, so it is read without one
    other, other_rows, starts = np.empty_like(held), np.empty_like(rows), np.zeros(DIGITS, np.int64)
    for shift in range(0, int(held.view(np.uint64).max()).bit_length(), DIGIT_BITS):
        sort_by_digit(held, rows, other, other_rows, starts, shift)
        held, other, rows, other_rows = other, held, other_rows, rows
    return rows


def as_integers(keys: NDArray[np.integer] | NDArray[np.float64]) -> Int64:
    """Return integers that stand in the same order as `keys`: whole floats as they are, others by their bits."""
    if keys.dtype != np.float64:
        return keys.astype(np.int64, copy=False)
    with np.errstate(invalid="ignore"):  # what is too large for an integer comes out wrong, and is sorted by its bits
        whole = keys.astype(np.int64)
    if np.array_equal(whole, keys):
        return whole
    bits = (keys + 0.0).view(np.int64)  # without a negative zero
    ordered: Int64 = np.where(bits < 0, np.iinfo(np.int64).min - bits, bits)  # negative numbers run the other way
    return ordered
