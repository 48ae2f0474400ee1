"""Limits are what the class says; realistic ones have the shape that archives show."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.kernels.tables import NO_LIMIT_MS
from scheduler_core.scenario.durations import LimitRule
from scheduler_core.workload import limits
from scheduler_core.workload.limits import HOUR_MS, ROUND_MS
from scheduler_core.workload.streams import Streams

RUN_MS = np.array([1_000, 60_001, 3 * HOUR_MS])


def draw(rule: object, runtime_ms: limits.Int64 = RUN_MS) -> list[int]:
    read = None if rule is None else LimitRule.model_validate(rule, context={"document": True})
    return [int(limit) for limit in limits.draw(read, runtime_ms, Streams(1), "class:a")]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (None, [NO_LIMIT_MS] * 3),
        ("exact", RUN_MS.tolist()),
        ({"fixed": "24h"}, [24 * HOUR_MS] * 3),
        ({"factor": 1.5}, [1_500, 90_002, 4.5 * HOUR_MS]),  # 90,001.5 ms goes to the even 90,002
    ],
)
def test_plain_rules(rule: object, expected: list[int]) -> None:
    assert draw(rule) == expected


def test_factors_are_equally_likely() -> None:
    n = 90_000
    found = np.bincount(np.array(draw({"factors": [1, 2, 5]}, np.full(n, 100))) // 100, minlength=6)
    assert found[[0, 3, 4]].sum() == 0
    assert np.abs(found[[1, 2, 5]] - n / 3).max() < 4 * math.sqrt(n * 2 / 9)


def test_beta_is_the_beta_distribution() -> None:
    n = 200_000
    share = limits.beta(Streams(1), "class:a", n)
    right = scipy.stats.beta(0.6, 1.4)
    for x in (0.001, 0.01, 0.1, 0.3, 0.6, 0.9):
        p = right.cdf(x)
        assert abs((share < x).mean() - p) < 4 * math.sqrt(p * (1 - p) / n)
    assert abs(share.mean() - 0.3) < 4 * right.std() / math.sqrt(n)  # 0.6 / (0.6 + 1.4)


def test_realistic_limits_have_the_shares_the_rule_gives() -> None:
    n = 200_000
    limit_h = np.array(draw({"over_ask": "realistic"}, np.full(n, HOUR_MS))) / HOUR_MS
    right = scipy.stats.beta(0.6, 1.4)
    # A run of 1 h asks for at most L if Beta >= 1/L, and at most 100 h are asked for, so 7 d is the last step here.
    previous = 0.0
    for step in (1, 4, 12, 24, 48):
        share = right.sf(1 / step) - previous
        previous += share
        assert abs((limit_h == step).mean() - share) < 4 * math.sqrt(max(share, 1 / n) / n)
    assert abs((limit_h == 168).mean() - right.cdf(1 / 48)) < 4 * math.sqrt(right.cdf(1 / 48) / n)


def test_nobody_asks_for_more_than_a_hundred_times() -> None:
    # 100 x 36 s = 1 h: whatever is drawn, 1 h is asked for.
    assert set(draw({"over_ask": "realistic"}, np.full(10_000, 36_000))) == {HOUR_MS}


def test_the_longest_request_is_a_week_except_for_longer_runs() -> None:
    week_ms = ROUND_MS[-1]
    runtime_ms = np.repeat([6 * week_ms // 7, week_ms, week_ms + 1, 15 * week_ms // 7], 1_000)
    found = np.array(draw({"over_ask": "realistic"}, runtime_ms)).reshape(4, 1_000) // week_ms
    assert [set(row.tolist()) for row in found] == [{1}, {1}, {2}, {3}]


@given(st.lists(st.integers(1, 30 * 24 * HOUR_MS), max_size=50))
def test_realistic_limits_are_round_and_never_below_the_run_time(runtime_ms: list[int]) -> None:
    column = np.array(runtime_ms, np.int64)
    found = limits.realistic(column, Streams(3), "class:a")
    assert (found >= column).all()
    assert all(limit in ROUND_MS or limit % ROUND_MS[-1] == 0 for limit in found.tolist())
    longer = limits.realistic(np.append(column, 5_000), Streams(3), "class:a")
    assert longer[:-1].tolist() == found.tolist()
