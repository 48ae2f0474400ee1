"""Runs for the pages: the first seed at once, the others in the background, each computed once for all sessions.

Results are kept by `run_hash`, so two people who look at the same scenario share one run. A run holds
the kernels without the interpreter lock; at most `_GATE` of them work at a time, so that another
user's click is answered meanwhile.
"""

import itertools
import logging
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Final

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dashboard import errors, logs
from dashboard.digest import Digest, digest
from dashboard.i18n import t
from dashboard.verdict import Answer
from scheduler_core import (
    ENGINE_VERSION,
    VERDICT_METRICS,
    CancelledError,
    IsolationStudy,
    JobTable,
    JobTables,
    Kept,
    MeasuredRuns,
    PairedJobs,
    Replications,
    Report,
    Result,
    Scenario,
    Summary,
    check,
    default_replications,
    isolation,
    measure_runs,
    pair_jobs,
    require_available,
    run_hash,
    simulate,
    summarize,
    verdict,
)

LOG = logging.getLogger("headroom")
_GATE: Final = threading.BoundedSemaphore(2)
_WORK: Final[queue.PriorityQueue[tuple[int, int, Callable[[], None]]]] = queue.PriorityQueue()
"""Replications to run: minus the number of the request, the replication, the work; the newest request first."""

_REQUESTS: Final = itertools.count(1)
_KEPT_BATCHES: Final = 200
_RESULTS: Final[Kept[Result]] = Kept(5)
_TABLES: Final = JobTables(8)
"""Jobs of the last questions, five replications and some more: another policy is asked about the same jobs."""
_DIGESTS: Final[Kept[Digest]] = Kept(200)
_GLANCES: Final[Kept[Digest]] = Kept(50)
_CHECKS: Final[Kept[Report]] = Kept(200)
_PAIRS: Final[Kept[PairedJobs | None]] = Kept(50)
_ALONE: Final[Kept[IsolationStudy]] = Kept(50)
_SHOW_AFTER_S: Final = 1.0


@dataclass
class Batch:
    """The replications of one scenario, filled in the background."""

    scenario: Scenario
    wanted: int
    summaries: dict[int, Summary] = field(default_factory=dict)
    running_share: float = 0.0
    is_cancelled: bool = False
    problem: str = ""

    @property
    def is_done(self) -> bool:
        """Whether nothing more is coming."""
        return self.is_cancelled or bool(self.problem) or len(self.summaries) >= self.wanted

    @property
    def share(self) -> float:
        """Share of the work that is done, 0 to 1."""
        return min(1.0, (len(self.summaries) + self.running_share) / max(self.wanted, 1))

    def ordered(self) -> list[Summary]:
        """Return the summaries that are ready, by replication."""
        return [self.summaries[at] for at in sorted(self.summaries)]

    @cached_property
    def all_seeds(self) -> Replications:
        """All replications, which must be there, with their means: the same for every page that asks."""
        return Replications(self.scenario, tuple(self.ordered()))


_BATCHES: OrderedDict[str, Batch] = OrderedDict()
_LOCK: Final = threading.Lock()


def key_of(scenario: Scenario, replication: int = 0) -> str:
    """Return the key under which a run is kept."""
    return run_hash(scenario, ENGINE_VERSION, replication)


def result(scenario: Scenario, progress: Callable[[float], bool] | None = None) -> Result:
    """Return the run of the first seed, with its job table.

    Parameters
    ----------
    scenario : Scenario
        What to run.
    progress : callable, optional
        Gets the share that is done; False ends the run.

    Raises
    ------
    CancelledError
        When `progress` said so.
    CoreError
        When the scenario cannot run.
    """

    def run() -> Result:
        return _simulate(scenario, 0, progress)

    return _RESULTS.get(key_of(scenario), run)


def _simulate(scenario: Scenario, replication: int, progress: Callable[[float], bool] | None) -> Result:
    require_available(scenario)
    table = logs.job_table(scenario)
    with _GATE:
        return simulate(scenario, replication=replication, log=table, tables=_TABLES, progress=progress)


def first_seed(scenario: Scenario, progress: Callable[[float], bool] | None = None) -> Digest:
    """Return what the pages show of the first seed; see `result`."""

    def make() -> Digest:
        return digest(result(scenario, progress))

    return _DIGESTS.get(key_of(scenario), make)


def first_seed_with_progress(scenario: Scenario) -> Digest:
    """Return the first seed; over a second, show how far it is and a button that ends it."""
    slot = st.empty()
    started_s = time.monotonic()

    def progress(share: float) -> bool:
        if time.monotonic() - started_s > _SHOW_AFTER_S:
            slot.progress(min(share, 1.0), text=t("progress.run", percent=f"{100 * share:.0f}"))
        return True

    found = first_seed(scenario, progress)
    slot.empty()
    return found


def measured(scenario: Scenario, progress: Callable[[float], bool] | None = None) -> MeasuredRuns:
    """Return what all seeds of `scenario` give the inputs of Economics and Plan; see `result`."""
    require_available(scenario)

    def one(
        scenario: Scenario,
        *,
        replication: int = 0,
        log: JobTable | None = None,  # noqa: ARG001  (the one of the scenario is taken)
        progress: Callable[[float], bool] | None = None,
    ) -> Result:
        return _simulate(scenario, replication, progress)

    return measure_runs(scenario, log=logs.job_table(scenario), progress=progress, simulate=one)


