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

from scheduler_core.books import BOOKS, NOT_EVICTED, Work, saves_of, unbroken_ms, work_of
from scheduler_core.kernels.tables import ATTEMPT_ENDS, CAUSES, DAY_MS, STATES, Attempts, Int64, JobTable, Outcome
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.fences import fences

Bool = NDArray[np.bool_]

PENDING, RUNNING, FINISHED, KILLED, UNSCHEDULABLE, WITHHELD = range(len(STATES))

ENDED_FINISHED, ENDED_KILLED, ENDED_EVICTED, ENDED_RUNNING = range(len(ATTEMPT_ENDS))

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


class Spans(NamedTuple):
    """Times in which jobs stood in line; may be empty.

    Attributes
    ----------
    row : int64, shape (n_spans,)
        The job; the first `n_jobs` spans are the waits before the first start, in row order.
    begin_ms, end_ms : int64, shape (n_spans,)
        From when to when.
    """

    row: Int64
    begin_ms: Int64
    end_ms: Int64


class Occupied(NamedTuple):
    """Times in which jobs had GPUs, whether they ran or collected their members.

    Attributes
    ----------
    row : integers, shape (n_spans,)
        The job; the attempts come first.
    begin_ms, end_ms : int64, shape (n_spans,)
        From when to when.
    gpus : integers, shape (n_spans,)
        How many.
    """

    row: NDArray[np.integer]
    begin_ms: Int64
    end_ms: Int64
    gpus: NDArray[np.integer]


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
        """Whether each job was submitted in the window and is neither backlog nor elastic, bool, shape (n_jobs,)."""
        begin, end = self.window_ms
        submit = self.table.jobs.submit_ms
        inside: Bool = (submit >= begin) & (submit < end)
        inside[: self.table.n_backlog] = False
        if self.table.offered is not None:
            inside &= ~self.table.offered
        return inside

    @cached_property
    def is_counted(self) -> Bool:
        """Whether job metrics cover the job: submitted in the window and not unschedulable, bool, shape (n_jobs,)."""
        counted: Bool = self.in_window & (self.outcome.state != UNSCHEDULABLE)
        return counted

    @cached_property
    def wait_ms(self) -> Int64:
        """Wait before the first start in ms, int64, shape (n_jobs,).

        A pending job has waited up to the end of the run; one that is unschedulable or withheld never stood in line: 0.
        """
        submit, start = self.table.jobs.submit_ms, self.outcome.start_ms
        left = np.where(start >= 0, start, np.maximum(self.outcome.end_ms, submit))
        return np.where(self.outcome.state >= UNSCHEDULABLE, 0, left - submit)

    @cached_property
    def requeue_wait_ms(self) -> Int64:
        """Wait after evictions, from leaving the GPUs to the next start, in ms, int64, shape (n_jobs,)."""
        wait = self.outcome.requeue_wait_ms
        return np.zeros(self.n_jobs, np.int64) if wait is None else wait

    @cached_property
    def waited_ms(self) -> Int64:
        """All waiting of each job in ms: before its first start, and after evictions, int64, shape (n_jobs,)."""
        return self.wait_ms + self.requeue_wait_ms if self.can_evict else self.wait_ms

    @cached_property
    def spans_in_line(self) -> Spans:
        """When each job stood in line: before its first start, and after each eviction."""
        submit, attempts = self.table.jobs.submit_ms, self.attempts
        every = np.arange(self.n_jobs)
        if self.outcome.attempts is None:
            return Spans(every, submit, submit + self.wait_ms)
        left = np.flatnonzero(attempts.end == ENDED_EVICTED)
        row, begin = attempts.row[left].astype(np.int64), attempts.end_ms[left]
        is_back = np.append(attempts.row[1:] == attempts.row[:-1], [False])[left]
        end = np.where(is_back, np.roll(attempts.start_ms, -1)[left], self.outcome.end_ms)
        first = Spans(every, submit, submit + self.wait_ms)
        return Spans(*(np.concatenate(parts) for parts in zip(first, (row, begin, end), strict=True)))

    @property
    def can_evict(self) -> bool:
        """Whether anybody could be evicted in this run; without it there is no ledger."""
        return self.outcome.ledger is not None

    @cached_property
    def preemptions(self) -> Int64:
        """How often each job was evicted or suspended for another, int64, shape (n_jobs,)."""
        ledger = self.outcome.ledger
        if ledger is None:
            return np.zeros(self.n_jobs, np.int64)
        return np.bincount(ledger.victim, minlength=self.n_jobs).astype(np.int64)

    @cached_property
    def run_ms(self) -> Int64:
        """Time a job holds its GPUs if nobody interferes, periodic saves included, in ms, int64, shape (n_jobs,).

        Whether it is ended at its limit is what the policy says under which it first started; for a job that did not
        start, the last one in force.
        """
        jobs, steps = self.table.jobs, self.scenario.policy.steps()
        run_ms = unbroken_ms(jobs.runtime_ms, saves_of(self.scenario, self.table))
        if not any(policy.kill_at_limit for _, policy in steps):
            return run_ms
        began = np.where(self.outcome.start_ms >= 0, self.outcome.start_ms, self.outcome.end_ms)
        step = np.searchsorted([at for at, _ in steps], began, side="right") - 1
        is_cut = np.array([policy.kill_at_limit for _, policy in steps])[step]
        return np.where(is_cut, np.minimum(run_ms, np.maximum(jobs.limit_ms, 1)), run_ms)  # a limit is at least 1 ms

    @cached_property
    def attempts(self) -> Attempts:
        """The attempts, sorted by (job, start); one for each job that started where the outcome names none."""
        out, found = self.outcome, self.outcome.attempts
        if found is not None:
            order = np.argsort(found.row, kind="stable")  # those of one job ended in the order of their starts
            return Attempts(**{name: column[order] for name, column in vars(found).items()})
        row = np.flatnonzero(out.start_ms >= 0).astype(np.int32)
        start, state = out.start_ms[row], out.state[row]
        end = np.where(state == RUNNING, out.end_ms, out.finish_ms[row])
        ended = np.where(state == RUNNING, ENDED_RUNNING, np.where(state == KILLED, ENDED_KILLED, ENDED_FINISHED))
        saved = np.where(state == FINISHED, self.table.jobs.runtime_ms[row], 0)
        none = np.zeros_like(start)
        return Attempts(row, start, none + NOT_EVICTED, end, none, saved, ended.astype(np.int8))

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

    @cached_property
    def attempt_gpus(self) -> Int64:
        """GPUs of each attempt, int64, shape (n_attempts,)."""
        return self.table.jobs.gpus[self.attempts.row].astype(np.int64)

    @cached_property
    def work(self) -> Work | None:
        """What each attempt did with its GPUs; None where each job has one, all of it useful, or lost if killed."""
        if self.outcome.attempts is None:
            return None
        return work_of(self.scenario, self.table, self.outcome, self.attempts)

    @cached_property
    def occupied(self) -> Occupied:
        """When which job had how many GPUs."""
        attempts, gpus, holds = self.attempts, self.table.jobs.gpus, self.outcome.holds
        ran = Occupied(attempts.row, attempts.start_ms, attempts.end_ms, gpus[attempts.row])
        if holds is None:
            return ran
        return Occupied(
            np.concatenate([ran.row, holds.row]),
            np.concatenate([ran.begin_ms, holds.begin_ms]),
            np.concatenate([ran.end_ms, holds.end_ms]),
            np.concatenate([ran.gpus, holds.gpus]),
        )

    def collected_gpu_ms_in(self, begin_ms: int, end_ms: int) -> Int64:
        """Return what each job held within a span while it collected its members, in GPU-ms.

        Parameters
        ----------
        begin_ms, end_ms : int
            The span in ms.

        Returns
        -------
        int64, shape (n_jobs,)
            0 where gangs start all at once.
        """
        total, holds = np.zeros(self.n_jobs, np.int64), self.outcome.holds
        if holds is not None:
            time = np.clip(holds.end_ms, begin_ms, end_ms) - np.clip(holds.begin_ms, begin_ms, end_ms)
            np.add.at(total, holds.row, time * holds.gpus)
        return total

    def books_in(self, begin_ms: int, end_ms: int) -> dict[str, int]:
        """Return the GPU-ms of a span by kind (`BOOKS`); they sum to the allocated GPU-ms.

        Parameters
        ----------
        begin_ms, end_ms : int
            The span in ms.

        Returns
        -------
        dict of str to int
            Kind -> GPU-ms.
        """
        spent = self.gpu_ms_in(begin_ms, end_ms)
        books = dict.fromkeys(BOOKS, 0) | {kind: int(gpu_ms.sum()) for kind, gpu_ms in spent.items()}
        if self.outcome.holds is not None:
            books["idle_held"] += int(self.collected_gpu_ms_in(begin_ms, end_ms).sum())
        return books

    def gpu_ms_in(self, begin_ms: int, end_ms: int) -> dict[str, Int64]:
        """Return the GPU-time of each attempt within a span, by kind.

        Parameters
        ----------
        begin_ms, end_ms : int
            The span in ms.

        Returns
        -------
        dict of str to int64, shape (n_attempts,)
            Kind (`BOOKS`) -> GPU-ms; kinds that did not occur are left out.
        """
        attempts, gpus = self.attempts, self.attempt_gpus
        if self.work is not None:
            spent = {kind: time * gpus for kind, time in self.work.between(begin_ms, end_ms).items()}
            return {kind: gpu_ms for kind, gpu_ms in spent.items() if gpu_ms.any()}
        begin, end = np.clip(attempts.start_ms, begin_ms, end_ms), np.clip(attempts.end_ms, begin_ms, end_ms)
        held, is_killed = (end - begin) * gpus, attempts.end == ENDED_KILLED
        if not is_killed.any():
            return {"useful": held}
        return {"useful": np.where(is_killed, 0, held), "lost": np.where(is_killed, held, 0)}

    @cached_property
    def window_gpu_ms(self) -> Mapping[str, Int64]:
        """GPU-ms of each attempt within the window by kind, int64, shape (n_attempts,); as `gpu_ms_in` gives them."""
        return self.gpu_ms_in(*self.window_ms)

    @cached_property
    def books(self) -> Mapping[str, int]:
        """GPU-ms of the window by kind (`BOOKS`); they sum to the allocated GPU-ms."""
        return self.books_in(*self.window_ms)

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
        kinds, of_job = self.table.kinds, self.table.kind_of_job.tolist()
        return [f"{kinds[at]}-{k}" for at, k in zip(of_job, self.table.index_in_class.tolist(), strict=True)]
