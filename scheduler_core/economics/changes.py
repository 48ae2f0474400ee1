"""What a better utilisation, a better MFU or better scaling is worth, in both readings, and what a claim implies.

A gain in points and a gain in percent are different numbers; both are always given. A higher utilisation is either
more work of the same machines, or machines that need not be bought for the same work: the two differ by the old
utilisation.
"""

from dataclasses import dataclass

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.owning import HOURS_PER_YEAR
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

HOURS_PER_DAY = 24.0


@dataclass(frozen=True)
class Gain:
    """A share of GPU time that became useful.

    Attributes
    ----------
    points, ratio : float
        The difference of the shares, and the relative gain.
    extra_gpus : float
        GPUs of useful work more than before, on the same machines.
    avoided_gpus : float
        GPUs that would have to be added at the old share for the same useful work.
    extra_usd, avoided_usd : float
        The two, a year.
    """

    points: float
    ratio: float
    extra_gpus: float
    avoided_gpus: float
    extra_usd: float
    avoided_usd: float


def utilisation_gain(gpus: float, before: float, after: float, usd_per_gpu_h: float) -> Gain:
    """Return what a higher utilisation is worth, in both readings.

    Parameters
    ----------
    gpus : float
        Of the fleet.
    before, after : float
        Utilisation as a share.
    usd_per_gpu_h : float
        Price of a GPU hour.

    Examples
    --------
    >>> found = utilisation_gain(3200, 0.38, 0.62, 1.75)
    >>> round(found.extra_gpus), round(found.avoided_gpus), round(found.extra_usd, -5), round(found.avoided_usd, -5)
    (768, 2021, 11800000.0, 31000000.0)
    """
    checks.positive("the GPUs", gpus)
    checks.positive_share("the share before", before)
    checks.positive_share("the share after", after)
    checks.positive("the price", usd_per_gpu_h)
    extra, avoided = gpus * (after - before), gpus * (after / before - 1)
    year = usd_per_gpu_h * HOURS_PER_YEAR
    return Gain(after - before, after / before - 1, extra, avoided, extra * year, avoided * year)


@dataclass(frozen=True)
class MfuGain:
    """A higher share of the peak speed.

    Attributes
    ----------
    points : float
        Difference of the shares; not what is saved.
    saved_share : float
        Part of the spending that the same work no longer needs.
    more_work_share : float
        Work more for the same spending.
    implied_usd_per_year : float, optional
        Spending of which the claimed saving is that part; None where nothing is saved.
    wrong_usd_per_year : float, optional
        What one would imply from the points.
    implied_gpus : float, optional
        GPUs that run round the clock for that spending.
    """

    points: float
    saved_share: float
    more_work_share: float
    implied_usd_per_year: float | None
    wrong_usd_per_year: float | None
    implied_gpus: float | None


def mfu_gain(before: float, after: float, claimed_usd_per_year: float, usd_per_gpu_h: float) -> MfuGain:
    """Return what a higher MFU saves, and what spending a claimed saving implies.

    Parameters
    ----------
    before, after : float
        MFU as a share.
    claimed_usd_per_year : float
        Saving somebody claims.
    usd_per_gpu_h : float
        Price of a GPU hour.

    Examples
    --------
    >>> found = mfu_gain(0.45, 0.58, 3e6, 1.75)
    >>> round(found.saved_share, 4), round(found.implied_usd_per_year, -3), round(found.implied_gpus)
    (0.2241, 13385000.0, 873)
    """
    checks.positive_share("the MFU before", before)
    checks.positive_share("the MFU after", after)
    checks.not_negative("the claimed saving", claimed_usd_per_year)
    checks.positive("the price", usd_per_gpu_h)
    saved, points = 1 - before / after, after - before
    implied = claimed_usd_per_year / saved if saved > 0 else None
    return MfuGain(
        points=points,
        saved_share=saved,
        more_work_share=after / before - 1,
        implied_usd_per_year=implied,
        wrong_usd_per_year=claimed_usd_per_year / points if points > 0 else None,
        implied_gpus=None if implied is None else implied / (usd_per_gpu_h * HOURS_PER_YEAR),
    )


def scaling_gain(gpus: float, before: float, after: float) -> tuple[float, float, float]:
    """Return what better scaling of one large job brings.

    Parameters
    ----------
    gpus : float
        Of the job.
    before, after : float
        Scaling efficiency as a share.

    Returns
    -------
    tuple of float
        Share of output more; ideal GPUs; GPUs at the old efficiency.

    Examples
    --------
    >>> [round(each, 4) for each in scaling_gain(10_000, 0.85, 0.92)]
    [0.0824, 700.0, 823.5294]
    """
    checks.positive("the GPUs", gpus)
    ratio = checks.positive_share("after", after) / checks.positive_share("before", before)
    return ratio - 1, gpus * (after - before), gpus * (ratio - 1)


