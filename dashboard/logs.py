"""Job logs on the pages: read what was dropped, keep it by its content, and find it again for a link."""

import json
from typing import Final

from dashboard import state, storage
from scheduler_core import (
    ClusterImport,
    JobTable,
    Kept,
    LogSetup,
    Replay,
    Scenario,
    infer_capacity,
    load,
    read_cluster,
    read_log,
    set_up_log,
)

LONGEST_CLUSTER_TEXT: Final = 2_000_000


_REPLAYS: Final[Kept[Replay]] = Kept(6)


def replay_of(scenario: Scenario) -> Replay | None:
    """Return the jobs of the log a scenario replays, with what was recorded; None when it replays none.

    Raises
    ------
    MissingLogError
        When the log is not stored here.
    TraceError
        When it cannot be read.
    """
    log = scenario.workload.arrivals.log
    if log is None:
        return None
    tenants = tuple(tenant.name for tenant in scenario.tenants)
    types = tuple(dict.fromkeys(pool.gpu for pool in scenario.cluster.pools))
    key = json.dumps([log.model_dump(mode="json"), tenants, types], sort_keys=True)

    def read() -> Replay:
        imported = read_log(storage.load_log(log.sha256), format=log.format, options=log.options)
        return imported.replay(unit=log.unit, procs_per_gpu=log.procs_per_gpu, tenants=tenants, gpu_types=types)

    found = _REPLAYS.get(key, read)
    total = sum(pool.gpus for pool in scenario.cluster.pools)
    inferred = infer_capacity(found)
    return found.with_capacity(total, inferred.source if inferred.gpus == total else "given")


def job_table(scenario: Scenario) -> JobTable | None:
    """Return the jobs of the log a scenario replays; None when it replays none."""
    found = replay_of(scenario)
    return found.table if found is not None else None


def take(content: bytes, name: str, *, cluster: str = "", gpus: int | None = None, procs_per_gpu: int = 1) -> LogSetup:
    """Read a log, keep it, and make the scenario that replays it the current one.

    Parameters
    ----------
    content : bytes
        The file.
    name : str
        What the user called it.
    cluster : str
        Output of sinfo or a CSV of nodes; empty to infer the capacity.
    gpus : int, optional
        Number of GPUs, when the user knows it.
    procs_per_gpu : int
        Processors that count as one GPU.

    Returns
    -------
    LogSetup
        With a report; its document is None when no job can be replayed, and then nothing changes.
    """
    nodes: ClusterImport | None = None
    if cluster.strip():
        nodes = read_cluster(cluster[:LONGEST_CLUSTER_TEXT])
    made = set_up_log(read_log(content), procs_per_gpu=procs_per_gpu, cluster=nodes, gpus=gpus)
    if made.document is not None:
        storage.save_log(content, name)
        scenario = load({**made.document, "name": name[:120] or str(made.document["name"])})
        state.replace(scenario, is_new_start=True)
    return made
