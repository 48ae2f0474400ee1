"""What a hold-and-wait gang holds (docs/model.md, 17): its members, its claim on the quota, giving up and coming back.

A gang that collects goes on waiting in its line, as a shape of its own, because its quota is not tested again. The
slices of a job that does not run are its members.
"""

from scheduler_core.engine.causes import end_wait, is_counting
from scheduler_core.engine.greedy import touch_others
from scheduler_core.engine.leaving import line_up
from scheduler_core.engine.offers import shift
from scheduler_core.engine.pins import count_pinned, end_of_pins, wait_as
from scheduler_core.engine.returned import rank_from
from scheduler_core.engine.stays import chain, unchain
from scheduler_core.engine.waiting import leave
from scheduler_core.kernels.heap import pop_from, push_into
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import PART_MASK, change, lowest_in
from scheduler_core.kernels.state import (
    AWAY_MS,
    AWAY_SINCE,
    AWAY_SIZE,
    AWAY_TICKET,
    AWAY_TIME,
    BACKOFF,
    BLOCK,
    BLOCK_HELD,
    CHOSEN_GPUS,
    CHOSEN_NODE,
    COLLECT_BEFORE,
    COLLECT_DOMAIN,
    COLLECT_FIRST,
    COLLECT_LAST,
    COLLECT_MS,
    COLLECT_NEXT,
    COLLECT_UNTIL,
    EVENTS,
    FREE,
    FREE_SLICE,
    FREED,
    GROUP_COLLECTING,
    IDLE_GPUS,
    IDLE_ROW,
    IDLE_SINCE,
    IDLE_UNTIL,
    IS_CHANGED,
    IS_COUNTING,
    IS_DUE,
    IS_ROOM_CHANGED,
    JOB_SLICE,
    LIVE,
    N_AWAY,
    N_BACKOFFS,
    N_IDLE,
    N_LEAVES,
    N_MEMBERS,
    N_SHAPES,
    NEVER,
    NODE_FREED,
    NOW,
    PART_BITS,
    PINNED_FIRST,
    SHAPE,
    SHAPE_ASK,
    SHAPE_GPUS,
    SHAPE_GROUP,
    SHAPE_LEAF,
    SHAPE_LINE,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    SLICE_SINCE,
    TENANT_QUEUED,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT), inline=True)
def n_members(m: Int64, shape: int) -> int:
    """Return how many members a job of `shape` has: its parts, or one a GPU."""
    parts = m[m[SHAPE_ASK] + shape] >> PART_BITS
    return parts if parts > 0 else m[m[SHAPE_GPUS] + shape]


@step(INT(INTS, INT), inline=True)
def member_gpus(m: Int64, shape: int) -> int:
    """Return the GPUs of one member of a job of `shape`."""
    ask = m[m[SHAPE_ASK] + shape]
    return ask & PART_MASK if ask >> PART_BITS > 0 else 1


# ---- taking and giving back -----------------------------------------------------------------------------


@step(INT(INTS, INT), inline=True)
def hide_own(m: Int64, row: int) -> int:
    """Offer nothing on the nodes of job `row`, whose members lie on different ones; return how many."""
    piece, n_nodes = m[m[JOB_SLICE] + row], 0
    while piece >= 0:
        node = m[m[SLICE_NODE] + piece]
        m[m[NODE_FREED] + node] = m[m[FREE + LIVE] + node]
        change(m, LIVE, node, -m[m[NODE_FREED] + node])
        n_nodes += 1
        piece = m[m[SLICE_NEXT] + piece]
    return n_nodes


@step(INT(INTS, INT), inline=True)
def show_own(m: Int64, row: int) -> int:
    """Offer on the nodes of job `row` what `hide_own` hid; return how many."""
    piece, n_nodes = m[m[JOB_SLICE] + row], 0
    while piece >= 0:
        node = m[m[SLICE_NODE] + piece]
        change(m, LIVE, node, m[m[NODE_FREED] + node])
        m[m[NODE_FREED] + node] = 0
        n_nodes += 1
        piece = m[m[SLICE_NEXT] + piece]
    return n_nodes


@step(INT(INTS, INT, INT, INT))
def node_for(m: Int64, row: int, domain: int, gpus: int) -> int:
    """Return the lowest node of `domain` with room for the next member of job `row`, -1 for none."""
    if m[m[SHAPE_ASK] + m[m[SHAPE] + row]] >> PART_BITS == 0:
        return lowest_in(m, LIVE, domain, gpus)
    hide_own(m, row)
    node = lowest_in(m, LIVE, domain, gpus)
    show_own(m, row)
    return node


