"""What the slow, obvious engine is asked: nodes, jobs, tenants, policy. Plain fields, times in ms.

Written from docs/model.md alone; shares nothing with `scheduler_core`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

YEAR_MS = 365 * 24 * 60 * 60 * 1000
UNLIMITED = 10**9

CAUSES = (
    "scheduler", "reservation", "order", "quota", "topology", "type",
    "fragmentation", "gang_hold", "grace", "provisioning", "failure", "capacity",
)  # fmt: skip
BOOKS = ("useful", "lost", "checkpoint", "restart", "grace", "idle_held")


@dataclass(frozen=True)
class NaiveNode:
    """One machine: the pool it belongs to, its GPU type, how many GPUs it has, and perhaps CPUs and memory."""

    pool: str = "pool"
    gpu_type: str = "gpu"
    gpus: int = 8
    cpus: float | None = None
    mem_gb: float | None = None


@dataclass(frozen=True)
class NaiveJob:
    """One gang; `fence` is the pool its tenant names, `types` the GPU types it accepts.

    `checkpoint` is (every, cost, restart); `is_wall` says that the run time was read from a log (15.12); `shape` is
    (nodes, GPUs on each); `draw` ranks under `random` (16.7); `backoffs` are drawn for each time it gives up (17.6);
    `is_offered` marks elastic demand (10.9).
    """

    submit: int
    runtime: int
    gpus: int = 1
    limit: int | None = None
    priority: int = 500
    fence: str | None = None
    types: tuple[str, ...] | None = None
    job_class: int = 0
    tenant: str = "all"
    preemptible: bool = True
    checkpoint: tuple[int, int, int] | None = None
    is_wall: bool = False
    shape: tuple[int, int] | None = None
    cpus_per_gpu: float = 0
    mem_gb_per_gpu: float = 0
    draw: int = 0
    backoffs: tuple[int, ...] = ()
    is_offered: bool = False


@dataclass(frozen=True)
class NaiveTenant:
    """A tenant as stated (13.2); None is what `isolation` says (13.3)."""

    name: str = "all"
    parent: str | None = None
    weight: float = 1
    nominal: int | None = None
    guarantee: int | None = None
    borrow: int | None = None
    lend: int | None = None
    cap: int | None = None


@dataclass(frozen=True)
class NaiveReserve:
    """For a band, given by one of the first three, a share of each line (14.2) or a window on nodes (14.8)."""

    priority_below: int | None = None
    tenant: str | None = None
    job_class: int | None = None
    share: float | None = None
    nodes: tuple[int, ...] = ()
    opens: int = 0
    closes: int = 0


@dataclass(frozen=True)
class NaivePreemption:
    """Who may evict whom, and how (15.1)."""

    min_gap: int | None = None
    protect_at: int | None = None
    scope: tuple[str, ...] = ("own_queue", "borrowers")
    victims: str = "lowest_priority"
    grace: int = 0
    min_runtime: int = 0
    pin: bool = True
    pin_timeout: int | None = None
    suspend: bool = False


@dataclass(frozen=True)
class NaiveElastic:
    """When elastic demand comes: one of `wait_below` and `quota_free` says so (10.10)."""

    tenant: str
    every: int
    window: int
    wait_below: int | None = None
    quota_free: int | None = None


@dataclass(frozen=True)
class NaiveSettings:
    """The policy and the run; `end` None drains; `fences` are the pools that some tenant names.

    `timeout` is that of hold-and-wait gangs, None for atomic ones (17.1). `change` holds (time, fields that are
    replaced) in the order of time (18.1). `by` belongs to `shortest` and `las`, `form` to `article` and `fair_share`.
    """

    order: str = "fifo"
    by: str = "limit"
    aging_per_h: float = 0
    aging: str = "linear"
    form: str = ""
    formula: Callable[[Mapping[str, float]], float] | None = None
    thresholds: tuple[int, ...] = ()
    promote: float | None = None
    half_life: int = 7 * 24 * 60 * 60 * 1000
    step: int = 5 * 60 * 1000
    discipline: str = "strict"
    depth: int | None = 100
    candidates: str = "order"
    slots: str = "kept"
    placement: str = "counted"
    kill_at_limit: bool = False
    isolation: str = "none"
    quota_blocked: str = "pass"
    reserve: tuple[NaiveReserve, ...] = ()
    preemption: NaivePreemption | None = None
    requeue: str = "keep_submit"
    every: int = 0
    fill: bool = True
    timeout: int | None = None
    change: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    tenants: tuple[NaiveTenant, ...] = ()
    elastic: NaiveElastic | None = None
    ties: str = "finish_first"
    pass_per: str = "instant"
    end: int | None = None
    warmup: int = 0
    days: int = YEAR_MS
    fences: frozenset[str] = frozenset()

    @property
    def rules(self) -> NaivePreemption | None:
        """`preemption`, or its defaults where something else evicts (15.1)."""
        if self.preemption is None and self.isolation == "reclaim":
            return NaivePreemption(scope=("borrowers",))
        if self.preemption is None and self.order in PREEMPTIVE:
            return NaivePreemption()
        return self.preemption


PREEMPTIVE = ("srtf", "srsf", "las")


def limit_of(job: NaiveJob) -> int:
    """No limit counts as 365 days, 0 as 1 ms (3.3); this is also the planned length (6.3)."""
    return YEAR_MS if job.limit is None else max(job.limit, 1)
