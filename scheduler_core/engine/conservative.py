"""Conservative backfill: the first `depth` jobs of a line each hold a slot (start, and GPUs per node).

A slot is the earliest place at which the rule places the job for its whole planned length beside the
running jobs and the slots already given, so nobody delays anybody ahead (docs/model.md, section 6).
"""

from scheduler_core.engine.easy import copy_domain
from scheduler_core.engine.running import start
from scheduler_core.engine.waiting import next_slot
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import change, choose, fits
from scheduler_core.kernels.state import (
    CHANGE_COUNT,
    CHANGE_DELTA,
    CHANGE_FIRST,
    CHANGE_NODE,
    CHANGE_TIME,
    CHOSEN_GPUS,
    CHOSEN_NODE,
    DEPTH,
    DOMAIN,
    FREE,
    FREE_PIECE,
    HEAD,
    HELD,
    IS_EARLY,
    IS_RECOMPUTED,
    JOB_SLICE,
    LATER,
    LIMIT,
    LINE_GROUPS,
    LIVE,
    MARK,
    N_CHOSEN,
    NEVER,
    NODE_MARK,
    NOW,
    OFFERED,
    PICK,
    PIECE_GPUS,
    PIECE_NEXT,
    PIECE_NODE,
    PLAN_COUNT,
    PLAN_END,
    PLAN_FIRST,
    PLAN_ROW,
    ROW_AT,
    SHAPE,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GPUS,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    SLOT_PIECE,
    SLOT_START,
    VALUE,
    WAKE,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT))
def add_change(m: Int64, node: int, time: int, delta: int) -> int:
    """Enter a change of the free GPUs of `node` at `time` into its domain's list; return its place."""
    domain = m[m[DOMAIN] + node]
    first = m[m[CHANGE_FIRST] + domain]
    at = first + m[m[CHANGE_COUNT] + domain]
    while at > first and m[m[CHANGE_TIME] + at - 1] > time:
        m[m[CHANGE_TIME] + at] = m[m[CHANGE_TIME] + at - 1]
        m[m[CHANGE_NODE] + at] = m[m[CHANGE_NODE] + at - 1]
        m[m[CHANGE_DELTA] + at] = m[m[CHANGE_DELTA] + at - 1]
        at -= 1
    m[m[CHANGE_TIME] + at] = time
    m[m[CHANGE_NODE] + at] = node
    m[m[CHANGE_DELTA] + at] = delta
    m[m[CHANGE_COUNT] + domain] += 1
    return at  # type: ignore[no-any-return]


@step(INT(INTS, INT, INT, INT))
def drop_change(m: Int64, node: int, time: int, delta: int) -> int:
    """Take one such change out of its domain's list; return the place it had."""
    domain = m[m[DOMAIN] + node]
    low = m[m[CHANGE_FIRST] + domain]
    last = low + m[m[CHANGE_COUNT] + domain]
    high = last
    while low < high:
        middle = (low + high) >> 1
        if m[m[CHANGE_TIME] + middle] < time:
            low = middle + 1
        else:
            high = middle
    while m[m[CHANGE_NODE] + low] != node or m[m[CHANGE_DELTA] + low] != delta:
        low += 1
    for at in range(low, last - 1):
        m[m[CHANGE_TIME] + at] = m[m[CHANGE_TIME] + at + 1]
        m[m[CHANGE_NODE] + at] = m[m[CHANGE_NODE] + at + 1]
        m[m[CHANGE_DELTA] + at] = m[m[CHANGE_DELTA] + at + 1]
    m[m[CHANGE_COUNT] + domain] -= 1
    return low  # type: ignore[no-any-return]


@step(INT(INTS, INT, INT))
def note_slot(m: Int64, row: int, sign: int) -> int:
    """Enter (`sign` 1) or take out (-1) the changes that the slot of job `row` brings; return its pieces."""
    begin = m[m[SLOT_START] + row]
    finish = begin + m[m[LIMIT] + row]
    piece = m[m[SLOT_PIECE] + row]
    n_pieces = 0
    while piece >= 0:
        node, gpus = m[m[PIECE_NODE] + piece], m[m[PIECE_GPUS] + piece]
        if sign > 0:
            add_change(m, node, begin, -gpus)
            add_change(m, node, finish, gpus)
        else:
            drop_change(m, node, begin, -gpus)
            drop_change(m, node, finish, gpus)
        n_pieces += 1
        piece = m[m[PIECE_NEXT] + piece]
    return n_pieces


