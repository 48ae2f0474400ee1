"""The waiting line: joining, leaving, and who comes next."""

from scheduler_core.engine.quotas import count_waiting
from scheduler_core.engine.returned import earlier, is_returned, list_returned, strike_returned
from scheduler_core.kernels.bits import insert, next_member, remove
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BUSY_AT,
    BUSY_GROUP,
    GROUP_LAST,
    HEAD,
    HEAD_ROW,
    IN_GROUP,
    IS_BY_SHAPE,
    IS_CHANGED,
    IS_MOVING,
    IS_ONE_ROOM,
    IS_SHORTEST_FIRST,
    IS_TURN_BASED,
    LIMIT_BITS,
    LIMIT_SLOT,
    LINE_BITS,
    LINE_GROUPS,
    LINE_TIERS,
    N_BUSY,
    N_LEAVES,
    N_NEW,
    N_SHARES,
    N_WAITING,
    NEW_GROUP,
    RETURNED_FIRST,
    ROW_AT,
    SHAPE,
    SHAPE_GROUP,
    SHAPE_LINE,
    SLOT,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT), inline=True)
def note_busy(m: Int64, group: int, line: int) -> int:
    """Enter a group of `line` that gets its first job; return how many groups of the line have jobs."""
    first, n_busy, n_new = m[m[LINE_GROUPS] + line], m[m[N_BUSY] + line], m[m[N_NEW] + line]
    m[m[BUSY_GROUP] + first + n_busy] = group
    m[m[BUSY_AT] + group] = first + n_busy
    m[m[N_BUSY] + line] = n_busy + 1
    # A group only empties in a pass, and each pass clears the list: it has room for each group once.
    if m[IS_TURN_BASED] == 0:  # else jobs may come back in a pass, and all groups are asked anyway
        m[m[NEW_GROUP] + first + n_new] = group
        m[m[N_NEW] + line] = n_new + 1
    return n_busy + 1


@step(INT(INTS, INT, INT), inline=True)
def note_idle(m: Int64, group: int, line: int) -> int:
    """Strike out a group of `line` that lost its last job; return how many groups of the line have jobs."""
    n_busy = m[m[N_BUSY] + line] - 1
    last = m[m[BUSY_GROUP] + m[m[LINE_GROUPS] + line] + n_busy]
    m[m[BUSY_GROUP] + m[m[BUSY_AT] + group]] = last
    m[m[BUSY_AT] + last] = m[m[BUSY_AT] + group]
    m[m[N_BUSY] + line] = n_busy
    return n_busy


@step(INT(INTS, INT, INT, INT), inline=True)
def set_head(m: Int64, group: int, slot: int, row: int) -> int:
    """Make `row`, at `slot`, the first waiting job of `group`, -1 for none; return the slot.

    The head of a group is kept beside the set of the others: in a line that is empty most of the time a
    job then never touches the set, which is too large for the nearest cache. One that came back may go before it.
    """
    m[m[HEAD] + group] = slot
    m[m[HEAD_ROW] + group] = row if m[IS_MOVING] == 0 else earlier(m, row, m[m[RETURNED_FIRST] + group])
    if m[IS_ONE_ROOM] == 0:  # else whoever is first, those that fit wait for one that does not
        m[IS_CHANGED] = 1
    return slot


@step(INT(INTS, INT), inline=True)
def head_of_set(m: Int64, group: int) -> int:
    """Return the first job of `group` that did not come back with another rank, -1 if there is none."""
    slot = m[m[HEAD] + group]
    return m[m[ROW_AT] + slot] if slot >= 0 else -1


@step(INT(INTS, INT, INT), inline=True)
def enter_set(m: Int64, group: int, row: int) -> int:
    """Put job `row` into the set of its group; return 1 if it is the first there, else 0."""
    slot, head = m[m[SLOT] + row], m[m[HEAD] + group]
    is_first = head < 0 or slot < head
    if is_first:
        set_head(m, group, slot, row)
        slot = head
    if slot >= 0:
        insert(m, m[LINE_TIERS], m[LINE_BITS], slot)
    return 1 if is_first else 0


@step(INT(INTS, INT, INT), inline=True)
def join(m: Int64, row: int, line: int) -> int:
    """Put job `row` into its group, in `line`; return 1 if it may be the first of it, else 0."""
    group = m[m[SHAPE_GROUP] + m[m[SHAPE] + row]]
    is_first = 1
    if is_returned(m, row) == 1:
        list_returned(m, group, row)
        set_head(m, group, m[m[HEAD] + group], head_of_set(m, group))
    else:
        is_first = enter_set(m, group, row)
    if m[IS_BY_SHAPE] == 1 and m[m[IN_GROUP] + group] == 0:
        note_busy(m, group, line)
    if m[N_SHARES] + m[N_LEAVES] > 0:
        count_waiting(m, m[m[SHAPE] + row], 1)
    m[m[IN_GROUP] + group] += 1
    m[N_WAITING] += 1
    if m[IS_SHORTEST_FIRST] == 1:
        insert(m, m[LINE_TIERS], m[LIMIT_BITS], m[m[LIMIT_SLOT] + row])
    return is_first


@step(INT(INTS, INT, INT), inline=True)
def next_slot(m: Int64, group: int, slot: int) -> int:
    """Return the first waiting slot of `group` at or after `slot`, -1 if there is none."""
    if m[m[HEAD] + group] >= slot:
        return m[m[HEAD] + group]
    found = next_member(m, m[LINE_TIERS], m[LINE_BITS], slot)
    return found if 0 <= found < m[m[GROUP_LAST] + group] else -1


@step(INT(INTS, INT, INT), inline=True)
def leave_set(m: Int64, group: int, row: int) -> int:
    """Take job `row` out of the set of its group; return the group."""
    slot = m[m[SLOT] + row]
    if m[m[HEAD] + group] == slot:
        slot = next_slot(m, group, slot + 1) if m[m[IN_GROUP] + group] > 0 else -1
        set_head(m, group, slot, m[m[ROW_AT] + slot] if slot >= 0 else -1)
    if slot >= 0:
        remove(m, m[LINE_BITS], slot)
    return group


@step(INT(INTS, INT), inline=True)
def leave(m: Int64, row: int) -> int:
    """Take job `row` out of its group; return the group."""
    group = m[m[SHAPE_GROUP] + m[m[SHAPE] + row]]
    if m[N_SHARES] + m[N_LEAVES] > 0:
        count_waiting(m, m[m[SHAPE] + row], -1)
    m[m[IN_GROUP] + group] -= 1
    m[N_WAITING] -= 1
    if is_returned(m, row) == 1:
        strike_returned(m, group, row)
        set_head(m, group, m[m[HEAD] + group], head_of_set(m, group))
    else:
        leave_set(m, group, row)
    if m[m[IN_GROUP] + group] == 0 and m[IS_BY_SHAPE] == 1:
        note_idle(m, group, m[m[SHAPE_LINE] + m[m[SHAPE] + row]])
    if m[IS_SHORTEST_FIRST] == 1:
        remove(m, m[LIMIT_BITS], m[m[LIMIT_SLOT] + row])
    return group