@step(INT(INTS, INT, INT), inline=True)
def add_member(m: Int64, row: int, node: int) -> int:
    """Let job `row` hold one more member, on `node`; return how many it has."""
    piece, gpus = m[FREE_SLICE], member_gpus(m, m[m[SHAPE] + row])
    m[FREE_SLICE] = m[m[SLICE_NEXT] + piece]
    m[m[SLICE_NODE] + piece] = node
    m[m[SLICE_GPUS] + piece] = gpus
    m[m[SLICE_SINCE] + piece] = m[NOW]
    m[m[SLICE_NEXT] + piece] = m[m[JOB_SLICE] + row]
    m[m[JOB_SLICE] + row] = piece
    shift(m, node, -gpus)
    m[m[BLOCK_HELD] + m[m[BLOCK] + node]] += gpus
    m[IS_CHANGED] = 1
    m[m[N_MEMBERS] + row] += 1
    return m[m[N_MEMBERS] + row]


@step(INT(INTS, INT, INT), inline=True)
def claim(m: Int64, shape: int, sign: int) -> int:
    """Count a job of `shape` that waits as one that holds its GPUs (1), or no longer (-1); return the shape."""
    if m[N_LEAVES] > 0:
        m[m[TENANT_QUEUED] + m[m[SHAPE_LEAF] + shape]] -= sign * m[m[SHAPE_GPUS] + shape]
    m[m[GROUP_COLLECTING] + m[m[SHAPE_GROUP] + shape]] += sign
    return count_pinned(m, shape, sign)


@step(INT(INTS, INT, INT), inline=True)
def begin_collecting(m: Int64, row: int, domain: int) -> int:
    """Let job `row` collect from now on, in `domain`; return its shape then."""
    chain(m, COLLECT_FIRST, m[COLLECT_NEXT], m[COLLECT_BEFORE], m[COLLECT_LAST], row)
    m[COLLECT_LAST] = row
    m[m[COLLECT_UNTIL] + row] = m[NOW] + m[COLLECT_MS]
    m[m[COLLECT_DOMAIN] + row] = domain
    shape = claim(m, m[m[SHAPE] + row], 1)
    return wait_as(m, row, shape + m[N_SHAPES])


@step(INT(INTS, INT), inline=True)
def note_idle(m: Int64, row: int) -> int:
    """Write down what job `row` has held up to now without running; return how many stretches."""
    piece, since, n_stretches = m[m[JOB_SLICE] + row], m[NOW], 0
    while piece >= 0:
        if m[m[SLICE_SINCE] + piece] < since:  # members that came together stand together
            since = m[m[SLICE_SINCE] + piece]
            at = m[N_IDLE]
            m[N_IDLE] = at + 1
            m[m[IDLE_ROW] + at] = row
            m[m[IDLE_SINCE] + at] = since
            m[m[IDLE_UNTIL] + at] = m[NOW]
            m[m[IDLE_GPUS] + at] = 0
            n_stretches += 1
        if since < m[NOW]:
            m[m[IDLE_GPUS] + m[N_IDLE] - 1] += m[m[SLICE_GPUS] + piece]
        piece = m[m[SLICE_NEXT] + piece]
    return n_stretches


@step(INT(INTS, INT), inline=True)
def give_members_back(m: Int64, row: int) -> int:
    """Free what job `row` holds, noting the nodes as chosen and their GPUs in NODE_FREED; return how many nodes."""
    piece, n_nodes = m[m[JOB_SLICE] + row], 0
    while piece >= 0:
        node, gpus = m[m[SLICE_NODE] + piece], m[m[SLICE_GPUS] + piece]
        if m[m[NODE_FREED] + node] == 0:
            m[m[CHOSEN_NODE] + n_nodes] = node
            n_nodes += 1
        m[m[NODE_FREED] + node] += gpus
        m[m[BLOCK_HELD] + m[m[BLOCK] + node]] -= gpus
        shift(m, node, gpus)
        following = m[m[SLICE_NEXT] + piece]
        m[m[SLICE_NEXT] + piece] = m[FREE_SLICE]
        m[FREE_SLICE] = piece
        piece = following
    m[m[JOB_SLICE] + row] = -1
    for at in range(n_nodes):
        node = m[m[CHOSEN_NODE] + at]
        m[m[CHOSEN_GPUS] + at] = m[m[NODE_FREED] + node]
        m[m[NODE_FREED] + node] = 0
    return n_nodes


