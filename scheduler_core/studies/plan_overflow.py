"""Confirm how much overflows to rented machines: owned GPUs are taken first, so what does not fit lands on rented ones.

Nobody waits, because there are rented GPUs enough; the jobs that stand on them are those that found no owned GPU free.
"""

import math

import numpy as np

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.plan_fleet import plan_burst
from scheduler_core.economics.queueing import erlang_b
from scheduler_core.result import Result
from scheduler_core.scenario import Scenario, load
from scheduler_core.studies._estimate import estimate
from scheduler_core.studies.plan_confirm import WARMUP_SHARE, Confirmation, gap_notes, job_classes, jobs_for
from scheduler_core.studies.replicate import Progress, step

_SPREADS = 8
"""Rented GPUs: so many standard deviations of the jobs at a time that they never run out."""


def overflow_scenario(servers: int, erlangs: float) -> Scenario:
    """Return a scenario whose first GPUs are owned and whose others are rented, in the order in which they are taken.

    Parameters
    ----------
    servers : int
        Owned GPUs, at least 1.
    erlangs : float
        Jobs of one GPU at a time.
    """
    rented = math.ceil(erlangs + _SPREADS * math.sqrt(erlangs)) + 10
    days = jobs_for(servers) / (24 * erlangs)
    pools = (("owned", servers), ("rented", rented))
    return load(
        {
            "headroom": 1,
            "name": "burst",
            "cluster": {
                "pools": [
                    {"name": name, "gpu": "any", "zones": {"z": count}, "gpus_per_node": 1} for name, count in pools
                ]
            },
            "tenants": [{"name": "all"}],
            "workload": {"arrivals": {"process": "poisson"}, "classes": job_classes(erlangs, 1.0)},
            "policy": {"order": "fifo", "discipline": "strict", "placement": "first_fit"},
            "run": {"days": round(days, 6), "warmup_days": round(WARMUP_SHARE * days, 6), "seed": 11, "drain": True},
        }
    )


def rented_share(result: Result, servers: int) -> float:
    """Return the share of the counted jobs that ran on rented GPUs.

    Parameters
    ----------
    result : Result
        A run of `overflow_scenario` with its placements.
    servers : int
        Owned GPUs.
    """
    placed = result.outcome.placements
    if placed is None or not result.is_counted.any():
        return 0.0
    on_rented = np.zeros(result.is_counted.shape, dtype=np.bool_)
    on_rented[placed.row[placed.node >= servers]] = True
    return float(on_rented[result.is_counted].mean())


def confirm_burst(asked: Assumptions, *, progress: Progress | None = None) -> Confirmation:
    """Run the owned GPUs that the burst plan found and hold the rented share against Erlang B.

    Parameters
    ----------
    asked : Assumptions
        The inputs of the plan.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    Confirmation
        Share of the jobs that are rented.
    """
    from scheduler_core.api import simulate  # noqa: PLC0415  (loads the kernels)

    plan, seeds = plan_burst(asked), int(asked.number("confirm_seeds"))
    servers = max(1, plan.best.servers)
    scenario = overflow_scenario(servers, plan.load)
    shares = [
        rented_share(
            simulate(scenario, replication=at, record_placements=True, progress=step(progress, at, seeds)), servers
        )
        for at in range(seeds)
    ]
    formula, found = erlang_b(servers, plan.load), estimate(shares)
    return Confirmation("rented", "share", formula, None, found, gap_notes(formula, found))