@step(INT(INTS, INT))
def drop_pieces(m: Int64, row: int) -> int:
    """Return the pieces of job `row` to the free chain; return how many."""
    n_pieces = 0
    while m[m[SLOT_PIECE] + row] >= 0:
        piece = m[m[SLOT_PIECE] + row]
        m[m[SLOT_PIECE] + row] = m[m[PIECE_NEXT] + piece]
        m[m[PIECE_NEXT] + piece] = m[FREE_PIECE]
        m[FREE_PIECE] = piece
        n_pieces += 1
    return n_pieces


@step(INT(INTS, INT, INT))
def give_back(m: Int64, row: int, line: int) -> int:
    """Take the slot of job `row` away; return its start in ms."""
    begin = m[m[SLOT_START] + row]
    note_slot(m, row, -1)
    drop_pieces(m, row)
    m[m[SLOT_START] + row] = -1
    m[m[HELD] + line] -= 1
    return begin  # type: ignore[no-any-return]


@step(INT(INTS, INT, INT, INT, INT))
def hold(m: Int64, row: int, line: int, begin: int, n_nodes: int) -> int:
    """Give job `row` a slot from `begin` on the first `n_nodes` nodes in `state.chosen`; return `begin`."""
    for at in range(n_nodes):
        piece = m[FREE_PIECE]
        m[FREE_PIECE] = m[m[PIECE_NEXT] + piece]
        m[m[PIECE_NODE] + piece] = m[m[CHOSEN_NODE] + at]
        m[m[PIECE_GPUS] + piece] = m[m[CHOSEN_GPUS] + at]
        m[m[PIECE_NEXT] + piece] = m[m[SLOT_PIECE] + row]
        m[m[SLOT_PIECE] + row] = piece
    m[m[SLOT_START] + row] = begin
    m[m[HELD] + line] += 1
    note_slot(m, row, 1)
    return begin


@step(INT(INTS, INT, INT, INT))
def release_running(m: Int64, domain: int, place: int, sign: int) -> int:
    """Change `state.offered` by the GPUs of the running job at `place` of the plan; return them."""
    piece = m[m[JOB_SLICE] + m[m[PLAN_ROW] + place]]
    gpus = 0
    while piece >= 0 and m[m[DOMAIN] + m[m[SLICE_NODE] + piece]] == domain:
        change(m, OFFERED, m[m[SLICE_NODE] + piece], sign * m[m[SLICE_GPUS] + piece])
        gpus += m[m[SLICE_GPUS] + piece]
        piece = m[m[SLICE_NEXT] + piece]
    return gpus


@step(INT(INTS, INT, INT, INT))
def lower(m: Int64, node: int, delta: int, mark: int) -> int:
    """Let the free GPUs of `node` change by `delta` inside the window; keep the fewest in `later`.

    Returns
    -------
    int
        1 if fewer are free than at any moment of the window before, else 0.
    """
    if m[m[NODE_MARK] + node] != mark:
        m[m[NODE_MARK] + node] = mark
        m[m[VALUE] + node] = m[m[FREE + OFFERED] + node]
    m[m[VALUE] + node] += delta
    fewest = m[m[FREE + LATER] + node]
    if m[m[VALUE] + node] < fewest:
        change(m, LATER, node, m[m[VALUE] + node] - fewest)
        return 1
    return 0


@step(INT(INTS, INT, INT, INT, INT, INT, INT))
def holds_until(m: Int64, line: int, domain: int, gpus: int, running_at: int, change_at: int, finish: int) -> int:
    """Return 1 if a gang fits from the state in `offered` until `finish`, whose changes begin at the two places.

    Leaves in `later` the fewest GPUs free on each node at any moment of the window.
    """
    soonest = m[NOW] + 1
    last_running = m[m[PLAN_FIRST] + line] + m[m[PLAN_COUNT] + line]
    last_change = m[m[CHANGE_FIRST] + domain] + m[m[CHANGE_COUNT] + domain]
    copy_domain(m, OFFERED, LATER, domain)
    m[MARK] += 1
    mark = m[MARK]
    running, at = running_at, change_at
    while at < last_change and m[m[CHANGE_TIME] + at] < finish:
        # What running jobs give back before this change counts first: a slot may begin where one ends.
        while running < last_running and max(m[m[PLAN_END] + running], soonest) <= m[m[CHANGE_TIME] + at]:
            piece = m[m[JOB_SLICE] + m[m[PLAN_ROW] + running]]
            while piece >= 0 and m[m[DOMAIN] + m[m[SLICE_NODE] + piece]] == domain:
                lower(m, m[m[SLICE_NODE] + piece], m[m[SLICE_GPUS] + piece], mark)
                piece = m[m[SLICE_NEXT] + piece]
            running += 1
        time = m[m[CHANGE_TIME] + at]
        is_lower = 0
        # All changes of one moment first: on a node, one slot may end where the next begins.
        first_at = at
        while at < last_change and m[m[CHANGE_TIME] + at] == time:
            if m[m[CHANGE_DELTA] + at] > 0:
                lower(m, m[m[CHANGE_NODE] + at], m[m[CHANGE_DELTA] + at], mark)
            at += 1
        for again in range(first_at, at):
            if m[m[CHANGE_DELTA] + again] < 0:
                is_lower += lower(m, m[m[CHANGE_NODE] + again], m[m[CHANGE_DELTA] + again], mark)
        if is_lower > 0 and fits(m, LATER, domain, gpus) == 0:
            return 0
    return 1


