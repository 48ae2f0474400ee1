"""Demand by trial: when the capacity is full, and what a reservation costs, drawn hour by hour and month by month.

Growth: the formula takes one growth for all months; a path here also moves up and down from week to week. Reserving:
the formula takes normal hours; the second trial has the same mean and spread, and a few high hours (a gamma
distribution with the skew that is asked for).
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics import commitment, growth
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.notes import Note, Share, say
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, step

Floats = NDArray[np.float64]
_PATHS = 4_000
_HOURS = 100_000
_MOST_WEEKS = 1_040
_MOST_GROWTH = 0.99
_WEEKS_A_MONTH = growth.WEEKS_PER_YEAR / growth.MONTHS_PER_YEAR


def trial_growth(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw paths of the demand, and return the chance to run short before an order of today arrives.

    Parameters
    ----------
    asked : Assumptions
        The inputs of the plan.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        ``steady``: one growth a path, as the formula takes it. ``uneven``: with ups and downs. Where demand grows,
        months until full (``full``, ``full_uneven``) and GPU-months missing when the order is late (``late``), each the
        median of the paths: half of them have less growth than the mean that the formula takes, half more.
    """
    number = asked.number
    fleet = growth.Fleet(number("demand_now_gpus"), number("capacity_now_gpus"), number("busy_share"))
    lead = growth.LeadTime(number("lead_low_weeks"), number("lead_weeks"), number("lead_high_weeks"))
    mean, spread, noise = number("growth_share"), number("growth_sd_share"), number("growth_noise_share")
    formula = growth.short_chance(fleet, mean, spread, lead)
    found = []
    for at, (name, noisy) in enumerate((("steady", 0.0), ("uneven", noise))):
        draw = partial(short_share, fleet, (mean, spread, noisy), lead)
        short = estimate(each_seed(asked, draw, step(progress, at, 2))).within(0.0, 1.0)
        found.append(Confirmation(name, "share", formula, None, short, _growth_notes(name, noise, formula, short)))
    return (*found, *(_medians(asked, fleet) if mean > 0 and fleet.log_room > 0 else ()))


def _medians(asked: Assumptions, fleet: growth.Fleet) -> Iterator[Confirmation]:
    """Yield the median date at which the paths are full, and what they miss when the order is late."""
    mean, spread, noise = (asked.number(f"growth_{name}") for name in ("share", "sd_share", "noise_share"))
    full = growth.months_until_full(fleet.demand, fleet.capacity, fleet.busy_share, mean)
    weeks = min(_MOST_WEEKS, math.ceil(4 * full * _WEEKS_A_MONTH))
    for name, noisy in (("full", 0.0), ("full_uneven", noise)):
        months = estimate(each_seed(asked, partial(median_full, fleet.log_room, (mean, spread, noisy), weeks)))
        key = "plan.gap.full" if (months.mean or 0.0) < full else "plan.gap.full_late"
        told = gap_notes(full, months)
        if name != "full" and not months.holds(full):
            told = (say(key, noise=Share(noise), found=months.mean or 0.0, formula=full),)
        yield Confirmation(name, "months", full, None, months, told)
    months_late = asked.number("months_late")
    late = growth.gpu_months_short(fleet.capacity, mean, months_late)

    def draw(rng: np.random.Generator) -> float:
        growths = np.clip(rng.normal(mean, spread, _PATHS), -_MOST_GROWTH, _MOST_GROWTH)
        return growth.gpu_months_short(fleet.capacity, float(np.median(growths)), months_late)

    missing = estimate(each_seed(asked, draw))
    yield Confirmation("late", "gpu_months", late, None, missing, gap_notes(late, missing))


def median_full(room: float, monthly: tuple[float, float, float], weeks: int, rng: np.random.Generator) -> float | None:
    """Return the median of the months after which the paths are full; None if fewer than half are in that time.

    Parameters
    ----------
    room : float
        Natural logarithm of how many times today's demand may be busy, above 0.
    monthly : tuple of float
        Mean growth a month, its standard deviation between paths, and that of the ups and downs within one.
    weeks : int
        How long is looked.
    rng : numpy.random.Generator
        Source of the draws.
    """
    mean, spread, noise = monthly
    step_mean = np.log1p(np.clip(rng.normal(mean, spread, _PATHS), -_MOST_GROWTH, _MOST_GROWTH)) / _WEEKS_A_MONTH
    level, full = np.zeros(_PATHS), np.full(_PATHS, np.inf)
    for week in range(1, weeks + 1):
        before, level = level, level + step_mean + rng.normal(0.0, noise / math.sqrt(_WEEKS_A_MONTH), _PATHS)
        is_new = (level >= room) & np.isinf(full)
        full[is_new] = week - 1 + (room - before[is_new]) / (level[is_new] - before[is_new])
    found = float(np.median(full)) / _WEEKS_A_MONTH
    return None if math.isinf(found) else found


