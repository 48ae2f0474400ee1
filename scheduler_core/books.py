"""What attempts did with their GPUs: useful, lost, checkpoint, restart, grace and idle_held time, exactly.

An attempt is a restart (if it is not the first and the job saves), then work with a save after each `every`, and, if it
was told to leave, grace. So what it did up to a moment has a closed form, and a span is booked as the difference of two
moments, in vectors. The rules are sections 9 and 15.8 to 15.18 of docs/model.md.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import STATES, Attempts, Int64, JobTable, Ledger, Outcome
from scheduler_core.scenario.document import Scenario

BOOKS = ("useful", "lost", "checkpoint", "restart", "grace", "idle_held")
"""Kinds of GPU-time; they sum to the allocated GPU-time. Kinds that cannot happen yet are 0."""

NOT_EVICTED = -1
"""`told_ms` of an attempt that was not told to leave, or ended by itself before it had to."""

_KILLED = STATES.index("killed")
_NEVER_MS = 2**62
"""Work between two saves of a job that does not save."""


class Saves(NamedTuple):
    """How each job saves its work, in ms, int64, shape (n_jobs,).

    Attributes
    ----------
    every_ms : int64
        Work between two saves; 2**62 for a job that does not save.
    cost_ms : int64
        Length of a periodic save; 0 for jobs of a log, whose run times are wall time.
    restart_ms : int64
        Time before a job that was evicted works again.
    """

    every_ms: Int64
    cost_ms: Int64
    restart_ms: Int64


def saves_of(scenario: Scenario, table: JobTable) -> Saves | None:
    """Return how each job saves its work.

    Parameters
    ----------
    scenario : Scenario
        Where the habits of the classes stand.
    table : JobTable
        The jobs.

    Returns
    -------
    Saves, optional
        None if no job ever saves.
    """
    habits = {found.name: found.checkpoint for found in scenario.workload.classes}
    of_class = [habits.get(name) for name in table.classes]
    if not any(of_class):
        return None
    is_wall = scenario.workload.arrivals.kind == "log"
    rows = [(_NEVER_MS, 0, 0) if at is None else (at.every, 0 if is_wall else at.cost, at.restart) for at in of_class]
    every, cost, restart = np.array(rows, np.int64).T[:, table.jobs.job_class]
    return Saves(every, cost, restart)


def unbroken_ms(runtime_ms: Int64, saves: Saves | None) -> Int64:
    """Return how long jobs hold their GPUs if nobody interferes, in ms: their work, and saves but for the last.

    Parameters
    ----------
    runtime_ms : int64, shape (n_jobs,)
        Work of each job.
    saves : Saves, optional
        How they save it.

    Returns
    -------
    int64, shape (n_jobs,)
        In ms.
    """
    if saves is None:
        return runtime_ms
    n_saves: Int64 = np.maximum((runtime_ms - 1) // saves.every_ms, 0)
    return runtime_ms + saves.cost_ms * n_saves


class Pauses(NamedTuple):
    """Times in which jobs were suspended and kept their GPUs, sorted by (attempt, begin).

    Attributes
    ----------
    attempt : int64, shape (n_pauses,)
        Row of the attempts table.
    begin_ms, end_ms : int64, shape (n_pauses,)
        From when to when.
    """

    attempt: Int64
    begin_ms: Int64
    end_ms: Int64

    def before(self, attempt: Int64, moment_ms: Int64) -> Int64:
        """Return how long each attempt had been suspended by a moment, in ms.

        Parameters
        ----------
        attempt, moment_ms : int64, shape (n,)
            Row of the attempts table, and a time from 0.

        Returns
        -------
        int64, shape (n,)
            In ms.
        """
        span = _span(self.end_ms, moment_ms)
        key = _key(self.attempt, self.begin_ms, span)
        before = np.concatenate(([0], np.cumsum(self.end_ms - self.begin_ms)))
        first = np.searchsorted(key, attempt * span)
        last = np.searchsorted(key, _key(attempt, moment_ms, span))  # pauses of the attempt that began earlier
        ahead = np.where(last > first, self.end_ms[last - 1] - moment_ms, 0)  # of the latest one, if it goes on
        return before[last] - before[first] - np.maximum(ahead, 0)


@dataclass(frozen=True)
class Work:
    """What each attempt did with its GPUs, so that any span of time can be booked.

    Attributes
    ----------
    start_ms, stop_ms, end_ms : int64, shape (n_attempts,)
        When it got its GPUs, stopped working for good (the time it was told, else its end), and gave them back.
    restart_ms, every_ms, cost_ms : int64, shape (n_attempts,)
        Its restart, work between two saves, and length of a save.
    kept_ms : int64, shape (n_attempts,)
        Work that counts as useful, counted from its first; the rest was lost.
    pauses : Pauses, optional
        None if nobody was suspended.
    """

    start_ms: Int64
    stop_ms: Int64
    end_ms: Int64
    restart_ms: Int64
    every_ms: Int64
    cost_ms: Int64
    kept_ms: Int64
    pauses: Pauses | None

    def until(self, moment_ms: Int64 | int, attempt: Int64) -> tuple[Int64, ...]:
        """Return what attempts had done by a moment.

        Parameters
        ----------
        moment_ms : int64, shape (n,), or int
            Time in ms; before the start nothing was done, after the end nothing more.
        attempt : int64, shape (n,)
            Row of the attempts table.

        Returns
        -------
        tuple of int64, shape (n,)
            Time in ms of each kind, in the order of `BOOKS`; they sum to the time on its GPUs.
        """
        moment = np.clip(moment_ms, self.start_ms[attempt], self.end_ms[attempt])
        stop = np.minimum(moment, self.stop_ms[attempt])
        idle = np.zeros_like(stop) if self.pauses is None else self.pauses.before(attempt, stop)
        ran = stop - self.start_ms[attempt] - idle
        restart = np.minimum(ran, self.restart_ms[attempt])
        every = self.every_ms[attempt]
        rounds, rest = np.divmod(ran - restart, every + self.cost_ms[attempt])
        work = rounds * every + np.minimum(rest, every)
        useful = np.minimum(work, self.kept_ms[attempt])
        return useful, work - useful, ran - restart - work, restart, moment - stop, idle

    def between(self, begin_ms: int, end_ms: int) -> dict[str, Int64]:
        """Return what each attempt did within a span.

        Parameters
        ----------
        begin_ms, end_ms : int
            The span in ms.

        Returns
        -------
        dict of str to int64, shape (n_attempts,)
            Kind -> time in ms.
        """
        every = np.arange(self.start_ms.shape[0])
        parts = zip(BOOKS, self.until(begin_ms, every), self.until(end_ms, every), strict=True)
        return {kind: after - before for kind, before, after in parts}


def work_of(scenario: Scenario, table: JobTable, outcome: Outcome, attempts: Attempts) -> Work:
    """Return what each attempt did.

    Parameters
    ----------
    scenario : Scenario
        What was asked.
    table : JobTable
        The jobs.
    outcome : Outcome
        What became of them.
    attempts : Attempts
        Their attempts, sorted by (job, start).

    Returns
    -------
    Work
        One row an attempt, in the same order.
    """
    row, start, told = attempts.row, attempts.start_ms, attempts.told_ms
    is_again = np.concatenate(([False], row[1:] == row[:-1])) if row.shape[0] else np.zeros(0, bool)
    saves = saves_of(scenario, table)
    none = np.zeros_like(start)
    kept = np.where(told != NOT_EVICTED, attempts.saved_ms - attempts.before_ms, _NEVER_MS)
    return Work(
        start_ms=start,
        stop_ms=np.where(told != NOT_EVICTED, told, attempts.end_ms),
        end_ms=attempts.end_ms,
        restart_ms=none if saves is None else np.where(is_again, saves.restart_ms[row], 0),
        every_ms=none + _NEVER_MS if saves is None else saves.every_ms[row],
        cost_ms=none if saves is None else saves.cost_ms[row],
        kept_ms=np.where(outcome.state[row] == _KILLED, 0, kept),
        pauses=_pauses(scenario, attempts, outcome.ledger),
    )


def _pauses(scenario: Scenario, attempts: Attempts, ledger: Ledger | None) -> Pauses | None:
    """Return when victims were suspended: until their evictor starts or loses its pins, or they end (15.18, 18.2)."""
    steps = scenario.policy.steps()
    has_suspend = any(policy.preemption is not None and policy.preemption.suspend for _, policy in steps)
    if ledger is None or not has_suspend:
        return None
    rows = np.flatnonzero(eviction_of(attempts, ledger) < 0)
    if not rows.shape[0]:
        return None
    begin = ledger.time_ms[rows]
    changes = np.array([at for at, _ in steps] + [_NEVER_MS], np.int64)
    step = np.searchsorted(changes, begin, side="right") - 1
    pinned = [0 if policy.preemption is None else policy.preemption.pinned_for for _, policy in steps]
    end = np.minimum(begin + np.array(pinned, np.int64)[step], changes[step + 1])
    end = np.minimum(end, start_after(attempts, ledger.evictor[rows], begin))
    span = _span(attempts.end_ms, ledger.time_ms)
    starts = _key(attempts.row, attempts.start_ms, span)
    attempt = np.searchsorted(starts, _key(ledger.victim[rows], begin, span), side="right") - 1
    order = np.lexsort((begin, attempt))
    attempt, begin, end = attempt[order], begin[order], end[order]
    return Pauses(attempt, begin, np.clip(end, begin, attempts.end_ms[attempt]))


def start_after(attempts: Attempts, row: NDArray[np.integer], moment_ms: Int64) -> Int64:
    """Return when jobs started next.

    Parameters
    ----------
    attempts : Attempts
        Sorted by (job, start).
    row : integers, shape (n,)
    moment_ms : int64, shape (n,)
        The job, and from when on in ms.

    Returns
    -------
    int64, shape (n,)
        Its first start at that time or later in ms; 2**62 where there was none.
    """
    span = _span(attempts.end_ms, moment_ms)
    at = np.searchsorted(_key(attempts.row, attempts.start_ms, span), _key(row, moment_ms, span))
    of_row, start = np.append(attempts.row, -1)[at], np.append(attempts.start_ms, _NEVER_MS)[at]
    return np.where(of_row == row, start, _NEVER_MS)


def eviction_of(attempts: Attempts, ledger: Ledger) -> Int64:
    """Return the attempt that each preemption ended.

    Parameters
    ----------
    attempts : Attempts
        Sorted by (job, start).
    ledger : Ledger
        The preemptions.

    Returns
    -------
    int64, shape (n_preemptions,)
        Row of the attempts table; -1 for a victim that was suspended and did not have to leave.

    Notes
    -----
    A job can be told twice at one instant, if it starts again at once; then the first time goes with the first attempt.
    """
    span = _span(attempts.end_ms, ledger.time_ms)
    told = np.flatnonzero(attempts.told_ms != NOT_EVICTED)
    told_key = _key(attempts.row[told], attempts.told_ms[told], span)  # ascending, as (job, start) is
    key = _key(ledger.victim, ledger.time_ms, span)
    order = np.argsort(key, kind="stable")
    sorted_key = key[order]
    again = np.arange(order.shape[0]) - np.searchsorted(sorted_key, sorted_key)
    at = np.searchsorted(told_key, sorted_key) + again
    found = np.full(order.shape[0], -1, np.int64)
    is_known = at < np.searchsorted(told_key, sorted_key, side="right")
    found[order[is_known]] = told[at[is_known]]
    return found


def _span(*times_ms: Int64) -> int:
    """Return more than any of these times, so that (job, time) becomes one number with `_key`."""
    return max(int(each.max(initial=0)) for each in times_ms) + 1


def _key(row: NDArray[np.integer], time_ms: Int64, span: int) -> Int64:
    """Return numbers that stand in the order of (row, time)."""
    return row.astype(np.int64) * span + time_ms
