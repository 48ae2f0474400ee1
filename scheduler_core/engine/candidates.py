"""Whom a waiting job may evict, and in which order (docs/model.md, 15.3 to 15.5)."""

from scheduler_core.engine.stays import list_of
from scheduler_core.engine.work import loss_if_told
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BEGAN,
    BIGGEST,
    BORROWERS,
    BUCKET,
    BUCKET_OF,
    BY_LEVEL,
    BY_LOSS,
    CURSOR,
    CURSOR_LAST,
    DOMAIN,
    FROM_RESERVE,
    GONE_ROW,
    IS_QUOTA,
    JOB_SLICE,
    LEVEL_GPUS,
    LEVEL_OF,
    LEVEL_PRIORITY,
    LIST_GPUS,
    MIN_GAP,
    MIN_RUN_MS,
    N_BUCKETS,
    N_GONE,
    N_LEVELS,
    N_LINES,
    N_LISTS,
    N_SHARES,
    N_SORTED,
    NOW,
    OWN_QUEUE,
    RUN_FIRST,
    RUN_NEXT,
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
    SORTED_KEY,
    SORTED_ROW,
    TENANT_ABOVE,
    TENANT_LEAVING,
    TENANT_NOMINAL,
    TENANT_TAKEN,
    TENANT_USE,
    TOLD,
    VICTIMS,
)
from scheduler_core.kernels.tables import Int64

NOBODY = -1


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
    """Return 1 if `victim` stands on a reserved share of a band that job `row` does not belong to, else 0."""
    if m[SCOPES] & FROM_RESERVE == 0:
        return 0
    mine, theirs = m[m[SHAPE_SHARES] + m[m[SHAPE] + row]], m[m[SHAPE_SHARES] + m[m[SHAPE] + victim]]
    line = m[m[SHAPE_LINE] + m[m[SHAPE] + row]]
    for share in range(m[N_SHARES]):
        at = share * m[N_LINES] + line
        if (theirs & ~mine) >> share & 1 == 1 and m[m[SHARE_USE] + at] <= m[m[SHARE_GPUS] + at]:
            return 1
    return 0


@step(INT(INTS, INT), inline=True)
def levels_below(m: Int64, row: int) -> int:
    """Return how many priorities, from the lowest up, are far enough below that of job `row`."""
    top, n_levels = priority_of(m, row) - max(m[MIN_GAP], 1), 0
    while n_levels < m[N_LEVELS] and m[m[LEVEL_PRIORITY] + n_levels] <= top:
        n_levels += 1
    return n_levels


# ---- scopes -------------------------------------------------------------------------------------------


@step(INT(INTS, INT, INT), inline=True)
def allows_own_queue(m: Int64, row: int, victim: int) -> int:
    """Return 1 if the gap in priority inside the queue is enough, else 0."""
    gap = priority_of(m, row) - priority_of(m, victim)
    if gap <= 0 or gap < m[MIN_GAP]:
        return 0
    if m[IS_QUOTA] == 0:
        return 1
    return 1 if m[m[SHAPE_LEAF] + m[m[SHAPE] + row]] == m[m[SHAPE_LEAF] + m[m[SHAPE] + victim]] else 0


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
    """Return 1 if a reserved share of a band of job `row` alone covers it, else 0."""
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
    return 0


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
    if allowed & FROM_RESERVE != 0 and allows_reserve(m, row, victim) == 1:
        return FROM_RESERVE
    return 0


# ---- lists of victims ---------------------------------------------------------------------------------


@step(INT(INTS, INT, INT), inline=True)
def first_from(m: Int64, bucket: int, last: int) -> int:
    """Return the first job of the lists from `bucket` up to `last`, -1 if there is none."""
    while bucket < last:
        if m[m[RUN_FIRST] + bucket] >= 0:
            return m[m[RUN_FIRST] + bucket]
        bucket += 1
    return NOBODY


@step(INT(INTS, INT, INT), inline=True)
def after(m: Int64, place: int, row: int) -> int:
    """Return the job behind `row` in the list of tenant `place`, -1 if there is none."""
    following = m[m[RUN_NEXT] + row]
    return following if following >= 0 else first_from(m, m[m[BUCKET] + row] + 1, m[m[CURSOR_LAST] + place])


