"""EASY backfill: the first blocked job of each domain gets a reservation that names GPUs.

S is the first time at which the placement rule places the blocked job on the nodes free by then
(running jobs end at their limit), and the GPUs it takes there are set aside. A later job may start if
it ends by S, or on GPUs that are not needed at S. Reservations are rebuilt at every pass.
"""

from scheduler_core.engine.quotas import forget_held, is_allowed
from scheduler_core.engine.running import start
from scheduler_core.engine.waiting import next_slot
from scheduler_core.engine.windows import choose_for, fits_for, next_close
from scheduler_core.kernels.bits import next_member
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import change, copy_domain, fits, free_in
from scheduler_core.kernels.state import (
    BLOCK_FIRST,
    BLOCK_NODES,
    CHOSEN_GPUS,
    CHOSEN_NODE,
    DEPTH,
    DOMAIN,
    FREE,
    GROUP_FIRST,
    GROUP_LAST,
    HEAD,
    HOLDER,
    IS_KEPT,
    IS_SHORTEST_FIRST,
    JOB_SLICE,
    LATER,
    LIMIT,
    LIMIT_BITS,
    LIMIT_ROW_AT,
    LINE_DOMAINS,
    LINE_GROUPS,
    LINE_TIERS,
    LIVE,
    N_WINDOWS,
    NEVER,
    NOW,
    OFFERED,
    PICK,
    PLAN_COUNT,
    PLAN_END,
    PLAN_FIRST,
    PLAN_ROW,
    RANK,
    ROW_AT,
    SCOPE_BLOCK,
    SCOPE_BLOCKS,
    SHADOW,
    SHAPE,
    SHAPE_ASK,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_LINE,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    SPARE,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT))
def release(m: Int64, row: int, domain: int) -> int:
    """Give the GPUs of running job `row` back in `later` if it runs in `domain`; return the GPUs."""
    piece = m[m[JOB_SLICE] + row]
    gpus = 0
    while piece >= 0:
        node = m[m[SLICE_NODE] + piece]
        if m[m[DOMAIN] + node] != domain:
            return 0
        change(m, LATER, node, m[m[SLICE_GPUS] + piece])
        gpus += m[m[SLICE_GPUS] + piece]
        piece = m[m[SLICE_NEXT] + piece]
    return gpus


@step(INT(INTS, INT, INT, INT))
def shadow_time(m: Int64, row: int, domain: int, line: int) -> int:
    """Return S of job `row` in `domain` in ms, leaving in `later` what is free then."""
    soonest = m[NOW] + 1  # whoever has passed the planned end is about to end
    copy_domain(m, LIVE, LATER, domain)
    at = m[m[PLAN_FIRST] + line]
    last = at + m[m[PLAN_COUNT] + line]
    close = next_close(m, m[NOW])
    while at < last or close < NEVER:
        time = close
        if at < last:
            time = min(time, max(m[m[PLAN_END] + at], soonest))
        gained = 0
        while at < last and max(m[m[PLAN_END] + at], soonest) == time:
            gained += release(m, m[m[PLAN_ROW] + at], domain)
            at += 1
        if (gained > 0 or time == close) and fits_for(m, LATER, domain, row, time) == 1:
            return time
        if time == close:
            close = next_close(m, time)
    return -1


@step(INT(INTS, INT))
def offer(m: Int64, node: int) -> int:
    """Bring the GPUs offered past S on `node` up to date: min(free, spare) where some are set aside."""
    wanted = m[m[FREE + LIVE] + node]
    if m[m[IS_KEPT] + node] == 1:
        wanted = min(wanted, m[m[SPARE] + node])
    return change(m, OFFERED, node, wanted - m[m[FREE + OFFERED] + node])