@step(INT(INTS, INT, INT, INT))
def earliest(m: Int64, row: int, line: int, domain: int) -> int:
    """Return the earliest place of job `row` in `domain` in ms, leaving in `later` what it is offered."""
    now = m[NOW]
    gpus = m[m[SHAPE_GPUS] + m[m[SHAPE] + row]]
    length = m[m[LIMIT] + row]
    running = m[m[PLAN_FIRST] + line]
    last_running = running + m[m[PLAN_COUNT] + line]
    at = m[m[CHANGE_FIRST] + domain]
    last_change = at + m[m[CHANGE_COUNT] + domain]
    copy_domain(m, LIVE, OFFERED, domain)
    time = now
    while time < NEVER:
        while running < last_running and max(m[m[PLAN_END] + running], now + 1) <= time:
            release_running(m, domain, running, 1)
            running += 1
        while at < last_change and m[m[CHANGE_TIME] + at] <= time:
            change(m, OFFERED, m[m[CHANGE_NODE] + at], m[m[CHANGE_DELTA] + at])
            at += 1
        if fits(m, OFFERED, domain, gpus) == 1 and (
            holds_until(m, line, domain, gpus, running, at, time + length) == 1
        ):
            return time
        following = NEVER
        if running < last_running:
            following = max(m[m[PLAN_END] + running], now + 1)
        ahead = at
        while ahead < last_change and m[m[CHANGE_DELTA] + ahead] < 0:
            ahead += 1  # only an end can make room
        if ahead < last_change and m[m[CHANGE_TIME] + ahead] < following:
            following = m[m[CHANGE_TIME] + ahead]
        time = following
    return NEVER


@step(INT(INTS, PICK, PICK, INT, INT))
def find_place(m: Int64, pick_node: object, pick_rest: object, row: int, line: int) -> int:
    """Choose the earliest place of job `row` over its domains; return its start in ms.

    The nodes are left in CHOSEN_NODE and CHOSEN_GPUS, how many in N_CHOSEN.
    """
    shape = m[m[SHAPE] + row]
    best, soonest, latest = -1, NEVER, -1
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        latest = m[m[SHAPE_DOMAIN] + entry]
        time = earliest(m, row, line, latest)
        if best < 0 or time < soonest:
            best, soonest = latest, time
    if best != latest:
        earliest(m, row, line, best)
    m[N_CHOSEN] = choose(m, LATER, pick_node, pick_rest, best, m[m[SHAPE_GPUS] + shape])
    return soonest


@step(INT(INTS, INT))
def give_back_beyond(m: Int64, line: int) -> int:
    """Take slots from jobs no longer among the first `depth`; from all of them if slots are recomputed."""
    group = m[m[LINE_GROUPS] + line]
    keep = 0 if m[IS_RECOMPUTED] == 1 else m[DEPTH]
    n_seen, n_found, n_dropped = 0, 0, 0
    n_held = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_found < n_held:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_found += 1
            if n_seen >= keep:
                give_back(m, row, line)
                n_dropped += 1
        n_seen += 1
        slot = next_slot(m, group, slot + 1)
    return n_dropped


