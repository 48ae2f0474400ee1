"""Own, reserve, rent or spot by trial: interruptions, outages, hours of demand and market prices, drawn.

Spot: the formula adds up its losses to first order; the drawn job restarts, works and saves until it is interrupted,
and keeps what was saved. Owning: nodes fail and are repaired, and their hours are used by chance; then the use comes
from a demand that varies by the hour, and what does not fit is rented. Present value: market prices walk from year to
year around the drift that the formula takes as certain, rent and residual value alike.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics import checkpoints, renting
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.notes import Note, Share, say
from scheduler_core.economics.owning import HOURS_PER_YEAR, Owning, own
from scheduler_core.economics.returns import npv
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, step
from scheduler_core.studies.trial_demand import draw_demand
from scheduler_core.studies.trial_failures import Saving, draw_gaps

Floats = NDArray[np.float64]
_NODES = 64
_REPAIR_H = 24.0
_PATHS = 20_000


def trial_spot(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw interruptions of a job on spot, and return what its useful hour costs, beside the formula.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        USD a GPU hour: ``spot`` with interruptions at random, ``spot_clusters`` with Weibull ones; empty where there
        is no price, or nothing useful is left.
    """
    number, price = asked.number, asked.values()["spot_usd_per_gpu_h"]
    save, restart, mean = renting.spot_times(asked)
    formula = None if price is None else renting.spot_usd(float(price), renting.spot_waste(save, restart, mean))
    if price is None or formula is None:
        return ()
    young = checkpoints.young(save, mean)
    saving, exact = Saving(young, save, restart), float(price) * checkpoints.runtime_factor(young, save, restart, mean)
    found = []
    for at, (name, shape) in enumerate((("spot", 1.0), ("spot_clusters", number("failure_shape")))):
        draw = partial(_useful, saving, mean, shape)
        paid = estimate([float(price) / each for each in each_seed(asked, draw, step(progress, at, 2)) if each > 0])
        notes = _spot_notes(name, formula, exact, shape, paid)
        found.append(Confirmation(name, "usd_per_gpu_h", formula, exact if shape == 1 else None, paid, notes))
    return tuple(found)


def _useful(saving: Saving, mean_h: float, shape: float, rng: np.random.Generator) -> float:
    return saving.useful_share(draw_gaps(mean_h, shape, rng))


def _spot_notes(name: str, formula: float, exact: float, shape: float, found: Estimate) -> tuple[Note, ...]:
    if found.holds(formula):
        return (say("plan.gap.agrees"),)
    if name == "spot" and found.holds(exact):
        return (say("money.gap.first_order", formula=formula, exact=exact),)
    if name == "spot_clusters" and shape != 1:
        return (say("money.gap.spot_clusters", shape=shape, found=found.mean or 0.0, formula=formula),)
    return gap_notes(formula, found)


# ---- owning -----------------------------------------------------------------------------------------------------


