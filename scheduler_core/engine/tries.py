"""Whose turn it is in a pass of strict or best-effort: groups that are asked, parked or dropped."""

from scheduler_core.engine.evicting import has_asked, may_gain, scopes_for
from scheduler_core.engine.live import queued_before
from scheduler_core.engine.members import key_now
from scheduler_core.engine.quotas import (
    has_holder,
    has_quota,
    passes_shares,
)
from scheduler_core.engine.returned import earlier, ranks_before
from scheduler_core.engine.waiting import head_of_set, next_slot
from scheduler_core.kernels.jit import FLOATS, INT, INTS, step
from scheduler_core.kernels.levels import fits
from scheduler_core.kernels.state import (
    BEST_EFFORT,
    BORROWERS,
    BUSY_GROUP,
    BY_KEY,
    BY_SHARE,
    DISCIPLINE,
    FAIR_SHARE,
    FROM_RESERVE,
    GROUP_KEY,
    HEAD_ROW,
    HOLDER,
    IS_BLOCKED,
    IS_BY_SHAPE,
    IS_CHANGED,
    IS_DECISION,
    IS_HOLD,
    IS_KEEPING,
    IS_MOVING,
    IS_ONE_ROOM,
    IS_PINNING,
    IS_TURN_BASED,
    JOINED,
    KEY,
    LINE_GROUPS,
    LIVE,
    N_BUSY,
    N_NEW,
    N_TRIES,
    N_WINDOWS,
    NEW_GROUP,
    ORDER_KIND,
    PARKED,
    RANK,
    REFUSED_IN,
    RETURNED_FIRST,
    RETURNED_NEXT,
    ROW_AT,
    SCOPES,
    SHAPE,
    SHAPE_ASK,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_LEAF,
    SHAPE_SHARES,
    SHARE,
    SLOT,
    STRICT,
    TENANT_ABOVE,
    TENANT_KEY,
    TENANT_NOMINAL,
    TENANT_USE,
    TRIED_GROUP,
    TRY_FRESH,
    TRY_RETURNED,
    TRY_ROW,
)
from scheduler_core.kernels.tables import Floats, Int64

WAKING = BORROWERS | FAIR_SHARE | FROM_RESERVE
"""Scopes by which a start may make somebody else a candidate: it uses up a nominal, or a reserved share."""
BY_ROOM, BY_RESERVE = 1, 2
"""Why a group is parked: its job found no room, or a reserved share kept it out."""


@step(INT(INTS, INT), inline=True)
def is_open(m: Int64, shape: int) -> int:
    """Return 1 if a shape may use a domain that no blocked job has closed, else 0."""
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if m[m[HOLDER] + m[m[SHAPE_DOMAIN] + entry]] < 0:
            return 1
    return 0


@step(INT(INTS, INT, INT), inline=True)
def list_tries(m: Int64, line: int, touch: int) -> int:
    """List the groups of `line` whose jobs may fit now that could not before; return how many.

    Every job that waits was refused in the last pass. Where no GPUs came back since, only the jobs of
    groups that had none then can fit.
    """
    first = m[m[LINE_GROUPS] + line]
    if m[IS_BY_SHAPE] == 0:
        n_groups = 0
        for group in range(first, m[m[LINE_GROUPS] + line + 1]):
            if m[m[HEAD_ROW] + group] >= 0:
                m[m[TRIED_GROUP] + n_groups] = group
                n_groups += 1
        m[N_TRIES] = n_groups
        return n_groups
    listed, n_groups = m[BUSY_GROUP] + first, m[m[N_BUSY] + line]
    if touch == JOINED:
        listed, n_groups = m[NEW_GROUP] + first, m[m[N_NEW] + line]
    for at in range(n_groups):
        m[m[TRIED_GROUP] + at] = m[listed + at]
        m[m[REFUSED_IN] + m[listed + at]] = 0
        if m[IS_TURN_BASED] == 1:
            m[m[TRY_ROW] + m[listed + at]] = m[m[HEAD_ROW] + m[listed + at]]
            m[m[PARKED] + m[listed + at]] = 0
        if m[IS_MOVING] == 1:
            m[m[TRY_FRESH] + m[listed + at]] = head_of_set(m, m[listed + at])
            m[m[TRY_RETURNED] + m[listed + at]] = m[m[RETURNED_FIRST] + m[listed + at]]
    m[N_TRIES] = n_groups
    m[m[N_NEW] + line] = 0
    return n_groups


@step(INT(INTS, INT), inline=True)
def fits_somewhere(m: Int64, shape: int) -> int:
    """Return 1 if a gang of `shape` fits one of its domains now, else 0."""
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if fits(m, LIVE, m[m[SHAPE_DOMAIN] + entry], m[m[SHAPE_ASK] + shape]) == 1:
            return 1
    return 0


