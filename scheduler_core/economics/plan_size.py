"""How many slots keep a promise about waiting: the answer, what is left out of it, and warnings.

The load is that of the peak, not of the average. A slot runs one job; a job has `job_gpus` GPUs.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.chains import MOST_CHAIN_SERVERS, MOST_CHAIN_USE, constant_service, mixed_service
from scheduler_core.economics.lists import read_numbers
from scheduler_core.economics.notes import Note, Param, Share, Time, say, warn
from scheduler_core.economics.pooling import Pooled, pool
from scheduler_core.economics.priorities import priority_waits
from scheduler_core.economics.queueing import erlang_c, mean_wait, offered_load, wait_quantile
from scheduler_core.economics.sizing import least_servers, servers_for_wait_share
from scheduler_core.units import MS_PER_UNIT

FRAGILE_USE = 0.95
"""Busier than this, a little more load makes the wait explode."""
QUANTILES = {"p95": 0.95, "p99": 0.99}
_DAY_MS = MS_PER_UNIT["d"]
_CURVE_POINTS = 40
_EXACT_POINTS = 12


@dataclass(frozen=True)
class Demand:
    """What is asked of the slots.

    Attributes
    ----------
    load, peak_load : float
        Erlangs, on average and at the peak.
    run_time_ms : int
        Mean run time.
    measure : str
        ``mean``, ``p95``, ``p99`` (of the wait) or ``any`` (share that waits).
    target : float
        What it may be at most: ms, or a share for ``any``.
    spread, arrival_spread : float
        Squared coefficients of variation of run times and of times between arrivals.
    """

    load: float
    peak_load: float
    run_time_ms: int
    measure: str
    target: float
    spread: float = 1.0
    arrival_spread: float = 1.0

    @property
    def spread_factor(self) -> float:
        """What multiplies the mean wait, (Ca2 + Cs2) / 2 (Allen-Cunneen)."""
        return (self.arrival_spread + self.spread) / 2

    def exact(self, slots: int) -> float | None:
        """Return the exact mean wait in ms for this spread of run times; None where no chain is needed or known."""
        is_asked = self.measure == "mean" and self.arrival_spread == 1 and self.spread != 1
        if not is_asked or self.peak_load > MOST_CHAIN_USE * slots:
            return None
        if self.spread == 0:
            return constant_service(slots, self.peak_load, self.run_time_ms)
        if self.spread < 1 or slots > MOST_CHAIN_SERVERS:
            return None
        return mixed_service(slots, self.peak_load, self.run_time_ms, self.spread).mean_wait

    def best(self, slots: int) -> float | None:
        """Return the measure, exact where a chain applies, else as `value` has it."""
        exact = self.exact(slots)
        return self.value(slots) if exact is None else exact

    def is_kept(self, slots: int) -> bool:
        """Whether some slots keep the promise."""
        found = self.best(slots)
        return found is not None and found <= self.target

    def value(self, slots: int) -> float | None:
        """Return the measure by formula with some slots at the peak: ms or a share; None where no wait is finite."""
        if self.peak_load >= slots:
            return None
        if self.measure == "any":
            return erlang_c(slots, self.peak_load)
        if self.measure == "mean":
            return self.spread_factor * mean_wait(slots, self.peak_load, self.run_time_ms)
        return wait_quantile(slots, self.peak_load, self.run_time_ms, QUANTILES[self.measure])

    def say(self, value: float | None) -> Param:
        """Return a value of the measure for a sentence."""
        if value is None:
            return "-"
        return Share(value) if self.measure == "any" else Time(value)


def gpus_of(asked: Assumptions, slots: int) -> int:
    """Return the GPUs of some slots, each as large as a job; rounded up, because jobs may have a mean size."""
    return math.ceil(slots * asked.number("job_gpus") - 1e-9)


def demand_of(asked: Assumptions) -> Demand:
    """Return what the assumptions ask of the slots."""
    number, run_time = asked.number, asked.duration_ms("run_time")
    load = offered_load(number("jobs_per_day") / _DAY_MS, run_time)
    measure = asked.word("wait_measure")
    return Demand(
        load=load,
        peak_load=load * number("peak_ratio"),
        run_time_ms=run_time,
        measure=measure,
        target=number("waiting_share") if measure == "any" else float(asked.duration_ms("wait_limit")),
        spread=number("run_time_scv"),
        arrival_spread=number("arrival_scv"),
    )


@dataclass(frozen=True)
class SizePlan:
    """Slots for a promise.

    Attributes
    ----------
    demand : Demand
        What is asked.
    slots, gpus : int
        Fewest slots that keep the promise at the peak, and their GPUs.
    slots_now : int
        Slots there are today.
    reached, one_less, now : float, optional
        The measure with those slots, with one less and with today's; None where no wait is finite.
    even_slots : int
        Slots if run times were exponential and arrivals Poisson.
    exact_wait_ms : float, optional
        Exact mean wait for this spread of run times (M/H2/k); None where the chain does not apply.
    curve : tuple of (slots, value)
        The measure around the answer.
    notes : tuple of Note
        The answer in a sentence, then warnings.
    """

    demand: Demand
    slots: int
    gpus: int
    slots_now: int
    reached: float | None
    one_less: float | None
    now: float | None
    even_slots: int
    exact_wait_ms: float | None
    curve: tuple[tuple[int, float], ...]
    notes: tuple[Note, ...]

    @property
    def use(self) -> float:
        """Share of the slots that are busy at the peak."""
        return self.demand.peak_load / self.slots


def plan_size(asked: Assumptions) -> SizePlan:
    """Return the fewest slots that keep the promise of the assumptions.

    Raises
    ------
    InputError
        If an input is refused.
    InfeasibleError
        If no number of slots keeps it.

    Examples
    --------
    >>> found = plan_size(Assumptions())
    >>> found.slots, found.gpus, found.demand.say(found.reached).text()
    (54, 432, '35.3 min')
    """
    demand, now = demand_of(asked), int(asked.number("slots_now"))
    even = replace(demand, spread=1.0, arrival_spread=1.0)
    slots = _fewest(demand)
    plan = SizePlan(
        demand=demand,
        slots=slots,
        gpus=gpus_of(asked, slots),
        slots_now=now,
        reached=demand.best(slots),
        one_less=demand.best(slots - 1),
        now=demand.best(now),
        even_slots=_fewest(even),
        exact_wait_ms=demand.exact(slots),
        curve=_curve(demand, slots),
        notes=(),
    )
    return replace(plan, notes=(_answer(plan), *_warnings(asked, plan)))


def _fewest(demand: Demand) -> int:
    """Return the fewest slots by formula, then step by step by the exact chain, which is slower."""

    def is_enough(slots: int) -> bool:
        value = demand.value(slots)
        return value is not None and value <= demand.target

    slots = least_servers(demand.peak_load, is_enough)
    while not demand.is_kept(slots):
        slots += 1
    while slots - 1 > demand.peak_load and demand.is_kept(slots - 1):
        slots -= 1
    return slots


def _curve(demand: Demand, slots: int) -> tuple[tuple[int, float], ...]:
    """Return the measure from the first stable number of slots to some beyond the answer."""
    first, last = int(demand.peak_load) + 1, slots + max(3, (slots - int(demand.peak_load)) // 2)
    points = _CURVE_POINTS if demand.exact(slots) is None else _EXACT_POINTS
    step = max(1, (last - first) // points)
    looked = sorted({*range(first, last + 1, step), slots, last})
    found = {each: demand.best(each) for each in looked}
    return tuple((each, value) for each, value in found.items() if value is not None)


def _answer(plan: SizePlan) -> Note:
    told: dict[str, Param] = {
        "slots": f"{plan.slots:,}",
        "gpus": f"{plan.gpus:,}",
        "now": f"{plan.slots_now:,}",
        "reached": plan.demand.say(plan.reached),
        "today": plan.demand.say(plan.now),
        "target": plan.demand.say(plan.demand.target),
    }
    kind = plan.demand.measure
    return say(f"plan.size.{kind}" if plan.now is not None else f"plan.size.{kind}.overload", **told)


def _warnings(asked: Assumptions, plan: SizePlan) -> Iterator[Note]:
    if plan.now is None:
        yield warn("plan.overload", load=plan.demand.peak_load, slots=f"{plan.slots_now:,}")
    if asked.number("peak_ratio") == 1:
        yield warn("plan.no_peak")
    if plan.use > FRAGILE_USE:
        yield warn("plan.fragile", use=Share(plan.use), limit=Share(FRAGILE_USE, 0))
    if (plan.demand.spread, plan.demand.arrival_spread) != (1, 1) and plan.exact_wait_ms is None:
        key = "plan.spread" if plan.demand.measure == "mean" else "plan.spread_tail"
        yield warn(key, factor=plan.demand.spread_factor, slots=f"{plan.slots:,}", even=f"{plan.even_slots:,}")
    if plan.exact_wait_ms is not None:
        about = plan.demand.say(plan.demand.value(plan.slots))
        yield say("plan.exact", exact=Time(plan.exact_wait_ms), about=about)


@dataclass(frozen=True)
class ClassPlan:
    """Urgent and patient jobs in one line.

    Attributes
    ----------
    slots : int
        Slots both share.
    loads : tuple of float
        Erlangs of urgent and patient jobs.
    urgent_ms, patient_ms, fifo_ms : float
        Mean waits with the urgent first, and of everybody first come first served.
    notes : tuple of Note
        The answer in a sentence, then warnings.
    """

    slots: int
    loads: tuple[float, float]
    urgent_ms: float
    patient_ms: float
    fifo_ms: float
    notes: tuple[Note, ...]


def plan_classes(asked: Assumptions) -> ClassPlan:
    """Return how long urgent and patient jobs wait when the urgent go first.

    Raises
    ------
    InfeasibleError
        If both together are more than the slots can ever do.

    Examples
    --------
    >>> found = plan_classes(Assumptions())
    >>> round(found.patient_ms / found.urgent_ms, 6)
    10.0
    """
    slots, run_time = int(asked.number("class_slots")), asked.duration_ms("class_run_time")
    rates = asked.number("urgent_per_day"), asked.number("patient_per_day")
    urgent_load, patient_load = (offered_load(rate / _DAY_MS, run_time) for rate in rates)
    urgent, patient = priority_waits(slots, (urgent_load, patient_load), run_time)
    fifo = mean_wait(slots, urgent_load + patient_load, run_time)
    told = {"urgent": Time(urgent), "patient": Time(patient), "fifo": Time(fifo)}
    notes = [say("plan.classes", **told, ratio=patient / urgent if urgent > 0 else 0.0)]
    use = (urgent_load + patient_load) / slots
    if use > FRAGILE_USE:
        notes.append(warn("plan.fragile", use=Share(use), limit=Share(FRAGILE_USE, 0)))
    return ClassPlan(slots, (urgent_load, patient_load), urgent, patient, fifo, tuple(notes))


@dataclass(frozen=True)
class PoolPlan:
    """One pool against separate clusters.

    Attributes
    ----------
    loads : tuple of float
        Erlangs of each part.
    sizes : Pooled
        Slots apart and together for the same promise.
    gpus : int
        GPUs that separation costs.
    notes : tuple of Note
        The answer in a sentence.
    """

    loads: tuple[float, ...]
    sizes: Pooled
    gpus: int
    notes: tuple[Note, ...]


def plan_pool(asked: Assumptions) -> PoolPlan:
    """Return what separate clusters cost over one pool.

    Examples
    --------
    >>> plan_pool(Assumptions()).sizes
    Pooled(separate=(29, 97), pooled=119)
    """
    loads, most = read_numbers("pool_loads", asked.word("pool_loads")), asked.number("waiting_share")
    sizes = pool(loads, lambda load: servers_for_wait_share(load, most))
    apart = sum(sizes.separate)
    gpus = gpus_of(asked, sizes.extra)
    note = say(
        "plan.pool", apart=f"{apart:,}", pooled=f"{sizes.pooled:,}", extra=f"{sizes.extra:,}", gpus=f"{gpus:,}",
        share=Share(sizes.extra / sizes.pooled), most=Share(most),
    )  # fmt: skip
    return PoolPlan(loads, sizes, gpus, (note,))
