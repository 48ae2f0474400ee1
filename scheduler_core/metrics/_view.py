"""What a metric looks at: the jobs of one scope, and what several metrics of a result share."""

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import Int64
from scheduler_core.metrics._base import ALL, HOUR_MS, SCOPE_KINDS, Float64, Scope, ScopeKind, ranked
from scheduler_core.result import FINISHED, PENDING, Bool, Result, Spans

T = TypeVar("T")


class Shared:
    """What several metrics of one result need, computed once."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self._known: dict[str, object] = {}
        self._slowdown: dict[int, Float64] = {}

    def once(self, name: str, function: "Callable[[Result, Shared], T]") -> T:
        """Return what `function` gives for this result; it is called once per `name`."""
        if name not in self._known:
            self._known[name] = function(self.result, self)
        return cast("T", self._known[name])

    @cached_property
    def useful_gpu_ms(self) -> Int64:
        """Useful GPU-ms of each job within the window, int64, shape (n_jobs,)."""
        return self.spent_gpu_ms("useful")

    @cached_property
    def lost_gpu_ms(self) -> Int64:
        """Lost GPU-ms of each job within the window, int64, shape (n_jobs,)."""
        return self.spent_gpu_ms("lost")

    @cached_property
    def allocated_gpu_ms(self) -> Int64:
        """Allocated GPU-ms of each job within the window, int64, shape (n_jobs,)."""
        others = [self.spent_gpu_ms(kind) for kind in self.result.window_gpu_ms if kind != "useful"]
        if self.result.outcome.holds is not None:
            others.append(self.result.collected_gpu_ms_in(*self.result.window_ms))
        if not others:
            return self.useful_gpu_ms  # the same column, so that its sums are known already
        return self.useful_gpu_ms + sum(others)

    @property
    def has_lost(self) -> bool:
        """Whether any GPU-time of the window was lost; most runs lose none, and need no sums of it."""
        return "lost" in self.result.window_gpu_ms

    def spent_gpu_ms(self, kind: str) -> Int64:
        """Return GPU-ms of one kind of each job within the window, int64, shape (n_jobs,)."""
        return self.by_job(self.result.window_gpu_ms.get(kind))

    def by_job(self, of_attempt: Int64 | None) -> Int64:
        """Return the sums over the attempts of each job of a column of the attempts table, int64, shape (n_jobs,)."""
        total = np.zeros(self.result.n_jobs, np.int64)
        if of_attempt is not None:
            np.add.at(total, self.result.attempts.row, of_attempt)
        return total

    @cached_property
    def finished_in_window(self) -> Bool:
        """Whether each job finished in the window, whenever it was submitted, bool, shape (n_jobs,)."""
        begin, end = self.result.window_ms
        out = self.result.outcome
        done: Bool = (out.state == FINISHED) & (out.finish_ms >= begin) & (out.finish_ms < end)
        return done

    @cached_property
    def queue_spans(self) -> Spans:
        """When jobs stood in line within the window, in the order of `Result.spans_in_line`; may be empty."""
        begin, end = self.result.window_ms
        spans = self.result.spans_in_line
        return Spans(spans.row, np.clip(spans.begin_ms, begin, end), np.clip(spans.end_ms, begin, end))

    @cached_property
    def queue_ms(self) -> Int64:
        """Time in line of each job within the window in ms, int64, shape (n_jobs,)."""
        spans, n_jobs = self.queue_spans, self.result.n_jobs
        length = spans.end_ms - spans.begin_ms
        total = length[:n_jobs].copy()
        np.add.at(total, spans.row[n_jobs:], length[n_jobs:])
        return total

    @cached_property
    def queue_gpu_ms(self) -> Int64:
        """The same times the GPUs it asked for, int64, shape (n_jobs,)."""
        return self.queue_ms * self.result.table.jobs.gpus

    @cached_property
    def head_age_ms(self) -> Int64:
        """Age of each job when it first left the line in the window, in ms; 0 if it did not stand in it.

        int64, shape (n_jobs,).
        """
        n_jobs = self.result.n_jobs
        begin, end = self.queue_spans.begin_ms[:n_jobs], self.queue_spans.end_ms[:n_jobs]
        return np.where(end > begin, end - self.result.table.jobs.submit_ms, 0)

    @cached_property
    def is_starved(self) -> Bool:
        """Whether each job waited longer than `starved_above_ms` of its class, bool, shape (n_jobs,)."""
        starved: Bool = self.result.wait_ms > self.starved_above_ms[self.result.table.jobs.job_class]
        return starved

    @cached_property
    def is_done(self) -> Bool:
        """Whether job metrics cover each job and it finished, bool, shape (n_jobs,)."""
        done: Bool = self.result.is_counted & (self.result.outcome.state == FINISHED)
        return done

    @cached_property
    def completion_ms(self) -> Int64:
        """Finish - submit of each job in ms; meaningless where it did not finish, int64, shape (n_jobs,)."""
        return self.result.outcome.finish_ms - self.result.table.jobs.submit_ms

    @cached_property
    def cause_columns(self) -> tuple[Int64 | None, ...]:
        """Waiting time of each job by cause, in ms; None for a cause that does not occur at all, as most do not."""
        return tuple(column.copy() if column.any() else None for column in self.result.outcome.cause_ms.T)

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
            ratio = (self.result.waited_ms + run) / np.maximum(run, bound_ms)
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
        self._totals: dict[int, int] = {}

    def about(self, scope: Scope, fence: int | None) -> "View":
        """Return a view of the same jobs under another name; what is known of them stays known."""
        view = copy(self)
        view.scope, view.fence = scope, fence
        return view

    @cached_property
    def rows(self) -> Int64:
        """Rows that job metrics cover, int64."""
        return self.members[self.result.is_counted[self.members]]

    @cached_property
    def wait_ms(self) -> Int64:
        """Wait of each of `rows` in ms, int64."""
        return self.result.wait_ms[self.rows]

    @cached_property
    def ranked_wait_ms(self) -> Int64:
        """The waits, `ranked`, int64."""
        return ranked(self.wait_ms)

    @cached_property
    def ranked_completion_ms(self) -> Int64:
        """Finish - submit of those of `rows` that finished, `ranked`, int64."""
        done = self.shared.is_done[self.rows]
        return ranked(self.shared.completion_ms[self.rows[done]])

    @cached_property
    def is_pending(self) -> Bool:
        """Whether each of `rows` had not started by the end of the run, bool; one that waits again had."""
        out = self.result.outcome
        pending: Bool = out.state[self.rows] == PENDING
        return pending & (out.start_ms[self.rows] < 0) if self.result.can_evict else pending

    @cached_property
    def n_started(self) -> int:
        """Number of `rows` that started."""
        return self.n_jobs - self.n_pending

    @cached_property
    def n_pending(self) -> int:
        """Number of `rows` that had not started by the end of the run."""
        return int(np.count_nonzero(self.is_pending))

    def total(self, column: NDArray[np.generic]) -> int:
        """Return the sum over all `members` of an integer or boolean column of the job table."""
        if id(column) not in self._totals:  # the columns live as long as `shared`, so their ids stay theirs
            self._totals[id(column)] = int((column if self.scope.kind == "all" else column[self.members]).sum())
        return self._totals[id(column)]

    @cached_property
    def cause_ms(self) -> tuple[int, ...]:
        """Waiting time of the `rows` by cause in ms, in the order of `CAUSES`; sums to their waits, again included."""
        columns = self.shared.cause_columns
        return tuple(0 if column is None else int(column[self.rows].sum()) for column in columns)

    @property
    def n_jobs(self) -> int:
        """Number of `rows`."""
        return int(self.rows.shape[0])

    @property
    def tenant(self) -> int:
        """Index of the tenant for a view of a tenant."""
        return self.result.tenants.index(self.scope.name)

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
    split: dict[ScopeKind, tuple[Callable[[], NDArray[np.integer]], tuple[str, ...]]] = {
        "class": (lambda: jobs.job_class, result.classes),
        "tenant": (lambda: jobs.tenant, result.tenants),
        "size": (lambda: shared.size_band, SIZE_LABELS),
        "pool": (lambda: shared.fence_of_job, result.fences.names),
    }
    known: dict[str, View] = {}
    for kind in kinds:
        if kind == "all":
            yield View(shared, ALL, np.arange(result.n_jobs))
        elif kind == "pool" and (alone := _alone_in_fences(result, known)) is not None:
            for at, view in enumerate(alone):
                yield view.about(Scope("pool", result.fences.names[at]), at)
        else:
            index, names = split[kind]
            for view in _split(shared, kind, index(), names):
                if kind == "tenant":
                    known[view.scope.name] = view
                yield view


def _split(shared: Shared, kind: ScopeKind, index: NDArray[np.integer], names: tuple[str, ...]) -> Iterator[View]:
    """Yield a view for each name that has jobs, for pools for each name."""
    members = dict(groups(index, len(names)))
    for at, name in enumerate(names):
        if at in members or kind == "pool":
            fence = at if kind == "pool" else None
            yield View(shared, Scope(kind, name), members.get(at, np.zeros(0, np.int64)), fence)


def _alone_in_fences(result: Result, known: dict[str, View]) -> list[View] | None:
    """Return the views of the tenants where each fence has the jobs of exactly one; else None."""
    fences = result.fences
    found = {int(fences.of_tenant[result.tenants.index(name)]): view for name, view in known.items()}
    return [found[at] for at in range(len(fences.names))] if len(found) == len(known) == len(fences.names) else None
