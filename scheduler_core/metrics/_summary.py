"""All metrics of one run.

A `Summary` holds plain numbers only, so it can be stored, sent and compared without the run it came from.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import cast

import numpy as np

from scheduler_core.books import BOOKS
from scheduler_core.kernels.tables import CAUSES
from scheduler_core.metrics._base import NOTHING, SCOPE_KINDS, Metric, ScopeKind, Value
from scheduler_core.metrics._view import views
from scheduler_core.registry import find
from scheduler_core.result import Provenance, Result

TOPICS = ("waits", "use", "work", "fairness", "sharing", "quotas", "preemption", "overtaking", "causes")
"""Order of the files of this package in tables."""


@dataclass(frozen=True)
class Summary:
    """The metrics of one run.

    Attributes
    ----------
    provenance : Provenance
        Where the numbers come from.
    window_ms : tuple of int
        Begin and end of the window in ms.
    healthy_gpus : int
        GPUs that can be scheduled.
    jobs : mapping of str to int
        Scope key -> jobs that job metrics cover.
    values : mapping
        Metric slug -> scope key -> value.
    cause_ms : mapping
        Scope key -> cause -> waiting time in ms; causes that did not occur are left out.
    order_behind_ms : mapping
        Scope key (all, classes, tenants with classes of their own) -> what the job ahead waited for, for time booked
        `order`, in ms.
    books_gpu_ms : mapping
        Kind of GPU-time -> GPU-ms of the window; sums to the allocated GPU-time.
    fence_of : mapping
        Scope key of a tenant or class -> key of the pools its jobs may use; missing where they may use several.
    n_unschedulable : int
        Jobs submitted in the window that no pool could ever hold.
    """

    provenance: Provenance
    window_ms: tuple[int, int]
    healthy_gpus: int
    jobs: Mapping[str, int]
    values: Mapping[str, Mapping[str, Value]]
    cause_ms: Mapping[str, Mapping[str, int]]
    order_behind_ms: Mapping[str, Mapping[str, int]]
    books_gpu_ms: Mapping[str, int]
    fence_of: Mapping[str, str] = field(default_factory=dict)
    n_unschedulable: int = 0

    def value(self, slug: str, scope: str = "all") -> Value:
        """Return one number; without a number where the scope has none."""
        return self.values.get(slug, {}).get(scope, NOTHING)

    @property
    def censored_share(self) -> float:
        """Share of jobs that had not started by the end of the run."""
        return self.value("censored_share").value or 0.0

    def cause_shares(self, scope: str = "all") -> dict[str, float]:
        """Return the parts of the waiting time by cause, largest first; empty where nobody waited."""
        return _shares(self.cause_ms.get(scope, {}))

    def order_behind_shares(self, scope: str = "all") -> dict[str, float]:
        """Return what the job ahead waited for, as parts of the time booked `order`, largest first."""
        return _shares(self.order_behind_ms.get(scope, {}))

    def scopes(self, kind: ScopeKind) -> tuple[str, ...]:
        """Return the keys of one kind of scope, in the order of the tables."""
        return tuple(key for key in self.jobs if key.split(":")[0] == kind)


def _shares(parts: Mapping[str, int]) -> dict[str, float]:
    total = sum(parts.values())
    ordered = sorted(parts.items(), key=lambda part: -part[1])
    return {name: part / total for name, part in ordered if part} if total else {}


@cache
def all_metrics() -> Mapping[str, Metric]:
    """Return every metric by slug, those people ask for first; topics that `TOPICS` lacks come last."""
    found = cast("Mapping[str, Metric]", find("metrics"))
    return dict(sorted(found.items(), key=lambda item: _topic(item[1])))


def _topic(metric: Metric) -> int:
    name = metric.function.__module__.rpartition(".")[2]
    return TOPICS.index(name) if name in TOPICS else len(TOPICS)


def summarize(
    result: Result, scopes: Sequence[ScopeKind] = SCOPE_KINDS, slugs: Collection[str] | None = None
) -> Summary:
    """Return the metrics of a run.

    Parameters
    ----------
    result : Result
        The run.
    scopes : sequence of str
        Kinds of scope: all, class, tenant, size, pool.
    slugs : collection of str, optional
        The metrics to find; all of them where it is left out, and a summary has no number for the others.

    Returns
    -------
    Summary
        The same for the same result, to the last bit.
    """
    metrics = {slug: metric for slug, metric in all_metrics().items() if slugs is None or slug in slugs}
    values: dict[str, dict[str, Value]] = {slug: {} for slug in metrics}
    jobs: dict[str, int] = {}
    by_cause: dict[str, dict[str, int]] = {}
    for view in views(result, tuple(scopes)):
        key = view.scope.key
        jobs[key] = view.n_jobs
        by_cause[key] = _named(view.cause_ms)
        for slug, metric in metrics.items():
            if view.scope.kind in metric.scopes:
                values[slug][key] = metric.function(view)
    of_class = _tenants_of_classes(result)
    return Summary(
        provenance=result.provenance,
        window_ms=result.window_ms,
        healthy_gpus=result.healthy_gpus,
        jobs=jobs,
        values=values,
        cause_ms=by_cause,
        order_behind_ms=_order_behind(result, of_class),
        books_gpu_ms={kind: result.books[kind] for kind in BOOKS},
        fence_of=_fences_of_scopes(result, of_class),
        n_unschedulable=int((result.in_window & ~result.is_counted).sum()),
    )


def _named(total: Sequence[int]) -> dict[str, int]:
    return {cause: part for cause, part in zip(CAUSES, total, strict=True) if part}


def _tenants_of_classes(result: Result) -> dict[int, set[int]]:
    """Return the tenants whose jobs each class holds."""
    jobs, n_tenants = result.table.jobs, max(len(result.tenants), 1)
    found: dict[int, set[int]] = {}
    code_of_job = jobs.job_class.astype(np.int64) * n_tenants + jobs.tenant
    for code in np.flatnonzero(np.bincount(code_of_job)).tolist():
        found.setdefault(code // n_tenants, set()).add(code % n_tenants)
    return found


def _order_behind(result: Result, of_class: Mapping[int, set[int]]) -> dict[str, dict[str, int]]:
    """Return what was ahead for everything, each class, and each tenant that shares no class with another."""
    behind = result.outcome.order_behind_ms
    total = {"all": behind.sum(axis=0)} | {f"class:{name}": behind[at] for at, name in enumerate(result.classes)}
    mixed = {tenant for tenants in of_class.values() if len(tenants) > 1 for tenant in tenants}
    for job_class, tenants in of_class.items():
        for tenant in tenants - mixed:
            key = f"tenant:{result.tenants[tenant]}"
            total[key] = total.get(key, 0) + behind[job_class]
    return {key: _named(parts.tolist()) for key, parts in total.items()}


def _fences_of_scopes(result: Result, of_class: Mapping[int, set[int]]) -> dict[str, str]:
    fences = result.fences
    keys = [f"pool:{fences.names[at]}" for at in fences.of_tenant.tolist()]
    found = {f"tenant:{name}": key for name, key in zip(result.tenants, keys, strict=True)}
    for job_class, tenants in of_class.items():
        pools = {keys[tenant] for tenant in tenants}
        if len(pools) == 1:
            found[f"class:{result.classes[job_class]}"] = pools.pop()
    return found
