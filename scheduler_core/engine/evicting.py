"""A waiting job that does not fit asks whether others must leave for it (docs/model.md, 15.2, 15.6, 15.7)."""

from scheduler_core.engine.candidates import reason_for
from scheduler_core.engine.gains import most_from
from scheduler_core.engine.leaving import send_off, warn
from scheduler_core.engine.offers import not_kept_in
from scheduler_core.engine.pins import pin
from scheduler_core.engine.quotas import count_use, has_quota, leaves_shares, passes_shares
from scheduler_core.engine.stays import add_upwards
from scheduler_core.engine.victims import first_victim, next_victim
from scheduler_core.engine.windows import choose_for, fits_for
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import change, copy_domain, free_in
from scheduler_core.kernels.state import (
    ACTUAL,
    BORROWERS,
    DECIDED,
    EVICTOR,
    FAIR_SHARE,
    FREE,
    FROM_RESERVE,
    GONE_ROW,
    GONE_WHY,
    IS_DECISION,
    IS_PINNING,
    IS_SPENT,
    IS_SUSPENDING,
    JOB_SLICE,
    LATER,
    LEAVE_FIRST,
    LEAVE_NEXT,
    LINE_DOMAINS,
    LINE_LEAVING,
    LIVE,
    N_GONE,
    N_LISTS,
    N_SHARES,
    NODE_FREED,
    NODE_LEAVING,
    NODE_LEFT,
    NODE_PINNED,
    NOW,
    PICK,
    SCOPES,
    SHAPE,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GPUS,
    SHAPE_LEAF,
    SHAPE_LINE,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    TENANT_TAKEN,
    TOLD,
)
from scheduler_core.kernels.tables import Int64

# ---- the snapshot -------------------------------------------------------------------------------------


@step(INT(INTS, INT, INT))
def imagine(m: Int64, row: int, sign: int) -> int:
    """Count running job `row` as gone (1), or as here again (-1), in the table LATER; return the row."""
    piece = m[m[JOB_SLICE] + row]
    while piece >= 0:
        node, gpus = m[m[SLICE_NODE] + piece], sign * m[m[SLICE_GPUS] + piece]
        m[m[NODE_FREED] + node] += gpus
        if m[m[TOLD] + row] >= 0:
            m[m[NODE_LEFT] + node] += gpus
        kept = m[m[NODE_PINNED] + node] - (m[m[NODE_LEAVING] + node] - m[m[NODE_LEFT] + node])
        offered = max(m[m[FREE + ACTUAL] + node] + m[m[NODE_FREED] + node] - max(kept, 0), 0)
        change(m, LATER, node, offered - m[m[FREE + LATER] + node])
        piece = m[m[SLICE_NEXT] + piece]
    if (m[N_LISTS] > 1 or m[SCOPES] & FAIR_SHARE != 0) and m[m[TOLD] + row] < 0:
        shape = m[m[SHAPE] + row]
        add_upwards(m, m[TENANT_TAKEN], m[m[SHAPE_LEAF] + shape], sign * m[m[SHAPE_GPUS] + shape])
    return row


@step(INT(INTS, INT))
def count_gone(m: Int64, sign: int) -> int:
    """Count the GPUs of all who are gone as not in use (-1), or as in use again (1); return how many are gone."""
    for at in range(m[N_GONE]):
        row = m[m[GONE_ROW] + at]
        if row >= 0:
            count_use(m, m[m[SHAPE] + row], sign)
    return m[N_GONE]