@step(INT(INTS, INT, INT, INT), inline=True)
def is_list_open(m: Int64, row: int, place: int, allowed: int) -> int:
    """Return 1 if job `row` may evict somebody of tenant `place`, as far as that does not depend on whom, else 0."""
    if m[N_LISTS] == 1 or allowed & FROM_RESERVE != 0:
        return 1
    shape = m[m[SHAPE] + row]
    if m[m[SHAPE_LEAF] + shape] == place:
        return 1 if allowed & OWN_QUEUE != 0 else 0
    return may_reclaim(m, shape, place, 0) if allowed & BORROWERS != 0 else 0


@step(INT(INTS, INT, INT))
def open_lists(m: Int64, row: int, allowed: int) -> int:
    """Set the cursors on the first victims for job `row` of each tenant; return the line of the job."""
    shape = m[m[SHAPE] + row]
    line = m[m[SHAPE_LINE] + shape]
    is_by_gap = m[VICTIMS] == BY_LEVEL and allowed & FROM_RESERVE == 0
    for place in range(m[N_LISTS]):
        first = (line * m[N_LISTS] + place) * m[N_BUCKETS]
        n_buckets = m[N_BUCKETS] if is_list_open(m, row, place, allowed) == 1 else 0
        is_mine = m[N_LISTS] == 1 or m[m[SHAPE_LEAF] + shape] == place
        if n_buckets > 0 and is_by_gap and is_mine and allowed & (OWN_QUEUE | BORROWERS) != BORROWERS:
            n_buckets = levels_below(m, row)
        m[m[CURSOR_LAST] + place] = first + n_buckets
        m[m[CURSOR] + place] = first_from(m, first, first + n_buckets)
    return line


# ---- order of victims ---------------------------------------------------------------------------------


@step(INT(INTS, INT, INT), inline=True)
def is_earlier(m: Int64, one: int, other: int) -> int:
    """Return 1 if entry `one` of the sorted victims goes before entry `other`: key, latest start, higher row."""
    gap = m[m[SORTED_KEY] + one] - m[m[SORTED_KEY] + other]
    if gap == 0:
        gap = m[m[BEGAN] + m[m[SORTED_ROW] + other]] - m[m[BEGAN] + m[m[SORTED_ROW] + one]]
    if gap == 0:
        gap = m[m[SORTED_ROW] + other] - m[m[SORTED_ROW] + one]
    return 1 if gap < 0 else 0


@step(INT(INTS, INT, INT), inline=True)
def swap(m: Int64, one: int, other: int) -> int:
    """Swap two entries of the sorted victims; return the second."""
    for column in (m[SORTED_KEY], m[SORTED_ROW]):
        kept = m[column + one]
        m[column + one] = m[column + other]
        m[column + other] = kept
    return other


@step(INT(INTS, INT, INT))
def sink(m: Int64, at: int, size: int) -> int:
    """Let an entry sink among the first `size`, so that whoever goes first stands on top; return where it stays."""
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and is_earlier(m, child + 1, child) == 1:
            child += 1
        if is_earlier(m, child, at) == 0:
            break
        at = swap(m, at, child)
    return at


