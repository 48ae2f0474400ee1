"""Compare two scenarios on common random numbers: the same jobs, two answers, paired differences.

With equal seeds and workloads, replication k of both sees the same jobs, so the difference is taken within each
replication and luck cancels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import ScopeKind, Summary, all_metrics
from scheduler_core.result import FINISHED, Result
from scheduler_core.scenario.document import Scenario
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies.replicate import Progress, Replications, Simulate, default_replications, replicate

Change = Literal["better", "worse", "same", "unclear"]


@dataclass(frozen=True)
class Difference:
    """One metric of one scope under both scenarios.

    Attributes
    ----------
    slug, scope, unit : str
        What, where, in which unit.
    before, after : Estimate
        The two scenarios.
    difference : Estimate
        after - before, taken within each replication.
    change : str
        ``same`` where every replication agrees exactly; ``better`` or ``worse`` where the interval leaves out 0 and
        the metric has a direction; else ``unclear``.
    """

    slug: str
    scope: str
    unit: str
    before: Estimate
    after: Estimate
    difference: Estimate
    change: Change

    @property
    def relative(self) -> float | None:
        """Difference of the means as a part of the first; None where that is 0 or missing."""
        if self.difference.mean is None or not self.before.mean:
            return None
        return self.difference.mean / self.before.mean


@dataclass(frozen=True)
class Loser:
    """A class, tenant or size whose mean wait grew.

    Attributes
    ----------
    scope : str
        Key of the scope.
    n_jobs : int
        Its jobs in one replication, on average.
    wait : Difference
        Its mean wait before and after.
    """

    scope: str
    n_jobs: int
    wait: Difference


@dataclass(frozen=True)
class PairedJobs:
    """The same jobs under both scenarios, in replication 0.

    Attributes
    ----------
    n_jobs : int
        Jobs that finished in both.
    sooner_share, later_share : float
        Parts of them that finished earlier and later than before.
    jct_ratio_median : float, optional
        Median of completion time after / before.
    """

    n_jobs: int
    sooner_share: float
    later_share: float
    jct_ratio_median: float | None


@dataclass(frozen=True)
class Comparison:
    """Two scenarios side by side.

    Attributes
    ----------
    before, after : Replications
        The runs.
    is_paired : bool
        Whether both saw the same jobs.
    differences : tuple of Difference
        Each metric for all jobs, then by class, tenant and pool.
    losers : tuple of Loser
        Whose mean wait grew beyond doubt (with one replication: at all), largest growth first.
    jobs : PairedJobs, optional
        Job by job, where both saw the same jobs.
    """

    before: Replications
    after: Replications
    is_paired: bool
    differences: tuple[Difference, ...]
    losers: tuple[Loser, ...]
    jobs: PairedJobs | None

    def difference(self, slug: str, scope: str = "all") -> Difference:
        """Return the row of one metric and scope."""
        return compare_metric(self.before, self.after, slug, scope)


def compare_metric(before: Replications, after: Replications, slug: str, scope: str = "all") -> Difference:
    """Return one metric of one scope under both scenarios.

    Parameters
    ----------
    before, after : Replications
        The runs; replication k of one is paired with k of the other.
    slug, scope : str
        What and where.

    Returns
    -------
    Difference
        Where one side is a lower bound the difference is a bound too (the truth before can only be larger, so the
        growth only smaller, and the other way round), and says which way only on its safe side; where both are, it
        says nothing.
    """
    metric = all_metrics()[slug]
    pairs = list(zip(before.summaries, after.summaries, strict=False))
    values = [_difference(first, second, slug, scope) for first, second in pairs]
    old, new = before.estimate(slug, scope), after.estimate(slug, scope)
    # before a lower bound: the growth is at most this; after a lower bound: it is at least this.
    found = estimate(values, is_lower_bound=new.is_lower_bound)
    change = _change(values, found, metric.better)
    if (old.is_lower_bound and (found.mean or 0) > 0) or (new.is_lower_bound and (found.mean or 0) < 0):
        change = "unclear"
    return Difference(slug, scope, metric.unit, old, new, found, change)


def _difference(before: Summary, after: Summary, slug: str, scope: str) -> float | None:
    old, new = before.value(slug, scope).value, after.value(slug, scope).value
    return None if old is None or new is None else new - old


def _change(values: Sequence[float | None], found: Estimate, better: str) -> Change:
    if found.n and all(value == 0 for value in values):
        return "same"
    if not found.excludes_zero or found.mean is None or better == "none":
        return "unclear"
    return "better" if (found.mean > 0) == (better == "higher") else "worse"


def find_losers(before: Replications, after: Replications) -> tuple[Loser, ...]:
    """Return the classes, tenants and sizes whose mean wait grew, largest growth first.

    Parameters
    ----------
    before, after : Replications
        The runs.

    Returns
    -------
    tuple of Loser
        With two or more replications only where the whole interval of the growth lies above 0.
    """
    kinds: tuple[ScopeKind, ...] = ("class", "tenant", "size")
    found = []
    for scope in (key for kind in kinds for key in after.summaries[0].scopes(kind)):
        wait = compare_metric(before, after, "wait_mean", scope)
        growth = wait.difference
        if growth.mean is not None and growth.mean > 0 and (growth.n < 2 or growth.excludes_zero):
            n_jobs = round(sum(summary.jobs.get(scope, 0) for summary in after.summaries) / after.n)
            found.append(Loser(scope, n_jobs, wait))
    return tuple(sorted(found, key=lambda loser: -(loser.wait.difference.mean or 0.0)))


def pair_jobs(before: Result, after: Result) -> PairedJobs | None:
    """Return what became of each job, if both results are about the same jobs.

    Parameters
    ----------
    before, after : Result
        Two runs.

    Returns
    -------
    PairedJobs, optional
        None where the jobs differ.
    """
    old, new = before.table.jobs, after.table.jobs
    if old.submit_ms.shape != new.submit_ms.shape:
        return None
    asked = ((old.submit_ms, new.submit_ms), (old.gpus, new.gpus), (old.runtime_ms, new.runtime_ms))
    if not all(np.array_equal(first, second) for first, second in asked):
        return None
    is_done = (before.outcome.state == FINISHED) & (after.outcome.state == FINISHED)
    rows = np.flatnonzero(is_done & before.in_window & after.in_window)
    first = before.outcome.finish_ms[rows] - old.submit_ms[rows]
    second = after.outcome.finish_ms[rows] - new.submit_ms[rows]
    n_jobs = int(rows.shape[0])
    if not n_jobs:
        return PairedJobs(0, 0.0, 0.0, None)
    lasting = first > 0
    ratio = float(np.median(second[lasting] / first[lasting])) if lasting.any() else None
    return PairedJobs(n_jobs, float((second < first).mean()), float((second > first).mean()), ratio)


def compare(
    before: Scenario,
    after: Scenario,
    n: int | None = None,
    *,
    logs: tuple[JobTable | None, JobTable | None] = (None, None),
    progress: Progress | None = None,
    simulate: Simulate | None = None,
) -> Comparison:
    """Run two scenarios on common random numbers.

    Parameters
    ----------
    before, after : Scenario
        What is compared.
    n : int, optional
        Replications of each; the larger of what the two ask for by default.
    logs : tuple
        Jobs of an imported log for each.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.

    Returns
    -------
    Comparison
        Differences are after - before.
    """
    wanted = n if n is not None else max(default_replications(before, logs[0]), default_replications(after, logs[1]))
    firsts: list[Result] = []

    def keep_first(result: Result, summary: Summary) -> None:  # noqa: ARG001
        if result.provenance.replication == 0:
            firsts.append(result)

    def half(part: int) -> Progress | None:
        return None if progress is None else lambda share: progress((part + share) / 2)

    runs = [
        replicate(scenario, wanted, log=log, progress=half(part), simulate=simulate, keep=keep_first)
        for part, (scenario, log) in enumerate(zip((before, after), logs, strict=True))
    ]
    return join(runs[0], runs[1], pair_jobs(firsts[0], firsts[1]))


def join(before: Replications, after: Replications, jobs: PairedJobs | None = None) -> Comparison:
    """Return the comparison of runs that were made already.

    Parameters
    ----------
    before, after : Replications
        The runs.
    jobs : PairedJobs, optional
        From `pair_jobs`; says that both saw the same jobs.

    Returns
    -------
    Comparison
        Differences are after - before.
    """
    metrics = all_metrics()
    kinds: tuple[ScopeKind, ...] = ("all", "class", "tenant", "pool")
    keys = [(kind, scope) for kind in kinds for scope in after.summaries[0].scopes(kind)]
    differences = tuple(
        compare_metric(before, after, slug, scope)
        for kind, scope in keys
        for slug, metric in metrics.items()
        if kind in metric.scopes
    )
    return Comparison(before, after, jobs is not None, differences, find_losers(before, after), jobs)
