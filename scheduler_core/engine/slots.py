"""Slots of waiting jobs: the GPUs they hold on each node, and the changes they bring to each domain."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    CHANGE_COUNT,
    CHANGE_DELTA,
    CHANGE_FIRST,
    CHANGE_NODE,
    CHANGE_TIME,
    CHOSEN_GPUS,
    CHOSEN_NODE,
    DOMAIN,
    FREE_PIECE,
    HELD,
    LIMIT,
    PIECE_GPUS,
    PIECE_NEXT,
    PIECE_NODE,
    SLOT_PIECE,
    SLOT_START,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT))
def add_change(m: Int64, node: int, time: int, delta: int) -> int:
    """Enter a change of the free GPUs of `node` at `time` into its domain's list; return its place."""
    domain = m[m[DOMAIN] + node]
    first = m[m[CHANGE_FIRST] + domain]
    at = first + m[m[CHANGE_COUNT] + domain]
    # At one moment ends come before begins: a slot may begin on the GPUs that another gives back.
    while at > first and (
        m[m[CHANGE_TIME] + at - 1] > time
        or (m[m[CHANGE_TIME] + at - 1] == time and delta > 0 and m[m[CHANGE_DELTA] + at - 1] < 0)
    ):
        m[m[CHANGE_TIME] + at] = m[m[CHANGE_TIME] + at - 1]
        m[m[CHANGE_NODE] + at] = m[m[CHANGE_NODE] + at - 1]
        m[m[CHANGE_DELTA] + at] = m[m[CHANGE_DELTA] + at - 1]
        at -= 1
    m[m[CHANGE_TIME] + at] = time
    m[m[CHANGE_NODE] + at] = node
    m[m[CHANGE_DELTA] + at] = delta
    m[m[CHANGE_COUNT] + domain] += 1
    return at


@step(INT(INTS, INT, INT, INT))
def drop_change(m: Int64, node: int, time: int, delta: int) -> int:
    """Take one such change out of its domain's list; return the place it had."""
    domain = m[m[DOMAIN] + node]
    low = m[m[CHANGE_FIRST] + domain]
    last = low + m[m[CHANGE_COUNT] + domain]
    high = last
    while low < high:
        middle = (low + high) >> 1
        if m[m[CHANGE_TIME] + middle] < time:
            low = middle + 1
        else:
            high = middle
    while m[m[CHANGE_NODE] + low] != node or m[m[CHANGE_DELTA] + low] != delta:
        low += 1
    for at in range(low, last - 1):
        m[m[CHANGE_TIME] + at] = m[m[CHANGE_TIME] + at + 1]
        m[m[CHANGE_NODE] + at] = m[m[CHANGE_NODE] + at + 1]
        m[m[CHANGE_DELTA] + at] = m[m[CHANGE_DELTA] + at + 1]
    m[m[CHANGE_COUNT] + domain] -= 1
    return low


@step(INT(INTS, INT, INT))
def note_slot(m: Int64, row: int, sign: int) -> int:
    """Enter (`sign` 1) or take out (-1) the changes that the slot of job `row` brings; return its pieces."""
    begin = m[m[SLOT_START] + row]
    finish = begin + m[m[LIMIT] + row]
    piece = m[m[SLOT_PIECE] + row]
    n_pieces = 0
    while piece >= 0:
        node, gpus = m[m[PIECE_NODE] + piece], m[m[PIECE_GPUS] + piece]
        if sign > 0:
            add_change(m, node, begin, -gpus)
            add_change(m, node, finish, gpus)
        else:
            drop_change(m, node, begin, -gpus)
            drop_change(m, node, finish, gpus)
        n_pieces += 1
        piece = m[m[PIECE_NEXT] + piece]
    return n_pieces


@step(INT(INTS, INT))
def drop_pieces(m: Int64, row: int) -> int:
    """Return the pieces of job `row` to the free chain; return how many."""
    n_pieces = 0
    while m[m[SLOT_PIECE] + row] >= 0:
        piece = m[m[SLOT_PIECE] + row]
        m[m[SLOT_PIECE] + row] = m[m[PIECE_NEXT] + piece]
        m[m[PIECE_NEXT] + piece] = m[FREE_PIECE]
        m[FREE_PIECE] = piece
        n_pieces += 1
    return n_pieces


@step(INT(INTS, INT, INT))
def drop_slot(m: Int64, row: int, line: int) -> int:
    """Forget the slot of job `row`, whose changes are taken out already; return its start in ms."""
    begin = m[m[SLOT_START] + row]
    drop_pieces(m, row)
    m[m[SLOT_START] + row] = -1
    m[m[HELD] + line] -= 1
    return begin


@step(INT(INTS, INT, INT))
def give_back(m: Int64, row: int, line: int) -> int:
    """Take the slot of job `row` away; return its start in ms."""
    note_slot(m, row, -1)
    return drop_slot(m, row, line)


@step(INT(INTS, INT, INT, INT, INT))
def hold(m: Int64, row: int, line: int, begin: int, n_nodes: int) -> int:
    """Give job `row` a slot from `begin` on the first `n_nodes` chosen nodes; return `begin`."""
    for at in range(n_nodes):
        piece = m[FREE_PIECE]
        m[FREE_PIECE] = m[m[PIECE_NEXT] + piece]
        m[m[PIECE_NODE] + piece] = m[m[CHOSEN_NODE] + at]
        m[m[PIECE_GPUS] + piece] = m[m[CHOSEN_GPUS] + at]
        m[m[PIECE_NEXT] + piece] = m[m[SLOT_PIECE] + row]
        m[m[SLOT_PIECE] + row] = piece
    m[m[SLOT_START] + row] = begin
    m[m[HELD] + line] += 1
    note_slot(m, row, 1)
    return begin
