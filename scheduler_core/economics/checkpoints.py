"""How often to save a long job: too often wastes saves, too rarely wastes work.

All times in one unit. Failures are Poisson with mean time M between them, for the job as a whole: the mean time of one
node divided by the nodes (`spares.job_mtbf_h`). A save takes C, a restart R.

Sources: Young, Communications of the ACM 17 (1974); Daly, Future Generation Computer Systems 22 (2006); the exact
interval by Lambert's function is the minimum of Daly's runtime, his equation for the expected time.
Limits: failures strike saves and restarts too; saving in the background costs less than C.
"""

import math

from scipy.special import lambertw

from scheduler_core.economics.checks import not_negative, positive

_DALY_SERIES_END = 2.0
"""Above C = 2 M saving never pays; Daly takes M."""


def young(save: float, mtbf: float) -> float:
    """Return Young's interval, sqrt(2 C M): useful work between two saves.

    Parameters
    ----------
    save, mtbf : float
        Time of a save and mean time between failures, above 0, in one unit.

    Examples
    --------
    >>> round(young(60, 54 * 24 / 419 * 3600) / 3600, 6)
    0.321096
    """
    return math.sqrt(2 * positive("save", save) * positive("mtbf", mtbf))


def daly(save: float, mtbf: float) -> float:
    """Return Daly's interval, sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + C / 18M) - C.

    Parameters
    ----------
    save, mtbf : float
        Time of a save and mean time between failures, above 0, in one unit.

    Examples
    --------
    >>> round(daly(60, 54 * 24 / 419 * 3600) / 3600, 6)
    0.310081
    """
    first = young(save, mtbf)
    if save >= _DALY_SERIES_END * mtbf:
        return mtbf
    ratio = save / (2 * mtbf)
    return first * (1 + math.sqrt(ratio) / 3 + ratio / 9) - save


def best_interval(save: float, mtbf: float) -> float:
    """Return the interval with the shortest expected runtime, M (1 + W(-exp(-C/M - 1))).

    Parameters
    ----------
    save, mtbf : float
        Time of a save and mean time between failures, above 0, in one unit.

    Examples
    --------
    >>> round(best_interval(60, 54 * 24 / 419 * 3600) / 3600, 6)
    0.310082
    """
    positive("save", save)
    positive("mtbf", mtbf)
    return mtbf * (1 + float(lambertw(-math.exp(-save / mtbf - 1)).real))


def runtime_factor(interval: float, save: float, restart: float, mtbf: float) -> float:
    """Return the expected runtime over that without failures and saves, M e^{R/M} (e^{(t+C)/M} - 1) / t.

    Parameters
    ----------
    interval : float
        Useful work between two saves, above 0.
    save, restart : float
        Time of a save and of a restart, 0 or more.
    mtbf : float
        Mean time between failures of the job, above 0.

    Returns
    -------
    float
        At least 1; infinite where a job can hardly ever finish an interval.

    Examples
    --------
    >>> mtbf = 54 * 24 / 419 * 3600
    >>> round(runtime_factor(best_interval(60, mtbf), 60, 300, mtbf), 5)
    1.14177
    """
    positive("interval", interval)
    positive("mtbf", mtbf)
    reach = (interval + not_negative("save", save)) / mtbf
    if reach + not_negative("restart", restart) / mtbf > 700:
        return math.inf
    return mtbf * math.exp(restart / mtbf) * math.expm1(reach) / interval


def first_order_waste(interval: float, save: float, restart: float, mtbf: float) -> float:
    """Return the share of time lost for short intervals, C / t + (t / 2 + R) / M.

    Parameters
    ----------
    interval : float
        Useful work between two saves, above 0.
    save, restart : float
        Time of a save and of a restart, 0 or more.
    mtbf : float
        Mean time between failures of the job, above 0.

    Examples
    --------
    >>> mtbf = 54 * 24 / 419 * 3600
    >>> round(first_order_waste(young(60, mtbf), 60, 300, mtbf), 6)
    0.130753
    """
    positive("interval", interval)
    saves = not_negative("save", save) / interval
    return saves + (interval / 2 + not_negative("restart", restart)) / positive("mtbf", mtbf)
