"""The four disciplines of the slow, obvious engine (section 6 of docs/model.md).

Numbers in docstrings are those of the sentences in docs/model.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.oracle.naive_parts import (
    Line,
    NaiveJob,
    NaiveNode,
    NaiveSettings,
    Offer,
    Running,
    Slot,
    Unit,
    build_units,
    domains_of,
    limit_of,
    place,
    planned_end_now,
    rank_key,
    used_at,
)


@dataclass
class State:
    """The cluster, the running jobs and the lines at one moment."""

    jobs: Sequence[NaiveJob]
    settings: NaiveSettings
    units: list[Unit]
    domains: list[list[str]]
    lines: dict[str | None, Line]
    running: list[Running] = field(default_factory=list)
    leaving: list[Running] = field(default_factory=list)
    started: dict[int, int] = field(default_factory=dict)
    placements: dict[int, dict[int, int]] = field(default_factory=dict)
    promises: list[tuple[int, int]] = field(default_factory=list)
    slots_given: list[tuple[int, int]] = field(default_factory=list)
    now: int = 0

    @classmethod
    def build(cls, nodes: Sequence[NaiveNode], jobs: Sequence[NaiveJob], settings: NaiveSettings) -> "State":
        """Fence the cluster (2.2) and find the domains of each job (2.5)."""
        named = settings.fences | {job.fence for job in jobs if job.fence is not None}
        units = build_units(nodes, named, settings.placement)
        return cls(
            jobs=jobs,
            settings=settings,
            units=units,
            domains=[domains_of(job, units, settings.placement) for job in jobs],
            lines={fence: Line() for fence in dict.fromkeys(unit.fence for unit in units)},
        )

    def rank(self, row: int) -> tuple[int, int, int]:
        """The policy gives each job a fixed key (4.1)."""
        return rank_key(self.jobs[row], row, self.settings)

    def line_of(self, row: int) -> Line:
        """The waiting jobs of one fence form one line (2.3)."""
        return self.lines[self.jobs[row].fence]

    def domain_of(self, taken: dict[int, int]) -> tuple[str | None, str]:
        """A gang runs inside one domain (2.4)."""
        unit = self.units[next(iter(taken))]
        return unit.fence, unit.gpu_type

    def members(self, row: int, gpu_type: str) -> list[Unit]:
        """The units of one domain of the job's fence (2.4)."""
        return [u for u in self.units if u.fence == self.jobs[row].fence and u.gpu_type == gpu_type]

    def place(self, row: int, offers: list[Offer]) -> dict[int, int] | None:
        """Ask the placement rule where the job goes among the offered GPUs (5.5)."""
        return place(self.settings.placement, self.jobs[row].gpus, offers)

    def place_free(self, row: int, gpu_type: str) -> dict[int, int] | None:
        """Place the job on all free GPUs of a domain."""
        return self.place(row, [(u.number, u.size, u.free) for u in self.members(row, gpu_type)])

    def fits(self, row: int, gpu_type: str) -> bool:
        """Would it fit in this domain with what is free now?"""
        return self.place_free(row, gpu_type) is not None

    def begin(self, row: int, taken: dict[int, int]) -> None:
        """It gets all its GPUs at once (3.1) and runs for its true run time or to its limit (3.2)."""
        job = self.jobs[row]
        length = min(job.runtime, limit_of(job)) if self.settings.kill_at_limit else job.runtime
        for number, gpus in taken.items():
            self.units[number].free -= gpus
        self.running.append(Running(row, len(self.started), self.now + limit_of(job), self.now + length, taken))
        self.line_of(row).waiting.remove(row)
        self.started[row] = self.now
        self.placements[row] = taken

    def free(self, job: Running) -> None:
        """It gives all back at once (3.1); its finish is still to be applied."""
        self.running.remove(job)
        self.leaving.append(job)
        for number, gpus in job.taken.items():
            self.units[number].free += gpus


# ---- strict and best_effort ---------------------------------------------------------------------


def pass_strict(state: State, line: Line) -> None:
    """A job that does not start closes every domain it could use for the rest of the pass (6.2)."""
    for row in list(line.waiting):
        for gpu_type in state.domains[row]:
            if gpu_type not in line.closers and (taken := state.place_free(row, gpu_type)) is not None:
                state.begin(row, taken)
                break
        else:
            for gpu_type in state.domains[row]:
                line.closers.setdefault(gpu_type, row)


def pass_best_effort(state: State, line: Line) -> None:
    """Jobs in rank order; everything that fits starts (6.2)."""
    for row in list(line.waiting):
        for gpu_type in state.domains[row]:
            if (taken := state.place_free(row, gpu_type)) is not None:
                state.begin(row, taken)
                break


# ---- easy ---------------------------------------------------------------------------------------


@dataclass
class Reservation:
    """A time, and the GPUs on each unit that are spare at that time (6.5)."""

    time: int
    spare: dict[int, int]


