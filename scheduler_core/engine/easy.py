"""EASY backfill: the first blocked job of each domain gets a reservation that names GPUs.

S is the first time at which the placement rule places the blocked job on the nodes free by then
(running jobs end at their limit), and the GPUs it takes there are set aside. A later job may start if
it ends by S, or on GPUs that are not needed at S. Reservations are rebuilt at every pass.
"""

from scheduler_core.engine.running import start
from scheduler_core.engine.waiting import next_slot
from scheduler_core.kernels.bits import next_member
from scheduler_core.kernels.jit import INT, step
from scheduler_core.kernels.levels import change, choose, fits, free_in
from scheduler_core.kernels.state import (
    DEPTH,
    IS_SHORTEST_FIRST,
    LEVELS,
    NOW,
    PICK,
    PLACES,
    STATE,
    Levels,
    Places,
    State,
)


@step(INT(LEVELS, LEVELS, PLACES, INT))
def copy_domain(source: Levels, target: Levels, places: Places, domain: int) -> int:
    """Copy the free GPUs of one domain; return the blocks copied."""
    blocks = places.blocks
    for entry in range(places.scope_first[domain], places.scope_first[domain + 1]):
        block = places.scope_block[entry]
        first = blocks.first[block]
        for node in range(first, first + blocks.nodes[block]):
            target.free[node] = source.free[node]
        target.total[block] = source.total[block]
        if blocks.nodes[block] > 1:
            sets = blocks.base[block]
            last = sets + blocks.size[block] + 1
            for at in range(sets, last):
                target.count[at] = source.count[at]
            for at in range(sets * blocks.stride[0], last * blocks.stride[0]):
                target.bits[at] = source.bits[at]
    return places.scope_first[domain + 1] - places.scope_first[domain]  # type: ignore[return-value]


@step(INT(STATE, INT, INT))
def release(state: State, row: int, domain: int) -> int:
    """Give the GPUs of running job `row` back in `later` if it runs in `domain`; return the GPUs."""
    piece = state.runs.slice[row]
    gpus = 0
    while piece >= 0:
        node = state.slices.node[piece]
        if state.places.domain_of[node] != domain:
            return 0
        change(state.later, state.places, node, state.slices.gpus[piece])
        gpus += state.slices.gpus[piece]
        piece = state.slices.next[piece]
    return gpus


@step(INT(STATE, INT, INT, INT))
def shadow_time(state: State, row: int, domain: int, line: int) -> int:
    """Return S of job `row` in `domain` in ms, leaving in `later` what is free then."""
    plan = state.plan
    soonest = state.clock.cells[NOW] + 1  # whoever has passed the planned end is about to end
    gpus = state.shapes.gpus[state.shapes.of_row[row]]
    copy_domain(state.levels, state.later, state.places, domain)
    at = plan.first[line]
    last = at + plan.count[line]
    while at < last:
        time = max(plan.end[at], soonest)
        gained = 0
        while at < last and max(plan.end[at], soonest) == time:
            gained += release(state, plan.row[at], domain)
            at += 1
        if gained > 0 and fits(state.later, state.places, domain, gpus) == 1:
            return time
    return -1


@step(INT(STATE, INT))
def offer(state: State, node: int) -> int:
    """Bring the GPUs offered past S on `node` up to date: min(free, spare) where some are set aside."""
    wanted = state.levels.free[node]
    if state.domains.is_kept[node] == 1:
        wanted = min(wanted, state.domains.spare[node])
    return change(state.offered, state.places, node, wanted - state.offered.free[node])


@step(INT(STATE, PICK, PICK, INT, INT, INT))
def set_aside(
    state: State, pick_node: object, pick_rest: object, row: int, domain: int, line: int
) -> int:
    """Reserve GPUs for job `row` in `domain`: fill `spare` and the offered view; return S in ms."""
    places, domains = state.places, state.domains
    shadow = shadow_time(state, row, domain, line)
    gpus = state.shapes.gpus[state.shapes.of_row[row]]
    n_nodes = choose(state.later, places, state.chosen, pick_node, pick_rest, domain, gpus)
    copy_domain(state.levels, state.offered, places, domain)
    for entry in range(places.scope_first[domain], places.scope_first[domain + 1]):
        block = places.scope_block[entry]
        first = places.blocks.first[block]
        for node in range(first, first + places.blocks.nodes[block]):
            domains.is_kept[node] = 0
    for at in range(n_nodes):
        node = state.chosen.node[at]
        domains.is_kept[node] = 1
        domains.spare[node] = state.later.free[node] - state.chosen.gpus[at]
        offer(state, node)
    domains.holder[domain] = row
    domains.shadow[domain] = shadow
    return shadow


