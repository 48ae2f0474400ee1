"""The elementary functions are as accurate as promised; that their bits never change is tested by test_same_bytes."""

import math

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.workload import exact

Float64 = exact.Float64


def units_in_the_last_place(found: Float64, right: Float64) -> float:
    return float(np.max(np.abs(found - right) / np.spacing(np.abs(right))))


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_log_is_within_four_units_in_the_last_place(x: float) -> None:
    right = math.log(x)
    assert abs(exact.log_of(x) - right) <= 4 * math.ulp(right)


@given(st.floats(min_value=-700, max_value=700))
def test_exp_is_within_four_units_in_the_last_place(x: float) -> None:
    right = math.exp(x)
    assert abs(exact.exp_of(x) - right) <= 4 * math.ulp(right)


def test_normal_quantile_agrees_with_scipy_from_the_first_to_the_last_cell_of_a_stream() -> None:
    cells = np.concatenate([(np.arange(200) + 0.5) * 2.0**-52, np.linspace(1e-6, 1 - 1e-6, 100_001)])
    u = np.concatenate([cells, 1.0 - cells])
    np.testing.assert_allclose(exact.normal(u), scipy.special.ndtri(u), rtol=2e-14, atol=1e-15)


def test_chunks_do_not_show_in_the_result() -> None:
    u = (np.arange(exact.CHUNK * 2 + 7) + 0.5) / (exact.CHUNK * 2 + 7)
    alone = np.array([exact.normal(u[row : row + 1])[0] for row in (0, exact.CHUNK - 1, exact.CHUNK, u.size - 1)])
    together = exact.normal(u)[[0, exact.CHUNK - 1, exact.CHUNK, u.size - 1]]
    assert alone.tobytes() == together.tobytes()


def test_shape_is_kept() -> None:
    x = np.ones((3, 4)) * 2.0
    assert exact.log(x).shape == (3, 4)
    assert units_in_the_last_place(exact.log(x), np.log(x)) <= 4


@pytest.mark.parametrize("function", [exact.log, exact.exp, exact.normal])
def test_empty_columns_stay_empty(function: object) -> None:
    assert callable(function)
    assert function(np.empty(0)).shape == (0,)
