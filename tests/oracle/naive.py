"""The slow, obvious engine: lists, no groups, no shortcuts, every rule as docs/model.md says it.

`simulate` gives what the real engine must give, job by job and cause by cause. Nothing here is
shared with `scheduler_core`. Numbers in docstrings are those of the sentences in docs/model.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.oracle.naive_disciplines import pass_line
from tests.oracle.naive_elastic import is_open
from tests.oracle.naive_gangs import come_back, give_up
from tests.oracle.naive_input import BOOKS, CAUSES, NaiveJob, NaiveNode, NaiveSettings
from tests.oracle.naive_orders import catch_up_usage, live_key, promote
from tests.oracle.naive_parts import Line, Piece, Running
from tests.oracle.naive_preemption import go, pin_ends
from tests.oracle.naive_quota import can_ever_pass
from tests.oracle.naive_state import State
from tests.oracle.naive_waiting import behind_of, cause_of, note_alike
from tests.oracle.naive_work import Attempt, add_up, book

__all__ = ["BOOKS", "CAUSES", "NaiveJob", "NaiveNode", "NaiveResult", "NaiveSettings", "simulate"]


@dataclass
class NaiveResult:
    """What happened to each job, and every promise made on the way.

    `promises` are (row, S) for each reservation of `easy`, `slots` are (row, start) for each slot of
    `conservative`, both in the order in which they were made. `ledger` and `attempts` are those of 15.20, `booked`
    the pieces of section 9 as (row, piece), `books` their sums in GPU-ms over the whole run.
    """

    start: list[int]
    finish: list[int]
    state: list[str]
    causes: list[dict[str, int]]
    requeue_wait: list[int]
    order_behind: dict[int, dict[str, int]] = field(default_factory=dict)
    placements: dict[int, dict[int, int]] = field(default_factory=dict)
    promises: list[tuple[int, int]] = field(default_factory=list)
    slots: list[tuple[int, int]] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    ledger: list[tuple[int, int, int, str, int]] = field(default_factory=list)
    booked: list[tuple[int, int, Piece]] = field(default_factory=list)
    books: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOOKS, 0))
    end: int = 0


def simulate(nodes: Sequence[NaiveNode], jobs: Sequence[NaiveJob], settings: NaiveSettings) -> NaiveResult:
    """Simulate `jobs` (sorted by submit) on `nodes`, in the order of their numbers."""
    return Twin(State.build(nodes, jobs, settings)).run()


class Twin:
    """One simulation under way: the clock and the events."""

    def __init__(self, state: State) -> None:
        self.state, self.jobs = state, state.jobs
        self.to_submit = list(range(len(self.jobs)))
        self.changes = list(state.settings.change)
        self.can_run = [bool(domains) for domains in state.domains]
        self.drop_those_without_quota()
        self.cause: dict[int, str] = {}
        self.has_news, self.is_gate_open = True, False
        self.came: set[int] = set()
        self.behind: dict[int, str] = {}
        self.result = NaiveResult(
            start=[-1] * len(self.jobs),
            finish=[-1] * len(self.jobs),
            state=["pending" if can_run else "unschedulable" for can_run in self.can_run],
            causes=[dict.fromkeys(CAUSES, 0) for _ in self.jobs],
            requeue_wait=[0] * len(self.jobs),
        )

    @property
    def settings(self) -> NaiveSettings:
        """The policy in force (18.1)."""
        return self.state.settings

    def drop_those_without_quota(self) -> None:
        """Unschedulable: a quota test that fails with nothing running, under every policy of the run (13.13, 18.4)."""
        first, policies = self.settings, [self.settings]
        for _, fields in first.change:
            policies.append(replace(policies[-1], **fields))
        ever = [False] * len(self.jobs)
        for policy in policies:
            self.state.settings = policy
            ever = [past or can_ever_pass(self.state, row) for row, past in enumerate(ever)]
        self.state.settings = first
        self.can_run = [can_run and passes for can_run, passes in zip(self.can_run, ever, strict=True)]

    # ---- section 1: clock and events ------------------------------------------------------------

    def run(self) -> NaiveResult:
        """Without `drain` the run ends at `days`; with it, when every job has ended (1.7)."""
        end = self.settings.end
        while (instant := self.next_instant()) is not None and (end is None or instant < end):
            self.book_until(instant)
            catch_up_usage(self.state, instant - 1)
            self.state.now = self.result.end = instant
            self.state.decided.clear()
            while self.changes and self.changes[0][0] == instant:
                self.change()
            self.is_gate_open = is_open(self.state, self.came)
            self.state.is_decision = self.settings.every == 0
            self.has_news |= not self.is_periodic or self.has_event()
            while self.apply_instant():
                pass
            self.explain()
            if self.is_periodic and self.state.is_decision:
                self.has_news = bool(self.state.running)
        if end is not None:
            self.book_until(end)
            self.result.end = end
        return self.collect()

    def next_instant(self) -> int | None:
        """Of all that can happen, what comes first (1.2)."""
        state = self.state
        times = [job.leave if job.is_evicted else job.finish for job in state.running]
        times += [self.jobs[row].submit for row in self.to_submit]
        times += [tick for line in state.lines.values() for tick in self.slot_ticks(line)]
        times += [time for time in pin_ends(state) if time > state.now]
        times += [hold.until for hold in state.holds.values()] + list(state.away.values())
        if self.has_waiting():
            times += [entry.closes for entry in self.settings.reserve if entry.nodes and entry.closes > state.now]
        if self.has_waiting() and self.has_news:
            periods = [self.settings.every, self.settings.step if self.settings.order == "fair_share" else 0]
            times += [(state.now // period + 1) * period for period in periods if period]
        if self.changes and (times or self.has_waiting()):
            times.append(self.changes[0][0])
        return min(times, default=None)

    @property
    def is_periodic(self) -> bool:
        """A round or a step is due by the clock (16.3, 16.10)."""
        periods = [self.settings.every, self.settings.step if self.settings.order == "fair_share" else 0]
        return any(period and self.state.now % period == 0 for period in periods)

    def has_waiting(self) -> bool:
        """Some ticks come only while a job waits (16.3, 16.10)."""
        return any(line.waiting for line in self.state.lines.values())

    def slot_ticks(self, line: Line) -> list[int]:
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

    def grace_ending(self) -> list[Running]:
        """Jobs whose grace ends now, in the order in which they started (1.3)."""
        due = [job for job in self.state.running if job.is_evicted and job.leave == self.state.now]
        return sorted(due, key=lambda job: job.sequence)

    def has_event(self) -> bool:
        """Something else than a round or a step happens now."""
        return bool(self.finishing() or self.grace_ending() or self.submitting())

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
        self.apply_ticks()
        self.make_pass()
        return self.has_event()

    def free_at_planned_end(self) -> None:
        """Finishes whose planned end is this instant or earlier free their GPUs first (1.4 a)."""
        for job in self.finishing():
            if job.planned_end <= self.state.now and job in self.state.running:
                self.state.free(job)

    def apply_next(self) -> bool:
        """Apply the first event that is due in the order of `ties`; False if there is none (1.3, 1.4)."""
        finishes, graces, submits = self.finishing(), self.grace_ending(), self.submitting()
        if submits and (self.settings.ties == "submit_first" or not (finishes or graces)):
            self.submit(submits[0])
        elif finishes:
            self.finish(finishes[0])
        elif graces:
            go(self.state, graces[0])
            self.state.touch(self.state.line_of(graces[0].row))
        return bool(submits or finishes or graces)

    def finish(self, job: Running) -> None:
        """A finish frees what is not yet free (1.4), and touches its line (6.1)."""
        if job in self.state.running:
            self.state.free(job)
        self.state.leaving.remove(job)
        line = self.state.line_of(job.row)
        self.state.touch(line)
        line.has_early_finish |= job.finish < job.planned_end
        reason = "killed" if job.is_killed else "finished"
        self.state.note_attempt(job, job.finish, reason)
        self.result.state[job.row] = reason
        self.result.finish[job.row] = job.finish

    def submit(self, row: int) -> None:
        """A submitted job enters its line (1.2) and touches it (6.1), unless it can never run (2.5) or is withheld."""
        self.to_submit.remove(row)
        if self.can_run[row] and self.jobs[row].is_offered and not self.is_gate_open:
            self.result.state[row] = "withheld"
        elif self.can_run[row]:
            self.came.add(row)
            self.state.line_of(row).waiting.append(row)
            self.state.touch(self.state.line_of(row))

    def apply_ticks(self) -> None:
        """Ticks of lines, then rounds, steps of fair share, in this order (1.2)."""
        state, now = self.state, self.state.now
        self.apply_line_ticks()
        if self.settings.every and now % self.settings.every == 0 and self.has_waiting():
            state.is_decision = True
            state.touch_all()
        if state.is_decision:
            promote(state)
        if self.settings.order == "fair_share" and now > 0 and now % self.settings.step == 0:
            catch_up_usage(state, now)
            state.touch_all()

    def apply_line_ticks(self) -> None:
        """Promised starts, ends of windows, of pins and of holds, returns (1.2)."""
        state, now = self.state, self.state.now
        for line in state.lines.values():
            if any(slot.start == now for slot in line.slots.values()):
                state.touch(line)
        if any(entry.nodes and entry.closes == now for entry in self.settings.reserve):
            state.touch_all()
        for row in [row for row, pins in state.pins.items() if pins.until == now]:
            state.end_pins(row)
            state.touch(state.line_of(row))
        for row in sorted(row for row, hold in state.holds.items() if hold.until == now):
            give_up(state, row)
        for row in sorted(row for row, time in state.away.items() if time == now):
            come_back(state, row)

    def change(self) -> None:
        """The policy in force becomes itself with these fields replaced (18.1, 18.2)."""
        _, fields = self.changes.pop(0)
        old = self.settings
        self.state.settings = replace(old, **fields)
        names = ("order", "form", "half_life", "step")
        if any(getattr(old, name) != getattr(self.settings, name) for name in names):
            self.state.usage.clear()
            self.state.usage_since = self.state.now
        self.state.round_keys.clear()
        self.has_news = True
        for row in list(self.state.pins):
            self.state.end_pins(row)
        for line in self.state.lines.values():
            line.slots = {}
        self.state.touch_all()

    def make_pass(self) -> None:
        """A pass goes through each line that was touched (6.1), in the order of their first pools (13.12)."""
        while any(line.is_touched for line in self.state.lines.values()):
            for line in self.state.lines.values():
                if line.is_touched:
                    line.is_touched = False
                    pass_line(self.state, line)

    def explain(self) -> None:
        """Every waiting job of every line has exactly one cause (7.1); inside an instant no time goes by."""
        state = self.state
        waiting = [row for line in state.lines.values() for row in line.waiting] + list(state.away)
        if state.is_decision and self.settings.every:
            state.round_keys = {row: live_key(state, row) for row in waiting}
        note_alike(state)
        self.cause = {row: cause_of(state, row) for row in waiting}
        self.behind = {row: behind_of(state, row, self.cause) for row, cause in self.cause.items() if cause == "order"}

    # ---- what is written down -------------------------------------------------------------------

    def book_until(self, instant: int) -> None:
        """Every waiting job has exactly one cause, valid until the next pass (7.1)."""
        elapsed = instant - self.state.now
        for row, cause in self.cause.items():
            self.result.causes[row][cause] += elapsed
            if row in self.state.started:
                self.result.requeue_wait[row] += elapsed
            if (
                cause == "order"
                and not self.jobs[row].is_offered
                and self.settings.warmup <= self.jobs[row].submit < self.settings.days
            ):
                sums = self.result.order_behind.setdefault(self.jobs[row].job_class, dict.fromkeys(CAUSES, 0))
                sums[self.behind[row]] += elapsed

    def collect(self) -> NaiveResult:
        """At the end of the run every job is in exactly one state (3.4)."""
        state, result = self.state, self.result
        for job in state.running:
            result.state[job.row] = "running"
            state.note_attempt(job, result.end, "running")
        for row, start in state.started.items():
            result.start[row] = start
        result.placements = state.placements
        result.promises, result.slots = state.promises, state.slots_given
        result.attempts, result.ledger = state.attempts, state.ledger
        self.fill_books()
        return result

    def fill_books(self) -> None:
        """The books are computed after the run from the attempts (9.2, 9.3)."""
        state, result = self.state, self.result
        for attempt in result.attempts:
            pieces = book(attempt, is_killed=result.state[attempt.row] == "killed")
            gpus = self.jobs[attempt.row].gpus
            result.booked += [(attempt.row, gpus, piece) for piece in pieces]
        for hold_row, hold in state.holds.items():
            state.idle_held += [(hold_row, since, result.end, gpus) for _, gpus, since in hold.members]
        result.booked += [(row, gpus, ("idle_held", begin, end)) for row, begin, end, gpus in state.idle_held]
        for _, gpus, piece in result.booked:
            add_up(gpus, [piece], result.books)
