"""What is free, and what of it is offered: pins keep GPUs for jobs that had others evicted (docs/model.md, 15.14)."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import change
from scheduler_core.kernels.state import (
    ACTUAL,
    BLOCK,
    BLOCK_LEAVING,
    BLOCK_PINNED,
    FREE,
    HAS_STAYS,
    JOB_SLICE,
    LIVE,
    NODE_LEAVING,
    NODE_PINNED,
    SCOPE_BLOCK,
    SCOPE_BLOCKS,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    TOTAL,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT), inline=True)
def offered_on(m: Int64, node: int, pinned: int) -> int:
    """Return what is free on `node` less the pins that GPUs of leaving jobs do not bear.

    Pins may be more than what is free or leaves: of two jobs that had the same ones suspended, one may have started.
    """
    return max(m[m[FREE + ACTUAL] + node] - max(pinned - m[m[NODE_LEAVING] + node], 0), 0)


@step(INT(INTS, INT), inline=True)
def offer_again(m: Int64, node: int) -> int:
    """Offer on `node` what pins leave of what is free; return it."""
    offered = offered_on(m, node, m[m[NODE_PINNED] + node])
    if offered != m[m[FREE + LIVE] + node]:
        change(m, LIVE, node, offered - m[m[FREE + LIVE] + node])
    return offered


@step(INT(INTS, INT, INT), inline=True)
def shift(m: Int64, node: int, gpus: int) -> int:
    """Free `gpus` on `node` (negative: take them); return the node."""
    if m[HAS_STAYS] == 1:
        change(m, ACTUAL, node, gpus)
        offer_again(m, node)
    else:
        change(m, LIVE, node, gpus)
    return node


@step(INT(INTS, INT, INT), inline=True)
def count_leaving(m: Int64, row: int, sign: int) -> int:
    """Note that the GPUs of job `row` will come free (1), or are about to (-1); return the row.

    Nothing is offered again yet: pins may rest on these GPUs, and there would be fewer than none to offer.
    """
    piece = m[m[JOB_SLICE] + row]
    while piece >= 0:
        node, gpus = m[m[SLICE_NODE] + piece], sign * m[m[SLICE_GPUS] + piece]
        m[m[NODE_LEAVING] + node] += gpus
        m[m[BLOCK_LEAVING] + m[m[BLOCK] + node]] += gpus
        piece = m[m[SLICE_NEXT] + piece]
    return row


@step(INT(INTS, INT), inline=True)
def offer_all(m: Int64, piece: int) -> int:
    """Offer again on every node of the slices from `piece` on; return the slice."""
    at = piece
    while at >= 0:
        offer_again(m, m[m[SLICE_NODE] + at])
        at = m[m[SLICE_NEXT] + at]
    return piece


@step(INT(INTS, INT, INT), inline=True)
def sum_in(m: Int64, column: int, scope: int) -> int:
    """Return the sum of a column of blocks over those of a scope."""
    gpus = 0
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        gpus += m[column + m[m[SCOPE_BLOCK] + entry]]
    return gpus


@step(INT(INTS, INT), inline=True)
def not_kept_in(m: Int64, domain: int) -> int:
    """Return the GPUs of a domain that are free or come free, less all pins: more can nobody be offered there."""
    gpus = 0
    for entry in range(m[m[SCOPE_BLOCKS] + domain], m[m[SCOPE_BLOCKS] + domain + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        gpus += m[m[TOTAL + ACTUAL] + block] + m[m[BLOCK_LEAVING] + block] - m[m[BLOCK_PINNED] + block]
    return gpus
