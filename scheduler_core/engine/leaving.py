"""Being evicted: notice, grace, and back into the line (docs/model.md, 15.8 to 15.10)."""

from scheduler_core.engine.offers import count_leaving, offer_all
from scheduler_core.engine.promotion import note_left
from scheduler_core.engine.returned import rank_again
from scheduler_core.engine.running import PENDING, free
from scheduler_core.engine.stays import list_leaving, strike_running
from scheduler_core.engine.suspending import stop
from scheduler_core.engine.waiting import join
from scheduler_core.engine.work import saves_in_grace, work_done, work_saved
from scheduler_core.kernels.heap import IS_LEAVING, make_room, push
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BACK_FIRST,
    BACK_NEXT,
    BEFORE,
    BEGAN,
    CLASS_COST,
    EVICTED_BEFORE,
    EVICTED_BEGAN,
    EVICTED_FOR,
    EVICTED_KEEPS,
    EVICTED_LEFT,
    EVICTED_LOST,
    EVICTED_ROW,
    EVICTED_TOLD,
    EVICTED_WHY,
    EVICTION,
    EVICTOR,
    FREED,
    GRACE_MS,
    HEAP_SIZE,
    IS_BACK,
    IS_CHANGED,
    IS_DUE,
    IS_FULL,
    IS_MOVING,
    IS_SUSPENDING,
    JOB_CLASS,
    JOB_SLICE,
    JOB_STATE,
    KEEPS,
    LEAVES,
    LENGTH,
    MOST_EVICTIONS,
    N_EVICTIONS,
    NOW,
    SEQUENCE_OF,
    SHAPE,
    SHAPE_GPUS,
    SHAPE_LINE,
    TOLD,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT), inline=True)
def line_up(m: Int64, row: int, line: int) -> int:
    """Put job `row` back into its line; its clocks of waiting run from the end of this instant. Return the line."""
    join(m, row, line)
    if m[m[IS_BACK] + row] == 0:
        m[m[IS_BACK] + row] = 1
        m[m[BACK_NEXT] + row] = m[BACK_FIRST]
        m[BACK_FIRST] = row
    m[m[IS_DUE] + line] = FREED
    return line


@step(INT(INTS, INT))
def depart(m: Int64, row: int) -> int:
    """Let evicted job `row` leave its GPUs now and wait again; return its line."""
    m[m[EVICTED_LEFT] + m[m[EVICTION] + row]] = m[NOW]
    m[m[SEQUENCE_OF] + row] = -1
    line = free(m, row)
    note_left(m, row)
    m[m[JOB_STATE] + row] = PENDING
    if m[IS_MOVING] == 1:
        rank_again(m, row)
    return line_up(m, row, line)


@step(INT(INTS, INT, INT, INT))
def write_down(m: Int64, row: int, evictor: int, why: int) -> int:
    """Write down that job `row` leaves, or stands still, for `evictor`; return where."""
    at = m[N_EVICTIONS]
    if at >= m[MOST_EVICTIONS]:
        m[IS_FULL] = 1  # the run ends with an error (engine/run.py); nothing is written past the end
        return 0
    done, kept = work_done(m, row, m[NOW]), work_saved(m, row, m[NOW])
    if saves_in_grace(m, row) == 1 or m[IS_SUSPENDING] == 1:
        kept = done
    m[m[KEEPS] + row] = m[m[BEFORE] + row] + kept
    m[m[EVICTION] + row] = at
    m[m[EVICTED_ROW] + at] = row
    m[m[EVICTED_FOR] + at] = evictor
    m[m[EVICTED_WHY] + at] = why
    m[m[EVICTED_TOLD] + at] = m[NOW]
    m[m[EVICTED_BEGAN] + at] = m[m[BEGAN] + row]
    m[m[EVICTED_BEFORE] + at] = m[m[BEFORE] + row]
    m[m[EVICTED_KEEPS] + at] = m[m[KEEPS] + row]
    m[m[EVICTED_LOST] + at] = (done - kept) * m[m[SHAPE_GPUS] + m[m[SHAPE] + row]]
    m[m[EVICTED_LEFT] + at] = -1
    m[N_EVICTIONS] = at + 1
    return at


@step(INT(INTS, INT, INT))
def warn(m: Int64, row: int, evictor: int) -> int:
    """Count running job `row` among those that leave, for `evictor`, or stop it; return its notice in ms."""
    if m[IS_SUSPENDING] == 1:
        stop(m, row, evictor)
        return 0
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    notice = m[m[CLASS_COST] + m[m[JOB_CLASS] + row]] if saves_in_grace(m, row) == 1 else m[GRACE_MS]
    strike_running(m, row, line)
    m[m[TOLD] + row] = m[NOW]
    m[m[LEAVES] + row] = m[NOW] + notice
    m[m[EVICTOR] + row] = evictor
    m[IS_CHANGED] = 1
    list_leaving(m, row, line)
    count_leaving(m, row, 1)
    return notice


@step(INT(INTS, INT, INT))
def send_off(m: Int64, row: int, why: int) -> int:
    """Let job `row`, which was warned, leave when its notice ends; return 1 if it left at once, else 0.

    One that ends by itself before that goes on, and is no preemption.
    """
    offer_all(m, m[m[JOB_SLICE] + row])
    if m[IS_SUSPENDING] == 1:
        write_down(m, row, m[m[EVICTOR] + row], why)
        return 0
    leaves = m[m[LEAVES] + row]
    if m[m[BEGAN] + row] + m[m[LENGTH] + row] <= leaves:
        return 0
    write_down(m, row, m[m[EVICTOR] + row], why)
    if leaves == m[NOW]:
        depart(m, row)
        return 1
    make_room(m)
    m[m[SEQUENCE_OF] + row] |= IS_LEAVING
    m[HEAP_SIZE] = push(m, m[HEAP_SIZE], leaves, m[m[SEQUENCE_OF] + row], row)
    return 0
