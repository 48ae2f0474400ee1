"""What sharing and taking away cost: evicted work, slow neighbours, missed service levels.

Sources: checkpoint loss as in defaults/money.toml; interference as PCIe noisy neighbours (arXiv 2508.20274); tiered
credits as in the public service level agreement of a large cloud.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions

HOURS_PER_DAY = 24.0
CREDIT_TIERS = ((0.95, 1.0), (0.99, 0.30), (0.9999, 0.10))
"""Availability below the first number gives the second as a share of the fee; the first tier that fits counts."""


def eviction_loss_gpu_h(gpus: float, interval_h: float, restart_h: float, save_h: float | None = None) -> float:
    """Return what an evicted task loses in GPU hours: g (t/2 + R), or g (C + R) with a grace to save in.

    Parameters
    ----------
    gpus : float
        Of the task.
    interval_h, restart_h : float
        Hours between checkpoints, and to start again.
    save_h : float, optional
        Hours to write a checkpoint where the grace is long enough; None where there is no grace.

    Examples
    --------
    >>> round(eviction_loss_gpu_h(8, 1, 1 / 6), 3), round(eviction_loss_gpu_h(8, 1, 1 / 6, 1 / 12), 3)
    (5.333, 2.0)
    """
    lost = checks.positive("the interval", interval_h) / 2 if save_h is None else checks.not_negative("saving", save_h)
    return checks.positive("the GPUs", gpus) * (lost + checks.not_negative("the restart", restart_h))


@dataclass(frozen=True)
class Threshold:
    """Whether protecting tasks from eviction is worth the utilisation it costs.

    Attributes
    ----------
    breakeven_gpu_h : float, optional
        Loss of an evicted task from which it pays; None where no eviction is avoided. No price is in it.
    mean_task_gpu_h : float
        Mean task, at the present utilisation.
    loss_gpu_h, grace_loss_gpu_h : float
        What an evicted task loses now, without and with a grace.
    """

    breakeven_gpu_h: float | None
    mean_task_gpu_h: float
    loss_gpu_h: float
    grace_loss_gpu_h: float

    @property
    def pays(self) -> bool:
        """Whether protecting pays, with what a task loses without grace."""
        return self.breakeven_gpu_h is not None and self.loss_gpu_h > self.breakeven_gpu_h


def breakeven_loss_gpu_h(used_share: float, gpus: float, avoided_share: float, tasks_per_day: float) -> float | None:
    """Return the loss of an evicted task from which fewer evictions pay for lower utilisation, in GPU hours.

    Parameters
    ----------
    used_share : float
        Utilisation given up.
    gpus : float
        Of the cluster.
    avoided_share : float
        Share of tasks that are no longer evicted.
    tasks_per_day : float
        Tasks.

    Examples
    --------
    >>> round(breakeven_loss_gpu_h(0.08, 3200, 0.08, 80_000), 2)
    0.96
    """
    avoided = checks.finite("the avoided share", avoided_share) * checks.positive("the tasks a day", tasks_per_day)
    given = checks.share("the utilisation given up", used_share) * checks.positive("the GPUs", gpus) * HOURS_PER_DAY
    return given / avoided if avoided > 0 else None


def threshold(asked: Assumptions) -> Threshold:
    """Return whether the higher threshold pays under the assumptions.

    Examples
    --------
    >>> found = threshold(Assumptions())
    >>> round(found.breakeven_gpu_h, 2), round(found.mean_task_gpu_h, 4), found.pays
    (0.96, 0.5952, True)
    """
    number = asked.number
    gpus, tasks = number("fleet_gpus"), number("tasks_per_day")
    evicted = (number("preempt_gpus"), number("preempt_interval_h"), number("preempt_restart_h"))
    avoided = number("preempt_before_share") - number("preempt_after_share")
    return Threshold(
        breakeven_gpu_h=breakeven_loss_gpu_h(number("preempt_used_share"), gpus, avoided, tasks),
        mean_task_gpu_h=gpus * HOURS_PER_DAY * number("used_after_share") / tasks,
        loss_gpu_h=eviction_loss_gpu_h(*evicted),
        grace_loss_gpu_h=eviction_loss_gpu_h(*evicted, save_h=number("preempt_save_h")),
    )


def packing_gain(before: float, after: float, slowdown: float) -> float:
    """Return the real gain of sharing GPUs, (U2 / U1) / (1 + x) - 1; busy time of slowed work is not output.

    Examples
    --------
    >>> round(packing_gain(0.70, 0.85, 0.10), 3)
    0.104
    """
    ratio = checks.share("the utilisation after", after) / checks.positive_share("the utilisation before", before)
    return ratio / (1 + checks.not_negative("the slowdown", slowdown)) - 1


def breakeven_slowdown(before: float, after: float) -> float:
    """Return the slowdown at which sharing GPUs gains nothing.

    Examples
    --------
    >>> round(breakeven_slowdown(0.70, 0.85), 4)
    0.2143
    """
    return checks.share("the utilisation after", after) / checks.positive_share("the utilisation before", before) - 1


def allowed_outage_min(target: float, period_min: float) -> float:
    """Return how many minutes of a period a target leaves.

    Examples
    --------
    >>> round(allowed_outage_min(0.999, 43_200), 1), round(allowed_outage_min(0.9992, 43_200), 2)
    (43.2, 34.56)
    """
    return (1 - checks.share("the target", target)) * checks.positive("the period", period_min)


def credit_usd(fee_usd: float, outage_min: float, period_min: float) -> float:
    """Return the service credit in USD; it is not the loss, which also has customers who leave.

    Parameters
    ----------
    fee_usd : float
        Fee of the period.
    outage_min, period_min : float
        Minutes out of service, and of the period.

    Examples
    --------
    >>> [credit_usd(100_000, outage, 43_200) for outage in (0, 50, 600, 2_500)]
    [0.0, 10000.0, 30000.0, 100000.0]
    """
    checks.not_negative("the outage", outage_min)
    up = max(0.0, 1 - outage_min / checks.positive("the period", period_min))
    return checks.not_negative("the fee", fee_usd) * float(credit_shares(np.array([up]))[0])


def credit_shares(up: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the fee that is credited for each availability, shape as given.

    Examples
    --------
    >>> credit_shares(np.array([0.94, 0.98, 0.999, 1.0])).tolist()
    [1.0, 0.3, 0.1, 0.0]
    """
    return np.select([up < bound for bound, _ in CREDIT_TIERS], [share for _, share in CREDIT_TIERS], 0.0)


def late_penalty_usd(usd_per_request: float, rate: float, late_share: float) -> float:
    """Return the penalty of requests that wait too long, in USD in the time of the rate.

    Parameters
    ----------
    usd_per_request : float
        Penalty of one.
    rate : float
        Requests in a unit of time.
    late_share : float
        Share that waits longer than promised.

    Examples
    --------
    >>> late_penalty_usd(0.01, 1000, 0.02)
    0.2
    """
    checks.not_negative("the penalty", usd_per_request)
    return usd_per_request * checks.not_negative("the requests", rate) * checks.share("the late share", late_share)
