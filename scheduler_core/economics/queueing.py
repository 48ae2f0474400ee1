"""The textbook queue M/M/k: Poisson arrivals, exponential service, k servers, one line, first come first served.

Load is offered work in Erlangs: arrivals per unit of time x mean service time. A server is whatever serves one
customer: a GPU for jobs of one GPU, a slot of g GPUs for gangs of g. Service times, limits and answers share one unit
of time, any. As many Erlangs as servers or more have no finite wait, and that is what is said instead of a number.

Source: Gross, Shortle, Thompson and Harris, "Fundamentals of Queueing Theory", 4th ed. (2008), sections 2.3 and 2.5.
Limits: other service times than exponential change the wait (`approximations`, `chains`); gangs, quotas and priorities
too, and for those there is the simulator.
"""

import math

import numpy as np

from scheduler_core.economics.checks import not_negative, positive, share, whole
from scheduler_core.errors import InfeasibleError, InputError
from scheduler_core.phrases import Phrase

MOST_SERVERS = 10_000_000
"""More servers than this are refused: nobody has them, and the answer would take seconds."""
_SPREADS = 10.0
"""Terms further than this many standard deviations from the largest add less than exp(-50) of it."""


def offered_load(rate: float, service_time: float) -> float:
    """Return the offered work in Erlangs, a = lambda s.

    Parameters
    ----------
    rate : float
        Arrivals per unit of time.
    service_time : float
        Mean service time, in the same unit.

    Examples
    --------
    >>> offered_load(200, 0.25)
    50.0
    """
    return not_negative("rate", rate) * not_negative("service_time", service_time)


def erlang_b(servers: int, load: float) -> float:
    """Return the share of arrivals lost where nobody may wait (Erlang B).

    Parameters
    ----------
    servers : int
        Number of servers, from 0.
    load : float
        Erlangs, 0 or more; may exceed the servers.

    Returns
    -------
    float
        Share of arrivals, 0 to 1.

    Notes
    -----
    1/B = 1 + k/a + k(k-1)/a^2 + ...: all terms are positive, so nothing cancels, and only about 20 sqrt(a) of them
    matter. The usual recursion B_i = a B / (i + a B) gives the same digits and takes as many steps as servers.

    Examples
    --------
    >>> round(erlang_b(10, 8.0), 6)
    0.121661
    """
    whole("servers", servers)
    if servers > MOST_SERVERS:
        raise InputError("servers", servers, Phrase("at most {most_servers:,}", most_servers=MOST_SERVERS))
    if not_negative("load", load) == 0:
        return 1.0 if servers == 0 else 0.0
    peak = max(0.0, servers - load)
    terms = min(servers, math.ceil(peak + _SPREADS * math.sqrt(load) + _SPREADS))
    with np.errstate(over="ignore"):  # an infinite sum means a loss too small for a float: 0
        total = 1.0 + float(np.cumprod((servers - np.arange(terms)) / load).sum())
    return 1.0 / total


def require_stable(servers: float, load: float) -> None:
    """Refuse a load that the servers can never work off.

    Parameters
    ----------
    servers : float
        Number of servers.
    load : float
        Erlangs.

    Raises
    ------
    InfeasibleError
        If there are no more servers than Erlangs.
    """
    if not_negative("load", load) >= servers:
        raise InfeasibleError(
            Phrase(
                "No finite wait: {load:,.6g} Erlangs of work for {servers:,} servers; the line grows for "
                "ever. At least {floor:,} servers are needed, or less work.",
                load=load,
                servers=servers,
                floor=math.floor(load) + 1,
            )
        )


def erlang_c(servers: int, load: float) -> float:
    """Return the share of arrivals that wait (Erlang C), C = k B / (k - a (1 - B)).

    Parameters
    ----------
    servers : int
        Number of servers.
    load : float
        Erlangs, below the servers.

    Returns
    -------
    float
        Share of arrivals, 0 to 1.

    Raises
    ------
    InfeasibleError
        If the load is not below the servers.

    Examples
    --------
    >>> round(erlang_c(10, 8.0), 6)
    0.40918
    """
    require_stable(servers, load)
    lost = erlang_b(servers, load)
    return servers * lost / (servers - load * (1 - lost))


def mean_wait(servers: int, load: float, service_time: float) -> float:
    """Return the mean wait over all arrivals, Wq = C s / (k - a).

    Parameters
    ----------
    servers : int
        Number of servers.
    load : float
        Erlangs, below the servers.
    service_time : float
        Mean service time, any unit.

    Returns
    -------
    float
        In the unit of the service time.

    Raises
    ------
    InfeasibleError
        If the load is not below the servers.

    Examples
    --------
    >>> round(mean_wait(60, 50.0, 0.25), 8)
    0.00293255
    """
    positive("service_time", service_time)
    return erlang_c(servers, load) * service_time / (servers - load)


def mean_line(servers: int, load: float) -> float:
    """Return the mean number of customers in the line, Lq = C a / (k - a) (Little's law).

    Parameters
    ----------
    servers : int
        Number of servers.
    load : float
        Erlangs, below the servers.

    Raises
    ------
    InfeasibleError
        If the load is not below the servers.

    Examples
    --------
    >>> round(mean_line(60, 50.0), 6)
    0.58651
    """
    return erlang_c(servers, load) * load / (servers - load)


def share_above(servers: int, load: float, service_time: float, limit: float) -> float:
    """Return the share of arrivals that wait longer than a limit, C exp(-(k - a) t / s).

    Parameters
    ----------
    servers : int
        Number of servers.
    load : float
        Erlangs, below the servers.
    service_time, limit : float
        Mean service time and wait, in one unit.

    Returns
    -------
    float
        Share of arrivals, 0 to 1.

    Raises
    ------
    InfeasibleError
        If the load is not below the servers.

    Examples
    --------
    >>> round(share_above(60, 50.0, 0.25, 0.1), 8)
    0.00214846
    """
    positive("service_time", service_time)
    not_negative("limit", limit)
    return erlang_c(servers, load) * math.exp(-(servers - load) * limit / service_time)


def wait_quantile(servers: int, load: float, service_time: float, quantile: float) -> float:
    """Return the wait that a share of arrivals does not exceed, max(0, ln(C / (1 - x)) s / (k - a)).

    Parameters
    ----------
    servers : int
        Number of servers.
    load : float
        Erlangs, below the servers.
    service_time : float
        Mean service time, any unit.
    quantile : float
        Share of arrivals, 0 to 1 without 1; 0.99 for p99.

    Returns
    -------
    float
        In the unit of the service time; 0 where fewer than 1 - x wait at all.

    Raises
    ------
    InfeasibleError
        If the load is not below the servers.

    Examples
    --------
    >>> round(wait_quantile(60, 50.0, 0.25, 0.99), 7)
    0.0615542
    """
    positive("service_time", service_time)
    if share("quantile", quantile) == 1:
        raise InputError("quantile", quantile, Phrase("from 0 to below 1"))
    waiting = erlang_c(servers, load)
    if waiting <= 1 - quantile:
        return 0.0
    return math.log(waiting / (1 - quantile)) * service_time / (servers - load)
