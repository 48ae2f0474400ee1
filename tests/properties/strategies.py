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

SHAPES = st.tuples(
    st.integers(1, MAX_NODES), st.integers(0, MAX_NODES), st.sampled_from((1, 2, 3, 4, 8)), st.booleans()
)
SHAPE_LISTS = st.lists(SHAPES, min_size=1, max_size=4)


@st.composite
def clusters(draw: Draw) -> tuple[Mapping[str, Any], ...]:
    """Up to four pools of two GPU types and at most `MAX_NODES` nodes in all."""
    pools: list[Mapping[str, Any]] = []
    left = MAX_NODES
    for number, (wanted, in_second_zone, gpus, is_second_type) in enumerate(draw(SHAPE_LISTS)):
        nodes = min(wanted, left)
        if nodes == 0:
            break
        left -= nodes
        second = min(in_second_zone, nodes - 1)
        zones = {"z1": nodes - second} | ({"z2": second} if second else {})
        pools.append({"nodes": zones, "gpus": gpus, "gpu": "B" if is_second_type else "A", "name": f"p{number}"})
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
# One draw costs more than one simulated job, so a job is five draws; each becomes simpler towards 0.

SUBMITS, DURATIONS, SIZES = st.integers(0, 60), st.integers(0, 60), st.integers(0, 11)
LIMITS = st.integers(0, 15)
TYPE_LISTS = (None, ["A"], ["B"], ["A", "B"], ["B", "A"], ["C"], None)
PRIORITIES, CLASSES = (0.5, 0.2, 0.9), (None, "x", "y")
FLAVOURS = st.integers(0, 3 * len(TYPE_LISTS) * len(PRIORITIES) * len(CLASSES) - 1)
COUNTS = st.integers(1, MAX_JOBS)
DRAWN_JOBS = {n: st.lists(st.tuples(SUBMITS, DURATIONS, SIZES, LIMITS, FLAVOURS), min_size=n, max_size=n)
              for n in range(1, MAX_JOBS + 1)}  # fmt: skip


def limit_of(drawn: int, runtime: int, *, hold: bool) -> int | None:
    """No limit, exactly the run time, up to 10 ms more, or (unless limits must hold) anything from 0 to 12 ms."""
    if drawn == 0:
        return None
    if drawn <= 11 or hold:
        return runtime + drawn - 1
    return 4 * (15 - drawn)


def details(drawn: int, tenants: tuple[str, ...]) -> dict[str, Any]:
    """Return tenant, accepted types, priority and class."""
    drawn, at = divmod(drawn, len(TYPE_LISTS))
    more: dict[str, Any] = {} if TYPE_LISTS[at] is None else {"gpu_types": TYPE_LISTS[at]}
    drawn, at = divmod(drawn, len(PRIORITIES))
    more |= {} if at == 0 else {"priority": PRIORITIES[at]}
    drawn, at = divmod(drawn, len(CLASSES))
    more |= {} if at == 0 else {"job_class": CLASSES[at]}
    return more | {"tenant": tenants[drawn % len(tenants)]}


@st.composite
def job_lists(
    draw: Draw, tenants: tuple[str, ...], *, hold: bool = False, max_gpus: int = 12
) -> tuple[tuple[str, str, int, Mapping[str, Any]], ...]:
    """Up to `MAX_JOBS` jobs with many ties in submit, run time, limit, priority and size."""
    latest, longest = draw(LATEST), draw(LONGEST)
    jobs = []
    for submit, duration, size, limit_drawn, flavour in draw(DRAWN_JOBS[draw(COUNTS)]):
        runtime = duration * longest // 60
        limit = limit_of(limit_drawn, runtime, hold=hold)
        more = ({} if limit is None else {"limit": f"{limit}ms"}) | details(flavour, tenants)
        jobs.append((f"{submit * latest // 60}ms", f"{runtime}ms", size % max_gpus + 1, more))
    return tuple(jobs)


LATEST, LONGEST = st.sampled_from((0, 5, 20, 60)), st.sampled_from((3, 12, 30))

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


ANY_POLICY = policies()


RUNS = st.tuples(
    st.sampled_from(("finish_first", "submit_first")),
    st.sampled_from(("instant", "event")),
    st.booleans(),
    st.integers(2, 80),
    st.integers(0, 79),
)


@st.composite
def runs(draw: Draw, *, drain: bool | None = None) -> Mapping[str, Any]:
    """Draining or with a horizon among the events, with and without warm-up."""
    ties, pass_per, is_drained, days_ms, warmup_ms = draw(RUNS)
    run = {"ties": ties, "pass_per": pass_per, "drain": is_drained if drain is None else drain}
    run["days"] = days_ms / DAY_MS
    if 0 < warmup_ms < days_ms:
        run["warmup_days"] = warmup_ms / DAY_MS
    return run


@st.composite
def scenarios(draw: Draw) -> Asked:
    """Return any scenario the first engine can run: at most 40 jobs and 6 nodes."""
    pools = draw(clusters())
    tenants = draw(fences(pools))
    return Asked(draw(job_lists(tuple(tenants))), pools, tenants, draw(ANY_POLICY), draw(runs()))


@st.composite
def simple_scenarios(draw: Draw, policy: st.SearchStrategy[dict[str, Any]], *, hold: bool = True) -> Asked:
    """Return one pool and one tenant, every job small enough for the pool, limits that hold, until all have ended."""
    pool = draw(clusters())[0]
    gpus = pool["gpus"] * sum(pool["nodes"].values())
    jobs = tuple(
        (submit, duration, size, {name: value for name, value in more.items() if name != "gpu_types"})
        for submit, duration, size, more in draw(job_lists(("all",), hold=hold, max_gpus=gpus))
    )
    return Asked(jobs, (pool,), policy=draw(policy), run=draw(runs(drain=True)))
