"""Many runs at once, in processes of their own.

The processes are started as programs and fed through pipes. That works the same from a terminal, a thread of a
server, or a test: nothing of the parent is copied or imported again, Ctrl-C reaches only the parent, and cancelling is
ending processes that hold nothing worth keeping.
"""

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scheduler_core.engine.run import CancelledError
from scheduler_core.errors import KernelError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import ScopeKind, Summary
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario
from scheduler_core.studies.replicate import Progress
from scheduler_core.studies.sweep_run import Runner

MOST_WORKERS = 8
FEW_JOBS = 1_000_000
"""Starting a process takes about as long as simulating this many jobs; fewer are run here."""
ROOT = Path(__file__).resolve().parents[2]
_LOOK_S = 0.2

Message = tuple["_Worker", str, int, object]
Done = Callable[[int, Summary], None]


@dataclass(frozen=True)
class Task:
    """One run: a scenario and which draw of its jobs."""

    scenario: Scenario
    replication: int


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def workers_for(tasks: Sequence[Task], log: JobTable | None = None) -> int:
    """Return how many processes a number of runs is worth; 1 means this one."""
    n_jobs = sum(expected_jobs(task.scenario, log) for task in tasks)
    return min(cores(), MOST_WORKERS, len(tasks)) if n_jobs > FEW_JOBS else 1


def expected_jobs(scenario: Scenario, log: JobTable | None = None) -> float:
    """Return about how many jobs one run of a scenario has."""
    arrivals = scenario.workload.arrivals
    if log is not None:
        return log.n_jobs
    if arrivals.process is None:
        return len(arrivals.jobs or ()) + (arrivals.jobs_csv or "").count("\n")
    return sum(each.per_day for each in scenario.workload.classes) * scenario.run.days


def run_all(
    tasks: Sequence[Task],
    kinds: tuple[ScopeKind, ...],
    done: Done,
    *,
    n_workers: int | None = None,
    log: JobTable | None = None,
    progress: Progress | None = None,
) -> None:
    """Run every task.

    Parameters
    ----------
    tasks : sequence of Task
        In the order in which they are begun; neighbours with the same jobs share them.
    kinds : tuple of str
        Kinds of scope to measure.
    done : callable
        Gets the place of a task and its summary, in the order in which they end.
    n_workers : int, optional
        Processes; 1 runs everything in this one. By default what the tasks are worth.
    log : JobTable, optional
        Jobs of an imported log.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Raises
    ------
    CancelledError
        If `progress` returned False.
    KernelError
        If a process ended by itself.
    """
    wanted = workers_for(tasks, log) if n_workers is None else min(n_workers, len(tasks))
    if wanted <= 1:
        _run_here(range(len(tasks)), tasks, kinds, done, log, progress)
        return
    pool = _Pool(wanted, log)
    try:
        pool.run(tasks, kinds, done, log, progress)
    finally:
        pool.close()


def _run_here(
    numbers: Iterable[int],
    tasks: Sequence[Task],
    kinds: tuple[ScopeKind, ...],
    done: Done,
    log: JobTable | None,
    progress: Progress | None,
) -> None:
    runner = Runner(log)
    for number in numbers:
        part = None if progress is None else _part(progress, number, len(tasks))
        done(number, runner.summary(tasks[number].scenario, tasks[number].replication, kinds, part))
    if progress is not None and not progress(1.0):
        raise CancelledError(Phrase("The sweep was cancelled."))


def _part(progress: Progress, done: int, total: int) -> Progress:
    return lambda share: progress((done + share) / total)


class _Worker:
    """A process with a thread that listens to it."""

    def __init__(self, log: JobTable | None, inbox: "queue.SimpleQueue[Message]") -> None:
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "scheduler_core.studies.sweep_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)},
            start_new_session=True,  # Ctrl-C in a terminal is for the parent
        )
        self.inbox = inbox
        self.share = 0.0
        self._first: object = log
        self._listener = threading.Thread(target=self._listen, name="sweep worker", daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        with suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while self.process.stdout is not None:
                kind, number, content = pickle.load(self.process.stdout)  # noqa: S301  from our own process
                self.inbox.put((self, kind, number, content))
        self.inbox.put((self, "ended", -1, None))

    def send(self, message: object) -> None:
        """Hand over one task; a process that is gone is noticed by its listener."""
        with suppress(OSError, ValueError):
            if self._first is not _SENT:
                pickle.dump(self._first, self.process.stdin)  # type: ignore[arg-type]
                self._first = _SENT
            pickle.dump(message, self.process.stdin)  # type: ignore[arg-type]
            self.process.stdin.flush()  # type: ignore[union-attr]

    def close(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.wait()
        self._listener.join()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


_SENT = object()


class _Pool:
    """Keeps each worker busy with one task and one more waiting at its door."""

    def __init__(self, n_workers: int, log: JobTable | None) -> None:
        self.inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.workers: list[_Worker] = []
        try:
            for _ in range(n_workers):
                self.workers.append(_Worker(log, self.inbox))
        except BaseException:
            self.close()
            raise

    def run(
        self,
        tasks: Sequence[Task],
        kinds: tuple[ScopeKind, ...],
        done: Done,
        log: JobTable | None,
        progress: Progress | None,
    ) -> None:
        """Run every task; see `run_all`."""
        left = deque(range(len(tasks)))

        def feed(worker: _Worker) -> None:
            if left:
                number = left.popleft()
                worker.send((number, tasks[number].scenario, tasks[number].replication, kinds))

        for worker in (*self.workers, *self.workers):
            feed(worker)
        n_done = 0
        while n_done < len(tasks):
            share = (n_done + sum(worker.share for worker in self.workers)) / len(tasks)
            if progress is not None and not progress(min(1.0, share)):
                raise CancelledError(Phrase("The sweep was cancelled."))
            answer = self._next()
            if answer is None:
                continue
            worker, number, summary = answer
            if summary is None:  # it could not; here the same error can be told
                _run_here([number], tasks, kinds, done, log, None)
            else:
                done(number, summary)
            n_done += 1
            feed(worker)
        if progress is not None:
            progress(1.0)

    def _next(self) -> "tuple[_Worker, int, Summary | None] | None":
        """Wait a little for the next task that ended; None where none did."""
        try:
            worker, kind, number, content = self.inbox.get(timeout=_LOOK_S)
        except queue.Empty:
            return None
        if kind == "share" and isinstance(content, float):
            worker.share = content
            return None
        worker.share = 0.0
        if kind == "ended":
            raise KernelError(
                Phrase("A worker process ended with status {poll} before its work did.", poll=worker.process.poll())
            )
        return worker, number, content if isinstance(content, Summary) else None

    def close(self) -> None:
        """End every process."""
        for worker in self.workers:
            worker.process.kill()
        for worker in self.workers:
            worker.close()