@step(INT(INTS, PICK, PICK, INT))
def place_counted(m: Int64, pick_node: object, pick_rest: object, row: int) -> int:
    """Choose nodes for job `row` where the GPUs of all gone count as not in use; return how many, 0 if it fails."""
    shape, most = m[m[SHAPE] + row], 0
    gpus = m[m[SHAPE_GPUS] + shape]
    first, last = m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]
    for entry in range(first, last):
        most = max(most, free_in(m, LATER, m[m[SHAPE_DOMAIN] + entry]))
    if most < gpus or has_quota(m, shape) == 0 or (m[N_SHARES] > 0 and leaves_shares(m, LATER, shape) == 0):
        return 0
    for entry in range(first, last):
        n_nodes = choose_for(m, LATER, pick_node, pick_rest, m[m[SHAPE_DOMAIN] + entry], row, m[NOW])
        if n_nodes > 0:
            return n_nodes
    return 0


@step(INT(INTS, PICK, PICK, INT))
def place_later(m: Int64, pick_node: object, pick_rest: object, row: int) -> int:
    """Choose nodes for job `row` with all gone who are counted so; return how many, 0 if it does not pass."""
    count_gone(m, -1)
    n_nodes = place_counted(m, pick_node, pick_rest, row)
    count_gone(m, 1)
    return n_nodes


@step(INT(INTS, INT, INT), inline=True)
def count_as_gone(m: Int64, row: int, why: int) -> int:
    """Add running job `row` to those counted as gone; return how many there are."""
    imagine(m, row, 1)
    m[m[GONE_ROW] + m[N_GONE]] = row
    m[m[GONE_WHY] + m[N_GONE]] = why
    m[N_GONE] += 1
    return m[N_GONE]


# ---- a decision ---------------------------------------------------------------------------------------


@step(INT(INTS, INT, INT))
def open_snapshot(m: Int64, row: int, allowed: int) -> int:
    """Copy what is offered in the line, and count as gone whoever leaves and could be evicted; return how many."""
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    for domain in range(m[m[LINE_DOMAINS] + line], m[m[LINE_DOMAINS] + line + 1]):
        copy_domain(m, LIVE, LATER, domain)
    m[N_GONE] = 0
    leaver = m[m[LEAVE_FIRST] + line]
    while leaver >= 0:
        why = reason_for(m, row, leaver, allowed)
        if why > 0:
            count_as_gone(m, leaver, why)
        leaver = m[m[LEAVE_NEXT] + leaver]
    return m[N_GONE]


@step(INT(INTS), inline=True)
def close_snapshot(m: Int64) -> int:
    """Take back what was imagined, so that the next snapshot begins from nothing; return how many are gone."""
    for at in range(m[N_GONE]):
        if m[m[GONE_ROW] + at] >= 0:
            imagine(m, m[m[GONE_ROW] + at], -1)
    return m[N_GONE]


# ---- how many must go ---------------------------------------------------------------------------------
# The job passes as soon as its placement and its other tests do. Placement never gets harder when one more is gone (a
# node gets emptier, and an idle node that is not needed whole holds any remainder), so its first success is found by
# doubling and halving. From there on all tests are made after each candidate.


@step(INT(INTS, INT), inline=True)
def has_room_later(m: Int64, row: int) -> int:
    """Return 1 if job `row` can be placed with all gone who are counted so, whatever other tests say; else 0."""
    shape = m[m[SHAPE] + row]
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if fits_for(m, LATER, m[m[SHAPE_DOMAIN] + entry], row, m[NOW]) == 1:
            return 1
    return 0


@step(INT(INTS, INT, INT, INT, INT))
def take_up_to(m: Int64, row: int, victim: int, allowed: int, wanted: int) -> int:
    """Count candidates from `victim` on as gone, until `wanted` are; return the candidate after the last, or -1."""
    while victim >= 0 and m[N_GONE] < wanted:
        why = reason_for(m, row, victim, allowed)
        if why > 0:
            count_as_gone(m, victim, why)
        victim = next_victim(m, row, victim, allowed)
    return victim


@step(INT(INTS, INT))
def count_first(m: Int64, wanted: int) -> int:
    """Count exactly the first `wanted` of the list of those gone as gone; return `wanted`."""
    while m[N_GONE] > wanted:
        m[N_GONE] -= 1
        imagine(m, m[m[GONE_ROW] + m[N_GONE]], -1)
    while m[N_GONE] < wanted:
        imagine(m, m[m[GONE_ROW] + m[N_GONE]], 1)
        m[N_GONE] += 1
    return wanted


