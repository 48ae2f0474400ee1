"""Documents of mechanisms in one line: tenants with quotas, classes with checkpoints, any policy. Times are seconds.

`play` (a fixture) runs a document on each subject that knows the mechanisms of the test module; a module says
`MECHANISMS = (...)`, and `KNOWS` says who knows what.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.builders import Row, pool
from tests.oracle.pairs import Seen, engine_of, twin_of

Document = dict[str, Any]
Play = Callable[[Document], Seen]

SUBJECTS: Mapping[str, Play] = {"twin": twin_of, "engine": engine_of}
MECHANISMS = frozenset(
    {
        "quotas", "reserve", "windows", "preemption", "requeue", "fair_eviction", "suspend", "orders", "planned",
        "remaining", "attained", "rounds", "gangs", "change", "shapes", "resources", "elastic",
    }
)  # fmt: skip
KNOWS: Mapping[str, frozenset[str]] = {
    "twin": MECHANISMS,
    "engine": frozenset(
        {
            "quotas",
            "reserve",
            "windows",
            "orders",
            "preemption",
            "requeue",
            "remaining",
            "attained",
            "rounds",
            "change",
            "shapes",
            "fair_eviction",
            "suspend",
            "gangs",
            "elastic",
        }
    ),
}
"""Add a word to the engine's set when it is built: the timelines of that mechanism then judge it, too."""


def subjects(mechanisms: Sequence[str]) -> list[str]:
    """Return who knows all these mechanisms."""
    assert set(mechanisms) <= MECHANISMS
    return [name for name, known in KNOWS.items() if set(mechanisms) <= known]


def tenant(name: str, nominal: int | None = None, **more: object) -> Row:
    """Return one tenant; `more` is guarantee, borrow, lend, cap (in GPUs), weight, parent, pool."""
    row: Row = {"name": name} if nominal is None else {"name": name, "nominal_gpus": nominal}
    return row | {f"{key}_gpus" if key in GPU_KEYS else key: value for key, value in more.items()}


GPU_KEYS = frozenset({"guarantee", "borrow", "lend", "cap"})


def job_class(name: str, tenant: str = "all", **more: object) -> Row:
    """Return one class without arrivals of its own; listed jobs name it."""
    return {"name": name, "tenant": tenant, "per_day": 0, "gpus": 1, "duration": {"fixed": "1h"}} | more


def checkpoint(every: int, cost: int, restart: int) -> Row:
    """Return the checkpoint habits of a class, in seconds."""
    return {"every": f"{every}s", "cost": f"{cost}s", "restart": f"{restart}s"}


def asked(
    jobs: Sequence[Row],
    *pools: Row,
    tenants: Sequence[Row] = (),
    classes: Sequence[Row] = (),
    run: Mapping[str, Any] | None = None,
    elastic: Mapping[str, Any] | None = None,
    **policy: object,
) -> Document:
    """Return a document of listed jobs that runs until all have ended: one node of 8, strict FIFO, counted."""
    return {
        "headroom": 1,
        "name": "test",
        "cluster": {"pools": list(pools) or [pool()]},
        "tenants": list(tenants) or [{"name": "all"}],
        "workload": {
            "arrivals": {"jobs": [{"id": str(place), **row} for place, row in enumerate(jobs)]},
            "classes": list(classes),
            "elastic": elastic,
        },
        "policy": {"order": "fifo", "discipline": "strict", "placement": "counted"} | policy,
        "run": {"days": 1, "drain": True} if run is None else dict(run),
    }


def starts(seen: Seen) -> list[float]:
    """Return the first start of each job in s."""
    return [start / 1_000 for start in seen.start]


def finishes(seen: Seen) -> list[float]:
    """Return the finish of each job in s."""
    return [finish / 1_000 for finish in seen.finish]
