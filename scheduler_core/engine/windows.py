"""Nodes kept for a band during a window: who may not be there, and when that ends (docs/model.md, 14.8 to 14.11).

While the placement rule is asked for a job, the nodes from which it is barred offer nothing; then all is as it was.
"""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import change, choose, fits
from scheduler_core.kernels.state import (
    FREE,
    IN_BANDS,
    JOB_SLICE,
    LIMIT,
    N_WINDOWS,
    NEVER,
    NODE_BARRED,
    NOW,
    PICK,
    SHAPE,
    SHAPE_ASK,
    SLICE_NEXT,
    SLICE_NODE,
    WINDOW_CLOSES,
    WINDOW_NODE,
    WINDOW_NODES,
    WINDOW_OPENS,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT), inline=True)
def is_kept_out(m: Int64, window: int, row: int, time: int) -> int:
    """Return 1 if job `row`, started at `time`, would be on the nodes of others while their window is open, else 0."""
    if m[m[IN_BANDS] + row] >> window & 1 == 1 or time >= m[m[WINDOW_CLOSES] + window]:
        return 0
    return 1 if time + m[m[LIMIT] + row] > m[m[WINDOW_OPENS] + window] else 0


@step(INT(INTS, INT, INT, INT))
def bar(m: Int64, which: int, row: int, time: int) -> int:
    """Let the nodes from which job `row` is barred at `time` offer nothing in table `which`; return the GPUs hidden."""
    hidden = 0
    for window in range(m[N_WINDOWS]):
        if is_kept_out(m, window, row, time) == 1:
            for at in range(m[m[WINDOW_NODES] + window], m[m[WINDOW_NODES] + window + 1]):
                node = m[m[WINDOW_NODE] + at]
                if m[m[NODE_BARRED] + node] < 0:
                    free = m[m[FREE + which] + node]
                    m[m[NODE_BARRED] + node] = free
                    hidden += free
                    change(m, which, node, -free)
    return hidden


@step(INT(INTS, INT))
def unbar(m: Int64, which: int) -> int:
    """Let all nodes of windows offer again what `bar` hid in table `which`; return the GPUs."""
    shown = 0
    for at in range(m[m[WINDOW_NODES] + m[N_WINDOWS]]):
        node = m[m[WINDOW_NODE] + at]
        if m[m[NODE_BARRED] + node] >= 0:
            shown += m[m[NODE_BARRED] + node]
            change(m, which, node, m[m[NODE_BARRED] + node])
            m[m[NODE_BARRED] + node] = -1
    return shown


@step(INT(INTS, INT, INT, INT, INT), inline=True)
def fits_for(m: Int64, which: int, domain: int, row: int, time: int) -> int:
    """Return what `fits` returns for job `row` at `time`, with nothing on the nodes from which it is barred."""
    ask = m[m[SHAPE_ASK] + m[m[SHAPE] + row]]
    if m[N_WINDOWS] == 0:
        return fits(m, which, domain, ask)
    bar(m, which, row, time)
    is_fitting = fits(m, which, domain, ask)
    unbar(m, which)
    return is_fitting


@step(INT(INTS, INT, PICK, PICK, INT, INT, INT), inline=True)
def choose_for(m: Int64, which: int, pick_node: object, pick_rest: object, domain: int, row: int, time: int) -> int:
    """Return what `choose` returns for job `row` at `time`, with nothing on the nodes from which it is barred."""
    ask = m[m[SHAPE_ASK] + m[m[SHAPE] + row]]
    if m[N_WINDOWS] == 0:
        return choose(m, which, pick_node, pick_rest, domain, ask)
    bar(m, which, row, time)
    n_nodes = choose(m, which, pick_node, pick_rest, domain, ask)
    unbar(m, which)
    return n_nodes


@step(INT(INTS, INT), inline=True)
def next_close(m: Int64, time: int) -> int:
    """Return when the first window closes after `time`, in ms, `NEVER` if none does."""
    soonest = NEVER
    for window in range(m[N_WINDOWS]):
        if m[m[WINDOW_CLOSES] + window] > time:
            soonest = min(soonest, m[m[WINDOW_CLOSES] + window])
    return soonest


@step(INT(INTS, INT), inline=True)
def is_open_now(m: Int64, window: int) -> int:
    """Return 1 if a window is open now, else 0."""
    return 1 if m[m[WINDOW_OPENS] + window] <= m[NOW] < m[m[WINDOW_CLOSES] + window] else 0


@step(INT(INTS, INT), inline=True)
def has_open_window(m: Int64, row: int) -> int:
    """Return 1 if a window of a band of job `row` is open now, else 0."""
    for window in range(m[N_WINDOWS]):
        if m[m[IN_BANDS] + row] >> window & 1 == 1 and is_open_now(m, window) == 1:
            return 1
    return 0


@step(INT(INTS, INT, INT), inline=True)
def is_on_nodes(m: Int64, row: int, window: int) -> int:
    """Return 1 if running job `row` holds GPUs on the nodes of a window, else 0."""
    piece = m[m[JOB_SLICE] + row]
    while piece >= 0:
        for at in range(m[m[WINDOW_NODES] + window], m[m[WINDOW_NODES] + window + 1]):
            if m[m[WINDOW_NODE] + at] == m[m[SLICE_NODE] + piece]:
                return 1
        piece = m[m[SLICE_NEXT] + piece]
    return 0


@step(INT(INTS, INT, INT, INT))
def is_window_of(m: Int64, member: int, other: int, victim: int) -> int:
    """Return 1 if `victim` is in an open window that is for job `member` and not for `other`, else 0."""
    mine = m[m[IN_BANDS] + member] & ~m[m[IN_BANDS] + other]
    for window in range(m[N_WINDOWS]):
        if mine >> window & 1 == 1 and is_open_now(m, window) == 1 and is_on_nodes(m, victim, window) == 1:
            return 1
    return 0