def pass_easy(state: State, line: Line) -> None:
    """The first that does not start takes a reservation; behind it, `depth` jobs are looked at (6.4 to 6.7)."""
    reserved: dict[str, Reservation] = {}
    ranked = list(line.waiting)
    while ranked and try_easy(state, ranked[0], reserved):
        ranked.pop(0)
    if not ranked:
        return
    reserve(state, ranked[0], reserved)
    behind = ranked[1:]
    if state.settings.candidates == "shortest":
        behind.sort(key=lambda row: (limit_of(state.jobs[row]), state.jobs[row].submit, row))
    for row in behind[: state.settings.depth]:
        if not try_easy(state, row, reserved):
            reserve(state, row, reserved)


def try_easy(state: State, row: int, reserved: dict[str, Reservation]) -> bool:
    """Start the job if it may start in one of its domains (6.5)."""
    for gpu_type in state.domains[row]:
        reservation = reserved.get(gpu_type)
        is_harmless = reservation is None or state.now + limit_of(state.jobs[row]) <= reservation.time
        units = state.members(row, gpu_type)
        offers = [(u.number, u.size, u.free) for u in units]
        if reservation is not None and not is_harmless:
            offers = [(u.number, u.size, min(u.free, reservation.spare[u.number])) for u in units]
        if (taken := state.place(row, offers)) is not None:
            state.begin(row, taken)
            if reservation is not None and not is_harmless:
                for number, gpus in taken.items():
                    reservation.spare[number] -= gpus
            return True
    return False


def reserve(state: State, row: int, reserved: dict[str, Reservation]) -> None:
    """Take a reservation in the domain with the earliest S among those without one (6.4, 6.6)."""
    found = [
        (*earliest_reservation(state, row, gpu_type), gpu_type)
        for gpu_type in state.domains[row]
        if gpu_type not in reserved
    ]
    if found:
        time, spare, gpu_type = min(found, key=lambda f: f[0])
        reserved[gpu_type] = Reservation(time, spare)
        state.promises.append((row, time))


def earliest_reservation(state: State, row: int, gpu_type: str) -> tuple[int, dict[int, int]]:
    """S is the first planned end at which the rule places the job on the GPUs free by then (6.4)."""
    units = state.members(row, gpu_type)
    numbers = {unit.number for unit in units}
    here = [job for job in state.running if numbers & set(job.taken)]
    for time in sorted(planned_end_now(job, state.now) for job in here):
        used = used_at(time, state.now, here, [])
        offers = [(u.number, u.size, u.size - used.get(u.number, 0)) for u in units]
        if (taken := state.place(row, offers)) is not None:
            return time, {number: offered - taken.get(number, 0) for number, _, offered in offers}
    raise AssertionError("a job that fits its empty domain fits when everything there has ended")


# ---- conservative -------------------------------------------------------------------------------


def pass_conservative(state: State, line: Line) -> None:
    """Give back, start what is due, move up, give new slots, in this order (6.10)."""
    depth = state.settings.depth
    holders = line.waiting[:depth]
    line.slots = {row: line.slots[row] for row in holders if row in line.slots}
    if state.settings.slots == "recomputed":
        line.slots = {}
    start_due(state, line)
    if line.has_early_finish:
        move_slots_up(state, line)
    for row in list(line.waiting):
        if depth is not None and len(line.slots) >= depth:
            break
        if row not in line.slots:
            give_slot(state, line, row)


def move_slots_up(state: State, line: Line) -> None:
    """Each slot in rank order is put back at the earliest place, or where it was if that is earlier (6.10 c)."""
    for row in list(line.waiting):
        if row in line.slots:
            old = line.slots.pop(row)
            new = earliest_place(state, line, row)
            if new.start == state.now:
                state.begin(row, new.taken)
            else:
                line.slots[row] = new if new.start <= old.start else old


def start_due(state: State, line: Line) -> None:
    """Each job whose slot starts now starts if its GPUs are free; if not, all slots are given back (6.10 b)."""
    for row in list(line.waiting):
        slot = line.slots.get(row)
        if slot is None or slot.start > state.now:
            continue
        if slot.start < state.now or any(state.units[n].free < gpus for n, gpus in slot.taken.items()):
            line.slots = {}
            return
        del line.slots[row]
        state.begin(row, slot.taken)


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
    here = [job for job in state.running if numbers & set(job.taken)]
    slots = [slot for slot in line.slots.values() if numbers & set(slot.taken)]
    times = {state.now} | {planned_end_now(job, state.now) for job in here} | {slot.end for slot in slots}
    for time in sorted(t for t in times if t >= state.now):
        end = time + limit_of(state.jobs[row])
        moments = [time] + [slot.start for slot in slots if time < slot.start < end]
        fewest = {unit.number: unit.size for unit in units}
        for moment in moments:
            used = used_at(moment, state.now, here, slots)
            for unit in units:
                fewest[unit.number] = min(fewest[unit.number], unit.size - used.get(unit.number, 0))
        taken = state.place(row, [(u.number, u.size, fewest[u.number]) for u in units])
        if taken is not None:
            return Slot(time, end, taken)
    raise AssertionError("a job that fits its empty domain fits when everything there has ended")


DISCIPLINES: dict[str, Callable[[State, Line], None]] = {
    "strict": pass_strict,
    "best_effort": pass_best_effort,
    "easy": pass_easy,
    "conservative": pass_conservative,
}