@step(INT(STATE, PICK, PICK, INT, INT))
def start_beside(state: State, pick_node: object, pick_rest: object, row: int, domain: int) -> int:
    """Start job `row` in a domain that holds a reservation, if harmless; return 1 if it started."""
    gpus = state.shapes.gpus[state.shapes.of_row[row]]
    is_late = state.clock.cells[NOW] + state.jobs.limit_ms[row] > state.domains.shadow[domain]
    levels = state.offered if is_late else state.levels
    n_nodes = choose(levels, state.places, state.chosen, pick_node, pick_rest, domain, gpus)
    if n_nodes == 0:
        return 0
    start(state, row, n_nodes)
    for at in range(n_nodes):
        node = state.chosen.node[at]
        if is_late and state.domains.is_kept[node] == 1:
            state.domains.spare[node] -= state.chosen.gpus[at]
        offer(state, node)
    return 1


@step(INT(STATE, PICK, PICK, INT))
def try_backfill(state: State, pick_node: object, pick_rest: object, row: int) -> int:
    """Start job `row` in the first domain that takes it; return 1 if it started, else 0."""
    shapes, domains = state.shapes, state.domains
    shape = shapes.of_row[row]
    gpus = shapes.gpus[shape]
    for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
        domain = shapes.domain[entry]
        if fits(state.levels, state.places, domain, gpus) == 1:
            if domains.holder[domain] >= 0:
                if domains.shadow[domain] < 0:
                    line = shapes.line[shape]
                    set_aside(state, pick_node, pick_rest, domains.holder[domain], domain, line)
                if start_beside(state, pick_node, pick_rest, row, domain) == 1:
                    return 1
            else:
                n_nodes = choose(
                    state.levels, state.places, state.chosen, pick_node, pick_rest, domain, gpus
                )
                start(state, row, n_nodes)
                return 1
    return 0


@step(INT(STATE, INT))
def reserve(state: State, row: int) -> int:
    """Give blocked job `row` a reservation in the domain where it could start first, if one is left.

    With one domain to choose from, S is computed only when a candidate needs it: nothing changes
    in a domain between the two, because nobody starts there without asking.

    Returns
    -------
    int
        The domain, or -1 if all its domains hold reservations.
    """
    shapes, domains = state.shapes, state.domains
    shape = shapes.of_row[row]
    best, n_left = -1, 0
    for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
        if domains.holder[shapes.domain[entry]] < 0:
            n_left += 1
            best = shapes.domain[entry]
    if n_left > 1:
        soonest = -1
        for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
            domain = shapes.domain[entry]
            if domains.holder[domain] < 0:
                shadow = shadow_time(state, row, domain, shapes.line[shape])
                if soonest < 0 or shadow < soonest:
                    best, soonest = domain, shadow
    if best >= 0:
        domains.holder[best] = row
        domains.shadow[best] = -1
    return best


@step(INT(STATE, INT))
def free_in_line(state: State, line: int) -> int:
    """Return the free GPUs of all domains of a line."""
    free = 0
    for domain in range(state.line.line_domain[line], state.line.line_domain[line + 1]):
        free += free_in(state.levels, state.places, domain)
    return free


@step(INT(STATE, INT, INT))
def next_candidate(state: State, group: int, slot: int) -> int:
    """Return the next waiting job of `group` at or after `slot` of the candidates' order, or -1."""
    if state.clock.settings[IS_SHORTEST_FIRST] == 0:
        return next_slot(state.line, group, slot)
    found = next_member(state.by_limit.bits, state.by_limit.tiers, 0, slot)
    return found if 0 <= found < state.line.last[group] else -1


@step(INT(STATE, PICK, PICK, INT))
def easy_pass(state: State, pick_node: object, pick_rest: object, line: int) -> int:
    """Start heads while they fit, then backfill behind the first blocked job. Return jobs started."""
    for domain in range(state.line.line_domain[line], state.line.line_domain[line + 1]):
        state.domains.holder[domain] = -1
    group = state.line.line_group[line]
    is_shortest_first = state.clock.settings[IS_SHORTEST_FIRST] == 1
    n_started, n_tried = 0, 0
    head = -1  # the first blocked job; until there is one, jobs are tried in rank order
    slot = state.line.head[group]
    while slot >= 0 and n_tried <= state.clock.settings[DEPTH] and free_in_line(state, line) > 0:
        is_by_limit = is_shortest_first and head >= 0
        row = state.by_limit.row_at[slot] if is_by_limit else state.line.row_at[slot]
        if row != head:
            if try_backfill(state, pick_node, pick_rest, row) == 1:
                n_started += 1
            else:
                reserve(state, row)
                if head < 0:
                    head = row
                    if is_shortest_first:
                        slot = state.line.first[group] - 1
            if head >= 0:
                n_tried += 1  # the blocked head counts as one, so `depth` more follow it
        if head >= 0:
            slot = next_candidate(state, group, slot + 1)
        else:
            slot = next_slot(state.line, group, slot + 1)
    return n_started
