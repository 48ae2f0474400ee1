"""Coming finishes: a binary heap ordered by (time, sequence of start)."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import HEAP_ROW, HEAP_SEQUENCE, HEAP_TIME
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def push(m: Int64, size: int, time: int, sequence: int, row: int) -> int:
    """Add an entry to a heap of `size` entries and return the new size."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if m[m[HEAP_TIME] + above] <= time:  # an equal time started earlier, so it stays above
            break
        m[m[HEAP_TIME] + at] = m[m[HEAP_TIME] + above]
        m[m[HEAP_SEQUENCE] + at] = m[m[HEAP_SEQUENCE] + above]
        m[m[HEAP_ROW] + at] = m[m[HEAP_ROW] + above]
        at = above
    m[m[HEAP_TIME] + at] = time
    m[m[HEAP_SEQUENCE] + at] = sequence
    m[m[HEAP_ROW] + at] = row
    return size + 1


@step(INT(INTS, INT), inline=True)
def pop(m: Int64, size: int) -> int:
    """Remove the first entry of a heap of `size` entries; the caller has read it. Return the new size."""
    last = size - 1
    times, sequences, rows = m[HEAP_TIME], m[HEAP_SEQUENCE], m[HEAP_ROW]
    time, sequence, row = m[times + last], m[sequences + last], m[rows + last]
    at = 0
    child = 1
    while child < last:
        other = child + 1
        is_earlier = other < last and m[times + other] <= m[times + child]
        if is_earlier and (m[times + other] < m[times + child] or m[sequences + other] < m[sequences + child]):
            child = other
        if time < m[times + child] or (time == m[times + child] and sequence < m[sequences + child]):
            break
        m[times + at] = m[times + child]
        m[sequences + at] = m[sequences + child]
        m[rows + at] = m[rows + child]
        at = child
        child = 2 * at + 1
    m[times + at] = time
    m[sequences + at] = sequence
    m[rows + at] = row
    return last
