"""Quotas in force: what isolation presets, what was set by hand, and the one test of a job against them.

The rules are those of docs/model.md, section 13. Whole GPUs, whole numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario
    from scheduler_core.scenario.tenants import Tenant

UNLIMITED = 1_000_000_000
"""Stands for no limit; above any number of GPUs, and sums of it stay inside 64 bits."""

ROOT = -1
"""Parent of a tenant directly under the root."""

PRESET_FIELDS = ("guarantee_gpus", "borrow_gpus", "lend_gpus", "cap_gpus")
"""Fields that isolation presets and a document may set by hand."""


@dataclass(frozen=True)
class Quota:
    """The quota of one tenant, every number stated.

    Attributes
    ----------
    tenant : str
        Its name.
    parent : int
        Row of the tenant above it, `ROOT` if there is none.
    nominal, guarantee : int
        GPUs it is entitled to, and the part of them that is never lent.
    borrow, lend, cap : int
        GPUs above its nominal, GPUs lent and GPUs in all, at most; `UNLIMITED` where there is no limit.
    by_hand : tuple of str
        Fields that the document sets to something else than its isolation would.
    """

    tenant: str
    parent: int
    nominal: int
    guarantee: int
    borrow: int
    lend: int
    cap: int
    by_hand: tuple[str, ...] = ()

    @property
    def keep(self) -> int:
        """GPUs it does not lend even when idle."""
        return self.nominal - min(self.nominal - self.guarantee, self.lend)


def parents_of(tenants: "Sequence[Tenant]") -> tuple[int, ...]:
    """Return for each tenant the row of the one above it, `ROOT` if there is none.

    Parameters
    ----------
    tenants : sequence of Tenant
        Every parent is among them.

    Returns
    -------
    tuple of int
        In the order of the tenants.
    """
    row_of = {tenant.name: row for row, tenant in enumerate(tenants)}
    return tuple(ROOT if tenant.parent is None else row_of[tenant.parent] for tenant in tenants)


def bottom_up(parents: Sequence[int]) -> list[int]:
    """Return all rows of a tree so that each stands before the one above it."""
    depths = []
    for parent in parents:
        depth = 0
        while parent != ROOT:
            depth, parent = depth + 1, parents[parent]  # noqa: PLW2901
        depths.append(depth)
    return sorted(range(len(parents)), key=lambda row: -depths[row])


def leaves_below(parents: Sequence[int], row: int) -> tuple[int, ...]:
    """Return the tenants without anybody below them that stand at or below `row`, in order."""
    inner = set(parents)
    found = []
    for leaf in range(len(parents)):
        at = leaf
        while at not in {ROOT, row}:
            at = parents[at]
        if at == row and leaf not in inner:
            found.append(leaf)
    return tuple(found)


def nominals(tenants: "Sequence[Tenant]") -> tuple[int, ...]:
    """Return the nominal of each tenant; unstated it is the sum over those below it, 0 for a leaf."""
    parents = parents_of(tenants)
    below = [0] * len(tenants)
    found = [0] * len(tenants)
    for row in bottom_up(parents):
        stated = tenants[row].nominal_gpus
        found[row] = below[row] if stated is None else stated
        if parents[row] != ROOT:
            below[parents[row]] += found[row]
    return tuple(found)


def preset(isolation: str, nominal: int) -> dict[str, int]:
    """Return what an isolation sets for a tenant that states nothing by hand.

    Parameters
    ----------
    isolation : str
        Level of isolation. Under `none` no quota is tested, so that the numbers say nothing.
    nominal : int
        Nominal of the tenant, in GPUs.

    Returns
    -------
    dict of str to int
        Field -> GPUs.
    """
    if isolation == "partition":
        return {"guarantee_gpus": nominal, "borrow_gpus": 0, "lend_gpus": 0, "cap_gpus": nominal}
    return {"guarantee_gpus": 0, "borrow_gpus": UNLIMITED, "lend_gpus": UNLIMITED, "cap_gpus": UNLIMITED}


def effective_quotas(scenario: "Scenario", isolation: str | None = None) -> tuple[Quota, ...]:
    """Return the quotas in force: those of the isolation, and above them what was set by hand.

    Parameters
    ----------
    scenario : Scenario
        A valid document.
    isolation : str, optional
        Level of isolation; by default that of the policy at the start of the run.

    Returns
    -------
    tuple of Quota
        One for each tenant, in the order of the document.
    """
    level, tenants = isolation or scenario.policy.isolation, scenario.tenants
    rows = zip(tenants, parents_of(tenants), nominals(tenants), strict=True)
    return tuple(_quota(tenant, parent, nominal, level) for tenant, parent, nominal in rows)


def _quota(tenant: "Tenant", parent: int, nominal: int, isolation: str) -> Quota:
    usual = preset(isolation, nominal)
    stated = {name: getattr(tenant, name) for name in PRESET_FIELDS if getattr(tenant, name) is not None}
    by_hand = {name: UNLIMITED if value == "unlimited" else int(value) for name, value in stated.items()}
    used = usual | by_hand
    return Quota(
        tenant=tenant.name,
        parent=parent,
        nominal=nominal,
        guarantee=used["guarantee_gpus"],
        borrow=used["borrow_gpus"],
        lend=used["lend_gpus"],
        cap=used["cap_gpus"],
        by_hand=tuple(name for name, value in by_hand.items() if value != usual[name]),
    )


class QuotaTree:
    """The quotas as a tree, with what each tenant holds back when nothing runs."""

    def __init__(self, quotas: Sequence[Quota]) -> None:
        self.quotas = quotas
        self._below = [0] * (len(quotas) + 1)  # what the tenants below each one hold back; the last is the root's
        self._nominal_at_root = sum(quota.nominal for quota in quotas if quota.parent == ROOT)
        for row in bottom_up([quota.parent for quota in quotas]):
            self._below[quotas[row].parent] += self._held(row)

    def _held(self, row: int) -> int:
        """GPUs an idle tenant keeps from others: what it does not lend, or what those below it do not."""
        return max(self._below[row], self.quotas[row].keep)

    def passes_alone(self, leaf: int, gpus: int) -> bool:
        """Return whether a job passes the quota test when nothing else runs.

        Parameters
        ----------
        leaf : int
            Row of the tenant whose job it is; nobody stands below it.
        gpus : int
            Size of the job.

        Returns
        -------
        bool
            False for a job that can never run.
        """
        at, want, is_covered = leaf, gpus, False
        while at != ROOT:
            here = self.quotas[at]
            if gpus > here.cap:
                return False
            is_covered = is_covered or want <= here.nominal
            if not is_covered and want - here.nominal > here.borrow:
                return False
            want = max(want, here.keep) + self._below[here.parent] - self._held(at)
            at = here.parent
        return is_covered or want <= self._nominal_at_root

    def largest_alone(self, leaf: int) -> int:
        """Return the size of the largest job of a tenant that passes when nothing else runs."""
        low, high = 0, UNLIMITED
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.passes_alone(leaf, middle) else (low, middle - 1)
        return low
