"""The tables that flow through the engine: what was asked and what happened.

A table is a set of equally long numpy columns. Times are integer milliseconds from the start of
the run, GPUs are whole GPUs, priorities are integers 0 to 1000. `Jobs` is what the kernels see;
`JobTable` adds the names a person needs; `Outcome` is what the engine gives back.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]
Int32 = NDArray[np.int32]
Int8 = NDArray[np.int8]
Floats = NDArray[np.float64]

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NO_LIMIT_MS = 365 * DAY_MS
"""Planned length of a job without a limit, so that reservations are always finite."""

CAUSES = (
    "scheduler",
    "reservation",
    "order",
    "quota",
    "topology",
    "type",
    "fragmentation",
    "gang_hold",
    "grace",
    "provisioning",
    "failure",
    "capacity",
)
"""The twelve causes of waiting, in the order in which their tests are removed."""

STATES = ("pending", "running", "finished", "killed", "unschedulable", "withheld")
"""How a job stands at the end of the run; `Outcome.state` holds the index."""


BACKLOG = "backlog"
"""What jobs of the backlog are called instead of their class."""

ELASTIC = "elastic"
"""What jobs of elastic demand are called instead of their class."""


class Jobs(NamedTuple):
    """What was asked, one row a job, sorted by submit time (stable); never written.

    Attributes
    ----------
    submit_ms, runtime_ms : int64, shape (n_jobs,)
        Submit time and true run time in ms.
    limit_ms : int64, shape (n_jobs,)
        Planned length in ms, `NO_LIMIT_MS` where the job has no limit.
    gpus : int32, shape (n_jobs,)
        Whole GPUs of the gang.
    priority : int32, shape (n_jobs,)
        0 (lowest) to 1000.
    tenant, job_class, type_set : int32, shape (n_jobs,)
        Index into the names of `JobTable`.
    """

    submit_ms: Int64
    runtime_ms: Int64
    limit_ms: Int64
    gpus: Int32
    priority: Int32
    tenant: Int32
    job_class: Int32
    type_set: Int32


@dataclass(frozen=True)
class JobTable:
    """Jobs with the names behind their indices.

    Attributes
    ----------
    jobs : Jobs
        The columns.
    tenants, classes : tuple of str
        Names behind `jobs.tenant` and `jobs.job_class`.
    type_sets : tuple
        GPU types a job accepts, behind `jobs.type_set`; None accepts any type.
    ids : tuple of str, optional
        Names of the jobs; None for generated jobs, which are called `<class>-<k>` with k counting
        within the class in submit order, `backlog-<k>` those of the backlog, `elastic-<k>` those of elastic demand.
    n_backlog : int
        The first so many rows waited already when the run began (docs/model.md 10.8): they are in no job metric.
    world : tuple of int
        Seed and replication, from which what is drawn for each job during a run's preparation follows.
    offered : ndarray of bool, shape (n_jobs,), optional
        Which jobs are elastic demand (docs/model.md 10.9): the run decides whether they come, and they are in no
        job metric. None if there is none.
    """

    jobs: Jobs
    tenants: tuple[str, ...]
    classes: tuple[str, ...]
    type_sets: tuple[tuple[str, ...] | None, ...]
    ids: tuple[str, ...] | None = None
    n_backlog: int = 0
    world: tuple[int, int] = (0, 0)
    offered: NDArray[np.bool_] | None = None

    @property
    def n_jobs(self) -> int:
        """Number of jobs."""
        return int(self.jobs.submit_ms.shape[0])

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What jobs without ids are called by: the classes, then what `kind_of_job` says besides."""
        return (*self.classes, BACKLOG, ELASTIC)

    @cached_property
    def kind_of_job(self) -> Int32:
        """Index into `kinds` of each job, int32, shape (n_jobs,)."""
        if not self.n_backlog and self.offered is None:
            return self.jobs.job_class
        kind = self.jobs.job_class.copy()
        kind[: self.n_backlog] = len(self.classes)
        if self.offered is not None:
            kind[self.offered] = len(self.classes) + 1
        return kind

    @cached_property
    def index_in_class(self) -> Int64:
        """Position of each job among those of its kind, int64, shape (n_jobs,)."""
        kind = self.kind_of_job
        by_kind = np.argsort(kind, kind="stable")
        counts = np.bincount(kind, minlength=len(self.kinds))
        first = np.cumsum(counts) - counts
        index = np.empty(self.n_jobs, np.int64)
        index[by_kind] = np.arange(self.n_jobs) - np.repeat(first, counts)
        return index

    def job_id(self, row: int) -> str:
        """Return the name of the job in `row`."""
        if self.ids is not None:
            return self.ids[row]
        return f"{self.kinds[int(self.kind_of_job[row])]}-{int(self.index_in_class[row])}"

    def row_of(self, job_id: str) -> int | None:
        """Return the row of the job of this name, None if there is none; the reverse of `job_id`."""
        if self.ids is not None:
            return self.ids.index(job_id) if job_id in self.ids else None
        name, _, number = job_id.rpartition("-")
        if not number.isascii() or not number.isdigit() or len(number) > 12 or name not in self.kinds:
            return None
        members = np.flatnonzero(self.kind_of_job == self.kinds.index(name))
        return int(members[int(number)]) if int(number) < len(members) else None


