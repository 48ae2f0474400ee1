"""Starting and ending jobs: GPUs, coming finishes, planned ends."""

from scheduler_core.engine.causes import end_wait, is_counting
from scheduler_core.engine.elastic import note_begun
from scheduler_core.engine.offers import count_leaving, shift
from scheduler_core.engine.quotas import count_use
from scheduler_core.engine.stays import begin_stay, end_stay, strike_leaving, strike_running, strike_stopped
from scheduler_core.engine.waiting import leave
from scheduler_core.kernels.heap import IS_LEAVING, is_stale, make_room, push, row_in_heap
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BEGAN,
    CHOSEN_GPUS,
    CHOSEN_NODE,
    CONSERVATIVE,
    DISCIPLINE,
    EASY,
    FINISH,
    FREE_SLICE,
    FREED,
    HAS_PAUSES,
    HAS_STAYS,
    HEAP_SIZE,
    HEAP_TIME,
    IS_CUT,
    IS_DUE,
    IS_EARLY,
    IS_RECORDING,
    IS_ROOM_CHANGED,
    JOB_SLICE,
    JOB_STATE,
    LEAVES,
    LENGTH,
    LIMIT,
    LOG_COUNT,
    LOG_FIRST,
    LOG_GPUS,
    LOG_NODE,
    LOG_SEQUENCE,
    NOW,
    OFFER_MS,
    PLAN_COUNT,
    PLAN_END,
    PLAN_FIRST,
    PLAN_ROW,
    RUNTIME,
    SEQUENCE,
    SEQUENCE_OF,
    SHAPE,
    SHAPE_LINE,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    START,
    STOPPED,
    TOLD,
)
from scheduler_core.kernels.tables import STATES, Int64

PENDING = STATES.index("pending")
RUNNING = STATES.index("running")
FINISHED = STATES.index("finished")
KILLED = STATES.index("killed")
UNSCHEDULABLE = STATES.index("unschedulable")


@step(INT(INTS, INT, INT))
def plan_end(m: Int64, row: int, line: int) -> int:
    """Enter a job that starts now among the planned ends of its line; return its planned end in ms."""
    first = m[m[PLAN_FIRST] + line]
    end = m[NOW] + m[m[LIMIT] + row]
    at = first + m[m[PLAN_COUNT] + line]
    # Longest first would be cheaper for long jobs; most jobs are short, and planned ends are few.
    while at > first and m[m[PLAN_END] + at - 1] > end:
        m[m[PLAN_END] + at] = m[m[PLAN_END] + at - 1]
        m[m[PLAN_ROW] + at] = m[m[PLAN_ROW] + at - 1]
        at -= 1
    m[m[PLAN_END] + at] = end
    m[m[PLAN_ROW] + at] = row
    m[m[PLAN_COUNT] + line] += 1
    return end


@step(INT(INTS, INT, INT))
def unplan_end(m: Int64, row: int, line: int) -> int:
    """Take a job that ends out of the planned ends of its line; return its planned end in ms."""
    first = m[m[PLAN_FIRST] + line]
    last = first + m[m[PLAN_COUNT] + line]
    end = m[m[BEGAN] + row] + m[m[LIMIT] + row]
    low, high = first, last
    while low < high:
        middle = (low + high) >> 1
        if m[m[PLAN_END] + middle] < end:
            low = middle + 1
        else:
            high = middle
    while m[m[PLAN_ROW] + low] != row:
        low += 1
    for at in range(low, last - 1):
        m[m[PLAN_END] + at] = m[m[PLAN_END] + at + 1]
        m[m[PLAN_ROW] + at] = m[m[PLAN_ROW] + at + 1]
    m[m[PLAN_COUNT] + line] -= 1
    return end


@step(INT(INTS, INT, INT))
def record(m: Int64, row: int, n_nodes: int) -> int:
    """Write down the nodes job `row` starts on; return how many."""
    first = m[m[LOG_FIRST] + row]
    for at in range(n_nodes):
        m[m[LOG_NODE] + first + at] = m[m[CHOSEN_NODE] + at]
        m[m[LOG_GPUS] + first + at] = m[m[CHOSEN_GPUS] + at]
    m[m[LOG_COUNT] + row] = n_nodes
    m[m[LOG_SEQUENCE] + row] = m[SEQUENCE]
    return n_nodes