@step(INT(INTS), inline=True)
def is_next_to_ask(m: Int64) -> int:
    """Return 1 if a job may evict for any reason: nobody was blocked ahead of it, or nobody blocks anybody."""
    return 1 if m[DISCIPLINE] == BEST_EFFORT or m[IS_BLOCKED] == 0 else 0


@step(INT(INTS, INT), inline=True)
def is_hopeless(m: Int64, row: int) -> int:
    """Return 1 if neither job `row` nor anybody behind it in its group can matter in this pass, else 0."""
    shape = m[m[SHAPE] + row]
    if m[IS_HOLD] == 1:
        return has_holder(m, shape)  # one that fits nowhere may still hold up others when its turn comes
    if m[SCOPES] > 0 and (m[N_WINDOWS] > 0 or has_asked(m, row) == 1):
        return 0  # one that decided already, or is in other bands, says nothing about those behind it
    if m[SCOPES] > 0 and may_gain(m, row, scopes_for(m, is_next_to_ask(m))) == 1:
        return 0
    if m[DISCIPLINE] == STRICT:
        if is_open(m, shape) == 0:
            return 1
    elif fits_somewhere(m, shape) == 0:
        return 1
    return 0 if m[IS_TURN_BASED] == 1 else 1 - has_quota(m, shape)


@step(INT(INTS, INT), inline=True)
def drop_try(m: Int64, at: int) -> int:
    """Ask the group at place `at` of the tries no more in this pass; return how many are left."""
    n_left = m[N_TRIES] - 1
    m[N_TRIES] = n_left
    m[at] = m[m[TRIED_GROUP] + n_left]
    return n_left


@step(INT(INTS), inline=True)
def has_group_keys(m: Int64) -> int:
    """Return 1 if groups are compared by keys that change, 0 if by the ranks or the kept keys of their jobs."""
    if m[IS_KEEPING] == 1 and m[IS_DECISION] == 0:
        return 0
    return 1 if m[ORDER_KIND] == BY_KEY or m[ORDER_KIND] == BY_SHARE else 0


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def is_before(m: Int64, row: int, group: int, other: int, other_group: int) -> int:
    """Return 1 if job `row`, first of `group`, ranks before `other`, first of `other_group`, else 0."""
    if has_group_keys(m) == 0:
        if m[IS_MOVING] == 1:
            return ranks_before(m, row, other)
        return 1 if m[m[RANK] + row] < m[m[RANK] + other] else 0
    gap = m[m[GROUP_KEY] + group] - m[m[GROUP_KEY] + other_group]
    return 1 if gap < 0 or (gap == 0 and queued_before(m, row, other) == 1) else 0


@step(INT(INTS, KEY, FLOATS, INT))
def set_group_key(m: Int64, key: object, numbers: Floats, group: int) -> int:
    """Set the key of the job of `group` that is next at this time; return it."""
    row = m[m[TRY_ROW] + group]
    if row >= 0 and m[ORDER_KIND] == BY_SHARE:
        m[m[GROUP_KEY] + group] = m[m[TENANT_KEY] + m[m[SHAPE_LEAF] + m[m[SHAPE] + row]]]
    elif row >= 0 and m[ORDER_KIND] == BY_KEY:
        m[m[GROUP_KEY] + group] = key_now(m, key, numbers, row)
    return m[m[GROUP_KEY] + group]


@step(INT(INTS, KEY, SHARE, FLOATS, INT))
def set_keys(m: Int64, key: object, share: object, numbers: Floats, line: int) -> int:
    """Bring the keys of all groups that are tried up to date; return how many there are."""
    if m[IS_ONE_ROOM] == 0:
        m[IS_CHANGED] = 1  # others may be first and stop the rest, though nothing was started or freed
    if m[ORDER_KIND] == BY_SHARE:
        share(m, numbers, line)  # type: ignore[operator]
    for at in range(m[TRIED_GROUP], m[TRIED_GROUP] + m[N_TRIES]):
        set_group_key(m, key, numbers, m[at])
    return m[N_TRIES]


@step(INT(INTS, INT), inline=True)
def lay_by(m: Int64, at: int) -> int:
    """Park the hopeless group at place `at` of the tries, if a start may give it hope, or drop it; return its place."""
    if m[SCOPES] & WAKING != 0 and m[m[TRY_ROW] + m[at]] >= 0:
        m[m[PARKED] + m[at]] = BY_ROOM
    else:
        drop_try(m, at)
    return at


@step(INT(INTS), inline=True)
def next_try(m: Int64) -> int:
    """Return where in `m` the group stands whose first job ranks first among those with hope, -1 for none.

    Within a pass GPUs and quota only become fewer, so a group that is hopeless once is not asked again.
    """
    heads = m[TRY_ROW]
    best, best_at, at = -1, -1, m[TRIED_GROUP]
    while at < m[TRIED_GROUP] + m[N_TRIES]:
        row = m[heads + m[at]]
        is_parked = m[IS_TURN_BASED] == 1 and m[m[PARKED] + m[at]] > 0
        if row < 0 or (not is_parked and is_hopeless(m, row) == 1):
            lay_by(m, at)
        elif is_parked:
            at += 1
        else:
            if best < 0 or is_before(m, row, m[at], best, m[best_at]) == 1:
                best, best_at = row, at
            at += 1
    return best_at


