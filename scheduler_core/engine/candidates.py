"""Whom a waiting job may evict (docs/model.md, 15.3, 15.4)."""

from scheduler_core.engine.live import queued_before, runs_behind
from scheduler_core.engine.windows import is_window_of
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.orders import share_with
from scheduler_core.kernels.state import (
    BEGAN,
    BORROWERS,
    BY_ORDER,
    DOMAIN,
    FAIR_SHARE,
    FROM_RESERVE,
    GONE_ROW,
    IS_QUOTA,
    JOB_SLICE,
    LEVEL_OF,
    LEVEL_PRIORITY,
    MIN_GAP,
    MIN_RUN_MS,
    N_GONE,
    N_LEVELS,
    N_LINES,
    N_SHARES,
    N_WINDOWS,
    NOW,
    OWN_QUEUE,
    SCOPES,
    SHAPE,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SHAPE_GPUS,
    SHAPE_LEAF,
    SHAPE_LINE,
    SHAPE_SHARES,
    SHARE_GPUS,
    SHARE_USE,
    SLICE_NODE,
    TENANT_ABOVE,
    TENANT_KEY,
    TENANT_LEAVING,
    TENANT_NOMINAL,
    TENANT_TAKEN,
    TENANT_USE,
    TOLD,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT), inline=True)
def priority_of(m: Int64, row: int) -> int:
    """Return the priority of job `row` in thousandths."""
    return m[m[LEVEL_PRIORITY] + m[m[LEVEL_OF] + row]]


@step(INT(INTS, INT, INT), inline=True)
def shares_domain(m: Int64, row: int, victim: int) -> int:
    """Return 1 if running job `victim` is in a domain that job `row` may use, else 0."""
    shape, domain = m[m[SHAPE] + row], m[m[DOMAIN] + m[m[SLICE_NODE] + m[m[JOB_SLICE] + victim]]]
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        if m[m[SHAPE_DOMAIN] + entry] == domain:
            return 1
    return 0


@step(INT(INTS, INT, INT), inline=True)
def is_within_share(m: Int64, row: int, victim: int) -> int:
    """Return 1 if `victim` stands on a share or in a window of a band that job `row` does not belong to, else 0."""
    if m[SCOPES] & FROM_RESERVE == 0:
        return 0
    mine, theirs = m[m[SHAPE_SHARES] + m[m[SHAPE] + row]], m[m[SHAPE_SHARES] + m[m[SHAPE] + victim]]
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    for share in range(m[N_SHARES]):
        at = share * m[N_LINES] + line
        if (theirs & ~mine) >> share & 1 == 1 and m[m[SHARE_USE] + at] <= m[m[SHARE_GPUS] + at]:
            return 1
    return is_window_of(m, victim, row, victim) if m[N_WINDOWS] > 0 else 0


@step(INT(INTS, INT), inline=True)
def levels_below(m: Int64, row: int) -> int:
    """Return how many priorities, from the lowest up, are far enough below that of job `row`."""
    top, n_levels = priority_of(m, row) - max(m[MIN_GAP], 1), 0
    while n_levels < m[N_LEVELS] and m[m[LEVEL_PRIORITY] + n_levels] <= top:
        n_levels += 1
    return n_levels


# ---- scopes -------------------------------------------------------------------------------------------


@step(INT(INTS, INT, INT), inline=True)
def is_own(m: Int64, row: int, victim: int) -> int:
    """Return 1 if `victim` is in the queue of job `row`: the line, or where quotas are tested the tenant, else 0."""
    if m[IS_QUOTA] == 0:
        return 1
    return 1 if m[m[SHAPE_LEAF] + m[m[SHAPE] + row]] == m[m[SHAPE_LEAF] + m[m[SHAPE] + victim]] else 0


@step(INT(INTS, INT, INT), inline=True)
def allows_order(m: Int64, row: int, victim: int) -> int:
    """Return 1 if `victim` ranks after job `row` in its queue, else 0."""
    return runs_behind(m, row, victim) if is_own(m, row, victim) == 1 else 0


@step(INT(INTS, INT, INT), inline=True)
def allows_own_queue(m: Int64, row: int, victim: int) -> int:
    """Return 1 if the gap in priority inside the queue is enough, else 0."""
    gap = priority_of(m, row) - priority_of(m, victim)
    return 0 if gap <= 0 or gap < m[MIN_GAP] else is_own(m, row, victim)


@step(INT(INTS, INT, INT), inline=True)
def is_above(m: Int64, tenant: int, leaf: int) -> int:
    """Return 1 if `tenant` is `leaf` or stands above it, else 0."""
    at = leaf
    while at >= 0:
        if at == tenant:
            return 1
        at = m[m[TENANT_ABOVE] + at]
    return 0