def trial_owning(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw a year of nodes and the years of a purchase, beside what an own hour costs and its present value.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        ``own_used``: USD a used GPU hour. Where there is a rent, ``own_peaks``: the same with the demand of each
        hour, what does not fit being rented; and ``npv_walk``: present value in USD with prices that walk.
    """
    found, rent = own(asked), asked.values()["on_demand_usd_per_gpu_h"]
    formula, parts = found.usd_per_useful_gpu_h, 1 if rent is None else 3
    used = estimate(each_seed(asked, partial(_used_usd, found), step(progress, 0, parts)))
    rows = [Confirmation("own_used", "usd_per_gpu_h", formula, None, used, gap_notes(formula, used))]
    if rent is not None:
        rows += [
            _peaks(asked, found, float(rent), step(progress, 1, parts)),
            _walk(asked, found, float(rent), step(progress, 2, parts)),
        ]
    return tuple(rows)


def draw_available(availability: float, rng: np.random.Generator) -> float:
    """Return the share of a year in which nodes are up that fail and are repaired, 24 h on average."""
    if availability == 1:
        return 1.0
    cycles = max(1, round(_NODES * HOURS_PER_YEAR * (1 - availability) / _REPAIR_H))
    up = rng.exponential(_REPAIR_H * availability / (1 - availability), cycles).sum()
    return float(up / (up + rng.exponential(_REPAIR_H, cycles).sum()))


def _used_usd(found: Owning, rng: np.random.Generator) -> float:
    hours = round(_NODES * found.gpus * HOURS_PER_YEAR * draw_available(found.availability, rng))
    kept = rng.binomial(hours, found.utilisation * (1 - found.lost))
    return _NODES * found.total_usd / max(1, int(kept))


def _peaks(asked: Assumptions, found: Owning, rent: float, progress: Progress | None) -> Confirmation:
    """Return the cost of a used hour where the use is a demand that varies by the hour."""
    formula, mean = found.usd_per_useful_gpu_h, found.utilisation * found.availability
    spread = mean * asked.number("demand_sd_gpus") / (asked.number("demand_gpus") or 1.0)
    hourly = found.total_usd / (found.gpus * HOURS_PER_YEAR)
    price = rent + asked.number("other_usd_per_gpu_h")

    def draw(rng: np.random.Generator) -> tuple[float, float]:
        demand = np.maximum(draw_demand(mean, spread, asked.number("demand_skew"), rng), 0.0)
        over = float(np.maximum(demand - found.availability, 0.0).mean()) / float(demand.mean())
        return over, (hourly / float(demand.mean()) + price * over) / (1 - found.lost)

    drawn = each_seed(asked, draw, progress)
    told, over = estimate([usd for _, usd in drawn]), float(np.mean([share for share, _ in drawn]))
    notes = (say("money.gap.peaks", over=Share(over, 2), found=told.mean or 0.0, formula=formula),)
    return Confirmation("own_peaks", "usd_per_gpu_h", formula, None, told, notes)


def _walk(asked: Assumptions, found: Owning, rent: float, progress: Progress | None) -> Confirmation:
    """Return the present value of buying with prices that walk; on average it is that of certain prices."""
    formula = npv(asked.number("discount_share"), renting.own_instead_of_rent(asked))
    drawn = each_seed(asked, partial(draw_npv, asked, found, rent), progress)
    told = estimate([float(each.mean()) for each in drawn])
    lost = float(np.mean([(each < 0).mean() for each in drawn]))
    sd = Share(asked.number("spread_share"), 0)
    notes = (*gap_notes(formula, told), say("money.gap.walk", sd=sd, lost=Share(lost, 0)))
    return Confirmation("npv_walk", "usd", formula, None, told, notes)


def draw_npv(asked: Assumptions, found: Owning, rent: float, rng: np.random.Generator) -> Floats:
    """Return present values of a node with market prices that walk from year to year, in USD.

    Parameters
    ----------
    asked : Assumptions
        Life, drift, discount rate, and `spread_share`: the standard deviation of a year's step.
    found : Owning
        The node.
    rent : float
        Price of a rented GPU hour today, in USD.
    rng : numpy.random.Generator
        Source of the draws.
    """
    years, sd = round(asked.number("life_years")), asked.number("spread_share")
    steps = rng.normal(-sd * sd / 2, sd, (_PATHS, years))
    walk = np.exp(np.concatenate([np.zeros((_PATHS, 1)), np.cumsum(steps, axis=1)], axis=1))
    market = walk * (1 + asked.number("drift_share")) ** np.arange(years + 1)
    hours = found.available_gpu_h * found.utilisation * (1 - found.lost)
    flows = hours * (rent * market[:, :-1] + asked.number("other_usd_per_gpu_h")) - found.cash_usd
    flows[:, -1] += found.residual_usd * market[:, -1]
    worth = (1 + asked.number("discount_share")) ** -np.arange(1.0, years + 1)
    return np.asarray(flows @ worth - found.investment_usd, dtype=np.float64)
