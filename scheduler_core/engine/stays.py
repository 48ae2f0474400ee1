"""Stays of jobs on their GPUs, and the lists of those that may be evicted (docs/model.md, 15.3 and 15.5)."""

from scheduler_core.engine.live import note_last
from scheduler_core.engine.work import stay_length, work_saved
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BEFORE,
    BEGAN,
    BUCKET,
    BUCKET_OF,
    BY_KEY_LAST,
    HAS_PAUSES,
    IDLE_MS,
    IS_CUT,
    IS_KILLING,
    IS_SAFE,
    KEEPS,
    KILLED_AT,
    LEAVE_BEFORE,
    LEAVE_FIRST,
    LEAVE_NEXT,
    LEAVES,
    LEFT,
    LENGTH,
    LEVEL_GPUS,
    LEVEL_OF,
    LIMIT,
    LINE_LEAVING,
    LIST_GPUS,
    N_BUCKETS,
    N_LEAVES,
    N_LEVELS,
    N_LISTS,
    N_STAYS,
    NEVER,
    NOW,
    REQUEUE_WAIT,
    RUN_BEFORE,
    RUN_FIRST,
    RUN_NEXT,
    RUNTIME,
    SCOPES,
    SEQUENCE,
    SEQUENCE_OF,
    SHAPE,
    SHAPE_GPUS,
    SHAPE_LEAF,
    SHAPE_LINE,
    START,
    STOP_BEFORE,
    STOP_FIRST,
    STOP_NEXT,
    TENANT_ABOVE,
    TENANT_LEAVING,
    TOLD,
    VICTIMS,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT, INT, INT), inline=True)
def chain(m: Int64, first: int, nexts: int, befores: int, after: int, row: int) -> int:
    """Put `row` into the list that begins at `m[first]`, behind `after` (-1: in front); return the row."""
    following = m[first] if after < 0 else m[nexts + after]
    m[nexts + row] = following
    m[befores + row] = after
    if following >= 0:
        m[befores + following] = row
    if after < 0:
        m[first] = row
    else:
        m[nexts + after] = row
    return row


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def unchain(m: Int64, first: int, nexts: int, befores: int, row: int) -> int:
    """Take `row` out of the list that begins at `m[first]`; return the row before it, -1 if it was the first."""
    before, following = m[befores + row], m[nexts + row]
    if before < 0:
        m[first] = following
    else:
        m[nexts + before] = following
    if following >= 0:
        m[befores + following] = before
    return before


@step(INT(INTS, INT, INT, INT), inline=True)
def add_upwards(m: Int64, column: int, leaf: int, gpus: int) -> int:
    """Add `gpus` to what `column` holds for tenant `leaf` and each above it; return them."""
    at = leaf
    while at >= 0:
        m[column + at] += gpus
        at = m[m[TENANT_ABOVE] + at]
    return gpus


# ---- who may be evicted -------------------------------------------------------------------------------


@step(INT(INTS, INT), inline=True)
def place_of(m: Int64, row: int) -> int:
    """Return the place of the tenant of job `row` among the lists of a line; without quotas all share one."""
    return m[m[SHAPE_LEAF] + m[m[SHAPE] + row]] if m[N_LISTS] > 1 else 0


@step(INT(INTS, INT, INT), inline=True)
def list_of(m: Int64, row: int, line: int) -> int:
    """Return the number of the list of `line` for the tenant of job `row`."""
    return line * m[N_LISTS] + place_of(m, row)


@step(INT(INTS, INT, INT, INT), inline=True)
def weigh_running(m: Int64, row: int, line: int, sign: int) -> int:
    """Add (1) or take away (-1) the GPUs of job `row` where those that may be evicted are summed up; return them."""
    found, gpus = list_of(m, row, line), sign * m[m[SHAPE_GPUS] + m[m[SHAPE] + row]]
    m[m[LEVEL_GPUS] + found * m[N_LEVELS] + m[m[LEVEL_OF] + row]] += gpus
    m[m[LIST_GPUS] + found] += gpus
    return gpus


@step(INT(INTS, INT, INT))
def list_running(m: Int64, row: int, line: int) -> int:
    """Enter job `row` among those of `line` that may be evicted, by its start; return its bucket."""
    bucket = list_of(m, row, line) * m[N_BUCKETS] + m[m[BUCKET_OF] + row]
    before, following = -1, m[m[RUN_FIRST] + bucket]
    began = m[m[BEGAN] + row]
    while following >= 0 and (
        m[m[BEGAN] + following] > began or (m[m[BEGAN] + following] == began and following > row)
    ):
        before, following = following, m[m[RUN_NEXT] + following]
    chain(m, m[RUN_FIRST] + bucket, m[RUN_NEXT], m[RUN_BEFORE], before, row)
    m[m[BUCKET] + row] = bucket
    weigh_running(m, row, line, 1)
    if m[VICTIMS] == BY_KEY_LAST:
        note_last(m, list_of(m, row, line), row)
    return bucket


