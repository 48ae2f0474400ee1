"""Keys of orders that look at what a job has received: they change while it runs (docs/model.md, 16.2)."""

from scheduler_core.engine.work import work_done
from scheduler_core.kernels.heap import IS_LEAVING
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BEFORE,
    JOB_KEY,
    KEEPS,
    LIVE_KEY,
    NOW,
    QUEUED_AT,
    RUNTIME,
    SEQUENCE_OF,
    SERVICE_LEFT,
    SHAPE,
    SHAPE_GPUS,
    TOLD,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT), inline=True)
def key_weight(m: Int64, row: int) -> int:
    """Return by what the time of job `row` is multiplied in its key: its GPUs, or 1."""
    return m[m[SHAPE_GPUS] + m[m[SHAPE] + row]] if m[LIVE_KEY] == SERVICE_LEFT else 1


@step(INT(INTS, INT), inline=True)
def waiting_key(m: Int64, row: int) -> int:
    """Return the key of job `row` when it comes back to its line: what is left of its work."""
    return (m[m[RUNTIME] + row] - m[m[KEEPS] + row]) * key_weight(m, row)


@step(INT(INTS, INT))
def running_key(m: Int64, row: int) -> int:
    """Return the key of running job `row` now; one that is to leave has stopped working when it was told."""
    moment = m[m[TOLD] + row] if m[m[SEQUENCE_OF] + row] >= IS_LEAVING else m[NOW]
    return (m[m[RUNTIME] + row] - m[m[BEFORE] + row] - work_done(m, row, moment)) * key_weight(m, row)


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