@step(INT(INTS, INT, INT, INT))
def count_fewest(m: Int64, row: int, too_few: int, enough: int) -> int:
    """Count as few of the list as gone as job `row` needs to be placed: more than `too_few`; return how many."""
    while enough - too_few > 1:
        middle = (too_few + enough) >> 1
        count_first(m, middle)
        if has_room_later(m, row) == 1:
            enough = middle
        else:
            too_few = middle
    return count_first(m, enough)


@step(INT(INTS, PICK, PICK, INT, INT))
def place_with_more(m: Int64, pick_node: object, pick_rest: object, row: int, most: int) -> int:
    """Count one more of the list as gone after the other, up to `most`, until job `row` passes; return 1 or 0."""
    count_gone(m, -1)
    n_nodes = place_counted(m, pick_node, pick_rest, row)
    while n_nodes == 0 and m[N_GONE] < most:
        count_use(m, m[m[SHAPE] + m[m[GONE_ROW] + m[N_GONE]]], -1)
        count_first(m, m[N_GONE] + 1)
        n_nodes = place_counted(m, pick_node, pick_rest, row)
    count_gone(m, 1)
    return 1 if n_nodes > 0 else 0


@step(INT(INTS, PICK, PICK, INT, INT))
def take_victims(m: Int64, pick_node: object, pick_rest: object, row: int, allowed: int) -> int:
    """Count candidates as gone, one by one, until job `row` passes; return 1 if it does in the end, else 0."""
    if place_later(m, pick_node, pick_rest, row) > 0:
        return 1
    victim, too_few, n_more = first_victim(m, row, allowed), m[N_GONE], 1
    while has_room_later(m, row) == 0:
        if victim < 0:
            return 0
        too_few = m[N_GONE]
        victim = take_up_to(m, row, victim, allowed, too_few + n_more)
        n_more *= 2
    n_listed = m[N_GONE]
    count_fewest(m, row, too_few, n_listed)
    while place_with_more(m, pick_node, pick_rest, row, n_listed) == 0:
        if victim < 0:
            return 0
        tested = n_listed
        victim = take_up_to(m, row, victim, allowed, tested + n_more)
        n_listed = m[N_GONE]
        count_first(m, tested)
        n_more *= 2
    return 1


@step(INT(INTS, PICK, PICK, INT, INT))
def put_back(m: Int64, pick_node: object, pick_rest: object, row: int, first: int) -> int:
    """From the last taken to the first, put back whom job `row` does not need; return how many it keeps."""
    n_kept = 0
    count_gone(m, -1)
    for at in range(m[N_GONE] - 1, first - 1, -1):
        victim = m[m[GONE_ROW] + at]
        imagine(m, victim, -1)
        count_use(m, m[m[SHAPE] + victim], 1)
        if place_counted(m, pick_node, pick_rest, row) == 0:
            imagine(m, victim, 1)
            count_use(m, m[m[SHAPE] + victim], -1)
            n_kept += 1
        else:
            m[m[GONE_ROW] + at] = -1
    count_gone(m, 1)
    return n_kept


@step(INT(INTS, INT, INT, INT))
def tell_all(m: Int64, row: int, first: int, n_nodes: int) -> int:
    """Keep the chosen nodes for job `row` and tell its victims to leave; return how many left at once."""
    n_gone, n_left = m[N_GONE], 0
    for at in range(first, n_gone):
        if m[m[GONE_ROW] + at] >= 0:
            warn(m, m[m[GONE_ROW] + at], row)
    if m[IS_PINNING] == 1:
        pin(m, row, n_nodes)
    for at in range(first, n_gone):
        if m[m[GONE_ROW] + at] >= 0:
            n_left += send_off(m, m[m[GONE_ROW] + at], m[m[GONE_WHY] + at])
    m[N_GONE] = 0
    return n_left


