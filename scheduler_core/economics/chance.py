"""How sure is the answer: which input moves it most, and how often it holds when all of them move.

The tornado moves one input at a time between its low and its high end. The draws move several at once; rent and
residual value fall together, because both follow the market, so they are correlated (a Gaussian copula). Source of the
triangular and lognormal inverses: Devroye, "Non-Uniform Random Variate Generation".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from scheduler_core.economics import checks
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import SECONDS_PER_DAY, terms_of
from scheduler_core.economics.owning import HOURS_PER_YEAR, own
from scheduler_core.errors import CoreError, InputError
from scheduler_core.phrases import Phrase

Float64 = NDArray[np.float64]
WIDE_Z = float(ndtri(0.95))
"""The low and the high end of an input are read as its 5 % and 95 % points where it is lognormal."""


@dataclass(frozen=True)
class Swing:
    """What one input does to a result.

    Attributes
    ----------
    slug : str
        The input.
    low, high : float
        Its ends.
    at_low, at_high : float, optional
        The result there; None where there is none.
    """

    slug: str
    low: float
    high: float
    at_low: float | None
    at_high: float | None

    @property
    def width(self) -> float:
        """Distance of the two results."""
        if self.at_low is None or self.at_high is None:
            return 0.0
        return abs(self.at_high - self.at_low)


def table_ends(asked: Assumptions, slugs: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the low and the high end that the table gives each input; one without ends is left out."""
    found = {slug: asked.figures(slug) for slug in slugs}
    return {
        slug: (each.low, each.high) for slug, each in found.items() if each.low is not None and each.high is not None
    }


