"""GPUs kept for a job that had others evicted (docs/model.md, 15.14 to 15.16).

A job with pins stands outside its line: it is in no group, and waits as a shape of its own, because jobs of its size
in the line may wait for something else.
"""

from scheduler_core.engine.causes import begin_wait, end_wait, is_counting
from scheduler_core.engine.offers import offer_again, offered_on
from scheduler_core.engine.quotas import charge, count_bands, count_use, has_quota
from scheduler_core.engine.running import start
from scheduler_core.engine.stays import chain, unchain
from scheduler_core.engine.suspending import let_work_on
from scheduler_core.engine.waiting import join, leave
from scheduler_core.engine.windows import choose_for
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import change, free_in
from scheduler_core.kernels.state import (
    BLOCK,
    BLOCK_PINNED,
    CHOSEN_GPUS,
    CHOSEN_NODE,
    DOMAIN,
    FREE_SLICE,
    IS_CHANGED,
    IS_QUOTA,
    IS_SUSPENDING,
    LIVE,
    N_LEAVES,
    N_SHAPES,
    N_WAITING,
    NODE_PINNED,
    NOW,
    PICK,
    PIN_BEFORE,
    PIN_MS,
    PIN_NEXT,
    PIN_PIECE,
    PIN_UNTIL,
    PINNED_FIRST,
    PINNED_LAST,
    SHAPE,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GPUS,
    SHAPE_LEAF,
    SHAPE_LINE,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    TENANT_PINNED,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT), inline=True)
def wait_as(m: Int64, row: int, shape: int) -> int:
    """Let waiting job `row` go on waiting as one of `shape`; return the shape."""
    if is_counting(m, row, m[NOW]) == 1:
        end_wait(m, row, m[NOW])
        m[m[SHAPE] + row] = shape
        begin_wait(m, row, m[NOW])
    else:
        m[m[SHAPE] + row] = shape
    m[IS_CHANGED] = 1
    return shape


@step(INT(INTS, INT, INT), inline=True)
def count_pinned(m: Int64, shape: int, sign: int) -> int:
    """Count the GPUs of a job of `shape` into the use of its tenant and bands, or take them out; return the shape."""
    count_use(m, shape, sign)
    if m[N_LEAVES] > 0:
        m[m[TENANT_PINNED] + m[m[SHAPE_LEAF] + shape]] += sign * m[m[SHAPE_GPUS] + shape]
    return shape


@step(INT(INTS, INT, INT), inline=True)
def keep(m: Int64, node: int, gpus: int) -> int:
    """Pin `gpus` more (negative: fewer) on `node`; return the node."""
    m[m[NODE_PINNED] + node] += gpus
    m[m[BLOCK_PINNED] + m[m[BLOCK] + node]] += gpus
    offer_again(m, node)
    return node


@step(INT(INTS, INT, INT))
def pin(m: Int64, row: int, n_nodes: int) -> int:
    """Keep the first `n_nodes` chosen nodes for job `row` and take it out of its line; return its shape then."""
    first = -1
    for at in range(n_nodes):
        node, gpus = m[m[CHOSEN_NODE] + at], m[m[CHOSEN_GPUS] + at]
        piece = m[FREE_SLICE]
        m[FREE_SLICE] = m[m[SLICE_NEXT] + piece]
        m[m[SLICE_NODE] + piece] = node
        m[m[SLICE_GPUS] + piece] = gpus
        m[m[SLICE_NEXT] + piece] = first
        first = piece
        keep(m, node, gpus)
    m[m[PIN_PIECE] + row] = first
    m[m[PIN_UNTIL] + row] = m[NOW] + m[PIN_MS]
    chain(m, PINNED_FIRST, m[PIN_NEXT], m[PIN_BEFORE], m[PINNED_LAST], row)
    m[PINNED_LAST] = row
    shape = m[m[SHAPE] + row]
    leave(m, row)
    m[N_WAITING] += 1
    count_bands(m, shape, 1)
    count_pinned(m, shape, 1)
    return wait_as(m, row, shape + m[N_SHAPES])


