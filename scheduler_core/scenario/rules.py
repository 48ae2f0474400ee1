"""What must fit together across the document: names, fences, sizes, shares, limits."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from scheduler_core import registry
from scheduler_core.errors import Fault
from scheduler_core.phrases import Phrase, word
from scheduler_core.scenario.fences import pools_of
from scheduler_core.scenario.later import LATER_METRICS
from scheduler_core.scenario.limits import LIMITS
from scheduler_core.scenario.paths import join_path, suggest, unknown
from scheduler_core.scenario.policy_rules import policy_faults
from scheduler_core.scenario.quota_rules import quota_faults

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario

Rule = Callable[["Scenario"], Iterator[Fault]]


def broken_rules(scenario: "Scenario") -> list[Fault]:
    """Return every rule the scenario breaks.

    Parameters
    ----------
    scenario : Scenario
        A document whose every field is right by itself.

    Returns
    -------
    list of Fault
        Empty if all fits together.
    """
    return [found for rule in RULES for found in rule(scenario)]


def _too_many(path: str, count: float, slug: str) -> Iterator[Fault]:
    bound = LIMITS[slug]
    if count > bound.value:
        yield Fault(
            path,
            count,
            "",
            Phrase(
                "{path}: {count:,.0f} {what}; at most {value:,} are accepted.",
                count=count,
                what=bound.what,
                value=bound.value,
            ),
        )


def _sizes(scenario: "Scenario") -> Iterator[Fault]:
    """Keep to the stated limits."""
    cluster, workload = scenario.cluster, scenario.workload
    yield from _too_many("cluster.pools", len(cluster.pools), "pools")
    yield from _too_many("cluster.pools", cluster.nodes, "nodes")
    yield from _too_many("cluster.pools", cluster.gpus, "gpus")
    yield from _too_many("tenants", len(scenario.tenants), "tenants")
    yield from _too_many("workload.classes", len(workload.classes), "classes")
    yield from _too_many("targets", len(scenario.targets), "targets")
    if workload.arrivals.process is not None:
        jobs = sum(job_class.per_day for job_class in workload.classes) * scenario.run.days
        yield from _too_many("workload.classes", jobs, "jobs")


def _something(scenario: "Scenario") -> Iterator[Fault]:
    """Have somewhere to run and somebody who asks."""
    if not scenario.cluster.pools:
        yield Fault("cluster.pools", [], Phrase("a list with at least one pool"))
    if not scenario.tenants:
        yield Fault("tenants", [], Phrase("a list with at least one tenant"))
    if scenario.workload.arrivals.process is not None and not scenario.workload.classes:
        yield Fault("workload.classes", [], Phrase("a list with at least one class, because arrivals are generated"))
    backlog_gpu_h = scenario.workload.backlog_gpu_h
    if backlog_gpu_h and (scenario.workload.arrivals.process is None or not _arriving(scenario)):
        wanted = Phrase("0, because it is drawn from the classes that arrive, and none does")
        yield Fault("workload.backlog_gpu_h", backlog_gpu_h, wanted)


def _elastic_sound(scenario: "Scenario") -> Iterator[Fault]:
    """Offer elastic demand where times are simulated, and by a gate that can be judged."""
    workload = scenario.workload
    if workload.elastic is None:
        return
    if workload.arrivals.log is not None:
        yield Fault("workload.elastic", "set", Phrase("null, because a replayed log says who came"))
    is_tested = all(policy.isolation != "none" for _, policy in scenario.policy.steps())
    if workload.elastic.appears_when.quota_free_gpus is not None and not is_tested:
        wanted = Phrase(
            "left out unless policy.isolation is borrow, reclaim or partition all the time; else no quota is tested"
        )
        yield Fault(
            "workload.elastic.appears_when.quota_free_gpus", workload.elastic.appears_when.quota_free_gpus, wanted
        )


def _arriving(scenario: "Scenario") -> bool:
    return any(job_class.per_day > 0 for job_class in scenario.workload.classes)


def _names_once(scenario: "Scenario") -> Iterator[Fault]:
    """Use every name once."""
    lists: tuple[tuple[tuple[str, ...], Iterable[str]], ...] = (
        (("cluster", "pools"), (pool.name for pool in scenario.cluster.pools)),
        (("tenants",), (tenant.name for tenant in scenario.tenants)),
        (("workload", "classes"), (job_class.name for job_class in scenario.workload.classes)),
        (("workload", "arrivals", "jobs"), (row.id for row in scenario.workload.arrivals.jobs or ())),
    )
    for keys, names in lists:
        for name, times in Counter(names).items():
            if times > 1:
                yield Fault(
                    join_path((*keys, name)),
                    name,
                    "",
                    Phrase(
                        "{path} stands {what}; a name may be used once.",
                        what=Phrase("twice") if times == 2 else Phrase("{n} times", n=times),
                    ),
                )


def _tenants_known(scenario: "Scenario") -> Iterator[Fault]:
    """Mention only tenants that are listed."""
    known = {tenant.name: None for tenant in scenario.tenants}
    for job_class in scenario.workload.classes:
        if job_class.tenant not in known:
            path = join_path(("workload", "classes", job_class.name, "tenant"))
            yield unknown(path, job_class.tenant, known, Phrase("tenants are"))
    for row in scenario.workload.arrivals.jobs or ():
        if row.tenant not in known:
            path = join_path(("workload", "arrivals", "jobs", row.id, "tenant"))
            yield unknown(path, row.tenant, known, Phrase("tenants are"))


def _pools_known(scenario: "Scenario") -> Iterator[Fault]:
    """Fence only with pools that are listed, and leave a pool to everybody else."""
    pools = [pool.name for pool in scenario.cluster.pools]
    for tenant in scenario.tenants:
        if tenant.pool is not None and tenant.pool not in pools:
            yield unknown(join_path(("tenants", tenant.name, "pool")), tenant.pool, pools, Phrase("pools are"))
    asking = {job_class.tenant for job_class in scenario.workload.classes if job_class.per_day > 0}
    asking |= {row.tenant for row in scenario.workload.arrivals.jobs or ()}
    for tenant in scenario.tenants:
        if tenant.pool is None and tenant.name in asking and pools and not pools_of(scenario, tenant.name):
            path = join_path(("tenants", tenant.name, "pool"))
            yield Fault(
                path, None, "", Phrase("{path} is null, but every pool is fenced for somebody else; name a pool.")
            )


def _types_known(scenario: "Scenario") -> Iterator[Fault]:
    """Ask only for GPU types that some pool has."""
    known = list(dict.fromkeys(pool.gpu for pool in scenario.cluster.pools))
    for job_class in scenario.workload.classes:
        path = join_path(("workload", "classes", job_class.name, "gpu_types"))
        if job_class.gpu_types == ():
            yield Fault(path, [], Phrase("a list with at least one GPU type, or null for any"))
        for gpu in job_class.gpu_types or ():
            if gpu not in known:
                yield unknown(path, gpu, known, Phrase("GPU types are"))


def _gangs_fit(scenario: "Scenario") -> Iterator[Fault]:
    """Ask for no gang larger than the pools its tenant may use."""
    known = {tenant.name for tenant in scenario.tenants}
    for job_class in scenario.workload.classes:
        if job_class.tenant not in known:
            continue
        pools = pools_of(scenario, job_class.tenant)
        gpus = sum(pool.gpus for pool in pools)
        sizes = [size for size, share in job_class.gpus.items() if share > 0]
        if pools and sizes and max(sizes) > gpus:
            path = join_path(("workload", "classes", job_class.name, "gpus"))
            where = ", ".join(pool.name for pool in pools[:8])
            yield Fault(
                path,
                max(sizes),
                Phrase(
                    "at most {gpus:,}, the GPUs of the pools {tenant} may use ({where})",
                    gpus=gpus,
                    tenant=job_class.tenant,
                    where=where,
                ),
            )


def _warmup_inside(scenario: "Scenario") -> Iterator[Fault]:
    """Leave something of the run after the warm-up."""
    run = scenario.run
    if run.warmup_days >= run.days:
        yield Fault("run.warmup_days", run.warmup_days, Phrase("below run.days ({days:g})", days=run.days))


def _targets_known(scenario: "Scenario") -> Iterator[Fault]:
    """Bound only metrics that exist, in their unit, for somebody who exists."""
    metrics = registry.find("metrics")
    named = [job_class.name for job_class in scenario.workload.classes]
    named += [tenant.name for tenant in scenario.tenants] + [pool.name for pool in scenario.cluster.pools]
    for row, target in enumerate(scenario.targets):
        if target.metric in LATER_METRICS and target.metric not in metrics:
            continue
        if metrics and target.metric not in metrics:
            hint = suggest(target.metric, metrics)
            yield Fault(
                f"targets.{row}.metric",
                target.metric,
                "",
                Phrase("{path} is {value}, which is not a metric{hint}", hint=hint or Phrase(".")),
            )
        elif metrics:
            yield from _bound_unit(row, target.at_most, target.at_least, getattr(metrics[target.metric], "unit", ""))
        if target.of is not None and target.of not in named and not target.of[:1].isdigit():
            yield unknown(f"targets.{row}.of", target.of, named, Phrase("classes, tenants and pools are"))


def _bound_unit(row: int, at_most: float | None, at_least: float | None, unit: str) -> Iterator[Fault]:
    for name, bound in (("at_most", at_most), ("at_least", at_least)):
        if bound is not None and isinstance(bound, int) != (unit == "ms"):
            words = (
                Phrase("a duration with a unit, for example 45min")
                if unit == "ms"
                else Phrase("a number ({unit})", unit=word(unit))
            )
            yield Fault(f"targets.{row}.{name}", bound, words)


def _policy_sound(scenario: "Scenario") -> Iterator[Fault]:
    """Have a policy that can be carried out; judged where the tenants' tree is sound."""
    if not any(quota_faults(scenario)):
        yield from policy_faults(scenario)


RULES: tuple[Rule, ...] = (
    _something,
    _sizes,
    _names_once,
    _tenants_known,
    _pools_known,
    _types_known,
    _gangs_fit,
    _elastic_sound,
    _warmup_inside,
    _targets_known,
    quota_faults,
    _policy_sound,
)
