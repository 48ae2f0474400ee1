"""Open the log that a scenario names, and make the job table that the scenario means."""

from pathlib import Path

from scheduler_core.errors import InputError, TraceError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario
from scheduler_core.traces._imported import Imported
from scheduler_core.traces._read import read
from scheduler_core.traces._replay import Replay
from scheduler_core.traces._source import Source


def reopen(log: Path | str | bytes | Imported, scenario: Scenario) -> Replay:
    """Return the jobs of a log as a scenario replays them.

    Parameters
    ----------
    log : path, bytes or Imported
        The log; an `Imported` must have been read with the scenario's options.
    scenario : Scenario
        Names the log by its content, and says how to read it.

    Returns
    -------
    Replay
        Tenants in the order of the scenario; jobs of other tenants are left out and counted.

    Raises
    ------
    InputError
        If the scenario replays no log, or its options are not allowed.
    TraceError
        If it is another log, or cannot be read.
    """
    reference = getattr(scenario.workload.arrivals, "log", None)
    if reference is None:
        raise InputError("workload.arrivals", "no log", Phrase("a log for this scenario to replay one"))
    if isinstance(log, Imported):
        file, found = log.reading.file, log.facts.sha256
    else:
        source = Source(log)
        file, found = source.name, source.sha256
    if found != reference.sha256:
        problem = Phrase("its SHA-256 is {found}..., not {sha256}...", found=found[:12], sha256=reference.sha256[:12])
        raise TraceError(file, None, Phrase("is not the log of this scenario: {problem}", problem=problem))
    imported = log if isinstance(log, Imported) else read(log, format=reference.format, options=reference.options)
    replay = imported.replay(
        unit=reference.unit,
        procs_per_gpu=reference.procs_per_gpu,
        tenants=tuple(tenant.name for tenant in scenario.tenants),
        gpu_types=tuple(pool.gpu for pool in scenario.cluster.pools),
    )
    return replay.with_capacity(scenario.cluster.gpus, "cluster")
