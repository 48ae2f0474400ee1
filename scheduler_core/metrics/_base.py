"""What a metric is, and what it looks at.

A metric is one function of a `View`: the jobs of one scope (everything, one class, one tenant, one band of sizes, one
pool). It returns a `Value`, which may be a lower bound: a job that has not started by the end of the run enters with
its wait so far, so a mean with more than 1 % such jobs, or a percentile that lies among them, can only be larger in
truth and is printed with "at least".
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import Int64
from scheduler_core.result import FINISHED, PENDING, Bool, Result

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


class Shared:
    """What several metrics of one result need, computed once."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self._known: dict[str, Int64] = {}
        self._slowdown: dict[int, Float64] = {}

    def once(self, name: str, function: "Callable[[Result, Shared], Int64]") -> Int64:
        """Return what `function` gives for this result; it is called once per `name`."""
        if name not in self._known:
            self._known[name] = function(self.result, self)
        return self._known[name]

    @cached_property
    def useful_gpu_ms(self) -> Int64:
        """Useful GPU-ms of each job within the window, int64, shape (n_jobs,)."""
        return self._by_job(self.result.window_gpu_ms[0])

    @cached_property
    def lost_gpu_ms(self) -> Int64:
        """Lost GPU-ms of each job within the window, int64, shape (n_jobs,)."""
        return self._by_job(self.result.window_gpu_ms[1])

    @cached_property
    def allocated_gpu_ms(self) -> Int64:
        """Allocated GPU-ms of each job within the window, int64, shape (n_jobs,)."""
        return self.useful_gpu_ms + self.lost_gpu_ms

    def _by_job(self, weight: Int64) -> Int64:
        total = np.zeros(self.result.n_jobs, np.int64)
        np.add.at(total, self.result.attempts.row, weight)
        return total

    @cached_property
    def finished_in_window(self) -> Bool:
        """Whether each job finished in the window, whenever it was submitted, bool, shape (n_jobs,)."""
        begin, end = self.result.window_ms
        out = self.result.outcome
        done: Bool = (out.state == FINISHED) & (out.finish_ms >= begin) & (out.finish_ms < end)
        return done

    @cached_property
    def queue_span(self) -> tuple[Int64, Int64]:
        """From when to when each job stood in line within the window, in ms, int64, shape (n_jobs,); may be empty."""
        result = self.result
        begin, end = result.window_ms
        submit = result.table.jobs.submit_ms
        return np.clip(submit, begin, end), np.clip(submit + result.wait_ms, begin, end)

    @cached_property
    def queue_ms(self) -> Int64:
        """Time in line of each job within the window in ms, int64, shape (n_jobs,)."""
        return self.queue_span[1] - self.queue_span[0]

    @cached_property
    def queue_gpu_ms(self) -> Int64:
        """The same times the GPUs it asked for, int64, shape (n_jobs,)."""
        return self.queue_ms * self.result.table.jobs.gpus

    @cached_property
    def is_used(self) -> tuple[bool, ...]:
        """Whether each cause of waiting occurs at all; most do not, and are not summed for each scope."""
        return tuple(bool(column.any()) for column in self.result.outcome.cause_ms.T)

    @cached_property
    def fence_of_job(self) -> Int64:
        """Fence of each job, int64, shape (n_jobs,)."""
        return self.result.fences.of_tenant[self.result.table.jobs.tenant]

    @cached_property
    def size_band(self) -> Int64:
        """Band of each job's size: floor(log2(gpus)), int64, shape (n_jobs,)."""
        # frexp is exact for integers; log2 may round 2**k down.
        return np.frexp(np.maximum(self.result.table.jobs.gpus, 1).astype(np.float64))[1].astype(np.int64) - 1

    def slowdown(self, bound_ms: int) -> Float64:
        """Return max(1, (wait + run) / max(run, bound)) of each job, shape (n_jobs,); once per bound."""
        if bound_ms not in self._slowdown:
            run = self.result.run_ms
            ratio = (self.result.wait_ms + run) / np.maximum(run, bound_ms)
            self._slowdown[bound_ms] = np.maximum(ratio, 1.0)
        return self._slowdown[bound_ms]

    @cached_property
    def starved_above_ms(self) -> Float64:
        """Wait above which a job of each class counts as starved, in ms, shape (n_classes,)."""
        result = self.result
        above = np.full(len(result.classes), 24.0 * HOUR_MS)
        rows = np.flatnonzero(result.is_counted)
        for at, members in groups(result.table.jobs.job_class[rows], len(result.classes)):
            above[at] = max(24.0 * HOUR_MS, 10.0 * float(np.median(result.wait_ms[rows[members]])))
        return above


