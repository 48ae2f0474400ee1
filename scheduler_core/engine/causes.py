"""Why is it waiting? Cumulative clocks per shape, one of twelve causes at a time.

All waiting jobs of a shape have the same cause, because a cause depends only on the shape and on what
is free after the pass (docs/model.md). So a shape keeps one clock per cause; a job that waits
subtracts the clocks when it begins to wait and adds them when it starts, and the sums are exact.
"""

from scheduler_core.kernels.jit import INT, step
from scheduler_core.kernels.levels import fits, free_in
from scheduler_core.kernels.state import (
    BEST_EFFORT,
    DISCIPLINE,
    IS_COUNTED,
    N_JOBS,
    N_LISTED,
    STATE,
    WINDOW_FIRST,
    WINDOW_LAST,
    State,
)
from scheduler_core.kernels.tables import CAUSES

N_CAUSES = len(CAUSES)
RESERVATION = CAUSES.index("reservation")
ORDER = CAUSES.index("order")
QUOTA = CAUSES.index("quota")
TYPE = CAUSES.index("type")
FRAGMENTATION = CAUSES.index("fragmentation")
CAPACITY = CAUSES.index("capacity")


@step(INT(STATE, INT, INT))
def settle(state: State, shape: int, now: int) -> int:
    """Bring the clocks of `shape` up to `now`; return the time added in ms."""
    shapes = state.shapes
    elapsed = now - shapes.since[shape]
    if elapsed > 0 and shapes.cause[shape] >= 0:
        shapes.clock[shape * N_CAUSES + shapes.cause[shape]] += elapsed
        if shapes.ahead[shape] >= 0:
            shapes.behind[shape * N_CAUSES + shapes.ahead[shape]] += elapsed
    shapes.since[shape] = now
    return elapsed


@step(INT(STATE, INT, INT, INT))
def book(state: State, row: int, shape: int, sign: int) -> int:
    """Add `sign` times the clocks of `shape` to the waits of job `row`; return the row."""
    shapes = state.shapes
    n_jobs = state.clock.settings[N_JOBS]
    is_in_window = state.clock.settings[WINDOW_FIRST] <= row < state.clock.settings[WINDOW_LAST]
    job_class = state.jobs.job_class[row]
    for cause in range(N_CAUSES):
        value = shapes.clock[shape * N_CAUSES + cause]
        if value != 0:
            state.runs.cause[cause * n_jobs + row] += sign * value
            if is_in_window and shapes.behind[shape * N_CAUSES + cause] != 0:
                state.runs.class_behind[job_class * N_CAUSES + cause] += (
                    sign * shapes.behind[shape * N_CAUSES + cause]
                )
        elif is_in_window and shapes.behind[shape * N_CAUSES + cause] != 0:
            state.runs.class_behind[job_class * N_CAUSES + cause] += (
                sign * shapes.behind[shape * N_CAUSES + cause]
            )
    return row


@step(INT(STATE, INT, INT))
def begin_wait(state: State, row: int, now: int) -> int:
    """Note that job `row` waits from `now` on; return its shape."""
    shapes = state.shapes
    shape = shapes.of_row[row]
    if shapes.waiting[shape] == 0:
        listed = state.clock.cells[N_LISTED]
        shapes.listed[listed] = shape
        shapes.place[shape] = listed
        state.clock.cells[N_LISTED] = listed + 1
        shapes.cause[shape] = -1
        shapes.ahead[shape] = -1
        shapes.since[shape] = now
    else:
        settle(state, shape, now)
    shapes.waiting[shape] += 1
    book(state, row, shape, -1)
    return shape  # type: ignore[return-value]


@step(INT(STATE, INT, INT))
def end_wait(state: State, row: int, now: int) -> int:
    """Book the wait of job `row`, which began before `now`; return its shape."""
    shapes = state.shapes
    shape = shapes.of_row[row]
    settle(state, shape, now)
    book(state, row, shape, 1)
    shapes.waiting[shape] -= 1
    if shapes.waiting[shape] == 0:
        listed = state.clock.cells[N_LISTED] - 1
        other = shapes.listed[listed]
        shapes.listed[shapes.place[shape]] = other
        shapes.place[other] = shapes.place[shape]
        state.clock.cells[N_LISTED] = listed
    return shape  # type: ignore[return-value]


@step(INT(STATE, INT, INT))
def holds(state: State, scope: int, gpus: int) -> int:
    """Return 1 if `gpus` fit a scope that may join several fences, else 0."""
    if state.clock.settings[IS_COUNTED] == 1:
        return 1 if free_in(state.levels, state.places, scope) >= gpus else 0
    return fits(state.levels, state.places, scope, gpus)


@step(INT(STATE, INT))
def why_not(state: State, shape: int) -> int:
    """Return the cause of a shape that fits none of its domains now."""
    shapes = state.shapes
    gpus = shapes.gpus[shape]
    for entry in range(shapes.type_first[shape], shapes.type_first[shape + 1]):
        if holds(state, shapes.type_scope[entry], gpus) == 1:
            return QUOTA
    for scope in state.places.type_scopes:
        if holds(state, scope, gpus) == 1:
            return TYPE
    for scope in state.places.type_scopes:
        if free_in(state.levels, state.places, scope) >= gpus:
            return FRAGMENTATION
    return CAPACITY


@step(INT(STATE, INT))
def explain(state: State, now: int) -> int:
    """Give every shape with waiting jobs its cause from `now` on; return how many there are."""
    shapes = state.shapes
    n_listed = state.clock.cells[N_LISTED]
    is_line = state.clock.settings[DISCIPLINE] <= BEST_EFFORT
    for at in range(n_listed):
        shape = shapes.listed[at]
        shapes.fits_in[shape] = -1
        fresh = -1
        for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
            domain = shapes.domain[entry]
            if fits(state.levels, state.places, domain, shapes.gpus[shape]) == 1:
                shapes.fits_in[shape] = domain
                fresh = ORDER if is_line else RESERVATION
                break
        if fresh < 0:
            fresh = why_not(state, shape)
        shapes.fresh[shape] = fresh
    for at in range(n_listed):
        shape = shapes.listed[at]
        ahead = -1
        if is_line and shapes.fits_in[shape] >= 0:
            closer = state.domains.holder[shapes.fits_in[shape]]
            if closer >= 0:
                ahead = shapes.fresh[shapes.of_row[closer]]
        if shapes.fresh[shape] != shapes.cause[shape] or ahead != shapes.ahead[shape]:
            settle(state, shape, now)
            shapes.cause[shape] = shapes.fresh[shape]
            shapes.ahead[shape] = ahead
    return n_listed  # type: ignore[return-value]
