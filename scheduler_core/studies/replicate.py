"""Run a scenario several times with different draws: what is luck and what is not.

Replication 0 is the seed itself, so a single run is the first of the replications.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeAlias

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import SCOPE_KINDS, ScopeKind, Summary, Value, all_metrics, summarize
from scheduler_core.phrases import Phrase
from scheduler_core.result import Result
from scheduler_core.scenario.document import Scenario
from scheduler_core.studies._estimate import Estimate, estimate

Progress: TypeAlias = Callable[[float], bool]
"""Called with the share done, 0 to 1; returning False cancels."""


class Simulate(Protocol):
    """How a study runs one replication; `api.simulate` by default."""

    def __call__(
        self,
        scenario: Scenario,
        *,
        replication: int = 0,
        log: JobTable | None = None,
        progress: Progress | None = None,
    ) -> Result:
        """Return the result of one replication."""


def engine() -> Simulate:
    """Return `api.simulate`; imported late, because that loads (or compiles) the kernels."""
    from scheduler_core import api  # noqa: PLC0415

    return api.simulate


@dataclass(frozen=True)
class Replications:
    """The same scenario with several draws.

    Attributes
    ----------
    scenario : Scenario
        What was run.
    summaries : tuple of Summary
        One a replication, in order.
    """

    scenario: Scenario
    summaries: tuple[Summary, ...]

    @property
    def n(self) -> int:
        """Number of replications."""
        return len(self.summaries)

    def estimate(self, slug: str, scope: str = "all") -> Estimate:
        """Return what the replications say about a metric of a scope; the interval ends where the metric does."""
        values = [summary.value(slug, scope) for summary in self.summaries]
        is_bound = any(value.is_lower_bound for value in values)
        found = estimate([value.value for value in values], is_lower_bound=is_bound)
        return found.within(*all_metrics()[slug].range)

    @cached_property
    def combined(self) -> Summary:
        """One summary for all: means of the metrics, sums of jobs, causes and books."""
        return combine(self.summaries)


def combine(summaries: tuple[Summary, ...]) -> Summary:
    """Return one summary for several replications of a scenario.

    Parameters
    ----------
    summaries : tuple of Summary
        At least one.

    Returns
    -------
    Summary
        Each metric is the mean over the replications that have a number, a lower bound if one of them is; jobs,
        causes and books are sums; provenance is that of the first.
    """
    first = summaries[0]
    if len(summaries) == 1:
        return first
    values = {
        slug: {scope: _mean_value(summaries, slug, scope) for scope in _keys(s.values[slug] for s in summaries)}
        for slug in first.values
    }
    return replace(
        first,
        values=values,
        jobs=_total(summary.jobs for summary in summaries),
        cause_ms=_totals([summary.cause_ms for summary in summaries]),
        order_behind_ms=_totals([summary.order_behind_ms for summary in summaries]),
        books_gpu_ms=_total(summary.books_gpu_ms for summary in summaries),
        n_unschedulable=sum(summary.n_unschedulable for summary in summaries),
    )


def _mean_value(summaries: tuple[Summary, ...], slug: str, scope: str) -> Value:
    values = [summary.value(slug, scope) for summary in summaries]
    known = [value.value for value in values if value.value is not None]
    mean = math.fsum(known) / len(known) if known else None
    return Value(mean, any(value.is_lower_bound for value in values))


def _keys(maps: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for each in maps for key in each))


def _total(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for key, amount in part.items():
            total[key] = total.get(key, 0) + amount
    return total


def _totals(parts: list[Mapping[str, Mapping[str, int]]]) -> dict[str, dict[str, int]]:
    return {scope: _total(part.get(scope, {}) for part in parts) for scope in _keys(parts)}


def step(progress: Progress | None, done: int, total: int) -> Progress | None:
    """Return the progress of one run as part `done` of `total` runs."""
    if progress is None:
        return None
    return lambda share: progress((done + share) / total)


def replicate(
    scenario: Scenario,
    n: int | None = None,
    *,
    log: JobTable | None = None,
    progress: Progress | None = None,
    simulate: Simulate | None = None,
    scopes: tuple[ScopeKind, ...] = SCOPE_KINDS,
    keep: Callable[[Result, Summary], None] | None = None,
) -> Replications:
    """Run a scenario several times.

    Parameters
    ----------
    scenario : Scenario
        What to run.
    n : int, optional
        Number of replications; `run.replications` by default, and 1 for a log or explicit jobs, where nothing is
        drawn.
    log : JobTable, optional
        Jobs of an imported log.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.
    scopes : tuple of str
        Kinds of scope to measure.
    keep : callable, optional
        Called with each result and summary as soon as it is there; the study itself keeps summaries only.

    Returns
    -------
    Replications
        The summaries in order.

    Raises
    ------
    InputError
        If `n` is not positive.
    """
    wanted = n if n is not None else default_replications(scenario, log)
    if wanted < 1:
        raise InputError("replications", wanted, Phrase("at least 1"))
    run = simulate or engine()
    summaries = []
    for replication in range(wanted):
        result = run(scenario, replication=replication, log=log, progress=step(progress, replication, wanted))
        summary = summarize(result, scopes)
        summaries.append(summary)
        if keep is not None:
            keep(result, summary)
    return Replications(scenario, tuple(summaries))


def is_drawn(scenario: Scenario) -> bool:
    """Return whether the jobs are drawn, so that replications differ."""
    arrivals = scenario.workload.arrivals
    return getattr(arrivals, "process", None) is not None


def default_replications(scenario: Scenario, log: JobTable | None = None) -> int:
    """Return how often a scenario is run when nobody says: once where nothing is drawn."""
    return scenario.run.replications if log is None and is_drawn(scenario) else 1
