"""The promise of a dedicated cluster, run: the 99 % wait at the peak by formula, and as the simulator finds it.

Requests come at random (Poisson) and take one GPU each; what the formula assumes of their length (exponential) is run
as the check, and requests of equal length beside it. The run lasts as many requests, in hours where the deal has
seconds: a change of unit changes no wait but its unit.
"""

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import SECONDS_PER_DAY
from scheduler_core.economics.isolation_cost import PROMISE
from scheduler_core.economics.notes import Note, Time, say
from scheduler_core.economics.queueing import require_stable, wait_quantile
from scheduler_core.kernels.tables import HOUR_MS
from scheduler_core.studies._estimate import Estimate
from scheduler_core.studies.plan_confirm import (
    METRICS,
    Confirmation,
    gap_notes,
    job_classes,
    scaled,
    slots_scenario,
)
from scheduler_core.studies.replicate import Progress, Simulate, replicate, step

JOBS = 300_000.0
SEEDS = 5
_SPREADS = {"promise": 1.0, "promise_equal": 0.0}
"""Label -> spread of the lengths: as the formula takes them, and all equal."""


def confirm_deal(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> tuple[Confirmation, ...]:
    """Return the 99 % wait of the deal at its peak, by formula and by simulation.

    Parameters
    ----------
    asked : Assumptions
        The deal.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication.

    Returns
    -------
    tuple of Confirmation
        Waits in ms: ``promise`` with exponential requests, ``promise_equal`` with requests of equal length.

    Raises
    ------
    InfeasibleError
        If the line grows for ever.
    """
    gpus, service_s = int(asked.number("dedicated_gpus")), asked.number("request_gpu_s")
    load = asked.number("requests_per_day") * service_s * asked.number("peak_factor") / SECONDS_PER_DAY
    require_stable(gpus, load)
    formula = 1_000 * wait_quantile(gpus, load, service_s, PROMISE)
    found = []
    for at, (label, spread) in enumerate(_SPREADS.items()):
        scenario, part = slots_scenario(gpus, job_classes(load, spread), JOBS), step(progress, at, len(_SPREADS))
        runs = replicate(scenario, SEEDS, progress=part, simulate=simulate, scopes=("all",))
        told = scaled(runs.estimate(METRICS["p99"]), 1_000 * service_s / HOUR_MS)
        notes = gap_notes(formula, told, spread) if spread != 1 else _notes(formula, told, asked)
        found.append(Confirmation(label, "ms", formula, None, told, notes))
    return tuple(found)


def _notes(formula: float, found: Estimate, asked: Assumptions) -> tuple[Note, ...]:
    """Return whether the formula holds and the promise is kept."""
    limit = 1_000 * asked.number("wait_limit_s")
    kept = (found.mean or 0.0) <= limit
    promise = say(f"money.promise.{'kept' if kept else 'broken'}", wait=_said(found.mean), limit=_said(limit))
    return (*gap_notes(formula, found), promise)


def _said(time_ms: float | None) -> Time:
    return Time(time_ms or 0.0)
