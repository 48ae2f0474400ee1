"""Stopping a job that keeps its GPUs, and letting it work on (docs/model.md, 15.18): the trap, not the remedy."""

from scheduler_core.engine.offers import count_leaving, offer_all
from scheduler_core.engine.stays import chain, list_running, strike_running, strike_stopped
from scheduler_core.engine.work import stay_length
from scheduler_core.kernels.heap import forget, push
from scheduler_core.kernels.jit import INT, INTS, kernel, step
from scheduler_core.kernels.state import (
    BEGAN,
    EVICTOR,
    HEAP_SIZE,
    IDLE_MS,
    IS_CHANGED,
    IS_CUT,
    IS_SAFE,
    IS_SPENT,
    JOB_SLICE,
    KILLED_AT,
    LENGTH,
    N_LINES,
    NEVER,
    NOW,
    SCOPES,
    SEQUENCE_OF,
    SHAPE,
    SHAPE_LINE,
    STOP_BEFORE,
    STOP_FIRST,
    STOP_NEXT,
    STOPPED,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT))
def stop(m: Int64, row: int, evictor: int) -> int:
    """Let running job `row` stand still for `evictor`, who asks no more; its limit still ends it. Return its line."""
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    strike_running(m, row, line)
    m[m[STOPPED] + row] = m[NOW]
    m[m[EVICTOR] + row] = evictor
    m[m[IS_SPENT] + evictor] = 1
    m[IS_CHANGED] = 1
    chain(m, m[STOP_FIRST] + line, m[STOP_NEXT], m[STOP_BEFORE], -1, row)
    count_leaving(m, row, 1)
    forget(m, row)
    m[m[IS_CUT] + row] = 1
    if m[m[KILLED_AT] + row] < NEVER:
        m[HEAP_SIZE] = push(m, m[HEAP_SIZE], m[m[KILLED_AT] + row], m[m[SEQUENCE_OF] + row], row)
    return line


@step(INT(INTS, INT, INT))
def work_on(m: Int64, row: int, line: int) -> int:
    """Let job `row` of `line`, which stood still, work on; return when it will end, in ms."""
    m[m[IDLE_MS] + row] += m[NOW] - m[m[STOPPED] + row]
    m[m[STOPPED] + row] = -1
    strike_stopped(m, row, line)
    count_leaving(m, row, -1)
    offer_all(m, m[m[JOB_SLICE] + row])
    forget(m, row)
    end = m[m[BEGAN] + row] + stay_length(m, row) + m[m[IDLE_MS] + row]
    m[m[IS_CUT] + row] = 1 if end > m[m[KILLED_AT] + row] else 0
    end = min(end, m[m[KILLED_AT] + row])
    m[m[LENGTH] + row] = end - m[m[BEGAN] + row]
    m[HEAP_SIZE] = push(m, m[HEAP_SIZE], end, m[m[SEQUENCE_OF] + row], row)
    if m[SCOPES] > 0 and m[m[IS_SAFE] + row] == 0:
        list_running(m, row, line)
    m[IS_CHANGED] = 1
    return end


@step(INT(INTS, INT))
def let_work_on(m: Int64, evictor: int) -> int:
    """Let all whom job `evictor` had stopped work on, because its pins end; return its line."""
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + evictor]]
    row = m[m[STOP_FIRST] + line]
    while row >= 0:
        following = m[m[STOP_NEXT] + row]
        if m[m[EVICTOR] + row] == evictor:
            work_on(m, row, line)
        row = following
    return line


@kernel(INT(INTS))
def let_all_work_on(m: Int64) -> int:
    """Let everybody who was stopped work on, because the policy changes; return the lines there are."""
    for line in range(m[N_LINES]):
        while m[m[STOP_FIRST] + line] >= 0:
            work_on(m, m[m[STOP_FIRST] + line], line)
    return m[N_LINES]