@dataclass(frozen=True)
class Placements:
    """Where jobs ran: one row per (job, node) with the GPUs taken there, in order of start."""

    row: Int32
    node: Int32
    gpus: Int32


ATTEMPT_ENDS = ("finished", "killed", "evicted", "running")
"""How a stay on GPUs ended; running: not yet, at the end of the run."""

REASONS = ("own_queue", "borrowers", "fair_share", "reservation", "order")
"""What allowed a preemption (docs/model.md, 15.4)."""


@dataclass(frozen=True)
class Attempts:
    """Stays of jobs on their GPUs, in the order in which they ended (docs/model.md, 15.20).

    Attributes
    ----------
    row : int32, shape (n_attempts,)
        The job.
    start_ms, told_ms, end_ms : int64
        `told_ms` is when an evicted job was told to leave, -1 for one that was not evicted.
    before_ms, saved_ms : int64
        Work saved when it began and when it ended; the run time if the job finished.
    end : int8
        Index into `ATTEMPT_ENDS`.
    """

    row: Int32
    start_ms: Int64
    told_ms: Int64
    end_ms: Int64
    before_ms: Int64
    saved_ms: Int64
    end: Int8


@dataclass(frozen=True)
class Ledger:
    """Preemptions in the order of their decisions (docs/model.md, 15.20).

    Attributes
    ----------
    time_ms : int64, shape (n_preemptions,)
        When the victim was told to leave.
    victim, evictor : int32
        Jobs: who leaves, and for whom.
    reason : int8
        Index into `REASONS`.
    lost_gpu_ms : int64
        Its GPUs times the work it did since its last completed save.
    """

    time_ms: Int64
    victim: Int32
    evictor: Int32
    reason: Int8
    lost_gpu_ms: Int64


@dataclass(frozen=True)
class Holds:
    """What gangs held while they waited for their other members (docs/model.md, 17.2).

    Attributes
    ----------
    row : int32, shape (n_holds,)
        The job.
    begin_ms, end_ms : int64
        From when until when it held them.
    gpus : int32
        How many.
    """

    row: Int32
    begin_ms: Int64
    end_ms: Int64
    gpus: Int32


@dataclass(frozen=True)
class Outcome:
    """What happened to the jobs of a `JobTable`, one row a job.

    Attributes
    ----------
    start_ms, finish_ms : int64, shape (n_jobs,)
        -1 where the job did not start, or was still running at the end of the run.
    state : int8, shape (n_jobs,)
        Index into `STATES`.
    cause_ms : int64, shape (n_jobs, 12)
        Waiting time by cause, columns in the order of `CAUSES`; sums to the wait.
    order_behind_ms : int64, shape (n_classes, 12)
        For time booked `order`, the cause of the blocked job ahead, summed over the jobs of each
        class that were submitted in the window.
    end_ms : int
        End of the run.
    events : int
        Events applied.
    placements : Placements, optional
        Recorded only on request; of a job that started several times those of its latest start.
    attempts : Attempts, optional
        None if every job has at most one stay, from `start_ms` to `finish_ms`, without saves.
    ledger : Ledger, optional
        None if nobody may be evicted.
    requeue_wait_ms : int64, shape (n_jobs,), optional
        What a job waited after evictions; part of `cause_ms`. None if nobody may be evicted.
    holds : Holds, optional
        None if gangs start all at once.
    """

    start_ms: Int64
    finish_ms: Int64
    state: Int8
    cause_ms: Int64
    order_behind_ms: Int64
    end_ms: int
    events: int
    placements: Placements | None = None
    attempts: Attempts | None = None
    ledger: Ledger | None = None
    requeue_wait_ms: Int64 | None = None
    holds: Holds | None = None
