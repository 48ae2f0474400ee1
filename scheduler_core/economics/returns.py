"""Is a row of yearly cash flows worth it: net present value, every internal rate of return, payback.

numpy-financial is used where it is right: `npv` counts the first flow as of today (the function of that name in
spreadsheets shifts everything by a year), `mirr` and `pmt`. Its `irr` is not used: where flows change sign more than
once it returns one of several rates without a word (its issue 28), and nothing at all for some that have one
(issues 44, 46, 98). Here every rate above -1 is found as a root of the polynomial in 1 / (1 + r).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy_financial as npf

from scheduler_core.economics import checks
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

SAME = 1e-7
MARGINAL_SHARE = 0.02
"""A net present value within this share of the investment is called marginal, not a verdict."""


def flows(cash_usd: Sequence[float]) -> tuple[float, ...]:
    """Return cash flows that are finite, today's first; refuse fewer than two."""
    if len(cash_usd) < 2:
        raise InputError(Phrase("the cash flows"), list(cash_usd), Phrase("at least two: today's and a later one"))
    return tuple(checks.finite("a cash flow", flow) for flow in cash_usd)


def npv(rate: float, cash_usd: Sequence[float]) -> float:
    """Return the net present value in USD; the first flow is of today and is not discounted.

    Examples
    --------
    >>> round(npv(0.10, [-1000, 300, 400, 500, 200]), 3)
    115.566
    """
    return float(npf.npv(checks.rate("the discount rate", rate), flows(cash_usd)))


def monthly_rate(rate: float) -> float:
    """Return the rate of a month that compounds to a yearly rate; a twelfth of it would be too much.

    Examples
    --------
    >>> round(monthly_rate(0.10), 6)
    0.007974
    """
    return float((1 + checks.rate("the yearly rate", rate)) ** (1 / 12) - 1)


def irr_all(cash_usd: Sequence[float]) -> tuple[float, ...]:
    """Return every internal rate of return above -1, ascending; none, one or several.

    Examples
    --------
    >>> [round(rate, 6) for rate in irr_all([-50, -100, 600, 300, -100])]
    [-0.768895, 1.854418]
    >>> irr_all([100, 100])
    ()
    """
    given = np.array(flows(cash_usd))
    scale = np.abs(given).max()
    if scale == 0:
        return ()
    roots = np.roots(given[::-1] / scale)  # in the discount factor 1 / (1 + r)
    real = roots[np.abs(roots.imag) <= SAME * np.maximum(1.0, np.abs(roots))].real
    rates = np.sort(1 / real[real > 1e-12] - 1)
    apart = np.diff(rates, prepend=-np.inf) > 1e-4 * np.maximum(1.0, np.abs(rates))  # a double root comes twice
    return tuple(float(rate) for rate in rates[apart])


def mirr(cash_usd: Sequence[float], borrow_rate: float, invest_rate: float) -> float | None:
    """Return the modified internal rate of return; None where there is no outlay or no income.

    Parameters
    ----------
    cash_usd : sequence of float
        Yearly flows in USD, today's first.
    borrow_rate, invest_rate : float
        Yearly rate at which outlays are financed, and at which income is put away.

    Examples
    --------
    >>> round(mirr([-1000, 300, 400, 500, 200], 0.10, 0.10), 6)
    0.130489
    """
    given = flows(cash_usd)
    if min(given) >= 0 or max(given) <= 0:
        return None
    return float(npf.mirr(given, checks.rate("the rate", borrow_rate), checks.rate("the rate", invest_rate)))


def payback_years(cash_usd: Sequence[float], rate: float = 0.0) -> float | None:
    """Return after how many years the sum of flows stays at zero or above; None if never.

    Flows come evenly over a year. With a rate above zero it is the discounted payback.

    Examples
    --------
    >>> round(payback_years([-1000, 300, 400, 500, 200]), 6), round(payback_years([-1000, 300, 400, 500, 200], 0.1), 5)
    (2.6, 3.154)
    """
    given = np.array(flows(cash_usd)) / (1 + checks.rate("the discount rate", rate)) ** np.arange(len(cash_usd))
    sums = np.cumsum(given)
    below = np.flatnonzero(sums < 0)
    if not below.size:
        return 0.0
    last = int(below[-1])
    if last + 1 == len(given):
        return None
    return float(last - sums[last] / given[last + 1])


@dataclass(frozen=True)
class Returns:
    """What an investment brings.

    Attributes
    ----------
    rate : float
        Discount rate a year.
    npv_usd : float
        Net present value.
    irr : tuple of float
        Every internal rate of return.
    mirr : float, optional
        Modified rate, with the discount rate for both sides.
    payback_years, discounted_payback_years : float, optional
        None if the money never comes back.
    investment_usd : float
        What is paid today.
    sum_usd : float
        All flows together, not discounted: no ground for a verdict.
    """

    rate: float
    npv_usd: float
    irr: tuple[float, ...]
    mirr: float | None
    payback_years: float | None
    discounted_payback_years: float | None
    investment_usd: float
    sum_usd: float

    @property
    def verdict(self) -> str:
        """``worth``, ``not_worth`` or ``marginal``, from the net present value and nothing else."""
        if abs(self.npv_usd) <= MARGINAL_SHARE * self.investment_usd:
            return "marginal"
        return "worth" if self.npv_usd > 0 else "not_worth"


def judge(cash_usd: Sequence[float], rate: float) -> Returns:
    """Return every measure of a row of yearly flows, today's first.

    Examples
    --------
    >>> judge([-1000, 300, 400, 500, 200], 0.10).verdict
    'worth'
    """
    return Returns(
        rate=rate,
        npv_usd=npv(rate, cash_usd),
        irr=irr_all(cash_usd),
        mirr=mirr(cash_usd, rate, rate),
        payback_years=payback_years(cash_usd),
        discounted_payback_years=payback_years(cash_usd, rate),
        investment_usd=max(0.0, -float(cash_usd[0])),
        sum_usd=float(sum(cash_usd)),
    )