@step(INT(INTS, INT, INT), inline=True)
def strike_running(m: Int64, row: int, line: int) -> int:
    """Take job `row` of `line` out of its list, if it is in one; return the bucket."""
    bucket = m[m[BUCKET] + row]
    if bucket >= 0:
        unchain(m, m[RUN_FIRST] + bucket, m[RUN_NEXT], m[RUN_BEFORE], row)
        m[m[BUCKET] + row] = -1
        weigh_running(m, row, line, -1)
    return bucket


# ---- who is in grace ----------------------------------------------------------------------------------


@step(INT(INTS, INT, INT, INT), inline=True)
def weigh_leaving(m: Int64, row: int, line: int, sign: int) -> int:
    """Add (1) or take away (-1) the GPUs of job `row` where those of jobs in grace are summed up; return them."""
    shape = m[m[SHAPE] + row]
    gpus = sign * m[m[SHAPE_GPUS] + shape]
    m[m[LINE_LEAVING] + line] += gpus
    if m[N_LEAVES] > 0:
        add_upwards(m, m[TENANT_LEAVING], m[m[SHAPE_LEAF] + shape], gpus)
    return gpus


@step(INT(INTS, INT, INT), inline=True)
def list_leaving(m: Int64, row: int, line: int) -> int:
    """Enter job `row` among those of `line` in grace; return the row."""
    weigh_leaving(m, row, line, 1)
    return chain(m, m[LEAVE_FIRST] + line, m[LEAVE_NEXT], m[LEAVE_BEFORE], -1, row)


@step(INT(INTS, INT, INT), inline=True)
def strike_leaving(m: Int64, row: int, line: int) -> int:
    """Take job `row` out of those of `line` in grace; return the row."""
    weigh_leaving(m, row, line, -1)
    unchain(m, m[LEAVE_FIRST] + line, m[LEAVE_NEXT], m[LEAVE_BEFORE], row)
    return row


@step(INT(INTS, INT, INT), inline=True)
def strike_stopped(m: Int64, row: int, line: int) -> int:
    """Take job `row` out of those of `line` that stand still; return the row before it, -1 if it was the first."""
    return unchain(m, m[STOP_FIRST] + line, m[STOP_NEXT], m[STOP_BEFORE], row)


# ---- a stay -------------------------------------------------------------------------------------------


@step(INT(INTS, INT))
def begin_stay(m: Int64, row: int) -> int:
    """Note that job `row` starts now, for the first time or again; return how long it will stay in ms."""
    now = m[NOW]
    m[m[N_STAYS] + row] += 1
    if m[m[START] + row] < 0:
        m[m[START] + row] = now
    else:
        m[m[REQUEUE_WAIT] + row] += now - m[m[LEFT] + row]
    m[m[BEGAN] + row] = now
    m[m[BEFORE] + row] = m[m[KEEPS] + row]
    m[m[TOLD] + row] = -1
    m[m[LEAVES] + row] = -1
    m[m[SEQUENCE_OF] + row] = m[SEQUENCE]
    length = stay_length(m, row)
    is_cut = m[IS_KILLING] == 1 and m[m[LIMIT] + row] < length
    m[m[IS_CUT] + row] = 1 if is_cut else 0
    if m[HAS_PAUSES] == 1:
        m[m[IDLE_MS] + row] = 0
        m[m[KILLED_AT] + row] = now + m[m[LIMIT] + row] if m[IS_KILLING] == 1 else NEVER
    m[m[LENGTH] + row] = m[m[LIMIT] + row] if is_cut else length
    if m[SCOPES] > 0 and m[m[IS_SAFE] + row] == 0:
        list_running(m, row, m[m[SHAPE_LINE] + m[m[SHAPE] + row]])
    return m[m[LENGTH] + row]


@step(INT(INTS, INT, INT), inline=True)
def end_stay(m: Int64, row: int, now: int) -> int:
    """Note what work job `row` has saved when it ends by itself; return it in ms."""
    kept = m[m[RUNTIME] + row]
    if m[m[IS_CUT] + row] == 1:
        kept = m[m[BEFORE] + row] + work_saved(m, row, now)
    m[m[KEEPS] + row] = kept
    return kept
