"""Own, reserve, rent by the hour, or take what may be taken away again.

Sources: breakeven utilisation of owning (Uptime Institute, "Sweat dedicated GPU clusters"); checkpoint interval of
Young (1974) for the waste of spot capacity. Bursts beyond one's own servers: burst.py.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.owning import own
from scheduler_core.economics.returns import Returns, judge
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase


def breakeven_utilisation(own_usd: float, rent_usd: float) -> float:
    """Return the share of available hours from which owning is cheaper than renting those hours; above 1 never.

    Parameters
    ----------
    own_usd : float
        Cost of an available GPU hour of one's own, in USD.
    rent_usd : float
        Price of a rented GPU hour, in USD.

    Examples
    --------
    >>> round(breakeven_utilisation(2.2119, 3.99), 3)
    0.554
    """
    return checks.not_negative("the cost of owning", own_usd) / checks.positive("the price of renting", rent_usd)


def commitment_utilisation(reserved_usd: float, on_demand_usd: float) -> float:
    """Return the share of hours from which a reservation is cheaper than on demand: one less its discount.

    Examples
    --------
    >>> round(commitment_utilisation(2.72, 3.99), 4)
    0.6817
    """
    return checks.positive("the reserved price", reserved_usd) / checks.positive("the on-demand price", on_demand_usd)


def spot_waste(save_h: float, restart_h: float, interval_h: float) -> float:
    """Return the share of spot time that is lost: w = C/t + (t/2 + R)/M with Young's interval t = sqrt(2 C M).

    Parameters
    ----------
    save_h, restart_h, interval_h : float
        Hours to write a checkpoint, to start again, and between interruptions on average.

    Examples
    --------
    >>> round(spot_waste(1 / 60, 8 / 60, 6), 6)
    0.096758
    """
    checks.positive("the time to write a checkpoint", save_h)
    checks.not_negative("the time to start again", restart_h)
    checks.positive("the time between interruptions", interval_h)
    between = math.sqrt(2 * save_h * interval_h)
    return save_h / between + (between / 2 + restart_h) / interval_h


class SpotTimes(NamedTuple):
    """Hours to write a checkpoint, to start again, and between interruptions on average."""

    save_h: float
    restart_h: float
    interval_h: float


def spot_times(asked: Assumptions) -> SpotTimes:
    """Return the times of spot machines under the assumptions.

    Examples
    --------
    >>> round(spot_waste(*spot_times(Assumptions())), 6)
    0.096758
    """
    number = asked.number
    return SpotTimes(number("spot_save_min") / 60, number("spot_restart_min") / 60, number("spot_interval_h"))


def spot_usd(price_usd: float, waste: float) -> float | None:
    """Return what a useful hour on spot costs in USD; None where nothing useful is left.

    Examples
    --------
    >>> round(spot_usd(2.46, 0.0967578), 5), spot_usd(2.46, 1.2)
    (2.72352, None)
    """
    return None if waste >= 1 else checks.positive("the spot price", price_usd) / (1 - waste)


def breakeven_interval_h(price_usd: float, other_usd: float, save_h: float, restart_h: float) -> float | None:
    """Return the time between interruptions from which spot is cheaper, in hours; None if it never is.

    With x = 1 / sqrt(M) the waste is sqrt(2 C) x + R x^2, so the bound is the root of a square.

    Parameters
    ----------
    price_usd, other_usd : float
        Price of a spot hour and of the alternative.
    save_h, restart_h : float
        Hours to write a checkpoint and to start again.

    Examples
    --------
    >>> round(breakeven_interval_h(2.46, 2.72, 1 / 60, 8 / 60), 5)
    6.11995
    """
    allowed = 1 - checks.positive("the spot price", price_usd) / checks.positive("the other price", other_usd)
    if allowed <= 0:
        return None
    slope = math.sqrt(2 * checks.positive("the time to write a checkpoint", save_h))
    bend = math.sqrt(slope**2 + 4 * checks.not_negative("the time to start again", restart_h) * allowed)
    return ((slope + bend) / (2 * allowed)) ** 2  # the root without the difference of two near numbers


def price_path(price_usd: float, drift: float, years: int) -> tuple[float, ...]:
    """Return a price in each year, p_t = p_0 (1 + d)^t, from today on.

    Examples
    --------
    >>> [round(price, 3) for price in price_path(4.0, -0.10, 2)]
    [4.0, 3.6, 3.24]
    """
    checks.rate("the yearly change of the price", drift)
    return tuple(checks.positive("the price", price_usd) * (1 + drift) ** year for year in range(years + 1))


@dataclass(frozen=True)
class Options:
    """What a used GPU hour costs in each way, at one utilisation that serves them all.

    Attributes
    ----------
    utilisation : float
        Share of the owner's available hours that are used.
    own_usd, reserved_usd, contract_usd, on_demand_usd, spot_usd : float, optional
        Cost of a used GPU hour in USD; None where there is no price or nothing useful is left.
    breakeven : float, optional
        Utilisation from which owning is cheaper than on demand.
    commitment : float, optional
        Utilisation from which the reservation is cheaper than on demand.
    spot_waste : float
        Share of spot time that is lost.
    spot_interval_h : float, optional
        Time between interruptions from which spot is cheaper than the reservation.
    returns : Returns, optional
        Of buying a node instead of renting its used hours on demand.
    """

    utilisation: float
    own_usd: float
    reserved_usd: float | None
    contract_usd: float | None
    on_demand_usd: float | None
    spot_usd: float | None
    breakeven: float | None
    commitment: float | None
    spot_waste: float
    spot_interval_h: float | None
    returns: Returns | None

    @property
    def prices(self) -> dict[str, float]:
        """Cost of a used GPU hour by option, the cheapest first."""
        names = ("own", "reserved", "contract", "on_demand", "spot")
        known = {name: getattr(self, f"{name}_usd") for name in names}
        return dict(sorted(((name, usd) for name, usd in known.items() if usd is not None), key=lambda pair: pair[1]))


def own_instead_of_rent(asked: Assumptions) -> tuple[float, ...]:
    """Return the yearly flows of a node that replaces rented hours, in USD, today's first.

    What is saved is the rent of the hours whose work is kept, at a price that drifts; what is paid is cash only,
    because the investment is counted once, today.
    """
    found = own(asked)
    years = round(asked.number("life_years"))
    if years < 1:
        raise InputError("life_years", asked.number("life_years"), Phrase("at least half a year here"))
    rent = price_path(asked.number("on_demand_usd_per_gpu_h"), asked.number("drift_share"), years)
    hours = found.available_gpu_h * found.utilisation * (1 - found.lost)
    residual = found.residual_usd * (1 + asked.number("drift_share")) ** years
    saved = [hours * (price + asked.number("other_usd_per_gpu_h")) - found.cash_usd for price in rent[:-1]]
    return (-found.investment_usd, *saved[:-1], saved[-1] + residual)


def options(asked: Assumptions) -> Options:
    """Return what a used hour costs in each way under the assumptions.

    Raises
    ------
    InputError
        If an input is missing or contradicts another one.

    Examples
    --------
    >>> found = options(Assumptions())
    >>> list(found.prices)[:2], round(found.breakeven, 3)
    (['spot', 'own'], 0.554)
    """
    found, used = own(asked), asked.number("utilisation_share")
    said = asked.values()
    other = asked.number("other_usd_per_gpu_h")
    rent, reserved, contract, spot = (
        None if said[f"{name}_usd_per_gpu_h"] is None else asked.number(f"{name}_usd_per_gpu_h")
        for name in ("on_demand", "reserved", "contract", "spot")
    )
    times = spot_times(asked)
    waste = spot_waste(*times)
    useful = None if spot is None else spot_usd(spot, waste)
    return Options(
        utilisation=used,
        own_usd=found.usd_per_useful_gpu_h,
        reserved_usd=None if reserved is None else reserved / used + other,
        contract_usd=None if contract is None else contract / used + other,
        on_demand_usd=None if rent is None else rent + other,
        spot_usd=None if useful is None else useful + other,
        breakeven=None if rent is None else breakeven_utilisation(found.usd_per_available_gpu_h, rent + other),
        commitment=None if rent is None or reserved is None else commitment_utilisation(reserved, rent),
        spot_waste=waste,
        spot_interval_h=None
        if spot is None or reserved is None
        else breakeven_interval_h(spot, reserved, times.save_h, times.restart_h),
        returns=None if rent is None else judge(own_instead_of_rent(asked), asked.number("discount_share")),
    )
