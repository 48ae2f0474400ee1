"""Confirm a formula of the capacity plan with the simulator: the same question, generated jobs, replications.

Waits depend on the load and on the shape of the run times only, so the simulated jobs last one hour on average and the
waits are scaled to the run time asked for. Run times with a spread above 1 are two classes of exponential jobs, short
and long, which is what the exact chain takes; below 1 they are log-normal, and fixed at 0.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.chains import balanced_mixture
from scheduler_core.economics.notes import Note, say, warn
from scheduler_core.economics.plan_fleet import plan_zones
from scheduler_core.economics.plan_size import ClassPlan, plan_classes, plan_size
from scheduler_core.economics.queueing import erlang_c
from scheduler_core.kernels.tables import HOUR_MS
from scheduler_core.metrics import Summary
from scheduler_core.result import Result
from scheduler_core.scenario import Scenario, load
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies.replicate import Progress, Simulate, replicate, step

WARMUP_SHARE = 0.1
METRICS = {"mean": "wait_mean", "p95": "wait_p95", "p99": "wait_p99"}
RESERVED_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)
URGENT, PATIENT = 0.9, 0.1
_JOBS = 100_000
_MOST_JOBS = 500_000
_JOBS_A_SLOT = 1_000


@dataclass(frozen=True)
class Confirmation:
    """A formula beside the simulation.

    Attributes
    ----------
    label : str
        What is compared: a measure, or a class of jobs.
    unit : str
        ``ms``, ``months``, ``share``, ``ratio``, ``gpu_h``, ``gpu_months``, ``usd``, ``usd_per_h`` or
        ``usd_per_gpu_h``.
    formula : float
        What the formula says.
    better : float, optional
        What the formula for this spread says, where there is one (exact chain or Allen-Cunneen).
    found : Estimate
        What is simulated or drawn: mean over the replications with its 95 % interval.
    notes : tuple of Note
        Why they differ, or that they do not.
    """

    label: str
    unit: str
    formula: float
    better: float | None
    found: Estimate
    notes: tuple[Note, ...]

    @property
    def agrees(self) -> bool:
        """Whether the formula lies in the interval of the simulation."""
        return self.found.holds(self.formula)


def slots_scenario(slots: int, classes: Sequence[Mapping[str, Any]], n_jobs: float, **policy: object) -> Scenario:
    """Return a scenario in which every slot is a GPU and run times are about an hour.

    Parameters
    ----------
    slots : int
        GPUs, one a node.
    classes : sequence of mapping
        Job classes as a document says them; each needs ``per_day``.
    n_jobs : float
        About how many jobs to draw.
    **policy : object
        What the policy says beyond first come first served.
    """
    days = n_jobs / max(sum(each["per_day"] for each in classes), 1e-9)
    names = list(dict.fromkeys(each["tenant"] for each in classes))
    return load(
        {
            "headroom": 1,
            "name": "plan",
            "cluster": {"pools": [{"name": "slots", "gpu": "any", "zones": {"z": slots}, "gpus_per_node": 1}]},
            "tenants": [{"name": name} for name in names],
            "workload": {"arrivals": {"process": "poisson"}, "classes": list(classes)},
            "policy": {"order": "fifo", "discipline": "strict", "placement": "counted", **policy},
            "run": {"days": round(days, 6), "warmup_days": round(WARMUP_SHARE * days, 6), "seed": 11, "drain": True},
        }
    )


def job_classes(load_erlangs: float, spread: float, tenant: str = "all") -> list[dict[str, Any]]:
    """Return the classes that offer a load in jobs of one hour on average, with a spread of run times.

    Parameters
    ----------
    load_erlangs : float
        Jobs running on average.
    spread : float
        Squared coefficient of variation of the run times.
    tenant : str
        Whose jobs they are.
    """
    per_day = 24 * load_erlangs

    def one(name: str, rate: float, duration: dict[str, Any]) -> dict[str, Any]:
        return {"name": name, "tenant": tenant, "per_day": rate, "gpus": 1, "duration": duration}

    if spread > 1:
        mixture = balanced_mixture(1.0, spread)
        parts = (
            ("short", mixture.first_share, mixture.first_rate),
            ("long", 1 - mixture.first_share, mixture.second_rate),
        )
        return [one(name, per_day * share, _exponential(1 / rate)) for name, share, rate in parts]
    if spread == 1:
        return [one("job", per_day, _exponential(1.0))]
    if spread == 0:
        return [one("job", per_day, {"fixed": "1h"})]
    sigma = math.sqrt(math.log1p(spread))
    median = f"{round(HOUR_MS * math.exp(-sigma * sigma / 2))}ms"
    return [one("job", per_day, {"lognormal": {"median": median, "sigma": round(sigma, 6)}})]


def _exponential(hours: float) -> dict[str, Any]:
    return {"exponential": {"mean": f"{max(1, round(hours * HOUR_MS))}ms"}}


def jobs_for(slots: int) -> float:
    """Return how many jobs a replication draws: enough for the line to be seen often."""
    return float(min(max(_JOBS, _JOBS_A_SLOT * slots), _MOST_JOBS))


def confirm_size(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> Confirmation:
    """Run the slots that the size plan found and hold its promise against the simulation.

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
    Confirmation
        The measure by formula and by simulation.

    Raises
    ------
    InfeasibleError
        If no number of slots keeps the promise.
    """
    plan, seeds = plan_size(asked), int(asked.number("confirm_seeds"))
    demand, spread = plan.demand, asked.number("run_time_scv")
    scenario = slots_scenario(plan.slots, job_classes(demand.peak_load, spread), jobs_for(plan.slots))
    ran = simulated(scenario, demand.measure, seeds, progress=progress, simulate=simulate)
    unit = "share" if demand.measure == "any" else "ms"
    scale = 1.0 if unit == "share" else demand.run_time_ms / HOUR_MS
    found = scaled(ran, scale)
    plain = replace(demand, spread=1.0, arrival_spread=1.0).value(plan.slots) or 0.0
    better = None
    if demand.measure == "mean" and spread != 1:
        better = plan.exact_wait_ms if plan.exact_wait_ms is not None else (1 + spread) / 2 * plain
    notes = gap_notes(plain, found, spread, asked.number("arrival_scv"))
    return Confirmation(demand.measure, unit, plain, better, found, notes)


def simulated(
    scenario: Scenario, measure: str, seeds: int, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> Estimate:
    """Return a measure of the waits over replications: ms of the scenario, or the share that waits at all.

    Parameters
    ----------
    scenario : Scenario
        What to run.
    measure : str
        ``mean``, ``p95``, ``p99`` or ``any``.
    seeds : int
        Replications.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.

    Notes
    -----
    The metric `waited_share` counts waits over a minute only, so the share that waits at all is taken from the jobs.
    """
    shares: list[float | None] = []

    def keep(result: Result, _: Summary) -> None:
        waits = result.wait_ms[result.is_counted]
        shares.append(float((waits > 0).mean()) if waits.size else None)

    runs = replicate(scenario, seeds, progress=progress, simulate=simulate, scopes=("all",), keep=keep)
    return estimate(shares).within(0.0, 1.0) if measure == "any" else runs.estimate(METRICS[measure])


def confirm_waiting(
    label: str,
    slots: int,
    erlangs: float,
    seeds: int,
    *,
    progress: Progress | None = None,
    simulate: Simulate | None = None,
) -> Confirmation:
    """Run exponential jobs on some slots and hold the share that waits against Erlang C.

    Parameters
    ----------
    label : str
        What the slots are called.
    slots : int
        GPUs, at least 1.
    erlangs : float
        Jobs running on average, above 0 and below `slots`.
    seeds : int
        Replications.
    progress, simulate : callable, optional
        As for `simulated`.
    """
    scenario = slots_scenario(slots, job_classes(erlangs, 1.0), jobs_for(slots))
    waited = simulated(scenario, "any", seeds, progress=progress, simulate=simulate)
    formula = erlang_c(slots, erlangs)
    return Confirmation(label, "share", formula, None, waited, gap_notes(formula, waited))


def scaled(found: Estimate, factor: float) -> Estimate:
    """Return an estimate in another unit."""

    def times(value: float | None) -> float | None:
        return None if value is None else value * factor

    return replace(
        found, mean=times(found.mean), low=times(found.low), high=times(found.high), median=times(found.median)
    )


def gap_notes(formula: float, found: Estimate, spread: float = 1.0, arrival_spread: float = 1.0) -> tuple[Note, ...]:
    """Return why a formula and a simulation differ, or that they do not.

    Parameters
    ----------
    formula : float
        What the formula says.
    found : Estimate
        What is simulated or drawn.
    spread, arrival_spread : float
        Squared coefficients of variation of run times and of times between arrivals, 1 where the formula knows them.
    """
    notes = []
    ratio = (found.mean or 0.0) / formula if formula else 0.0
    if found.holds(formula):
        notes.append(say("plan.gap.agrees"))
    elif spread == 1:
        notes.append(warn("plan.gap.outside", n=f"{found.n}"))
    else:
        notes.append(say("plan.gap.tail" if spread > 1 else "plan.gap.even", scv=spread, ratio=ratio))
    if arrival_spread != 1:
        notes.append(warn("plan.gap.bursts", scv=arrival_spread))
    return tuple(notes)


@dataclass(frozen=True)
class Reserved:
    """Waits of both classes with a share of the slots kept for the patient.

    Attributes
    ----------
    share : float
        Share of the slots that is kept for patient jobs.
    urgent, patient : Estimate
        Mean waits in ms.
    """

    share: float
    urgent: Estimate
    patient: Estimate


@dataclass(frozen=True)
class ClassStudy:
    """The formula for two classes beside the simulation, and what reserving slots would do.

    Attributes
    ----------
    plan : ClassPlan
        What the formula says without a reservation.
    confirmations : tuple of Confirmation
        Urgent and patient jobs without a reservation.
    reserved : tuple of Reserved
        From no reservation upwards.
    """

    plan: ClassPlan
    confirmations: tuple[Confirmation, ...]
    reserved: tuple[Reserved, ...]


def study_classes(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> ClassStudy:
    """Run urgent and patient jobs, first without and then with slots reserved for the patient.

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
    ClassStudy
        The same jobs for every share.

    Raises
    ------
    InfeasibleError
        If both together are more than the slots can ever do.
    """
    plan, seeds = plan_classes(asked), int(asked.number("confirm_seeds"))
    scale = asked.duration_ms("class_run_time") / HOUR_MS
    names = ("urgent", "patient")
    classes = [
        {**job_classes(load, 1.0, name)[0], "name": name, "priority": priority}
        for name, load, priority in zip(names, plan.loads, (URGENT, PATIENT), strict=True)
        if load > 0
    ]
    rows = []
    for at, share in enumerate(RESERVED_SHARES):
        reserve = [{"for": {"priority_below": 0.5}, "share": share}] if share else None
        discipline = "best_effort" if share else "strict"
        scenario = slots_scenario(
            plan.slots, classes, jobs_for(plan.slots), order="priority", discipline=discipline, reserve=reserve
        )
        runs = replicate(
            scenario, seeds, progress=step(progress, at, len(RESERVED_SHARES)), simulate=simulate, scopes=("class",)
        )
        found = [scaled(runs.estimate("wait_mean", f"class:{name}"), scale) for name in names]
        rows.append(Reserved(share, *found))
    confirmations = tuple(
        Confirmation(name, "ms", formula, None, found, gap_notes(formula, found))
        for name, formula, found in (
            ("urgent", plan.urgent_ms, rows[0].urgent),
            ("patient", plan.patient_ms, rows[0].patient),
        )
    )
    return ClassStudy(plan, confirmations, tuple(rows))


def confirm_zones(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> tuple[Confirmation, ...]:
    """Run what is left after a zone is lost, as one pool and as one of the separate zones.

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
        Share of jobs that wait, ``pooled`` and ``separate``.
    """
    plan, seeds = plan_zones(asked), int(asked.number("confirm_seeds"))
    total_load, left = asked.number("zone_load_jobs"), plan.zones - 1
    cases = (
        ("pooled", plan.slots.pooled // plan.zones * left, total_load),
        ("separate", plan.slots.separate // plan.zones, total_load / left),
    )
    return tuple(
        confirm_waiting(*case, seeds, progress=step(progress, at, len(cases)), simulate=simulate)
        for at, case in enumerate(cases)
    )
