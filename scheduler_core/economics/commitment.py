"""How many GPUs to reserve when demand moves from hour to hour: the newsvendor.

A reserved GPU is paid whether it is used or not, the rest is bought on demand. The right amount leaves a share of
hours below it equal to one less the price ratio. Source: Arrow, Harris, Marschak (1951), "Optimal inventory policy".
A commitment above the median demand needs a discount of more than a half.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from scheduler_core.economics import checks
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

MOST_OBSERVATIONS = 100_000


@dataclass(frozen=True)
class Commitment:
    """What to reserve.

    Attributes
    ----------
    gpus : float
        GPUs to reserve.
    short_gpus : float
        Mean demand above that, bought on demand.
    usd_per_h : float
        Mean cost of an hour in the unit of the prices.
    on_demand_usd_per_h : float
        The same with no reservation.
    at_mean_usd_per_h : float
        The same with the mean demand reserved.
    ratio : float
        Share of hours in which demand is at most what is reserved.
    """

    gpus: float
    short_gpus: float
    usd_per_h: float
    on_demand_usd_per_h: float
    at_mean_usd_per_h: float
    ratio: float


def critical_ratio(reserved_usd: float, on_demand_usd: float) -> float:
    """Return which share of hours should be covered: 1 - reserved / on demand.

    Examples
    --------
    >>> round(critical_ratio(0.65, 1.0), 2)
    0.35
    """
    checks.positive("the reserved price", reserved_usd)
    if checks.positive("the on-demand price", on_demand_usd) <= reserved_usd:
        raise InputError(
            Phrase("the reserved price"),
            reserved_usd,
            Phrase("below the on-demand price ({on_demand_usd:g})", on_demand_usd=on_demand_usd),
        )
    return 1 - reserved_usd / on_demand_usd


def expected_above(mean: float, sd: float, level: float) -> float:
    """Return E[(D - Q)+] of a normal demand.

    Parameters
    ----------
    mean, sd, level : float
        Of the demand, and the level Q, in GPUs.

    Examples
    --------
    >>> round(expected_above(1000, 200, 922.936), 3)
    124.171
    """
    if sd == 0:
        return max(0.0, mean - level)
    z = (level - mean) / sd
    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    return float(sd * (density - z * (1 - ndtr(z))))


def commit_normal(mean: float, sd: float, reserved_usd: float, on_demand_usd: float) -> Commitment:
    """Return what to reserve for a demand that is normal from hour to hour.

    Parameters
    ----------
    mean, sd : float
        Demand in GPUs.
    reserved_usd, on_demand_usd : float
        Price of a GPU hour.

    Examples
    --------
    >>> found = commit_normal(1000, 200, 0.65, 1.0)
    >>> round(found.gpus, 3), round(found.usd_per_h, 2), round(found.at_mean_usd_per_h, 3)
    (922.936, 724.08, 729.788)
    """
    checks.not_negative("the mean demand", mean)
    checks.not_negative("the standard deviation of the demand", sd)
    ratio = critical_ratio(reserved_usd, on_demand_usd)
    level = max(0.0, mean + sd * float(ndtri(ratio)))
    above = expected_above(mean, sd, level)
    return Commitment(
        gpus=level,
        short_gpus=above,
        usd_per_h=reserved_usd * level + on_demand_usd * above,
        on_demand_usd_per_h=on_demand_usd * mean,
        at_mean_usd_per_h=reserved_usd * mean + on_demand_usd * expected_above(mean, sd, mean),
        ratio=ratio,
    )


def commit_seen(demand: Sequence[float], reserved_usd: float, on_demand_usd: float) -> Commitment:
    """Return what to reserve for a demand that was observed.

    Parameters
    ----------
    demand : sequence of float
        GPUs in each hour, in any order.
    reserved_usd, on_demand_usd : float
        Price of a GPU hour.

    Examples
    --------
    >>> found = commit_seen([40, 44, 52, 60, 61, 66, 70, 75, 90, 142], 0.65, 1.0)
    >>> found.gpus, round(found.usd_per_h, 1), round(found.on_demand_usd_per_h, 1)
    (60.0, 53.4, 70.0)
    """
    if not 1 <= len(demand) <= MOST_OBSERVATIONS:
        raise InputError(
            Phrase("the observed demand"),
            len(demand),
            Phrase("1 to {most_observations:,} hours", most_observations=MOST_OBSERVATIONS),
        )
    seen = np.sort([checks.not_negative("an observed demand", each) for each in demand])
    ratio = critical_ratio(reserved_usd, on_demand_usd)
    place = min(len(seen) - 1, int(np.ceil(ratio * len(seen) - 1e-9)) - 1)  # 0.3 * 10 is a little above 3
    level, mean = float(seen[max(0, place)]), float(seen.mean())

    def cost(reserved: float) -> float:
        return reserved_usd * reserved + on_demand_usd * float(np.maximum(0.0, seen - reserved).mean())

    return Commitment(
        gpus=level,
        short_gpus=float(np.maximum(0.0, seen - level).mean()),
        usd_per_h=cost(level),
        on_demand_usd_per_h=on_demand_usd * mean,
        at_mean_usd_per_h=cost(mean),
        ratio=ratio,
    )
