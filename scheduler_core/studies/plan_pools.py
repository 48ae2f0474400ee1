"""Confirm what pooling saves: separate pools and the common one, each with the fewest slots by formula, run."""

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.isolation_cost import PROMISE, isolation_premium
from scheduler_core.economics.notes import Note, say
from scheduler_core.economics.opportunity import opportunity
from scheduler_core.economics.plan_size import plan_pool
from scheduler_core.economics.queueing import wait_quantile
from scheduler_core.kernels.tables import HOUR_MS
from scheduler_core.studies._estimate import estimate
from scheduler_core.studies.plan_confirm import (
    METRICS,
    Confirmation,
    confirm_waiting,
    gap_notes,
    job_classes,
    jobs_for,
    scaled,
    slots_scenario,
)
from scheduler_core.studies.replicate import Progress, Replications, Simulate, replicate, step

_SECOND_SHARE_OF_HOUR_MS = 1_000 / HOUR_MS
_WITH = "others_with"
"""The others with the GPUs of the deal still in the common pool."""


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
    """Run the customer alone, everybody together, and the others with and without the GPUs of the deal.

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
        99 % waits in ms: ``own``, ``together``, and ``others`` where their line does not grow for ever; then
        ``shadow``, what a GPU that is taken from the others costs them in waiting.
    """
    sizes, service = isolation_premium(asked), asked.number("request_gpu_s")
    left = sizes.together_gpus - int(asked.number("dedicated_gpus"))
    cases = {
        "own": (sizes.own_gpus, sizes.own_load),
        "together": (sizes.together_gpus, sizes.own_load + sizes.shared_load),
        "others": (left, sizes.shared_load),
        _WITH: (sizes.together_gpus, sizes.shared_load),
    }
    runs, seeds = {}, int(asked.number("confirm_seeds"))
    runnable = {name: case for name, case in cases.items() if 0 < case[1] < case[0]}
    for at, (name, (slots, load)) in enumerate(runnable.items()):
        scenario = slots_scenario(slots, job_classes(load, 1.0), jobs_for(slots))
        part = step(progress, at, len(runnable))
        runs[name] = replicate(scenario, seeds, progress=part, simulate=simulate, scopes=("all",))
    found = [_promise(name, *runnable[name], service, ran) for name, ran in runs.items() if name != _WITH]
    return (*found, _shadow(asked, runs["others"], runs[_WITH])) if "others" in runs else tuple(found)


def _promise(name: str, slots: int, load: float, service_s: float, runs: Replications) -> Confirmation:
    """Return the 99 % wait by formula beside that of the runs."""
    told = scaled(runs.estimate(METRICS["p99"]), service_s * _SECOND_SHARE_OF_HOUR_MS)
    formula = 1_000 * wait_quantile(slots, load, service_s, PROMISE)
    is_slow = not told.holds(formula) and load > 0.95 * slots
    notes = _slow(slots, load) if is_slow else gap_notes(formula, told)
    return Confirmation(name, "ms", formula, None, told, notes)


def _slow(slots: int, load: float) -> tuple[Note, ...]:
    return (say("money.gap.slow_queue", load=f"{load:,.0f}", gpus=f"{slots:,}"),)


def _shadow(asked: Assumptions, without: Replications, with_them: Replications) -> Confirmation:
    """Return the shadow price beside that of the runs: by Little's law the line is the load times the wait."""
    formula = opportunity(asked)
    lines = [
        [formula.load * (each.value("wait_mean").value or 0.0) / HOUR_MS for each in runs.summaries]
        for runs in (without, with_them)
    ]
    each_usd = asked.number("wait_usd_per_h") / formula.gpus
    told = estimate([each_usd * (after - before) for after, before in zip(*lines, strict=True)])
    right, left = formula.shadow_usd or 0.0, formula.pool_gpus - formula.gpus
    is_slow = not told.holds(right) and formula.load > 0.95 * left
    notes = _slow(left, formula.load) if is_slow else gap_notes(right, told)
    return Confirmation("shadow", "usd_per_gpu_h", right, None, told, notes)