@step(INT(INTS))
def gather(m: Int64) -> int:
    """Heap up the victims that the open lists hold by what evicting them would lose; return how many."""
    n_found = 0
    for place in range(m[N_LISTS]):
        row = m[m[CURSOR] + place]
        while row >= 0:
            m[m[SORTED_ROW] + n_found] = row
            m[m[SORTED_KEY] + n_found] = loss_if_told(m, row)
            n_found += 1
            row = after(m, place, row)
    m[N_SORTED] = n_found
    for at in range(n_found // 2 - 1, -1, -1):
        sink(m, at, n_found)
    return n_found


@step(INT(INTS), inline=True)
def next_sorted(m: Int64) -> int:
    """Take the next victim from the heap; return its row, -1 if there is none."""
    size = m[N_SORTED]
    if size == 0:
        return NOBODY
    row = m[m[SORTED_ROW] + 0]
    swap(m, 0, size - 1)
    m[N_SORTED] = size - 1
    sink(m, 0, size - 1)
    return row


@step(INT(INTS, INT, INT), inline=True)
def goes_before(m: Int64, one: int, other: int) -> int:
    """Return 1 if running job `one` is evicted before `other`: bucket, latest start, higher row."""
    gap = m[m[BUCKET_OF] + one] - m[m[BUCKET_OF] + other]
    if gap == 0:
        gap = m[m[BEGAN] + other] - m[m[BEGAN] + one]
    if gap == 0:
        gap = other - one
    return 1 if gap < 0 else 0


@step(INT(INTS), inline=True)
def nearest(m: Int64) -> int:
    """Return the job that goes first among the cursors, -1 if there is none."""
    found = m[m[CURSOR] + 0]
    for place in range(1, m[N_LISTS]):
        row = m[m[CURSOR] + place]
        if row >= 0 and (found < 0 or goes_before(m, row, found) == 1):
            found = row
    return found


@step(INT(INTS, INT, INT), inline=True)
def first_victim(m: Int64, row: int, allowed: int) -> int:
    """Return the running job that would be evicted first for job `row`, -1 if there is none."""
    open_lists(m, row, allowed)
    if m[VICTIMS] == BY_LOSS:
        gather(m)
        return next_sorted(m)
    return nearest(m)


@step(INT(INTS, INT, INT, INT), inline=True)
def next_victim(m: Int64, row: int, victim: int, allowed: int) -> int:
    """Return the running job that would be evicted for job `row` after `victim`, -1 if there is none."""
    if m[VICTIMS] == BY_LOSS:
        return next_sorted(m)
    place = m[m[SHAPE_LEAF] + m[m[SHAPE] + victim]] if m[N_LISTS] > 1 else 0
    # What was taken so far may have brought the tenant down to its nominal: nobody of it is a victim then.
    m[m[CURSOR] + place] = after(m, place, victim) if is_list_open(m, row, place, allowed) == 1 else NOBODY
    return nearest(m)


# ---- is it worth looking? -----------------------------------------------------------------------------


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
    """Return GPUs that a job of `shape` could reclaim at the very most: what is over a nominal, and a job more."""
    gpus = 0
    if is_covered(m, shape) == 1:
        for place in range(m[N_LISTS]):
            over = m[m[TENANT_USE] + place] - m[m[TENANT_LEAVING] + place] - m[m[TENANT_NOMINAL] + place]
            if over > 0 and place != m[m[SHAPE_LEAF] + shape]:
                held = m[m[LIST_GPUS] + m[m[SHAPE_LINE] + shape] * m[N_LISTS] + place]
                gpus += min(held, over + m[m[BIGGEST] + place] - 1)
    return gpus


@step(INT(INTS, INT), inline=True)
def most_below(m: Int64, row: int) -> int:
    """Return GPUs of running jobs whose priority is far enough below that of job `row`, in its queue."""
    found, gpus = list_of(m, row, m[m[SHAPE_LINE] + m[m[SHAPE] + row]]), 0
    for level in range(levels_below(m, row)):
        gpus += m[m[LEVEL_GPUS] + found * m[N_LEVELS] + level]
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
    """Return GPUs that job `row` could take from running jobs at the very most."""
    shape, gpus = m[m[SHAPE] + row], 0
    if allowed & FROM_RESERVE != 0 and (allowed & OWN_QUEUE != 0 or is_share_open(m, row) == 1):
        for place in range(m[N_LISTS]):
            gpus += m[m[LIST_GPUS] + m[m[SHAPE_LINE] + shape] * m[N_LISTS] + place]
        return gpus
    if allowed & OWN_QUEUE != 0:
        gpus = most_below(m, row)
    if allowed & BORROWERS != 0:
        gpus += most_borrowed(m, shape)
    return gpus


@step(INT(INTS, INT, INT), inline=True)
def has_reason(m: Int64, row: int, allowed: int) -> int:
    """Return 1 if a scope lets job `row` evict somebody, or wait for the GPUs of somebody in grace, else 0."""
    if allowed & OWN_QUEUE != 0 and levels_below(m, row) > 0:
        return 1
    if allowed & BORROWERS != 0 and is_covered(m, m[m[SHAPE] + row]) == 1:
        return 1
    return is_share_open(m, row) if allowed & FROM_RESERVE != 0 else 0
