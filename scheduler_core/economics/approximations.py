"""Waits where arrivals or service are not exponential, and how many servers a large pool needs.

`scv` is the squared coefficient of variation: variance over squared mean; 0 for a constant, 1 for the exponential.
Pollaczek-Khinchine is exact. The others are approximations: with many servers Allen-Cunneen says too much for scv
above 1 and too little below, and neither says anything exact about tails; `chains` and the simulator do.

Sources: Gross et al., "Fundamentals of Queueing Theory", 4th ed. (2008), sections 5.1 and 7.1; Allen, "Probability,
Statistics, and Queueing Theory", 2nd ed. (1990), section 5.4; Halfin and Whitt, Operations Research 29 (1981).
"""

import math

from scipy.special import log_ndtr

from scheduler_core.economics.checks import not_negative, positive, share
from scheduler_core.economics.queueing import mean_wait, require_stable
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase


def allen_cunneen(servers: int, load: float, service_time: float, arrival_scv: float, service_scv: float) -> float:
    """Return the approximate mean wait of G/G/k, (Ca2 + Cs2) / 2 x Wq(M/M/k).

    Parameters
    ----------
    servers : int
        Number of servers.
    load : float
        Erlangs, below the servers.
    service_time : float
        Mean service time, any unit.
    arrival_scv, service_scv : float
        Squared coefficients of variation, 0 or more.

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
    >>> round(allen_cunneen(4, 3.2, 1.0, 1.0, 4.0), 5)
    1.86385
    """
    not_negative("arrival_scv", arrival_scv)
    not_negative("service_scv", service_scv)
    return (arrival_scv + service_scv) / 2 * mean_wait(servers, load, service_time)


def kingman(load: float, service_time: float, arrival_scv: float, service_scv: float) -> float:
    """Return the approximate mean wait with one server, (Ca2 + Cs2) / 2 x rho s / (1 - rho).

    Parameters
    ----------
    load : float
        Erlangs, below 1.
    service_time : float
        Mean service time, any unit.
    arrival_scv, service_scv : float
        Squared coefficients of variation, 0 or more.

    Raises
    ------
    InfeasibleError
        If the load is not below 1.

    Examples
    --------
    >>> round(kingman(0.9, 0.5, 1.5, 0.25), 5)
    3.9375
    """
    return allen_cunneen(1, load, service_time, arrival_scv, service_scv)


def one_server_wait(load: float, service_time: float, service_scv: float) -> float:
    """Return the exact mean wait of M/G/1 (Pollaczek-Khinchine), rho s (1 + Cs2) / (2 (1 - rho)).

    Parameters
    ----------
    load : float
        Erlangs, below 1.
    service_time : float
        Mean service time, any unit.
    service_scv : float
        Squared coefficient of variation of the service time, 0 or more.

    Raises
    ------
    InfeasibleError
        If the load is not below 1.

    Examples
    --------
    >>> round(one_server_wait(0.8, 1.0, 4.0), 6), round(one_server_wait(0.9, 1.0, 0.0), 6)
    (10.0, 4.5)
    """
    require_stable(1, load)
    positive("service_time", service_time)
    not_negative("service_scv", service_scv)
    return load * service_time * (1 + service_scv) / (2 * (1 - load))


def halfin_whitt(beta: float) -> float:
    """Return the share of arrivals that wait with k = a + beta sqrt(a) servers, for large a.

    Parameters
    ----------
    beta : float
        Safety in standard deviations, above 0.

    Returns
    -------
    float
        1 / (1 + beta Phi(beta) / phi(beta)), 0 to 1.

    Examples
    --------
    >>> round(halfin_whitt(1.0), 6)
    0.223361
    """
    positive("beta", beta)
    exponent = float(log_ndtr(beta)) + beta * beta / 2 + math.log(2 * math.pi) / 2
    return 1 / (1 + beta * math.exp(min(exponent, 700.0)))


def staffing_beta(most: float) -> float:
    """Return the safety with which a share of arrivals waits; the inverse of `halfin_whitt`.

    Parameters
    ----------
    most : float
        Share of arrivals, above 0 and below 1.

    Examples
    --------
    >>> round(staffing_beta(0.05), 5), round(staffing_beta(0.01), 5)
    (1.73984, 2.37489)
    """
    from scipy.optimize import brentq  # noqa: PLC0415  (half a second to import, needed here only)

    if not 0 < share("most", most) < 1:
        raise InputError("most", most, Phrase("above 0 and below 1"))
    return float(brentq(lambda beta: halfin_whitt(beta) - most, 1e-300, 37.0, xtol=1e-13))


def square_root_servers(load: float, most: float) -> float:
    """Return about how many servers keep the share that waits at most `most`: a + beta sqrt(a).

    Parameters
    ----------
    load : float
        Erlangs.
    most : float
        Share of arrivals, above 0 and below 1.

    Returns
    -------
    float
        Servers, not rounded; the part above the load shrinks, relative to it, as 1 / sqrt(a).

    Examples
    --------
    >>> round(square_root_servers(100.0, 0.05), 1)
    117.4
    """
    return not_negative("load", load) + staffing_beta(most) * math.sqrt(load)
