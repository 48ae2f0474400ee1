"""What the slow, obvious engine is made of: fences, domains, placement and planning.

Written from docs/model.md alone; shares nothing with `scheduler_core`. Each docstring is the
sentence of docs/model.md that the function stands for, with its number.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle.naive_input import NaiveJob, NaiveNode

Piece = tuple[str, int, int]
"""(what a job did with its GPUs, from, to)."""


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
    """A job on its GPUs: when it will be planned to end, when it really ends, and where it is.

    `saved` is the work saved before this attempt, `pieces` what it will do if nobody interferes. `told` is when it
    was told to leave (15.8), `leave` when it is to be gone; `goes_on` says that it ends by itself before that.
    `stopped` is when it was suspended (15.18), `killed_at` when its limit ends it (3.2).
    """

    row: int
    sequence: int
    start: int
    planned_end: int
    finish: int
    taken: dict[int, int]
    saved: int = 0
    pieces: list[Piece] = field(default_factory=list)
    is_killed: bool = False
    killed_at: int | None = None
    told: int | None = None
    leave: int = 0
    goes_on: bool = False
    evictor: int = -1
    stopped: int | None = None

    @property
    def is_evicted(self) -> bool:
        """In grace, and it will leave before it ends by itself (15.8)."""
        return self.told is not None and not self.goes_on


@dataclass
class Pins:
    """GPUs kept for a job on each unit, until when at most (15.14, 15.16)."""

    taken: dict[int, int]
    until: int


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
    turns: list[int] = field(default_factory=list)
    is_blocked: bool = False
    closers: dict[str, int] = field(default_factory=dict)
    closed_for: dict[int, dict[str, int]] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    has_band_start: bool = False
    deserved: dict[str, float] = field(default_factory=dict)

    def begin_pass(self) -> None:
        """Forget the last pass; what it closed and held stays known until here (7.1)."""
        self.turns, self.is_blocked, self.has_band_start = [], False, False
        self.closers, self.closed_for, self.held = {}, {}, {}

    def holder_ahead(self, leaf: str, row: int) -> int | None:
        """The held job of the leaf behind which this job had its turn, or has none (13.9)."""
        holder = self.held.get(leaf)
        if holder is None or holder == row:
            return None
        return holder if row not in self.turns or self.turns.index(row) > self.turns.index(holder) else None


# ---- section 2: fences, domains ---------------------------------------------------


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
        if accepts(job, gpu_type) and place(placement, job, empty) is not None:
            found.append(gpu_type)
    return found


# ---- section 5: placement -----------------------------------------------------------------------

Offer = tuple[int, int, int]
"""(number, size, GPUs offered) of one unit."""


def place(placement: str, job: NaiveJob, offers: Sequence[Offer]) -> dict[int, int] | None:
    """Say where a job goes among the GPUs offered on each unit, or None (5.1 to 5.6)."""
    gpus = job.gpus
    if placement == "counted":
        return place_counted(gpus, offers)
    if not offers:
        return None
    if job.shape is not None:
        return place_shape(placement, *job.shape, offers)
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
    enough = preferred(placement, [offer for offer in offers if offer[2] >= gpus], is_remainder=is_remainder)
    return {enough[0][0]: gpus} if enough else None


def preferred(placement: str, offers: Sequence[Offer], *, is_remainder: bool) -> list[Offer]:
    """The order in which a rule likes single nodes (5.4)."""
    if placement == "first_fit":
        return sorted(offers, key=lambda o: o[0])
    if placement == "spread" or (placement == "consolidate" and is_remainder):
        return sorted(offers, key=lambda o: (-o[2], o[0]))
    return sorted(offers, key=lambda o: (o[2], o[0]))


def place_shape(placement: str, nodes: int, gpus: int, offers: Sequence[Offer]) -> dict[int, int] | None:
    """The first `nodes` nodes, in the order of the rule, with at least `gpus` free each (5.6)."""
    enough = preferred(placement, [offer for offer in offers if offer[2] >= gpus], is_remainder=False)
    return {number: gpus for number, _, _ in enough[:nodes]} if len(enough) >= nodes else None


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
