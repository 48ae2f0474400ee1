"""Conservative backfill: the first `depth` jobs of a line each hold a slot (start, and GPUs per node).

A slot is the earliest place at which the rule places the job for its whole planned length beside the
running jobs and the slots already given, so nobody delays anybody ahead (docs/model.md, section 6).
"""

from scheduler_core.engine.easy import copy_domain
from scheduler_core.engine.running import start
from scheduler_core.engine.waiting import next_slot
from scheduler_core.kernels.jit import INT, step
from scheduler_core.kernels.levels import change, choose, fits
from scheduler_core.kernels.state import (
    DEPTH,
    FREE_PIECE,
    IS_RECOMPUTED,
    MARK,
    NEVER,
    NOW,
    PICK,
    STATE,
    State,
)


@step(INT(STATE, INT, INT, INT))
def add_change(state: State, node: int, time: int, delta: int) -> int:
    """Enter a change of the free GPUs of `node` at `time` into its domain's list; return its place."""
    slots = state.slots
    domain = state.places.domain_of[node]
    first = slots.first[domain]
    at = first + slots.count[domain]
    while at > first and slots.time[at - 1] > time:
        slots.time[at] = slots.time[at - 1]
        slots.where[at] = slots.where[at - 1]
        slots.delta[at] = slots.delta[at - 1]
        at -= 1
    slots.time[at] = time
    slots.where[at] = node
    slots.delta[at] = delta
    slots.count[domain] += 1
    return at  # type: ignore[no-any-return]


@step(INT(STATE, INT, INT, INT))
def drop_change(state: State, node: int, time: int, delta: int) -> int:
    """Take one such change out of its domain's list; return the place it had."""
    slots = state.slots
    domain = state.places.domain_of[node]
    low = slots.first[domain]
    last = low + slots.count[domain]
    high = last
    while low < high:
        middle = (low + high) >> 1
        if slots.time[middle] < time:
            low = middle + 1
        else:
            high = middle
    while slots.where[low] != node or slots.delta[low] != delta:
        low += 1
    for at in range(low, last - 1):
        slots.time[at] = slots.time[at + 1]
        slots.where[at] = slots.where[at + 1]
        slots.delta[at] = slots.delta[at + 1]
    slots.count[domain] -= 1
    return low  # type: ignore[no-any-return]


@step(INT(STATE, INT, INT))
def note_slot(state: State, row: int, sign: int) -> int:
    """Enter (`sign` 1) or take out (-1) the changes that the slot of job `row` brings; return its pieces."""
    slots = state.slots
    begin = slots.start[row]
    finish = begin + state.jobs.limit_ms[row]
    piece = slots.piece[row]
    n_pieces = 0
    while piece >= 0:
        node, gpus = slots.node[piece], slots.gpus[piece]
        if sign > 0:
            add_change(state, node, begin, -gpus)
            add_change(state, node, finish, gpus)
        else:
            drop_change(state, node, begin, -gpus)
            drop_change(state, node, finish, gpus)
        n_pieces += 1
        piece = slots.next[piece]
    return n_pieces


@step(INT(STATE, INT))
def drop_pieces(state: State, row: int) -> int:
    """Return the pieces of job `row` to the free chain; return how many."""
    slots, cells = state.slots, state.clock.cells
    n_pieces = 0
    while slots.piece[row] >= 0:
        piece = slots.piece[row]
        slots.piece[row] = slots.next[piece]
        slots.next[piece] = cells[FREE_PIECE]
        cells[FREE_PIECE] = piece
        n_pieces += 1
    return n_pieces


@step(INT(STATE, INT, INT))
def give_back(state: State, row: int, line: int) -> int:
    """Take the slot of job `row` away; return its start in ms."""
    begin = state.slots.start[row]
    note_slot(state, row, -1)
    drop_pieces(state, row)
    state.slots.start[row] = -1
    state.slots.held[line] -= 1
    return begin  # type: ignore[no-any-return]


