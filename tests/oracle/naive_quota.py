"""Quotas, reserved shares and windows of the slow, obvious engine (sections 13 and 14 of docs/model.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.naive_input import UNLIMITED, NaiveReserve, NaiveSettings
from tests.oracle.naive_parts import Running, accepts
from tests.oracle.naive_state import State

ROOT = ""


@dataclass(frozen=True)
class Quota:
    """The five numbers of a tenant, as they hold (13.2, 13.3)."""

    nominal: int
    guarantee: int
    borrow: int
    lend: int
    cap: int

    @property
    def keep(self) -> int:
        """What it does not lend even when idle (13.4)."""
        return self.nominal - min(self.nominal - self.guarantee, self.lend)


def children(settings: NaiveSettings, name: str) -> list[str]:
    """The tenants directly under one; under the root those without parent (13.1)."""
    return [tenant.name for tenant in settings.tenants if (tenant.parent or ROOT) == name]


def quota_of(settings: NaiveSettings, name: str) -> Quota:
    """`isolation` sets what is not stated by hand (13.3); the root has what those under it have (13.2)."""
    below = sum(quota_of(settings, child).nominal for child in children(settings, name))
    if name == ROOT:
        return Quota(below, 0, 0, 0, UNLIMITED)
    stated = next(tenant for tenant in settings.tenants if tenant.name == name)
    nominal = below if stated.nominal is None else stated.nominal
    is_partition = settings.isolation == "partition"
    return Quota(
        nominal=nominal,
        guarantee=first(stated.guarantee, nominal if is_partition else 0),
        borrow=first(stated.borrow, 0 if is_partition else UNLIMITED),
        lend=first(stated.lend, 0 if is_partition else nominal),
        cap=first(stated.cap, nominal if is_partition else UNLIMITED),
    )


def first(stated: int | None, otherwise: int) -> int:
    """A number stated by hand wins (13.3)."""
    return otherwise if stated is None else stated


# ---- use and want -------------------------------------------------------------------------------


def held_by_leaf(state: State, *, but: int = -1, gone: Sequence[Running] = ()) -> dict[str, int]:
    """GPUs of each leaf: running or in grace, pinned, collected (13.4, 17.4); without one job and those gone."""
    held: dict[str, int] = {}
    rows = [job.row for job in state.running if job not in gone]
    rows += [row for row in [*state.pins, *state.holds] if row != but]
    for row in rows:
        leaf = state.jobs[row].tenant
        held[leaf] = held.get(leaf, 0) + state.jobs[row].gpus
    return held


def use_of(settings: NaiveSettings, name: str, held: dict[str, int]) -> int:
    """use(t): what it and the tenants below it hold (13.4)."""
    return held.get(name, 0) + sum(use_of(settings, child, held) for child in children(settings, name))


def want_of(settings: NaiveSettings, name: str, held: dict[str, int]) -> int:
    """want(t): in use, and what must stay there for those who do not use it (13.4)."""
    below = children(settings, name)
    if not below:
        return use_of(settings, name, held)
    return sum(max(want_of(settings, child, held), quota_of(settings, child).keep) for child in below)


def passes_quota(state: State, row: int, gone: Sequence[Running] = ()) -> bool:
    """The quota test (13.5)."""
    settings, job = state.settings, state.jobs[row]
    if settings.isolation == "none" or row in state.holds:
        return True
    held = held_by_leaf(state, but=row, gone=gone)
    held[job.tenant] = held.get(job.tenant, 0) + job.gpus
    path = state.path(job.tenant)
    if any(use_of(settings, name, held) > quota_of(settings, name).cap for name in path):
        return False
    for name in path:
        quota, want = quota_of(settings, name), want_of(settings, name, held)
        if want <= quota.nominal:
            return True
        if want - quota.nominal > quota.borrow:
            return False
    return want_of(settings, ROOT, held) <= quota_of(settings, ROOT).nominal


def can_ever_pass(state: State, row: int) -> bool:
    """A job that fails its quota test when nothing at all runs is unschedulable (13.13)."""
    empty = State(state.jobs, state.settings, [], [], {})
    return passes_quota(empty, row)


# ---- reserved shares ----------------------------------------------------------------------------


def shares(state: State) -> list[NaiveReserve]:
    """The entries that reserve a share (14.2)."""
    return [entry for entry in state.settings.reserve if entry.share is not None]


def reserved_of(state: State, entry: NaiveReserve, row: int) -> int:
    """floor(share x GPUs of the fence), exactly (14.2)."""
    share = Fraction(str(entry.share))
    return int(share * sum(unit.size for unit in state.fence_units(row)))


def used_by(state: State, entry: NaiveReserve, row: int, gone: Sequence[Running] = ()) -> int:
    """What jobs of the band hold in the line of `row`, in grace and pinned ones included (14.3)."""
    rows = [job.row for job in state.running if job not in gone] + list(state.pins)
    same_line = [other for other in rows if state.jobs[other].fence == state.jobs[row].fence]
    return sum(state.jobs[other].gpus for other in same_line if state.in_band(entry, other))


def passes_shares(state: State, row: int, gone: Sequence[Running] = ()) -> bool:
    """The share test: what others of a waiting band were promised must stay free (14.3)."""
    kept = sum(
        max(reserved_of(state, entry, row) - used_by(state, entry, row, gone), 0)
        for entry in shares(state)
        if not state.in_band(entry, row)
        and any(state.in_band(entry, other) for other in state.line_of(row).waiting)
    )  # fmt: skip
    if kept == 0:
        return True
    free = sum(state.offered(unit.number, row, gone) for unit in state.fence_units(row))
    return free - state.jobs[row].gpus >= kept


def passes_tests(state: State, row: int, gone: Sequence[Running] = ()) -> bool:
    """Quota first, then shares (14.5)."""
    return passes_quota(state, row, gone) and passes_shares(state, row, gone)


def fits_now(state: State, row: int) -> bool:
    """Tests and placement on what is free for it, whatever is closed or set aside there (15.2)."""
    return passes_tests(state, row) and any(state.place_free(row, domain) for domain in state.domains[row])


def fits_type(state: State, row: int, gpu_type: str) -> bool:
    """Would it fit in all pools of a type together, whatever their fence (7.4, 7.5)?"""
    offers = [(unit.number, unit.size, unit.free) for unit in state.units if unit.gpu_type == gpu_type]
    return state.place(row, offers) is not None


def accepted_types(state: State, row: int) -> list[str]:
    """The GPU types of the cluster that a job accepts."""
    types = dict.fromkeys(unit.gpu_type for unit in state.units)
    return [gpu_type for gpu_type in types if accepts(state.jobs[row], gpu_type)]
