"""Sweeps for the page: in the background, one at a time, with progress and cancel, kept for all sessions."""

import logging
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from dashboard import errors, logs
from dashboard.tradeoffs_study import Study
from scheduler_core import (
    CancelledError,
    CoreError,
    FolderCache,
    Means,
    Scenario,
    Sweep,
    default_replications,
    find_baseline,
    make_points,
    sweep,
)

LOG: Final = logging.getLogger("headroom")
AT_ONCE_JOBS: Final = 6_000_000
"""A study of about this many jobs starts by itself; a larger one waits for the button."""
_KEPT: Final = 40
_PROCESSORS: Final = threading.Lock()
"""A sweep takes all of them, so the next one waits."""


@dataclass
class Work:
    """A sweep on its way.

    Attributes
    ----------
    share : float
        What is done, 0 to 1.
    is_running : bool
        Whether its turn has come.
    is_cancelled : bool
        Whether somebody wants it to end.
    found : Sweep, optional
        The answer.
    problem : CoreError or Exception, optional
        Why there is none.
    """

    share: float = 0.0
    is_running: bool = False
    is_cancelled: bool = False
    found: Sweep | None = None
    problem: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether nothing more is coming."""
        return self.is_cancelled or self.found is not None or self.problem is not None

    def note(self, share: float) -> bool:
        """Take note of the share done; False ends the sweep."""
        self.share = share
        return not self.is_cancelled


_WORKS: Final[OrderedDict[str, Work]] = OrderedDict()
_LOCK: Final = threading.Lock()


def expected_jobs(scenario: Scenario, study: Study) -> float:
    """Return about how many jobs a study simulates, over all points and seeds."""
    n_points = 1
    for axis in study.axes:
        n_points *= len(axis.values)
    arrivals = scenario.workload.arrivals
    if arrivals.process is None:
        table = logs.job_table(scenario)
        each = float(table.n_jobs if table is not None else len(arrivals.jobs or ()))
    else:
        each = sum(job_class.per_day for job_class in scenario.workload.classes) * scenario.run.days
    return each * n_points * seeds_of(scenario, study)


def seeds_of(scenario: Scenario, study: Study) -> int:
    """Return the replications that make sense: one where nothing is drawn."""
    return study.seeds if scenario.workload.arrivals.process is not None else default_replications(scenario)


def check(scenario: Scenario, study: Study) -> None:
    """Refuse a study that cannot be run, before anything starts.

    Raises
    ------
    CoreError
        With one sentence for what is wrong.
    """
    find_baseline(scenario, make_points(scenario, study.axes))


def find(name: str) -> Work | None:
    """Return the work of this name, if it was begun and not cancelled."""
    with _LOCK:
        work = _WORKS.get(name)
        if work is not None:
            _WORKS.move_to_end(name)
        return None if work is None or work.is_cancelled else work


def start(name: str, scenario: Scenario, study: Study) -> Work:
    """Begin a sweep, or join one that is on its way."""
    with _LOCK:
        work = _WORKS.get(name)
        if work is not None and not work.is_cancelled and work.problem is None:
            return work
        work = _WORKS[name] = Work()
        while len(_WORKS) > _KEPT:
            _WORKS.popitem(last=False)[1].is_cancelled = True
    threading.Thread(target=_run, args=(work, scenario, study), name="sweep", daemon=True).start()
    return work


def cancel(work: Work) -> None:
    """End a sweep; runs that are finished stay in the cache."""
    work.is_cancelled = True


def _run(work: Work, scenario: Scenario, study: Study) -> None:
    try:
        table = logs.job_table(scenario)
        with _PROCESSORS:
            work.is_running = True
            if work.is_cancelled:
                return
            means = Means(log=table, cache=FolderCache(_folder()))
            ask = partial(sweep, scenario, study.axes, seeds_of(scenario, study), measures=study.measures)
            work.found, problem = errors.attempt(partial(ask, means=means, progress=work.note))
        if isinstance(problem, CancelledError):
            work.is_cancelled = True
        else:
            work.problem = problem
    except CoreError as error:
        work.problem = error
    except Exception as error:
        LOG.exception("a sweep failed")
        work.problem = error


def _folder() -> Path:
    return Path(os.environ.get("HEADROOM_DATA", "data")) / "runs"
