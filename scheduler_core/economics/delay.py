"""Which work first, when every day of delay costs money.

Smith's rule: the largest cost of delay for each day of work first minimises the sum of cost times finish. Source:
Smith (1956), "Various optimizers for single-stage production".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.lists import read_named

HOURS_PER_DAY = 24.0


@dataclass(frozen=True)
class Work:
    """Something that waits.

    Attributes
    ----------
    name : str
        What it is.
    usd_per_day : float
        Cost of a day of delay.
    days : float
        How long the team or the machines are busy with it.
    """

    name: str
    usd_per_day: float
    days: float

    @property
    def weight(self) -> float:
        """Cost of delay for a day of work."""
        return self.usd_per_day / self.days


@dataclass(frozen=True)
class Ordering:
    """An order and what it costs.

    Attributes
    ----------
    order : tuple of Work
        First to last.
    usd : float
        Cost of all delay until each is finished.
    worst_usd : float
        Cost of the opposite order.
    flips_below_usd_per_day : float, optional
        The first stays first unless its true cost of a day is below this.
    """

    order: tuple[Work, ...]
    usd: float
    worst_usd: float
    flips_below_usd_per_day: float | None


def delay_cost(order: Sequence[Work]) -> float:
    """Return the cost of delay of an order in USD: each pays until it is finished.

    Examples
    --------
    >>> delay_cost([Work("a", 10, 3), Work("b", 1, 2)])
    35.0
    """
    cost, day = 0.0, 0.0
    for work in order:
        day += work.days
        cost += work.usd_per_day * day
    return cost


def best_order(items: Sequence[Work]) -> Ordering:
    """Return the order that costs least; ties keep the given order.

    Examples
    --------
    >>> found = best_order([Work("A", 2e6, 3), Work("B", 3e5 / 7, 10), Work("C", 4e5, 2)])
    >>> [work.name for work in found.order], round(found.usd)
    (['A', 'C', 'B'], 8642857)
    """
    for work in items:
        checks.not_negative("the cost of a day", work.usd_per_day)
        checks.positive("the days of work", work.days)
    order = tuple(sorted(items, key=lambda work: -work.weight))
    flips = order[1].weight * order[0].days if len(order) > 1 else None
    return Ordering(order, delay_cost(order), delay_cost(order[::-1]), flips)


@dataclass(frozen=True)
class Rescue:
    """Renting machines for the urgent work instead of making somebody wait.

    Attributes
    ----------
    usd_per_day : float
        Price of a day.
    share_of_delay : float, optional
        Of the cost of a day of delay; None where that is zero.
    """

    usd_per_day: float
    share_of_delay: float | None


def delays(asked: Assumptions) -> tuple[Ordering, Rescue | None]:
    """Return the order of the work under the assumptions, and what renting for the first would cost.

    Examples
    --------
    >>> found, rescue = delays(Assumptions())
    >>> round(found.usd), round(found.flips_below_usd_per_day)
    (6557143, 12857)
    """
    items = [Work(name, *numbers) for name, numbers in read_named("delay_work", asked.word("delay_work"), 2)]
    found = best_order(items)
    rent = asked.values()["on_demand_usd_per_gpu_h"]
    if rent is None:
        return found, None
    usd = asked.number("rescue_gpus") * HOURS_PER_DAY * float(rent)
    first = found.order[0].usd_per_day
    return found, Rescue(usd, usd / first if first else None)
