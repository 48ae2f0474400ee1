"""The disciplines without reservations: strict and best-effort."""

from scheduler_core.engine.evicting import ask
from scheduler_core.engine.members import rank_members
from scheduler_core.engine.pins import start_pinned
from scheduler_core.engine.quotas import (
    forget_held,
    has_quota,
    is_held,
    may_start,
    note_holder,
)
from scheduler_core.engine.running import start, start_direct
from scheduler_core.engine.tries import (
    BY_RESERVE,
    BY_ROOM,
    has_group_keys,
    is_next_to_ask,
    list_tries,
    next_try,
    set_aside,
    set_group_key,
    set_keys,
    wake_parked,
)
from scheduler_core.engine.waiting import join
from scheduler_core.engine.windows import choose_for
from scheduler_core.kernels.jit import FLOATS, INT, INTS, step
from scheduler_core.kernels.levels import fits
from scheduler_core.kernels.state import (
    BEST_EFFORT,
    DIRECT,
    DISCIPLINE,
    FREED,
    HAS_STAYS,
    HEAD_ROW,
    HOLDER,
    IN_GROUP,
    IS_BLOCKED,
    IS_DUE,
    IS_EACH_DUE,
    IS_ONE_ROOM,
    IS_QUOTA,
    IS_TURN_BASED,
    JOINED,
    KEY,
    LINE_DOMAINS,
    LINE_GROUPS,
    LIVE,
    N_LINES,
    N_SHARES,
    N_WAITING,
    N_WINDOWS,
    NEWCOMER,
    NOW,
    PAST_REFUSED,
    PICK,
    PINNED_FIRST,
    REFUSED_IN,
    SCOPES,
    SHAPE,
    SHAPE_ASK,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GPUS,
    SHAPE_LINE,
    SHARE,
    STRICT,
    TRY_ROW,
)
from scheduler_core.kernels.tables import Floats, Int64


@step(INT(INTS, PICK, PICK, INT, INT), inline=True)
def try_start(m: Int64, pick_node: object, pick_rest: object, row: int, is_in_line: int) -> int:
    """Start job `row` in the first of its open domains that holds it; return 1 if it started, else 0."""
    shape = m[m[SHAPE] + row]
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        domain = m[m[SHAPE_DOMAIN] + entry]
        if m[m[HOLDER] + domain] < 0:
            n_nodes = choose_for(m, LIVE, pick_node, pick_rest, domain, row, m[NOW])
            if n_nodes > 0:
                if is_in_line == 1:
                    start(m, row, n_nodes)
                else:
                    start_direct(m, row, n_nodes)
                return 1
    return 0


@step(INT(INTS, INT), inline=True)
def close_domains(m: Int64, row: int) -> int:
    """Under strict, let blocked job `row` close every open domain that it could use; return how many."""
    shape = m[m[SHAPE] + row]
    n_closed = 0
    if m[DISCIPLINE] != STRICT:
        return n_closed
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        holder = m[HOLDER] + m[m[SHAPE_DOMAIN] + entry]
        if m[holder] < 0:
            m[holder] = row
            n_closed += 1
    return n_closed


@step(INT(INTS, INT, INT), inline=True)
def note_refused(m: Int64, group: int, row: int) -> int:
    """Note which domains were open when the first job of `group` was kept waiting by a reserved share; return it."""
    shape = m[m[SHAPE] + row]
    if row == m[m[HEAD_ROW] + group]:
        first, is_kept = m[m[SHAPE_DOMAINS] + shape], has_quota(m, shape)
        m[m[REFUSED_IN] + group] = 0
        for entry in range(first, m[m[SHAPE_DOMAINS] + shape + 1]):
            if is_kept == 1 and m[m[HOLDER] + m[m[SHAPE_DOMAIN] + entry]] < 0:
                m[m[REFUSED_IN] + group] |= 1 << (entry - first)
    return group


@step(INT(INTS, PICK, PICK, INT), inline=True)
def evicts(m: Int64, pick_node: object, pick_rest: object, row: int) -> int:
    """Let job `row`, which did not start, ask whether others must leave; return what `decide` returns."""
    if m[SCOPES] == 0 or is_held(m, row) == 1:
        return 0
    return ask(m, pick_node, pick_rest, row, is_next_to_ask(m))


