"""Sets of small integers, against Python's own sets."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scheduler_core.kernels.bits import tier_table
from scheduler_core.kernels.tables import Int64
from tests.conftest import examples
from tests.unit.kernels import entries

Act = tuple[str, int]


def next_of(members: set[int], at: int) -> int:
    """Return what the search promises, in plain words: the smallest member at or after `at`, or -1."""
    return min((member for member in members if member >= at), default=-1)


class BitSet:
    """An empty set for `n_members` in an array of exactly the words it needs, so that bounds checks see every slip."""

    def __init__(self, n_members: int) -> None:
        self.tiers = tier_table(n_members)
        self.base = len(self.tiers)
        self.m: Int64 = np.concatenate((self.tiers, np.zeros(int(self.tiers[-1]), np.int64)))

    def insert(self, member: int) -> None:
        assert entries.insert(self.m, 0, self.base, member) == member

    def remove(self, member: int) -> None:
        assert entries.remove(self.m, self.base, member) == member

    def next(self, at: int) -> int:
        return int(entries.next_member(self.m, 0, self.base, at))

    def members(self) -> list[int]:
        found, at = [], self.next(0)
        while at >= 0:
            found.append(at)
            at = self.next(at + 1)
        return found


@pytest.mark.parametrize("position", range(32))
def test_lowest_bit_is_found_whatever_stands_above_it(position: int) -> None:
    for above in (0, 1 << 31, 0xFFFFFFFF << position):
        assert entries.lowest_bit((1 << position) | (above & 0xFFFFFFFF)) == position


@pytest.mark.parametrize(
    ("n_members", "words"),
    [
        (0, [1]),  # an empty set still has a word to look at
        (1, [1]),
        (32, [1]),
        (33, [2, 1]),
        (1_024, [32, 1]),  # 32 words of 32 bits, and one bit for each word
        (1_025, [33, 2, 1]),
        (32_769, [1_025, 33, 2, 1]),
        (10_000_000, [312_500, 9_766, 306, 10, 1]),
    ],
)
def test_tiers_shrink_by_32_and_each_has_a_spare_word(n_members: int, words: list[int]) -> None:
    starts = np.concatenate(([0], np.cumsum([count + 1 for count in words])))
    assert tier_table(n_members).tolist() == [len(words), *starts.tolist()]


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, list[Act]]:
    """Return a size that crosses a tier, and what is done to the set; members cluster at words' edges."""
    n_members = draw(st.sampled_from((1, 31, 32, 33, 64, 1_024, 1_025, 2_000, 32_768, 33_000)))
    edges = [k for word in (0, 32, 1_024, 32_768) for k in (word - 1, word, word + 1) if 0 <= k < n_members]
    member = st.sampled_from([*edges, n_members - 1]) | st.integers(0, n_members - 1)
    acts = st.tuples(st.sampled_from(("insert", "insert", "remove", "search")), member)
    return n_members, draw(st.lists(acts, min_size=1, max_size=60))


@given(histories())
@example((2_000, [("insert", 1_999), ("remove", 1_999), ("search", 0), ("insert", 5), ("search", 0)]))
@settings(max_examples=examples(200, 50))
def test_set_holds_what_a_python_set_holds(history: tuple[int, list[Act]]) -> None:
    n_members, acts = history
    fast, plain = BitSet(n_members), set[int]()
    for act, member in acts:
        if act == "insert":
            fast.insert(member)
            plain.add(member)
        elif act == "remove":
            fast.remove(member)
            plain.discard(member)
        else:
            assert fast.next(member) == next_of(plain, member)
    assert fast.members() == sorted(plain)
    assert fast.next(n_members) == -1  # one past the end may be asked for


def test_removal_is_lazy_and_searches_mend_the_summaries_from_below() -> None:
    fast = BitSet(1_025)  # three tiers
    fast.insert(1_024)
    middle, top = fast.base + int(fast.tiers[2]) + 1, fast.base + int(fast.tiers[3])
    fast.remove(1_024)
    assert (fast.m[middle], fast.m[top]) == (1, 2)  # the summaries still lead to a word that is empty now
    assert fast.next(0) == -1
    assert (fast.m[middle], fast.m[top]) == (0, 2)  # each search takes down one false lead
    assert fast.next(0) == -1
    assert (fast.m[middle], fast.m[top]) == (0, 0)
    fast.insert(1_024)  # and an insertion afterwards puts back what the searches took down
    assert (fast.m[middle], fast.m[top]) == (1, 2)
    assert fast.next(0) == 1_024


def test_two_sets_side_by_side_do_not_touch_each_other() -> None:
    tiers = tier_table(1_025)
    words = int(tiers[-1])
    m = np.concatenate((tiers, np.zeros(2 * words, np.int64)))
    first, second = len(tiers), len(tiers) + words
    for member in (0, 31, 32, 1_024):
        entries.insert(m, 0, first, member)
    assert entries.next_member(m, 0, second, 0) == -1
    assert entries.next_member(m, 0, first, 1_025) == -1  # a search past the end stays inside its own words
    assert not m[second:].any()
