"""Why is it waiting? Cumulative clocks per shape, one of twelve causes at a time.

All waiting jobs of a shape have the same cause, because a cause depends only on the shape and on what
is free after the pass (docs/model.md). So a shape keeps one clock per cause; a job that waits
subtracts the clocks when it begins to wait and adds them when it starts, and the sums are exact.
"""

from scheduler_core.engine.offers import sum_in
from scheduler_core.engine.quotas import charge, has_holder, has_quota, passes_quota, passes_shares
from scheduler_core.engine.windows import fits_for
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import fits, free_in
from scheduler_core.kernels.state import (
    ACTUAL,
    AHEAD,
    BEHIND,
    BLOCK_HELD,
    BLOCK_LEAVING,
    CAUSE,
    CLASS_BEHIND,
    CLOCKS,
    COLLECT_MS,
    DISCIPLINE,
    ELASTIC_ROLE,
    FITS_IN,
    FRESH,
    HAS_STAYS,
    HOLDER,
    IS_CHANGED,
    IS_COUNTED,
    IS_COUNTING,
    IS_DECISION,
    IS_FILLING,
    IS_ONE_ROOM,
    IS_QUOTA,
    IS_ROOM_CHANGED,
    JOB_CLASS,
    KEPT,
    LISTED,
    LISTED_AT,
    LIVE,
    N_KEPT,
    N_LISTED,
    N_SHAPES,
    N_SHARES,
    N_TYPES,
    N_WINDOWS,
    NEVER,
    NOW,
    OFFER_MS,
    OFFERED_ROLE,
    REFUSED_IN,
    ROOM_HIGH,
    ROOM_LOW,
    SHAPE,
    SHAPE_ASK,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GPUS,
    SHAPE_GROUP,
    SHAPE_LEAF,
    SHAPE_OTHER,
    SHAPE_OTHERS,
    SHAPE_ROW,
    SHAPE_TYPE,
    SHAPE_TYPES,
    SINCE,
    STRICT,
    SUBMIT,
    TENANT_HELD,
    TYPE_SCOPE,
    WAIT,
    WAITING,
    WINDOW_FIRST,
    WINDOW_LAST,
)
from scheduler_core.kernels.tables import CAUSES, Int64

N_CAUSES = len(CAUSES)
SCHEDULER = CAUSES.index("scheduler")
RESERVATION = CAUSES.index("reservation")
ORDER = CAUSES.index("order")
QUOTA = CAUSES.index("quota")
TYPE = CAUSES.index("type")
GANG_HOLD = CAUSES.index("gang_hold")
GRACE = CAUSES.index("grace")
FRAGMENTATION = CAUSES.index("fragmentation")
CAPACITY = CAUSES.index("capacity")


@step(INT(INTS, INT, INT), inline=True)
def settle(m: Int64, shape: int, now: int) -> int:
    """Bring the clocks of `shape` up to `now`; return the time added in ms."""
    elapsed = now - m[m[SINCE] + shape]
    if elapsed > 0 and m[m[CAUSE] + shape] >= 0:
        m[m[CLOCKS] + shape * N_CAUSES + m[m[CAUSE] + shape]] += elapsed
        if m[m[AHEAD] + shape] >= 0:
            m[m[BEHIND] + shape * N_CAUSES + m[m[AHEAD] + shape]] += elapsed
    m[m[SINCE] + shape] = now
    return elapsed


@step(INT(INTS, INT, INT, INT), inline=True)
def book(m: Int64, row: int, shape: int, sign: int) -> int:
    """Add `sign` times the clocks of `shape` to the waits of job `row`; return the row."""
    n_kept, kept = m[N_KEPT], m[KEPT]
    wait, clocks, behind = m[WAIT] + row * n_kept, m[CLOCKS] + shape * N_CAUSES, m[BEHIND] + shape * N_CAUSES
    for at in range(n_kept):
        m[wait + at] += sign * m[clocks + m[kept + at]]
    is_offer = m[OFFER_MS] > 0 and m[m[ELASTIC_ROLE] + row] == OFFERED_ROLE  # in no metric of jobs
    if m[clocks + ORDER] != 0 and m[WINDOW_FIRST] <= row < m[WINDOW_LAST] and not is_offer:
        sums = m[CLASS_BEHIND] + m[m[JOB_CLASS] + row] * N_CAUSES
        for at in range(n_kept):
            m[sums + m[kept + at]] += sign * m[behind + m[kept + at]]
    return row


@step(INT(INTS, INT, INT), inline=True)
def is_counting(m: Int64, row: int, now: int) -> int:
    """Return 1 if the waiting clocks of job `row` run at `now`; those of one that came just now do not yet."""
    if m[HAS_STAYS] == 1:
        return m[m[IS_COUNTING] + row]
    return 1 if m[m[SUBMIT] + row] < now else 0


