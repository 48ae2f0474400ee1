"""Who pays for a shared cluster, and who pays for what stands idle.

Direct cost follows what is allocated, not what is used. What remains is idle and is shared by one of three rules; the
last one makes it cost something to ask for more than one needs. Source: OpenCost specification 0.1. What went wrong
elsewhere is checked here on every call: the parts sum to the cost, nothing is negative, idle never vanishes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.lists import read_named
from scheduler_core.errors import InputError, KernelError
from scheduler_core.phrases import Phrase
from scheduler_core.units import shortest

RULES = ("pro_rata", "uniform", "unused_quota")


@dataclass(frozen=True)
class Usage:
    """What a tenant had in the period.

    Attributes
    ----------
    name : str
        Of the tenant.
    allocated_gpu_h, quota_gpu_h : float
        GPU hours allocated, and granted.
    """

    name: str
    allocated_gpu_h: float
    quota_gpu_h: float

    @property
    def unused_gpu_h(self) -> float:
        """Granted and not taken."""
        return max(0.0, self.quota_gpu_h - self.allocated_gpu_h)


@dataclass(frozen=True)
class Bill:
    """What each tenant pays, in USD.

    Attributes
    ----------
    rate_usd : float
        Cost of an available GPU hour.
    idle_usd : float
        Cost of what nobody had.
    direct_usd, share_of_idle_usd : mapping
        By tenant.
    rule : str
        How idle was shared; the next simpler one where nothing distinguishes the tenants.
    """

    rate_usd: float
    idle_usd: float
    direct_usd: dict[str, float]
    share_of_idle_usd: dict[str, float]
    rule: str

    @property
    def total_usd(self) -> dict[str, float]:
        """What each tenant pays."""
        return {name: usd + self.share_of_idle_usd[name] for name, usd in self.direct_usd.items()}


def share_cost(cost_usd: float, available_gpu_h: float, tenants: Sequence[Usage], rule: str) -> Bill:
    """Return what each tenant pays for a period.

    Parameters
    ----------
    cost_usd : float
        Cost of the cluster.
    available_gpu_h : float
        GPU hours in which it was up.
    tenants : sequence of Usage
        Who had what.
    rule : str
        ``pro_rata`` (by what was allocated), ``uniform``, or ``unused_quota``.

    Returns
    -------
    Bill
        Parts that sum to the cost.

    Raises
    ------
    InputError
        If more was allocated than there was, or the rule is unknown.

    Examples
    --------
    >>> bill = share_cost(100, 50, [Usage("a", 30, 30), Usage("b", 10, 20)], "unused_quota")
    >>> bill.idle_usd, bill.total_usd
    (20.0, {'a': 60.0, 'b': 40.0})
    """
    checks.not_negative("the cost", cost_usd)
    rate = cost_usd / checks.positive("the available GPU hours", available_gpu_h)
    if rule not in RULES:
        raise InputError("idle_rule", rule, Phrase("one of {names}", names=", ".join(RULES)))
    allocated = sum(checks.not_negative("allocated GPU hours", each.allocated_gpu_h) for each in tenants)
    if not tenants:
        raise InputError(Phrase("the number of tenants"), 0, Phrase("at least 1"))
    if allocated > available_gpu_h * (1 + 1e-12):
        allowed = Phrase("at most the {available_gpu_h:,.12g} GPU hours available", available_gpu_h=available_gpu_h)
        raise InputError(Phrase("the sum of the allocated GPU hours"), shortest(allocated), allowed)
    idle = max(0.0, cost_usd - rate * allocated)
    weights, used_rule = _weights(tenants, rule)
    total = sum(weights)
    bill = Bill(
        rate_usd=rate,
        idle_usd=idle,
        direct_usd={each.name: rate * each.allocated_gpu_h for each in tenants},
        share_of_idle_usd={each.name: idle * weight / total for each, weight in zip(tenants, weights, strict=True)},
        rule=used_rule,
    )
    if not math.isclose(sum(bill.total_usd.values()), cost_usd, rel_tol=1e-9, abs_tol=1e-9):
        raise KernelError(Phrase("The parts of a bill do not sum to its cost."))
    return bill


def _weights(tenants: Sequence[Usage], rule: str) -> tuple[list[float], str]:
    """Return by what idle is shared; all weights zero would lose it, so the next simpler rule takes over."""
    if rule == "unused_quota":
        weights = [each.unused_gpu_h for each in tenants]
        if sum(weights) > 0:
            return weights, rule
        rule = "pro_rata"
    if rule == "pro_rata":
        weights = [each.allocated_gpu_h for each in tenants]
        if sum(weights) > 0:
            return weights, rule
    return [1.0] * len(tenants), "uniform"


def bill_usages(asked: Assumptions) -> tuple[Usage, ...]:
    """Return who had what, under the assumptions."""
    return tuple(Usage(name, *numbers) for name, numbers in read_named("bill_tenants", asked.word("bill_tenants"), 2))


def bill(asked: Assumptions) -> dict[str, Bill]:
    """Return the bill under the assumptions, by every rule.

    Examples
    --------
    >>> round(bill(Assumptions())["unused_quota"].total_usd["platform"], 1)
    19994.8
    """
    tenants = bill_usages(asked)
    cost, hours = asked.number("bill_usd"), asked.number("bill_gpu_h")
    return {rule: share_cost(cost, hours, tenants, rule) for rule in RULES}


def effective_utilisation(allocated: float, active: float, mfu: float) -> float:
    """Return which share of available GPU time does arithmetic: allocated, of that active, of that at full speed.

    It replaces a utilisation, it does not come on top of one.

    Parameters
    ----------
    allocated, active, mfu : float
        Shares.

    Examples
    --------
    >>> round(effective_utilisation(0.75, 0.67, 0.40), 3)
    0.201
    """
    return checks.share("allocated", allocated) * checks.share("active", active) * checks.share("MFU", mfu)
