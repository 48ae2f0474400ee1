"""Where waiting comes from when the cluster is not even full, and how many slots each cause adds to a plan.

Both studies begin with what theory assumes (every job small, one line, one pool) and put one thing back at a time, with
the seeds of the whole kept, so that what each adds is seen. Adding them in another order would share the wait out
differently; the order is that in which a planner can act.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.lists import read_named
from scheduler_core.economics.plan_size import Demand, demand_of, gpus_of, plan_size
from scheduler_core.economics.queueing import mean_wait
from scheduler_core.economics.sizing import least_count
from scheduler_core.engine.run import CancelledError
from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import DAY_MS, HOUR_MS
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario, check, dump_document, load
from scheduler_core.studies._estimate import Estimate
from scheduler_core.studies.plan_confirm import job_classes, jobs_for, simulated, slots_scenario
from scheduler_core.studies.replicate import Progress, Simulate, is_drawn, replicate, step

STAGES = ("capacity", "sizes", "placement", "fences", "policy")
"""What is put back: nothing, the size of the jobs, the placement rule, fences and quotas, order and discipline."""
ADDED = ("formula", "spread", "sizes", "fences")
MOST_SPLIT_JOBS = 5_000_000
"""A day's work cut into jobs of one GPU is at most this many jobs over the run."""
_FREE: dict[str, Any] = {"order": "fifo", "discipline": "best_effort", "isolation": "none", "placement": "counted"}
_FREE |= {"reserve": None, "preemption": None, "preset": None}


@dataclass(frozen=True)
class CauseStep:
    """The wait with one more thing put back.

    Attributes
    ----------
    stage : str
        One of `STAGES`.
    wait : Estimate
        Mean wait of all jobs in ms.
    added_ms : float
        Mean wait over that of the step before; may be negative.
    """

    stage: str
    wait: Estimate
    added_ms: float


@dataclass(frozen=True)
class CauseStudy:
    """Where the waiting of a scenario comes from.

    Attributes
    ----------
    load_share : float
        Offered work over the GPUs.
    formula_ms : float, optional
        Mean wait if every GPU served one small job at a time (Erlang C); None where the load is not below the GPUs.
    steps : tuple of CauseStep
        From nothing put back to the scenario as it is.
    """

    load_share: float
    formula_ms: float | None
    steps: tuple[CauseStep, ...]

    @property
    def main(self) -> CauseStep:
        """The step that adds most."""
        return max(self.steps, key=lambda each: each.added_ms)


