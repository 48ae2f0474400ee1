"""The slow, obvious engine: lists, no groups, no shortcuts, every rule as docs/model.md says it.

`simulate` gives what the real engine must give, job by job and cause by cause. Nothing here is
shared with `scheduler_core`. Numbers in docstrings are those of the sentences in docs/model.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle.naive_disciplines import DISCIPLINES, State
from tests.oracle.naive_parts import (
    CAUSES,
    Line,
    NaiveJob,
    NaiveNode,
    NaiveSettings,
    Running,
    Unit,
    accepts,
    limit_of,
    place,
)

__all__ = ["CAUSES", "NaiveJob", "NaiveNode", "NaiveResult", "NaiveSettings", "simulate"]


@dataclass
class NaiveResult:
    """What happened to each job, and every promise made on the way.

    `promises` are (row, S) for each reservation of `easy`, `slots` are (row, start) for each slot of
    `conservative`, both in the order in which they were made.
    """

    start: list[int]
    finish: list[int]
    state: list[str]
    causes: list[dict[str, int]]
    order_behind: dict[int, dict[str, int]] = field(default_factory=dict)
    placements: dict[int, dict[int, int]] = field(default_factory=dict)
    promises: list[tuple[int, int]] = field(default_factory=list)
    slots: list[tuple[int, int]] = field(default_factory=list)
    end: int = 0


def simulate(nodes: Sequence[NaiveNode], jobs: Sequence[NaiveJob], settings: NaiveSettings) -> NaiveResult:
    """Simulate `jobs` (sorted by submit) on `nodes`, in the order of their numbers."""
    return Twin(State.build(nodes, jobs, settings)).run()


class Twin:
    """One simulation under way: the clock, the events, the causes of waiting."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.jobs, self.settings = state.jobs, state.settings
        self.to_submit = list(range(len(self.jobs)))
        self.cause: dict[int, str] = {}
        self.behind: dict[int, str] = {}
        self.result = NaiveResult(
            start=[-1] * len(self.jobs),
            finish=[-1] * len(self.jobs),
            state=["pending" if domains else "unschedulable" for domains in state.domains],
            causes=[dict.fromkeys(CAUSES, 0) for _ in self.jobs],
        )

    # ---- section 1: clock and events ------------------------------------------------------------

    def run(self) -> NaiveResult:
        """Without `drain` the run ends at `days`; with it, when every job has ended (1.7)."""
        end = self.settings.end
        while (instant := self.next_instant()) is not None and (end is None or instant < end):
            self.book_until(instant)
            self.state.now = self.result.end = instant
            while self.apply_instant():
                pass
            self.explain()
        if end is not None:
            self.book_until(end)
            self.result.end = end
        return self.collect()

    def next_instant(self) -> int | None:
        """A job finishes, a job is submitted, a promised start comes (1.2)."""
        times = [job.finish for job in self.state.running]
        times += [self.jobs[row].submit for row in self.to_submit]
        times += [tick for line in self.state.lines.values() for tick in self.ticks(line)]
        return min(times, default=None)

    def ticks(self, line: Line) -> list[int]:
        """No tick is set for a slot that starts in 1 ms while a job of its domain is overdue (6.11)."""
        state = self.state
        overdue = {state.domain_of(job.taken) for job in state.running if job.planned_end <= state.now}
        return [
            slot.start
            for slot in line.slots.values()
            if slot.start > state.now
            and not (slot.start == state.now + 1 and state.domain_of(slot.taken) in overdue)
        ]  # fmt: skip

    def finishing(self) -> list[Running]:
        """Jobs that finish at this instant, in the order in which they started (1.3)."""
        due = [job for job in self.state.running + self.state.leaving if job.finish == self.state.now]
        return sorted(due, key=lambda job: job.sequence)

    def submitting(self) -> list[int]:
        """Jobs that are submitted at this instant, in row order (1.3)."""
        return [row for row in self.to_submit if self.jobs[row].submit == self.state.now]

    def apply_instant(self) -> bool:
        """Apply what is due now; True if that brought more for the same instant (1.3 to 1.6)."""
        if self.settings.ties == "submit_first" or self.settings.discipline == "conservative":
            self.free_at_planned_end()
        while self.apply_next():
            if self.settings.pass_per == "event":
                self.make_pass()
        for line in self.state.lines.values():
            if any(slot.start == self.state.now for slot in line.slots.values()):
                line.is_touched = True
        self.make_pass()
        return bool(self.finishing() or self.submitting())

    def free_at_planned_end(self) -> None:
        """Finishes whose planned end is this instant or earlier free their GPUs first (1.4 a)."""
        for job in self.finishing():
            if job.planned_end <= self.state.now and job in self.state.running:
                self.state.free(job)

    def apply_next(self) -> bool:
        """Apply the first event that is due in the order of `ties`; False if there is none (1.3, 1.4)."""
        finishes, submits = self.finishing(), self.submitting()
        if submits and (self.settings.ties == "submit_first" or not finishes):
            self.submit(submits[0])
        elif finishes:
            self.finish(finishes[0])
        return bool(submits or finishes)

    def finish(self, job: Running) -> None:
        """A finish frees what is not yet free (1.4), and touches its line (6.1)."""
        if job in self.state.running:
            self.state.free(job)
        self.state.leaving.remove(job)
        line = self.state.line_of(job.row)
        line.is_touched = True
        line.has_early_finish |= job.finish < job.planned_end
        is_killed = self.settings.kill_at_limit and self.jobs[job.row].runtime > limit_of(self.jobs[job.row])
        self.result.state[job.row] = "killed" if is_killed else "finished"
        self.result.finish[job.row] = job.finish

    def submit(self, row: int) -> None:
        """A submitted job enters its line (1.2) and touches it (6.1), unless it is unschedulable (2.5)."""
        self.to_submit.remove(row)
        if self.state.domains[row]:
            self.state.line_of(row).waiting.append(row)
            self.state.line_of(row).is_touched = True

    def make_pass(self) -> None:
        """A pass goes through each line that was touched (6.1)."""
        for line in self.state.lines.values():
            if line.is_touched:
                line.waiting.sort(key=self.state.rank)
                line.closers.clear()
                DISCIPLINES[self.settings.discipline](self.state, line)
                line.is_touched = line.has_early_finish = False

    def explain(self) -> None:
        """Every waiting job of every line has exactly one cause (7.1); inside an instant no time goes by."""
        self.cause = {row: self.cause_of(row) for line in self.state.lines.values() for row in line.waiting}
        self.behind = {row: self.behind_of(row) for row, cause in self.cause.items() if cause == "order"}

    # ---- section 7: causes ----------------------------------------------------------------------

    def cause_of(self, row: int) -> str:
        """The cause is the test whose removal first lets the job start now (7.2 to 7.7)."""
        job, units = self.jobs[row], self.state.units
        types = list(dict.fromkeys(unit.gpu_type for unit in units))
        if any(self.state.fits(row, gpu_type) for gpu_type in self.state.domains[row]):
            return "order" if self.settings.discipline in ("strict", "best_effort") else "reservation"
        if any(self.fits_in(row, self.of_type(gpu_type)) for gpu_type in types if accepts(job, gpu_type)):
            return "quota"
        if any(self.fits_in(row, self.of_type(gpu_type)) for gpu_type in types):
            return "type"
        if any(sum(unit.free for unit in self.of_type(gpu_type)) >= job.gpus for gpu_type in types):
            return "fragmentation"
        return "capacity"

    def of_type(self, gpu_type: str) -> list[Unit]:
        """All pools of one type taken together, whatever their fence (7.4, 7.5)."""
        return [unit for unit in self.state.units if unit.gpu_type == gpu_type]

    def fits_in(self, row: int, units: list[Unit]) -> bool:
        """Would it fit on these units with what is free now (7.2)?"""
        offers = [(unit.number, unit.size, unit.free) for unit in units]
        return place(self.settings.placement, self.jobs[row].gpus, offers) is not None

    def behind_of(self, row: int) -> str:
        """The cause of the job that closed the first domain of those in which the waiting job fits (7.9)."""
        first = next(gpu_type for gpu_type in self.state.domains[row] if self.state.fits(row, gpu_type))
        return self.cause[self.state.line_of(row).closers[first]]

    def book_until(self, instant: int) -> None:
        """Every waiting job has exactly one cause, valid until the next pass (7.1)."""
        elapsed = instant - self.state.now
        for row, cause in self.cause.items():
            self.result.causes[row][cause] += elapsed
            if cause == "order" and self.settings.warmup <= self.jobs[row].submit < self.settings.days:
                sums = self.result.order_behind.setdefault(self.jobs[row].job_class, dict.fromkeys(CAUSES, 0))
                sums[self.behind[row]] += elapsed

    def collect(self) -> NaiveResult:
        """At the end of the run every job is in exactly one state (3.4)."""
        for job in self.state.running:
            self.result.state[job.row] = "running"
        for row, start in self.state.started.items():
            self.result.start[row] = start
        self.result.placements = self.state.placements
        self.result.promises, self.result.slots = self.state.promises, self.state.slots_given
        return self.result
