"""Jobs that came back to their line and rank elsewhere than before (docs/model.md, 15.10 and 16.2).

The waiting line is a bit set over ranks that are fixed before the run. A job whose rank changed when it was evicted
stands in a list of its group beside that set; whoever goes through a group merges both.
"""

from scheduler_core.engine.live import queued_before, waiting_key
from scheduler_core.engine.stays import chain, unchain
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BY_LEFT,
    BY_TOLD,
    FIXED,
    IS_BY_MEMBER,
    IS_KEEPING,
    IS_MOVING,
    IS_RETURNED,
    JOB_KEY,
    KEY_SLOPE,
    LIVE_KEY,
    NOW,
    QUEUED_AT,
    REQUEUE,
    RETURNED_BEFORE,
    RETURNED_FIRST,
    RETURNED_LAST,
    RETURNED_NEXT,
    TOLD,
    UNSET,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT), inline=True)
def is_returned(m: Int64, row: int) -> int:
    """Return 1 if job `row` waits in the list of its group, 0 if it waits in the bit set."""
    return m[m[IS_RETURNED] + row] if m[IS_MOVING] == 1 else 0


@step(INT(INTS, INT, INT), inline=True)
def ranks_before(m: Int64, row: int, other: int) -> int:
    """Return 1 if job `row` ranks before `other`, as both wait, else 0."""
    gap = m[m[JOB_KEY] + row] - m[m[JOB_KEY] + other]
    return 1 if gap < 0 or (gap == 0 and queued_before(m, row, other) == 1) else 0


@step(INT(INTS, INT, INT), inline=True)
def earlier(m: Int64, row: int, other: int) -> int:
    """Return which of two jobs ranks first; either may be -1, for none."""
    if row < 0 or other < 0:
        return max(row, other)
    return row if ranks_before(m, row, other) == 1 else other


@step(INT(INTS, INT, INT))
def rank_from(m: Int64, row: int, queued_ms: int) -> int:
    """Give job `row`, which comes back now, the rank of one that was submitted at `queued_ms`; return its key."""
    m[m[IS_RETURNED] + row] = 1
    before = m[m[QUEUED_AT] + row]
    m[m[QUEUED_AT] + row] = queued_ms
    if m[IS_KEEPING] == 1:
        m[m[JOB_KEY] + row] = UNSET
    elif m[LIVE_KEY] == FIXED:
        m[m[JOB_KEY] + row] += m[KEY_SLOPE] * (m[m[QUEUED_AT] + row] - before)
    else:
        m[m[JOB_KEY] + row] = waiting_key(m, row)
    return m[m[JOB_KEY] + row]


@step(INT(INTS, INT), inline=True)
def rank_again(m: Int64, row: int) -> int:
    """Give evicted job `row`, which comes back now, its new rank; return its key."""
    queued_ms = m[m[QUEUED_AT] + row]
    if m[REQUEUE] == BY_TOLD:
        queued_ms = m[m[TOLD] + row]
    elif m[REQUEUE] == BY_LEFT:
        queued_ms = m[NOW]
    return rank_from(m, row, queued_ms)


@step(INT(INTS, INT, INT))
def list_returned(m: Int64, group: int, row: int) -> int:
    """Enter job `row` into the list of `group` by its rank, looked for from both ends at once; return the row.

    Where jobs of a group pass each other, the list is sorted when a pass begins, and the job is put at its end.
    """
    ahead, behind = m[m[RETURNED_LAST] + group], m[m[RETURNED_FIRST] + group]
    while m[IS_BY_MEMBER] == 0 and ahead >= 0 and ranks_before(m, row, ahead) == 1:
        if ranks_before(m, row, behind) == 1:
            ahead = m[m[RETURNED_BEFORE] + behind]
            break
        ahead, behind = m[m[RETURNED_BEFORE] + ahead], m[m[RETURNED_NEXT] + behind]
    chain(m, m[RETURNED_FIRST] + group, m[RETURNED_NEXT], m[RETURNED_BEFORE], ahead, row)
    if m[m[RETURNED_NEXT] + row] < 0:
        m[m[RETURNED_LAST] + group] = row
    return row


@step(INT(INTS, INT, INT))
def strike_returned(m: Int64, group: int, row: int) -> int:
    """Take job `row` out of the list of `group`; return the row before it, -1 if it was the first."""
    before = unchain(m, m[RETURNED_FIRST] + group, m[RETURNED_NEXT], m[RETURNED_BEFORE], row)
    if m[m[RETURNED_LAST] + group] == row:
        m[m[RETURNED_LAST] + group] = before
    return before
