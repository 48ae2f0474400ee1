"""How many servers meet a target: the smallest number for which a formula of `queueing` says yes.

Load, servers and times mean what they mean there. A target on the mean, on the share that waits, on the share that
waits too long (p99 of the wait at most t: at most 1 % wait longer than t), or on the share lost where nobody may wait.
"""

import math
from collections.abc import Callable

from scheduler_core.economics.checks import not_negative, positive, share, whole
from scheduler_core.economics.queueing import MOST_SERVERS, erlang_b, erlang_c, mean_wait, share_above
from scheduler_core.errors import InfeasibleError
from scheduler_core.phrases import Phrase


def least_count(first: int, is_enough: Callable[[int], bool]) -> int:
    """Return the smallest whole number from `first` on that is enough.

    Parameters
    ----------
    first : int
        Where to begin.
    is_enough : callable
        Says so for a number; once true it stays true for larger ones.

    Returns
    -------
    int
        At most `MOST_SERVERS`.

    Raises
    ------
    InfeasibleError
        If not even that is enough.
    """
    low, span = first, 1
    while low + span <= MOST_SERVERS and not is_enough(low + span - 1):
        low, span = low + span, 2 * span
    high = min(low + span - 1, MOST_SERVERS)
    if low > MOST_SERVERS or not is_enough(high):
        raise InfeasibleError(
            Phrase("Not even {most_servers:,} are enough for this target.", most_servers=MOST_SERVERS)
        )
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle + 1, high)
    return low


def least_servers(load: float, is_enough: Callable[[int], bool]) -> int:
    """Return the fewest servers, more than the Erlangs, that are enough.

    Parameters
    ----------
    load : float
        Erlangs.
    is_enough : callable
        Says so for a number of servers; once true it stays true for more.

    Returns
    -------
    int
        At least floor(load) + 1.

    Raises
    ------
    InfeasibleError
        If not even `MOST_SERVERS` are.
    """
    return least_count(math.floor(not_negative("load", load)) + 1, is_enough)


def servers_for_wait_share(load: float, most: float) -> int:
    """Return the fewest servers with which at most a share of arrivals waits at all.

    Parameters
    ----------
    load : float
        Erlangs.
    most : float
        Share of arrivals, 0 to 1.

    Examples
    --------
    >>> [servers_for_wait_share(load, 0.05) for load in (4, 20, 100, 400, 1600)]
    [9, 29, 119, 436, 1671]
    """
    share("most", most)
    return least_servers(load, lambda servers: erlang_c(servers, load) <= most)


def servers_for_mean_wait(load: float, service_time: float, most: float) -> int:
    """Return the fewest servers with which the mean wait is at most `most`.

    Parameters
    ----------
    load : float
        Erlangs.
    service_time, most : float
        Mean service time and wait, in one unit.

    Examples
    --------
    >>> servers_for_mean_wait(47.9406, 12.0, 0.75)
    54
    """
    not_negative("most", most)
    return least_servers(load, lambda servers: mean_wait(servers, load, service_time) <= most)


def servers_for_limit(load: float, service_time: float, limit: float, most: float) -> int:
    """Return the fewest servers with which at most a share of arrivals waits longer than a limit.

    Parameters
    ----------
    load : float
        Erlangs.
    service_time, limit : float
        Mean service time and wait, in one unit.
    most : float
        Share of arrivals, 0 to 1; 0.01 for "p99 of the wait is at most the limit".

    Examples
    --------
    >>> servers_for_limit(600.0, 120.0, 60.0, 0.001)
    613
    """
    share("most", most)
    return least_servers(load, lambda servers: share_above(servers, load, service_time, limit) <= most)


def servers_for_loss(load: float, most: float) -> int:
    """Return the fewest servers with which at most a share of arrivals is lost where nobody may wait.

    Parameters
    ----------
    load : float
        Erlangs; the servers may be fewer.
    most : float
        Share of arrivals, above 0.

    Examples
    --------
    >>> servers_for_loss(100.0, 0.01)
    117
    """
    share("most", most)
    return least_count(0, lambda servers: erlang_b(servers, load) <= most)


def most_load(servers: int, service_time: float, wait: float) -> float:
    """Return the largest load with which the mean wait stays within a target.

    Parameters
    ----------
    servers : int
        Number of servers, at least 1.
    service_time, wait : float
        Mean service time and wait, in one unit, above 0.

    Returns
    -------
    float
        Erlangs, below the servers.

    Examples
    --------
    >>> round(most_load(50, 12.0, 4.0) / 50, 6)
    0.958812
    """
    from scipy.optimize import brentq  # noqa: PLC0415  (half a second to import, needed here only)

    whole("servers", servers, least=1)
    positive("wait", wait)

    def excess(load: float) -> float:
        return mean_wait(servers, load, service_time) - wait

    ceiling = servers * (1 - 1e-12)
    return ceiling if excess(ceiling) <= 0 else float(brentq(excess, 0.0, ceiling, xtol=1e-12, rtol=1e-14))
