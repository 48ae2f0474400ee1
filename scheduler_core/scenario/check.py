"""What a scenario asks for against what it has: offered load, and jobs that can never start.

Loads come from closed formulas (mean GPUs x mean run time x jobs a day), so they are exact means of the generator;
with a job table they are what that table asks for.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from scheduler_core import registry, units
from scheduler_core.distinct import number_rows
from scheduler_core.errors import Fault
from scheduler_core.kernels.tables import DAY_MS, JobTable
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.advice import advice, by_hand
from scheduler_core.scenario.availability import unavailable
from scheduler_core.scenario.checkpoint import JobShape
from scheduler_core.scenario.cluster import Pool
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.durations import Duration, LimitRule, Lognormal
from scheduler_core.scenario.fences import Fence, domains, fences, fits_empty, nodes_of_size, pools_of
from scheduler_core.scenario.quotas import QuotaTree, effective_quotas
from scheduler_core.scenario.workload import JobClass

WARN_ABOVE_LOAD = 0.95
"""Offered load above which the report warns: the line then grows for as long as the run lasts."""

Types = tuple[str, ...] | None


@dataclass(frozen=True)
class Ask:
    """Equal jobs: who asks, for how many GPUs of which types and shape, how many, and their GPU-ms together."""

    label: str
    tenant: str
    gpus: int
    types: Types
    jobs: float
    gpu_ms: float
    shape: JobShape | None = None


@dataclass(frozen=True)
class Load:
    """Offered load of some GPUs.

    Attributes
    ----------
    name : str
        Pools of the fence, a tenant, or GPU types behind a fence.
    gpus : int
        GPUs there.
    asked_gpus : float
        GPUs that would be busy on average if all work were done as it comes.
    jobs_per_day : float
        Jobs that ask for them.
    """

    name: str
    gpus: int
    asked_gpus: float
    jobs_per_day: float

    @property
    def load(self) -> float:
        """Asked over available; infinite where there is nothing."""
        return self.asked_gpus / self.gpus if self.gpus else math.inf


@dataclass(frozen=True)
class Unschedulable:
    """Jobs that can never start, and why; found before the run."""

    label: str
    gpus: int
    jobs: float
    reason: Phrase

    @property
    def sentence(self) -> Phrase:
        """One sentence for people."""
        gpus = units.format_gpus(self.gpus)
        return Phrase("{label}: jobs of {gpus} can never start: {reason}.", label=self.label, gpus=gpus,
                      reason=self.reason)  # fmt: skip


@dataclass(frozen=True)
class Report:
    """What `check` finds.

    Attributes
    ----------
    pools, tenants, types : tuple of Load
        By fence, by tenant (against the pools it may use), and by GPU types where classes insist on some.
    unschedulable : tuple of Unschedulable
        Jobs that can never start.
    unavailable : tuple of Fault
        Parts that are not available yet.
    warnings : tuple of Phrase
        Sentences: loads above 0.95, and what `advice` finds.
    by_hand : tuple of str
        Quota fields that were set by hand against what the isolation presets.
    is_from_jobs : bool
        Whether a job table or list was counted instead of formulas.
    """

    pools: tuple[Load, ...]
    tenants: tuple[Load, ...]
    types: tuple[Load, ...]
    unschedulable: tuple[Unschedulable, ...]
    unavailable: tuple[Fault, ...]
    warnings: tuple[Phrase, ...]
    is_from_jobs: bool
    by_hand: tuple[str, ...] = ()


def check(scenario: Scenario, jobs: JobTable | None = None) -> Report:
    """Compare what a scenario asks for with what it has.

    Parameters
    ----------
    scenario : Scenario
        Any scenario.
    jobs : JobTable, optional
        Its jobs; without them generated classes are taken by formula and listed jobs are counted. A log needs them.

    Returns
    -------
    Report
        Loads, warnings and jobs that can never start.

    Notes
    -----
    Formulas give the mean over whole weeks; a run of a few days with `week: true` asks for somewhat more or less.
    """
    is_from_jobs = jobs is not None or scenario.workload.arrivals.process is None
    asks = tuple(_asks_of_table(scenario, jobs) if jobs is not None else _asks(scenario))
    days = 1.0 if not is_from_jobs else scenario.run.days
    pools = tuple(_load(fence.name, fence.gpus, _of(asks, fence.tenants), days) for fence in fences(scenario))
    tenants = tuple(
        _load(tenant.name, sum(pool.gpus for pool in pools_of(scenario, tenant.name)), _of(asks, (tenant.name,)), days)
        for tenant in scenario.tenants
    )
    types = tuple(load for fence in fences(scenario) for load in _type_loads(fence, asks, days))
    return Report(
        pools=pools,
        tenants=tenants,
        types=types,
        unschedulable=tuple(_unschedulable(scenario, asks)),
        unavailable=unavailable(scenario),
        warnings=(
            *(_warning(load) for load in (*pools, *types) if load.load > WARN_ABOVE_LOAD),
            *advice(scenario),
        ),
        is_from_jobs=is_from_jobs,
        by_hand=by_hand(scenario),
    )


def _of(asks: tuple[Ask, ...], tenants: tuple[str, ...]) -> list[Ask]:
    return [ask for ask in asks if ask.tenant in tenants]


def _load(name: str, gpus: int, asks: list[Ask], days: float) -> Load:
    asked = sum(ask.gpu_ms for ask in asks) / (days * DAY_MS)
    return Load(name, gpus, asked, sum(ask.jobs for ask in asks) / days)


def _warning(load: Load) -> Phrase:
    return Phrase(
        "{name}: jobs ask for {share} of {gpus}; above {most} the line grows for as long as the run lasts.",
        name=load.name,
        share=units.format_share(load.load),
        gpus=units.format_gpus(load.gpus),
        most=units.format_share(WARN_ABOVE_LOAD, 0),
    )


def _type_loads(fence: Fence, asks: tuple[Ask, ...], days: float) -> Iterator[Load]:
    """Jobs that insist on some types can overload these while the fence as a whole has room."""
    own = _of(asks, fence.tenants)
    for types in dict.fromkeys(ask.types for ask in own):
        gpus = sum(pool.gpus for pool in fence.pools if types is None or pool.gpu in types)
        if types is None or gpus == fence.gpus:
            continue
        bound = [ask for ask in own if ask.types is not None and set(ask.types) <= set(types)]
        yield _load(f"{fence.name}, only {' or '.join(types)}", gpus, bound, days)


def _asks(scenario: Scenario) -> Iterator[Ask]:
    arrivals = scenario.workload.arrivals
    if arrivals.process is not None:
        for job_class in scenario.workload.classes:
            yield from _asks_of_class(job_class, is_killed=scenario.policy.kill_at_limit)
    shapes = _shapes(scenario)
    for row in arrivals.jobs or ():
        is_cut = scenario.policy.kill_at_limit and row.limit is not None
        run_ms = min(row.duration, row.limit or 0) if is_cut else row.duration
        shape = _shape_of(shapes, row.job_class, row.gpus)
        yield Ask(row.id, row.tenant, row.gpus, row.gpu_types, 1.0, float(row.gpus * run_ms), shape)


def _shapes(scenario: Scenario) -> dict[str | None, JobShape | None]:
    return {job_class.name: job_class.shape for job_class in scenario.workload.classes}


def _shape_of(shapes: Mapping[str | None, JobShape | None], job_class: str | None, gpus: int) -> JobShape | None:
    """Return the shape of a job: that of its class, if its GPUs are those of the shape."""
    shape = shapes.get(job_class)
    return shape if shape is not None and shape.gpus == gpus else None


def _asks_of_class(job_class: JobClass, *, is_killed: bool) -> Iterator[Ask]:
    if job_class.service or job_class.fraction:
        return
    for gpus, share in job_class.gpus.items():
        jobs = job_class.per_day * share
        if jobs > 0:
            run_ms = mean_duration_ms(job_class.duration.of(gpus), job_class.limit if is_killed else None)
            gpu_ms = jobs * gpus * run_ms
            yield Ask(job_class.name, job_class.tenant, gpus, job_class.gpu_types, jobs, gpu_ms, job_class.shape)


def _asks_of_table(scenario: Scenario, table: JobTable) -> Iterator[Ask]:
    jobs = table.jobs
    run_ms = np.minimum(jobs.runtime_ms, jobs.limit_ms) if scenario.policy.kill_at_limit else jobs.runtime_ms
    kinds = number_rows([jobs.job_class, jobs.tenant, jobs.gpus, jobs.type_set])
    shapes = _shapes(scenario)
    gpu_ms = np.bincount(kinds.of_row, jobs.gpus * run_ms.astype(np.float64), minlength=len(kinds.values))
    for kind, row in enumerate(kinds.values):
        job_class, tenant, gpus, type_set = (
            int(column[row]) for column in (jobs.job_class, jobs.tenant, jobs.gpus, jobs.type_set)
        )
        label, types = table.classes[job_class], table.type_sets[type_set]
        shape = _shape_of(shapes, label, gpus)
        yield Ask(label, table.tenants[tenant], gpus, types, float(kinds.n_rows[kind]), float(gpu_ms[kind]), shape)


def mean_duration_ms(duration: Duration, limit: LimitRule | None = None) -> float:
    """Return the mean run time of a distribution.

    Parameters
    ----------
    duration : Duration
        Without `by_gpus`; use `duration.of(gpus)` first.
    limit : LimitRule, optional
        The limit at which jobs are ended; None where they are not.

    Returns
    -------
    float
        Mean in ms; exact for a log-normal cut at both ends.

    Notes
    -----
    A fixed limit cuts a log-normal like its `max`, and the others at their mean; factors below 1 shorten every job.
    """
    cap = float(limit.fixed) if limit is not None and limit.fixed is not None else math.inf
    if duration.lognormal is not None:
        mean = _lognormal_mean(duration.lognormal, cap)
    elif duration.exponential is not None:
        mean = _exponential_mean(duration.exponential.mean, cap)
    elif duration.uniform is not None:
        mean = _uniform_mean(duration.uniform.min, duration.uniform.max, cap)
    else:
        mean = min(float(duration.fixed or 0), cap)
    factors = (limit.factors or (limit.factor,)) if limit is not None else (None,)
    return mean * sum(min(1.0, factor or 1.0) for factor in factors) / len(factors)


def _exponential_mean(mean: float, cap: float) -> float:
    return mean if math.isinf(cap) else mean * -math.expm1(-cap / mean)


def _uniform_mean(low: float, high: float, cap: float) -> float:
    if cap >= high:
        return (low + high) / 2
    if cap <= low:
        return cap
    # E[min(X, c)] = (integral of x from low to c + c (high - c)) / (high - low)
    return ((cap**2 - low**2) / 2 + cap * (high - cap)) / (high - low)


def _lognormal_mean(shape: Lognormal, cap: float) -> float:
    """Mean of a log-normal whose values outside [a, b] are set to a or b.

    With z(x) = (ln x - mu) / sigma and N the normal distribution function it is
    a N(z(a)) + exp(mu + sigma^2 / 2) [N(z(b) - sigma) - N(z(a) - sigma)] + b (1 - N(z(b))).
    """
    low, high, sigma = float(shape.min or 0), min(float(shape.max or math.inf), cap), shape.spread
    if sigma == 0:
        return min(max(float(shape.median), low), high)
    below = (math.log(low) - math.log(shape.median)) / sigma if low > 0 else -math.inf
    above = (math.log(high) - math.log(shape.median)) / sigma if math.isfinite(high) else math.inf
    middle = shape.median * math.exp(sigma**2 / 2) * (_normal(above - sigma) - _normal(below - sigma))
    ends = low * _normal(below) + (high * _normal(-above) if math.isfinite(high) else 0.0)
    return middle + ends


def _normal(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2


def _unschedulable(scenario: Scenario, asks: tuple[Ask, ...]) -> Iterator[Unschedulable]:
    rule = registry.find("placements").get(scenario.policy.placement.slug)
    is_counted = bool(getattr(rule, "is_counted", False))
    trees = quota_trees(scenario)
    rows = {tenant.name: row for row, tenant in enumerate(scenario.tenants)}
    for ask in asks:
        pools = pools_of(scenario, ask.tenant)
        found = domains(tuple(pool for pool in pools if ask.types is None or pool.gpu in ask.types))
        if not any(_fits(domain, ask, is_counted=is_counted) for domain in found.values()):
            yield Unschedulable(ask.label, ask.gpus, ask.jobs, _reason(ask, found))
        elif trees and not any(tree.passes_alone(rows[ask.tenant], ask.gpus) for tree in trees):
            most = max(tree.largest_alone(rows[ask.tenant]) for tree in trees)
            reason = Phrase(
                "quotas let {tenant} use at most {most:,}, borrowed ones included", tenant=ask.tenant, most=most
            )
            yield Unschedulable(ask.label, ask.gpus, ask.jobs, reason)


def _fits(domain: tuple[Pool, ...], ask: Ask, *, is_counted: bool) -> bool:
    if ask.shape is None or is_counted:
        return fits_empty(domain, ask.gpus, is_counted=is_counted)
    return nodes_of_size(domain, ask.shape.gpus_per_node) >= ask.shape.nodes


def quota_trees(scenario: Scenario) -> tuple[QuotaTree, ...]:
    """Return the quotas of each policy of the run; none if some policy tests no quota."""
    levels = [policy.isolation for _, policy in scenario.policy.steps()]
    if "none" in levels:
        return ()
    return tuple(QuotaTree(effective_quotas(scenario, level)) for level in dict.fromkeys(levels))


def _reason(ask: Ask, found: dict[str, tuple[Pool, ...]]) -> Phrase:
    if not found:
        return Phrase("no pool {tenant} may use has {types}", tenant=ask.tenant, types=_any_of(ask.types))
    largest = max(sum(pool.gpus for pool in pools) for pools in found.values())
    if largest < ask.gpus:
        return Phrase(
            "a gang stays on one GPU type, and {tenant} may use at most {largest:,} of one",
            tenant=ask.tenant,
            largest=largest,
        )
    if ask.shape is not None:
        size = ask.shape.gpus_per_node
        nodes = max(nodes_of_size(pools, size) for pools in found.values())
        return Phrase(
            "it needs {needed:,} nodes with {size:,} GPUs or more, and there are {nodes:,} of one type",
            needed=ask.shape.nodes,
            size=size,
            nodes=nodes,
        )
    return Phrase("whole nodes and one more for the rest do not hold it")


def _any_of(types: Types) -> Phrase:
    """Return GPU types as a choice between them."""
    if not types:
        return Phrase("any GPU")
    *others, last = types
    words = Phrase("{type}", type=last)
    for other in reversed(others):
        words = Phrase("{first} or {rest}", first=other, rest=words)
    return words
