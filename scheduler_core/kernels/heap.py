"""Coming finishes: a binary heap ordered by (time, ticket).

A ticket holds the sequence of start above the row, so that one number settles equal times and says
which job it is: `sequence << ROW_BITS | row`.
"""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import HEAP_TICKET, HEAP_TIME
from scheduler_core.kernels.tables import Int64

ROW_BITS = 28
"""Enough for every row a run may have (scenario/limits.py); 2^35 starts fit above."""
ROW_MASK = (1 << ROW_BITS) - 1


@step(INT(INTS, INT), inline=True)
def row_in_heap(m: Int64, at: int) -> int:
    """Return the job of entry `at` of the heap."""
    return m[m[HEAP_TICKET] + at] & ROW_MASK


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def push(m: Int64, size: int, time: int, sequence: int, row: int) -> int:
    """Add an entry to a heap of `size` entries and return the new size."""
    times, tickets = m[HEAP_TIME], m[HEAP_TICKET]
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if m[times + above] <= time:  # an equal time started earlier, so it stays above
            break
        m[times + at] = m[times + above]
        m[tickets + at] = m[tickets + above]
        at = above
    m[times + at] = time
    m[tickets + at] = (sequence << ROW_BITS) | row
    return size + 1


@step(INT(INTS, INT), inline=True)
def pop(m: Int64, size: int) -> int:
    """Remove the first entry of a heap of `size` entries; the caller has read it. Return the new size.

    The hole sinks to the bottom along the smaller children and the last entry rises from there: it
    belongs near the bottom, so this asks one question a level instead of two. Which child is smaller
    is a coin toss that no processor foresees, so it is computed instead of asked: the sign of a difference.
    """
    last = size - 1
    times, tickets = m[HEAP_TIME], m[HEAP_TICKET]
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
