"""The cluster, the running jobs and the lines at one moment of the slow, obvious engine.

Numbers in docstrings are those of the sentences in docs/model.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle.naive_input import NaiveJob, NaiveNode, NaiveReserve, NaiveSettings, limit_of
from tests.oracle.naive_parts import Line, Offer, Pins, Running, Slot, Unit, build_units, domains_of, place
from tests.oracle.naive_work import Attempt, end_of, pause, plan, so_far, whole, work_saved


@dataclass
class Hold:
    """What a gang that collects holds, where, since when on each (17.2), and when it gives up (17.5)."""

    gpu_type: str
    until: int
    members: list[tuple[int, int, int]] = field(default_factory=list)


@dataclass
class State:
    """Everything that a pass looks at or changes."""

    jobs: Sequence[NaiveJob]
    settings: NaiveSettings
    units: list[Unit]
    domains: list[list[str]]
    lines: dict[str | None, Line]
    resources: dict[str | None, dict[str, float]] = field(default_factory=dict)
    running: list[Running] = field(default_factory=list)
    leaving: list[Running] = field(default_factory=list)
    started: dict[int, int] = field(default_factory=dict)
    placements: dict[int, dict[int, int]] = field(default_factory=dict)
    promises: list[tuple[int, int]] = field(default_factory=list)
    slots_given: list[tuple[int, int]] = field(default_factory=list)
    pins: dict[int, Pins] = field(default_factory=dict)
    holds: dict[int, Hold] = field(default_factory=dict)
    away: dict[int, int] = field(default_factory=dict)
    given_up: dict[int, int] = field(default_factory=dict)
    idle_held: list[tuple[int, int, int, int]] = field(default_factory=list)
    saved: dict[int, int] = field(default_factory=dict)
    attained: dict[int, int] = field(default_factory=dict)
    left_at: dict[int, int] = field(default_factory=dict)
    ranked_submit: dict[int, int] = field(default_factory=dict)
    round_keys: dict[int, float] = field(default_factory=dict)
    usage: dict[str, float] = field(default_factory=dict)
    usage_until: int = 0
    usage_since: int = 0
    alike: dict[tuple[str | None, tuple[object, ...]], int] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    ledger: list[tuple[int, int, int, str, int]] = field(default_factory=list)
    decided: set[int] = field(default_factory=set)
    suspenders: set[int] = field(default_factory=set)
    is_decision: bool = True
    n_started: int = 0
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
            resources=resources_of(nodes, named),
        )

    def submit_of(self, row: int) -> int:
        """Its submit time for rank and aging (15.10, 16.1)."""
        return self.ranked_submit.get(row, self.jobs[row].submit)

    def line_of(self, row: int) -> Line:
        """The waiting jobs of one fence form one line (2.3)."""
        return self.lines[self.jobs[row].fence]

    def touch(self, line: Line) -> None:
        """An event touches its line (6.1), where quotas are tested every line (13.12)."""
        line.is_touched = True
        if self.settings.isolation != "none":
            self.touch_all()

    def touch_all(self) -> None:
        """Some ticks touch every line (14.11, 16.3, 16.10, 18.2)."""
        for line in self.lines.values():
            line.is_touched = True

    def domain_of(self, taken: dict[int, int]) -> tuple[str | None, str]:
        """A gang runs inside one domain (2.4)."""
        unit = self.units[next(iter(taken))]
        return unit.fence, unit.gpu_type

    def members(self, row: int, gpu_type: str) -> list[Unit]:
        """The units of one domain of the job's fence (2.4)."""
        return [u for u in self.units if u.fence == self.jobs[row].fence and u.gpu_type == gpu_type]

    def fence_units(self, row: int) -> list[Unit]:
        """All units of the job's fence."""
        return [u for u in self.units if u.fence == self.jobs[row].fence]

    # ---- what is free for whom ------------------------------------------------------------------

    def going(self, gone: Sequence[Running] = ()) -> list[Running]:
        """Jobs in grace, and suspended ones, on whose GPUs pins rest (15.14, 15.18), less those counted as gone."""
        return [job for job in self.running if (job.told is not None or job.stopped is not None) and job not in gone]

    def offered(self, number: int, row: int, gone: Sequence[Running] = ()) -> int:
        """What is free on a unit for this job: pins of others rest on GPUs in grace first (15.14, 15.15)."""
        pinned = sum(pins.taken.get(number, 0) for other, pins in self.pins.items() if other != row)
        to_leave = sum(job.taken.get(number, 0) for job in self.going(gone))
        freed = sum(job.taken.get(number, 0) for job in gone)
        return max(0, self.units[number].free + freed - max(0, pinned - to_leave))

    def in_band(self, entry: NaiveReserve, row: int) -> bool:
        """A band is given by a bound on the priority, a tenant with those below it, or a class (14.1)."""
        job = self.jobs[row]
        if entry.priority_below is not None:
            return job.priority < entry.priority_below
        if entry.tenant is not None:
            return entry.tenant in self.path(job.tenant)
        return job.job_class == entry.job_class

    def path(self, name: str) -> list[str]:
        """A tenant and those above it, the root left out (13.1)."""
        parents = {tenant.name: tenant.parent for tenant in self.settings.tenants}
        path: list[str] = []
        above: str | None = name
        while above is not None:
            path.append(above)
            above = parents.get(above)
        return path

    def is_barred(self, row: int, number: int, start: int) -> bool:
        """It would be there while a window of others is open (14.8)."""
        return any(
            number in entry.nodes
            and not self.in_band(entry, row)
            and start < entry.closes
            and start + limit_of(self.jobs[row]) > entry.opens
            for entry in self.settings.reserve
        )

    def offers(self, row: int, gpu_type: str, *, gone: Sequence[Running] = (), has_bars: bool = True) -> list[Offer]:
        """What the placement rule is asked with now (5.5, 14.9)."""
        return [
            (u.number, u.size, 0)
            if has_bars and self.is_barred(row, u.number, self.now)
            else (u.number, u.size, self.offered(u.number, row, gone))
            for u in self.members(row, gpu_type)
        ]

    def place(self, row: int, offers: list[Offer]) -> dict[int, int] | None:
        """Ask the placement rule where the job goes among the offered GPUs (5.5)."""
        return place(self.settings.placement, self.jobs[row], offers)

    def place_free(self, row: int, gpu_type: str) -> dict[int, int] | None:
        """Place the job on all GPUs of a domain that are free for it."""
        return self.place(row, self.offers(row, gpu_type))

    def fits_raw(self, row: int, gpu_type: str) -> bool:
        """Would it fit in this domain on all that is free, pinned or not (7.3)?"""
        return self.place(row, [(u.number, u.size, u.free) for u in self.members(row, gpu_type)]) is not None

    # ---- planning -------------------------------------------------------------------------------

    def planned_free(self, row: int, unit: Unit, moment: int, slots: Sequence[Slot]) -> int:
        """What is planned to be free for a job on a unit at `moment` (6.4, 6.9, 15.19)."""
        still = [job for job in self.running if planned_end_now(job, self.now) > moment]
        used = sum(job.taken.get(unit.number, 0) for job in still)
        used += sum(slot.taken.get(unit.number, 0) for slot in slots if slot.start <= moment < slot.end)
        pinned = sum(
            pins.taken.get(unit.number, 0)
            for other, pins in self.pins.items()
            if other != row and self.now + limit_of(self.jobs[other]) > moment
        )
        to_leave = sum(job.taken.get(unit.number, 0) for job in self.going() if job in still)
        return unit.size - used - max(0, pinned - to_leave)

    def times_to_try(self, units: Sequence[Unit]) -> set[int]:
        """Planned ends of the jobs that run there, of pins there, and the ends of windows ahead (6.4, 14.9, 15.19)."""
        numbers = {unit.number for unit in units}
        times = {planned_end_now(job, self.now) for job in self.running if numbers & set(job.taken)}
        times |= {self.now + limit_of(self.jobs[r]) for r, pins in self.pins.items() if numbers & set(pins.taken)}
        return times | {entry.closes for entry in self.settings.reserve if entry.nodes and entry.closes > self.now}

    # ---- start and end --------------------------------------------------------------------------

    def begin(self, row: int, taken: dict[int, int]) -> None:
        """It gets all its GPUs at once (3.1) and runs for its true run time or to its limit (3.2)."""
        job, saved = self.jobs[row], self.saved.get(row, 0)
        pieces = plan(job, saved, self.now, is_resumed=row in self.started)
        end, killed_at = end_of(pieces, self.now), self.now + limit_of(job)
        is_killed = self.settings.kill_at_limit and end > killed_at
        for number, gpus in taken.items():
            self.units[number].free -= gpus
        self.running.append(
            Running(
                row=row,
                sequence=self.n_started,
                start=self.now,
                planned_end=killed_at,
                finish=killed_at if is_killed else end,
                taken=taken,
                saved=saved,
                pieces=pieces,
                is_killed=is_killed,
                killed_at=killed_at if self.settings.kill_at_limit else None,
            )
        )
        self.n_started += 1
        line = self.line_of(row)
        line.waiting.remove(row)
        line.slots.pop(row, None)
        line.has_band_start |= any(
            entry.share is not None and self.in_band(entry, row) for entry in self.settings.reserve
        )
        self.started.setdefault(row, self.now)
        self.placements[row] = taken
        self.round_keys.pop(row, None)
        self.end_pins(row)

    def free(self, job: Running) -> None:
        """It gives all back at once (3.1); its finish is still to be applied."""
        self.running.remove(job)
        self.leaving.append(job)
        for number, gpus in job.taken.items():
            self.units[number].free += gpus

    def end_pins(self, row: int) -> None:
        """Pins end (15.16), and whom it had suspended works on (15.18)."""
        if self.pins.pop(row, None) is None:
            return
        for job in self.running:
            if job.stopped is not None and job.evictor == row:
                resume(job, self.now)

    def note_attempt(self, job: Running, end: int, reason: str) -> None:
        """Write down an attempt (15.20)."""
        pieces = so_far(job, end)
        # a save under way at the end is in `pieces`, cut short, but it saved nothing (9.3)
        saved = self.jobs[job.row].runtime if reason == "finished" else job.saved + work_saved(whole(job, end), end)
        if job.is_evicted:
            saved = self.saved[job.row]
        told = job.told if job.is_evicted and job.told is not None else -1
        self.attempts.append(Attempt(job.row, job.start, told, end, saved, reason, job.saved, tuple(pieces)))


