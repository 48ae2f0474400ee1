"""Is it worth looking whom a waiting job may evict? Bounds that are quick to compute, and never too low."""

from scheduler_core.engine.candidates import levels_below, may_share
from scheduler_core.engine.live import forget_last, is_last, note_last, runs_behind
from scheduler_core.engine.stays import list_of
from scheduler_core.engine.windows import has_open_window
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BIGGEST,
    BORROWERS,
    BY_ORDER,
    FAIR_SHARE,
    FROM_RESERVE,
    LEVEL_GPUS,
    LIST_GPUS,
    N_BUCKETS,
    N_LEAVES,
    N_LEVELS,
    N_LINES,
    N_LISTS,
    N_SHARES,
    OWN_QUEUE,
    RUN_FIRST,
    RUN_NEXT,
    SHAPE,
    SHAPE_GPUS,
    SHAPE_LEAF,
    SHAPE_LINE,
    SHAPE_SHARES,
    SHARE_GPUS,
    SHARE_USE,
    TENANT_ABOVE,
    TENANT_KEY,
    TENANT_LEAVING,
    TENANT_LINE,
    TENANT_NOMINAL,
    TENANT_USE,
)
from scheduler_core.kernels.tables import Int64

NO_CLAIM = -1


@step(INT(INTS, INT), inline=True)
def is_covered(m: Int64, shape: int) -> int:
    """Return 1 if the nominal of its tenant, or of one above, covers a job of `shape`, else 0."""
    at, gpus = m[m[SHAPE_LEAF] + shape], m[m[SHAPE_GPUS] + shape]
    while m[m[TENANT_ABOVE] + at] >= 0:
        if m[m[TENANT_USE] + at] + gpus <= m[m[TENANT_NOMINAL] + at]:
            return 1
        at = m[m[TENANT_ABOVE] + at]
    return 0


@step(INT(INTS, INT))
def most_borrowed(m: Int64, shape: int) -> int:
    """Return GPUs that a covered job of `shape` could reclaim at the very most: what is over a nominal, and a job."""
    gpus = 0
    for place in range(m[N_LISTS]):
        over = m[m[TENANT_USE] + place] - m[m[TENANT_LEAVING] + place] - m[m[TENANT_NOMINAL] + place]
        if over > 0 and place != m[m[SHAPE_LEAF] + shape]:
            held = m[m[LIST_GPUS] + m[m[SHAPE_LINE] + shape] * m[N_LISTS] + place]
            gpus += min(held, over + m[m[BIGGEST] + place] - 1)
    return gpus


@step(INT(INTS, INT, INT), inline=True)
def most_below(m: Int64, row: int, n_levels: int) -> int:
    """Return GPUs of running jobs of the lowest `n_levels` priorities in the queue of job `row`."""
    found, gpus = list_of(m, row, m[m[SHAPE_LINE] + m[m[SHAPE] + row]]), 0
    for level in range(n_levels):
        gpus += m[m[LEVEL_GPUS] + found * m[N_LEVELS] + level]
    return gpus


@step(INT(INTS, INT))
def renew_last(m: Int64, found: int) -> int:
    """Look through list `found` for the bound on who ranks last in it; return how many jobs it holds."""
    n_jobs = 0
    forget_last(m, found)
    for bucket in range(found * m[N_BUCKETS], (found + 1) * m[N_BUCKETS]):
        other = m[m[RUN_FIRST] + bucket]
        while other >= 0:
            note_last(m, found, other)
            n_jobs += 1
            other = m[m[RUN_NEXT] + other]
    return n_jobs


@step(INT(INTS, INT))
def most_behind(m: Int64, row: int) -> int:
    """Return GPUs of running jobs that rank after job `row` in its queue, counted until they are enough for it."""
    shape, gpus = m[m[SHAPE] + row], 0
    found = list_of(m, row, m[m[SHAPE_LINE] + shape])
    if is_last(m, row, found) == 1:
        return 0
    for bucket in range(found * m[N_BUCKETS], (found + 1) * m[N_BUCKETS]):
        other = m[m[RUN_FIRST] + bucket]
        while other >= 0 and gpus < m[m[SHAPE_GPUS] + shape]:
            if runs_behind(m, row, other) == 1:
                gpus += m[m[SHAPE_GPUS] + m[m[SHAPE] + other]]
            other = m[m[RUN_NEXT] + other]
    if gpus == 0:
        renew_last(m, found)
    return gpus


@step(INT(INTS, INT), inline=True)
def most_in_line(m: Int64, line: int) -> int:
    """Return GPUs of all running jobs of `line` that may be evicted."""
    gpus = 0
    for place in range(m[N_LISTS]):
        gpus += m[m[LIST_GPUS] + line * m[N_LISTS] + place]
    return gpus


@step(INT(INTS, INT))
def most_above(m: Int64, row: int) -> int:
    """Return GPUs of the tenants that rank no better than that of job `row` and may have to give it one of them."""
    shape, gpus = m[m[SHAPE] + row], 0
    mine = m[m[SHAPE_LEAF] + shape]
    for leaf in range(m[N_LEAVES]):
        is_other = leaf != mine and m[m[TENANT_LINE] + leaf] == m[m[SHAPE_LINE] + shape] and m[m[TENANT_USE] + leaf] > 0
        if is_other and m[m[TENANT_KEY] + leaf] >= m[m[TENANT_KEY] + mine] and may_share(m, shape, leaf, 1) == 1:
            gpus += m[m[TENANT_USE] + leaf]
    return gpus


@step(INT(INTS, INT), inline=True)
def is_share_open(m: Int64, row: int) -> int:
    """Return 1 if a reserved share of job `row` covers it with nobody gone, else 0."""
    shape = m[m[SHAPE] + row]
    for share in range(m[N_SHARES]):
        at = share * m[N_LINES] + m[m[SHAPE_LINE] + shape]
        is_mine = m[m[SHAPE_SHARES] + shape] >> share & 1 == 1
        if is_mine and m[m[SHARE_USE] + at] + m[m[SHAPE_GPUS] + shape] <= m[m[SHARE_GPUS] + at]:
            return 1
    return 0


@step(INT(INTS, INT, INT), inline=True)
def most_from(m: Int64, row: int, allowed: int) -> int:
    """Return GPUs that job `row` could take from running jobs at the very most, -1 if no scope serves it.

    Where none does, it has no claim on the GPUs of jobs in grace either.
    """
    shape, gpus, is_served = m[m[SHAPE] + row], 0, False
    n_levels = levels_below(m, row) if allowed & OWN_QUEUE != 0 else 0
    if n_levels > 0:
        is_served = True
        gpus = most_below(m, row, n_levels)
    if allowed & BY_ORDER != 0:
        is_served = True
        gpus = most_behind(m, row)
    if allowed & BORROWERS != 0 and is_covered(m, shape) == 1:
        is_served = True
        gpus += most_borrowed(m, shape)
    if allowed & FAIR_SHARE != 0:
        more = most_above(m, row)
        is_served = is_served or more > 0
        gpus += more
    if allowed & FROM_RESERVE != 0 and (is_served or is_share_open(m, row) == 1 or has_open_window(m, row) == 1):
        is_served = True  # a share may open while others of its band go
        gpus = most_in_line(m, m[m[SHAPE_LINE] + shape])
    return gpus if is_served else NO_CLAIM
