"""The pass of hold-and-wait gangs (docs/model.md, 17.2 and 17.3): each takes a member in its turn, again and again."""

from scheduler_core.engine.greedy import close_domains, open_pass
from scheduler_core.engine.members import rank_members
from scheduler_core.engine.members_held import (
    add_member,
    begin_collecting,
    end_collecting,
    member_gpus,
    n_members,
    node_for,
)
from scheduler_core.engine.quotas import has_holder, has_quota, is_held, note_holder
from scheduler_core.engine.running import start
from scheduler_core.engine.tries import (
    drop_try,
    has_group_keys,
    is_before,
    is_open,
    list_tries,
    move_on,
    set_group_key,
    set_keys,
)
from scheduler_core.kernels.jit import FLOATS, INT, INTS, step
from scheduler_core.kernels.levels import fits
from scheduler_core.kernels.state import (
    CHOSEN_GPUS,
    CHOSEN_NODE,
    COLLECT_DOMAIN,
    DISCIPLINE,
    FREED,
    GROUP_COLLECTING,
    HOLDER,
    IS_HOLD,
    KEY,
    LIVE,
    N_MEMBERS,
    N_TRIES,
    N_WAITING,
    PICK,
    SHAPE,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GROUP,
    SHARE,
    STRICT,
    TRIED_GROUP,
    TRY_ROW,
)
from scheduler_core.kernels.tables import Floats, Int64

OVER, BLOCKED, TOOK, STARTED = range(4)
"""What comes of the turn of a job: passed over; it took nothing, a member, or its last member."""


@step(INT(INTS, INT, INT), inline=True)
def first_domain(m: Int64, shape: int, gpus: int) -> int:
    """Return the first open domain of `shape` in which a member fits, -1 for none."""
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        domain = m[m[SHAPE_DOMAIN] + entry]
        if m[m[HOLDER] + domain] < 0 and fits(m, LIVE, domain, gpus) == 1:
            return domain
    return -1


@step(INT(INTS, INT), inline=True)
def take_turn(m: Int64, row: int) -> int:
    """Let job `row` take one member; return what came of it."""
    shape, is_first = m[m[SHAPE] + row], m[m[N_MEMBERS] + row] == 0
    if is_held(m, row) == 1 or (is_first and has_quota(m, shape) == 0):
        return OVER
    gpus = member_gpus(m, shape)
    domain = first_domain(m, shape, gpus) if is_first else m[m[COLLECT_DOMAIN] + row]
    if domain < 0 or m[m[HOLDER] + domain] >= 0:
        return BLOCKED
    node = node_for(m, row, domain, gpus)
    if node < 0:
        return BLOCKED
    if n_members(m, shape) == 1:
        m[m[CHOSEN_NODE]] = node
        m[m[CHOSEN_GPUS]] = gpus
        start(m, row, 1)
        return STARTED
    if is_first:
        begin_collecting(m, row, domain)
    if add_member(m, row, node) < n_members(m, shape):
        return TOOK
    start(m, row, end_collecting(m, row))
    return STARTED


@step(INT(INTS, INT), inline=True)
def is_idle_group(m: Int64, row: int) -> int:
    """Return 1 if neither job `row` nor anybody behind it in its group can take a member or hold up others, else 0."""
    shape = m[m[SHAPE] + row]
    if m[IS_HOLD] == 1:
        return has_holder(m, shape)
    if m[DISCIPLINE] == STRICT:
        if is_open(m, shape) == 0:
            return 1
    elif first_domain(m, shape, member_gpus(m, shape)) < 0:
        return 1
    return 1 if m[m[GROUP_COLLECTING] + m[m[SHAPE_GROUP] + shape]] == 0 and has_quota(m, shape) == 0 else 0


@step(INT(INTS), inline=True)
def next_turn(m: Int64) -> int:
    """Return where in `m` the group stands whose next job ranks first, -1 if nobody can matter any more."""
    best, best_at, at = -1, -1, m[TRIED_GROUP]
    while at < m[TRIED_GROUP] + m[N_TRIES]:
        row = m[m[TRY_ROW] + m[at]]
        if row < 0 or is_idle_group(m, row) == 1:
            drop_try(m, at)
        else:
            if best < 0 or is_before(m, row, m[at], best, m[best_at]) == 1:
                best, best_at = row, at
            at += 1
    return best_at


@step(INT(INTS, KEY, SHARE, FLOATS, INT))
def go_through(m: Int64, key: object, share: object, numbers: Floats, line: int) -> int:
    """Let each job of `line` have its turn, in rank order; return how many took a member."""
    n_taken = 0
    list_tries(m, line, FREED)
    if has_group_keys(m) == 1:
        set_keys(m, key, share, numbers, line)
    at = next_turn(m)
    while at >= 0:
        group = m[at]
        row = m[m[TRY_ROW] + group]
        outcome = take_turn(m, row)
        if outcome == OVER:
            note_holder(m, row)
        elif outcome != STARTED:
            close_domains(m, row)
        move_on(m, group)
        if outcome >= TOOK:
            n_taken += 1
            if has_group_keys(m) == 1:
                set_keys(m, key, share, numbers, line)
        elif has_group_keys(m) == 1:
            set_group_key(m, key, numbers, group)
        at = next_turn(m)
    return n_taken


@step(INT(INTS, PICK, PICK, KEY, SHARE, FLOATS, INT))
def collecting_pass(
    m: Int64, pick_node: object, pick_rest: object, key: object, share: object, numbers: Floats, line: int
) -> int:
    """Go through `line` again and again until nobody takes a member; return how many were taken."""
    open_pass(m, pick_node, pick_rest, line)
    if m[N_WAITING] == 0:
        return 0
    rank_members(m, key, share, numbers, line)
    n_taken = 0
    n_more = go_through(m, key, share, numbers, line)
    while n_more > 0:
        n_taken += n_more
        open_pass(m, pick_node, pick_rest, line)  # each time anew: nobody has closed or held anything yet
        n_more = go_through(m, key, share, numbers, line)
    return n_taken
