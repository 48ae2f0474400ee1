"""Orders in which every waiting job has a key of its own that changes with time (docs/model.md, 16.6).

No job keeps its place among those of its group, so all of them stand in the lists of engine/returned.py, which are
sorted anew when a pass begins. Costs grow with the number of jobs that wait.
"""

from scheduler_core.engine.returned import ranks_before
from scheduler_core.kernels.jit import FLOATS, INT, INTS, step
from scheduler_core.kernels.orders import whole_key
from scheduler_core.kernels.state import (
    BUSY_GROUP,
    BY_SHARE,
    HEAD_ROW,
    IS_BY_MEMBER,
    IS_CHANGED,
    IS_DECISION,
    IS_KEEPING,
    JOB_KEY,
    JOB_PRIORITY,
    JOB_WEIGHT,
    KEY,
    LIMIT,
    LINE_GROUPS,
    N_BUSY,
    N_LINES,
    NOW,
    ORDER_KIND,
    PIN_NEXT,
    PINNED_FIRST,
    QUEUED_AT,
    RETURNED_BEFORE,
    RETURNED_FIRST,
    RETURNED_LAST,
    RETURNED_NEXT,
    SHAPE,
    SHAPE_GPUS,
    SHAPE_LEAF,
    SHARE,
    TENANT_KEY,
    UNSET,
)
from scheduler_core.kernels.tables import HOUR_MS, Floats, Int64

WEIGHT_PARTS = 1e9
"""Parts of 1 in which weights are kept."""


@step(INT(INTS, KEY, FLOATS, INT))
def key_now(m: Int64, key: object, numbers: Floats, row: int) -> int:
    """Return the key of waiting job `row` at this time."""
    value = key(  # type: ignore[operator]
        numbers,
        m[m[JOB_PRIORITY] + row] / 1_000.0,
        (m[NOW] - m[m[QUEUED_AT] + row]) / HOUR_MS,
        float(m[m[SHAPE_GPUS] + m[m[SHAPE] + row]]),
        m[m[LIMIT] + row] / HOUR_MS,
        m[m[JOB_WEIGHT] + row] / WEIGHT_PARTS,
    )
    return whole_key(value)


@step(INT(INTS, KEY, FLOATS, INT), inline=True)
def set_key(m: Int64, key: object, numbers: Floats, row: int) -> int:
    """Give waiting job `row` its key of this time: its own, or that of its tenant; return it."""
    if m[ORDER_KIND] == BY_SHARE:
        m[m[JOB_KEY] + row] = m[m[TENANT_KEY] + m[m[SHAPE_LEAF] + m[m[SHAPE] + row]]]
    else:
        m[m[JOB_KEY] + row] = key_now(m, key, numbers, row)
    return m[m[JOB_KEY] + row]


@step(INT(INTS, INT), inline=True)
def end_of_run(m: Int64, row: int) -> int:
    """Return the last job of the sorted stretch that begins with `row`."""
    while m[m[RETURNED_NEXT] + row] >= 0 and ranks_before(m, m[m[RETURNED_NEXT] + row], row) == 0:
        row = m[m[RETURNED_NEXT] + row]
    return row


@step(INT(INTS, INT), inline=True)
def cut_behind(m: Int64, row: int) -> int:
    """End the list of which `row` is a part behind it; return the first job of the rest, -1 for none."""
    rest = m[m[RETURNED_NEXT] + row]
    m[m[RETURNED_NEXT] + row] = -1
    return rest


@step(INT(INTS, INT, INT, INT, INT))
def merge(m: Int64, group: int, last: int, one: int, other: int) -> int:
    """Append two sorted lists to that of `group`, which ends with `last`, as one sorted stretch; return its end."""
    while one >= 0 or other >= 0:
        if other < 0 or (one >= 0 and ranks_before(m, one, other) == 1):
            taken, one = one, m[m[RETURNED_NEXT] + one]
        else:
            taken, other = other, m[m[RETURNED_NEXT] + other]
        if last < 0:
            m[m[RETURNED_FIRST] + group] = taken
        else:
            m[m[RETURNED_NEXT] + last] = taken
        m[m[RETURNED_BEFORE] + taken] = last
        last = taken
    m[m[RETURNED_NEXT] + last] = -1
    return last


@step(INT(INTS, INT))
def sort_members(m: Int64, group: int) -> int:
    """Sort the list of `group` by merging its sorted stretches, two and two; return the first job, -1 for none."""
    n_runs = 2
    while n_runs > 1:
        n_runs, last, rest = 0, -1, m[m[RETURNED_FIRST] + group]
        while rest >= 0:
            one = rest
            other = cut_behind(m, end_of_run(m, one))
            rest = cut_behind(m, end_of_run(m, other)) if other >= 0 else -1
            last = merge(m, group, last, one, other)
            n_runs += 1
        m[m[RETURNED_LAST] + group] = last
    return m[m[RETURNED_FIRST] + group]


@step(INT(INTS, KEY, SHARE, FLOATS, INT))
def set_members(m: Int64, key: object, share: object, numbers: Floats, line: int) -> int:
    """Give each waiting job of `line` its key of now, between rounds those without one; return groups with jobs."""
    first, n_busy = m[BUSY_GROUP] + m[m[LINE_GROUPS] + line], m[m[N_BUSY] + line]
    if m[ORDER_KIND] == BY_SHARE:
        share(m, numbers, line)  # type: ignore[operator]
    for at in range(first, first + n_busy):
        row = m[m[RETURNED_FIRST] + m[at]]
        while row >= 0:
            if m[IS_KEEPING] == 0 or m[IS_DECISION] == 1 or m[m[JOB_KEY] + row] == UNSET:
                set_key(m, key, numbers, row)
            row = m[m[RETURNED_NEXT] + row]
    return n_busy


@step(INT(INTS, KEY, SHARE, FLOATS, INT))
def sort_groups(m: Int64, key: object, share: object, numbers: Floats, line: int) -> int:
    """Give each waiting job of `line` its key and sort every group; return how many have jobs."""
    m[IS_CHANGED] = 1  # others may be first and stop the rest, though nothing was started or freed
    n_busy = set_members(m, key, share, numbers, line)
    first = m[BUSY_GROUP] + m[m[LINE_GROUPS] + line]
    for at in range(first, first + n_busy):
        m[m[HEAD_ROW] + m[at]] = sort_members(m, m[at])
    return n_busy


@step(INT(INTS, KEY, SHARE, FLOATS, INT), inline=True)
def rank_members(m: Int64, key: object, share: object, numbers: Floats, line: int) -> int:
    """Where keys change job by job, sort every group by those of now; return how many groups were sorted."""
    return sort_groups(m, key, share, numbers, line) if m[IS_BY_MEMBER] == 1 else 0


@step(INT(INTS, KEY, SHARE, FLOATS))
def keep_keys(m: Int64, key: object, share: object, numbers: Floats) -> int:
    """At the end of a round, give every waiting job the key that it keeps until the next; return how many have pins."""
    n_pinned = 0
    for line in range(m[N_LINES]):
        set_members(m, key, share, numbers, line)
    row = m[PINNED_FIRST]
    while row >= 0:
        set_key(m, key, numbers, row)
        n_pinned += 1
        row = m[m[PIN_NEXT] + row]
    return n_pinned
