"""What a machine of one's own costs a year, and what an hour of a GPU then costs.

The decision cost of capital is the equivalent annual cost; straight-line depreciation is accounting and is shown only
beside it. Colocation is paid for reserved power, electricity for drawn power. Source: Brealey, Myers, Allen,
"Principles of Corporate Finance", equivalent annual cost; shares and prices in defaults/money.toml.
"""

from dataclasses import dataclass

import numpy_financial as npf

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

HOURS_PER_YEAR = 8_760.0
MONTHS_PER_YEAR = 12
LIVES_YEARS = (3.0, 4.0, 5.0, 6.0)
"""The lives that are always shown side by side: the choice alone moves the cost by a third."""


def capital_recovery(rate: float, years: float) -> float:
    """Return the yearly payment that pays back 1 with interest, CRF = r / (1 - (1 + r)^-n).

    Parameters
    ----------
    rate : float
        Discount rate a year, 0 and above.
    years : float
        Life in years, above 0.

    Examples
    --------
    >>> round(capital_recovery(0.10, 5), 6), capital_recovery(0.0, 4)
    (0.263797, 0.25)
    """
    checks.rate("the discount rate", checks.not_negative("the discount rate", rate))
    checks.positive("the life in years", years)
    return float(-npf.pmt(rate, years, 1.0))


def equivalent_annual_usd(investment_usd: float, residual_usd: float, rate: float, years: float) -> float:
    """Return the equal yearly cost of an investment with a residual value, (K - S (1 + r)^-n) CRF, in USD.

    Examples
    --------
    >>> round(equivalent_annual_usd(423_500, 70_000, 0.10, 5))
    100252
    """
    checks.not_negative("the investment", investment_usd)
    checks.not_negative("the residual value", residual_usd)
    present = investment_usd - residual_usd * (1 + rate) ** -years
    return float(present * capital_recovery(rate, years))


def straight_line_usd(investment_usd: float, residual_usd: float, years: float) -> float:
    """Return the yearly depreciation of the books, (K - S) / n, in USD; not what a decision costs.

    Examples
    --------
    >>> straight_line_usd(423_500, 70_000, 5)
    70700.0
    """
    return (investment_usd - residual_usd) / checks.positive("the life in years", years)


def drawn_kw(idle_kw: float, load_kw: float, utilisation: float) -> float:
    """Return the mean power of a node in kW, between idle and busy.

    Examples
    --------
    >>> round(drawn_kw(2.0, 8.4, 0.62), 3)
    5.968
    """
    if load_kw < idle_kw:
        raise InputError("load_kw", load_kw, Phrase("at least idle_kw ({idle_kw:g})", idle_kw=idle_kw))
    return idle_kw + (load_kw - idle_kw) * checks.share("the utilisation", utilisation)


def energy_usd(power_kw: float, pue: float, usd_per_kwh: float) -> float:
    """Return the electricity of a year in USD, from the power drawn in kW.

    Examples
    --------
    >>> round(energy_usd(5.968, 1.3, 0.09), 1)
    6116.7
    """
    return power_kw * pue * usd_per_kwh * HOURS_PER_YEAR


def colocation_usd(rated_kw: float, usd_per_kw_month: float) -> float:
    """Return the colocation of a year in USD, for the power reserved in kW.

    Examples
    --------
    >>> colocation_usd(10.2, 180)
    22032.0
    """
    return MONTHS_PER_YEAR * usd_per_kw_month * rated_kw


