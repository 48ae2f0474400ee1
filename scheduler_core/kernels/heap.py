"""Coming finishes: a binary heap ordered by (time, sequence of start)."""

from scheduler_core.kernels.jit import INT, step
from scheduler_core.kernels.state import HEAP, Heap


@step(INT(HEAP, INT, INT, INT, INT))
def push(heap: Heap, size: int, time: int, sequence: int, row: int) -> int:
    """Add an entry to a heap of `size` entries and return the new size."""
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if heap.time[above] <= time:  # an equal time started earlier, so it stays above
            break
        heap.time[at] = heap.time[above]
        heap.sequence[at] = heap.sequence[above]
        heap.row[at] = heap.row[above]
        at = above
    heap.time[at] = time
    heap.sequence[at] = sequence
    heap.row[at] = row
    return size + 1


@step(INT(HEAP, INT))
def pop(heap: Heap, size: int) -> int:
    """Remove the first entry of a heap of `size` entries; the caller has read it. Return the new size."""
    last = size - 1
    time, sequence, row = heap.time[last], heap.sequence[last], heap.row[last]
    at = 0
    child = 1
    while child < last:
        other = child + 1
        if other < last:
            is_later = heap.time[other] == heap.time[child] and heap.sequence[other] < heap.sequence[child]
            if heap.time[other] < heap.time[child] or is_later:
                child = other
        if time < heap.time[child] or (time == heap.time[child] and sequence < heap.sequence[child]):
            break
        heap.time[at] = heap.time[child]
        heap.sequence[at] = heap.sequence[child]
        heap.row[at] = heap.row[child]
        at = child
        child = 2 * at + 1
    heap.time[at] = time
    heap.sequence[at] = sequence
    heap.row[at] = row
    return last
