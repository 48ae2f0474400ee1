"""Results written by hand: what became of each job is stated, nothing is simulated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.kernels.tables import CAUSES, NO_LIMIT_MS, Jobs, JobTable, Outcome
from scheduler_core.result import FINISHED, KILLED, PENDING, RUNNING, UNSCHEDULABLE, Provenance, Result
from scheduler_core.scenario.document import load

S = 1_000
HOUR = 3_600 * S
DAY = 24 * HOUR


@dataclass
class Job:
    """One job of a hand-written result; times in seconds, None for what did not happen."""

    submit: float
    start: float | None
    finish: float | None
    gpus: int = 1
    tenant: str = "team"
    job_class: str = "train"
    runtime: float | None = None
    limit: float | None = None
    is_killed: bool = False
    is_unschedulable: bool = False
    causes: dict[str, float] | None = None

    @property
    def state(self) -> int:
        if self.is_unschedulable:
            return UNSCHEDULABLE
        if self.start is None:
            return PENDING
        if self.finish is None:
            return RUNNING
        return KILLED if self.is_killed else FINISHED

    @property
    def run_s(self) -> float:
        if self.runtime is not None:
            return self.runtime
        return self.finish - self.start if self.start is not None and self.finish is not None else 60.0


def ms(seconds: float | None) -> int:
    return -1 if seconds is None else round(seconds * S)


def hand_result(
    jobs: Sequence[Job],
    *,
    pools: Sequence[Mapping[str, object]] = ({"name": "main", "nodes": 2},),
    tenants: Sequence[Mapping[str, object]] | None = None,
    days: float = 1,
    warmup_days: float = 0,
    drain: bool = False,
    kill_at_limit: bool = False,
    end_s: float | None = None,
    behind: dict[str, dict[str, float]] | None = None,
    replication: int = 0,
) -> Result:
    """A result of `jobs`, on pools of nodes with 8 GPUs unless they say otherwise."""
    jobs = sorted(jobs, key=lambda job: job.submit)
    names = list(dict.fromkeys(job.tenant for job in jobs)) or ["team"]
    classes = list(dict.fromkeys(job.job_class for job in jobs)) or ["train"]
    owner = {job.job_class: job.tenant for job in jobs} or {"train": "team"}
    listed = list(tenants) if tenants is not None else [{"name": name} for name in names]
    document = {
        "headroom": 1,
        "name": "by hand",
        "cluster": {
            "pools": [
                {
                    "name": p["name"],
                    "gpu": "A100",
                    "zones": {"a": p["nodes"]},
                    "gpus_per_node": p.get("gpus_per_node", 8),
                }
                for p in pools
            ]
        },
        "tenants": listed,
        "workload": {
            "arrivals": {"process": "poisson"},
            "classes": [
                {"name": name, "tenant": owner[name], "per_day": 1, "gpus": 1, "duration": {"fixed": "1h"}}
                for name in classes
            ],
        },
        "policy": {
            "order": "fifo",
            "discipline": "strict",
            "placement": "best_fit",
            "kill_at_limit": kill_at_limit,
        },
        "run": {"days": days, "warmup_days": warmup_days, "drain": drain},
    }
    end_ms = round(days * DAY) if end_s is None else ms(end_s)
    n_jobs = len(jobs)
    cause_ms = np.zeros((n_jobs, len(CAUSES)), np.int64)
    for row, job in enumerate(jobs):
        for cause, seconds in (job.causes or {}).items():
            cause_ms[row, CAUSES.index(cause)] = ms(seconds)
    order_behind = np.zeros((len(classes), len(CAUSES)), np.int64)
    for name, parts in (behind or {}).items():
        for cause, seconds in parts.items():
            order_behind[classes.index(name), CAUSES.index(cause)] = ms(seconds)
    table = JobTable(
        Jobs(
            np.array([ms(job.submit) for job in jobs], np.int64),
            np.array([ms(job.run_s) for job in jobs], np.int64),
            np.array([NO_LIMIT_MS if job.limit is None else ms(job.limit) for job in jobs], np.int64),
            np.array([job.gpus for job in jobs], np.int32),
            np.full(n_jobs, 500, np.int32),
            np.array([names.index(job.tenant) for job in jobs], np.int32),
            np.array([classes.index(job.job_class) for job in jobs], np.int32),
            np.zeros(n_jobs, np.int32),
        ),
        tuple(names),
        tuple(classes),
        (None,),
    )
    outcome = Outcome(
        np.array([ms(job.start) for job in jobs], np.int64),
        np.array([ms(job.finish) for job in jobs], np.int64),
        np.array([job.state for job in jobs], np.int8),
        cause_ms,
        order_behind,
        end_ms,
        0,
    )
    return Result(load(document), table, outcome, Provenance("scenario", "run", "test", 1, replication))
