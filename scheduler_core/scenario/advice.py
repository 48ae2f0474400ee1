"""What is allowed and costs something: warnings of `check` about quotas and preemption."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scheduler_core import units
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.checkpoint import Checkpoint
from scheduler_core.scenario.durations import Priority
from scheduler_core.scenario.policy_rules import has_shares, is_preemptive, preemption_of
from scheduler_core.scenario.preemption import Preemption
from scheduler_core.scenario.quotas import PRESET_FIELDS, ROOT, UNLIMITED, effective_quotas
from scheduler_core.scenario.workload import JobClass

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario

_HOUR_MS = units.MS_PER_UNIT["h"]


def advice(scenario: "Scenario") -> Iterator[Phrase]:
    """Yield one sentence for each thing that is allowed and probably not meant, or that costs something.

    Parameters
    ----------
    scenario : Scenario
        A valid document.

    Yields
    ------
    Phrase
        A whole sentence with its numbers.
    """
    yield from _short_grace(scenario)
    yield from _too_much_promised(scenario)
    yield from _untested(scenario)
    yield from _empty_scope(scenario)
    yield from _suspended(scenario)


def by_hand(scenario: "Scenario") -> tuple[str, ...]:
    """Return the quota fields that win against the isolation because a document states them.

    Parameters
    ----------
    scenario : Scenario
        A valid document.

    Returns
    -------
    tuple of str
        Such as ``tenants.lab.cap_gpus: 16 (partition: 8)``; nothing where no quota is tested.
    """
    if scenario.policy.isolation == "none":
        return ()
    return tuple(
        f"tenants.{quota.tenant}.{name}: {_written(quota, name)} ({scenario.policy.isolation}: {_written(usual, name)})"
        for quota, usual in zip(effective_quotas(scenario), _presets(scenario), strict=True)
        for name in quota.by_hand
    )


def _presets(scenario: "Scenario") -> Iterator[object]:
    tenants = tuple(tenant.model_copy(update=dict.fromkeys(PRESET_FIELDS)) for tenant in scenario.tenants)
    yield from effective_quotas(scenario.model_copy(update={"tenants": tenants}))


def _written(quota: object, name: str) -> str:
    value = getattr(quota, name.removesuffix("_gpus"))
    return "unlimited" if value == UNLIMITED else f"{value:,}"


def lost_per_eviction_ms(checkpoint: Checkpoint) -> float:
    """Return the work an eviction throws away on average when the grace is too short for a save.

    Parameters
    ----------
    checkpoint : Checkpoint
        How the job saves.

    Returns
    -------
    float
        Milliseconds of work of each GPU. The eviction falls anywhere in a cycle of `every` of work and `cost` of
        saving: in the work it loses what was done since the save, in the save all of `every`.
    """
    every, cost = checkpoint.every, checkpoint.cost
    return (every**2 / 2 + every * cost) / (every + cost)


def _short_grace(scenario: "Scenario") -> Iterator[Phrase]:
    """Name each class whose saves take longer than the notice it gets."""
    for job_class in scenario.workload.classes:
        for _, policy in scenario.policy.steps():
            found = preemption_of(policy)
            saves = job_class.checkpoint
            if found is None or saves is None or not _may_be_evicted(job_class, found) or saves.cost <= found.grace:
                continue
            gpus = sum(size * share for size, share in job_class.gpus.items())
            lost_ms = lost_per_eviction_ms(saves)
            grace, cost = units.write_duration(found.grace), units.write_duration(saves.cost)
            yield Phrase(
                "{name}: a save takes {cost} and the grace is {grace}, so an eviction loses on average {lost_gpu_h} "
                "GPU-hours of work ({lost} on {gpus} GPUs); a grace of {cost} loses nothing.",
                name=job_class.name,
                cost=cost,
                grace=grace,
                lost_gpu_h=units.format_number(gpus * lost_ms / _HOUR_MS),
                lost=units.format_duration(lost_ms),
                gpus=units.format_number(gpus),
            )
            break


def _may_be_evicted(job_class: JobClass, found: Preemption) -> bool:
    is_protected = found.protect_at is not None and lowest(job_class.priority) >= found.protect_at
    return job_class.preemptible and not is_protected and not found.suspend


def lowest(priority: Priority) -> int:
    """Return the smallest priority a class draws, in thousandths."""
    if priority.uniform is not None:
        return priority.uniform[0]
    if priority.choice is not None:
        return min(value for value, share in priority.choice.items() if share > 0)
    return priority.fixed or 0


def _too_much_promised(scenario: "Scenario") -> Iterator[Phrase]:
    """Name nominals that together are more than there is."""
    nominal = sum(quota.nominal for quota in effective_quotas(scenario) if quota.parent == ROOT)
    gpus = scenario.cluster.gpus
    if nominal > gpus:
        yield Phrase(
            "tenants: their nominals sum to {nominal}, and the cluster has {gpus:,}; "
            "not everybody can get his nominal at once.",
            nominal=units.format_gpus(nominal),
            gpus=gpus,
        )


def _untested(scenario: "Scenario") -> Iterator[Phrase]:
    """Name quotas that nobody tests."""
    if any(policy.isolation != "none" for _, policy in scenario.policy.steps()):
        return
    stated = [
        f"tenants.{tenant.name}.{name}"
        for tenant in scenario.tenants
        for name in PRESET_FIELDS
        if getattr(tenant, name) is not None
    ]
    if stated:
        more = Phrase(" and {n} more", n=len(stated) - 3) if len(stated) > 3 else ""
        names = ", ".join(stated[:3])
        yield Phrase("{names}{more}: policy.isolation is none, so no quota is tested.", names=names, more=more)


def _suspended(scenario: "Scenario") -> Iterator[Phrase]:
    """Say what suspending victims does not do."""
    if any(found is not None and found.suspend for found in (preemption_of(p) for _, p in scenario.policy.steps())):
        yield Phrase(
            "policy.preemption.suspend: suspended jobs keep their GPUs, so whoever had them suspended waits all the "
            "same, and they stand idle meanwhile; suspend: false evicts them."
        )


def _empty_scope(scenario: "Scenario") -> Iterator[Phrase]:
    """Name a scope in which nobody can be evicted."""
    policies = [policy for _, policy in scenario.policy.steps()]
    scopes = [policy.preemption.scope or () for policy in policies if policy.preemption is not None]
    is_bounded = all(policy.isolation in {"none", "partition"} for policy in policies)
    if is_bounded and any("borrowers" in scope for scope in scopes):
        yield Phrase(
            "policy.preemption.scope lists borrowers, but nobody borrows under isolation {isolation}: "
            "nothing is reclaimed.",
            isolation=policies[0].isolation,
        )
    is_shared = any(has_shares(policy) for policy in policies)
    if not is_shared and any("fair_share" in scope for scope in scopes):
        yield Phrase(
            "policy.preemption.scope lists fair_share, but the order {order} ranks no tenant by its share: "
            "nobody is evicted for it.",
            order=policies[0].order.slug,
        )
    has_rank = any(is_preemptive(policy) for policy in policies)
    has_gap = any(policy.preemption is not None and policy.preemption.min_gap is not None for policy in policies)
    if not has_rank and not has_gap and any("own_queue" in scope for scope in scopes):
        yield Phrase(
            "policy.preemption.scope lists own_queue, but min_gap is null: nobody is evicted for his priority."
        )
