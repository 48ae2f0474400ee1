"""What must hold of the tenants' quotas: a tree, numbers in order, and nothing that isolation rules out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scheduler_core.errors import Fault
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit
from scheduler_core.scenario.paths import join_path, unknown
from scheduler_core.scenario.quotas import ROOT, nominals, parents_of

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario


def quota_faults(scenario: "Scenario") -> Iterator[Fault]:
    """Yield what is wrong with quotas; numbers only where the tree is sound."""
    found = [*_parents_known(scenario)]
    found = found or [*_no_circles(scenario)]
    yield from found
    if not found:
        yield from _jobs_in_leaves(scenario)
        yield from _numbers_in_order(scenario)
        yield from _partition(scenario)


def _path(name: str, key: str) -> str:
    return join_path(("tenants", name, key))


def _parents_known(scenario: "Scenario") -> Iterator[Fault]:
    """Stand only below tenants that are listed."""
    known = {tenant.name: None for tenant in scenario.tenants}
    for tenant in scenario.tenants:
        if tenant.parent is not None and tenant.parent not in known:
            yield unknown(_path(tenant.name, "parent"), tenant.parent, known, Phrase("tenants are"))


def _no_circles(scenario: "Scenario") -> Iterator[Fault]:
    """Lead to the root from everywhere, in few steps."""
    parent_of = {tenant.name: tenant.parent for tenant in scenario.tenants}
    told: set[str] = set()
    for name, parent in parent_of.items():
        line, at = [name], parent
        while at is not None and at not in line and len(line) <= limit("tenant_levels"):
            line.append(at)
            at = parent_of[at]
        if at == name and name not in told:
            told.update(line)
            circle = " -> ".join([*line, name])
            yield Fault(
                _path(name, "parent"),
                parent,
                "",
                Phrase("{path} closes a circle: {circle}; a tree has none.", circle=circle),
            )
        elif len(line) > limit("tenant_levels") and at not in line and name not in told:
            told.update(line)
            problem = Phrase(
                "{path}: more than {tenant_levels} tenants above one another; that is the limit.",
                tenant_levels=limit("tenant_levels"),
            )
            yield Fault(_path(name, "parent"), parent, "", problem)


def _jobs_in_leaves(scenario: "Scenario") -> Iterator[Fault]:
    """Give jobs only to tenants that have nobody below."""
    below: dict[str, list[str]] = {}
    for tenant in scenario.tenants:
        if tenant.parent is not None:
            below.setdefault(tenant.parent, []).append(tenant.name)
    workload, owners = scenario.workload, list[tuple[tuple[str, ...], str]]()
    owners += [(("workload", "classes", job_class.name), job_class.tenant) for job_class in workload.classes]
    owners += [(("workload", "arrivals", "jobs", row.id), row.tenant) for row in workload.arrivals.jobs or ()]
    for keys, owner in owners:
        if owner in below:
            names = ", ".join(below[owner][:8])
            yield Fault(
                join_path((*keys, "tenant")),
                owner,
                Phrase("a tenant with nobody below it, such as {names}", names=names),
            )


def _numbers_in_order(scenario: "Scenario") -> Iterator[Fault]:
    """Keep guarantee <= nominal <= cap, and a nominal no smaller than those below it."""
    tenants, parents, found = scenario.tenants, parents_of(scenario.tenants), nominals(scenario.tenants)
    below = [0] * (len(tenants) + 1)
    for row, parent in enumerate(parents):
        below[parent] += found[row]
    inner = set(parents) - {ROOT}
    for row, tenant in enumerate(tenants):
        stated, nominal = tenant.nominal_gpus, found[row]
        if stated is not None and row in inner and stated < below[row]:
            allowed = Phrase("at least {below:,}, the nominals of the tenants below it", below=below[row])
            yield Fault(_path(tenant.name, "nominal_gpus"), stated, allowed)
        if tenant.guarantee_gpus is not None and tenant.guarantee_gpus > nominal:
            allowed = Phrase("at most its nominal ({nominal:,})", nominal=nominal)
            yield Fault(_path(tenant.name, "guarantee_gpus"), tenant.guarantee_gpus, allowed)
        if tenant.cap_gpus is not None and nominal > tenant.cap_gpus:
            key, allowed = ("cap_gpus", Phrase("at least its nominal ({nominal:,})", nominal=nominal))
            if stated is not None:
                key, allowed = ("nominal_gpus", Phrase("at most its cap ({cap:,})", cap=tenant.cap_gpus))
            yield Fault(_path(tenant.name, key), getattr(tenant, key), allowed)


def _partition(scenario: "Scenario") -> Iterator[Fault]:
    """Neither borrow nor lend under partition, and say there how much everybody has."""
    if all(policy.isolation != "partition" for _, policy in scenario.policy.steps()):
        return
    inner = {tenant.parent for tenant in scenario.tenants}
    for tenant in scenario.tenants:
        for key, verb in (("borrow_gpus", Phrase("borrows")), ("lend_gpus", Phrase("lends"))):
            value = getattr(tenant, key)
            if value not in (None, 0):
                yield Fault(
                    _path(tenant.name, key),
                    value,
                    Phrase("null or 0, because nobody {verb} under partition", verb=verb),
                )
        if tenant.nominal_gpus is None and tenant.name not in inner:
            problem = Phrase("{path} is null; under partition every tenant needs GPUs of its own, or 0.")
            yield Fault(_path(tenant.name, "nominal_gpus"), None, "", problem)
