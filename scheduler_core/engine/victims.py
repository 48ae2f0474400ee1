"""Running jobs in the order in which they would be evicted for a job that asks (docs/model.md, 15.5)."""

from scheduler_core.engine.candidates import levels_below, may_reclaim
from scheduler_core.engine.live import queued_before, running_key
from scheduler_core.engine.stays import place_of
from scheduler_core.engine.work import loss_if_told
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BEGAN,
    BORROWERS,
    BUCKET,
    BUCKET_OF,
    BY_KEY_LAST,
    BY_LEVEL,
    BY_LOSS,
    BY_ORDER,
    CURSOR,
    CURSOR_LAST,
    FAIR_SHARE,
    FROM_RESERVE,
    N_BUCKETS,
    N_LISTS,
    N_SORTED,
    OWN_QUEUE,
    RUN_FIRST,
    RUN_NEXT,
    SHAPE,
    SHAPE_LEAF,
    SHAPE_LINE,
    SORTED_KEY,
    SORTED_ROW,
    VICTIMS,
)
from scheduler_core.kernels.tables import Int64

NOBODY = -1


# ---- one list a tenant --------------------------------------------------------------------------------


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
    if m[N_LISTS] == 1 or allowed & (FROM_RESERVE | FAIR_SHARE) != 0:
        return 1
    shape = m[m[SHAPE] + row]
    if m[m[SHAPE_LEAF] + shape] == place:
        return 1 if allowed & (OWN_QUEUE | BY_ORDER) != 0 else 0
    return may_reclaim(m, shape, place, 0) if allowed & BORROWERS != 0 else 0


@step(INT(INTS, INT, INT))
def open_lists(m: Int64, row: int, allowed: int) -> int:
    """Set the cursors on the first victims for job `row` of each tenant; return the line of the job."""
    shape = m[m[SHAPE] + row]
    line = m[m[SHAPE_LINE] + shape]
    is_by_gap = m[VICTIMS] == BY_LEVEL and allowed & (FROM_RESERVE | FAIR_SHARE) == 0 and allowed & OWN_QUEUE != 0
    for place in range(m[N_LISTS]):
        first = (line * m[N_LISTS] + place) * m[N_BUCKETS]
        n_buckets = m[N_BUCKETS] if is_list_open(m, row, place, allowed) == 1 else 0
        if n_buckets > 0 and is_by_gap and place == place_of(m, row):
            n_buckets = levels_below(m, row)
        m[m[CURSOR_LAST] + place] = first + n_buckets
        m[m[CURSOR] + place] = first_from(m, first, first + n_buckets)
    return line


# ---- order of victims ---------------------------------------------------------------------------------


@step(INT(INTS, INT, INT, INT), inline=True)
def goes_before(m: Int64, key_gap: int, one: int, other: int) -> int:
    """Return 1 if running job `one` is evicted before `other`: less key, later start, higher row.

    In an order that evicts, the last in it goes first, also among equal keys.
    """
    gap = key_gap
    if gap == 0 and m[VICTIMS] == BY_KEY_LAST:
        return queued_before(m, other, one)
    if gap == 0:
        gap = m[m[BEGAN] + other] - m[m[BEGAN] + one]
    if gap == 0:
        gap = other - one
    return 1 if gap < 0 else 0


@step(INT(INTS, INT, INT), inline=True)
def is_earlier(m: Int64, one: int, other: int) -> int:
    """Return 1 if entry `one` of the sorted victims goes before entry `other`, else 0."""
    gap = m[m[SORTED_KEY] + one] - m[m[SORTED_KEY] + other]
    return goes_before(m, gap, m[m[SORTED_ROW] + one], m[m[SORTED_ROW] + other])


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
    """Heap up the victims that the open lists hold by what evicting them would lose, or by rank; return how many."""
    n_found = 0
    for place in range(m[N_LISTS]):
        row = m[m[CURSOR] + place]
        while row >= 0:
            m[m[SORTED_ROW] + n_found] = row
            m[m[SORTED_KEY] + n_found] = loss_if_told(m, row) if m[VICTIMS] == BY_LOSS else -running_key(m, row)
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


@step(INT(INTS), inline=True)
def nearest(m: Int64) -> int:
    """Return the job that goes first among the cursors, -1 if there is none."""
    found = m[m[CURSOR] + 0]
    for place in range(1, m[N_LISTS]):
        row = m[m[CURSOR] + place]
        if row >= 0 and (found < 0 or goes_before(m, m[m[BUCKET_OF] + row] - m[m[BUCKET_OF] + found], row, found) == 1):
            found = row
    return found


@step(INT(INTS, INT, INT), inline=True)
def first_victim(m: Int64, row: int, allowed: int) -> int:
    """Return the running job that would be evicted first for job `row`, -1 if there is none."""
    open_lists(m, row, allowed)
    if m[VICTIMS] >= BY_LOSS:
        gather(m)
        return next_sorted(m)
    return nearest(m)


@step(INT(INTS, INT, INT, INT), inline=True)
def next_victim(m: Int64, row: int, victim: int, allowed: int) -> int:
    """Return the running job that would be evicted for job `row` after `victim`, -1 if there is none."""
    if m[VICTIMS] >= BY_LOSS:
        return next_sorted(m)
    place = place_of(m, victim)
    # What was taken so far may have brought the tenant down to its nominal: nobody of it is a victim then.
    m[m[CURSOR] + place] = after(m, place, victim) if is_list_open(m, row, place, allowed) == 1 else NOBODY
    return nearest(m)