def resume(job: Running, now: int) -> None:
    """Its end moves by the time it stood still; its limit does not (15.18)."""
    assert job.stopped is not None
    job.pieces = pause(job.pieces, job.stopped, now)
    job.stopped = None
    end = end_of(job.pieces, job.start)
    job.is_killed = job.killed_at is not None and end > job.killed_at
    job.finish = job.killed_at if job.is_killed and job.killed_at is not None else end


def planned_end_now(running: Running, now: int) -> int:
    """A job that still runs at or past its planned end is planned to end 1 ms from now (6.3)."""
    return running.planned_end if running.planned_end > now else now + 1


def resources_of(nodes: Sequence[NaiveNode], named: frozenset[str]) -> dict[str | None, dict[str, float]]:
    """GPUs, CPUs and memory of each fence; a resource that one of its pools does not state is left out (16.11)."""
    fences: dict[str | None, list[NaiveNode]] = {}
    for node in nodes:
        fences.setdefault(node.pool if node.pool in named else None, []).append(node)
    found: dict[str | None, dict[str, float]] = {}
    for fence, inside in fences.items():
        found[fence] = {"gpus": sum(node.gpus for node in inside)}
        if all(node.cpus is not None for node in inside):
            found[fence]["cpus"] = sum(node.cpus or 0 for node in inside)
        if all(node.mem_gb is not None for node in inside):
            found[fence]["mem_gb"] = sum(node.mem_gb or 0 for node in inside)
    return found