@step(INT(INTS, INT))
def end_collecting(m: Int64, row: int) -> int:
    """Let job `row` give back what it holds, and leave no trace of it but that; return how many nodes it was on."""
    if is_counting(m, row, m[NOW]) == 1:
        end_wait(m, row, m[NOW])
        m[m[IS_COUNTING] + row] = 0
    note_idle(m, row)
    n_nodes = give_members_back(m, row)
    before = unchain(m, COLLECT_FIRST, m[COLLECT_NEXT], m[COLLECT_BEFORE], row)
    if m[COLLECT_LAST] == row:
        m[COLLECT_LAST] = before
    m[m[N_MEMBERS] + row] = 0
    m[m[SHAPE] + row] -= m[N_SHAPES]
    claim(m, m[m[SHAPE] + row], -1)
    m[IS_CHANGED] = 1
    m[IS_ROOM_CHANGED] = 1
    return n_nodes


# ---- giving up ------------------------------------------------------------------------------------------


@step(INT(INTS), inline=True)
def next_of_gangs(m: Int64) -> int:
    """Return when the next gang gives up or returns, in ms; all give up after the same time, so the oldest first."""
    time = m[m[COLLECT_UNTIL] + m[COLLECT_FIRST]] if m[COLLECT_FIRST] >= 0 else NEVER
    return min(time, m[m[AWAY_TIME]]) if m[AWAY_SIZE] > 0 else time


@step(INT(INTS), inline=True)
def end_of_wait(m: Int64) -> int:
    """Return when the next pins end, or the next gang gives up or returns, in ms; `NEVER` for never."""
    time = next_of_gangs(m) if m[COLLECT_MS] > 0 else NEVER
    return min(time, end_of_pins(m)) if m[PINNED_FIRST] >= 0 and end_of_pins(m) > m[NOW] else time


@step(INT(INTS, INT))
def give_up(m: Int64, row: int) -> int:
    """Let job `row` give all back and stand outside its line for its next back-off; return its line."""
    end_collecting(m, row)
    leave(m, row)
    back_off = m[m[BACKOFF] + row * N_BACKOFFS + m[m[N_AWAY] + row] % N_BACKOFFS]
    m[m[N_AWAY] + row] += 1
    m[m[AWAY_SINCE] + row] = m[NOW]
    m[AWAY_SIZE] = push_into(m, m[AWAY_TIME], m[AWAY_TICKET], m[AWAY_SIZE], m[NOW] + back_off, row)
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    m[m[IS_DUE] + line] = FREED
    return line


@step(INT(INTS, INT), inline=True)
def end_away(m: Int64, row: int) -> int:
    """Book the time that job `row` has been away up to now; return it in ms."""
    away = m[NOW] - m[m[AWAY_SINCE] + row]
    m[m[AWAY_MS] + row] += away
    m[m[AWAY_SINCE] + row] = -1
    return away


@step(INT(INTS))
def come_back(m: Int64) -> int:
    """Let the first of those that gave up return, with the rank of one submitted now; return its line."""
    row = m[m[AWAY_TICKET]]
    m[AWAY_SIZE] = pop_from(m, m[AWAY_TIME], m[AWAY_TICKET], m[AWAY_SIZE])
    end_away(m, row)
    rank_from(m, row, m[NOW])
    return line_up(m, row, m[m[SHAPE_LINE] + m[m[SHAPE] + row]])


@step(INT(INTS), inline=True)
def tick_of_gangs(m: Int64) -> int:
    """Let gangs give up and return that are to do so now; return how many."""
    n_gangs = 0
    while m[COLLECT_FIRST] >= 0 and m[m[COLLECT_UNTIL] + m[COLLECT_FIRST]] == m[NOW]:
        give_up(m, m[COLLECT_FIRST])
        n_gangs += 1
    while m[AWAY_SIZE] > 0 and m[m[AWAY_TIME]] == m[NOW]:
        come_back(m)
        n_gangs += 1
    if n_gangs > 0:
        touch_others(m)
    m[EVENTS] += n_gangs
    return n_gangs


@step(INT(INTS, INT), inline=True)
def close_gang(m: Int64, row: int) -> int:
    """At the end of a run book what waiting job `row` holds, or that it is away; return 1 if it stands in line, else 0.

    What it holds stays with it, for a policy that goes on from here.
    """
    note_idle(m, row)
    if m[m[AWAY_SINCE] + row] < 0:
        return 1
    end_away(m, row)
    return 0