# ---- answers that change within a pass ----------------------------------------------------------------
# A refusal says something about those behind in the same group, too, but not for ever: a start may use up the quota,
# so that the next of them holds up its tenant (quota_blocked: hold), or be the last of a band that waited, so that
# its reserved share is free, or lift a tenant above its nominal, so that its jobs may be evicted. Such groups are
# parked, and asked again from the first job whose turn is still to come.


@step(INT(INTS, INT), inline=True)
def move_on(m: Int64, group: int) -> int:
    """Make the job behind the next one of `group` the next; return it, -1 if there is none."""
    row = m[m[TRY_ROW] + group]
    if m[IS_MOVING] == 1 and row == m[m[TRY_RETURNED] + group]:
        m[m[TRY_RETURNED] + group] = m[m[RETURNED_NEXT] + row]  # kept, even if it has just left the list
        m[m[TRY_ROW] + group] = earlier(m, m[m[TRY_FRESH] + group], m[m[RETURNED_NEXT] + row])
        return m[m[TRY_ROW] + group]
    slot = next_slot(m, group, m[m[SLOT] + row] + 1)
    row = m[m[ROW_AT] + slot] if slot >= 0 else -1
    if m[IS_MOVING] == 1:
        m[m[TRY_FRESH] + group] = row
        row = earlier(m, row, m[m[TRY_RETURNED] + group])
    m[m[TRY_ROW] + group] = row
    return row


@step(INT(INTS, INT), inline=True)
def gives_candidates(m: Int64, row: int) -> int:
    """Return 1 if the start of job `row` may let others be evicted that could not be before, else 0."""
    shape = m[m[SHAPE] + row]
    if m[SCOPES] & FAIR_SHARE != 0 or (m[SCOPES] & FROM_RESERVE != 0 and m[m[SHAPE_SHARES] + shape] != 0):
        return 1
    at = m[m[SHAPE_LEAF] + shape] if m[SCOPES] & BORROWERS != 0 else -1
    while at >= 0 and m[m[TENANT_ABOVE] + at] >= 0:
        if m[m[TENANT_USE] + at] > m[m[TENANT_NOMINAL] + at]:
            return 1
        at = m[m[TENANT_ABOVE] + at]
    return 0


@step(INT(INTS, INT, INT), inline=True)
def is_woken(m: Int64, group: int, has_candidates: int) -> int:
    """Return 1 if the next job of a parked group may get another answer now, else 0."""
    row = m[m[TRY_ROW] + group]
    shape = m[m[SHAPE] + row]
    if m[IS_HOLD] == 1 and has_quota(m, shape) == 0:
        return 1
    if has_candidates == 1 and may_gain(m, row, scopes_for(m, is_next_to_ask(m))) == 1:
        return 1
    return passes_shares(m, shape) if m[m[PARKED] + group] == BY_RESERVE else 0


@step(INT(INTS, KEY, FLOATS, INT))
def wake_parked(m: Int64, key: object, numbers: Floats, started: int) -> int:
    """After the start of the next job of group `started`, wake the groups that get other answers now; return 1."""
    row = m[m[TRY_ROW] + started]
    has_candidates = gives_candidates(m, row)
    for at in range(m[TRIED_GROUP], m[TRIED_GROUP] + m[N_TRIES]):
        group = m[at]
        is_parked = m[m[PARKED] + group] > 0 and m[m[TRY_ROW] + group] >= 0
        if is_parked and (m[ORDER_KIND] == BY_SHARE or is_woken(m, group, has_candidates) == 1):
            while m[m[TRY_ROW] + group] >= 0:
                set_group_key(m, key, numbers, group)
                if is_before(m, row, started, m[m[TRY_ROW] + group], group) == 1:
                    break
                move_on(m, group)
            if m[m[TRY_ROW] + group] >= 0 and is_woken(m, group, has_candidates) == 1:
                m[m[PARKED] + group] = 0
    move_on(m, started)
    return 1


@step(INT(INTS, INT, INT), inline=True)
def set_aside(m: Int64, at: int, why: int) -> int:
    """Ask the group at place `at` of the tries no more, or not before its answer may change; return groups left.

    A job that may not ask (again), or is barred by a window, says nothing about those behind it.
    """
    row = m[m[TRY_ROW] + m[at]]
    if m[N_WINDOWS] > 0 or (m[SCOPES] > 0 and (m[IS_PINNING] == 0 or has_asked(m, row) == 1)):
        move_on(m, m[at])
        return m[N_TRIES]
    if m[IS_HOLD] == 1 or why == BY_RESERVE or m[SCOPES] & WAKING != 0:
        m[m[PARKED] + m[at]] = why
        return m[N_TRIES]
    return drop_try(m, at)
