"""What happened in one run: the scenario, the jobs asked for, what became of them, and where it came from.

Everything here is computed after the loop, in vectors, from the tables of `scheduler_core.kernels.tables`. Times are
integer milliseconds from the start of the run, so sums are exact. The rules are those of docs/model.md: the window,
waiting, and the books of work.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import CAUSES, DAY_MS, STATES, Int8, Int64, JobTable, Outcome
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.fences import fences

Bool = NDArray[np.bool_]

PENDING, RUNNING, FINISHED, KILLED, UNSCHEDULABLE = range(len(STATES))

END_REASONS = ("finished", "limit", "running")
"""Why an attempt ended; `Attempts.reason` holds the index. `running`: it was cut by the end of the run."""

LIMIT = END_REASONS.index("limit")
BOOKS = ("useful", "lost", "checkpoint", "restart", "grace", "idle_held")
"""Kinds of GPU-time; they sum to the allocated GPU-time. Kinds that cannot happen yet are 0."""

NO_POOL = "no pool"
"""Name of the fence of tenants without a pool where every pool has an owner."""


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from: enough to run it again and get the same bytes."""

    scenario_hash: str
    run_hash: str
    engine_version: str
    seed: int
    replication: int = 0


class Attempts(NamedTuple):
    """One row for each time a job held GPUs, in order of (job, start).

    Attributes
    ----------
    row : int64, shape (n_attempts,)
        The job.
    start_ms, end_ms : int64, shape (n_attempts,)
        When it held its GPUs; the end of the run where it still runs.
    saved_ms : int64, shape (n_attempts,)
        Work of the attempt that was kept, counted from its start; the rest was lost.
    reason : int8, shape (n_attempts,)
        Index into `END_REASONS`.
    """

    row: Int64
    start_ms: Int64
    end_ms: Int64
    saved_ms: Int64
    reason: Int8


@dataclass(frozen=True)
class Fences:
    """The parts of the cluster that do not share jobs: one for each pool named by a tenant, one for the rest.

    Attributes
    ----------
    names : tuple of str
        The pool, or the pools joined by `` + ``.
    gpus : int64, shape (n_fences,)
        Schedulable GPUs.
    of_tenant : int64, shape (n_tenants,)
        Fence of each tenant of the job table.
    """

    names: tuple[str, ...]
    gpus: Int64
    of_tenant: Int64


