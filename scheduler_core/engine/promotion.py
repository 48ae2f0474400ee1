"""Work a job has done in all its stays, and jobs that waited until it is forgotten (docs/model.md, 16.2)."""

from scheduler_core.engine.returned import list_returned, strike_returned
from scheduler_core.engine.waiting import head_of_set, set_head
from scheduler_core.engine.work import work_done
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    HEAD,
    JOB_KEY,
    LEFT,
    LINE_GROUPS,
    N_LINES,
    NEVER,
    NOW,
    PIN_NEXT,
    PINNED_FIRST,
    PROMOTE_AT,
    PROMOTE_MILLI,
    RETURNED_FIRST,
    RETURNED_NEXT,
    TOLD,
    WORKED,
)
from scheduler_core.kernels.tables import Int64

MILLI = 1_000


@step(INT(INTS, INT), inline=True)
def promotion_of(m: Int64, row: int) -> int:
    """Return when waiting job `row` will have waited long enough to be promoted, in ms; `NEVER` if it did nothing."""
    worked = m[m[WORKED] + row]
    return m[m[LEFT] + row] + (worked * m[PROMOTE_MILLI] + MILLI - 1) // MILLI if worked > 0 else NEVER


@step(INT(INTS, INT), inline=True)
def note_left(m: Int64, row: int) -> int:
    """Note that job `row` leaves its GPUs now, and the work of the stay that ends; return all its work in ms."""
    m[m[LEFT] + row] = m[NOW]
    m[m[WORKED] + row] += work_done(m, row, m[m[TOLD] + row])
    if m[PROMOTE_MILLI] > 0:
        m[PROMOTE_AT] = min(m[PROMOTE_AT], promotion_of(m, row))
    return m[m[WORKED] + row]


@step(INT(INTS, INT), inline=True)
def forget_work(m: Int64, row: int) -> int:
    """Let waiting job `row` start again from nothing if it has waited long enough; return 1 if it does, else 0."""
    if promotion_of(m, row) > m[NOW]:
        m[PROMOTE_AT] = min(m[PROMOTE_AT], promotion_of(m, row))
        return 0
    m[m[WORKED] + row] = 0
    m[m[JOB_KEY] + row] = 0
    return 1


@step(INT(INTS, INT))
def promote_group(m: Int64, group: int) -> int:
    """Promote the jobs of `group` that have waited long enough; return its first job that came back, -1 for none."""
    row = m[m[RETURNED_FIRST] + group]
    while row >= 0:
        following, key = m[m[RETURNED_NEXT] + row], m[m[JOB_KEY] + row]
        if forget_work(m, row) == 1 and key > 0:
            strike_returned(m, group, row)
            list_returned(m, group, row)
            set_head(m, group, m[m[HEAD] + group], head_of_set(m, group))
        row = following
    return m[m[RETURNED_FIRST] + group]


@step(INT(INTS))
def promote(m: Int64) -> int:
    """Promote every waiting job that has waited long enough; return when the next may be, in ms."""
    if m[NOW] >= m[PROMOTE_AT]:
        m[PROMOTE_AT] = NEVER
        for group in range(m[m[LINE_GROUPS] + m[N_LINES]]):
            promote_group(m, group)
        row = m[PINNED_FIRST]
        while row >= 0:
            forget_work(m, row)
            row = m[m[PIN_NEXT] + row]
    return m[PROMOTE_AT]
