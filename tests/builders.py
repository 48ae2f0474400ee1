"""Scenarios in one line, so that a test mentions only what matters.

Times are whole seconds, or texts with a unit ("250ms"). Everything goes through the real document reader.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.kernels.tables import JobTable
from scheduler_core.scenario import Scenario, load
from scheduler_core.workload import build

Time = int | str
Row = dict[str, Any]


def job(submit: Time, duration: Time, gpus: int = 1, *, limit: Time | None = None, **more: object) -> Row:
    """Return one listed job; `more` is priority (0 to 1), tenant, gpu_types, job_class (a name), id."""
    row: Row = {"submit": _time(submit), "duration": _time(duration), "gpus": gpus, "tenant": "all"}
    if limit is not None:
        row["limit"] = _time(limit)
    if "job_class" in more:
        row["class"] = more.pop("job_class")
    return row | more


def pool(nodes: int | Mapping[str, int] = 1, gpus: int = 8, *, gpu: str = "A100", name: str = "main") -> Row:
    """Return one pool; `nodes` in one zone, or by zone."""
    zones = {"z": nodes} if isinstance(nodes, int) else dict(nodes)
    return {"name": name, "gpu": gpu, "zones": zones, "gpus_per_node": gpus}


def scenario(
    jobs: Sequence[Row],
    *pools: Row,
    fences: Mapping[str, str | None] | None = None,
    run: Mapping[str, Any] | None = None,
    **policy: object,
) -> Scenario:
    """Return a scenario of listed jobs that runs until all have ended.

    Parameters
    ----------
    jobs : sequence of dict
        From `job`; a job without an id is called by its place in the list.
    pools : dict
        From `pool`; none means one node of 8.
    fences : mapping of str to str, optional
        Tenant -> the pool it names; one tenant `all` without a fence if left out.
    run : mapping, optional
        Fields of `run`; `days: 1, drain: true` if left out, and `drain` is false where `days` is given.
    policy : object
        Fields of `policy`; strict FIFO, counted, if left out.
    """
    tenants = {"all": None} if fences is None else fences
    rows = [{"id": str(place), **row} for place, row in enumerate(jobs)]
    document = {
        "headroom": 1,
        "name": "test",
        "cluster": {"pools": list(pools) or [pool()]},
        "tenants": [{"name": name, "pool": fenced} for name, fenced in tenants.items()],
        "workload": {"arrivals": {"jobs": rows}},
        "policy": {"order": "fifo", "discipline": "strict", "placement": "counted"} | policy,
        "run": {"days": 1, "drain": True} if run is None else dict(run),
    }
    return load(document)


def easy(depth: int | None = None, candidates: str = "order") -> Row:
    """Return the discipline easy; all jobs are looked at if `depth` is left out."""
    return {"easy": {"depth": depth, "candidates": candidates}}


def conservative(depth: int | None = None, slots: str = "kept") -> Row:
    """Return the discipline conservative; all jobs hold a slot if `depth` is left out."""
    return {"conservative": {"depth": depth, "slots": slots}}


def table(asked: Scenario) -> JobTable:
    """Return the job table of a scenario, sorted by submit."""
    return build(asked)


def _time(value: Time) -> str:
    return f"{value}s" if isinstance(value, int) else value
