"""The disciplines without reservations: strict and best-effort."""

from scheduler_core.engine.running import start
from scheduler_core.kernels.jit import INT, step
from scheduler_core.kernels.levels import choose, fits
from scheduler_core.kernels.state import PICK, STATE, State


@step(INT(STATE, PICK, PICK, INT))
def try_start(state: State, pick_node: object, pick_rest: object, row: int) -> int:
    """Start job `row` in the first of its open domains that holds it; return 1 if it started, else 0."""
    shapes = state.shapes
    shape = shapes.of_row[row]
    for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
        domain = shapes.domain[entry]
        if state.domains.holder[domain] < 0:
            n_nodes = choose(
                state.levels, state.places, state.chosen, pick_node, pick_rest, domain, shapes.gpus[shape]
            )
            if n_nodes > 0:
                start(state, row, n_nodes)
                return 1
    return 0


@step(INT(STATE, INT))
def is_open(state: State, shape: int) -> int:
    """Return 1 if a shape may use a domain that no blocked job has closed, else 0."""
    shapes = state.shapes
    for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
        if state.domains.holder[shapes.domain[entry]] < 0:
            return 1
    return 0


@step(INT(STATE, INT))
def first_open(state: State, line: int) -> int:
    """Return the waiting job of `line` that ranks first among those with an open domain, or -1."""
    waiting = state.line
    best = -1
    for group in range(waiting.line_group[line], waiting.line_group[line + 1]):
        head = waiting.head[group]
        if head >= 0:
            row = waiting.row_at[head]
            is_first = best < 0 or waiting.rank[row] < waiting.rank[best]
            if is_first and is_open(state, state.shapes.of_row[row]) == 1:
                best = row
    return best


@step(INT(STATE, PICK, PICK, INT))
def strict_pass(state: State, pick_node: object, pick_rest: object, line: int) -> int:
    """Start jobs in rank order; a blocked job closes every domain it could use. Return jobs started."""
    domains, shapes = state.domains, state.shapes
    for domain in range(state.line.line_domain[line], state.line.line_domain[line + 1]):
        domains.holder[domain] = -1
    n_started = 0
    row = first_open(state, line)
    while row >= 0:
        if try_start(state, pick_node, pick_rest, row) == 1:
            n_started += 1
        else:
            shape = shapes.of_row[row]
            for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
                if domains.holder[shapes.domain[entry]] < 0:
                    domains.holder[shapes.domain[entry]] = row
        row = first_open(state, line)
    return n_started


@step(INT(STATE, INT))
def first_fitting(state: State, line: int) -> int:
    """Return the waiting job of `line` that ranks first among those that fit now, or -1."""
    waiting, shapes = state.line, state.shapes
    best = -1
    for group in range(waiting.line_group[line], waiting.line_group[line + 1]):
        head = waiting.head[group]
        if head >= 0:
            row = waiting.row_at[head]
            if best < 0 or waiting.rank[row] < waiting.rank[best]:
                shape = shapes.of_row[row]
                for entry in range(shapes.domain_first[shape], shapes.domain_first[shape + 1]):
                    if fits(state.levels, state.places, shapes.domain[entry], shapes.gpus[shape]) == 1:
                        best = row
                        break
    return best


@step(INT(STATE, PICK, PICK, INT))
def best_effort_pass(state: State, pick_node: object, pick_rest: object, line: int) -> int:
    """Start everything that fits, in rank order; a group holds one shape. Return jobs started."""
    n_started = 0
    row = first_fitting(state, line)
    while row >= 0:
        n_started += try_start(state, pick_node, pick_rest, row)
        row = first_fitting(state, line)
    return n_started
