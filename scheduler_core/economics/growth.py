"""When demand outgrows what there is, by when to order, and what being late costs.

Demand grows by a constant share a month from today; what is delivered arrives a lead time after it was ordered. GPUs
are full when demand reaches the share of them that may be busy. Months have 12 a year and weeks 52, so that 36 weeks
are 8.31 months.

Source: compound growth; the rest is arithmetic. Limits: real demand moves in steps and real deliveries slip, so the
date is given with its spread (`sample_growth`).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from scheduler_core.economics.checks import not_negative, positive, positive_share, rate
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

WEEKS_PER_YEAR = 52
MONTHS_PER_YEAR = 12
HOURS_PER_MONTH = 730
_GRID = 4_000
"""Steps of the integral over lead times."""


def months_of_weeks(weeks: float) -> float:
    """Return a time in months.

    Examples
    --------
    >>> round(months_of_weeks(36), 4)
    8.3077
    """
    return weeks * MONTHS_PER_YEAR / WEEKS_PER_YEAR


def months_until_full(demand: float, capacity: float, busy_share: float, growth: float) -> float:
    """Return when demand reaches what may be busy, t* = ln(C u / D) / ln(1 + g).

    Parameters
    ----------
    demand, capacity : float
        GPUs busy today and GPUs there are, above 0.
    busy_share : float
        Share of the GPUs that may be busy, above 0 and at most 1.
    growth : float
        Share a month, above -1.

    Returns
    -------
    float
        Months from today; negative where demand is above that already, infinite where it never gets there.

    Examples
    --------
    >>> round(months_until_full(1984, 3200, 0.8, 0.05), 5)
    5.22425
    """
    positive("demand", demand)
    positive("capacity", capacity)
    positive_share("busy_share", busy_share)
    room = math.log(capacity * busy_share / demand)
    if rate("growth", growth) <= 0:
        is_full = room < 0 or (room == 0 and growth == 0)
        return 0.0 if is_full else math.inf
    return room / math.log1p(growth)


def capacity_after(demand: float, busy_share: float, growth: float, months: float) -> float:
    """Return the GPUs needed after some months, D (1 + g)^t / u.

    Parameters
    ----------
    demand : float
        GPUs busy today.
    busy_share : float
        Share of the GPUs that may be busy, above 0 and at most 1.
    growth : float
        Share a month, above -1.
    months : float
        From today, 0 or more.

    Examples
    --------
    >>> round(capacity_after(1984, 0.8, 0.05, months_of_weeks(36)), 2)
    3719.51
    """
    positive_share("busy_share", busy_share)
    grown = math.exp(math.log1p(rate("growth", growth)) * not_negative("months", months))
    return positive("demand", demand) * grown / busy_share


def gpu_months_short(capacity: float, growth: float, months_late: float) -> float:
    """Return what is missing while full capacity waits for more, C ((1 + g)^x - 1) / ln(1 + g) - C x.

    Parameters
    ----------
    capacity : float
        GPUs there are, just enough when the delay begins.
    growth : float
        Share a month, above -1.
    months_late : float
        Length of the delay, 0 or more.

    Returns
    -------
    float
        GPU-months; 0 where demand does not grow.

    Examples
    --------
    >>> round(gpu_months_short(3200, 0.05, 6), 2)
    3105.85
    """
    positive("capacity", capacity)
    not_negative("months_late", months_late)
    if rate("growth", growth) <= 0:
        return 0.0
    step = math.log1p(growth)
    return capacity * (math.expm1(step * months_late) / step - months_late)


@dataclass(frozen=True)
class GrowthSample:
    """What may happen when more is ordered today.

    Attributes
    ----------
    full_months, delivery_months, short_gpu_months : float64, shape (n_draws,)
        When it is full, when the order arrives, and what is missing in between.
    """

    full_months: NDArray[np.float64]
    delivery_months: NDArray[np.float64]
    short_gpu_months: NDArray[np.float64]

    @property
    def short_share(self) -> float:
        """Share of the draws in which it is full before the order arrives."""
        return float((self.full_months < self.delivery_months).mean())


@dataclass(frozen=True)
class LeadTime:
    """Weeks from order to delivery: a triangle from the shortest over the most likely to the longest."""

    low_weeks: float
    likely_weeks: float
    high_weeks: float

    def require_order(self) -> None:
        """Refuse a triangle that is none.

        Raises
        ------
        InputError
            If the three are not in order, or one is negative.
        """
        not_negative("lead_low_weeks", self.low_weeks)
        if not self.low_weeks <= self.likely_weeks <= self.high_weeks:
            raise InputError(
                "lead_weeks", self.likely_weeks,
                Phrase(
                    "from lead_low_weeks ({low_weeks:g}) to lead_high_weeks ({high_weeks:g})",
                    low_weeks=self.low_weeks, high_weeks=self.high_weeks,
                ),
            )  # fmt: skip

    def draw(self, n_draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return weeks of that many deliveries."""
        if self.low_weeks == self.high_weeks:
            return np.full(n_draws, self.low_weeks)
        return rng.triangular(self.low_weeks, self.likely_weeks, self.high_weeks, n_draws)

    def quantile(self, chance: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the weeks that a share of the deliveries takes at most."""
        low, likely, high = self.low_weeks, self.likely_weeks, self.high_weeks
        if low == high:
            return np.full(chance.shape, low)
        rising = low + np.sqrt(chance * (high - low) * (likely - low))
        falling = high - np.sqrt((1 - chance) * (high - low) * (high - likely))
        return np.where(chance < (likely - low) / (high - low), rising, falling)


@dataclass(frozen=True)
class Fleet:
    """Demand and capacity today, in GPUs, and the share of them that may be busy."""

    demand: float
    capacity: float
    busy_share: float

    @property
    def log_room(self) -> float:
        """Natural logarithm of how many times today's demand may be busy; 0 or less where it is full.

        Raises
        ------
        InputError
            If demand or capacity is not above 0, or the share is none.
        """
        room = math.log(positive("capacity", self.capacity) * positive_share("busy_share", self.busy_share))
        return room - math.log(positive("demand", self.demand))


def short_chance(fleet: Fleet, growth: float, growth_spread: float, lead: LeadTime) -> float:
    """Return the chance that it is full before an order of today arrives, E[Phi((g - g*) / s)].

    The growth of a path is constant and normal; g* is the growth that fills the capacity in the lead time, (C u / D)^
    (1/t) - 1; the mean is taken over the triangle of lead times.

    Parameters
    ----------
    fleet : Fleet
        Demand and capacity today.
    growth, growth_spread : float
        Share a month: mean and standard deviation.
    lead : LeadTime
        Triangle of weeks.

    Examples
    --------
    >>> fleet, lead = Fleet(1984, 3200, 0.8), LeadTime(36, 36, 36)
    >>> round(short_chance(fleet, 0.05, 0.015, lead), 4), short_chance(fleet, 0.05, 0.0, lead)
    (0.8955, 1.0)
    """
    lead.require_order()
    not_negative("growth_spread", growth_spread)
    room = fleet.log_room
    months = months_of_weeks(1.0) * lead.quantile((np.arange(_GRID) + 0.5) / _GRID)
    if room <= 0:
        return float((months > 0).mean())
    with np.errstate(divide="ignore", over="ignore"):
        filling = np.where(months > 0, np.expm1(room / months), np.inf)
    if growth_spread == 0:
        return float((filling < rate("growth", growth)).mean())
    return float(ndtr((rate("growth", growth) - filling) / growth_spread).mean())


def sample_growth(
    fleet: Fleet, growth: float, growth_spread: float, lead: LeadTime, n_draws: int, rng: np.random.Generator
) -> GrowthSample:
    """Return draws of when it is full and when an order of today arrives.

    Parameters
    ----------
    fleet : Fleet
        Demand and capacity today.
    growth, growth_spread : float
        Share a month: mean and standard deviation of a normal distribution, cut at -0.99.
    lead : LeadTime
        Triangle of weeks.
    n_draws : int
        Number of draws, at least 1.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    GrowthSample
        One entry a draw.
    """
    lead.require_order()
    not_negative("growth_spread", growth_spread)
    weeks = lead.draw(n_draws, rng)
    growths = np.maximum(rng.normal(rate("growth", growth), growth_spread, n_draws), -0.99)
    delivery = weeks * MONTHS_PER_YEAR / WEEKS_PER_YEAR
    room = fleet.log_room
    step = np.log1p(growths)
    full = np.full(n_draws, np.inf if room > 0 else 0.0)
    np.divide(max(room, 0.0), step, out=full, where=step > 0)
    begins = np.minimum(full, delivery)
    # Demand above what may be busy, from when it is full to the delivery, as capacity that is missing.
    is_flat = np.abs(step) < 1e-12
    grown = np.exp(step * delivery) - np.exp(step * begins)
    grown = np.where(is_flat, delivery - begins, grown / np.where(is_flat, 1.0, step))
    missing = fleet.demand / fleet.busy_share * grown - fleet.capacity * (delivery - begins)
    return GrowthSample(full, delivery, np.maximum(missing, 0.0))
