"""The waiting line: joining, leaving, and who comes next."""

from scheduler_core.kernels.bits import insert, next_member, remove
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    GROUP_LAST,
    HEAD,
    IN_GROUP,
    IS_CHANGED,
    IS_SHORTEST_FIRST,
    LIMIT_BITS,
    LIMIT_SLOT,
    LINE_BITS,
    LINE_TIERS,
    SHAPE,
    SHAPE_GROUP,
    SLOT,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT), inline=True)
def join(m: Int64, row: int) -> int:
    """Put job `row` into its group; return 1 if it is the first of it, else 0."""
    group = m[m[SHAPE_GROUP] + m[m[SHAPE] + row]]
    slot = m[m[SLOT] + row]
    insert(m, m[LINE_TIERS], m[LINE_BITS], slot)
    is_first = 0
    if m[m[IN_GROUP] + group] == 0 or slot < m[m[HEAD] + group]:
        m[m[HEAD] + group] = slot
        m[IS_CHANGED] = 1
        is_first = 1
    m[m[IN_GROUP] + group] += 1
    if m[IS_SHORTEST_FIRST] == 1:
        insert(m, m[LINE_TIERS], m[LIMIT_BITS], m[m[LIMIT_SLOT] + row])
    return is_first


@step(INT(INTS, INT, INT), inline=True)
def next_slot(m: Int64, group: int, slot: int) -> int:
    """Return the first waiting slot of `group` at or after `slot`, -1 if there is none."""
    found = next_member(m, m[LINE_TIERS], m[LINE_BITS], slot)
    return found if 0 <= found < m[m[GROUP_LAST] + group] else -1


@step(INT(INTS, INT), inline=True)
def leave(m: Int64, row: int) -> int:
    """Take job `row` out of its group; return the group."""
    group = m[m[SHAPE_GROUP] + m[m[SHAPE] + row]]
    slot = m[m[SLOT] + row]
    remove(m, m[LINE_BITS], slot)
    m[m[IN_GROUP] + group] -= 1
    if m[m[IN_GROUP] + group] == 0:
        m[m[HEAD] + group] = -1
    elif m[m[HEAD] + group] == slot:
        m[m[HEAD] + group] = next_slot(m, group, slot)
    if m[IS_SHORTEST_FIRST] == 1:
        remove(m, m[LIMIT_BITS], m[m[LIMIT_SLOT] + row])
    return group
