"""How much to own when what does not fit is rented by the hour.

Source: Erlang's loss formula; Gross et al., "Fundamentals of Queueing Theory", 4th ed. (2008), section 2.5; the rule
is the usual marginal one: own another server while it saves more rent than it costs. Limits: Poisson arrivals of jobs
that never wait; where jobs may wait a little, owning less is enough. Rented machines start at once here.
"""

from dataclasses import dataclass

from scheduler_core.economics.checks import not_negative, positive
from scheduler_core.economics.queueing import erlang_b
from scheduler_core.economics.sizing import least_count


def overflow(servers: int, load: float) -> float:
    """Return the work that does not fit and is rented, a B(k, a).

    Parameters
    ----------
    servers : int
        Servers owned.
    load : float
        Erlangs offered.

    Returns
    -------
    float
        Erlangs rented, on average.

    Examples
    --------
    >>> round(overflow(110, 100.0), 5)
    2.74634
    """
    return load * erlang_b(servers, load)


def burst_cost(servers: int, load: float, own_cost: float, rent_price: float) -> float:
    """Return the cost of owning some servers and renting the overflow.

    Parameters
    ----------
    servers : int
        Servers owned.
    load : float
        Erlangs offered.
    own_cost, rent_price : float
        Of one server for one hour, in one currency.

    Returns
    -------
    float
        An hour, in that currency.

    Examples
    --------
    >>> round(burst_cost(102, 100.0, 2.21, 3.99), 3)
    250.95
    """
    return servers * not_negative("own_cost", own_cost) + not_negative("rent_price", rent_price) * overflow(
        servers, load
    )


@dataclass(frozen=True)
class Burst:
    """What to own for the lowest cost.

    Attributes
    ----------
    servers : int
        Servers to own; 0 where renting everything is cheapest.
    cost, rent_all, own_share : float
        Cost an hour; cost an hour of renting everything; share of the work done on what is owned.
    """

    servers: int
    cost: float
    rent_all: float
    own_share: float


def cheapest_split(load: float, own_cost: float, rent_price: float) -> Burst:
    """Return how many servers to own so that owning and renting together cost least.

    Parameters
    ----------
    load : float
        Erlangs offered, above 0.
    own_cost, rent_price : float
        Of one server for one hour, in one currency, above 0.

    Notes
    -----
    What one more server saves falls with every server, so the first that does not pay ends the search.

    Examples
    --------
    >>> cheapest_split(100.0, 2.21, 3.99).servers
    102
    """
    positive("load", load)
    positive("own_cost", own_cost)
    positive("rent_price", rent_price)

    def is_enough(servers: int) -> bool:
        saved = rent_price * (overflow(servers, load) - overflow(servers + 1, load))
        return saved <= own_cost

    best = least_count(0, is_enough)
    return Burst(best, burst_cost(best, load, own_cost, rent_price), rent_price * load, 1 - erlang_b(best, load))
