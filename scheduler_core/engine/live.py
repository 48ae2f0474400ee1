"""Keys of orders that look at what a job has received: they change while it runs (docs/model.md, 16.2)."""

from scheduler_core.engine.work import work_done
from scheduler_core.kernels.heap import IS_LEAVING
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BEFORE,
    JOB_KEY,
    KEEPS,
    LAST_KEY,
    LAST_QUEUED,
    LAST_UNTIL,
    LIVE_KEY,
    N_THRESHOLDS,
    NEVER,
    NOW,
    QUEUED_AT,
    RUNTIME,
    SEQUENCE_OF,
    SERVICE_HAD,
    SERVICE_LEFT,
    SHAPE,
    SHAPE_GPUS,
    THRESHOLD,
    TIME_HAD,
    TOLD,
    WORKED,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT), inline=True)
def key_weight(m: Int64, row: int) -> int:
    """Return by what the time of job `row` is multiplied in its key: its GPUs, or 1."""
    is_by_gpus = m[LIVE_KEY] == SERVICE_LEFT or m[LIVE_KEY] == SERVICE_HAD
    return m[m[SHAPE_GPUS] + m[m[SHAPE] + row]] if is_by_gpus else 1


@step(INT(INTS, INT))
def queue_of(m: Int64, service: int) -> int:
    """Return how many thresholds attained `service` has reached; the lower queue goes first."""
    queue = 0
    for at in range(m[N_THRESHOLDS]):
        if m[m[THRESHOLD] + at] <= service:
            queue += 1
    return queue


@step(INT(INTS, INT), inline=True)
def waiting_key(m: Int64, row: int) -> int:
    """Return the key of job `row` when it comes back to its line: what is left of its work, or its queue."""
    if m[LIVE_KEY] >= TIME_HAD:
        return queue_of(m, m[m[WORKED] + row] * key_weight(m, row))
    return (m[m[RUNTIME] + row] - m[m[KEEPS] + row]) * key_weight(m, row)


@step(INT(INTS, INT))
def running_key(m: Int64, row: int) -> int:
    """Return the key of running job `row` now; one that is to leave has stopped working when it was told."""
    moment = m[m[TOLD] + row] if m[m[SEQUENCE_OF] + row] >= IS_LEAVING else m[NOW]
    done = work_done(m, row, moment)
    if m[LIVE_KEY] >= TIME_HAD:
        return queue_of(m, (m[m[WORKED] + row] + done) * key_weight(m, row))
    return (m[m[RUNTIME] + row] - m[m[BEFORE] + row] - done) * key_weight(m, row)


@step(INT(INTS, INT, INT), inline=True)
def queued_before(m: Int64, row: int, other: int) -> int:
    """Return 1 if job `row` goes before `other` where their keys are equal, else 0."""
    gap = m[m[QUEUED_AT] + row] - m[m[QUEUED_AT] + other]
    return 1 if gap < 0 or (gap == 0 and row < other) else 0


@step(INT(INTS, INT, INT), inline=True)
def runs_behind(m: Int64, row: int, other: int) -> int:
    """Return 1 if running job `other` ranks after waiting job `row`, else 0."""
    gap = m[m[JOB_KEY] + row] - running_key(m, other)
    return 1 if gap < 0 or (gap == 0 and queued_before(m, row, other) == 1) else 0


# ---- the last of those that run -----------------------------------------------------------------------
# A waiting job that ranks after all of a list need not look through it. What is left of a running job only becomes
# less; what it has had becomes more, so there the bound holds only until the first of the list may fall a queue.


@step(INT(INTS, INT), inline=True)
def next_fall(m: Int64, row: int) -> int:
    """Return before when running job `row` cannot fall a queue, in ms; `NEVER` if it does not any more."""
    if m[LIVE_KEY] < TIME_HAD:
        return NEVER
    weight = key_weight(m, row)
    had = (m[m[WORKED] + row] + work_done(m, row, m[NOW])) * weight
    at = queue_of(m, had)
    return m[NOW] + (m[m[THRESHOLD] + at] - had + weight - 1) // weight if at < m[N_THRESHOLDS] else NEVER


@step(INT(INTS, INT, INT))
def note_last(m: Int64, found: int, row: int) -> int:
    """Let running job `row` count for the bound of list `found`; return its key."""
    key, queued = running_key(m, row), m[m[QUEUED_AT] + row]
    if key > m[m[LAST_KEY] + found] or (key == m[m[LAST_KEY] + found] and queued > m[m[LAST_QUEUED] + found]):
        m[m[LAST_KEY] + found] = key
        m[m[LAST_QUEUED] + found] = queued
    m[m[LAST_UNTIL] + found] = min(m[m[LAST_UNTIL] + found], next_fall(m, row))
    return key


@step(INT(INTS, INT, INT), inline=True)
def is_last(m: Int64, row: int, found: int) -> int:
    """Return 1 if waiting job `row` is known to rank after all running jobs of list `found`, else 0."""
    if m[NOW] >= m[m[LAST_UNTIL] + found]:
        return 0
    gap = m[m[JOB_KEY] + row] - m[m[LAST_KEY] + found]
    return 1 if gap > 0 or (gap == 0 and m[m[QUEUED_AT] + row] > m[m[LAST_QUEUED] + found]) else 0


@step(INT(INTS, INT), inline=True)
def forget_last(m: Int64, found: int) -> int:
    """Let the bound of list `found` be that of an empty one; return the list."""
    m[m[LAST_KEY] + found] = -1
    m[m[LAST_QUEUED] + found] = 0
    m[m[LAST_UNTIL] + found] = NEVER
    return found
