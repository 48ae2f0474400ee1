"""Bills and service credits by trial: a year of hours, and months of outages, drawn.

The bill is made from the sums of a period; drawn hours give the same sums, and beside it a bill by the hour, in which
whoever is there at a quiet hour carries all that stands idle. The credit is that of one outage; where outages vary from
month to month their mean says little, because credits come in steps.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.chargeback import Usage, bill_usages, share_cost
from scheduler_core.economics.losses import credit_shares, credit_usd
from scheduler_core.economics.notes import Note, say
from scheduler_core.economics.owning import HOURS_PER_YEAR
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, step

Floats = NDArray[np.float64]
_HOURS = int(HOURS_PER_YEAR)
_SHAPE = 4.0
"""Of the gamma distribution of a tenant's hours: half the mean as standard deviation."""
_MONTHS = 20_000


def trial_bill(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw the hours of a year, and return what the largest tenant pays, beside the bill.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        USD: ``bill_period`` from the sums of the hours, ``bill_hourly`` with the idle cost shared hour by hour.
    """
    tenants, rule = bill_usages(asked), asked.word("idle_rule")
    cost, available = asked.number("bill_usd"), asked.number("bill_gpu_h")
    planned = share_cost(cost, available, tenants, rule)
    most = max(range(len(tenants)), key=lambda at: tenants[at].allocated_gpu_h)
    name = tenants[most].name
    formula = planned.total_usd[name]
    drawn = each_seed(asked, partial(draw_hours, tenants), step(progress, 0, 1))
    by_sum = [
        share_cost(
            cost, available, [Usage(each.name, float(had), each.quota_gpu_h)
                              for each, had in zip(tenants, hours.sum(axis=1), strict=True)], planned.rule
        ).total_usd[name]
        for hours in drawn
    ]  # fmt: skip
    quotas = np.array([each.quota_gpu_h for each in tenants])
    by_hour = [float(hourly_bill(cost, available, hours, quotas, planned.rule)[most]) for hours in drawn]
    period, hourly = estimate(by_sum), estimate(by_hour)
    return (
        Confirmation("bill_period", "usd", formula, None, period, gap_notes(formula, period)),
        Confirmation("bill_hourly", "usd", formula, None, hourly, _hourly_notes(name, formula, hourly)),
    )


def draw_hours(tenants: tuple[Usage, ...], rng: np.random.Generator) -> Floats:
    """Return GPU hours that each tenant asks for in each hour of a year.

    Parameters
    ----------
    tenants : tuple of Usage
        Who has how much in the year.
    rng : numpy.random.Generator
        Source of the draws.
    """
    means = np.array([each.allocated_gpu_h for each in tenants])[:, None] / _HOURS
    return np.asarray(means * rng.gamma(_SHAPE, 1 / _SHAPE, (len(tenants), _HOURS)), dtype=np.float64)


def hourly_bill(cost: float, available: float, hours: Floats, quotas: Floats, rule: str) -> Floats:
    """Return what each tenant pays in USD where the idle cost of every hour is shared by itself.

    Parameters
    ----------
    cost, available : float
        USD and GPU hours of the year.
    hours : float64, shape (n_tenants, n_hours)
        GPU hours each asks for in each hour; together they get at most what there is.
    quotas : float64, shape (n_tenants,)
        GPU hours granted in the year.
    rule : str
        How idle is shared.
    """
    rate, room = cost / available, available / hours.shape[1]
    hours = hours * np.minimum(1.0, room / np.maximum(hours.sum(axis=0), 1e-12))
    idle = np.maximum(room - hours.sum(axis=0), 0.0)
    unused = np.maximum(quotas[:, None] / hours.shape[1] - hours, 0.0)
    weights = {"pro_rata": hours, "uniform": np.ones_like(hours), "unused_quota": unused}[rule]
    total = weights.sum(axis=0)
    parts = np.where(total > 0, weights / np.where(total > 0, total, 1.0), 1 / len(quotas))
    return np.asarray(rate * (hours.sum(axis=1) + (parts * idle).sum(axis=1)), dtype=np.float64)


def _hourly_notes(name: str, formula: float, found: Estimate) -> tuple[Note, ...]:
    if found.holds(formula):
        return gap_notes(formula, found)
    return (say("money.gap.hourly", name=name, found=found.mean or 0.0, formula=formula),)


def trial_credit(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw months of outages, and return the mean service credit, beside that of the outage that is said.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        USD: ``credit_alike`` with outages of many short failures, ``credit_months`` with one of varying length.
    """
    number = asked.number
    fee, outage, period = number("slo_fee_usd"), number("slo_outage_min"), number("slo_period_min")
    formula = credit_usd(fee, outage, period)
    found = []
    for at, name in enumerate(("credit_alike", "credit_months")):
        draw = partial(_mean_credit, (fee, outage, period), name == "credit_months")
        credit = estimate(each_seed(asked, draw, step(progress, at, 2)))
        notes = gap_notes(formula, credit)
        if not credit.holds(formula):
            notes = (say("money.gap.credit", found=credit.mean or 0.0, formula=formula),)
        found.append(Confirmation(name, "usd", formula, None, credit, notes))
    return tuple(found)


def _mean_credit(terms: tuple[float, float, float], is_varied: bool, rng: np.random.Generator) -> float:
    fee, outage, period = terms
    drawn = rng.exponential(outage, _MONTHS) if is_varied else rng.poisson(outage * 60, _MONTHS) / 60
    return fee * float(credit_shares(1 - np.minimum(drawn, period) / period).mean())
