"""Go on where another policy stopped: running jobs keep their GPUs, waiting jobs stand in line anew.

Once a change, and never in a run whose policy does not change, so it is a kernel of its own.
"""

from scheduler_core.engine.causes import begin_wait
from scheduler_core.engine.greedy import touch_all
from scheduler_core.engine.live import waiting_key
from scheduler_core.engine.members_held import claim
from scheduler_core.engine.offers import count_leaving, offer_all, shift
from scheduler_core.engine.quotas import count_use
from scheduler_core.engine.running import RUNNING, plan_end
from scheduler_core.engine.stays import list_leaving, list_running
from scheduler_core.engine.waiting import join
from scheduler_core.kernels.jit import INT, INTS, kernel, step
from scheduler_core.kernels.state import (
    AWAY_SINCE,
    BEGAN,
    BLOCK,
    BLOCK_HELD,
    COLLECT_MS,
    DISCIPLINE,
    EASY,
    FIXED,
    FREE_SLICE,
    HAS_STAYS,
    IS_MOVING,
    IS_SAFE,
    JOB_KEY,
    JOB_SLICE,
    JOB_STATE,
    LIVE_KEY,
    N_MEMBERS,
    N_SHAPES,
    NOW,
    SCOPES,
    SHAPE,
    SHAPE_LINE,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    SLICE_SINCE,
    START,
    TOLD,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INTS, INT))
def take_again(m: Int64, before: Int64, row: int) -> int:
    """Let job `row` hold the GPUs that it held in memory `before`; return its first slice."""
    piece, first, unused = before[before[JOB_SLICE] + row], -1, m[FREE_SLICE]
    while piece >= 0:
        node, gpus = before[before[SLICE_NODE] + piece], before[before[SLICE_GPUS] + piece]
        shift(m, node, -gpus)
        following = m[m[SLICE_NEXT] + unused]
        m[m[SLICE_NODE] + unused] = node
        m[m[SLICE_GPUS] + unused] = gpus
        m[m[SLICE_NEXT] + unused] = first
        first, unused = unused, following
        piece = before[before[SLICE_NEXT] + piece]
    m[FREE_SLICE] = unused
    m[m[JOB_SLICE] + row] = first
    return first


@step(INT(INTS, INT))
def enlist(m: Int64, row: int) -> int:
    """Enter running job `row` where those are listed that may be evicted, are in grace, or planned to end.

    These lists are kept by the time of the start, so the clock shows that for a moment.
    """
    line, now = m[m[SHAPE_LINE] + m[m[SHAPE] + row]], m[NOW]
    m[NOW] = m[m[BEGAN] + row]
    if m[HAS_STAYS] == 1 and m[m[TOLD] + row] >= 0:
        list_leaving(m, row, line)
        count_leaving(m, row, 1)
        offer_all(m, m[m[JOB_SLICE] + row])
    elif m[SCOPES] > 0 and m[m[IS_SAFE] + row] == 0:
        list_running(m, row, line)
    if m[DISCIPLINE] >= EASY:
        plan_end(m, row, line)
    m[NOW] = now
    return line


@step(INT(INTS, INTS, INT))
def collect_again(m: Int64, before: Int64, row: int) -> int:
    """Let waiting job `row` hold what it has collected in memory `before`; return its shape then."""
    shape, piece = m[m[SHAPE] + row], take_again(m, before, row)
    while piece >= 0:
        m[m[SLICE_SINCE] + piece] = m[NOW]  # what it held before is written down already
        m[m[BLOCK_HELD] + m[m[BLOCK] + m[m[SLICE_NODE] + piece]]] += m[m[SLICE_GPUS] + piece]
        piece = m[m[SLICE_NEXT] + piece]
    m[m[SHAPE] + row] = claim(m, shape, 1) + m[N_SHAPES]
    return m[m[SHAPE] + row]


@step(INT(INTS, INTS, INT))
def stand_again(m: Int64, before: Int64, row: int) -> int:
    """Put waiting job `row` into its line, unless it is away; return the line."""
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    if m[COLLECT_MS] > 0 and m[m[AWAY_SINCE] + row] >= 0:
        return line
    if m[IS_MOVING] == 1 and m[LIVE_KEY] != FIXED and m[m[START] + row] >= 0:
        m[m[JOB_KEY] + row] = waiting_key(m, row)
    join(m, row, line)
    if m[COLLECT_MS] > 0 and m[m[N_MEMBERS] + row] > 0:
        collect_again(m, before, row)
    begin_wait(m, row, m[NOW])
    return line


@kernel(INT(INTS, INTS, INTS))
def resume(m: Int64, before: Int64, rows: Int64) -> int:
    """Let the jobs `rows`, which run or wait, go on in memory `m`; return how many.

    Parameters
    ----------
    m : ndarray of int64
        A run that has not begun, with times and states of its jobs filled in.
    before : ndarray of int64
        The run up to now, under another policy.
    rows : ndarray of int64
        First those that run, in the order of their latest start, then those that wait.

    Returns
    -------
    int
        Jobs that go on.
    """
    for at in range(rows.shape[0]):
        row = rows[at]
        if m[m[JOB_STATE] + row] == RUNNING:
            take_again(m, before, row)
            count_use(m, m[m[SHAPE] + row], 1)
            enlist(m, row)
        else:
            stand_again(m, before, row)
    touch_all(m)
    return int(rows.shape[0])