def attribute_wait(
    scenario: Scenario, seeds: int = 3, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> CauseStudy:
    """Return where the waiting of a scenario comes from, by putting its rules back one at a time.

    Parameters
    ----------
    scenario : Scenario
        One whose jobs are drawn.
    seeds : int
        Replications of each step.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.

    Returns
    -------
    CauseStudy
        One step for each of `STAGES`.

    Raises
    ------
    InputError
        If the jobs are those of a log or a list, which cannot be cut into jobs of one GPU.
    """
    if not is_drawn(scenario):
        raise InputError(
            Phrase("the workload"), Phrase("a log or a list"), Phrase("drawn from job classes for this study")
        )
    variants = (
        _free(scenario, is_split=True, keeps=()),
        _free(scenario, keeps=()),
        _free(scenario, keeps=("placement",)),
        _free(scenario, keeps=("placement", "isolation", "reserve", "pool")),
        scenario,
    )
    steps: list[CauseStep] = []
    before = 0.0
    for at, (stage, variant) in enumerate(zip(STAGES, variants, strict=True)):
        part = step(progress, at, len(STAGES))
        runs = replicate(variant, seeds, progress=part, simulate=simulate, scopes=("all",))
        wait = runs.estimate("wait_mean")
        now = wait.mean or 0.0
        steps.append(CauseStep(stage, wait, now - before))
        before = now
    gpus = sum(pool.gpus for pool in scenario.cluster.pools)
    erlangs, service_ms = _work(scenario)
    formula = mean_wait(gpus, erlangs, service_ms) if 0 < erlangs < gpus else None
    return CauseStudy(erlangs / gpus, formula, tuple(steps))


def _free(scenario: Scenario, *, keeps: Sequence[str], is_split: bool = False) -> Scenario:
    """Return the scenario with only some of its rules, first come first served and nobody blocked by the first."""
    document: dict[str, Any] = dump_document(scenario)
    policy = {**document["policy"], **_FREE, **{name: document["policy"][name] for name in keeps if name in _FREE}}
    tenants = document["tenants"] if "pool" in keeps else [{"name": each["name"]} for each in document["tenants"]]
    classes = document["workload"]["classes"]
    if is_split:
        classes = [part for each in classes for part in _single(each)]
        n_jobs = sum(part["per_day"] for part in classes) * scenario.run.days
        if n_jobs > MOST_SPLIT_JOBS:
            raise InputError(
                Phrase("the workload"),
                Phrase("{n_jobs:,.0f} GPU jobs", n_jobs=n_jobs),
                Phrase("at most {most_split_jobs:,} for this study", most_split_jobs=MOST_SPLIT_JOBS),
            )
    workload = {**document["workload"], "classes": classes}
    return load({**document, "case": None, "policy": policy, "tenants": tenants, "workload": workload, "targets": []})


def _single(job_class: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a class as jobs of one GPU with the same work, one class a size."""
    sizes = job_class["gpus"] if isinstance(job_class["gpus"], dict) else {job_class["gpus"]: 1}
    total = sum(sizes.values())
    found = []
    for size, weight in sizes.items():
        by_gpus = job_class["duration"].get("by_gpus")
        duration = by_gpus.get(size, by_gpus["default"]) if by_gpus else job_class["duration"]
        rate = job_class["per_day"] * weight / total * int(size)
        changed = {"name": f"{job_class['name']}-{size}", "per_day": rate, "gpus": 1, "duration": duration}
        found.append({**job_class, **changed, "shape": None})
    return found


def _work(scenario: Scenario) -> tuple[float, float]:
    """Return the offered work in GPUs and the mean run time of a GPU's job in ms."""
    erlangs = sum(each.asked_gpus for each in check(scenario).pools)
    rate = sum(
        job_class.per_day * gpus * share
        for job_class in scenario.workload.classes
        for gpus, share in job_class.gpus.items()
    )
    return erlangs, erlangs * DAY_MS / rate if rate else 0.0


# ---- how many slots each thing adds -----------------------------------------------------------------------------


@dataclass(frozen=True)
class AddedSlots:
    """The slots a plan needs with one more thing that theory leaves out.

    Attributes
    ----------
    stage : str
        One of `ADDED`.
    slots : int
        Fewest slots that keep the promise.
    added_gpus : int
        GPUs over the step before.
    value : float
        The measure with them: ms or a share.
    """

    stage: str
    slots: int
    added_gpus: int
    value: float


def add_slots(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> tuple[AddedSlots, ...]:
    """Return how many GPUs long jobs, gangs and fences add to the plan of the formula, found by simulation.

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
    tuple of AddedSlots
        The formula first, then each thing on top of the one before.

    Raises
    ------
    InputError
        If the sizes of jobs are not written as ``slots, share; ...``.
    InfeasibleError
        If no number of slots keeps the promise.
    """
    plan, demand = plan_size(asked), demand_of(asked)
    even = replace(demand, spread=1.0, arrival_spread=1.0)
    found = [AddedSlots("formula", plan.even_slots, 0, even.value(plan.even_slots) or 0.0)]
    sizes = read_sizes(asked.word("gang_slots"))
    tail, fences = asked.number("tail_scv"), int(asked.number("fences"))
    seeds = max(2, int(asked.number("confirm_seeds")) // 2)
    stages = (("spread", tail, {1: 1.0}, 1), ("sizes", tail, sizes, 1), ("fences", tail, sizes, fences))
    for at, (stage, spread, kinds, parts) in enumerate(stages):
        search = _Search(demand, spread, kinds, parts, seeds, simulate)
        slots = search.fewest(found[-1].slots, step(progress, at, len(stages)))
        found.append(AddedSlots(stage, slots, gpus_of(asked, slots - found[-1].slots), search.value(slots)))
    return tuple(found)


def read_sizes(text: str) -> dict[int, float]:
    """Return slots of a job -> share of the jobs, adding up to 1.

    Parameters
    ----------
    text : str
        Such as ``1, 0.8; 4, 0.2``.

    Examples
    --------
    >>> read_sizes("1, 0.75; 4, 0.25")
    {1: 0.75, 4: 0.25}
    """
    shares = {}
    for name, (share,) in read_named("gang_slots", text, 1):
        if not (name.isascii() and name.isdigit() and 1 <= int(name[:9]) <= 1_000):
            raise InputError("gang_slots", name, Phrase("a whole number of slots from 1 to 1,000, then its share"))
        shares[int(name)] = share
    if not math.isclose(sum(shares.values()), 1.0, abs_tol=1e-6):
        raise InputError("gang_slots", text, Phrase("sizes with shares that add up to 1"))
    return shares


class _Search:
    """The fewest slots for jobs of several sizes in several fences; every number of slots sees the same seeds."""

    def __init__(
        self,
        demand: Demand,
        spread: float,
        sizes: dict[int, float],
        n_parts: int,
        seeds: int,
        simulate: Simulate | None,
    ) -> None:
        self._demand, self._parts, self._seeds, self._simulate = demand, n_parts, seeds, simulate
        mean_size = sum(size * share for size, share in sizes.items())
        # The work stays the same: fewer jobs where jobs are larger.
        load_each = demand.peak_load / n_parts / mean_size
        kinds = job_classes(load_each, spread)
        self._classes = [{**kind, "gpus": dict(sizes)} for kind in kinds]
        self._largest = max(sizes)
        self._known: dict[int, float] = {}

    def value(self, slots: int) -> float:
        """Return the measure with some slots, divided evenly over the fences; the worst fence decides the size."""
        each = slots // self._parts
        if each not in self._known:
            scenario = slots_scenario(each, self._classes, jobs_for(each) / 2)
            mean = simulated(scenario, self._demand.measure, self._seeds, simulate=self._simulate).mean or 0.0
            self._known[each] = mean if self._demand.measure == "any" else mean * self._demand.run_time_ms / HOUR_MS
        return self._known[each]

    def fewest(self, start: int, progress: Progress | None) -> int:
        """Return the fewest slots from `start` on, a multiple of the fences."""
        least = max(-(-start // self._parts), self._largest, int(self._demand.peak_load / self._parts) + 1)
        looked = 0

        def is_enough(each: int) -> bool:
            nonlocal looked
            looked += 1
            if progress is not None and not progress(1 - 0.8**looked):
                raise CancelledError
            return self.value(each * self._parts) <= self._demand.target

        return self._parts * least_count(least, is_enough)
