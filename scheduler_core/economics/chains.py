"""Exact mean waits of two queues that Erlang's formula does not cover, by numbers instead of formulas.

M/H2/k: most jobs are short and a few very long (hyperexponential with balanced means), the heavy tail of GPU clusters.
M/D/k: every job takes the same time. Both have Poisson arrivals and one line, first come first served. With them one
sees how far an approximation is off; shapes beyond them need the simulator.

Sources: Gross et al., "Fundamentals of Queueing Theory", 4th ed. (2008), section 4.4 (H2); Neuts, "Matrix-Geometric
Solutions in Stochastic Models" (1981), chapter 3; Spitzer, "A combinatorial lemma", Trans. AMS 82 (1956), whose
identity gives the mean of the line that Crommelin (1932) described for constant service.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import pdtrc

from scheduler_core.economics.checks import positive, whole
from scheduler_core.economics.queueing import require_stable
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

Matrix = NDArray[np.float64]
MOST_CHAIN_SERVERS = 100
"""Up to here the chain takes well under a second, also on a busy machine."""
MOST_CHAIN_USE = 0.99
"""Nearer to full the series is too long, and nobody should plan there."""
_TOLERANCE = 1e-15
_BLOCK = 4_096


@dataclass(frozen=True)
class Mixture:
    """Service that is exponential with one of two rates.

    Attributes
    ----------
    first_share : float
        Share of the customers served at the first, faster rate.
    first_rate, second_rate : float
        Services per unit of time.
    """

    first_share: float
    first_rate: float
    second_rate: float


def balanced_mixture(service_time: float, service_scv: float) -> Mixture:
    """Return the hyperexponential distribution with balanced means: both kinds carry half of the work.

    Parameters
    ----------
    service_time : float
        Mean service time, any unit.
    service_scv : float
        Squared coefficient of variation, at least 1.

    Examples
    --------
    >>> mixture = balanced_mixture(1.0, 4.0)
    >>> round(mixture.first_share, 6), round(mixture.first_rate, 6), round(mixture.second_rate, 6)
    (0.887298, 1.774597, 0.225403)
    """
    positive("service_time", service_time)
    if not 1 <= service_scv < math.inf:
        raise InputError(
            "service_scv", service_scv, Phrase("at least 1; a mixture of exponential times varies no less")
        )
    first = (1 + math.sqrt((service_scv - 1) / (service_scv + 1))) / 2
    return Mixture(first, 2 * first / service_time, 2 * (1 - first) / service_time)


@dataclass(frozen=True)
class ChainWait:
    """What the chain says.

    Attributes
    ----------
    mean_wait : float
        Over all arrivals, in the unit of the service time.
    waiting_share : float
        Share of arrivals that wait.
    """

    mean_wait: float
    waiting_share: float


@lru_cache(maxsize=256)
def mixed_service(servers: int, load: float, service_time: float, service_scv: float) -> ChainWait:
    """Return the exact wait of M/H2/k with balanced means.

    Parameters
    ----------
    servers : int
        Number of servers, at most `MOST_CHAIN_SERVERS`.
    load : float
        Erlangs, below the servers.
    service_time : float
        Mean service time, any unit.
    service_scv : float
        Squared coefficient of variation of the service time, at least 1.

    Returns
    -------
    ChainWait
        Mean wait and share that waits.

    Raises
    ------
    InfeasibleError
        If the load is not below the servers.

    Notes
    -----
    A level is the number in the system, a phase how many of the servers work on the first kind. From k on all levels
    are alike, so that pi_{n+1} = pi_n R; below, pi_n = pi_{n-1} R_n with an R of each level's own.

    Examples
    --------
    >>> found = mixed_service(4, 3.2, 1.0, 4.0)
    >>> round(found.mean_wait, 5), round(found.waiting_share, 6)
    (1.71762, 0.61018)
    """
    if whole("servers", servers, least=1) > MOST_CHAIN_SERVERS:
        raise InputError(
            "servers",
            servers,
            Phrase("at most {most_chain_servers} for the exact chain", most_chain_servers=MOST_CHAIN_SERVERS),
        )
    _require_not_full(servers, load)
    mixture = balanced_mixture(service_time, service_scv)
    if load == 0:
        return ChainWait(0.0, 0.0)
    rate = load / service_time
    up, down = rate * np.eye(servers + 1), _down_full(servers, mixture)
    stay = -np.diag(rate + down.sum(axis=1))
    ratio = _ratio(up, stay, down)
    levels = [ratio]  # R of level k + 1, then of k, k - 1, ...
    below = down
    for level in range(servers, 0, -1):
        ends = _down_below(level, mixture)
        inside = -np.diag(rate + ends.sum(axis=1))
        levels.append(_up_below(level - 1, rate, mixture) @ np.linalg.inv(-(inside + levels[-1] @ below)))
        below = ends
    mass = [np.ones(1)]
    for each in reversed(levels[1:]):
        mass.append(mass[-1] @ each)
    tail = np.linalg.inv(np.eye(servers + 1) - ratio)
    waiting = mass[-1] @ tail
    total = sum(float(part.sum()) for part in mass[:-1]) + float(waiting.sum())
    line = float((waiting @ ratio @ tail).sum())
    return ChainWait(line / total / rate, float(waiting.sum()) / total)


def _down_full(servers: int, mixture: Mixture) -> Matrix:
    """Return the rates of a service that ends while others wait: the next one brings its own kind."""
    first = np.arange(servers + 1, dtype=np.float64)
    fast, slow = first * mixture.first_rate, (servers - first) * mixture.second_rate
    keep = fast * mixture.first_share + slow * (1 - mixture.first_share)
    lose, gain = fast[1:] * (1 - mixture.first_share), slow[:-1] * mixture.first_share
    return np.diag(keep) + np.diag(lose, -1) + np.diag(gain, 1)


def _down_below(level: int, mixture: Mixture) -> Matrix:
    """Return the rates from `level` busy servers to one less, shape (level + 1, level)."""
    rates = np.zeros((level + 1, level))
    first = np.arange(level + 1)
    rates[first[1:], first[1:] - 1] = first[1:] * mixture.first_rate
    rates[first[:-1], first[:-1]] += (level - first[:-1]) * mixture.second_rate
    return rates


def _up_below(level: int, rate: float, mixture: Mixture) -> Matrix:
    """Return the rates from `level` busy servers to one more, shape (level + 1, level + 2)."""
    rates = np.zeros((level + 1, level + 2))
    first = np.arange(level + 1)
    rates[first, first + 1] = rate * mixture.first_share
    rates[first, first] = rate * (1 - mixture.first_share)
    return rates


def _ratio(up: Matrix, stay: Matrix, down: Matrix) -> Matrix:
    """Return the least R with up + R stay + R^2 down = 0, by logarithmic reduction (Latouche and Ramaswami 1993)."""
    inverse = np.linalg.inv(-stay)
    rise, fall = inverse @ up, inverse @ down
    first_passage, ahead = fall.copy(), rise.copy()
    identity = np.eye(up.shape[0])
    for _ in range(64):  # each step doubles the levels looked at
        both = np.linalg.inv(identity - rise @ fall - fall @ rise)
        rise, fall = both @ rise @ rise, both @ fall @ fall
        first_passage += ahead @ fall
        ahead = ahead @ rise
        if np.abs(ahead).max() < _TOLERANCE:
            break
    return up @ np.linalg.inv(-(stay + up @ first_passage))


def constant_service(servers: int, load: float, service_time: float) -> float:
    """Return the exact mean wait of M/D/k.

    Parameters
    ----------
    servers : int
        Number of servers, at least 1.
    load : float
        Erlangs, below the servers.
    service_time : float
        Service time of every customer, any unit.

    Returns
    -------
    float
        In the unit of the service time.

    Raises
    ------
    InfeasibleError
        If the load is not below the servers.

    Notes
    -----
    One service time later the line is max(0, line + arrivals - k), a random walk held at 0; its mean is the sum over m
    of E[(N_m - m k)+] / m with N_m Poisson of mean m a.

    Examples
    --------
    >>> round(constant_service(4, 3.2, 1.0), 6)
    0.386095
    """
    whole("servers", servers, least=1)
    positive("service_time", service_time)
    _require_not_full(servers, load)
    if load == 0:
        return 0.0
    line, begin = 0.0, 1
    while True:
        steps = np.arange(begin, begin + _BLOCK, dtype=np.float64)
        mean, least = steps * load, steps * servers
        terms = (mean * pdtrc(least - 1, mean) - least * pdtrc(least, mean)) / steps
        line += float(np.maximum(terms, 0.0).sum())
        if terms[-1] <= _TOLERANCE * line:
            return line / load * service_time
        begin += _BLOCK


def _require_not_full(servers: int, load: float) -> None:
    require_stable(servers, load)
    if load > MOST_CHAIN_USE * servers:
        raise InputError(
            "load",
            load,
            Phrase("at most {most_chain_use:g} of the servers for the exact chain", most_chain_use=MOST_CHAIN_USE),
        )