def implied_gpus(usd_per_year: float, points: float, usd_per_gpu_h: float) -> float:
    """Return how many GPUs a cluster must have for some points of utilisation to be worth an amount a year.

    Parameters
    ----------
    usd_per_year : float
        The amount.
    points : float
        Difference of utilisation as a share.
    usd_per_gpu_h : float
        Price of a GPU hour.

    Examples
    --------
    >>> round(implied_gpus(2e6, 0.15, 1.75))
    870
    """
    checks.positive_share("the points", points)
    return checks.not_negative("the amount", usd_per_year) / (
        points * checks.positive("the price", usd_per_gpu_h) * HOURS_PER_YEAR
    )


@dataclass(frozen=True)
class Audit:
    """What would have to be true for a claimed loss.

    Attributes
    ----------
    all_lost_usd_per_gpu_h : float
        Price at which every GPU, lost all day, gives the claim.
    gap_usd_per_gpu_h : float
        Price at which the lost utilisation gives it.
    explained_usd_per_day : float
        What the lost utilisation is worth at the price.
    explained_share : float
        Of the claim.
    gap_gpus : float
        GPUs with which the lost utilisation gives it at the price.
    crash_usd_per_gpu_h : float
        Price implied by the claimed cost of a crash.
    crash_bound_usd : float
        What is lost at most where checkpoints are written, restart aside.
    """

    all_lost_usd_per_gpu_h: float
    gap_usd_per_gpu_h: float
    explained_usd_per_day: float
    explained_share: float
    gap_gpus: float
    crash_usd_per_gpu_h: float
    crash_bound_usd: float

    @property
    def is_plausible(self) -> bool:
        """Whether the lost utilisation explains the claim at the price."""
        return self.explained_share >= 1


def audit(asked: Assumptions) -> Audit:
    """Return what the claim of the assumptions implies.

    Examples
    --------
    >>> found = audit(Assumptions())
    >>> round(found.all_lost_usd_per_gpu_h, 2), round(found.explained_usd_per_day), found.crash_usd_per_gpu_h
    (5.0, 316008, 6.25)
    """
    claim, gpus = asked.number("claim_usd_per_day"), asked.number("claim_gpus")
    gap, price = asked.number("claim_gap_share"), asked.number("claim_usd_per_gpu_h")
    explained = gpus * HOURS_PER_DAY * gap * price
    return Audit(
        all_lost_usd_per_gpu_h=claim / (gpus * HOURS_PER_DAY),
        gap_usd_per_gpu_h=claim / (gpus * HOURS_PER_DAY * gap),
        explained_usd_per_day=explained,
        explained_share=explained / claim,
        gap_gpus=claim / (HOURS_PER_DAY * gap * price),
        crash_usd_per_gpu_h=asked.number("crash_usd") / (gpus * asked.number("crash_h")),
        crash_bound_usd=gpus * price * asked.number("crash_save_h"),
    )


@dataclass(frozen=True)
class Step:
    """One lever of the staircase.

    Attributes
    ----------
    name : str
        ``utilisation``, ``mfu``, ``reserve`` or ``spot``.
    factor : float
        Work for the same money, as a multiple.
    reached : float
        All levers so far.
    """

    name: str
    factor: float
    reached: float


@dataclass(frozen=True)
class Squeeze:
    """Less money and more demand.

    Attributes
    ----------
    needed : float
        Work for the same money that is needed, as a multiple of today's.
    steps : tuple of Step
        Levers, one after the other.
    shed_share : float
        Part of the demand that is left over and has to be shed or deferred; 0 where the levers suffice.
    """

    needed: float
    steps: tuple[Step, ...]
    shed_share: float


def squeeze(asked: Assumptions) -> Squeeze:
    """Return how far levers carry when the budget falls and the demand grows.

    Examples
    --------
    >>> found = squeeze(Assumptions())
    >>> found.needed, [round(step.reached, 3) for step in found.steps][-2:], round(found.shed_share, 4)
    (4.0, [3.093, 3.682], 0.0796)
    """
    number = asked.number
    if number("budget_ratio") <= 0:
        raise InputError("budget_ratio", number("budget_ratio"), Phrase("above 0"))
    needed = number("demand_ratio") / number("budget_ratio")
    on_spot = 1 - number("spot_work_share") * (1 - number("spot_ratio"))
    factors = {
        "utilisation": number("used_after_share") / number("used_before_share"),
        "mfu": number("mfu_after_share") / number("mfu_before_share"),
        "reserve": 1 / number("reserve_ratio"),
        "spot": 1 / on_spot,
    }
    steps, reached = [], 1.0
    for name, factor in factors.items():
        reached *= factor
        steps.append(Step(name, factor, reached))
    return Squeeze(needed, tuple(steps), max(0.0, 1 - reached / needed))
