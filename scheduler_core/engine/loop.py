"""The event loop: it exists once.

Arrivals are a sorted column and a pointer; the heap holds only finishes. All events of an instant are
applied, then one pass is made for every line that an event touched, then causes are brought up to
date. Lines share no GPUs, so the order of their passes does not matter.
"""

from scheduler_core.engine.causes import begin_wait, end_wait, explain
from scheduler_core.engine.conservative import conservative_pass, has_start_now, next_start
from scheduler_core.engine.easy import easy_pass
from scheduler_core.engine.greedy import best_effort_pass, strict_pass
from scheduler_core.engine.running import PENDING, UNSCHEDULABLE, end, free
from scheduler_core.engine.waiting import join
from scheduler_core.kernels.heap import pop
from scheduler_core.kernels.jit import INT, kernel, step
from scheduler_core.kernels.state import (
    ALL,
    BEST_EFFORT,
    CONSERVATIVE,
    DISCIPLINE,
    DONE,
    EASY,
    END_MS,
    EVENTS,
    HEAP_SIZE,
    IS_DONE,
    IS_PASS_PER_EVENT,
    IS_RECORDING,
    IS_SUBMIT_FIRST,
    LOG_FULL,
    LOG_SIZE,
    MORE,
    NEVER,
    N_JOBS,
    NEXT_ROW,
    NOW,
    PICK,
    STATE,
    STRICT,
    State,
)



@step(INT(STATE, INT))
def touch(state: State, line: int) -> int:
    """Note that an event touched `line`, which is then due for a pass; return the line."""
    state.line.is_due[line] = 1
    state.clock.cells[EVENTS] += 1
    return line


@step(INT(STATE))
def free_at_limit(state: State) -> int:
    """Free, before anything else, the GPUs of jobs that finish now and should have by now; return how many."""
    cells, heap = state.clock.cells, state.heap
    n_freed = 0
    for at in range(cells[HEAP_SIZE]):
        row = heap.row[at]
        if heap.time[at] == cells[NOW] and state.runs.start[row] + state.jobs.limit_ms[row] <= cells[NOW]:
            free(state, row)
            n_freed += 1
    return n_freed


@step(INT(STATE, INT))
def apply_finishes(state: State, most: int) -> int:
    """Apply up to `most` of the finishes that are due now, in order of start; return how many."""
    cells, heap = state.clock.cells, state.heap
    n_ended = 0
    while n_ended < most and cells[HEAP_SIZE] > 0 and heap.time[0] == cells[NOW]:
        row = heap.row[0]
        cells[HEAP_SIZE] = pop(heap, cells[HEAP_SIZE])
        end(state, row)
        touch(state, free(state, row))
        n_ended += 1
    return n_ended


@step(INT(STATE, INT))
def apply_submissions(state: State, most: int) -> int:
    """Put up to `most` of the jobs submitted now into their lines; return how many."""
    cells = state.clock.cells
    row = cells[NEXT_ROW]
    last = min(state.clock.settings[N_JOBS], row + most)
    while row < last and state.jobs.submit_ms[row] == cells[NOW]:
        if state.runs.state[row] != UNSCHEDULABLE:
            join(state.line, state.by_limit, state.shapes, row)
            touch(state, state.shapes.line[state.shapes.of_row[row]])
        row += 1
    n_submitted = row - cells[NEXT_ROW]
    cells[NEXT_ROW] = row
    return n_submitted  # type: ignore[no-any-return]


@step(INT(STATE, INT))
def apply_events(state: State, most: int) -> int:
    """Apply up to `most` events of the present instant in the order of `run.ties`; return how many."""
    is_submit_first = state.clock.settings[IS_SUBMIT_FIRST] == 1
    if is_submit_first or state.clock.settings[DISCIPLINE] == CONSERVATIVE:
        free_at_limit(state)
    if is_submit_first:
        n_applied = apply_submissions(state, most)
        return n_applied + apply_finishes(state, most - n_applied)
    n_applied = apply_finishes(state, most)
    return n_applied + apply_submissions(state, most - n_applied)


