"""Mean, interval, median over replications."""

import pytest
from scipy import stats

from scheduler_core.studies import Estimate, estimate


def test_interval_is_that_of_student_with_n_minus_one_degrees() -> None:
    found = estimate([1.0, 2.0, 3.0])
    half = 4.302652729749462 / 3**0.5  # t(0.975, 2) x s / sqrt(n), with s = 1
    assert found.mean == 2.0
    assert found.low == pytest.approx(2.0 - half)
    assert found.high == pytest.approx(2.0 + half)


def test_interval_equals_scipy() -> None:
    values = [3.2, 4.1, 2.7, 3.9, 5.0]
    low, high = stats.t.interval(0.95, 4, loc=sum(values) / 5, scale=stats.sem(values))
    found = estimate(values)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert found.median == 3.9


def test_one_number_has_no_interval_and_none_has_no_mean() -> None:
    assert estimate([7.0]) == Estimate(7.0, None, None, 7.0, 1)
    assert estimate([None, None]) == Estimate(None, None, None, None, 0)
    assert estimate([None, 4.0]).n == 1


def test_interval_excludes_zero_only_when_wholly_on_one_side() -> None:
    assert estimate([5.0, 5.1, 5.2]).excludes_zero
    assert not estimate([-1.0, 1.0]).excludes_zero
    assert not estimate([5.0]).excludes_zero


def test_interval_is_cut_to_what_is_possible() -> None:
    found = estimate([0.0, 0.1])  # 0.05 -+ 12.706 x 0.0707 / sqrt(2) = 0.05 -+ 0.635
    assert found.low == pytest.approx(-0.585, abs=1e-3)
    assert found.within(0, 1).low == 0
    assert found.within(0, 1).high == found.high
    assert found.within(0, 0.5).high == 0.5
    assert found.within(0, None).high == found.high
