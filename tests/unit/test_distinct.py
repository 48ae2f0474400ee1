"""Distinct rows are those that NumPy finds by sorting, in its order, whichever way they were found."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core import distinct
from scheduler_core.distinct import number_keys, number_rows

FEW = st.integers(0, 3)
FAR = st.sampled_from([-1, 0, 7, 1 << 40, (1 << 62) - 1])
ROWS = st.lists(st.tuples(FEW, FAR, FAR, st.integers(-2, 900)), max_size=40)


@given(ROWS)
def test_number_rows_finds_what_sorting_finds(rows: list[tuple[int, ...]]) -> None:
    columns = [np.array([row[at] for row in rows], np.int64) for at in range(4)]
    found = number_rows(columns)
    stacked = np.stack(columns)
    kinds, first, inverse, counts = np.unique(
        stacked, axis=1, return_index=True, return_inverse=True, return_counts=True
    )
    assert stacked[:, found.values].tolist() == kinds.tolist()
    assert found.values.tolist() == first.tolist()
    assert found.of_row.tolist() == inverse.ravel().tolist()
    assert found.n_rows.tolist() == counts.tolist()


@pytest.mark.parametrize("most", [0, distinct.MOST_COUNTED])
def test_counting_and_sorting_number_alike(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(distinct, "MOST_COUNTED", most)
    found = number_keys(np.array([5, 2, 5, 9]), 10)
    assert found.values.tolist() == [2, 5, 9]
    assert found.of_row.tolist() == [1, 0, 1, 2]
    assert found.n_rows.tolist() == [1, 2, 1]


def test_columns_too_wide_for_one_key_are_numbered_on_the_way() -> None:
    wide = np.array([0, distinct.MOST_COUNTED - 1, 0])
    found = number_rows([wide, wide, wide, np.array([0, 0, 1])])
    assert found.values.tolist() == [0, 2, 1]
    assert found.of_row.tolist() == [0, 2, 1]
