"""Sorting by digits, against numpy's stable sort."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scheduler_core.kernels.sorting import sort_into_groups, sort_rows
from tests.conftest import examples

_FLOATS = st.floats(-1e18, 1e18, allow_nan=False) | st.integers(-5, 5).map(float) | st.sampled_from([0.0, -0.0, 0.5])


@given(arrays(np.float64, st.integers(0, 60), elements=_FLOATS))
@settings(max_examples=examples(300, 60))
def test_floats_come_out_in_order_with_ties_by_row(keys: np.ndarray) -> None:
    assert sort_rows(keys).tolist() == np.argsort(keys, kind="stable").tolist()


def test_keys_beyond_any_integer_come_out_in_order() -> None:
    keys = np.array([1e300, -1e300, 0.0, 1e19, -1e19, 1e300])
    assert sort_rows(keys).tolist() == [1, 4, 2, 3, 0, 5]


@given(arrays(np.int64, st.integers(0, 60), elements=st.integers(-(1 << 62), 1 << 62) | st.integers(-3, 3)))
@settings(max_examples=examples(300, 60))
def test_integers_come_out_in_order_with_ties_by_row(keys: np.ndarray) -> None:
    assert sort_rows(keys).tolist() == np.argsort(keys, kind="stable").tolist()


@pytest.mark.parametrize("highest", [0, 1, (1 << 11) - 1, 1 << 11, (1 << 22) + 1, 1 << 33])
def test_every_number_of_digits(highest: int) -> None:
    keys = np.array([highest, 0, highest // 2, highest, 0], np.int64)
    assert sort_rows(keys).tolist() == np.argsort(keys, kind="stable").tolist()


@given(st.lists(st.integers(0, 4), max_size=60), st.randoms(use_true_random=False))
@settings(max_examples=examples(100, 30))
def test_groups_keep_the_order_given(kinds_drawn: list[int], random: Random) -> None:
    n_rows, groups = len(kinds_drawn), np.array([2, 0, 1, 0, 2])
    kinds = np.array(kinds_drawn, np.int32)
    order = np.array(random.sample(range(n_rows), n_rows), np.int32)
    places = np.searchsorted(np.sort(groups[kinds]), np.arange(3))
    row_at, slot, rank = np.empty_like(order), np.empty_like(order), np.empty_like(order)
    assert sort_into_groups(order, kinds, groups, places, row_at, slot, rank) == n_rows
    assert row_at.tolist() == sorted(order.tolist(), key=lambda row: groups[kinds[row]])
    assert row_at[slot].tolist() == order[rank].tolist() == list(range(n_rows))
