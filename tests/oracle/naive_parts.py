"""What the slow, obvious engine is made of: data, order, fences, placement and planning.

Written from docs/model.md alone; shares nothing with `scheduler_core`. Each docstring is the
sentence of docs/model.md that the function stands for, with its number.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

YEAR_MS = 365 * 24 * 60 * 60 * 1000

CAUSES = (
    "scheduler", "reservation", "order", "quota", "topology", "type",
    "fragmentation", "gang_hold", "grace", "provisioning", "failure", "capacity",
)  # fmt: skip


@dataclass(frozen=True)
class NaiveNode:
    """One machine: the pool it belongs to, its GPU type and how many GPUs it has."""

    pool: str = "pool"
    gpu_type: str = "gpu"
    gpus: int = 8


@dataclass(frozen=True)
class NaiveJob:
    """One gang; times in ms; `fence` is the pool its tenant names, `types` the GPU types it accepts."""

    submit: int
    runtime: int
    gpus: int = 1
    limit: int | None = None
    priority: int = 500
    fence: str | None = None
    types: tuple[str, ...] | None = None
    job_class: int = 0


@dataclass(frozen=True)
class NaiveSettings:
    """The policy and the run, times in ms; `end` None drains; `fences` are the pools that some tenant names."""

    order: str = "fifo"
    by: str = "limit"
    discipline: str = "strict"
    depth: int | None = 100
    candidates: str = "order"
    slots: str = "kept"
    placement: str = "counted"
    kill_at_limit: bool = False
    ties: str = "finish_first"
    pass_per: str = "instant"
    end: int | None = None
    warmup: int = 0
    days: int = YEAR_MS
    fences: frozenset[str] = frozenset()


@dataclass
class Unit:
    """What a placement rule chooses among: a node, or under `counted` a whole domain."""

    number: int
    fence: str | None
    gpu_type: str
    size: int
    free: int


@dataclass
class Running:
    """A job on its GPUs: when it will be planned to end, when it really ends, and where it is."""

    row: int
    sequence: int
    planned_end: int
    finish: int
    taken: dict[int, int]


@dataclass
class Slot:
    """A promised start of a waiting job: when, until when, and how many GPUs on each unit."""

    start: int
    end: int
    taken: dict[int, int]


@dataclass
class Line:
    """The waiting jobs of one fence, and what its pass needs to remember."""

    waiting: list[int] = field(default_factory=list)
    slots: dict[int, Slot] = field(default_factory=dict)
    is_touched: bool = False
    has_early_finish: bool = False
    closers: dict[str, int] = field(default_factory=dict)


# ---- sections 2 and 4: fences, domains, order ---------------------------------------------------


def fence_of_pools(nodes: Sequence[NaiveNode], named: frozenset[str]) -> list[str | None]:
    """The pools fall into fences that do not overlap: one per named pool, one for the rest (2.2)."""
    return [node.pool if node.pool in named else None for node in nodes]


def build_units(nodes: Sequence[NaiveNode], named: frozenset[str], placement: str) -> list[Unit]:
    """`counted`: the domain counts as one node (5.1); a domain is a GPU type inside a fence (2.4)."""
    fences = fence_of_pools(nodes, named)
    if placement != "counted":
        return [
            Unit(number, fence, node.gpu_type, node.gpus, node.gpus)
            for number, (node, fence) in enumerate(zip(nodes, fences, strict=True))
        ]
    units: list[Unit] = []
    for fence, gpu_type in dict.fromkeys((f, n.gpu_type) for f, n in zip(fences, nodes, strict=True)):
        size = sum(n.gpus for f, n in zip(fences, nodes, strict=True) if (f, n.gpu_type) == (fence, gpu_type))
        units.append(Unit(len(units), fence, gpu_type, size, size))
    return units


def accepts(job: NaiveJob, gpu_type: str) -> bool:
    """A job accepts the types it lists, or any."""
    return job.types is None or gpu_type in job.types


def domains_of(job: NaiveJob, units: Sequence[Unit], placement: str) -> list[str]:
    """Those of its fence whose type it accepts and in which it would be placed if empty (2.5)."""
    types = dict.fromkeys(unit.gpu_type for unit in units if unit.fence == job.fence)
    found = []
    for gpu_type in types:
        empty = [(u.number, u.size, u.size) for u in units if (u.fence, u.gpu_type) == (job.fence, gpu_type)]
        if accepts(job, gpu_type) and place(placement, job.gpus, empty) is not None:
            found.append(gpu_type)
    return found


def limit_of(job: NaiveJob) -> int:
    """No limit counts as 365 days, 0 as 1 ms (3.3); this is also the planned length (6.3)."""
    return YEAR_MS if job.limit is None else max(job.limit, 1)


def rank_key(job: NaiveJob, row: int, settings: NaiveSettings) -> tuple[int, int, int]:
    """The smallest key first; ties to the earlier submit, then to the lower row (4.1, 4.2)."""
    key = 0
    if settings.order == "priority":
        key = -job.priority
    elif settings.order == "shortest":
        key = limit_of(job) if settings.by == "limit" else job.runtime
    elif settings.order == "smallest":
        key = job.gpus
    return (key, job.submit, row)


# ---- section 5: placement -----------------------------------------------------------------------

Offer = tuple[int, int, int]
"""(number, size, GPUs offered) of one unit."""


def place(placement: str, gpus: int, offers: Sequence[Offer]) -> dict[int, int] | None:
    """Say where a job of `gpus` goes among the GPUs offered on each unit, or None (5.1 to 5.5)."""
    if placement == "counted":
        return place_counted(gpus, offers)
    if not offers:
        return None
    if gpus <= max(size for _, size, _ in offers):
        return place_on_one(placement, gpus, offers, is_remainder=False)
    return place_gang(placement, gpus, offers)


def place_counted(gpus: int, offers: Sequence[Offer]) -> dict[int, int] | None:
    """A job fits when enough GPUs are free (5.1)."""
    if sum(offered for _, _, offered in offers) < gpus:
        return None
    taken: dict[int, int] = {}
    for number, _, offered in offers:
        here = min(offered, gpus - sum(taken.values()))
        if here > 0:
            taken[number] = here
    return taken


def place_on_one(placement: str, gpus: int, offers: Sequence[Offer], *, is_remainder: bool) -> dict[int, int] | None:
    """Which single node, among those with enough free GPUs (5.4)."""
    enough = [offer for offer in offers if offer[2] >= gpus]
    if not enough:
        return None
    prefers_empty = placement == "spread" or (placement == "consolidate" and is_remainder)
    if placement == "first_fit":
        chosen = min(enough, key=lambda o: o[0])
    elif prefers_empty:
        chosen = min(enough, key=lambda o: (-o[2], o[0]))
    else:
        chosen = min(enough, key=lambda o: (o[2], o[0]))
    return {chosen[0]: gpus}


def place_gang(placement: str, gpus: int, offers: Sequence[Offer]) -> dict[int, int] | None:
    """A larger job takes idle nodes whole; what remains must fit on one other node (5.3)."""
    taken: dict[int, int] = {}
    for number, size, offered in sorted(offers, key=lambda o: (-o[1], o[0])):
        if offered == size and gpus - sum(taken.values()) >= size:
            taken[number] = size
    remainder = gpus - sum(taken.values())
    if remainder == 0:
        return taken
    others = [offer for offer in offers if offer[0] not in taken]
    rest = place_on_one(placement, remainder, others, is_remainder=True)
    return None if rest is None else taken | rest


# ---- section 6: planning ------------------------------------------------------------------------


def planned_end_now(running: Running, now: int) -> int:
    """A job that still runs at or past its planned end is planned to end 1 ms from now (6.3)."""
    return running.planned_end if running.planned_end > now else now + 1


def used_at(moment: int, now: int, running: Iterable[Running], slots: Iterable[Slot]) -> dict[int, int]:
    """GPUs planned to be in use on each unit at `moment`: running jobs and slots (6.9)."""
    used: dict[int, int] = {}
    for job in running:
        if planned_end_now(job, now) > moment:
            for number, gpus in job.taken.items():
                used[number] = used.get(number, 0) + gpus
    for slot in slots:
        if slot.start <= moment < slot.end:
            for number, gpus in slot.taken.items():
                used[number] = used.get(number, 0) + gpus
    return used
