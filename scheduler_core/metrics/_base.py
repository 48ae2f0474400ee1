"""What a metric is, and what it looks at.

A metric is one function of a `View`: the jobs of one scope (everything, one class, one tenant, one band of sizes, one
pool). It returns a `Value`, which may be a lower bound: a job that has not started by the end of the run enters with
its wait so far, so a mean with more than 1 % such jobs, or a percentile that lies among them, can only be larger in
truth and is printed with "at least".
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import Int64

if TYPE_CHECKING:
    from scheduler_core.metrics._view import View

HOUR_MS = 3_600_000
CENSORED_LIMIT_SHARE = 0.01
"""A mean over more censored jobs than this is a lower bound."""

ScopeKind = Literal["all", "class", "tenant", "size", "pool"]
SCOPE_KINDS: tuple[ScopeKind, ...] = ("all", "class", "tenant", "size", "pool")
JOB_SCOPES: tuple[ScopeKind, ...] = ("all", "class", "tenant", "size", "pool")
Float64 = NDArray[np.float64]


class Words(NamedTuple):
    """Name of a metric and one line that explains it, in one language."""

    name: str
    help: str


def words(en: str, en_help: str, zh: str, zh_help: str) -> dict[str, Words]:
    """Return the texts of a metric in English and Chinese."""
    return {"en": Words(en, en_help), "zh": Words(zh, zh_help)}


@dataclass(frozen=True)
class Value:
    """A number, or None where the question has no answer; `is_lower_bound` reads "at least"."""

    value: float | None
    is_lower_bound: bool = False


NOTHING = Value(None)


@dataclass(frozen=True)
class Scope:
    """Which jobs a number is about."""

    kind: ScopeKind
    name: str = ""

    @property
    def key(self) -> str:
        """The scope as text: ``all``, ``class:pretrain``, ``tenant:research``, ``size:8-15``, ``pool:a100``."""
        return self.kind if self.kind == "all" else f"{self.kind}:{self.name}"


ALL = Scope("all")


@dataclass(frozen=True)
class Metric:
    """One measure, with everything a page or a table needs to show it.

    Attributes
    ----------
    slug : str
        Name in documents, links and tables.
    unit : str
        ``ms``, ``share``, ``ratio``, ``index``, ``gpus``, ``gpu_h``, ``jobs`` or ``jobs_per_h``.
    better : str
        Which direction is better: ``lower``, ``higher`` or ``none``.
    range : tuple
        Smallest and largest possible value; None where there is no bound.
    source : str
        Where the definition comes from.
    text : mapping
        Language to `Words`.
    function : callable
        From a `View` to a `Value`.
    scopes : tuple of str
        Kinds of scope for which the question makes sense.
    is_headline : bool
        Whether short tables show it.
    """

    slug: str
    unit: str
    better: Literal["lower", "higher", "none"]
    range: tuple[float, float | None]
    source: str
    text: Mapping[str, Words]
    function: "Callable[[View], Value]"
    scopes: tuple[ScopeKind, ...] = JOB_SCOPES
    is_headline: bool = False


def mean(total: float, count: int, n_censored: int = 0) -> Value:
    """Return a mean, a lower bound where more than 1 % of its jobs are censored.

    Parameters
    ----------
    total : float
        Sum over the jobs.
    count, n_censored : int
        Jobs, and those among them whose value can still grow.

    Returns
    -------
    Value
        Without a number where there is no job.
    """
    if not count:
        return NOTHING
    return Value(float(total) / count, n_censored > CENSORED_LIMIT_SHARE * count)


PERCENTILES = (0.5, 0.95, 0.99, 1.0)
"""Shares at which metrics read a column that `ranked` gave."""


def ranked(values: Int64) -> Int64:
    """Return `values` with those beside each of `PERCENTILES` where sorting would put them, at a fifth of its cost."""
    if not values.shape[0]:
        return values
    return np.partition(values, sorted({at for share in PERCENTILES for at in _beside(share, values.shape[0])[:2]}))


def _beside(share: float, n_values: int) -> tuple[int, int, float]:
    """Return the places of the values below and above a percentile, and how far past the first it lies, 0 to 1."""
    place = round(share * (n_values - 1), 9)
    low = math.floor(place)
    return low, math.ceil(place), place - low


def quantile(values: NDArray[np.generic], share: float, n_censored: int = 0) -> Value:
    """Return a percentile with linear interpolation (numpy's default).

    Parameters
    ----------
    values : array, shape (n,)
        Sorted, or at least `ranked` where `share` is one of `PERCENTILES`; censored ones with what they have reached
        so far.
    share : float
        0 to 1.
    n_censored : int
        Values that can still grow.

    Returns
    -------
    Value
        A lower bound where the percentile lies in the censored part: among the `n_censored` largest, which is where
        the censored values may all end up.
    """
    n_values = int(values.shape[0])
    if not n_values:
        return NOTHING
    low, high, part = _beside(share, n_values)
    under, over = float(values[low]), float(values[high])
    return Value(under + (over - under) * part, high >= n_values - n_censored)
