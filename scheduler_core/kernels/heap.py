"""Coming finishes: a binary heap ordered by (time, sequence of start)."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import HEAP_ROW, HEAP_SEQUENCE, HEAP_TIME
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT, INT))
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


@step(INT(INTS, INT))
def pop(m: Int64, size: int) -> int:
    """Remove the first entry of a heap of `size` entries; the caller has read it. Return the new size."""
    last = size - 1
    time, sequence, row = m[m[HEAP_TIME] + last], m[m[HEAP_SEQUENCE] + last], m[m[HEAP_ROW] + last]
    at = 0
    child = 1
    while child < last:
        other = child + 1
        if other < last:
            is_later = (
                m[m[HEAP_TIME] + other] == m[m[HEAP_TIME] + child]
                and m[m[HEAP_SEQUENCE] + other] < m[m[HEAP_SEQUENCE] + child]
            )
            if m[m[HEAP_TIME] + other] < m[m[HEAP_TIME] + child] or is_later:
                child = other
        if time < m[m[HEAP_TIME] + child] or (
            time == m[m[HEAP_TIME] + child] and sequence < m[m[HEAP_SEQUENCE] + child]
        ):
            break
        m[m[HEAP_TIME] + at] = m[m[HEAP_TIME] + child]
        m[m[HEAP_SEQUENCE] + at] = m[m[HEAP_SEQUENCE] + child]
        m[m[HEAP_ROW] + at] = m[m[HEAP_ROW] + child]
        at = child
        child = 2 * at + 1
    m[m[HEAP_TIME] + at] = time
    m[m[HEAP_SEQUENCE] + at] = sequence
    m[m[HEAP_ROW] + at] = row
    return last