def short_share(
    fleet: growth.Fleet, monthly: tuple[float, float, float], lead: growth.LeadTime, rng: np.random.Generator
) -> float:
    """Return the share of paths that reach what may be busy before the order arrives.

    Parameters
    ----------
    fleet : Fleet
        Demand and capacity today.
    monthly : tuple of float
        Mean growth a month, its standard deviation between paths, and that of the ups and downs within one.
    lead : LeadTime
        Triangle of weeks.
    rng : numpy.random.Generator
        Source of the draws.
    """
    mean, spread, noise = monthly
    if noise == 0:
        return growth.sample_growth(fleet, mean, spread, lead, _PATHS, rng).short_share
    weeks = lead.draw(_PATHS, rng)
    step_mean = np.log1p(np.maximum(rng.normal(mean, spread, _PATHS), -0.99)) / _WEEKS_A_MONTH
    room = fleet.log_room
    level, is_short = np.zeros(_PATHS), np.full(_PATHS, room <= 0) & (weeks > 0)
    for week in range(1, math.ceil(lead.high_weeks) + 1):
        level += step_mean + rng.normal(0.0, noise / math.sqrt(_WEEKS_A_MONTH), _PATHS)
        is_short |= (level >= room) & (week <= weeks)
    return float(is_short.mean())


def _growth_notes(name: str, noise: float, formula: float, found: Estimate) -> tuple[Note, ...]:
    if name == "steady" or found.holds(formula):
        return gap_notes(formula, found)
    key = "plan.gap.uneven" if (found.mean or 0.0) > formula else "plan.gap.uneven_late"
    told = {"formula": Share(formula), "found": Share(found.mean or 0.0)}
    return (say(key, noise=Share(noise), **told),)


# ---- reserving --------------------------------------------------------------------------------------------------


def trial_commitment(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw hours of demand, and return what an hour costs with the reservation of the formula.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        USD an hour: ``normal`` and ``skewed`` hours; empty where the reservation has no price, or no discount.
    """
    number, said = asked.number, asked.values()
    mean, spread, skew = number("demand_gpus"), number("demand_sd_gpus"), number("demand_skew")
    reserved, rent = said["reserved_usd_per_gpu_h"], said["on_demand_usd_per_gpu_h"]
    if reserved is None or rent is None or float(reserved) >= float(rent):
        return ()
    prices = float(reserved), float(rent)
    plan = commitment.commit_normal(mean, spread, *prices)
    found = []
    for at, (name, skewed) in enumerate((("normal", 0.0), ("skewed", skew))):
        drawn = each_seed(asked, partial(draw_demand, mean, spread, skewed), step(progress, at, 2))
        cost = estimate([hourly_cost(plan.gpus, each, prices) for each in drawn])
        best = float(np.mean([np.quantile(each, plan.ratio) for each in drawn]))
        saved = float(
            np.mean([hourly_cost(plan.gpus, each, prices) - hourly_cost(best, each, prices) for each in drawn])
        )
        key = "money.gap.reserve" if cost.holds(plan.usd_per_h) else "money.gap.reserve_skew"
        note = say(key, gpus=f"{plan.gpus:,.0f}", best=f"{best:,.0f}", saved=max(0.0, saved), skew=skewed)
        found.append(Confirmation(name, "usd_per_h", plan.usd_per_h, None, cost, (note,)))
    return tuple(found)


def draw_demand(mean: float, spread: float, skew: float, rng: np.random.Generator) -> Floats:
    """Return hours of demand in GPUs, normal or gamma, with a mean, a standard deviation and a skew."""
    if skew == 0 or spread == 0:
        return rng.normal(mean, spread, _HOURS)
    shape = 4 / skew**2
    return mean + spread * (rng.gamma(shape, size=_HOURS) - shape) / math.sqrt(shape)


def hourly_cost(gpus: float, demand: Floats, prices: tuple[float, float]) -> float:
    """Return the mean cost of an hour with some GPUs reserved and the rest on demand.

    Examples
    --------
    >>> round(hourly_cost(60, np.array([40, 44, 52, 60, 61, 66, 70, 75, 90, 142.0]), (0.65, 1.0)), 1)
    53.4
    """
    reserved, on_demand = prices
    return reserved * gpus + on_demand * float(np.maximum(demand - gpus, 0.0).mean())