@step(INT(INTS, PICK, PICK, INT))
def move_up(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Put each slot, in rank order, back at the earliest place, never later; return how many moved."""
    group = m[m[LINE_GROUPS] + line]
    n_left, n_moved = m[m[HELD] + line], 0
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            note_slot(m, row, -1)
            begin = find_place(m, pick_node, pick_rest, row, line)
            if begin <= m[m[SLOT_START] + row]:
                drop_pieces(m, row)
                m[m[HELD] + line] -= 1
                hold(m, row, line, begin, m[N_CHOSEN])
                n_moved += 1
            else:
                note_slot(m, row, 1)
        slot = next_slot(m, group, slot + 1)
    return n_moved


@step(INT(INTS, INT))
def start_due(m: Int64, line: int) -> int:
    """Start jobs whose slots are due, in rank order; return 1 if one found its GPUs taken, else 0."""
    now = m[NOW]
    group = m[m[LINE_GROUPS] + line]
    n_left = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            if m[m[SLOT_START] + row] <= now:
                n_nodes = 0
                piece = m[m[SLOT_PIECE] + row]
                while piece >= 0:
                    if m[m[FREE + LIVE] + m[m[PIECE_NODE] + piece]] < m[m[PIECE_GPUS] + piece]:
                        return 1
                    m[m[CHOSEN_NODE] + n_nodes] = m[m[PIECE_NODE] + piece]
                    m[m[CHOSEN_GPUS] + n_nodes] = m[m[PIECE_GPUS] + piece]
                    n_nodes += 1
                    piece = m[m[PIECE_NEXT] + piece]
                give_back(m, row, line)
                start(m, row, n_nodes)
        slot = next_slot(m, group, slot + 1)
    return 0


@step(INT(INTS, PICK, PICK, INT))
def give_slots(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Give slots in rank order until `depth` waiting jobs hold one; start those whose slot is now."""
    now = m[NOW]
    group = m[m[LINE_GROUPS] + line]
    n_started = 0
    slot = m[m[HEAD] + group]
    while slot >= 0 and m[m[HELD] + line] < m[DEPTH]:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] < 0:
            begin = find_place(m, pick_node, pick_rest, row, line)
            if begin == now:
                start(m, row, m[N_CHOSEN])
                n_started += 1
            else:
                hold(m, row, line, begin, m[N_CHOSEN])
        slot = next_slot(m, group, slot + 1)
    return n_started


@step(INT(INTS, INT, INT))
def is_overdue(m: Int64, line: int, domain: int) -> int:
    """Return 1 if a job of `domain` still runs past its planned end, else 0."""
    now = m[NOW]
    for at in range(m[m[PLAN_FIRST] + line], m[m[PLAN_FIRST] + line] + m[m[PLAN_COUNT] + line]):
        if m[m[PLAN_END] + at] > now:
            return 0
        piece = m[m[JOB_SLICE] + m[m[PLAN_ROW] + at]]
        if m[m[DOMAIN] + m[m[SLICE_NODE] + piece]] == domain:
            return 1
    return 0


@step(INT(INTS, INT))
def next_start(m: Int64, line: int) -> int:
    """Return the next start of a slot of `line` that deserves a tick in ms, `NEVER` if there is none."""
    now = m[NOW]
    if m[m[HELD] + line] == 0:
        return NEVER
    if m[m[WAKE] + line] > now + 1:
        return m[m[WAKE] + line]  # type: ignore[no-any-return]
    group = m[m[LINE_GROUPS] + line]
    soonest = NEVER
    n_left = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        begin = m[m[SLOT_START] + row]
        if begin >= 0:
            n_left -= 1
            if now < begin < soonest:
                domain = m[m[DOMAIN] + m[m[PIECE_NODE] + m[m[SLOT_PIECE] + row]]]
                if begin > now + 1 or is_overdue(m, line, domain) == 0:
                    soonest = begin
        slot = next_slot(m, group, slot + 1)
    return soonest


@step(INT(INTS, INT))
def has_start_now(m: Int64, line: int) -> int:
    """Return 1 if a slot of `line` starts now, else 0."""
    if m[m[HELD] + line] == 0 or m[m[WAKE] + line] > m[NOW]:
        return 0
    group = m[m[LINE_GROUPS] + line]
    n_left = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            if m[m[SLOT_START] + row] == m[NOW]:
                return 1
        slot = next_slot(m, group, slot + 1)
    return 0


@step(INT(INTS, PICK, PICK, INT))
def conservative_pass(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Give back, move up, start what is due, give new slots, in this order. Return slots held."""
    give_back_beyond(m, line)
    if m[m[IS_EARLY] + line] == 1 and m[IS_RECOMPUTED] == 0:
        move_up(m, pick_node, pick_rest, line)
    m[m[IS_EARLY] + line] = 0
    if start_due(m, line) == 1:
        group = m[m[LINE_GROUPS] + line]
        slot = m[m[HEAD] + group]
        while slot >= 0 and m[m[HELD] + line] > 0:
            if m[m[SLOT_START] + m[m[ROW_AT] + slot]] >= 0:
                give_back(m, m[m[ROW_AT] + slot], line)
            slot = next_slot(m, group, slot + 1)
    give_slots(m, pick_node, pick_rest, line)
    m[m[WAKE] + line] = NEVER
    group = m[m[LINE_GROUPS] + line]
    slot = m[m[HEAD] + group]
    n_left = m[m[HELD] + line]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            m[m[WAKE] + line] = min(m[m[WAKE] + line], m[m[SLOT_START] + row])
        slot = next_slot(m, group, slot + 1)
    return m[m[HELD] + line]  # type: ignore[no-any-return]