class View:
    """The jobs of one scope.

    Attributes
    ----------
    result : Result
        The run.
    scope : Scope
        What the view covers.
    members : int64
        Rows of all jobs of the scope, whenever they were submitted.
    rows : int64
        Those of `members` that job metrics cover: submitted in the window and schedulable.
    fence : int, optional
        Index of the fence for a view of a pool.
    """

    def __init__(self, shared: Shared, scope: Scope, members: Int64, fence: int | None = None) -> None:
        self.shared, self.result, self.scope, self.members, self.fence = shared, shared.result, scope, members, fence

    @cached_property
    def rows(self) -> Int64:
        """Rows that job metrics cover, int64."""
        return self.members[self.result.is_counted[self.members]]

    @cached_property
    def wait_ms(self) -> Int64:
        """Wait of each of `rows` in ms, int64."""
        return self.result.wait_ms[self.rows]

    @cached_property
    def sorted_wait_ms(self) -> Int64:
        """The waits, shortest first, int64."""
        return np.sort(self.wait_ms)

    @cached_property
    def sorted_completion_ms(self) -> Int64:
        """Finish - submit of those of `rows` that finished, shortest first, int64."""
        out = self.result.outcome
        done = self.rows[out.state[self.rows] == FINISHED]
        return np.sort(out.finish_ms[done] - self.result.table.jobs.submit_ms[done])

    @cached_property
    def is_pending(self) -> Bool:
        """Whether each of `rows` had not started by the end of the run, bool."""
        pending: Bool = self.result.outcome.state[self.rows] == PENDING
        return pending

    @cached_property
    def n_pending(self) -> int:
        """Number of `rows` that had not started by the end of the run."""
        return int(np.count_nonzero(self.is_pending))

    @cached_property
    def cause_ms(self) -> tuple[int, ...]:
        """Waiting time of the `rows` by cause in ms, in the order of `CAUSES`; sums to their waits."""
        cause = self.result.outcome.cause_ms
        return tuple(int(cause[self.rows, at].sum()) if used else 0 for at, used in enumerate(self.shared.is_used))

    @property
    def n_jobs(self) -> int:
        """Number of `rows`."""
        return int(self.rows.shape[0])

    @property
    def gpus(self) -> int:
        """Schedulable GPUs of the scope: those of the pool for a pool, else of the whole cluster."""
        if self.fence is None:
            return self.result.healthy_gpus
        return int(self.result.fences.gpus[self.fence])

    @property
    def window_ms(self) -> int:
        """Length of the window in ms."""
        begin, end = self.result.window_ms
        return end - begin


def groups(index: NDArray[np.integer], n_groups: int) -> Iterator[tuple[int, Int64]]:
    """Yield (group, positions) for each group that has members, positions in ascending order.

    Parameters
    ----------
    index : integer array, shape (n,)
        Group of each position, 0 to n_groups - 1.
    n_groups : int
        Number of groups.

    Yields
    ------
    tuple of int and int64 array
        The group and the positions of its members.
    """
    narrow = index.astype(np.int16) if n_groups < 2**15 else index  # a stable sort of int16 is a radix sort
    order = np.argsort(narrow, kind="stable")
    ends = np.cumsum(np.bincount(index, minlength=n_groups))
    begin = 0
    for group, end in enumerate(ends.tolist()):
        if end > begin:
            yield group, order[begin:end]
        begin = end


def size_label(band: int) -> str:
    """Return the band of sizes as text.

    Examples
    --------
    >>> size_label(0), size_label(3)
    ('1', '8-15')
    """
    low, high = 2**band, 2 ** (band + 1) - 1
    return str(low) if low == high else f"{low}-{high}"


SIZE_LABELS = tuple(size_label(band) for band in range(31))


def views(result: Result, kinds: tuple[ScopeKind, ...] = SCOPE_KINDS) -> Iterator[View]:
    """Yield a view for each scope of the wanted kinds that has jobs (pools always).

    Parameters
    ----------
    result : Result
        The run.
    kinds : tuple of str
        Kinds of scope.

    Yields
    ------
    View
        In the order of `kinds`, inside a kind in the order of the tables.
    """
    shared, jobs = Shared(result), result.table.jobs
    split: dict[ScopeKind, tuple[NDArray[np.integer], tuple[str, ...]]] = {
        "class": (jobs.job_class, result.classes),
        "tenant": (jobs.tenant, result.tenants),
        "size": (shared.size_band, SIZE_LABELS),
        "pool": (shared.fence_of_job, result.fences.names),
    }
    for kind in kinds:
        if kind == "all":
            yield View(shared, ALL, np.arange(result.n_jobs))
            continue
        index, names = split[kind]
        members = dict(groups(index, len(names)))
        for at, name in enumerate(names):
            if at in members or kind == "pool":
                fence = at if kind == "pool" else None
                yield View(shared, Scope(kind, name), members.get(at, np.zeros(0, np.int64)), fence)


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


def quantile(ascending: NDArray[np.generic], share: float, n_censored: int = 0) -> Value:
    """Return a percentile with linear interpolation (numpy's default).

    Parameters
    ----------
    ascending : array, shape (n,)
        Values, smallest first, censored ones with what they have reached so far.
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
    n_values = int(ascending.shape[0])
    if not n_values:
        return NOTHING
    place = round(share * (n_values - 1), 9)
    low, high = math.floor(place), math.ceil(place)
    under, over = float(ascending[low]), float(ascending[high])
    return Value(under + (over - under) * (place - low), high >= n_values - n_censored)