@step(INT(INTS, PICK, PICK, INT, INT, INT))
def set_aside(m: Int64, pick_node: object, pick_rest: object, row: int, domain: int, line: int) -> int:
    """Reserve GPUs for job `row` in `domain`: fill `spare` and the offered view; return S in ms."""
    shadow = shadow_time(m, row, domain, line)
    n_nodes = choose_for(m, LATER, pick_node, pick_rest, domain, row, shadow)
    copy_domain(m, LIVE, OFFERED, domain)
    for entry in range(m[m[SCOPE_BLOCKS] + domain], m[m[SCOPE_BLOCKS] + domain + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        first = m[m[BLOCK_FIRST] + block]
        for node in range(first, first + m[m[BLOCK_NODES] + block]):
            m[m[IS_KEPT] + node] = 0
    for at in range(n_nodes):
        node = m[m[CHOSEN_NODE] + at]
        m[m[IS_KEPT] + node] = 1
        m[m[SPARE] + node] = m[m[FREE + LATER] + node] - m[m[CHOSEN_GPUS] + at]
        offer(m, node)
    m[m[HOLDER] + domain] = row
    m[m[SHADOW] + domain] = shadow
    return shadow


@step(INT(INTS, PICK, PICK, INT, INT), inline=True)
def open_reservation(m: Int64, pick_node: object, pick_rest: object, domain: int, line: int) -> int:
    """Work out the reservation that `domain` holds, unless that was done in this pass; return S in ms."""
    if m[m[SHADOW] + domain] < 0:
        set_aside(m, pick_node, pick_rest, m[m[HOLDER] + domain], domain, line)
    return m[m[SHADOW] + domain]


@step(INT(INTS, PICK, PICK, INT, INT))
def start_beside(m: Int64, pick_node: object, pick_rest: object, row: int, domain: int) -> int:
    """Start job `row` in a domain that holds a reservation, if harmless; return 1 if it started."""
    is_late = m[NOW] + m[m[LIMIT] + row] > m[m[SHADOW] + domain]
    which = OFFERED if is_late else LIVE
    n_nodes = choose_for(m, which, pick_node, pick_rest, domain, row, m[NOW])
    if n_nodes == 0:
        return 0
    start(m, row, n_nodes)
    for at in range(n_nodes):
        node = m[m[CHOSEN_NODE] + at]
        if is_late and m[m[IS_KEPT] + node] == 1:
            m[m[SPARE] + node] -= m[m[CHOSEN_GPUS] + at]
        offer(m, node)
    return 1


@step(INT(INTS, PICK, PICK, INT))
def try_backfill(m: Int64, pick_node: object, pick_rest: object, row: int) -> int:
    """Start job `row` in the first domain that takes it; return 1 if it started, else 0."""
    shape = m[m[SHAPE] + row]
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        domain = m[m[SHAPE_DOMAIN] + entry]
        if fits_for(m, LIVE, domain, row, m[NOW]) == 1:
            if m[m[HOLDER] + domain] >= 0:
                open_reservation(m, pick_node, pick_rest, domain, m[m[SHAPE_LINE] + shape])
                if start_beside(m, pick_node, pick_rest, row, domain) == 1:
                    return 1
            else:
                n_nodes = choose_for(m, LIVE, pick_node, pick_rest, domain, row, m[NOW])
                start(m, row, n_nodes)
                return 1
    return 0


@step(INT(INTS, PICK, PICK, INT))
def is_only_barred(m: Int64, pick_node: object, pick_rest: object, row: int) -> int:
    """Return 1 if job `row`, which did not start, could start but for windows of others, else 0 (14.10)."""
    shape = m[m[SHAPE] + row]
    ask = m[m[SHAPE_ASK] + shape]
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        domain = m[m[SHAPE_DOMAIN] + entry]
        if fits(m, LIVE, domain, ask) == 1:
            if m[m[HOLDER] + domain] < 0:
                return 1
            open_reservation(m, pick_node, pick_rest, domain, m[m[SHAPE_LINE] + shape])
            is_late = m[NOW] + m[m[LIMIT] + row] > m[m[SHADOW] + domain]
            if not is_late or fits(m, OFFERED, domain, ask) == 1:
                return 1
    return 0


@step(INT(INTS, INT))
def reserve(m: Int64, row: int) -> int:
    """Give blocked job `row` a reservation in the domain where it could start first, if one is left.

    With one domain to choose from, S is computed only when a candidate needs it: nothing changes
    in a domain between the two, because nobody starts there without asking.

    Returns
    -------
    int
        The domain, or -1 if all its domains hold reservations.
    """
    shape = m[m[SHAPE] + row]
    best, n_left = -1, 0
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if m[m[HOLDER] + m[m[SHAPE_DOMAIN] + entry]] < 0:
            n_left += 1
            best = m[m[SHAPE_DOMAIN] + entry]
    if n_left > 1:
        soonest = -1
        for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
            domain = m[m[SHAPE_DOMAIN] + entry]
            if m[m[HOLDER] + domain] < 0:
                shadow = shadow_time(m, row, domain, m[m[SHAPE_LINE] + shape])
                if soonest < 0 or shadow < soonest:
                    best, soonest = domain, shadow
    if best >= 0:
        m[m[HOLDER] + best] = row
        m[m[SHADOW] + best] = -1
    return best


@step(INT(INTS, INT))
def free_in_line(m: Int64, line: int) -> int:
    """Return the free GPUs of all domains of a line."""
    free = 0
    for domain in range(m[m[LINE_DOMAINS] + line], m[m[LINE_DOMAINS] + line + 1]):
        free += free_in(m, LIVE, domain)
    return free


@step(INT(INTS, INT, INT))
def next_candidate(m: Int64, group: int, slot: int) -> int:
    """Return the next waiting job of `group` at or after `slot` of the candidates' order, or -1."""
    if m[IS_SHORTEST_FIRST] == 0:
        return next_slot(m, group, slot)
    found = next_member(m, m[LINE_TIERS], m[LIMIT_BITS], slot)
    return found if 0 <= found < m[m[GROUP_LAST] + group] else -1


@step(INT(INTS, PICK, PICK, INT))
def easy_pass(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Start heads while they fit, then backfill behind the first blocked job. Return jobs started."""
    for domain in range(m[m[LINE_DOMAINS] + line], m[m[LINE_DOMAINS] + line + 1]):
        m[m[HOLDER] + domain] = -1
    forget_held(m, line)
    group = m[m[LINE_GROUPS] + line]
    is_shortest_first = m[IS_SHORTEST_FIRST] == 1
    n_started, n_tried = 0, 0
    head = -1  # the first blocked job; until there is one, jobs are tried in rank order
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_tried <= m[DEPTH] and free_in_line(m, line) > 0:
        is_by_limit = is_shortest_first and head >= 0
        row = m[m[LIMIT_ROW_AT] + slot] if is_by_limit else m[m[ROW_AT] + slot]
        is_asked = head >= 0 and m[m[RANK] + row] <= m[m[RANK] + head]  # before the head was found, or it is the head
        if not is_asked and is_allowed(m, row) == 1:
            if try_backfill(m, pick_node, pick_rest, row) == 1:
                n_started += 1
            elif m[N_WINDOWS] > 0 and is_only_barred(m, pick_node, pick_rest, row) == 1:
                n_tried -= 1 if head >= 0 else 0  # passed over: it is not among the `depth`
            else:
                reserve(m, row)
                if head < 0:
                    head = row
                    if is_shortest_first:
                        slot = m[m[GROUP_FIRST] + group] - 1
            if head >= 0:
                n_tried += 1  # the blocked head counts as one, so `depth` more follow it
        slot = next_candidate(m, group, slot + 1) if head >= 0 else next_slot(m, group, slot + 1)
    return n_started