@step(INT(INTS, INT, INT), inline=True)
def begin_wait(m: Int64, row: int, now: int) -> int:
    """Note that job `row` waits from `now` on; return its shape."""
    shape = m[m[SHAPE] + row]
    if m[HAS_STAYS] == 1:
        m[m[IS_COUNTING] + row] = 1
    if m[m[WAITING] + shape] == 0:
        listed = m[N_LISTED]
        m[m[LISTED] + listed] = shape
        m[m[LISTED_AT] + shape] = listed
        m[N_LISTED] = listed + 1
        m[m[CAUSE] + shape] = -1
        m[m[AHEAD] + shape] = -1
        m[m[SINCE] + shape] = now
        m[IS_CHANGED] = 1
    else:
        settle(m, shape, now)
    m[m[WAITING] + shape] += 1
    book(m, row, shape, -1)
    return shape


@step(INT(INTS, INT, INT), inline=True)
def end_wait(m: Int64, row: int, now: int) -> int:
    """Book the wait of job `row`, which began before `now`; return its shape."""
    shape = m[m[SHAPE] + row]
    if m[HAS_STAYS] == 1:
        m[m[IS_COUNTING] + row] = 0
    settle(m, shape, now)
    book(m, row, shape, 1)
    m[m[WAITING] + shape] -= 1
    if m[m[WAITING] + shape] == 0:
        listed = m[N_LISTED] - 1
        other = m[m[LISTED] + listed]
        m[m[LISTED] + m[m[LISTED_AT] + shape]] = other
        m[m[LISTED_AT] + other] = m[m[LISTED_AT] + shape]
        m[N_LISTED] = listed
    return shape


@step(INT(INTS, INT, INT), inline=True)
def holds(m: Int64, scope: int, ask: int) -> int:
    """Return 1 if what is asked fits a scope that may join several fences, else 0; counted, it is only GPUs."""
    if m[IS_COUNTED] == 1:
        return 1 if free_in(m, ACTUAL, scope) >= ask else 0
    return fits(m, ACTUAL, scope, ask)


@step(INT(INTS, INT, INT, INT), inline=True)
def is_enough(m: Int64, gpus: int, is_with_held: int, is_with_leaving: int) -> int:
    """Return 1 if `gpus` are free on one type, however they lie, else 0.

    With or without those that gangs hold while they collect, and those of jobs in grace.
    """
    for at in range(m[N_TYPES]):
        scope = m[m[TYPE_SCOPE] + at]
        held = sum_in(m, m[BLOCK_HELD], scope) if is_with_held == 1 else 0
        leaving = sum_in(m, m[BLOCK_LEAVING], scope) if is_with_leaving == 1 else 0
        if free_in(m, ACTUAL, scope) + held + leaving >= gpus:
            return 1
    return 0


@step(INT(INTS, INT))
def why_not(m: Int64, shape: int) -> int:
    """Return the cause of a shape that fits none of its domains now."""
    gpus, ask = m[m[SHAPE_GPUS] + shape], m[m[SHAPE_ASK] + shape]
    for entry in range(m[m[SHAPE_TYPES] + shape], m[m[SHAPE_TYPES] + shape + 1]):
        if holds(m, m[m[SHAPE_TYPE] + entry], ask) == 1:
            return QUOTA
    for entry in range(m[m[SHAPE_OTHERS] + shape], m[m[SHAPE_OTHERS] + shape + 1]):
        if holds(m, m[m[SHAPE_OTHER] + entry], ask) == 1:
            return TYPE
    if m[IS_COUNTED] == 0 and is_enough(m, gpus, 0, 0) == 1:
        return FRAGMENTATION
    if m[COLLECT_MS] > 0:  # nobody is evicted then, so nobody is in grace
        return GANG_HOLD if is_enough(m, gpus, 1, 0) == 1 else CAPACITY
    return GRACE if m[HAS_STAYS] == 1 and is_enough(m, gpus, 0, 1) == 1 else CAPACITY


@step(INT(INTS, INT), inline=True)
def passes_as_it_waits(m: Int64, shape: int) -> int:
    """Return 1 if a waiting job of `shape` passes its quota test now; its own pins do not count against it.

    One that collects has passed it.
    """
    if shape < m[N_SHAPES] or m[IS_QUOTA] == 0:
        return has_quota(m, shape)
    if m[COLLECT_MS] > 0:
        return 1
    leaf, gpus = m[m[SHAPE_LEAF] + shape], m[m[SHAPE_GPUS] + shape]
    charge(m, leaf, -gpus)
    passes = passes_quota(m, leaf, gpus)
    charge(m, leaf, gpus)
    return passes


@step(INT(INTS, INT, INT), inline=True)
def fits_as(m: Int64, domain: int, shape: int) -> int:
    """Return 1 if a job of `shape` may start in `domain` by placement and windows, which keep out all or none of it."""
    if m[N_WINDOWS] > 0:
        return fits_for(m, LIVE, domain, m[m[SHAPE_ROW] + shape], m[NOW])
    return fits(m, LIVE, domain, m[m[SHAPE_ASK] + shape])


