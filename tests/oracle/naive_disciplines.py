"""The disciplines of the slow, obvious engine (section 6 of docs/model.md), with everything that may stop a job.

A pass function returns True when a decision ended the pass (15.9). Numbers in docstrings are those of the
sentences in docs/model.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.oracle.naive_gangs import collect
from tests.oracle.naive_input import limit_of
from tests.oracle.naive_orders import rank, set_deserved
from tests.oracle.naive_parts import Line, Offer, Slot
from tests.oracle.naive_preemption import ask, try_pinned
from tests.oracle.naive_quota import passes_quota, passes_shares, passes_tests
from tests.oracle.naive_state import State

Find = Callable[[int, bool], bool]
"""(row, with bars): could the job start, by the rule of the discipline?"""


def pass_line(state: State, line: Line) -> None:
    """One pass, and another after each decision (15.9) and after a start in a band with a share (14.7)."""
    while True:
        line.begin_pass()
        set_deserved(state, line)
        try_pinned(state, line)
        if not state.is_decision and not state.settings.fill:
            return
        if not DISCIPLINES[state.settings.discipline](state, line) and not line.has_band_start:
            return


def turns(state: State, line: Line) -> Iterator[int]:
    """The next is the first, in the rank of the moment, of those not tried yet (16.1), without pinned ones (15.15)."""
    tried = set(line.turns)
    left = [row for row in line.waiting if row not in tried and row not in state.pins]
    left.sort(key=lambda r: rank(state, r))
    while left:
        if state.settings.order in ("drf", "weighted"):
            left.sort(key=lambda r: rank(state, r))  # a start may have changed it
        row = left.pop(0)
        if row in line.waiting and row not in state.pins:
            take_turn(line, row)
            yield row


def take_turn(line: Line, row: int) -> None:
    """Remember who was tried when, and what was closed by then (7.3)."""
    line.turns.append(row)
    line.closed_for[row] = dict(line.closers)


def consider(state: State, line: Line, row: int, find: Find, start: Callable[[int], None]) -> str:
    """One turn: started, blocked, passed over, or a decision (13.9, 14.5, 14.10, 15.2)."""
    leaf = state.jobs[row].tenant
    if leaf in line.held:
        return "over"
    has_quota = passes_quota(state, row)
    if has_quota and passes_shares(state, row):
        if find(row, True):
            start(row)
            return "started"
        if ask(state, line, row):
            return "decided"
        return "over" if find(row, False) else "blocked"
    if ask(state, line, row):
        return "decided"
    if not has_quota and state.settings.quota_blocked == "hold":
        line.held[leaf] = row
    return "over"


# ---- strict and best_effort ---------------------------------------------------------------------


def open_domain(state: State, line: Line, row: int, *, has_bars: bool) -> tuple[str, dict[int, int]] | None:
    """The first open domain in which it is placed (6.1, 6.2)."""
    for gpu_type in state.domains[row]:
        if gpu_type in line.closers:
            continue
        if (taken := state.place(row, state.offers(row, gpu_type, has_bars=has_bars))) is not None:
            return gpu_type, taken
    return None


def could_start(state: State, line: Line, row: int, *, has_bars: bool) -> bool:
    """By 6.2, or by collecting members, which starts it at once when it holds all (17.3)."""
    if state.settings.timeout is not None:
        return has_bars and collect(state, line, row)
    return open_domain(state, line, row, has_bars=has_bars) is not None


def start_open(state: State, line: Line, row: int) -> None:
    """Start it in the first open domain; a gang that collected has started already."""
    found = open_domain(state, line, row, has_bars=True) if state.settings.timeout is None else None
    if found is not None:
        state.begin(row, found[1])


def pass_greedy(state: State, line: Line) -> bool:
    """strict: a job that does not start closes every domain it could use; best_effort: all that fits starts (6.2)."""
    if state.settings.timeout is not None:
        before = -1
        while before != (before := members_taken(state)):
            line.begin_pass()
            go_through(state, line)
        return False
    return go_through(state, line)


def members_taken(state: State) -> int:
    """What grows with each member that is taken (17.2)."""
    held = sum(len(hold.members) for hold in state.holds.values())
    return held + sum(state.jobs[row].gpus for row in state.started)


def go_through(state: State, line: Line) -> bool:
    """Each job of the line has its turn, in rank order."""
    for row in turns(state, line):
        outcome = consider(
            state, line, row,
            lambda r, has_bars: could_start(state, line, r, has_bars=has_bars),
            lambda r: start_open(state, line, r),
        )  # fmt: skip
        if outcome == "decided":
            return True
        if outcome == "blocked":
            close(state, line, row)
    return False


def close(state: State, line: Line, row: int) -> None:
    """A blocked job; under strict it closes what it could use (6.2)."""
    line.is_blocked = True
    if state.settings.discipline == "strict":
        for gpu_type in state.domains[row]:
            line.closers.setdefault(gpu_type, row)


# ---- easy ---------------------------------------------------------------------------------------


@dataclass
class Reservation:
    """A time, and the GPUs on each unit that are spare at that time (6.5)."""

    time: int
    spare: dict[int, int]


class EasyPass:
    """The first that does not start takes a reservation; behind it, `depth` jobs are looked at (6.4 to 6.7)."""

    def __init__(self, state: State, line: Line) -> None:
        self.state, self.line = state, line
        self.reserved: dict[str, Reservation] = {}
        self.looked_at = 0

    def run(self) -> bool:
        """Go through the line; True if a decision ended the pass."""
        while (row := self.next_row()) is not None:
            was_blocked = self.line.is_blocked
            take_turn(self.line, row)
            outcome = consider(self.state, self.line, row, self.could_start, self.start)
            if outcome == "decided":
                return True
            if outcome == "blocked":
                self.line.is_blocked = True
                self.reserve(row)
            if was_blocked and outcome != "over":
                self.looked_at += 1
        return False

    def next_row(self) -> int | None:
        """Rank order, or behind the first blocked job by limit; at most `depth` there (6.7)."""
        state, settings = self.state, self.state.settings
        if self.line.is_blocked and settings.depth is not None and self.looked_at >= settings.depth:
            return None
        left = [row for row in self.line.waiting if row not in self.line.turns and row not in state.pins]
        if not left:
            return None
        if self.line.is_blocked and settings.candidates == "shortest":
            return min(left, key=lambda row: (limit_of(state.jobs[row]), state.submit_of(row), row))
        return min(left, key=lambda row: rank(state, row))

    def find(self, row: int, *, has_bars: bool) -> tuple[dict[int, int], Reservation | None] | None:
        """Where it may start, and whose spare GPUs it would take (6.5)."""
        for gpu_type in self.state.domains[row]:
            reservation = self.reserved.get(gpu_type)
            offers = self.state.offers(row, gpu_type, has_bars=has_bars)
            if reservation is not None and self.state.now + limit_of(self.state.jobs[row]) <= reservation.time:
                reservation = None
            if reservation is not None:
                offers = [(number, size, min(free, reservation.spare[number])) for number, size, free in offers]
            if (taken := self.state.place(row, offers)) is not None:
                return taken, reservation
        return None

    def could_start(self, row: int, has_bars: bool) -> bool:
        """Is there a place for it?"""
        return self.find(row, has_bars=has_bars) is not None

    def start(self, row: int) -> None:
        """Start it, and count what it takes of the spare GPUs (6.5)."""
        found = self.find(row, has_bars=True)
        assert found is not None
        taken, reservation = found
        self.state.begin(row, taken)
        if reservation is not None:
            for number, gpus in taken.items():
                reservation.spare[number] -= gpus

    def reserve(self, row: int) -> None:
        """Take a reservation in the domain with the earliest S among those without one (6.4, 6.6)."""
        found = [
            (*earliest_reservation(self.state, row, gpu_type), gpu_type)
            for gpu_type in self.state.domains[row]
            if gpu_type not in self.reserved
        ]
        if found:
            time, spare, gpu_type = min(found, key=lambda f: f[0])
            self.reserved[gpu_type] = Reservation(time, spare)
            self.state.promises.append((row, time))


def pass_easy(state: State, line: Line) -> bool:
    """One pass under easy."""
    return EasyPass(state, line).run()


def earliest_reservation(state: State, row: int, gpu_type: str) -> tuple[int, dict[int, int]]:
    """S is the first planned end at which the rule places the job on the GPUs free by then (6.4)."""
    units = state.members(row, gpu_type)
    for time in sorted(state.times_to_try(units)):
        free = {unit.number: state.planned_free(row, unit, time, []) for unit in units}
        offers = [(u.number, u.size, 0 if state.is_barred(row, u.number, time) else free[u.number]) for u in units]
        if (taken := state.place(row, offers)) is not None:
            return time, {number: gpus - taken.get(number, 0) for number, gpus in free.items()}
    raise AssertionError("a job that fits its empty domain fits when everything there has ended")


# ---- conservative -------------------------------------------------------------------------------


def pass_conservative(state: State, line: Line) -> bool:
    """Give back, start what is due, move up, give new slots, in this order (6.10); then jobs may ask (15.2)."""
    depth = state.settings.depth
    ranked = list(turns(state, line))
    for row in ranked:
        is_held(state, line, row)
    keepers = [row for row in ranked if not is_held(state, line, row)][:depth]
    is_kept = state.settings.slots == "kept"
    line.slots = {row: line.slots[row] for row in keepers if row in line.slots and is_kept}
    start_due(state, line, ranked)
    if line.has_early_finish:
        move_slots_up(state, line, ranked)
        line.has_early_finish = False
    for row in ranked:
        if depth is not None and len(line.slots) >= depth:
            break
        if row in line.waiting and row not in line.slots and not is_held(state, line, row):
            give_slot(state, line, row)
    return ask_in_turn(state, line, [row for row in ranked if row in line.waiting])


def ask_in_turn(state: State, line: Line, ranked: list[int]) -> bool:
    """Jobs that still wait ask in rank order; whoever is not passed over blocks (15.2)."""
    for row in ranked:
        if line.holder_ahead(state.jobs[row].tenant, row) is not None:
            continue
        if ask(state, line, row):
            return True
        line.is_blocked |= passes_tests(state, row)
    return False


def is_held(state: State, line: Line, row: int) -> bool:
    """Passed over: by its quota, by a share, or behind a held job of its tenant (13.9, 13.11, 14.5)."""
    leaf = state.jobs[row].tenant
    if line.holder_ahead(leaf, row) is not None:
        return True
    if not passes_quota(state, row):
        if state.settings.quota_blocked == "hold":
            line.held.setdefault(leaf, row)
        return True
    return not passes_shares(state, row)


def start_due(state: State, line: Line, ranked: list[int]) -> None:
    """Each job whose slot starts now starts if its GPUs are free; if not, all slots are given back (6.10 b)."""
    for row in ranked:
        slot = line.slots.get(row)
        if slot is None or slot.start > state.now:
            continue
        if slot.start == state.now and is_held(state, line, row):
            del line.slots[row]
            continue
        if slot.start < state.now or any(state.offered(n, row) < gpus for n, gpus in slot.taken.items()):
            line.slots = {}
            return
        state.begin(row, slot.taken)


def move_slots_up(state: State, line: Line, ranked: list[int]) -> None:
    """Each slot in rank order is put back at the earliest place, or where it was if that is earlier (6.10 c)."""
    for row in ranked:
        if row not in line.slots:
            continue
        old = line.slots.pop(row)
        new = earliest_place(state, line, row)
        if new.start > state.now:
            line.slots[row] = new if new.start <= old.start else old
        elif not is_held(state, line, row):
            state.begin(row, new.taken)


def give_slot(state: State, line: Line, row: int) -> None:
    """A job without a slot gets one; a job whose slot starts now starts at once (6.10 d)."""
    slot = earliest_place(state, line, row)
    state.slots_given.append((row, slot.start))
    if slot.start == state.now:
        state.begin(row, slot.taken)
    else:
        line.slots[row] = slot


def earliest_place(state: State, line: Line, row: int) -> Slot:
    """Of several domains the one with the earliest time; ties: domain order (6.9)."""
    return min((earliest_in(state, line, row, gpu_type) for gpu_type in state.domains[row]), key=lambda s: s.start)


def earliest_in(state: State, line: Line, row: int, gpu_type: str) -> Slot:
    """The first time at which the rule places it for its whole planned length beside jobs and slots (6.9)."""
    units = state.members(row, gpu_type)
    numbers = {unit.number for unit in units}
    slots = [slot for slot in line.slots.values() if numbers & set(slot.taken)]
    times = {state.now} | state.times_to_try(units) | {slot.end for slot in slots}
    for time in sorted(t for t in times if t >= state.now):
        end = time + limit_of(state.jobs[row])
        moments = [time] + [slot.start for slot in slots if time < slot.start < end]
        offers: list[Offer] = []
        for unit in units:
            fewest = min(state.planned_free(row, unit, moment, slots) for moment in moments)
            offers.append((unit.number, unit.size, 0 if state.is_barred(row, unit.number, time) else fewest))
        if (taken := state.place(row, offers)) is not None:
            return Slot(time, end, taken)
    raise AssertionError("a job that fits its empty domain fits when everything there has ended")


DISCIPLINES: dict[str, Callable[[State, Line], bool]] = {
    "strict": pass_greedy,
    "best_effort": pass_greedy,
    "easy": pass_easy,
    "conservative": pass_conservative,
}