@step(INT(STATE, INT, INT, INT, INT))
def hold(state: State, row: int, line: int, begin: int, n_nodes: int) -> int:
    """Give job `row` a slot from `begin` on the first `n_nodes` nodes in `state.chosen`; return `begin`."""
    slots, cells = state.slots, state.clock.cells
    for at in range(n_nodes):
        piece = cells[FREE_PIECE]
        cells[FREE_PIECE] = slots.next[piece]
        slots.node[piece] = state.chosen.node[at]
        slots.gpus[piece] = state.chosen.gpus[at]
        slots.next[piece] = slots.piece[row]
        slots.piece[row] = piece
    slots.start[row] = begin
    slots.held[line] += 1
    note_slot(state, row, 1)
    return begin


@step(INT(STATE, INT, INT, INT))
def release_running(state: State, domain: int, place: int, sign: int) -> int:
    """Change `state.offered` by the GPUs of the running job at `place` of the plan; return them."""
    piece = state.runs.slice[state.plan.row[place]]
    gpus = 0
    while piece >= 0 and state.places.domain_of[state.slices.node[piece]] == domain:
        change(state.offered, state.places, state.slices.node[piece], sign * state.slices.gpus[piece])
        gpus += state.slices.gpus[piece]
        piece = state.slices.next[piece]
    return gpus


@step(INT(STATE, INT, INT, INT))
def lower(state: State, node: int, delta: int, mark: int) -> int:
    """Let the free GPUs of `node` change by `delta` inside the window; keep the fewest in `later`.

    Returns
    -------
    int
        1 if fewer are free than at any moment of the window before, else 0.
    """
    slots = state.slots
    if slots.mark[node] != mark:
        slots.mark[node] = mark
        slots.value[node] = state.offered.free[node]
    slots.value[node] += delta
    fewest = state.later.free[node]
    if slots.value[node] < fewest:
        change(state.later, state.places, node, slots.value[node] - fewest)
        return 1
    return 0


@step(INT(STATE, INT, INT, INT, INT, INT, INT))
def holds_until(
    state: State, line: int, domain: int, gpus: int, running_at: int, change_at: int, finish: int
) -> int:
    """Return 1 if a gang fits from the state in `offered` until `finish`, whose changes begin at the two places.

    Leaves in `later` the fewest GPUs free on each node at any moment of the window.
    """
    slots, plan, cells = state.slots, state.plan, state.clock.cells
    soonest = cells[NOW] + 1
    last_running = plan.first[line] + plan.count[line]
    last_change = slots.first[domain] + slots.count[domain]
    copy_domain(state.offered, state.later, state.places, domain)
    cells[MARK] += 1
    mark = cells[MARK]
    running, at = running_at, change_at
    while at < last_change and slots.time[at] < finish:
        # What running jobs give back before this change counts first: a slot may begin where one ends.
        while running < last_running and max(plan.end[running], soonest) <= slots.time[at]:
            piece = state.runs.slice[plan.row[running]]
            while piece >= 0 and state.places.domain_of[state.slices.node[piece]] == domain:
                lower(state, state.slices.node[piece], state.slices.gpus[piece], mark)
                piece = state.slices.next[piece]
            running += 1
        time = slots.time[at]
        is_lower = 0
        # All changes of one moment first: on a node, one slot may end where the next begins.
        first_at = at
        while at < last_change and slots.time[at] == time:
            if slots.delta[at] > 0:
                lower(state, slots.where[at], slots.delta[at], mark)
            at += 1
        for again in range(first_at, at):
            if slots.delta[again] < 0:
                is_lower += lower(state, slots.where[again], slots.delta[again], mark)
        if is_lower > 0 and fits(state.later, state.places, domain, gpus) == 0:
            return 0
    return 1


@step(INT(STATE, INT, INT, INT))
def earliest(state: State, row: int, line: int, domain: int) -> int:
    """Return the earliest place of job `row` in `domain` in ms, leaving in `later` what it is offered."""
    slots, plan = state.slots, state.plan
    now = state.clock.cells[NOW]
    gpus = state.shapes.gpus[state.shapes.of_row[row]]
    length = state.jobs.limit_ms[row]
    running = plan.first[line]
    last_running = running + plan.count[line]
    at = slots.first[domain]
    last_change = at + slots.count[domain]
    copy_domain(state.levels, state.offered, state.places, domain)
    time = now
    while time < NEVER:
        while running < last_running and max(plan.end[running], now + 1) <= time:
            release_running(state, domain, running, 1)
            running += 1
        while at < last_change and slots.time[at] <= time:
            change(state.offered, state.places, slots.where[at], slots.delta[at])
            at += 1
        if fits(state.offered, state.places, domain, gpus) == 1 and (
            holds_until(state, line, domain, gpus, running, at, time + length) == 1
        ):
            return time
        following = NEVER
        if running < last_running:
            following = max(plan.end[running], now + 1)
        ahead = at
        while ahead < last_change and slots.delta[ahead] < 0:
            ahead += 1  # only an end can make room
        if ahead < last_change and slots.time[ahead] < following:
            following = slots.time[ahead]
        time = following
    return NEVER


