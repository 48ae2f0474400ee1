"""The return of a dedicated cluster by trial: days of requests, drawn.

The formula takes every day alike. Drawn are days of requests at random around one mean (Poisson), as the formula
assumes, at the volume of the inputs and at those of a return of zero and of the hurdle; then days whose mean varies, of
which what exceeds the cap is not served and not made up for on a quieter day. The years of a purchase are drawn so too.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import Terms, chosen, purchase_flows
from scheduler_core.economics.lists import read_numbers
from scheduler_core.economics.notes import Note, Share, say
from scheduler_core.economics.returns import npv
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, step

Floats = NDArray[np.float64]
Draw = Callable[[float, np.random.Generator], Floats]
_DAYS = 2_000


def trial_volume(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw days of requests, and return the return on the deal and the present value of buying, beside the formulas.

    Parameters
    ----------
    asked : Assumptions
        The deal.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        Returns: ``roi_here``, ``roi_breakeven``, ``roi_hurdle`` (the last two where the cluster can serve them), and
        ``roi_days`` with days that vary; present values in USD: ``bought_alike`` and ``bought_days``.
    """
    deal, here = chosen(asked), asked.number("requests_per_day")
    volumes = {"roi_here": here, "roi_breakeven": deal.breakeven_per_day, "roi_hurdle": deal.hurdle_per_day}
    reached = {name: each for name, each in volumes.items() if each is not None and _is_served(each, deal.terms, name)}
    varied = partial(draw_varied, asked.number("volume_sd_share"))
    cases: list[tuple[str, float, Draw]] = [(name, each, draw_alike) for name, each in reached.items()]
    cases.append(("roi_days", here, varied))
    found = []
    for at, (name, volume, draw) in enumerate(cases):
        days = each_seed(asked, partial(draw, volume), step(progress, at, len(cases) + 2))
        served = [np.minimum(each, deal.terms.cap_per_day) for each in days]
        roi = estimate([deal.terms.roi(float(each.mean())) for each in served])
        lost = 1 - float(np.mean(served)) / (float(np.mean(days)) or 1.0)
        formula = round(deal.terms.roi(volume), 12)
        found.append(Confirmation(name, "ratio", formula, None, roi, _notes(formula, roi, lost, name)))
    bought: dict[str, Draw] = {"bought_alike": draw_alike, "bought_days": varied}
    for at, (name, each_day) in enumerate(bought.items()):
        found.append(_bought(asked, deal.terms, name, each_day, step(progress, len(cases) + at, len(cases) + 2)))
    return tuple(found)


def _is_served(volume: float, terms: Terms, name: str) -> bool:
    return name == "roi_here" or volume <= terms.cap_per_day


def draw_alike(volume: float, rng: np.random.Generator) -> Floats:
    """Return requests of days that are all alike: Poisson."""
    return rng.poisson(volume, _DAYS).astype(np.float64)


def draw_varied(sd_share: float, volume: float, rng: np.random.Generator) -> Floats:
    """Return requests of days whose mean is log-normal with a standard deviation as a share of the volume."""
    sigma = np.sqrt(np.log1p(sd_share**2))
    return rng.poisson(volume * rng.lognormal(-sigma * sigma / 2, sigma, _DAYS)).astype(np.float64)


def _notes(formula: float, found: Estimate, lost: float, name: str) -> tuple[Note, ...]:
    if found.holds(formula) or not lost:
        return gap_notes(formula, found)
    key = "money.gap.capped_npv" if name.startswith("bought") else "money.gap.capped"
    return (say(key, lost=Share(lost, 2), found=found.mean or 0.0, formula=formula),)


def _bought(asked: Assumptions, terms: Terms, name: str, draw: Draw, progress: Progress | None) -> Confirmation:
    """Return the present value of buying, with the requests of each year drawn by the day."""
    rate = asked.number("discount_share")
    planned = read_numbers("buy_requests_per_day", asked.word("buy_requests_per_day"))
    formula = npv(rate, purchase_flows(asked, planned))

    def years(rng: np.random.Generator) -> tuple[float, float, float]:
        days = [draw(volume, rng) for volume in planned]
        served = tuple(float(np.minimum(each, terms.cap_per_day).mean()) for each in days)
        return npv(rate, purchase_flows(asked, served)), sum(served), float(np.sum([each.mean() for each in days]))

    drawn = each_seed(asked, years, progress)
    value = estimate([each for each, _, _ in drawn])
    lost = 1 - sum(served for _, served, _ in drawn) / (sum(sent for _, _, sent in drawn) or 1.0)
    return Confirmation(name, "usd", formula, None, value, _notes(formula, value, lost, name))
