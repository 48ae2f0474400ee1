"""Run times have the stated distributions. Tolerances are 4 standard errors of fixed draws."""

import math

import numpy as np
import pytest
import scipy.stats

from scheduler_core.scenario.durations import Duration
from scheduler_core.units import LONGEST_MS
from scheduler_core.workload import durations
from scheduler_core.workload.streams import Streams

HOUR_MS = 3_600_000
N = 400_000


def draw(rule: dict[str, object], seed: int = 1) -> durations.Int64:
    duration = Duration.model_validate(rule, context={"document": True})
    return durations.draw(duration, Streams(seed).uniform("duration", "class:a", N), np.ones(N, np.int64))


def assert_mean(runtime_ms: durations.Int64, mean_ms: float) -> None:
    error_ms = runtime_ms.std() / math.sqrt(runtime_ms.size)
    assert abs(runtime_ms.mean() - mean_ms) < 4 * error_ms


def test_fixed_is_fixed() -> None:
    assert set(draw({"fixed": "90s"}).tolist()) == {90_000}


def test_exponential_has_its_mean_and_tail() -> None:
    runtime_ms = draw({"exponential": {"mean": "1h"}})
    assert_mean(runtime_ms, HOUR_MS)
    share = math.exp(-2)
    assert abs((runtime_ms > 2 * HOUR_MS).mean() - share) < 4 * math.sqrt(share * (1 - share) / N)


def test_lognormal_has_its_median_and_mean() -> None:
    runtime_ms = draw({"lognormal": {"median": "3h", "mean": "4h"}})
    assert abs((runtime_ms < 3 * HOUR_MS).mean() - 0.5) < 4 * 0.5 / math.sqrt(N)
    assert_mean(runtime_ms, 4 * HOUR_MS)


def test_sigma_and_mean_are_two_ways_to_say_the_same() -> None:
    by_mean = draw({"lognormal": {"median": "1h", "mean": "2h"}})
    sigma = math.sqrt(2 * math.log(2))  # sqrt(2 ln(mean/median))
    by_sigma = draw({"lognormal": {"median": "1h", "sigma": sigma}})
    assert np.abs(by_mean - by_sigma).max() <= 1


def test_cut_lognormal_has_the_closed_mean_and_a_visible_share_at_the_bound() -> None:
    runtime_ms = draw({"lognormal": {"median": "20min", "mean": "1h", "min": "1min", "max": "24h"}})
    median_ms, low_ms, high_ms = 20 * 60_000, 60_000, 24 * HOUR_MS
    sigma = math.sqrt(2 * math.log(3))
    cdf = scipy.stats.norm.cdf
    low, high = (math.log(bound / median_ms) / sigma for bound in (low_ms, high_ms))
    # E[min(max(X, a), b)] = a P(X < a) + E[X; a < X < b] + b P(X > b), and E[X; X < x] = E[X] Phi(z - sigma).
    mean_ms = low_ms * cdf(low) + HOUR_MS * (cdf(high - sigma) - cdf(low - sigma)) + high_ms * (1 - cdf(high))
    assert_mean(runtime_ms, mean_ms)
    share = 1 - cdf(high)
    assert abs((runtime_ms == high_ms).mean() - share) < 4 * math.sqrt(share / N)
    assert (runtime_ms.min(), runtime_ms.max()) == (low_ms, high_ms)


def test_uniform_reaches_both_ends() -> None:
    runtime_ms = draw({"uniform": {"min": "5ms", "max": "14ms"}})
    counts = np.bincount(runtime_ms, minlength=15)[5:]
    assert counts.size == 10
    assert np.abs(counts - N / 10).max() < 4 * math.sqrt(N * 0.09)


def test_sizes_may_differ_and_others_take_the_default() -> None:
    rule = Duration.model_validate(
        {"by_gpus": {"default": {"fixed": "1h"}, "128": {"fixed": "4h"}, "64": {"exponential": {"mean": "2h"}}}},
        context={"document": True},
    )
    gpus = np.array([1, 128, 64, 8, 128])
    u = np.full(5, math.exp(-1))
    # The exponential at u = 1/e is its mean.
    assert durations.draw(rule, u, gpus).tolist() == [HOUR_MS, 4 * HOUR_MS, 2 * HOUR_MS, HOUR_MS, 4 * HOUR_MS]


@pytest.mark.parametrize(
    "rule", [{"exponential": {"mean": "1ms"}}, {"lognormal": {"median": "1ms", "sigma": 10, "min": "0s"}}]
)
def test_random_run_times_are_positive_and_finite(rule: dict[str, object]) -> None:
    runtime_ms = draw(rule)
    assert runtime_ms.min() == 1
    assert runtime_ms.max() <= LONGEST_MS


def test_a_larger_mean_lengthens_every_job() -> None:
    short, long = (draw({"exponential": {"mean": mean}}) for mean in ("1h", "90min"))
    assert (long >= short).all()
