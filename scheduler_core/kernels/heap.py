"""Coming finishes: a binary heap ordered by (time, sequence of start)."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import HEAP_ROW, HEAP_SEQUENCE, HEAP_TIME
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def push(m: Int64, size: int, time: int, sequence: int, row: int) -> int:
    """Add an entry to a heap of `size` entries and return the new size."""
    times, sequences, rows = m[HEAP_TIME], m[HEAP_SEQUENCE], m[HEAP_ROW]
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if m[times + above] <= time:  # an equal time started earlier, so it stays above
            break
        m[times + at] = m[times + above]
        m[sequences + at] = m[sequences + above]
        m[rows + at] = m[rows + above]
        at = above
    m[times + at] = time
    m[sequences + at] = sequence
    m[rows + at] = row
    return size + 1


@step(INT(INTS, INT), inline=True)
def pop(m: Int64, size: int) -> int:
    """Remove the first entry of a heap of `size` entries; the caller has read it. Return the new size.

    The hole sinks to the bottom along the smaller children and the last entry rises from there: it
    belongs near the bottom, so this asks one question a level instead of two.
    """
    last = size - 1
    times, sequences, rows = m[HEAP_TIME], m[HEAP_SEQUENCE], m[HEAP_ROW]
    at = 0
    child = 1
    while child < last:
        if child + 1 < last:
            gap = m[times + child + 1] - m[times + child]
            if gap < 0 or (gap == 0 and m[sequences + child + 1] < m[sequences + child]):
                child += 1
        m[times + at] = m[times + child]
        m[sequences + at] = m[sequences + child]
        m[rows + at] = m[rows + child]
        at = child
        child = 2 * at + 1
    time, sequence, row = m[times + last], m[sequences + last], m[rows + last]
    while at > 0:
        above = (at - 1) >> 1
        is_before = m[times + above] < time or (m[times + above] == time and m[sequences + above] < sequence)
        if is_before:
            break
        m[times + at] = m[times + above]
        m[sequences + at] = m[sequences + above]
        m[rows + at] = m[rows + above]
        at = above
    m[times + at] = time
    m[sequences + at] = sequence
    m[rows + at] = row
    return last