@step(INT(STATE))
def next_time(state: State) -> int:
    """Return the time of the next event in ms, `NEVER` if there is none."""
    cells = state.clock.cells
    time = NEVER
    if cells[NEXT_ROW] < state.clock.settings[N_JOBS]:
        time = state.jobs.submit_ms[cells[NEXT_ROW]]
    if cells[HEAP_SIZE] > 0 and state.heap.time[0] < time:
        time = state.heap.time[0]
    if state.clock.settings[DISCIPLINE] == CONSERVATIVE:
        for line in range(state.line.is_due.shape[0]):
            time = min(time, next_start(state, line))
    return time


@step(INT(STATE, INT))
def close_books(state: State, end_ms: int) -> int:
    """Book the waits of jobs that still wait at the end of the run; return how many wait."""
    n_waiting = 0
    for row in range(state.clock.cells[NEXT_ROW]):
        if state.runs.state[row] == PENDING:
            end_wait(state, row, end_ms)
            n_waiting += 1
    return n_waiting


@step(INT(STATE))
def tick(state: State) -> int:
    """Make every line due that has a slot starting now; return how many lines have."""
    n_due = 0
    if state.clock.settings[DISCIPLINE] == CONSERVATIVE:
        for line in range(state.line.is_due.shape[0]):
            if has_start_now(state, line) == 1:
                state.line.is_due[line] = 1
                n_due += 1
    return n_due


@step(INT(STATE, INT))
def close_instant(state: State, first_new: int) -> int:
    """Let new jobs that did not start begin to wait, and explain every wait; return shapes waiting."""
    now = state.clock.cells[NOW]
    for row in range(first_new, state.clock.cells[NEXT_ROW]):
        if state.runs.state[row] == PENDING:
            begin_wait(state, row, now)
    return explain(state, now)


@kernel(INT(STATE, PICK, PICK, INT))
def advance(state: State, pick_node: object, pick_rest: object, max_events: int) -> int:
    """Run until the end, or until `max_events` more events have been applied.

    Returns
    -------
    int
        `DONE`, `MORE` (call again), or `LOG_FULL` (make room in the log, then call again).
    """
    cells, settings = state.clock.cells, state.clock.settings
    budget = cells[EVENTS] + max_events
    most = 1 if settings[IS_PASS_PER_EVENT] == 1 else ALL
    room = 2 * state.slices.node.shape[0] if settings[IS_RECORDING] == 1 else 0
    while cells[IS_DONE] == 0:
        if cells[EVENTS] >= budget:
            return MORE
        if state.log.row.shape[0] - cells[LOG_SIZE] < room:
            return LOG_FULL
        time = next_time(state)
        if time >= settings[END_MS]:
            cells[NOW] = settings[END_MS] if settings[END_MS] < NEVER else cells[NOW]
            close_books(state, cells[NOW])
            cells[IS_DONE] = 1
            return DONE
        cells[NOW] = time
        first_new = cells[NEXT_ROW]
        n_applied = 1
        while n_applied > 0:
            n_applied = apply_events(state, most)
            if n_applied == 0:
                tick(state)
            if n_applied == 0 or most == 1:
                for line in range(state.line.is_due.shape[0]):
                    if state.line.is_due[line] == 1:
                        state.line.is_due[line] = 0
                        if settings[DISCIPLINE] == STRICT:
                            strict_pass(state, pick_node, pick_rest, line)
                        elif settings[DISCIPLINE] == BEST_EFFORT:
                            best_effort_pass(state, pick_node, pick_rest, line)
                        elif settings[DISCIPLINE] == EASY:
                            easy_pass(state, pick_node, pick_rest, line)
                        else:
                            conservative_pass(state, pick_node, pick_rest, line)
                if n_applied == 0 and cells[HEAP_SIZE] > 0 and state.heap.time[0] == time:
                    n_applied = 1  # a job of no length started: its finish is one more round
        close_instant(state, first_new)
    return DONE
