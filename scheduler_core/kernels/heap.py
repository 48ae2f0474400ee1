"""Coming finishes: a binary heap ordered by (time, ticket).

A ticket holds the sequence of start above the row, so that one number settles equal times and says
which job it is: `sequence << ROW_BITS | row`.
"""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import HEAP_ROOM, HEAP_SIZE, HEAP_TICKET, HEAP_TIME, SEQUENCE_OF
from scheduler_core.kernels.tables import Int64

ROW_BITS = 28
"""Enough for every row a run may have (scenario/limits.py); 2^35 starts fit above."""
ROW_MASK = (1 << ROW_BITS) - 1
IS_LEAVING = 1 << 34
"""Added to the sequence of a job that is to leave before it ends: at one time finishes come before departures."""


@step(INT(INTS, INT), inline=True)
def row_in_heap(m: Int64, at: int) -> int:
    """Return the job of entry `at` of the heap."""
    return m[m[HEAP_TICKET] + at] & ROW_MASK


@step(INT(INTS, INT, INT, INT, INT, INT), inline=True)
def push_into(m: Int64, times: int, tickets: int, size: int, time: int, ticket: int) -> int:
    """Add an entry to the heap of `size` entries in the columns `times` and `tickets`; return the new size."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if m[times + above] < time or (m[times + above] == time and m[tickets + above] < ticket):
            break
        m[times + at] = m[times + above]
        m[tickets + at] = m[tickets + above]
        at = above
    m[times + at] = time
    m[tickets + at] = ticket
    return size + 1


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def push(m: Int64, size: int, time: int, sequence: int, row: int) -> int:
    """Add a finish to the heap of `size` entries and return the new size."""
    return push_into(m, m[HEAP_TIME], m[HEAP_TICKET], size, time, (sequence << ROW_BITS) | row)


@step(INT(INTS, INT, INT, INT), inline=True)
def pop_from(m: Int64, times: int, tickets: int, size: int) -> int:
    """Remove the first entry of a heap of `size` entries; the caller has read it. Return the new size.

    The hole sinks to the bottom along the smaller children and the last entry rises from there: it
    belongs near the bottom, so this asks one question a level instead of two. Which child is smaller
    is a coin toss that no processor foresees, so it is computed instead of asked: the sign of a difference.
    """
    last = size - 1
    at = 0
    child = 1
    while child < last:
        # One past the last child lies the last entry, which may sink too: no question whether there is a sibling.
        gap = m[times + child + 1] - m[times + child]
        if gap == 0:
            gap = m[tickets + child + 1] - m[tickets + child]
        child -= gap >> 63
        m[times + at] = m[times + child]
        m[tickets + at] = m[tickets + child]
        at = child
        child = 2 * at + 1
    time, ticket = m[times + last], m[tickets + last]
    while at > 0:
        above = (at - 1) >> 1
        if m[times + above] < time or (m[times + above] == time and m[tickets + above] < ticket):
            break
        m[times + at] = m[times + above]
        m[tickets + at] = m[tickets + above]
        at = above
    m[times + at] = time
    m[tickets + at] = ticket
    return last


@step(INT(INTS, INT), inline=True)
def pop(m: Int64, size: int) -> int:
    """Remove the first of the finishes, of which there are `size`; return the new size."""
    return pop_from(m, m[HEAP_TIME], m[HEAP_TICKET], size)


# ---- entries that are out of date -----------------------------------------------------------------------
# A job that is told to leave gets an entry of its own; its finish stays in the heap until it is met, or until there is
# no room left.


@step(INT(INTS, INT), inline=True)
def is_stale(m: Int64, at: int) -> int:
    """Return 1 if entry `at` of the heap is not that of a running job, else 0."""
    ticket = m[m[HEAP_TICKET] + at]
    return 1 if m[m[SEQUENCE_OF] + (ticket & ROW_MASK)] != ticket >> ROW_BITS else 0


@step(INT(INTS), inline=True)
def drop_stale(m: Int64) -> int:
    """Drop entries that are out of date from the top of the heap; return its size."""
    while m[HEAP_SIZE] > 0 and is_stale(m, 0) == 1:
        m[HEAP_SIZE] = pop(m, m[HEAP_SIZE])
    return m[HEAP_SIZE]


@step(INT(INTS, INT))
def forget(m: Int64, row: int) -> int:
    """Build the heap anew without job `row`, -1 for none, and without what is out of date; return its size."""
    n_old, n_kept = m[HEAP_SIZE], 0
    for at in range(n_old):
        ticket = m[m[HEAP_TICKET] + at]
        if is_stale(m, at) == 0 and ticket & ROW_MASK != row:
            n_kept = push(m, n_kept, m[m[HEAP_TIME] + at], ticket >> ROW_BITS, ticket & ROW_MASK)
    m[HEAP_SIZE] = n_kept
    return n_kept


@step(INT(INTS))
def make_room(m: Int64) -> int:
    """Build the heap anew, without entries that are out of date, if the next would be its last; return its size.

    There is room for twice as many entries as there may be running jobs, so half of it is free again.
    """
    return m[HEAP_SIZE] if m[HEAP_SIZE] + 1 < m[HEAP_ROOM] else forget(m, -1)
