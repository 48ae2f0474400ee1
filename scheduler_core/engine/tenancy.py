"""From tenants and reservations of a scenario to the columns that engine/quotas.py reads."""

from dataclasses import dataclass

import numpy as np

from scheduler_core.engine.layout import Layout
from scheduler_core.kernels import state as st
from scheduler_core.kernels.tables import Int64, JobTable
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.quotas import ROOT, bottom_up, effective_quotas
from scheduler_core.scenario.reserve import Reserve


@dataclass(frozen=True)
class Claims:
    """What tells two jobs of one fence, type set and size apart before any node is looked at.

    Attributes
    ----------
    key : int64, shape (n_jobs,)
        Equal for jobs of equal claims; below `n_keys`.
    leaf, shares : int64, shape (n_keys,)
        Tenant whose quota is tested (-1 for none), and reserved shares it belongs to, one bit each.
    """

    key: Int64
    leaf: Int64
    shares: Int64

    @property
    def n_keys(self) -> int:
        """Number of possible claims."""
        return len(self.leaf)


def find_claims(scenario: Scenario, table: JobTable) -> Claims:
    """Return the claims of every job."""
    is_tested = scenario.policy.isolation != "none"
    leaf = table.jobs.tenant.astype(np.int64) if is_tested else np.zeros(table.n_jobs, np.int64)
    n_leaves = len(table.tenants) if is_tested else 1
    if not shares_of(scenario):
        every = np.arange(n_leaves) if is_tested else np.array([-1])
        return Claims(leaf, every, np.zeros(n_leaves, np.int64))
    bits = np.zeros(table.n_jobs, np.int64)
    for at, entry in enumerate(shares_of(scenario)):
        bits |= is_member(scenario, table, entry).astype(np.int64) << at
    kinds_of_bits, inverse = np.unique(bits, return_inverse=True)
    n_kinds = max(1, len(kinds_of_bits))
    leaves = np.arange(n_leaves) if is_tested else np.array([-1])
    shares = kinds_of_bits if len(kinds_of_bits) else np.zeros(1, np.int64)
    return Claims(leaf * n_kinds + inverse, np.repeat(leaves, n_kinds), np.tile(shares, n_leaves))


def shares_of(scenario: Scenario) -> tuple[Reserve, ...]:
    """Return the reserved shares of a scenario, in document order."""
    return tuple(entry for entry in scenario.policy.reserve or () if entry.share is not None)


def is_member(scenario: Scenario, table: JobTable, entry: Reserve) -> np.ndarray:
    """Return which jobs belong to the band of a reservation, bool, shape (n_jobs,)."""
    who = entry.who
    if who.priority_below is not None:
        return np.asarray(table.jobs.priority < who.priority_below)
    if who.job_class is not None:
        return np.asarray(np.array([name == who.job_class for name in table.classes], bool)[table.jobs.job_class])
    above = {tenant.name: tenant.parent for tenant in scenario.tenants}
    belongs = []
    for name in table.tenants:
        at: str | None = name
        while at is not None and at != who.tenant:
            at = above[at]
        belongs.append(at is not None)
    return np.asarray(np.array(belongs, bool)[table.jobs.tenant])


def tenant_columns(scenario: Scenario, table: JobTable, layout: Layout) -> dict[int, Int64 | int]:
    """Return the quota columns: tenants of the job table, those above them, the root; empty without quotas."""
    if scenario.policy.isolation == "none":
        return {st.TENANT_HELD: 0}
    quotas = {quota.tenant: quota for quota in effective_quotas(scenario)}
    document = [tenant.name for tenant in scenario.tenants]
    names = [*table.tenants, *(name for name in document if name not in table.tenants)]
    number = {name: at for at, name in enumerate(names)}
    root = len(names)
    above = [root if quotas[n].parent == ROOT else number[document[quotas[n].parent]] for n in names]
    keep = [quotas[name].keep for name in names]
    want = [0] * (root + 1)
    for at in bottom_up([ROOT if up == root else up for up in above]):
        want[above[at]] += max(want[at], keep[at])
    tops = [at for at, up in enumerate(above) if up == root]
    ordered = [quotas[name] for name in names]
    return {
        st.TENANT_ABOVE: np.array([*above, -1], np.int64),
        st.TENANT_NOMINAL: np.array([*(q.nominal for q in ordered), sum(ordered[t].nominal for t in tops)], np.int64),
        st.TENANT_KEEP: np.array([*keep, 0], np.int64),
        st.TENANT_BORROW: np.array([*(q.borrow for q in ordered), 0], np.int64),
        st.TENANT_CAP: np.array([*(q.cap for q in ordered), st.NEVER], np.int64),
        st.TENANT_USE: root + 1,
        st.TENANT_WANT: np.array(want, np.int64),
        st.TENANT_HELD: np.full(root + 1, -1, np.int64),
        st.TENANT_LINE: np.array(layout.line_of_tenant, np.int64),
    }


def share_columns(scenario: Scenario, layout: Layout) -> dict[int, Int64 | int]:
    """Return the columns of reserved shares, one entry a share and line, in GPUs."""
    entries = shares_of(scenario)
    gpus = [
        round((entry.share or 0) * 1_000) * layout.gpus_of_line(line) // 1_000
        for entry in entries
        for line in range(layout.n_lines)
    ]
    return {st.SHARE_GPUS: np.array(gpus, np.int64), st.SHARE_USE: len(gpus), st.SHARE_WAITING: len(gpus)}


def tenancy_scalars(scenario: Scenario, table: JobTable) -> dict[int, int]:
    """Return how many quotas and shares there are, and whether jobs must be asked in turn."""
    is_tested = scenario.policy.isolation != "none"
    is_hold = is_tested and scenario.policy.quota_blocked == "hold"
    n_shares = len(shares_of(scenario))
    return {
        st.N_LEAVES: len(table.tenants) if is_tested else 0,
        st.N_SHARES: n_shares,
        st.IS_HOLD: is_hold,
        st.IS_TURN_BASED: is_hold or n_shares > 0,
    }
