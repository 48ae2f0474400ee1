"""Should a customer get a cluster of its own: breakeven volume, return, and what no volume can reach.

A return on investment needs three things said: what it is divided by (the fixed cost, or all cost), over which time
(a day here, so a steady state), and what would happen without the deal (the counterfactual: is this revenue new, or
would the customer have stayed on the shared pool?). With a cap on utilisation the return has a ceiling,
ROI_max = U_max / U_be - 1, and more GPUs do not lift it, because the fixed cost grows with them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions

SECONDS_PER_DAY = 86_400.0
HOURS_PER_DAY = 24.0
DAYS_PER_YEAR = 365.0
Float64 = NDArray[np.float64]


def fixed_usd_per_day(gpus: float, usd_per_gpu_h: float, staff: float, person_usd_per_year: float) -> float:
    """Return what a cluster costs a day whatever is sent to it, in USD.

    Parameters
    ----------
    gpus, usd_per_gpu_h : float
        Its GPUs, and the all-in price of an hour of one.
    staff, person_usd_per_year : float
        People, and what one costs.

    Examples
    --------
    >>> fixed_usd_per_day(64, 1.75, 0.2, 204_400)
    2800.0
    """
    machines = checks.positive("the GPUs", gpus) * checks.not_negative("the price", usd_per_gpu_h) * HOURS_PER_DAY
    return machines + checks.not_negative("the staff", staff) * person_usd_per_year / DAYS_PER_YEAR


@dataclass(frozen=True)
class Terms:
    """A deal, a day of it.

    Attributes
    ----------
    fixed_usd : float
        Fixed cost a day.
    list_usd, premium, variable_usd : float
        List price of a request, what the customer pays in list prices, and variable cost of a request.
    request_gpu_s : float
        GPU time of a request in s.
    gpus, usable_share : float
        Of the cluster, and its highest mean utilisation.
    counterfactual : str
        ``new`` (or the shared capacity is sold again) or ``moved`` (the customer would stay, and it is not).
    denominator : str
        ``fixed`` or ``total``.
    """

    fixed_usd: float
    list_usd: float
    premium: float
    variable_usd: float
    request_gpu_s: float
    gpus: float
    usable_share: float
    counterfactual: str = "new"
    denominator: str = "fixed"

    @property
    def price_usd(self) -> float:
        """What the customer pays for a request."""
        return self.list_usd * self.premium

    @property
    def margin_usd(self) -> float:
        """What a request adds, against what would happen without the deal.

        A moved customer would have paid the list price and cost the same, so only the premium is new.
        """
        if self.counterfactual == "moved":
            return self.price_usd - self.list_usd
        return self.price_usd - self.variable_usd

    @property
    def cap_per_day(self) -> float:
        """Requests a day that the cluster can serve within its waits."""
        return self.usable_share * self.gpus * SECONDS_PER_DAY / self.request_gpu_s

    def utilisation(self, per_day: float) -> float:
        """Return the share of the GPU time that a volume takes."""
        return per_day * self.request_gpu_s / (SECONDS_PER_DAY * self.gpus)

    def at_fixed(self, usd_per_day: float) -> "Terms":
        """Return the same deal with another fixed cost a day."""
        return replace(self, fixed_usd=usd_per_day)

    def volume(self, roi: float) -> float | None:
        """Return the requests a day for a return; None where no volume gives it, even without a cap."""
        margin = self.margin_usd - (roi * self.variable_usd if self.denominator == "total" else 0.0)
        return (1 + roi) * self.fixed_usd / margin if margin > 0 else None

    def roi(self, per_day: float) -> float:
        """Return the return at a volume; what exceeds the cap is not served."""
        return float(self.roi_curve(np.array([per_day]))[0])

    def roi_curve(self, per_day: Float64) -> Float64:
        """Return the return at each volume, shape as given."""
        served = np.minimum(per_day, self.cap_per_day)
        gain = served * self.margin_usd - self.fixed_usd
        below = self.fixed_usd + (served * self.variable_usd if self.denominator == "total" else 0.0)
        return np.asarray(gain / below, dtype=np.float64)

    @property
    def roi_max(self) -> float:
        """Highest return at any volume."""
        return self.roi(self.cap_per_day)


@dataclass(frozen=True)
class Reading:
    """A deal under one counterfactual and denominator.

    Attributes
    ----------
    name : str
        ``R1`` new revenue on fixed cost; ``R2`` the customer moved; ``R2'`` on total cost; ``R2''`` heavier requests.
    terms : Terms
        The deal.
    breakeven_per_day, hurdle_per_day : float, optional
        Requests a day for a return of 0, and of the hurdle; None where no volume gives it.
    hurdle : float
        Return that is asked for.
    roi : float
        Return at the volume of the assumptions.
    """

    name: str
    terms: Terms
    breakeven_per_day: float | None
    hurdle_per_day: float | None
    hurdle: float
    roi: float

    @property
    def is_reachable(self) -> bool:
        """Whether the cluster can serve the volume that the hurdle needs."""
        return self.hurdle_per_day is not None and self.hurdle_per_day <= self.terms.cap_per_day

    @property
    def floor_share(self) -> float | None:
        """Utilisation at the breakeven volume."""
        return None if self.breakeven_per_day is None else self.terms.utilisation(self.breakeven_per_day)

    @property
    def needed_price_usd(self) -> float:
        """Price of a request at which the hurdle is reached with the cluster full: the first lever."""
        terms = self.terms
        base = terms.list_usd if terms.counterfactual == "moved" else terms.variable_usd
        on_total = self.hurdle * terms.variable_usd if terms.denominator == "total" else 0.0
        return base + on_total + (1 + self.hurdle) * terms.fixed_usd / terms.cap_per_day

    @property
    def needed_request_gpu_s(self) -> float | None:
        """GPU time of a request at which the hurdle is reached with the cluster full: the second lever."""
        if not self.hurdle_per_day:
            return None
        return self.terms.usable_share * self.terms.gpus * SECONDS_PER_DAY / self.hurdle_per_day


def terms_of(asked: Assumptions) -> Terms:
    """Return the deal of the assumptions.

    Examples
    --------
    >>> deal = terms_of(Assumptions())
    >>> deal.fixed_usd, round(deal.volume(0)), round(deal.volume(3)), round(deal.cap_per_day)
    (2800.0, 80000, 320000, 483840)
    """
    number = asked.number
    fixed = fixed_usd_per_day(
        number("dedicated_gpus"),
        number("dedicated_usd_per_gpu_h"),
        number("dedicated_staff"),
        number("person_usd_per_year"),
    )
    return Terms(
        fixed_usd=fixed,
        list_usd=number("list_usd_per_request"),
        premium=number("premium_ratio"),
        variable_usd=number("variable_usd_per_request"),
        request_gpu_s=number("request_gpu_s"),
        gpus=number("dedicated_gpus"),
        usable_share=number("usable_share"),
        counterfactual=asked.word("counterfactual"),
        denominator=asked.word("denominator"),
    )


def read(name: str, terms: Terms, hurdle: float, per_day: float) -> Reading:
    """Return a deal with its volumes and its return at a volume.

    Parameters
    ----------
    name : str
        What the reading is called.
    terms : Terms
        The deal.
    hurdle : float
        Return that is asked for.
    per_day : float
        Requests a day.
    """
    return Reading(name, terms, terms.volume(0.0), terms.volume(hurdle), hurdle, terms.roi(per_day))


def chosen(asked: Assumptions) -> Reading:
    """Return the deal under the counterfactual and the denominator of the assumptions."""
    return read("chosen", terms_of(asked), asked.number("hurdle_roi"), asked.number("requests_per_day"))


def deal_readings(asked: Assumptions) -> tuple[Reading, ...]:
    """Return the deal in the four readings that are always shown side by side.

    Examples
    --------
    >>> [(each.name, round(each.breakeven_per_day), each.is_reachable) for each in deal_readings(Assumptions())]
    [('R1', 80000, True), ('R2', 140000, False), ("R2'", 80000, False), ("R2''", 80000, False)]
    """
    new = replace(terms_of(asked), counterfactual="new", denominator="fixed")
    found = {
        "R1": new,
        "R2": replace(new, counterfactual="moved"),
        "R2'": replace(new, denominator="total"),
        "R2''": replace(new, request_gpu_s=asked.number("heavy_request_gpu_s")),
    }
    hurdle, per_day = asked.number("hurdle_roi"), asked.number("requests_per_day")
    return tuple(read(name, terms, hurdle, per_day) for name, terms in found.items())


@dataclass(frozen=True)
class UnitCost:
    """What a request costs with the cluster of its own, and on the shared pool, in USD."""

    dedicated_usd: float
    shared_usd: float

    @property
    def ratio(self) -> float:
        """Dedicated over shared."""
        return self.dedicated_usd / self.shared_usd


def unit_cost(asked: Assumptions) -> UnitCost | None:
    """Return the cost of a request at the volume of the assumptions; None without requests.

    Examples
    --------
    >>> hurdle = SEED_CASES["hurdle"]
    >>> found = unit_cost(Assumptions().change(hurdle))
    >>> round(found.dedicated_usd, 4), round(found.shared_usd, 4), round(found.ratio, 2)
    (0.045, 0.0335, 1.34)
    """
    deal, per_day = terms_of(asked), asked.number("requests_per_day")
    if per_day == 0:
        return None
    hour = asked.number("dedicated_usd_per_gpu_h") / asked.number("shared_utilisation_share")
    served = min(per_day, deal.cap_per_day)
    return UnitCost(
        dedicated_usd=deal.fixed_usd / served + deal.variable_usd,
        shared_usd=deal.variable_usd + deal.request_gpu_s / 3_600 * hour,
    )


SEED_CASES: dict[str, dict[str, object]] = {
    "literal": {},
    "hurdle": {
        "request_gpu_s": 30.0,
        "list_usd_per_request": 0.075,
        "variable_usd_per_request": 0.010,
        "wait_limit_s": 11.0,
    },
}
"""The interview question "twice the price, ROI above 3, breakeven about 80,000 a day" in its two readings.

Literal: 80,000 a day return the money, and a return of 3 needs four times as many. Hurdle: 80,000 a day are where the
return reaches 3. Each is what differs from the table.
"""


def purchase_flows(asked: Assumptions, per_day: tuple[float, ...]) -> tuple[float, ...]:
    """Return the yearly flows of buying the cluster instead of renting it, in USD, today's first.

    Parameters
    ----------
    asked : Assumptions
        The deal and the purchase.
    per_day : tuple of float
        Requests a day in each year.
    """
    deal = terms_of(asked)
    opex = asked.number("buy_opex_usd_per_year")
    years = [min(each, deal.cap_per_day) * DAYS_PER_YEAR * deal.margin_usd - opex for each in per_day]
    return (-asked.number("buy_capex_usd"), *years[:-1], years[-1] + asked.number("buy_residual_usd"))
