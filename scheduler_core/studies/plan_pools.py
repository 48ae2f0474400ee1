"""Confirm what pooling saves: separate pools and the common one, each with the fewest slots by formula, run."""

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.isolation_cost import PROMISE, isolation_premium
from scheduler_core.economics.notes import say
from scheduler_core.economics.plan_size import plan_pool
from scheduler_core.economics.queueing import wait_quantile
from scheduler_core.studies.plan_confirm import (
    Confirmation,
    confirm_waiting,
    gap_notes,
    job_classes,
    jobs_for,
    scaled,
    simulated,
    slots_scenario,
)
from scheduler_core.studies.replicate import Progress, Simulate, step

_SECOND_SHARE_OF_HOUR_MS = 1_000 / 3_600_000


def confirm_pool(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> tuple[Confirmation, ...]:
    """Run each separate pool and the common one with the slots of the plan.

    Parameters
    ----------
    asked : Assumptions
        The inputs of the plan.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.

    Returns
    -------
    tuple of Confirmation
        Share of jobs that wait; the label is the number of slots, the common pool last.
    """
    plan, seeds = plan_pool(asked), int(asked.number("confirm_seeds"))
    cases = [*zip(plan.sizes.separate, plan.loads, strict=True), (plan.sizes.pooled, sum(plan.loads))]
    known: dict[tuple[int, float], Confirmation] = {}
    for at, (slots, load) in enumerate(cases):
        if load > 0 and (slots, load) not in known:
            part = step(progress, at, len(cases))
            known[slots, load] = confirm_waiting(f"{slots}", slots, load, seeds, progress=part, simulate=simulate)
    return tuple(known.values())


def confirm_isolation(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> tuple[Confirmation, ...]:
    """Run the customer alone, everybody together, and the others with the GPUs of the deal taken out.

    Parameters
    ----------
    asked : Assumptions
        The deal.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.

    Returns
    -------
    tuple of Confirmation
        99 % waits in ms: ``own``, ``together``, and ``others`` where their line does not grow for ever.
    """
    sizes, service = isolation_premium(asked), asked.number("request_gpu_s")
    left = sizes.together_gpus - int(asked.number("dedicated_gpus"))
    cases = {
        "own": (sizes.own_gpus, sizes.own_load),
        "together": (sizes.together_gpus, sizes.own_load + sizes.shared_load),
        "others": (left, sizes.shared_load),
    }
    found, seeds = [], int(asked.number("confirm_seeds"))
    runnable = {name: case for name, case in cases.items() if 0 < case[1] < case[0]}
    for at, (name, (slots, load)) in enumerate(runnable.items()):
        scenario = slots_scenario(slots, job_classes(load, 1.0), jobs_for(slots))
        part = step(progress, at, len(runnable))
        waited = simulated(scenario, "p99", seeds, progress=part, simulate=simulate)
        told = scaled(waited, service * _SECOND_SHARE_OF_HOUR_MS)
        formula = 1_000 * wait_quantile(slots, load, service, PROMISE)
        notes = gap_notes(formula, told, 1.0, 1.0)
        if not told.holds(formula) and load > 0.95 * slots:
            notes = (say("money.gap.slow_queue", load=f"{load:,.0f}", gpus=f"{slots:,}"),)
        found.append(Confirmation(name, "ms", formula, None, told, notes))
    return tuple(found)
