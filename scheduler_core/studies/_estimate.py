"""A number over replications: mean, 95 % interval of the mean (Student's t), median."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """What replications say about a number.

    Attributes
    ----------
    mean, median : float, optional
        Over the replications that have a number; None where none has.
    low, high : float, optional
        95 % interval of the mean; None with fewer than two numbers.
    n : int
        Replications that have a number.
    is_lower_bound : bool
        Whether the number is a lower bound in one of them.
    """

    mean: float | None
    low: float | None
    high: float | None
    median: float | None
    n: int
    is_lower_bound: bool = False

    @property
    def excludes_zero(self) -> bool:
        """Whether the whole interval lies on one side of 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def holds(self, value: float) -> bool:
        """Return whether `value` lies in the interval; one without width holds what is equal up to rounding."""
        if self.low is None or self.high is None:
            return False
        return self.low <= value <= self.high or (math.isclose(self.low, self.high) and math.isclose(value, self.low))

    def within(self, least: float, most: float | None) -> "Estimate":
        """Return the estimate with its interval cut to what is possible."""
        if self.low is None or self.high is None:
            return self
        high = self.high if most is None else min(self.high, most)
        return replace(self, low=max(self.low, least), high=high)


def half_width(values: Sequence[float]) -> float:
    """Return half the 95 % interval of the mean: t(0.975, n - 1) x s / sqrt(n).

    Parameters
    ----------
    values : sequence of float
        At least two.

    Returns
    -------
    float
        In the unit of the values.
    """
    n_values = len(values)
    spread = float(np.std(values, ddof=1)) / math.sqrt(n_values)
    return float(stdtrit(n_values - 1, (1 + CONFIDENCE) / 2)) * spread


def estimate(values: Sequence[float | None], *, is_lower_bound: bool = False) -> Estimate:
    """Return mean, interval and median of one number per replication; None where a replication has none.

    Parameters
    ----------
    values : sequence
        One entry a replication.
    is_lower_bound : bool
        Whether one of them is a lower bound.

    Returns
    -------
    Estimate
        With an interval from two numbers on.
    """
    known = [float(value) for value in values if value is not None]
    if not known:
        return Estimate(None, None, None, None, 0)
    mean, median = float(np.mean(known)), float(np.median(known))
    if len(known) < 2:
        return Estimate(mean, None, None, median, 1, is_lower_bound)
    half = half_width(known)
    return Estimate(mean, mean - half, mean + half, median, len(known), is_lower_bound)