@step(INT(INTS, INT))
def unpin(m: Int64, row: int) -> int:
    """End the pins of job `row` and put it back into its line; return the line."""
    piece = m[m[PIN_PIECE] + row]
    while piece >= 0:
        node = m[m[SLICE_NODE] + piece]
        keep(m, node, -m[m[SLICE_GPUS] + piece])
        following = m[m[SLICE_NEXT] + piece]
        m[m[SLICE_NEXT] + piece] = m[FREE_SLICE]
        m[FREE_SLICE] = piece
        piece = following
    m[m[PIN_PIECE] + row] = -1
    if m[IS_SUSPENDING] == 1:
        let_work_on(m, row)
    before = unchain(m, PINNED_FIRST, m[PIN_NEXT], m[PIN_BEFORE], row)
    if m[PINNED_LAST] == row:
        m[PINNED_LAST] = before
    shape = m[m[SHAPE] + row] - m[N_SHAPES]
    wait_as(m, row, shape)
    m[N_WAITING] -= 1
    count_bands(m, shape, -1)
    count_pinned(m, shape, -1)
    line = m[m[SHAPE_LINE] + shape]
    join(m, row, line)
    return line


@step(INT(INTS, INT, INT), inline=True)
def own_pins(m: Int64, piece: int, sign: int) -> int:
    """Offer (1) what the pins from `piece` on keep, as if there were none, or no longer (-1); return the GPUs."""
    freed = 0
    while piece >= 0:
        node, gpus = m[m[SLICE_NODE] + piece], m[m[SLICE_GPUS] + piece]
        more = offered_on(m, node, m[m[NODE_PINNED] + node] - gpus) - offered_on(m, node, m[m[NODE_PINNED] + node])
        freed += more
        if sign != 0 and more > 0:
            change(m, LIVE, node, sign * more)
        piece = m[m[SLICE_NEXT] + piece]
    return freed


@step(INT(INTS, INT), inline=True)
def passes_with_pins(m: Int64, row: int) -> int:
    """Return 1 if pinned job `row` passes its quota test, its own pins not counted, else 0."""
    shape = m[m[SHAPE] + row]
    if m[IS_QUOTA] == 0:
        return 1
    charge(m, m[m[SHAPE_LEAF] + shape], -m[m[SHAPE_GPUS] + shape])
    passes = has_quota(m, shape)
    charge(m, m[m[SHAPE_LEAF] + shape], m[m[SHAPE_GPUS] + shape])
    return passes


@step(INT(INTS, PICK, PICK, INT))
def place_pinned(m: Int64, pick_node: object, pick_rest: object, row: int) -> int:
    """Choose nodes for pinned job `row` among the GPUs that are free for it; return how many, 0 for none."""
    shape, piece = m[m[SHAPE] + row], m[m[PIN_PIECE] + row]
    gpus, own, freed = m[m[SHAPE_GPUS] + shape], m[m[DOMAIN] + m[m[SLICE_NODE] + piece]], own_pins(m, piece, 0)
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        domain = m[m[SHAPE_DOMAIN] + entry]
        more = freed if domain == own else 0
        if free_in(m, LIVE, domain) + more >= gpus:
            if more > 0:
                own_pins(m, piece, 1)
            n_nodes = choose_for(m, LIVE, pick_node, pick_rest, domain, row, m[NOW])
            if more > 0:
                own_pins(m, piece, -1)
            if n_nodes > 0:
                return n_nodes
    return 0


@step(INT(INTS, PICK, PICK, INT))
def start_pinned(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Start the pinned jobs of `line` that can start, in the order of their decisions; return how many."""
    n_started = 0
    row = m[PINNED_FIRST]
    while row >= 0:
        following = m[m[PIN_NEXT] + row]
        if m[m[SHAPE_LINE] + m[m[SHAPE] + row]] == line and passes_with_pins(m, row) == 1:
            n_nodes = place_pinned(m, pick_node, pick_rest, row)
            if n_nodes > 0:
                unpin(m, row)
                start(m, row, n_nodes)
                n_started += 1
        row = following
    return n_started


@step(INT(INTS), inline=True)
def end_of_pins(m: Int64) -> int:
    """Return when the first pins time out, in ms; all are kept for the same time, so the oldest end first."""
    return m[m[PIN_UNTIL] + m[PINNED_FIRST]]
