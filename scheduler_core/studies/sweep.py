"""Sweep: what one or two fields do to the answer, every point on the same draws, with paired intervals.

Replication k of every point has the same seed, so where only the policy or the cluster varies all points see the same
jobs, and a difference is taken within each replication.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import Summary
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario, run_hash, scenario_hash
from scheduler_core.studies._estimate import Estimate
from scheduler_core.studies.compare import Difference, compare_metric
from scheduler_core.studies.replicate import Progress, Replications, default_replications
from scheduler_core.studies.sweep_cache import RunCache
from scheduler_core.studies.sweep_front import (
    MOST_OBJECTIVES,
    Objective,
    Recommendation,
    Region,
    Row,
    front,
    knee,
    recommend,
    region,
)
from scheduler_core.studies.sweep_measures import Measure, default_measures, keeps_targets, kinds_for
from scheduler_core.studies.sweep_points import Axis, Point, find_baseline, make_points

MOST_RUNS = 4_000


@dataclass(frozen=True)
class Means:
    """What a sweep may use.

    Attributes
    ----------
    log : JobTable, optional
        Jobs of an imported log.
    n_workers : int, optional
        Processes; by default as many as the work is worth.
    cache : RunCache, optional
        Where runs are kept.
    """

    log: JobTable | None = None
    n_workers: int | None = None
    cache: RunCache | None = None


@dataclass(frozen=True)
class Sweep:
    """All points of a sweep, run.

    Attributes
    ----------
    base : Scenario
        Where it started from.
    axes : tuple of Axis
        What was varied.
    measures : tuple of Measure
        What was looked at.
    points : tuple of Point
        The scenarios; the last axis runs fastest.
    runs : tuple of Replications
        One for each point.
    baseline : int
        The point that the others are compared with.
    n_kept : int
        Runs that were not made again, because they were kept from before.
    """

    base: Scenario
    axes: tuple[Axis, ...]
    measures: tuple[Measure, ...]
    points: tuple[Point, ...]
    runs: tuple[Replications, ...]
    baseline: int
    n_kept: int = 0

    @property
    def n_replications(self) -> int:
        """Replications of each point."""
        return self.runs[0].n

    @property
    def is_paired(self) -> bool:
        """Whether all points saw the same jobs: nothing was varied that the jobs are drawn from."""
        return len({_drawn_from(point.scenario) for point in self.points}) == 1

    def estimate(self, point: int, measure: Measure) -> Estimate:
        """Return what the replications of a point say about a measure."""
        return self.runs[point].estimate(measure.slug, measure.scope)

    def difference(self, point: int, measure: Measure) -> Difference:
        """Return a point against the baseline: the paired difference with its 95 % interval."""
        return compare_metric(self.runs[self.baseline], self.runs[point], measure.slug, measure.scope)

    def rows(self, measures: Sequence[Measure] | None = None) -> list[Row]:
        """Return the means of each point by the name of the measure."""
        wanted = self.measures if measures is None else measures
        return [{each.name: self.estimate(at, each).mean for each in wanted} for at in range(len(self.points))]

    def keeps(self) -> tuple[bool, ...]:
        """Return whether each point keeps every target of the scenario, by the means over its replications."""
        pairs = zip(self.points, self.runs, strict=True)
        return tuple(keeps_targets(point.scenario, runs.combined) for point, runs in pairs)

    def objectives(self, measures: Sequence[Measure] | None = None) -> list[Objective]:
        """Return what is wanted of the measures that have a better direction, at most three."""
        found = [each.objective for each in (self.measures if measures is None else measures)]
        return [each for each in found if each is not None][:MOST_OBJECTIVES]

    def front(self, measures: Sequence[Measure] | None = None) -> tuple[int, ...]:
        """Return the points that no other point beats."""
        return front(self.rows(measures), self.objectives(measures))

    def knee(self, measures: Sequence[Measure] | None = None) -> int | None:
        """Return the knee of the front of two measures."""
        return knee(self.rows(measures), self.objectives(measures))

    def recommend(
        self, measures: Sequence[Measure] | None = None, weights: Mapping[str, float] | None = None
    ) -> Recommendation | None:
        """Return the best point for these weights among those that keep all targets."""
        objectives = self.objectives(measures)
        if not objectives:
            return None
        return recommend(self.rows(measures), objectives, weights, self.keeps())

    def regions(self, measures: Sequence[Measure] | None = None) -> list[Region | None]:
        """Return for which weights each point wins among those that keep all targets; None for no weights."""
        rows, objectives, keeps = self.rows(measures), self.objectives(measures), self.keeps()
        able = [at for at, kept in enumerate(keeps) if kept] or list(range(len(rows)))
        return [region(rows, objectives, at, able) if at in able and objectives else None for at in range(len(rows))]


def sweep(
    base: Scenario,
    axes: Sequence[Axis],
    n: int | None = None,
    *,
    measures: Sequence[Measure] | None = None,
    baseline: Mapping[str, str] | None = None,
    means: Means | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Run every combination of the values of one or two fields.

    Parameters
    ----------
    base : Scenario
        What is the same in all points.
    axes : sequence of Axis
        What is varied.
    n : int, optional
        Replications of each point; what the scenario asks for by default.
    measures : sequence of Measure, optional
        What is looked at; see `default_measures`.
    baseline : mapping, optional
        Path -> value of the point to compare with; see `find_baseline`.
    means : Means, optional
        The log, the processes and the cache.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    Sweep
        The same to the last bit whatever the number of processes, and for each point what a run on its own gives.

    Raises
    ------
    InputError
        If the points or the number of runs make no sense; nothing has run then.
    ScenarioError
        If a point is not a valid scenario, or not available yet; nothing has run then.
    CancelledError
        If `progress` returned False.
    """
    points = make_points(base, axes)
    start = find_baseline(base, points, baseline)
    means = means or Means()
    wanted = n if n is not None else default_replications(base, means.log)
    _check_runs(wanted, len(points))
    looked_at = tuple(measures) if measures is not None else default_measures(base)
    runs, n_kept = _run(points, wanted, looked_at, means, progress)
    return Sweep(base, tuple(axes), looked_at, points, runs, start, n_kept)