@step(INT(STATE, PICK, PICK, INT, INT))
def find_place(state: State, pick_node: object, pick_rest: object, row: int, line: int) -> int:
    """Choose the earliest place of job `row` over its domains; return its start in ms.

    The nodes are left in `state.chosen`; how many follows from `state.chosen.count`.
    """
    shapes = state.shapes
    shape = shapes.of_row[row]
    best, soonest, latest = -1, NEVER, -1
    for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
        latest = shapes.domain[entry]
        time = earliest(state, row, line, latest)
        if best < 0 or time < soonest:
            best, soonest = latest, time
    if best != latest:
        earliest(state, row, line, best)
    state.chosen.count[0] = choose(
        state.later, state.places, state.chosen, pick_node, pick_rest, best, shapes.gpus[shape]
    )
    return soonest


@step(INT(STATE, INT))
def give_back_beyond(state: State, line: int) -> int:
    """Take slots from jobs no longer among the first `depth`; from all of them if slots are recomputed."""
    group = state.line.line_group[line]
    keep = 0 if state.clock.settings[IS_RECOMPUTED] == 1 else state.clock.settings[DEPTH]
    n_seen, n_found, n_dropped = 0, 0, 0
    n_held = state.slots.held[line]
    slot = state.line.head[group]
    while slot >= 0 and n_found < n_held:
        row = state.line.row_at[slot]
        if state.slots.start[row] >= 0:
            n_found += 1
            if n_seen >= keep:
                give_back(state, row, line)
                n_dropped += 1
        n_seen += 1
        slot = next_slot(state.line, group, slot + 1)
    return n_dropped


@step(INT(STATE, PICK, PICK, INT))
def move_up(state: State, pick_node: object, pick_rest: object, line: int) -> int:
    """Put each slot, in rank order, back at the earliest place, never later; return how many moved."""
    slots = state.slots
    group = state.line.line_group[line]
    n_left, n_moved = slots.held[line], 0
    slot = state.line.head[group]
    while slot >= 0 and n_left > 0:
        row = state.line.row_at[slot]
        if slots.start[row] >= 0:
            n_left -= 1
            note_slot(state, row, -1)
            begin = find_place(state, pick_node, pick_rest, row, line)
            if begin <= slots.start[row]:
                drop_pieces(state, row)
                slots.held[line] -= 1
                hold(state, row, line, begin, state.chosen.count[0])
                n_moved += 1
            else:
                note_slot(state, row, 1)
        slot = next_slot(state.line, group, slot + 1)
    return n_moved


@step(INT(STATE, INT))
def start_due(state: State, line: int) -> int:
    """Start jobs whose slots are due, in rank order; return 1 if one found its GPUs taken, else 0."""
    slots, chosen = state.slots, state.chosen
    now = state.clock.cells[NOW]
    group = state.line.line_group[line]
    n_left = slots.held[line]
    slot = state.line.head[group]
    while slot >= 0 and n_left > 0:
        row = state.line.row_at[slot]
        if slots.start[row] >= 0:
            n_left -= 1
            if slots.start[row] <= now:
                n_nodes = 0
                piece = slots.piece[row]
                while piece >= 0:
                    if state.levels.free[slots.node[piece]] < slots.gpus[piece]:
                        return 1
                    chosen.node[n_nodes] = slots.node[piece]
                    chosen.gpus[n_nodes] = slots.gpus[piece]
                    n_nodes += 1
                    piece = slots.next[piece]
                give_back(state, row, line)
                start(state, row, n_nodes)
        slot = next_slot(state.line, group, slot + 1)
    return 0


