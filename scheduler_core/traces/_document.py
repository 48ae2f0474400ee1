"""A scenario document that replays a log, and everything a page or command needs for that in one call."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scheduler_core.errors import InputError, TraceError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit
from scheduler_core.traces._capacity import Capacity, infer_capacity
from scheduler_core.traces._imported import Imported
from scheduler_core.traces._names import fit_name
from scheduler_core.traces._pools import ClusterImport, PoolData
from scheduler_core.traces._read import read
from scheduler_core.traces._replay import Replay
from scheduler_core.traces._report import Unit

LOG_POOL = "cluster"
LOG_ZONE = "a"

Document = dict[str, object]


@dataclass(frozen=True, eq=False)
class LogSetup:
    """A log with the cluster it is replayed on.

    Attributes
    ----------
    imported : Imported
        The log.
    replay : Replay
        Its jobs; the report holds the cluster too.
    document : dict or None
        The scenario; None if no job can be replayed.
    """

    imported: Imported
    replay: Replay
    document: Document | None


def one_pool(capacity: int, gpu: str) -> PoolData:
    """Return a pool of `capacity` units in as few nodes as possible, for counted placement."""
    nodes = -(-capacity // limit("gpus_per_node"))
    return {"name": LOG_POOL, "gpu": gpu, "zones": {LOG_ZONE: nodes}, "gpus_per_node": -(-capacity // nodes)}


def scenario_document(
    replay: Replay, *, cluster: ClusterImport | None = None, gpus: int | None = None, name: str = ""
) -> Document:
    """Return a scenario that replays a log: first in, first out, strict, counted placement, run until all jobs end.

    Parameters
    ----------
    replay : Replay
        The jobs.
    cluster : ClusterImport, optional
        Pools that were read from a list of nodes.
    gpus : int, optional
        Units of the cluster, as one pool. Without both, the size is inferred from the log.
    name : str
        Name of the scenario; the log's if empty.

    Returns
    -------
    dict
        A document in plain types.

    Raises
    ------
    TraceError
        If no job can be replayed.
    """
    report, facts = replay.report, replay.facts
    if not replay.table.n_jobs:
        raise TraceError(report.file, None, Phrase("has no job that can be replayed; see the import report."))
    kinds = replay.gpu_types
    kind = "processor" if not report.is_in_gpus else kinds[0] if len(kinds) == 1 else "GPU"
    if cluster is not None:
        pools = [dict(pool) for pool in cluster.pools]
    else:
        pools = [one_pool(gpus or infer_capacity(replay).gpus, fit_name(kind))]
    log: Document = {"sha256": facts.sha256, "format": facts.format}
    if facts.options:
        log["options"] = dict(facts.options)
    log |= {"unit": report.unit, "procs_per_gpu": report.procs_per_gpu}
    return {
        "headroom": 1,
        "name": (name or f"Replay of {report.file}")[: limit("title_characters")],
        "cluster": {"pools": pools},
        "tenants": [{"name": tenant} for tenant in replay.table.tenants],
        "workload": {"arrivals": {"log": log}},
        "policy": {"order": "fifo", "discipline": "strict", "placement": "counted"},
        "run": {"days": replay.days, "replications": 1, "drain": True},
    }


def set_up(
    log: Path | str | bytes | Imported,
    *,
    format: str | None = None,  # noqa: A002
    options: Mapping[str, object] | None = None,
    unit: Unit | None = None,
    procs_per_gpu: int = 1,
    cluster: ClusterImport | None = None,
    gpus: int | None = None,
) -> LogSetup:
    """Read a log, choose its cluster, and write the scenario that replays it.

    Parameters
    ----------
    log : path, bytes or Imported
        The log.
    format, options
        See `read`.
    unit, procs_per_gpu
        See `Imported.replay`.
    cluster, gpus
        See `scenario_document`.

    Returns
    -------
    LogSetup
        With a report that holds the log against the cluster.

    Raises
    ------
    TraceError
        If the log cannot be read.
    InputError
        If a setting is not allowed.
    """
    most = limit("gpus")
    if gpus is not None and (isinstance(gpus, bool) or not 1 <= gpus <= most):
        raise InputError("gpus", gpus, Phrase("a whole number from 1 to {most:,}", most=most))
    imported = log if isinstance(log, Imported) else read(log, format=format, options=options)
    types = cluster.gpu_types if cluster else ()
    replay = imported.replay(unit=unit, procs_per_gpu=procs_per_gpu, gpu_types=types)
    if not replay.table.n_jobs:
        return LogSetup(imported, replay, None)
    if cluster is not None:
        capacity = Capacity(cluster.gpus, "cluster")
    else:
        capacity = Capacity(gpus, "given") if gpus else infer_capacity(replay)
    document = scenario_document(replay, cluster=cluster, gpus=capacity.gpus)
    return LogSetup(imported, replay.with_capacity(*capacity), document)


def report_json(replay: Replay) -> str:
    """Return the import report as JSON text."""
    return json.dumps(replay.report.as_dict(), ensure_ascii=False, indent=2)
