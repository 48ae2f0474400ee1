"""What GPUs are worth elsewhere: the larger of what the next-best use pays and what taking them makes others wait.

Capacity that is given to one customer is never free while others stand in line. The shadow price of a wait is what the
line grows by when g GPUs are taken out of a common pool of k, in money: c (Lq(k - g) - Lq(k)) / g for each of them;
Lq is the mean line of M/M/k and c what an hour of waiting costs. Source: shadow prices of congestion after Naor, "The
Regulation of Queue Size by Levying Tolls" (1969); Lq by Erlang C.
"""

from dataclasses import dataclass

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import DAYS_PER_YEAR, HOURS_PER_DAY, terms_of
from scheduler_core.economics.isolation_cost import Isolation, isolation_premium
from scheduler_core.economics.notes import Note, say
from scheduler_core.economics.queueing import mean_line


def line(gpus: int, load: float) -> float | None:
    """Return how many wait on average in one pool; None where the line grows for ever.

    Examples
    --------
    >>> round(line(2, 1.0), 6), line(2, 2.0), line(0, 0.0)
    (0.333333, None, 0.0)
    """
    if load == 0:
        return 0.0
    return mean_line(gpus, load) if load < gpus else None


def shadow_price(pool_gpus: int, taken_gpus: int, load: float, wait_usd_per_h: float) -> float | None:
    """Return what each taken GPU costs the others an hour in waiting, in USD; None where their line grows for ever.

    Parameters
    ----------
    pool_gpus, taken_gpus : int
        GPUs of the common pool, and how many of them are taken.
    load : float
        Work offered to the pool, in Erlangs.
    wait_usd_per_h : float
        Cost of one waiting for an hour, in USD.

    Examples
    --------
    >>> round(shadow_price(3, 1, 1.0, 2.0), 6)  # Lq is 1/3 on two and 1/22 on three: 2 (1/3 - 1/22) = 19/33
    0.575758
    """
    checks.whole("the GPUs that are taken", taken_gpus, 1)
    checks.not_negative("the cost of an hour of waiting", wait_usd_per_h)
    before, after = line(pool_gpus, load), line(pool_gpus - taken_gpus, load)
    if before is None or after is None:
        return None
    return wait_usd_per_h * (after - before) / taken_gpus


@dataclass(frozen=True)
class Opportunity:
    """What the GPUs of a deal are worth elsewhere, in USD for a GPU hour.

    Attributes
    ----------
    gpus : int
        Of the deal.
    pool_gpus : int
        Of the common pool that they are taken from: enough for everybody, the customer included.
    load : float
        Peak load of the others, in Erlangs.
    next_best_usd : float
        What the next-best use pays.
    shadow_usd, marginal_usd : float, optional
        What taking all of them, and only the first of them, costs the others in waiting; None where their line grows
        for ever.
    before, after : float, optional
        How many wait on average at the peak with all GPUs, and without these.
    breakeven_per_day : float, optional
        Requests a day at which the deal returns its fixed cost at that price; None where none does.
    """

    gpus: int
    pool_gpus: int
    load: float
    next_best_usd: float
    shadow_usd: float | None
    marginal_usd: float | None
    before: float | None
    after: float | None
    breakeven_per_day: float | None

    @property
    def usd_per_gpu_h(self) -> float | None:
        """The larger of both; None where the others would have no finite wait."""
        return None if self.shadow_usd is None else max(self.next_best_usd, self.shadow_usd)

    @property
    def note(self) -> Note:
        """What to say about it."""
        if self.shadow_usd is None:
            left, first = f"{self.pool_gpus - self.gpus:,}", self.marginal_usd
            marginal = "-" if first is None else first
            return say("money.opportunity.none", gpus=f"{self.gpus:,}", left=left, load=self.load, marginal=marginal)
        kind = "queue" if self.shadow_usd > self.next_best_usd else "next_best"
        return say(
            f"money.opportunity.{kind}",
            gpus=f"{self.gpus:,}",
            price=max(self.next_best_usd, self.shadow_usd),
            next=self.next_best_usd,
            shadow=self.shadow_usd,
            before=self.before or 0.0,
            after=self.after or 0.0,
            breakeven="-" if self.breakeven_per_day is None else f"{self.breakeven_per_day:,.0f}",
        )


def opportunity(asked: Assumptions, sizes: Isolation | None = None) -> Opportunity:
    """Return what the GPUs of the deal are worth elsewhere.

    Parameters
    ----------
    asked : Assumptions
        The deal.
    sizes : Isolation, optional
        GPUs for the same promise, if they are known already.

    Examples
    --------
    >>> from scheduler_core.economics.dedicated import SEED_CASES
    >>> found = opportunity(Assumptions().change(SEED_CASES["hurdle"]))
    >>> found.pool_gpus, round(found.shadow_usd, 2), found.usd_per_gpu_h
    (266, 1.31, 1.36)
    """
    found = sizes or isolation_premium(asked)
    gpus, load, wait = int(asked.number("dedicated_gpus")), found.shared_load, asked.number("wait_usd_per_h")
    pool, next_best = found.together_gpus, asked.number("next_best_usd_per_gpu_h")
    shadow = shadow_price(pool, gpus, load, wait) if pool >= gpus else None
    breakeven = None
    if shadow is not None:
        staff = asked.number("dedicated_staff") * asked.number("person_usd_per_year") / DAYS_PER_YEAR
        fixed = gpus * max(next_best, shadow) * HOURS_PER_DAY + staff
        breakeven = terms_of(asked).at_fixed(fixed).volume(0.0)
    return Opportunity(
        gpus=gpus,
        pool_gpus=pool,
        load=load,
        next_best_usd=next_best,
        shadow_usd=shadow,
        marginal_usd=shadow_price(pool, 1, load, wait) if pool else None,
        before=line(pool, load),
        after=line(pool - gpus, load) if pool >= gpus else None,
        breakeven_per_day=breakeven,
    )