def _drawn_from(scenario: Scenario) -> str:
    names = [tenant.name for tenant in scenario.tenants]
    return f"{scenario.workload.model_dump_json()} {names} {scenario.run.days} {scenario.run.seed}"


def _check_runs(n_replications: int, n_points: int) -> None:
    if n_replications < 1:
        raise InputError("replications", n_replications, Phrase("at least 1"))
    if n_replications * n_points > MOST_RUNS:
        raise InputError(
            Phrase("the number of runs"),
            n_replications * n_points,
            Phrase(
                "at most {most_runs:,}; there are {n_points:,} points with {n_replications:,} replications each",
                most_runs=MOST_RUNS,
                n_points=n_points,
                n_replications=n_replications,
            ),
        )


def _run(
    points: Sequence[Point],
    n_replications: int,
    measures: Sequence[Measure],
    means: Means,
    progress: Progress | None,
) -> tuple[tuple[Replications, ...], int]:
    # imported late, because they load (or compile) the kernels
    from scheduler_core.api import ENGINE_VERSION  # noqa: PLC0415
    from scheduler_core.studies.sweep_workers import Task, run_all  # noqa: PLC0415

    cache = means.cache
    kinds = kinds_for(measures, points[0].scenario)
    cells = [(at, draw) for draw in range(n_replications) for at in range(len(points))]  # the same jobs in a row
    keys = [run_hash(points[at].scenario, ENGINE_VERSION, draw) for at, draw in cells]
    found: dict[tuple[int, int], Summary] = {}
    for (at, draw), key in zip(cells, keys, strict=True):
        kept = None if cache is None else cache.get(key, kinds)
        if kept is not None:
            found[at, draw] = _of(points[at].scenario, kept)
    missing = [(cell, key) for cell, key in zip(cells, keys, strict=True) if cell not in found]

    def done(number: int, summary: Summary) -> None:
        cell, key = missing[number]
        found[cell] = summary
        if cache is not None:
            cache.put(key, kinds, summary)

    if missing:
        tasks = [Task(points[at].scenario, draw) for (at, draw), _ in missing]
        run_all(tasks, kinds, done, n_workers=means.n_workers, log=means.log, progress=progress)
    runs = []
    for at, point in enumerate(points):
        summaries = tuple(found[at, draw] for draw in range(n_replications))
        runs.append(Replications(point.scenario, summaries))
    return tuple(runs), len(cells) - len(missing)


def _of(scenario: Scenario, kept: Summary) -> Summary:
    """Return a kept summary under the name of this question, which may have other targets."""
    return replace(kept, provenance=replace(kept.provenance, scenario_hash=scenario_hash(scenario)))