@step(INT(INTS, INT, INT), inline=True)
def start_direct(m: Int64, row: int, n_nodes: int) -> int:
    """Start job `row`, which stands in no line, now on the first `n_nodes` chosen nodes; return the row."""
    now = m[NOW]
    nodes, sizes, nexts = m[SLICE_NODE], m[SLICE_GPUS], m[SLICE_NEXT]
    held, first, unused = m[JOB_SLICE] + row, -1, m[FREE_SLICE]
    for at in range(n_nodes):
        node, gpus = m[m[CHOSEN_NODE] + at], m[m[CHOSEN_GPUS] + at]
        shift(m, node, -gpus)
        piece = unused
        unused = m[nexts + piece]
        m[nodes + piece] = node
        m[sizes + piece] = gpus
        m[nexts + piece] = first
        first = piece
    m[held] = first
    m[IS_ROOM_CHANGED] = 1
    m[FREE_SLICE] = unused
    if m[IS_RECORDING] == 1:
        record(m, row, n_nodes)
    if m[OFFER_MS] > 0:
        note_begun(m, row)
    if m[HAS_STAYS] == 1:
        begin_stay(m, row)
        make_room(m)
    else:
        m[m[START] + row] = now
    m[m[JOB_STATE] + row] = RUNNING
    m[HEAP_SIZE] = push(m, m[HEAP_SIZE], now + m[m[LENGTH] + row], m[SEQUENCE], row)
    m[SEQUENCE] += 1
    shape = m[m[SHAPE] + row]
    if count_use(m, shape, 1) != 0:
        m[m[IS_DUE] + m[m[SHAPE_LINE] + shape]] = FREED  # it may have been the last of its band that waited
    if m[DISCIPLINE] >= EASY:
        plan_end(m, row, m[m[SHAPE_LINE] + shape])
    return row


@step(INT(INTS, INT, INT), inline=True)
def start(m: Int64, row: int, n_nodes: int) -> int:
    """Start job `row`, which stands in line, now on the first `n_nodes` chosen nodes; return the row."""
    start_direct(m, row, n_nodes)
    leave(m, row)
    if is_counting(m, row, m[NOW]) == 1:
        end_wait(m, row, m[NOW])
    return row


@step(INT(INTS, INT), inline=True)
def free(m: Int64, row: int) -> int:
    """Give back the GPUs of job `row`, if it still holds them; return its line."""
    shape = m[m[SHAPE] + row]
    line = m[m[SHAPE_LINE] + shape]
    piece = m[m[JOB_SLICE] + row]
    if piece < 0:
        return line
    count_use(m, shape, -1)
    if m[HAS_STAYS] == 1:
        if m[m[TOLD] + row] >= 0:
            count_leaving(m, row, -1)
            strike_leaving(m, row, line)
        elif m[HAS_PAUSES] == 1 and m[m[STOPPED] + row] >= 0:
            count_leaving(m, row, -1)
            strike_stopped(m, row, line)
        else:
            strike_running(m, row, line)
    nodes, sizes, nexts, unused = m[SLICE_NODE], m[SLICE_GPUS], m[SLICE_NEXT], m[FREE_SLICE]
    while piece >= 0:
        shift(m, m[nodes + piece], m[sizes + piece])
        following = m[nexts + piece]
        m[nexts + piece] = unused
        unused = piece
        piece = following
    m[FREE_SLICE] = unused
    m[m[JOB_SLICE] + row] = -1
    m[IS_ROOM_CHANGED] = 1
    if m[DISCIPLINE] >= EASY:
        unplan_end(m, row, line)
    return line


@step(INT(INTS, INT), inline=True)
def planned_end(m: Int64, row: int) -> int:
    """Return when running job `row` is planned to end, in ms: at its limit, or when it is to leave."""
    if m[HAS_STAYS] == 1 and m[m[LEAVES] + row] >= 0:
        return m[m[LEAVES] + row]
    return m[m[BEGAN] + row] + m[m[LIMIT] + row]


@step(INT(INTS))
def free_at_limit(m: Int64) -> int:
    """Free, before anything else, the GPUs of jobs that finish now and should have by now; return how many."""
    n_freed = 0
    for at in range(m[HEAP_SIZE]):
        row = row_in_heap(m, at)
        is_end = m[HAS_STAYS] == 0 or (is_stale(m, at) == 0 and m[m[SEQUENCE_OF] + row] < IS_LEAVING)
        if is_end and m[m[HEAP_TIME] + at] == m[NOW] and planned_end(m, row) <= m[NOW]:
            free(m, row)
            n_freed += 1
    return n_freed


@step(INT(INTS, INT), inline=True)
def end(m: Int64, row: int) -> int:
    """Record that job `row` ends now; return its state."""
    now = m[NOW]
    m[m[FINISH] + row] = now
    if m[DISCIPLINE] == CONSERVATIVE and m[m[BEGAN] + row] + m[m[LIMIT] + row] > now:
        m[m[IS_EARLY] + m[m[SHAPE_LINE] + m[m[SHAPE] + row]]] = 1
    if m[HAS_STAYS] == 1:
        end_stay(m, row, now)
        m[m[JOB_STATE] + row] = KILLED if m[m[IS_CUT] + row] == 1 else FINISHED
    else:
        m[m[JOB_STATE] + row] = KILLED if m[m[LENGTH] + row] < m[m[RUNTIME] + row] else FINISHED
    return m[m[JOB_STATE] + row]