def preview(scenario: Scenario, budget_s: float = 2.0) -> Digest | None:
    """Return the first seed, with the metrics of its verdict only, when it takes at most `budget_s` seconds, else None.

    All metrics take longer than the run of the default case, and who is still changing the scenario reads one sentence.
    """
    until_s = time.monotonic() + budget_s

    def make() -> Digest:
        run = result(scenario, lambda _share: time.monotonic() < until_s)
        return digest(run, summarize(run, slugs=VERDICT_METRICS))

    try:
        return _DIGESTS.find(key_of(scenario)) or _GLANCES.get(key_of(scenario), make)
    except CancelledError:
        return None


@cache
def _worker() -> threading.Thread:
    """Return the one thread that works in the background; it never keeps the server from ending."""

    def work() -> None:
        while True:
            _WORK.get()[2]()

    thread = threading.Thread(target=work, name="replications", daemon=True)
    thread.start()
    return thread


def later(work: Callable[[], object], is_wanted: Callable[[], bool] = lambda: True) -> None:
    """Do `work` in the background, when nobody waits for anything newer; what it refuses is told to who asks again.

    Where it is not wanted any more when its turn comes, nothing is done.
    """

    def run() -> None:
        try:
            if is_wanted():
                errors.attempt(work)
        except Exception:
            LOG.exception("work ahead failed")

    _worker()
    _WORK.put((-next(_REQUESTS), 0, run))


def batch(scenario: Scenario, first: Summary) -> Batch:
    """Return the replications of `scenario`, started in the background when they are new."""
    key = key_of(scenario)
    with _LOCK:
        found = _BATCHES.get(key)
        if found is None or found.is_cancelled:
            found = Batch(scenario, default_replications(scenario), {0: first})
            _BATCHES[key] = found
            while len(_BATCHES) > _KEPT_BATCHES:
                _BATCHES.popitem(last=False)
            if not found.is_done:
                _worker()
                order = -next(_REQUESTS)
                _WORK.put((order, 1, partial(_fill, scenario, found, 1, order)))
        _BATCHES.move_to_end(key)
    return found


def answer(scenario: Scenario, first: Digest) -> Answer:
    """Return what is known so far about `scenario`; the other seeds start in the background."""
    found = batch(scenario, first.summary)
    if len(found.summaries) < max(found.wanted, 2):
        return Answer(first, len(found.summaries), found.wanted)
    return Answer(first, found.wanted, found.wanted, found.all_seeds)


def _fill(scenario: Scenario, found: Batch, replication: int, order: int) -> None:
    """Run one replication and ask for the next; what was asked for last comes first."""

    def progress(share: float) -> bool:
        found.running_share = share
        return not found.is_cancelled

    if found.is_cancelled:
        return
    try:
        run, problem = errors.attempt(partial(_simulate, scenario, replication, progress))
        if run is None:
            found.problem = str(problem)
            return
        found.summaries[replication] = summarize(run)
    except Exception:
        LOG.exception("replication %s failed", replication)
        found.problem = "internal"
        return
    found.running_share = 0.0
    if replication + 1 < found.wanted:
        _WORK.put((order, replication + 1, partial(_fill, scenario, found, replication + 1, order)))


# ---- small answers other modules share --------------------------------------------------------------------------

HEADLINE_UNITS: Final = {"wait_mean": "ms", "utilisation": "share", "all_wait_mean": "ms"}
"""The three numbers a link carries, and their units."""


def headline(first: Digest) -> dict[str, float]:
    """Return the three numbers a link carries."""
    said = verdict(first.summary)
    values = {
        "wait_mean": said.wait_mean.value,
        "utilisation": said.utilisation.value,
        "all_wait_mean": said.all_wait_mean.value,
    }
    return {name: round(value, 6) for name, value in values.items() if value is not None}


def loads(scenario: Scenario) -> Report:
    """Return offered load by pool and tenant, with warnings."""
    return _CHECKS.get(key_of(scenario), lambda: check(scenario, logs.job_table(scenario)))


def offered_share(scenario: Scenario) -> float | None:
    """Return the offered load of the whole cluster (0 to 1 and above), None where there is no cluster."""
    pools = loads(scenario).pools
    total = sum(pool.gpus for pool in pools)
    return sum(pool.asked_gpus for pool in pools) / total if total else None


def demand(scenario: Scenario, points: int = 500) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the GPUs that would be in use if nobody ever waited.

    Parameters
    ----------
    scenario : Scenario
        A scenario whose first seed has been run.
    points : int
        Times at which to look, evenly over the run.

    Returns
    -------
    tuple of arrays, shape (n_points,)
        Hours from the start, float64; GPUs, int64.
    """
    jobs = result(scenario).table.jobs
    last_ms = max(round(scenario.run.days * 86_400_000), 1)
    times_ms = np.linspace(0, last_ms, points)
    gpus = jobs.gpus.astype(np.int64)
    come = np.concatenate(([0], np.cumsum(gpus)))[np.searchsorted(jobs.submit_ms, times_ms, side="right")]
    end_ms = jobs.submit_ms + jobs.runtime_ms
    order = np.argsort(end_ms, kind="stable")
    gone = np.concatenate(([0], np.cumsum(gpus[order])))[np.searchsorted(end_ms[order], times_ms, side="right")]
    return times_ms / 3_600_000, come - gone


def alone(scenario: Scenario) -> IsolationStudy:
    """Return what sharing cost each tenant, from one more run each with the jobs of the first seed."""

    def make() -> IsolationStudy:
        shared = result(scenario)
        with _GATE:
            return isolation(shared)

    return _ALONE.get(key_of(scenario), make)


def paired(before: Scenario, after: Scenario) -> PairedJobs | None:
    """Return what became of each job under both scenarios; None where the jobs differ."""

    def make() -> PairedJobs | None:
        return pair_jobs(result(before), result(after))

    return _PAIRS.get(f"{key_of(before)}:{key_of(after)}", make)
