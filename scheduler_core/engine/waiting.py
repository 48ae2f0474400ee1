"""The waiting line: joining, leaving, and who comes next."""

from scheduler_core.kernels.bits import insert, next_member, remove
from scheduler_core.kernels.jit import INT, step
from scheduler_core.kernels.state import BY_LIMIT, LINE, SHAPES, ByLimit, Line, Shapes


@step(INT(LINE, BY_LIMIT, SHAPES, INT))
def join(line: Line, by_limit: ByLimit, shapes: Shapes, row: int) -> int:
    """Put job `row` into its group; return the group."""
    group = shapes.group[shapes.of_row[row]]
    slot = line.slot[row]
    insert(line.bits, line.tiers, 0, slot)
    if line.head[group] < 0 or slot < line.head[group]:
        line.head[group] = slot
    if by_limit.bits.shape[0] > 0:
        insert(by_limit.bits, by_limit.tiers, 0, by_limit.slot[row])
    return group  # type: ignore[return-value]


@step(INT(LINE, INT, INT))
def next_slot(line: Line, group: int, slot: int) -> int:
    """Return the first waiting slot of `group` at or after `slot`, -1 if there is none."""
    found = next_member(line.bits, line.tiers, 0, slot)
    return found if 0 <= found < line.last[group] else -1


@step(INT(LINE, BY_LIMIT, SHAPES, INT))
def leave(line: Line, by_limit: ByLimit, shapes: Shapes, row: int) -> int:
    """Take job `row` out of its group; return the group."""
    group = shapes.group[shapes.of_row[row]]
    slot = line.slot[row]
    remove(line.bits, line.tiers, 0, slot)
    if line.head[group] == slot:
        line.head[group] = next_slot(line, group, slot)
    if by_limit.bits.shape[0] > 0:
        remove(by_limit.bits, by_limit.tiers, 0, by_limit.slot[row])
    return group  # type: ignore[return-value]