@dataclass(frozen=True)
class Owning:
    """The yearly cost of a node of one's own, in USD, and what it makes an hour cost.

    Attributes
    ----------
    investment_usd, residual_usd : float
        Paid at the start; value at the end.
    capital_usd, energy_usd, colocation_usd, staff_usd, maintenance_usd, software_usd, other_usd : float
        A year.
    straight_line_usd : float
        Depreciation of the books, which replaces the capital cost in accounts but not in decisions.
    gpus : float
        Of the node.
    availability, utilisation, lost : float
        Shares; `lost` of the used hours is done again after preemptions and failures.
    """

    investment_usd: float
    residual_usd: float
    capital_usd: float
    energy_usd: float
    colocation_usd: float
    staff_usd: float
    maintenance_usd: float
    software_usd: float
    other_usd: float
    straight_line_usd: float
    gpus: float
    availability: float
    utilisation: float
    lost: float

    @property
    def parts(self) -> dict[str, float]:
        """Every part of the yearly cost by its name, in USD."""
        names = ("capital", "energy", "colocation", "staff", "maintenance", "software", "other")
        return {name: float(getattr(self, f"{name}_usd")) for name in names}

    @property
    def total_usd(self) -> float:
        """Cost of a year."""
        return sum(self.parts.values())

    @property
    def cash_usd(self) -> float:
        """What is paid in a year beside the investment; a payback uses this, or the investment counts twice."""
        return self.total_usd - self.capital_usd

    @property
    def available_gpu_h(self) -> float:
        """GPU hours a year in which the node is up."""
        return self.gpus * HOURS_PER_YEAR * self.availability

    @property
    def usd_per_available_gpu_h(self) -> float:
        """Cost of an available GPU hour."""
        return self.total_usd / self.available_gpu_h

    @property
    def usd_per_useful_gpu_h(self) -> float:
        """Cost of a GPU hour whose work is kept; one utilisation only, allocated or effective, never both."""
        return self.usd_per_available_gpu_h / (self.utilisation * (1 - self.lost))

    @property
    def accounting_usd_per_available_gpu_h(self) -> float:
        """Cost of an available GPU hour with straight-line depreciation, as accounts show it."""
        return (self.cash_usd + self.straight_line_usd) / self.available_gpu_h


def own(asked: Assumptions) -> Owning:
    """Return the yearly cost of a node under the assumptions.

    Raises
    ------
    InputError
        If an input is missing or contradicts another one.

    Examples
    --------
    >>> found = own(Assumptions())
    >>> round(found.usd_per_available_gpu_h, 5), round(found.usd_per_useful_gpu_h, 5)
    (2.2119, 3.56758)
    """
    number = asked.number
    server = number("server_price_usd")
    added = sum(number(f"{part}_share") for part in ("network", "storage", "spares", "install"))
    investment, residual = server * (1 + added), server * number("residual_share")
    rate, years = number("discount_share"), number("life_years")
    gpus, utilisation = number("gpus_per_node"), number("utilisation_share")
    if number("rated_kw") < number("load_kw"):
        raise InputError(
            "rated_kw", number("rated_kw"), Phrase("at least load_kw ({number:g})", number=number("load_kw"))
        )
    power = drawn_kw(number("idle_kw"), number("load_kw"), utilisation)
    price_of_energy = number("energy_usd_per_kwh") if asked.word("colo_power") == "extra" else 0.0
    return Owning(
        investment_usd=investment,
        residual_usd=residual,
        capital_usd=equivalent_annual_usd(investment, residual, rate, years),
        energy_usd=energy_usd(power, number("pue"), price_of_energy),
        colocation_usd=colocation_usd(number("rated_kw"), number("colo_usd_per_kw_month")),
        staff_usd=number("staff_usd_per_node_year"),
        maintenance_usd=number("maintenance_share") * server,
        software_usd=number("software_usd_per_gpu_h") * gpus * HOURS_PER_YEAR,
        other_usd=number("other_usd_per_gpu_h") * gpus * HOURS_PER_YEAR,
        straight_line_usd=straight_line_usd(investment, residual, years),
        gpus=gpus,
        availability=number("availability_share"),
        utilisation=utilisation,
        lost=number("lost_share"),
    )


def own_by_life(asked: Assumptions) -> dict[float, float]:
    """Return the cost of an available GPU hour in USD for each of `LIVES_YEARS`."""
    return {years: own(asked.change({"life_years": years})).usd_per_available_gpu_h for years in LIVES_YEARS}