@dataclass(frozen=True)
class Result:
    """One run.

    Attributes
    ----------
    scenario : Scenario
        What was asked.
    table : JobTable
        The jobs.
    outcome : Outcome
        What became of them.
    provenance : Provenance
        Hashes, engine version, seed and replication.
    """

    scenario: Scenario
    table: JobTable
    outcome: Outcome
    provenance: Provenance

    @property
    def n_jobs(self) -> int:
        """Number of jobs of the table."""
        return self.table.n_jobs

    @property
    def tenants(self) -> tuple[str, ...]:
        """Names of the tenants, in the order of their index."""
        return self.table.tenants

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the job classes, in the order of their index."""
        return self.table.classes

    def job_id(self, row: int) -> str:
        """Return the name of the job in `row`."""
        return self.table.job_id(row)

    @property
    def window_ms(self) -> tuple[int, int]:
        """Begin and end of the measured window, [warm-up, days), in ms."""
        run = self.scenario.run
        return round(run.warmup_days * DAY_MS), round(run.days * DAY_MS)

    @property
    def healthy_gpus(self) -> int:
        """GPUs that can be scheduled."""
        return int(self.fences.gpus.sum())

    @cached_property
    def in_window(self) -> Bool:
        """Whether each job was submitted in the window, bool, shape (n_jobs,)."""
        begin, end = self.window_ms
        submit = self.table.jobs.submit_ms
        inside: Bool = (submit >= begin) & (submit < end)
        return inside

    @cached_property
    def is_counted(self) -> Bool:
        """Whether job metrics cover the job: submitted in the window and not unschedulable, bool, shape (n_jobs,)."""
        counted: Bool = self.in_window & (self.outcome.state != UNSCHEDULABLE)
        return counted

    @cached_property
    def wait_ms(self) -> Int64:
        """Wait before the first start in ms, int64, shape (n_jobs,).

        A pending job has waited up to the end of the run; an unschedulable job never stood in line and has 0.
        """
        submit, start = self.table.jobs.submit_ms, self.outcome.start_ms
        left = np.where(start >= 0, start, np.maximum(self.outcome.end_ms, submit))
        return np.where(self.outcome.state == UNSCHEDULABLE, 0, left - submit)

    @cached_property
    def requeue_wait_ms(self) -> Int64:
        """Wait after an attempt that did not end the job, in ms, int64, shape (n_jobs,)."""
        attempts = self.attempts
        wait = np.zeros(self.n_jobs, np.int64)
        again = np.flatnonzero(attempts.row[1:] == attempts.row[:-1])
        np.add.at(wait, attempts.row[again], attempts.start_ms[again + 1] - attempts.end_ms[again])
        last = np.full(self.n_jobs, -1, np.int64)
        last[attempts.row] = attempts.end_ms
        waits_again = (self.outcome.state == PENDING) & (last >= 0)
        wait[waits_again] += self.outcome.end_ms - last[waits_again]
        return wait

    @cached_property
    def preemptions(self) -> Int64:
        """Attempts after the first of each job, int64, shape (n_jobs,)."""
        return np.maximum(np.bincount(self.attempts.row, minlength=self.n_jobs) - 1, 0).astype(np.int64)

    @cached_property
    def run_ms(self) -> Int64:
        """Run time a job has or will have had when it ends, in ms, int64, shape (n_jobs,)."""
        jobs = self.table.jobs
        if not self.scenario.policy.kill_at_limit:
            return jobs.runtime_ms
        return np.minimum(jobs.runtime_ms, np.maximum(jobs.limit_ms, 1))  # a limit counts as at least 1 ms

    @cached_property
    def attempts(self) -> Attempts:
        """The attempts table; in this version a started job has exactly one attempt."""
        out = self.outcome
        row = np.flatnonzero(out.start_ms >= 0).astype(np.int64)
        start, state = out.start_ms[row], out.state[row]
        is_running = state == RUNNING
        end = np.where(is_running, out.end_ms, out.finish_ms[row])
        is_killed = state == KILLED
        saved = np.where(is_killed, 0, end - start)
        reason = np.where(is_running, 2, np.where(is_killed, 1, 0)).astype(np.int8)
        return Attempts(row, start, end, saved, reason)

    @cached_property
    def fences(self) -> Fences:
        """The fences of the scenario and the fence of each tenant."""
        found = list(fences(self.scenario))
        names, gpus = [fence.name for fence in found], [fence.gpus for fence in found]
        of_name = {tenant: at for at, fence in enumerate(found) for tenant in fence.tenants}
        fenced = {tenant.pool for tenant in self.scenario.tenants}
        shared = next((at for at, fence in enumerate(found) if fence.pools[0].name not in fenced), len(found))
        of_tenant = [of_name.get(tenant, shared) for tenant in self.table.tenants]
        if len(found) in of_tenant:  # every pool has an owner, and this tenant owns none
            names, gpus = [*names, NO_POOL], [*gpus, 0]
        return Fences(tuple(names), np.array(gpus, np.int64), np.array(of_tenant, np.int64))

    def gpu_ms_in(self, begin_ms: int, end_ms: int) -> tuple[Int64, Int64]:
        """Return the useful and the lost GPU-time of each attempt within a span.

        Parameters
        ----------
        begin_ms, end_ms : int
            The span in ms.

        Returns
        -------
        tuple of int64, shape (n_attempts,)
            Useful and lost GPU-ms.
        """
        attempts = self.attempts
        gpus = self.table.jobs.gpus[attempts.row].astype(np.int64)
        begin, end = np.clip(attempts.start_ms, begin_ms, end_ms), np.clip(attempts.end_ms, begin_ms, end_ms)
        if not (attempts.reason == LIMIT).any():
            return (end - begin) * gpus, np.zeros_like(begin)
        kept = np.clip(attempts.start_ms + attempts.saved_ms, begin_ms, end_ms)
        return (kept - begin) * gpus, (end - kept) * gpus

    @cached_property
    def window_gpu_ms(self) -> tuple[Int64, Int64]:
        """Useful and lost GPU-ms of each attempt within the window, int64, shape (n_attempts,)."""
        return self.gpu_ms_in(*self.window_ms)

    @cached_property
    def books(self) -> Mapping[str, int]:
        """GPU-ms of the window by kind (`BOOKS`); they sum to the allocated GPU-ms."""
        useful, lost = self.window_gpu_ms
        return dict.fromkeys(BOOKS, 0) | {"useful": int(useful.sum()), "lost": int(lost.sum())}

    def columns(self) -> dict[str, NDArray[np.generic] | list[str]]:
        """Return the jobs as named columns, one entry a job, times in ms, -1 where something did not happen."""
        jobs, out = self.table.jobs, self.outcome
        names: dict[str, NDArray[np.generic] | list[str]] = {
            "job_id": self.job_ids,
            "tenant": np.array(self.tenants, dtype=object)[jobs.tenant],
            "class": np.array(self.classes, dtype=object)[jobs.job_class],
            "gpus": jobs.gpus,
            "submit_ms": jobs.submit_ms,
            "start_ms": out.start_ms,
            "finish_ms": out.finish_ms,
            "wait_ms": self.wait_ms,
            "requeue_wait_ms": self.requeue_wait_ms,
            "state": np.array(STATES, dtype=object)[out.state],
            "preemptions": self.preemptions,
        }
        return names | {f"{cause}_ms": out.cause_ms[:, at] for at, cause in enumerate(CAUSES)}

    @cached_property
    def job_ids(self) -> list[str]:
        """Names of all jobs, in the order of the table."""
        if self.table.ids is not None:
            return list(self.table.ids)
        classes, of_job = self.table.classes, self.table.jobs.job_class.tolist()
        return [f"{classes[at]}-{k}" for at, k in zip(of_job, self.table.index_in_class.tolist(), strict=True)]
