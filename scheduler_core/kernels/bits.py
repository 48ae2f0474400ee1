"""Sets of small integers with a fast "next member at or after": bitsets with summaries.

Tier 0 holds one bit per member, 32 to a word; a bit of tier k+1 that is not set says that a word of
tier k is empty. Removal leaves the upper tiers alone, and a search clears the bits that lead nowhere:
a line that is empty most of the time then costs one word a job, not five. A set of ten million has
five tiers. Words are int64 of which 32 bits are used, because signed arithmetic is the same compiled
and uncompiled.
"""

import numpy as np

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.tables import Int64

_DE_BRUIJN = 0x077CB531
_POSITION = np.zeros(32, np.int64)
for _bit in range(32):
    _POSITION[(((1 << _bit) * _DE_BRUIJN) & 0xFFFFFFFF) >> 27] = _bit


def tier_table(n_members: int) -> Int64:
    """Return the number of tiers, where each starts, and the words in all: int64, shape (n_tiers + 2,).

    Each tier has one spare empty word, so that a search may look one past its end.
    """
    offsets = [0]
    words = max(1, -(-n_members // 32))
    while True:
        offsets.append(offsets[-1] + words + 1)
        if words == 1:
            return np.array([len(offsets) - 1, *offsets], np.int64)
        words = -(-words // 32)


@step(INT(INT), inline=True)
def lowest_bit(word: int) -> int:
    """Return the position of the lowest set bit of a word that is not 0."""
    return _POSITION[(((word & -word) * _DE_BRUIJN) & 0xFFFFFFFF) >> 27]


@step(INT(INTS, INT, INT, INT), inline=True)
def insert(m: Int64, tiers: int, base: int, member: int) -> int:
    """Add `member` to the set whose words begin at `m[base]` and tier table at `m[tiers]`; return it."""
    index = member
    for tier in range(m[tiers]):
        word = base + m[tiers + 1 + tier] + (index >> 5)
        old = m[word]
        m[word] = old | (1 << (index & 31))
        if old != 0:
            break
        index = index >> 5
    return member


@step(INT(INTS, INT, INT), inline=True)
def remove(m: Int64, base: int, member: int) -> int:
    """Take `member` out of the set at `base`; return it. A search that comes by mends the summaries."""
    m[base + (member >> 5)] &= ~(1 << (member & 31))
    return member


@step(INT(INTS, INT, INT, INT))
def next_member(m: Int64, tiers: int, base: int, member: int) -> int:
    """Return the smallest member at or after `member` of the set at `base`, -1 if there is none."""
    n_tiers = m[tiers]
    index = member
    tier = 0
    while tier < n_tiers:
        at = base + m[tiers + 1 + tier] + (index >> 5)
        word = m[at] & (-1 << (index & 31))
        if word == 0:
            index = (index >> 5) + 1
            tier += 1
        elif tier == 0:
            return (index & ~31) + lowest_bit(word)
        else:
            index = (index & ~31) + lowest_bit(word)
            below = m[base + m[tiers + tier] + index]
            if below == 0:
                m[at] &= ~(1 << (index & 31))  # nothing is left below
            else:
                tier -= 1
                index = index * 32
    return -1