@step(INT(INTS, INT))
def waits_for_round(m: Int64, shape: int) -> int:
    """Return 1 if a job of `shape` would start if a round were due: it fits, and the last pass left that open; else 0.

    One with pins is tried at every event.
    """
    if shape >= m[N_SHAPES] or has_quota(m, shape) == 0 or (m[N_SHARES] > 0 and passes_shares(m, shape) == 0):
        return 0
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        domain = m[m[SHAPE_DOMAIN] + entry]
        is_open = m[DISCIPLINE] != STRICT or m[m[HOLDER] + domain] < 0
        if is_open and fits_as(m, domain, shape) == 1:
            return 1
    return 0


@step(INT(INTS, INT), inline=True)
def judge(m: Int64, shape: int) -> int:
    """Return the cause of a shape with waiting jobs now, noting the domain in which it would fit."""
    m[m[FITS_IN] + shape] = -1
    if passes_as_it_waits(m, shape) == 1:
        first, refused_in = m[m[SHAPE_DOMAINS] + shape], m[m[REFUSED_IN] + m[m[SHAPE_GROUP] + shape]]
        is_outside = shape >= m[N_SHAPES] and m[COLLECT_MS] == 0  # pinned jobs; those that collect stand in line
        is_in_line = m[DISCIPLINE] == STRICT and not is_outside
        for entry in range(first, m[m[SHAPE_DOMAINS] + shape + 1]):
            domain = m[m[SHAPE_DOMAIN] + entry]
            if fits(m, ACTUAL, domain, m[m[SHAPE_ASK] + shape]) == 1:
                if m[m[FITS_IN] + shape] < 0:
                    m[m[FITS_IN] + shape] = domain
                holder = m[m[HOLDER] + domain]
                # one of its own shape closed the domain in its turn: it was open then, and kept for somebody else
                is_stopped = is_in_line and holder >= 0 and m[m[SHAPE] + holder] != shape
                if not is_stopped or (refused_in >> (entry - first)) & 1 == 1:
                    return ORDER if has_holder(m, shape) == 1 else RESERVATION
        if m[m[FITS_IN] + shape] >= 0:
            return ORDER  # all domains in which it fits are closed
    return why_not(m, shape)


@step(INT(INTS))
def judge_between_rounds(m: Int64) -> int:
    """Where only the missing round keeps a shape from starting, that is its cause; return how many shapes wait."""
    for at in range(m[N_LISTED]):
        shape = m[m[LISTED] + at]
        if waits_for_round(m, shape) == 1:
            m[m[FITS_IN] + shape] = -1
            m[m[FRESH] + shape] = SCHEDULER
    return m[N_LISTED]


@step(INT(INTS), inline=True)
def judge_all(m: Int64) -> int:
    """Note the cause of every shape with waiting jobs now; return how many there are."""
    for at in range(m[N_LISTED]):
        m[m[FRESH] + m[m[LISTED] + at]] = judge(m, m[m[LISTED] + at])
    return judge_between_rounds(m) if m[IS_FILLING] == 0 and m[IS_DECISION] == 0 else m[N_LISTED]


@step(INT(INTS), inline=True)
def is_alike(m: Int64) -> int:
    """Return 1 if no cause can have changed since causes were last given, else 0."""
    if m[IS_CHANGED] == 1:
        return 0
    if m[IS_ROOM_CHANGED] == 1:
        return 1 if m[IS_ONE_ROOM] == 1 and m[ROOM_LOW] <= free_in(m, ACTUAL, 0) < m[ROOM_HIGH] else 0
    return 1


@step(INT(INTS), inline=True)
def note_room(m: Int64) -> int:
    """Note between which numbers of free GPUs the same waiting gangs fit as now; return the lower."""
    free, low, high = free_in(m, ACTUAL, 0), 0, NEVER
    for at in range(m[N_LISTED]):
        gpus = m[m[SHAPE_GPUS] + m[m[LISTED] + at]]
        if gpus <= free:
            low = max(low, gpus)
        else:
            high = min(high, gpus)
    m[ROOM_LOW] = low
    m[ROOM_HIGH] = high
    return low


@step(INT(INTS, INT), inline=True)
def explain(m: Int64, now: int) -> int:
    """Give every shape with waiting jobs its cause from `now` on; return how many there are."""
    n_listed = m[N_LISTED]
    if n_listed == 0 or is_alike(m) == 1:
        m[IS_ROOM_CHANGED] = 0
        return n_listed
    m[IS_CHANGED] = 0
    m[IS_ROOM_CHANGED] = 0
    if m[IS_ONE_ROOM] == 1:
        note_room(m)
    judge_all(m)
    listed, fresh = m[LISTED], m[FRESH]
    for at in range(n_listed):
        shape = m[listed + at]
        ahead = -1
        if m[fresh + shape] == ORDER:
            closer = m[m[HOLDER] + m[m[FITS_IN] + shape]]
            if has_holder(m, shape) == 1:
                closer = m[m[TENANT_HELD] + m[m[SHAPE_LEAF] + shape]]
            if closer >= 0:
                ahead = m[fresh + m[m[SHAPE] + closer]]
        if m[fresh + shape] != m[m[CAUSE] + shape] or ahead != m[m[AHEAD] + shape]:
            settle(m, shape, now)
            m[m[CAUSE] + shape] = m[fresh + shape]
            m[m[AHEAD] + shape] = ahead
    return n_listed
