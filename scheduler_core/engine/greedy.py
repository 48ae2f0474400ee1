"""The disciplines without reservations: strict and best-effort."""

from scheduler_core.engine.running import start
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import choose, fits
from scheduler_core.kernels.state import (
    BUSY_GROUP,
    HEAD_ROW,
    HOLDER,
    JOINED,
    LINE_DOMAINS,
    LINE_GROUPS,
    LIVE,
    N_BUSY,
    N_NEW,
    NEW_GROUP,
    PICK,
    RANK,
    SHAPE,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GPUS,
    TRIED_GROUP,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, PICK, PICK, INT), inline=True)
def try_start(m: Int64, pick_node: object, pick_rest: object, row: int) -> int:
    """Start job `row` in the first of its open domains that holds it; return 1 if it started, else 0."""
    shape = m[m[SHAPE] + row]
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        domain = m[m[SHAPE_DOMAIN] + entry]
        if m[m[HOLDER] + domain] < 0:
            n_nodes = choose(m, LIVE, pick_node, pick_rest, domain, m[m[SHAPE_GPUS] + shape])
            if n_nodes > 0:
                start(m, row, n_nodes)
                return 1
    return 0


@step(INT(INTS, INT), inline=True)
def is_open(m: Int64, shape: int) -> int:
    """Return 1 if a shape may use a domain that no blocked job has closed, else 0."""
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if m[m[HOLDER] + m[m[SHAPE_DOMAIN] + entry]] < 0:
            return 1
    return 0


@step(INT(INTS, INT), inline=True)
def first_open(m: Int64, line: int) -> int:
    """Return the waiting job of `line` that ranks first among those with an open domain, or -1."""
    best = -1
    heads, ranks = m[HEAD_ROW], m[RANK]
    for group in range(m[m[LINE_GROUPS] + line], m[m[LINE_GROUPS] + line + 1]):
        row = m[heads + group]
        if row >= 0:
            is_first = best < 0 or m[ranks + row] < m[ranks + best]
            if is_first and is_open(m, m[m[SHAPE] + row]) == 1:
                best = row
    return best


@step(INT(INTS, PICK, PICK, INT), inline=True)
def strict_pass(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Start jobs in rank order; a blocked job closes every domain it could use. Return jobs started."""
    holders = m[HOLDER]
    for domain in range(m[m[LINE_DOMAINS] + line], m[m[LINE_DOMAINS] + line + 1]):
        if m[holders + domain] >= 0:
            m[holders + domain] = -1
    n_started = 0
    row = first_open(m, line)
    while row >= 0:
        if try_start(m, pick_node, pick_rest, row) == 1:
            n_started += 1
        else:
            shape = m[m[SHAPE] + row]
            for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
                domain = m[m[SHAPE_DOMAIN] + entry]
                if m[holders + domain] < 0:
                    m[holders + domain] = row
        row = first_open(m, line)
    return n_started


@step(INT(INTS, INT, INT), inline=True)
def list_tries(m: Int64, line: int, touch: int) -> int:
    """List the groups of `line` whose jobs may fit now that could not before; return how many.

    Every job that waits was refused in the last pass. Where no GPUs came back since, only the jobs of
    groups that had none then can fit.
    """
    first = m[m[LINE_GROUPS] + line]
    listed, n_groups = m[BUSY_GROUP] + first, m[m[N_BUSY] + line]
    if touch == JOINED:
        listed, n_groups = m[NEW_GROUP] + first, m[m[N_NEW] + line]
    for at in range(n_groups):
        m[m[TRIED_GROUP] + first + at] = m[listed + at]
    m[m[N_NEW] + line] = 0
    return n_groups


@step(INT(INTS, INT), inline=True)
def fits_somewhere(m: Int64, shape: int) -> int:
    """Return 1 if a gang of `shape` fits one of its domains now, else 0."""
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if fits(m, LIVE, m[m[SHAPE_DOMAIN] + entry], m[m[SHAPE_GPUS] + shape]) == 1:
            return 1
    return 0


@step(INT(INTS, PICK, PICK, INT, INT))
def best_effort_pass(m: Int64, pick_node: object, pick_rest: object, line: int, touch: int) -> int:
    """Start everything that fits, in rank order; a group holds one shape. Return jobs started.

    GPUs only become fewer in a pass, so a group that does not fit is not asked again.
    """
    n_started = 0
    tries, n_tries = m[TRIED_GROUP] + m[m[LINE_GROUPS] + line], list_tries(m, line, touch)
    heads, ranks = m[HEAD_ROW], m[RANK]
    while n_tries > 0:
        best, at = -1, 0
        while at < n_tries:
            row = m[heads + m[tries + at]]
            if row < 0 or fits_somewhere(m, m[m[SHAPE] + row]) == 0:
                n_tries -= 1
                m[tries + at] = m[tries + n_tries]
            else:
                if best < 0 or m[ranks + row] < m[ranks + best]:
                    best = row
                at += 1
        if best >= 0:
            n_started += try_start(m, pick_node, pick_rest, best)
    return n_started