def relative_ends(asked: Assumptions, slugs: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return ends around what is in force, apart by `spread_share`; for inputs of one deal, which no table knows."""
    share = asked.number("spread_share")
    return {slug: (asked.number(slug) * (1 - share), asked.number(slug) * (1 + share)) for slug in slugs}


def tornado(
    measure: Callable[[Assumptions], float | None], asked: Assumptions, ends: Mapping[str, tuple[float, float]]
) -> tuple[Swing, ...]:
    """Return what each input does to a result when it goes from its low to its high end, the widest first.

    Parameters
    ----------
    measure : callable
        Result of a document.
    asked : Assumptions
        All other inputs.
    ends : mapping
        Slug -> low and high end.
    """
    found = [
        Swing(slug, low, high, *(_measured(measure, asked, slug, end) for end in (low, high)))
        for slug, (low, high) in ends.items()
    ]
    return tuple(sorted(found, key=lambda swing: -swing.width))


def _measured(
    measure: Callable[[Assumptions], float | None], asked: Assumptions, slug: str, end: float
) -> float | None:
    try:
        return measure(asked.change({slug: end}))
    except CoreError:  # an end may contradict another input; then the bar has one side only
        return None


# ---- draws ------------------------------------------------------------------------------------------------------


def uniforms(generator: np.random.Generator, n_draws: int, n_inputs: int) -> Float64:
    """Return independent uniform draws, float64 of shape (n_inputs, n_draws)."""
    return generator.random((n_inputs, n_draws))


def correlated(first: Float64, second: Float64, rho: float) -> Float64:
    """Return uniform draws that follow `first` with a correlation of their normal scores.

    Parameters
    ----------
    first, second : float64, shape (n_draws,)
        Independent uniform draws.
    rho : float
        From -1 to 1.
    """
    if not -1 <= rho <= 1:
        raise InputError(Phrase("the correlation"), rho, Phrase("from -1 to 1"))
    mixed = rho * ndtri(first) + np.sqrt(1 - rho * rho) * ndtri(second)
    return np.asarray(ndtr(mixed), dtype=np.float64)


def triangular(uniform: Float64, low: float, mode: float, high: float) -> Float64:
    """Return draws between two ends that are most likely at `mode`, by inversion.

    Parameters
    ----------
    uniform : float64, shape (n_draws,)
        Uniform draws.
    low, mode, high : float
        In this order.

    Examples
    --------
    >>> triangular(np.array([0.0, 0.25, 1.0]), 0, 1, 4).tolist()
    [0.0, 1.0, 4.0]
    """
    if not low <= mode <= high:
        raise InputError(Phrase("the most likely value"), mode, Phrase("from {low:g} to {high:g}", low=low, high=high))
    if low == high:
        return np.full_like(uniform, low)
    at_mode = (mode - low) / (high - low)
    below = low + np.sqrt(uniform * (high - low) * (mode - low))
    above = high - np.sqrt((1 - uniform) * (high - low) * (high - mode))
    return np.where(uniform < at_mode, below, above)


def lognormal(uniform: Float64, median: float, low: float, high: float) -> Float64:
    """Return draws with a median whose ends are its 5 % and 95 % points, by inversion.

    Parameters
    ----------
    uniform : float64, shape (n_draws,)
        Uniform draws.
    median, low, high : float
        Above 0, `low` below `high`.
    """
    if not 0 < low < high:
        raise InputError(Phrase("the low end"), low, Phrase("above 0 and below {high:g}", high=high))
    sigma = np.log(high / low) / (2 * WIDE_Z)
    return np.asarray(checks.positive("the median", median) * np.exp(sigma * ndtri(uniform)), dtype=np.float64)


@dataclass(frozen=True)
class Spread:
    """What many draws of a result say.

    Attributes
    ----------
    n_draws : int
        Draws.
    mean, p5, p50, p95 : float
        Of the result.
    above_share : float
        Share of draws in which it is above zero.
    hurdle_share : float
        Share in which it is at least the hurdle.
    values : float64, shape (n_draws,)
        The draws; never change them.
    """

    n_draws: int
    mean: float
    p5: float
    p50: float
    p95: float
    above_share: float
    hurdle_share: float
    values: Float64


def summarise(values: Float64, hurdle: float = 0.0) -> Spread:
    """Return what draws of a result say, with the share that reaches a hurdle."""
    low, middle, high = (float(each) for each in np.quantile(values, (0.05, 0.5, 0.95)))
    values.setflags(write=False)
    return Spread(
        n_draws=int(values.size),
        mean=float(values.mean()),
        p5=low,
        p50=middle,
        p95=high,
        above_share=float((values > 0).mean()),
        hurdle_share=float((values >= hurdle).mean()),
        values=values,
    )


def draw_roi(asked: Assumptions, generator: np.random.Generator) -> Spread:
    """Return the return of the deal when the volume is normal from deal to deal.

    The volume is not cut off at zero and what exceeds the cap is not served, so the result can be checked against the
    normal distribution.
    """
    mean, share = asked.number("requests_per_day"), asked.number("volume_sd_share")
    drawn = mean * (1 + share * generator.standard_normal(int(asked.number("draws"))))
    return summarise(terms_of(asked).roi_curve(drawn), asked.number("hurdle_roi"))


def draw_heavy_roi(asked: Assumptions, generator: np.random.Generator) -> Spread:
    """Return the return of the deal when volume, GPU time and variable cost of a request move together.

    The volume is lognormal with the standard deviation of the assumptions; GPU time and variable cost of a request are
    triangular around what is in force, apart by `spread_share`.
    """
    deal, n_draws, spread = terms_of(asked), int(asked.number("draws")), asked.number("spread_share")
    base = uniforms(generator, n_draws, 3)
    share = asked.number("volume_sd_share")
    sigma = np.sqrt(np.log1p(share * share))
    volume = asked.number("requests_per_day") * np.exp(sigma * ndtri(base[0]) - sigma * sigma / 2)
    seconds = deal.request_gpu_s * triangular(base[1], 1 - spread, 1.0, 1 + spread)
    variable = deal.variable_usd * triangular(base[2], 1 - spread, 1.0, 1 + spread)
    served = np.minimum(volume, deal.usable_share * deal.gpus * SECONDS_PER_DAY / seconds)
    margin = deal.price_usd - (deal.list_usd if deal.counterfactual == "moved" else variable)
    below = deal.fixed_usd + (served * variable if deal.denominator == "total" else 0.0)
    return summarise((served * margin - deal.fixed_usd) / below, asked.number("hurdle_roi"))


def _triangular_of(asked: Assumptions, slug: str, uniform: Float64) -> Float64:
    """Return draws of an input between its ends, most likely at what is in force."""
    figures, value = asked.figures(slug), asked.number(slug)
    low, high = (value if end is None else end for end in (figures.low, figures.high))
    return triangular(uniform, min(low, value), value, max(high, value))


def _around(asked: Assumptions, slug: str, uniform: Float64) -> Float64:
    """Return draws of a share around what is in force, apart by `spread_share`, at most 1."""
    value, spread = asked.number(slug), asked.number("spread_share")
    return triangular(uniform, value * (1 - spread), value, min(1.0, value * (1 + spread)))


def draw_own_npv(asked: Assumptions, generator: np.random.Generator) -> Spread:
    """Return the net present value of owning a node instead of renting its used hours, in USD.

    Rent is lognormal; residual value and life are triangular between the ends of the table, utilisation and lost share
    around what is in force, apart by `spread_share`; rent and residual value are correlated.
    The yearly saving follows the drift of prices; a broken year counts in part.
    """
    found, n_draws = own(asked), int(asked.number("draws"))
    base = uniforms(generator, n_draws, 5)
    rent_ends = asked.figures("on_demand_usd_per_gpu_h")
    median = asked.number("on_demand_usd_per_gpu_h")
    low, high = min(rent_ends.low or median, median), max(rent_ends.high or median, median)
    rent = lognormal(base[0], median, low, high) if low < high else np.full(n_draws, median)
    residual = _triangular_of(asked, "residual_share", correlated(base[0], base[1], asked.number("correlation")))
    life = _triangular_of(asked, "life_years", base[2])
    used = _around(asked, "utilisation_share", base[3])
    lost = _around(asked, "lost_share", base[4])
    rate, drift = asked.number("discount_share"), asked.number("drift_share")
    hours = found.gpus * HOURS_PER_YEAR * found.availability * used * (1 - lost)
    other = hours * asked.number("other_usd_per_gpu_h")
    income = hours * rent * _growing(rate, drift, life)
    paid = (found.cash_usd - other) * _growing(rate, 0.0, life)
    back = asked.number("server_price_usd") * residual * ((1 + drift) / (1 + rate)) ** life
    return summarise(income - paid - found.investment_usd + back)


def _growing(rate: float, drift: float, years: Float64) -> Float64:
    """Return the present value of 1 a year for some years, the first at the end of the first year, with a drift."""
    quotient = (1 + drift) / (1 + rate)
    if abs(rate - drift) < 1e-12:
        return years / (1 + rate)
    return np.asarray((1 - quotient**years) / (rate - drift), dtype=np.float64)