@step(INT(INTS, INT, INT), inline=True)
def end_with_decision(m: Int64, line: int, decision: int) -> int:
    """End a pass with a decision: the next begins, in all lines if quotas are tested and somebody left. Return 1."""
    if m[IS_QUOTA] == 1 and decision == 2:
        for other in range(m[N_LINES]):
            if m[m[LINE_GROUPS] + other] < m[m[LINE_GROUPS] + other + 1]:
                m[m[IS_DUE] + other] = FREED
    m[m[IS_DUE] + line] = FREED
    return 1


@step(INT(INTS, PICK, PICK, INT), inline=True)
def open_pass(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Forget what the last pass of `line` closed and held, and start pinned jobs; return how many."""
    for domain in range(m[m[LINE_DOMAINS] + line], m[m[LINE_DOMAINS] + line + 1]):
        if m[m[HOLDER] + domain] >= 0:
            m[m[HOLDER] + domain] = -1
    forget_held(m, line)
    m[IS_BLOCKED] = 0
    if m[HAS_STAYS] == 1 and m[PINNED_FIRST] >= 0:
        return start_pinned(m, pick_node, pick_rest, line)
    return 0


@step(INT(INTS, INT), inline=True)
def is_only_barred(m: Int64, row: int) -> int:
    """Return 1 if job `row`, which found no place, fits an open domain but for windows of others, else 0 (14.10)."""
    shape = m[m[SHAPE] + row]
    if m[N_WINDOWS] > 0:
        for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
            domain = m[m[SHAPE_DOMAIN] + entry]
            if m[m[HOLDER] + domain] < 0 and fits(m, LIVE, domain, m[m[SHAPE_ASK] + shape]) == 1:
                return 1
    return 0


@step(INT(INTS, INT, INT), inline=True)
def refuse(m: Int64, at: int, is_allowed_now: int) -> int:
    """Let the job at place `at` of the tries wait; under strict it closes its domains. Return its group."""
    group = m[at]
    row = m[m[TRY_ROW] + group]
    # A share may keep it from evicting somebody, whom the next of its group may evict once the share is free.
    may_evict = m[SCOPES] > 0 and m[N_SHARES] > 0
    if is_allowed_now == 0:  # passed over: it blocks nobody
        note_holder(m, row)
        note_refused(m, group, row)
        set_aside(m, at, BY_RESERVE if may_evict or has_quota(m, m[m[SHAPE] + row]) == 1 else BY_ROOM)
    else:
        close_domains(m, row)
        m[IS_BLOCKED] = 1
        set_aside(m, at, BY_RESERVE if may_evict else BY_ROOM)
    return group


@step(INT(INTS, INT), inline=True)
def is_still_blocked(m: Int64, line: int) -> int:
    """Return 1 if the first of a strict line of one group, which the last pass refused, does not fit yet; else 0.

    A pass would refuse it again and change nothing. (At load 0.95 that is what most passes do.)
    """
    if m[IS_ONE_ROOM] == 0 or m[DISCIPLINE] != STRICT:
        return 0
    group = m[m[LINE_GROUPS] + line]
    holder = m[m[HOLDER] + m[m[LINE_DOMAINS] + line]]
    if holder < 0 or m[m[LINE_GROUPS] + line + 1] != group + 1 or m[m[HEAD_ROW] + group] != holder:
        return 0
    return 1 - fits(m, LIVE, m[m[LINE_DOMAINS] + line], m[m[SHAPE_GPUS] + m[m[SHAPE] + holder]])


@step(INT(INTS, INT), inline=True)
def is_empty(m: Int64, line: int) -> int:
    """Return 1 if nobody waits in `line` or, where one line may matter to another, in any; else 0."""
    if m[N_WAITING] == 0:
        return 1
    group = m[m[LINE_GROUPS] + line]
    if m[IS_TURN_BASED] == 1 or m[IS_QUOTA] == 1 or m[HAS_STAYS] == 1 or m[m[LINE_GROUPS] + line + 1] != group + 1:
        return 0
    return 1 if m[m[IN_GROUP] + group] == 0 else 0


@step(INT(INTS, PICK, PICK, KEY, SHARE, FLOATS, INT, INT), inline=True)
def greedy_pass(  # noqa: PLR0913, PLR0917 - kernels cannot bundle functions
    m: Int64, pick_node: object, pick_rest: object, key: object, share: object, numbers: Floats, line: int, touch: int
) -> int:
    """Start jobs in rank order; under strict a blocked job closes every domain it could use. Return jobs started."""
    if is_empty(m, line) == 1 or is_still_blocked(m, line) == 1:
        return 0  # if nobody waits, nothing is closed or held: whoever did that still waited when its pass ended
    n_started = open_pass(m, pick_node, pick_rest, line)
    rank_members(m, key, share, numbers, line)
    list_tries(m, line, touch)
    if has_group_keys(m) == 1:
        set_keys(m, key, share, numbers, line)
    at = next_try(m)
    while at >= 0:
        row = m[m[TRY_ROW] + m[at]]
        is_fine = may_start(m, row) if m[IS_TURN_BASED] == 1 else 1
        if is_fine == 1 and try_start(m, pick_node, pick_rest, row, 1) == 1:
            n_started += 1
            if m[IS_TURN_BASED] == 1:
                wake_parked(m, key, numbers, m[at])
            if has_group_keys(m) == 1:
                set_keys(m, key, share, numbers, line)
        else:
            decision = evicts(m, pick_node, pick_rest, row)
            if decision > 0:
                end_with_decision(m, line, decision)
                break
            is_over = is_fine == 0 or is_only_barred(m, row) == 1
            group = refuse(m, at, 0 if is_over else 1)
            if has_group_keys(m) == 1:
                set_group_key(m, key, numbers, group)  # somebody else of it may be next
        at = next_try(m)
    return n_started


# ---- jobs that come ------------------------------------------------------------------------------------


@step(INT(INTS), inline=True)
def touch_all(m: Int64) -> int:
    """Touch every line that ever has jobs; return how many lines there are."""
    for line in range(m[N_LINES]):
        if m[m[LINE_GROUPS] + line] < m[m[LINE_GROUPS] + line + 1]:
            m[m[IS_DUE] + line] = FREED
    return m[N_LINES]


@step(INT(INTS), inline=True)
def touch_others(m: Int64) -> int:
    """Where quotas are tested, let an event touch every line: it may let a tenant of another borrow. Return lines."""
    if m[IS_QUOTA] == 1 and m[N_LINES] > 1:
        touch_all(m)
    return m[N_LINES]


@step(INT(INTS, INT))
def enter(m: Int64, row: int) -> int:
    """Put job `row`, submitted now, into its line, and let a pass follow if it may matter; return the line.

    A job that joins behind a blocked job of its own group changes nothing, so its line needs no pass: unless
    there are plans, jobs about to finish have given back their GPUs, the order changes, or jobs that are held
    up hold up others.
    """
    line, is_each = m[m[SHAPE_LINE] + m[m[SHAPE] + row]], m[IS_EACH_DUE] == 1
    if join(m, row, line) == 1 or is_each:
        is_freed = is_each or m[DISCIPLINE] != BEST_EFFORT or m[IS_TURN_BASED] == 1
        m[m[IS_DUE] + line] = FREED if is_freed else max(m[m[IS_DUE] + line], JOINED)
        if is_each:
            touch_others(m)
    return line


@step(INT(INTS, PICK, PICK), inline=True)
def try_newcomer(m: Int64, pick_node: object, pick_rest: object) -> int:
    """Start the job that came alone, if it is the only one that may start; else it enters its line. Return 1 or 0.

    It is the only one if nobody waits; or, where nobody stops anybody, if no GPUs came back since all others were
    refused.
    """
    row = m[NEWCOMER]
    m[NEWCOMER] = -1
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    is_only = is_empty(m, line) == 1 or (m[DIRECT] == PAST_REFUSED and m[m[IS_DUE] + line] == 0)
    if is_only and may_start(m, row) == 1 and try_start(m, pick_node, pick_rest, row, 0) == 1:
        return 1
    enter(m, row)
    if is_only and m[DIRECT] == PAST_REFUSED:
        m[m[IS_DUE] + line] = 0
    return 0