@step(INT(STATE, PICK, PICK, INT))
def give_slots(state: State, pick_node: object, pick_rest: object, line: int) -> int:
    """Give slots in rank order until `depth` waiting jobs hold one; start those whose slot is now."""
    slots = state.slots
    now = state.clock.cells[NOW]
    group = state.line.line_group[line]
    n_started = 0
    slot = state.line.head[group]
    while slot >= 0 and slots.held[line] < state.clock.settings[DEPTH]:
        row = state.line.row_at[slot]
        if slots.start[row] < 0:
            begin = find_place(state, pick_node, pick_rest, row, line)
            if begin == now:
                start(state, row, state.chosen.count[0])
                n_started += 1
            else:
                hold(state, row, line, begin, state.chosen.count[0])
        slot = next_slot(state.line, group, slot + 1)
    return n_started


@step(INT(STATE, INT, INT))
def is_overdue(state: State, line: int, domain: int) -> int:
    """Return 1 if a job of `domain` still runs past its planned end, else 0."""
    plan, now = state.plan, state.clock.cells[NOW]
    for at in range(plan.first[line], plan.first[line] + plan.count[line]):
        if plan.end[at] > now:
            return 0
        piece = state.runs.slice[plan.row[at]]
        if state.places.domain_of[state.slices.node[piece]] == domain:
            return 1
    return 0


@step(INT(STATE, INT))
def next_start(state: State, line: int) -> int:
    """Return the next start of a slot of `line` that deserves a tick in ms, `NEVER` if there is none."""
    slots, now = state.slots, state.clock.cells[NOW]
    if slots.held[line] == 0:
        return NEVER
    if state.line.wake[line] > now + 1:
        return state.line.wake[line]  # type: ignore[no-any-return]
    group = state.line.line_group[line]
    soonest = NEVER
    n_left = slots.held[line]
    slot = state.line.head[group]
    while slot >= 0 and n_left > 0:
        row = state.line.row_at[slot]
        begin = slots.start[row]
        if begin >= 0:
            n_left -= 1
            if now < begin < soonest:
                domain = state.places.domain_of[slots.node[slots.piece[row]]]
                if begin > now + 1 or is_overdue(state, line, domain) == 0:
                    soonest = begin
        slot = next_slot(state.line, group, slot + 1)
    return soonest


@step(INT(STATE, INT))
def has_start_now(state: State, line: int) -> int:
    """Return 1 if a slot of `line` starts now, else 0."""
    slots = state.slots
    if slots.held[line] == 0 or state.line.wake[line] > state.clock.cells[NOW]:
        return 0
    group = state.line.line_group[line]
    n_left = slots.held[line]
    slot = state.line.head[group]
    while slot >= 0 and n_left > 0:
        row = state.line.row_at[slot]
        if slots.start[row] >= 0:
            n_left -= 1
            if slots.start[row] == state.clock.cells[NOW]:
                return 1
        slot = next_slot(state.line, group, slot + 1)
    return 0


@step(INT(STATE, PICK, PICK, INT))
def conservative_pass(state: State, pick_node: object, pick_rest: object, line: int) -> int:
    """Give back, move up, start what is due, give new slots, in this order. Return slots held."""
    slots = state.slots
    give_back_beyond(state, line)
    if slots.is_early[line] == 1 and state.clock.settings[IS_RECOMPUTED] == 0:
        move_up(state, pick_node, pick_rest, line)
    slots.is_early[line] = 0
    if start_due(state, line) == 1:
        group = state.line.line_group[line]
        slot = state.line.head[group]
        while slot >= 0 and slots.held[line] > 0:
            if slots.start[state.line.row_at[slot]] >= 0:
                give_back(state, state.line.row_at[slot], line)
            slot = next_slot(state.line, group, slot + 1)
    give_slots(state, pick_node, pick_rest, line)
    state.line.wake[line] = NEVER
    group = state.line.line_group[line]
    slot = state.line.head[group]
    n_left = slots.held[line]
    while slot >= 0 and n_left > 0:
        row = state.line.row_at[slot]
        if slots.start[row] >= 0:
            n_left -= 1
            state.line.wake[line] = min(state.line.wake[line], slots.start[row])
        slot = next_slot(state.line, group, slot + 1)
    return slots.held[line]  # type: ignore[no-any-return]