@step(INT(INTS, PICK, PICK, INT, INT))
def decide(m: Int64, pick_node: object, pick_rest: object, row: int, allowed: int) -> int:
    """Evict for job `row` whoever must leave; return 1 if that was decided, 2 if somebody left at once, else 0."""
    n_leaving = open_snapshot(m, row, allowed)
    if take_victims(m, pick_node, pick_rest, row, allowed) == 0:
        close_snapshot(m)
        m[N_GONE] = 0
        return 0
    put_back(m, pick_node, pick_rest, row, n_leaving)
    n_nodes = place_later(m, pick_node, pick_rest, row)
    close_snapshot(m)
    m[m[DECIDED] + row] = m[NOW]
    return 2 if tell_all(m, row, n_leaving, n_nodes) > 0 else 1


# ---- who asks -----------------------------------------------------------------------------------------


@step(INT(INTS, INT), inline=True)
def fits_now(m: Int64, row: int) -> int:
    """Return 1 if job `row` passes its tests and fits the GPUs offered to all, else 0 (15.2)."""
    shape = m[m[SHAPE] + row]
    if has_quota(m, shape) == 0 or (m[N_SHARES] > 0 and passes_shares(m, shape) == 0):
        return 0
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if fits_for(m, LIVE, m[m[SHAPE_DOMAIN] + entry], row, m[NOW]) == 1:
            return 1
    return 0


@step(INT(INTS, INT), inline=True)
def has_own_victim(m: Int64, row: int) -> int:
    """Return 1 if somebody whom job `row` had evicted is still in grace, else 0."""
    leaver = m[m[LEAVE_FIRST] + m[m[SHAPE_LINE] + m[m[SHAPE] + row]]]
    while leaver >= 0:
        if m[m[EVICTOR] + leaver] == row:
            return 1
        leaver = m[m[LEAVE_NEXT] + leaver]
    return 0


@step(INT(INTS, INT), inline=True)
def has_asked(m: Int64, row: int) -> int:
    """Return 1 if job `row` may not ask again: it decided at this instant, or it had others suspended; else 0."""
    if m[m[DECIDED] + row] == m[NOW]:
        return 1
    return m[m[IS_SPENT] + row] if m[IS_SUSPENDING] == 1 else 0


@step(INT(INTS, INT), inline=True)
def scopes_for(m: Int64, is_first: int) -> int:
    """Return the scopes of a job that asks, as bits: all if nobody was blocked ahead of it, none between rounds."""
    if m[IS_DECISION] == 0:
        return 0
    return m[SCOPES] if is_first == 1 else m[SCOPES] & (BORROWERS | FROM_RESERVE)


@step(INT(INTS, INT, INT), inline=True)
def may_gain(m: Int64, row: int, allowed: int) -> int:
    """Return 1 if it is worth looking whom job `row` may evict, else 0; never 0 if a decision would come of it."""
    if has_asked(m, row) == 1:
        return 0
    shape, most = m[m[SHAPE] + row], most_from(m, row, allowed)
    if most < 0 or most + m[m[LINE_LEAVING] + m[m[SHAPE_LINE] + shape]] == 0:
        return 0
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if most + not_kept_in(m, m[m[SHAPE_DOMAIN] + entry]) >= m[m[SHAPE_GPUS] + shape]:
            return 1
    return 0


@step(INT(INTS, PICK, PICK, INT, INT))
def ask(m: Int64, pick_node: object, pick_rest: object, row: int, is_first: int) -> int:
    """Let waiting job `row`, which could not start, ask whether others must leave; return what `decide` returns."""
    allowed = scopes_for(m, is_first)
    if may_gain(m, row, allowed) == 0 or fits_now(m, row) == 1:
        return 0
    if m[IS_PINNING] == 0 and has_own_victim(m, row) == 1:
        return 0
    return decide(m, pick_node, pick_rest, row, allowed)
