"""Random scenarios: order, discipline, placement and run settings drawn together with jobs and cluster.

All times are small whole milliseconds, so that ties, zero lengths and overruns are common. A failing example
prints as the call of tests/builders.py that makes it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from scheduler_core.scenario import Scenario
from tests import builders

MAX_JOBS = 40
MAX_NODES = 6
DAY_MS = 86_400_000

Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True, repr=False)
class Asked:
    """What a scenario is built from; prints as code."""

    jobs: tuple[tuple[str, str, int, Mapping[str, Any]], ...]
    pools: tuple[Mapping[str, Any], ...]
    fences: Mapping[str, str | None] = field(default_factory=lambda: {"all": None})
    policy: Mapping[str, Any] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=lambda: {"days": 1, "drain": True})

    def scenario(self) -> Scenario:
        """Build it."""
        jobs = [builders.job(submit, duration, gpus, **more) for submit, duration, gpus, more in self.jobs]
        return builders.scenario(
            jobs, *(builders.pool(**pool) for pool in self.pools), fences=self.fences, run=self.run, **self.policy
        )

    def __repr__(self) -> str:
        jobs = ",\n        ".join(
            f"job({submit!r}, {duration!r}, {gpus}{_keywords(more)})" for submit, duration, gpus, more in self.jobs
        )
        pools = "".join(f"    pool({_keywords(pool)[2:]}),\n" for pool in self.pools)
        return (
            f"scenario(\n    [\n        {jobs},\n    ],\n{pools}    fences={dict(self.fences)!r},\n"
            f"    run={dict(self.run)!r}{_keywords(self.policy)},\n)"
        )

    def _repr_pretty_(self, printer: RepresentationPrinter, _cycle: bool) -> None:
        printer.text(repr(self))


def _keywords(values: Mapping[str, Any]) -> str:
    return "".join(f", {name}={value!r}" for name, value in values.items())


# ---- cluster and tenants ------------------------------------------------------------------------

GPU_TYPES = ("A", "B", "C")


@st.composite
def clusters(draw: Draw, max_pools: int = 4) -> tuple[Mapping[str, Any], ...]:
    """Up to `max_pools` pools of up to three GPU types and at most `MAX_NODES` nodes in all."""
    pools: list[Mapping[str, Any]] = []
    left = MAX_NODES
    for number in range(draw(st.integers(1, max_pools))):
        if left == 0:
            break
        nodes = draw(st.integers(1, left))
        left -= nodes
        in_second_zone = draw(st.integers(0, nodes - 1))
        zones = {"z1": nodes - in_second_zone} | ({"z2": in_second_zone} if in_second_zone else {})
        gpus, gpu = draw(st.sampled_from((1, 2, 3, 4, 8))), draw(st.sampled_from(GPU_TYPES[:2]))
        pools.append({"nodes": zones, "gpus": gpus, "gpu": gpu, "name": f"p{number}"})
    return tuple(pools)


@st.composite
def fences(draw: Draw, pools: tuple[Mapping[str, Any], ...]) -> Mapping[str, str | None]:
    """One to three tenants, each naming a pool or none; somebody without a fence needs a pool nobody names."""
    names = [pool["name"] for pool in pools]
    named: list[str | None] = draw(st.lists(st.sampled_from([None, *names]), min_size=1, max_size=3))
    if None in named and set(names) <= set(named):
        named = [name for name in named if name is not None]
    return {f"t{number}": name for number, name in enumerate(named)}


# ---- jobs ---------------------------------------------------------------------------------------


def ms(low: int, high: int) -> st.SearchStrategy[str]:
    """Return whole milliseconds as a text."""
    return st.integers(low, high).map(lambda value: f"{value}ms")


@st.composite
def limits(draw: Draw, duration: str, *, hold: bool) -> Mapping[str, str]:
    """No limit, exactly the run time, more, or (unless limits must hold) anything."""
    runtime = int(duration.removesuffix("ms"))
    kind = draw(st.sampled_from(("none", "exact", "more") if hold else ("none", "exact", "more", "any")))
    if kind == "none":
        return {}
    if kind == "exact":
        return {"limit": duration}
    low = runtime if kind == "more" else 0
    return {"limit": draw(ms(low, low + 12))}


@st.composite
def job_lists(
    draw: Draw, tenants: tuple[str, ...], *, hold: bool = False, max_gpus: int = 12
) -> tuple[tuple[str, str, int, Mapping[str, Any]], ...]:
    """Up to `MAX_JOBS` jobs with many ties in submit, run time, limit, priority and size."""
    latest = draw(st.sampled_from((0, 5, 20, 60)))
    longest = draw(st.sampled_from((3, 12, 30)))
    types = st.sampled_from((None, None, ("A",), ("B",), ("A", "B"), ("B", "A"), ("C",)))
    jobs = []
    for _ in range(draw(st.integers(1, MAX_JOBS))):
        duration = draw(ms(0, longest))
        more: dict[str, Any] = dict(draw(limits(duration, hold=hold)))
        more["tenant"] = draw(st.sampled_from(tenants))
        if (accepted := draw(types)) is not None:
            more["gpu_types"] = list(accepted)
        if (priority := draw(st.sampled_from((0.5, 0.2, 0.9)))) != 0.5:
            more["priority"] = priority
        if draw(st.booleans()):
            more["job_class"] = draw(st.sampled_from(("x", "y")))
        jobs.append((draw(ms(0, latest)), duration, draw(st.integers(1, max_gpus)), more))
    return tuple(jobs)


# ---- policy and run -----------------------------------------------------------------------------

DEPTHS = st.sampled_from((None, 1, 2, 3, 100))
ORDERS = st.sampled_from(("fifo", "priority", {"shortest": {"by": "limit"}}, {"shortest": {"by": "true"}}, "smallest"))
PLACEMENTS = st.sampled_from(("counted", "first_fit", "best_fit", "consolidate", "spread"))
EASY = st.builds(builders.easy, DEPTHS, st.sampled_from(("order", "shortest")))
CONSERVATIVE = st.builds(builders.conservative, DEPTHS, st.sampled_from(("kept", "recomputed")))
DISCIPLINES = st.one_of(st.sampled_from(("strict", "best_effort")), EASY, CONSERVATIVE)


def policies(
    order: st.SearchStrategy[Any] = ORDERS,
    discipline: st.SearchStrategy[Any] = DISCIPLINES,
    placement: st.SearchStrategy[Any] = PLACEMENTS,
) -> st.SearchStrategy[dict[str, Any]]:
    """Return order x discipline x placement x kill, drawn together."""
    return st.fixed_dictionaries(
        {"order": order, "discipline": discipline, "placement": placement, "kill_at_limit": st.booleans()}
    )


@st.composite
def runs(draw: Draw, *, drain: bool | None = None) -> Mapping[str, Any]:
    """Draining or with a horizon among the events, with and without warm-up."""
    run: dict[str, Any] = {
        "ties": draw(st.sampled_from(("finish_first", "submit_first"))),
        "pass_per": draw(st.sampled_from(("instant", "event"))),
        "drain": draw(st.booleans()) if drain is None else drain,
    }
    days_ms = draw(st.integers(2, 80))
    run["days"] = days_ms / DAY_MS
    if draw(st.booleans()):
        run["warmup_days"] = draw(st.integers(1, days_ms - 1)) / DAY_MS
    return run


@st.composite
def scenarios(draw: Draw) -> Asked:
    """Return any scenario the first engine can run: at most 40 jobs and 6 nodes."""
    pools = draw(clusters())
    tenants = draw(fences(pools))
    return Asked(draw(job_lists(tuple(tenants))), pools, tenants, draw(policies()), draw(runs()))


@st.composite
def simple_scenarios(draw: Draw, policy: st.SearchStrategy[dict[str, Any]], *, hold: bool = True) -> Asked:
    """Return one pool and one tenant, every job small enough for the pool, limits that hold, until all have ended."""
    (pool,) = draw(clusters(max_pools=1))
    gpus = pool["gpus"] * sum(pool["nodes"].values())
    jobs = tuple(
        (submit, duration, size, {name: value for name, value in more.items() if name != "gpu_types"})
        for submit, duration, size, more in draw(job_lists(("all",), hold=hold, max_gpus=gpus))
    )
    return Asked(jobs, (pool,), policy=draw(policy), run=draw(runs(drain=True)))