@step(INT(INTS, INT, INT, INT))
def may_reclaim(m: Int64, shape: int, theirs: int, own: int) -> int:
    """Return 1 if a nominal covers a job of `shape`, and leaf `theirs` and those above it are over theirs, else 0.

    Jobs in grace and jobs that the decision under way takes do not count as theirs; `own` GPUs of them do all the same.
    """
    mine, gpus = m[m[SHAPE_LEAF] + shape], m[m[SHAPE_GPUS] + shape]
    if mine == theirs:
        return 0
    side = mine
    while is_above(m, m[m[TENANT_ABOVE] + side], theirs) == 0:
        side = m[m[TENANT_ABOVE] + side]
    if m[m[TENANT_USE] + side] + gpus > m[m[TENANT_NOMINAL] + side]:
        return 0
    above, at = m[m[TENANT_ABOVE] + side], theirs
    while at != above:
        stays = m[m[TENANT_USE] + at] - m[m[TENANT_LEAVING] + at] + own - m[m[TENANT_TAKEN] + at]
        if stays <= m[m[TENANT_NOMINAL] + at]:
            return 0
        at = m[m[TENANT_ABOVE] + at]
    return 1


@step(INT(INTS, INT, INT), inline=True)
def allows_borrowers(m: Int64, row: int, victim: int) -> int:
    """Return 1 if a nominal covers job `row` and all on the side of `victim` are above theirs, else 0."""
    other = m[m[SHAPE] + victim]
    own = m[m[SHAPE_GPUS] + other] if m[m[TOLD] + victim] >= 0 else 0  # in grace, it counts as if it were not
    return may_reclaim(m, m[m[SHAPE] + row], m[m[SHAPE_LEAF] + other], own)


@step(INT(INTS, INT, INT))
def allows_reserve(m: Int64, row: int, victim: int) -> int:
    """Return 1 if a share of a band of job `row` alone covers it, or `victim` is in a window of one, else 0."""
    shape, other = m[m[SHAPE] + row], m[m[SHAPE] + victim]
    mine, line = m[m[SHAPE_SHARES] + shape], m[m[SHAPE_LINE] + shape]
    for share in range(m[N_SHARES]):
        if (mine & ~m[m[SHAPE_SHARES] + other]) >> share & 1 == 1:
            at = share * m[N_LINES] + line
            used = m[m[SHARE_USE] + at]
            for gone in range(m[N_GONE]):
                taken = m[m[GONE_ROW] + gone]
                if taken >= 0 and m[m[TOLD] + taken] < 0 and m[m[SHAPE_SHARES] + m[m[SHAPE] + taken]] >> share & 1 == 1:
                    used -= m[m[SHAPE_GPUS] + m[m[SHAPE] + taken]]
            if used + m[m[SHAPE_GPUS] + shape] <= m[m[SHARE_GPUS] + at]:
                return 1
    return is_window_of(m, row, victim, victim) if m[N_WINDOWS] > 0 else 0


@step(INT(INTS, INT, INT, INT), inline=True)
def may_share(m: Int64, shape: int, theirs: int, leaving: int) -> int:
    """Return 1 if the leaf of a job of `shape` has, with the job, no larger share than leaf `theirs` without `leaving`.

    Jobs that the decision under way takes count for neither.
    """
    mine = m[m[SHAPE_LEAF] + shape]
    held = m[m[TENANT_USE] + mine] - m[m[TENANT_TAKEN] + mine] + m[m[SHAPE_GPUS] + shape]
    left = m[m[TENANT_USE] + theirs] - m[m[TENANT_TAKEN] + theirs] - leaving
    return 1 if share_with(m, mine, held) <= share_with(m, theirs, left) else 0


@step(INT(INTS, INT, INT))
def allows_fair_share(m: Int64, row: int, victim: int) -> int:
    """Return 1 if `victim`, of another leaf, ranks after job `row`, and the roles would not be turned round; else 0."""
    shape, other = m[m[SHAPE] + row], m[m[SHAPE] + victim]
    mine, theirs = m[m[SHAPE_LEAF] + shape], m[m[SHAPE_LEAF] + other]
    gap = m[m[TENANT_KEY] + mine] - m[m[TENANT_KEY] + theirs]
    if mine == theirs or gap > 0 or (gap == 0 and queued_before(m, row, victim) == 0):
        return 0
    return may_share(m, shape, theirs, m[m[SHAPE_GPUS] + other])


@step(INT(INTS, INT, INT, INT))
def reason_for(m: Int64, row: int, victim: int, allowed: int) -> int:
    """Return the first scope (a bit) by which job `row` may evict running job `victim`, 0 for none."""
    if m[NOW] - m[m[BEGAN] + victim] < m[MIN_RUN_MS] or shares_domain(m, row, victim) == 0:
        return 0
    if is_within_share(m, row, victim) == 1:
        return 0
    if allowed & OWN_QUEUE != 0 and allows_own_queue(m, row, victim) == 1:
        return OWN_QUEUE
    if allowed & BORROWERS != 0 and allows_borrowers(m, row, victim) == 1:
        return BORROWERS
    if allowed & FAIR_SHARE != 0 and allows_fair_share(m, row, victim) == 1:
        return FAIR_SHARE
    if allowed & FROM_RESERVE != 0 and allows_reserve(m, row, victim) == 1:
        return FROM_RESERVE
    return BY_ORDER if allowed & BY_ORDER != 0 and allows_order(m, row, victim) == 1 else 0
