"""Random scenarios with quotas, reserved shares and orders that change, on top of tests/properties/strategies.py."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from scheduler_core.errors import ScenarioError
from scheduler_core.scenario import Scenario, load
from tests import builders
from tests.properties.strategies import ANY_POLICY, Asked, Draw, clusters, fences, job_lists, runs

FIXED_ORDERS = (
    "fifo",
    "smallest",
    "random",
    {"priority": {"aging_per_h": 400.0}},
    {"shortest": {"by": "true"}},
    {"formula": "weight * priority / gpus + 0.01 * min(limit_h, 1)"},
)
CHANGING_ORDERS = (
    {"article": {"form": "printed"}},
    {"article": {"form": "corrected"}},
    {"priority": {"aging_per_h": 500.0, "aging": "log"}},
    {"formula": "priority + sqrt(wait_h) - 0.1 * gpus * min(limit_h, 1)"},
    "drf",
    "weighted",
    {"fair_share": {"step_min": 1.0, "form": "fair_tree"}},
    {"fair_share": {"step_min": 1.0, "form": "classic"}},
)
GPUS = st.none() | st.integers(0, 16)


@st.composite
def tenants(draw: Draw, names: Mapping[str, str | None], isolation: str) -> list[dict[str, Any]]:
    """The tenants of the fences with any quotas that go together, below zero to two tenants above them."""
    n_above = draw(st.integers(0, 2))
    rows: list[dict[str, Any]] = []
    for place, (name, pool) in enumerate(names.items()):
        row: dict[str, Any] = {"name": name, "pool": pool, "weight": draw(st.sampled_from((1, 0.5, 3)))}
        if place < n_above:
            row["parent"] = f"above{draw(st.integers(0, n_above - 1))}"
        if isolation != "none":
            nominal = draw(st.integers(0, 16))
            row["nominal_gpus"] = nominal
            row |= _stated(guarantee_gpus=draw(st.none() | st.integers(0, nominal)), lend_gpus=draw(GPUS))
            if isolation == "borrow":
                row |= _stated(borrow_gpus=draw(GPUS), cap_gpus=draw(st.none() | st.integers(nominal, 24)))
        rows.append(row)
    used = {row["parent"] for row in rows if "parent" in row}
    above = [{"name": name, "weight": 2} for name in sorted(used)]
    if len(above) == 2 and draw(st.booleans()):
        above[1]["parent"] = above[0]["name"]
    return [*above, *rows]


def _stated(**fields: int | None) -> dict[str, int]:
    return {name: value for name, value in fields.items() if value is not None}


@st.composite
def reserves(draw: Draw, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Up to two reserved shares for a band by priority, tenant or class."""
    bands = st.sampled_from(({"priority_below": 0.4}, {"tenant": names[0]}, {"class": "x"}))
    return [{"for": band, "share": share} for band, share in draw(st.lists(st.tuples(bands, SHARES), max_size=2))]


SHARES = st.sampled_from((0.1, 0.3, 0.5))


@st.composite
def tenancy_documents(draw: Draw) -> dict[str, Any]:
    """Any scenario of the first slice with quotas, shares and orders on top."""
    pools = draw(clusters())
    names = draw(fences(pools))
    jobs = draw(job_lists(tuple(names)))
    policy = dict(draw(ANY_POLICY))
    isolation = draw(st.sampled_from(("none", "borrow", "partition")))
    is_planning = isinstance(policy["discipline"], dict)
    policy["order"] = draw(st.sampled_from(FIXED_ORDERS if is_planning else FIXED_ORDERS + CHANGING_ORDERS))
    policy |= {"isolation": isolation, "quota_blocked": draw(st.sampled_from(("pass", "hold")))}
    reserve = draw(reserves(tuple(names)))
    if reserve:
        policy["reserve"] = reserve
    run = draw(runs())
    asked = Asked(jobs, pools, names, policy, run)
    # Keys that change by the hour tell jobs apart only if minutes go by; whole milliseconds make more ties. Plans know
    # no such keys, and are made anew every other millisecond while a job is past its limit: minutes would take long.
    unit, factor = ("ms", 1) if is_planning else draw(st.sampled_from((("ms", 1), ("min", 60_000))))
    rows = [
        builders.job(submit.replace("ms", unit), duration.replace("ms", unit), gpus, **_in(unit, more))
        for submit, duration, gpus, more in asked.jobs
    ]
    run = {name: value * factor if name.endswith("days") else value for name, value in run.items()}
    return {
        "headroom": 1,
        "name": "test",
        "cluster": {"pools": [builders.pool(**pool) for pool in pools]},
        "tenants": draw(tenants(names, isolation)),
        "workload": {"arrivals": {"jobs": [{"id": str(place), **row} for place, row in enumerate(rows)]}},
        "policy": policy,
        "run": dict(run),
    }


def _in(unit: str, more: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.replace("ms", unit) if name == "limit" else value for name, value in more.items()}


def read(document: dict[str, Any]) -> Scenario | None:
    """Return the scenario, None where the document asks for what is refused."""
    try:
        return load(document)
    except ScenarioError:
        return None
