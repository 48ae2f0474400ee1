"""Starting and ending jobs: GPUs, coming finishes, planned ends."""

from scheduler_core.engine.causes import end_wait
from scheduler_core.engine.waiting import leave
from scheduler_core.kernels.heap import push
from scheduler_core.kernels.jit import INT, step
from scheduler_core.kernels.levels import change
from scheduler_core.kernels.state import (
    CONSERVATIVE,
    DISCIPLINE,
    EASY,
    FREE_SLICE,
    HEAP_SIZE,
    IS_RECORDING,
    LOG_SIZE,
    NOW,
    SEQUENCE,
    STATE,
    State,
)
from scheduler_core.kernels.tables import STATES

PENDING = STATES.index("pending")
RUNNING = STATES.index("running")
FINISHED = STATES.index("finished")
KILLED = STATES.index("killed")
UNSCHEDULABLE = STATES.index("unschedulable")


@step(INT(STATE, INT, INT))
def plan_end(state: State, row: int, line: int) -> int:
    """Enter a job that starts now among the planned ends of its line; return its planned end in ms."""
    plan = state.plan
    first = plan.first[line]
    end = state.clock.cells[NOW] + state.jobs.limit_ms[row]
    at = first + plan.count[line]
    # Longest first would be cheaper for long jobs; most jobs are short, and planned ends are few.
    while at > first and plan.end[at - 1] > end:
        plan.end[at] = plan.end[at - 1]
        plan.row[at] = plan.row[at - 1]
        at -= 1
    plan.end[at] = end
    plan.row[at] = row
    plan.count[line] += 1
    return end  # type: ignore[return-value]


@step(INT(STATE, INT, INT))
def unplan_end(state: State, row: int, line: int) -> int:
    """Take a job that ends out of the planned ends of its line; return its planned end in ms."""
    plan = state.plan
    first = plan.first[line]
    last = first + plan.count[line]
    end = state.runs.start[row] + state.jobs.limit_ms[row]
    low, high = first, last
    while low < high:
        middle = (low + high) >> 1
        if plan.end[middle] < end:
            low = middle + 1
        else:
            high = middle
    while plan.row[low] != row:
        low += 1
    for at in range(low, last - 1):
        plan.end[at] = plan.end[at + 1]
        plan.row[at] = plan.row[at + 1]
    plan.count[line] -= 1
    return end  # type: ignore[return-value]


@step(INT(STATE, INT, INT))
def start(state: State, row: int, n_nodes: int) -> int:
    """Start job `row` now on the first `n_nodes` nodes in `state.chosen`; return the row."""
    cells = state.clock.cells
    now = cells[NOW]
    runs, slices = state.runs, state.slices
    for at in range(n_nodes):
        node, gpus = state.chosen.node[at], state.chosen.gpus[at]
        change(state.levels, state.places, node, -gpus)
        piece = cells[FREE_SLICE]
        cells[FREE_SLICE] = slices.next[piece]
        slices.node[piece] = node
        slices.gpus[piece] = gpus
        slices.next[piece] = runs.slice[row]
        runs.slice[row] = piece
        if state.clock.settings[IS_RECORDING] == 1:
            size = cells[LOG_SIZE]
            state.log.row[size] = row
            state.log.node[size] = node
            state.log.gpus[size] = gpus
            cells[LOG_SIZE] = size + 1
    runs.start[row] = now
    runs.state[row] = RUNNING
    cells[HEAP_SIZE] = push(state.heap, cells[HEAP_SIZE], now + runs.length[row], cells[SEQUENCE], row)
    cells[SEQUENCE] += 1
    leave(state.line, state.by_limit, state.shapes, row)
    if state.jobs.submit_ms[row] < now:
        end_wait(state, row, now)
    if state.clock.settings[DISCIPLINE] >= EASY:
        plan_end(state, row, state.shapes.line[state.shapes.of_row[row]])
    return row


@step(INT(STATE, INT))
def free(state: State, row: int) -> int:
    """Give back the GPUs of job `row`, if it still holds them; return its line."""
    runs, slices = state.runs, state.slices
    line = state.shapes.line[state.shapes.of_row[row]]
    piece = runs.slice[row]
    if piece < 0:
        return line  # type: ignore[return-value]
    while piece >= 0:
        change(state.levels, state.places, slices.node[piece], slices.gpus[piece])
        following = slices.next[piece]
        slices.next[piece] = state.clock.cells[FREE_SLICE]
        state.clock.cells[FREE_SLICE] = piece
        piece = following
    runs.slice[row] = -1
    if state.clock.settings[DISCIPLINE] >= EASY:
        unplan_end(state, row, line)
    return line  # type: ignore[return-value]


@step(INT(STATE, INT))
def end(state: State, row: int) -> int:
    """Record that job `row` ends now; return its state."""
    runs = state.runs
    now = state.clock.cells[NOW]
    runs.finish[row] = now
    if state.clock.settings[DISCIPLINE] == CONSERVATIVE and runs.start[row] + state.jobs.limit_ms[row] > now:
        state.slots.is_early[state.shapes.line[state.shapes.of_row[row]]] = 1
    runs.state[row] = KILLED if runs.length[row] < state.jobs.runtime_ms[row] else FINISHED
    return runs.state[row]  # type: ignore[return-value]
