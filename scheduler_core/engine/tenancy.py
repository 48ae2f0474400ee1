"""From tenants and reservations of a scenario to the columns that engine/quotas.py reads."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core import registry
from scheduler_core.distinct import number_rows
from scheduler_core.engine.collected import collect_ms
from scheduler_core.engine.evictions import scopes_of
from scheduler_core.engine.layout import Layout, count_leaves, tenant_names, tenant_numbers
from scheduler_core.kernels import state as st
from scheduler_core.kernels.memory import Column, Unknown
from scheduler_core.kernels.tables import Floats, Int32, Int64, JobTable
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


def has_leaves(scenario: Scenario) -> bool:
    """Return whether it matters whose a job is: quotas are tested, or tenants are ranked."""
    return scenario.policy.isolation != "none" or order_of(scenario).share is not None


def order_of(scenario: Scenario) -> Any:  # noqa: ANN401 - what a file of policies/ exports
    """Return the order of a scenario."""
    return registry.find("policies")[scenario.policy.order.slug]


def kind_of_order(scenario: Scenario) -> int:
    """Return what decides who is first."""
    order = order_of(scenario)
    if order.share is not None:
        return st.BY_SHARE
    if not order.changes(scenario.policy.order.params):
        return st.BY_RANK
    return st.BY_KEY if order.column is None else st.BY_MEMBER


def find_claims(scenario: Scenario, table: JobTable) -> Claims:
    """Return the claims of every job."""
    is_tested = has_leaves(scenario)
    is_keyed = kind_of_order(scenario) == st.BY_KEY
    is_by_priority = is_keyed or scopes_of(scenario) & st.OWN_QUEUE != 0
    leaf = tenant_numbers(scenario, table)[table.jobs.tenant] if is_tested else np.zeros(table.n_jobs, np.int64)
    n_leaves = count_leaves(scenario) if is_tested else 1
    is_by_limit = bool(windows_of(scenario)) and not fills(scenario)
    if not shares_of(scenario) and not is_by_priority and not is_by_limit:
        every = np.arange(n_leaves) if is_tested else np.array([-1])
        return Claims(leaf, every, np.zeros(n_leaves, np.int64))
    bits = members_of(scenario, table, shares_of(scenario))
    told_apart = [bits, table.jobs.priority if is_by_priority else np.zeros_like(bits)]
    if is_by_limit:  # what a job waits for between rounds depends on the windows that keep it out
        told_apart += [members_of(scenario, table, windows_of(scenario)), table.jobs.limit_ms]
    kinds = number_rows(told_apart)
    n_kinds = max(1, len(kinds.values))
    leaves = np.arange(n_leaves) if is_tested else np.array([-1])
    shares = bits[kinds.values] if len(kinds.values) else np.zeros(1, np.int64)
    return Claims(leaf * n_kinds + kinds.of_row, np.repeat(leaves, n_kinds), np.tile(shares, n_leaves))


def shares_of(scenario: Scenario) -> tuple[Reserve, ...]:
    """Return the reserved shares of a scenario, in document order."""
    return tuple(entry for entry in scenario.policy.reserve or () if entry.share is not None)


def windows_of(scenario: Scenario) -> tuple[Reserve, ...]:
    """Return the windows of a scenario, in document order."""
    return tuple(entry for entry in scenario.policy.reserve or () if entry.is_window)


def fills(scenario: Scenario) -> bool:
    """Return whether jobs may start at every event, not only when a round is due."""
    rounds = scenario.policy.rounds
    return rounds is None or rounds.fill


def members_of(scenario: Scenario, table: JobTable, entries: tuple[Reserve, ...]) -> Int64:
    """Return the reservations each job is for, one bit each, int64, shape (n_jobs,)."""
    bits = np.zeros(table.n_jobs, np.int64)
    for at, entry in enumerate(entries):
        bits |= is_member(scenario, table, entry).astype(np.int64) << at
    return bits


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
    """Return the columns of tenants: as in `tenant_names`, then the root; none if nobody asks."""
    if not has_leaves(scenario):
        return {st.TENANT_HELD: 0}
    is_tested = scenario.policy.isolation != "none"
    quotas = {quota.tenant: quota for quota in effective_quotas(scenario)}
    document = [tenant.name for tenant in scenario.tenants]
    names = tenant_names(scenario)
    lines = dict(zip(table.tenants, layout.line_of_tenant, strict=True))
    number = {name: at for at, name in enumerate(names)}
    root = len(names)
    above = [root if quotas[n].parent == ROOT else number[document[quotas[n].parent]] for n in names]
    keep = [quotas[name].keep if is_tested else 0 for name in names]
    want = [0] * (root + 1)
    for at in bottom_up([ROOT if up == root else up for up in above]):
        want[above[at]] += max(want[at], keep[at])
    tops = [at for at, up in enumerate(above) if up == root]
    ordered = [quotas[name] for name in names]
    nominal = [*(q.nominal for q in ordered), sum(ordered[t].nominal for t in tops)]
    cap = [*(q.cap for q in ordered), st.NEVER]
    if not is_tested:
        nominal, cap = [st.NEVER] * (root + 1), [st.NEVER] * (root + 1)
    depth = [0] * (root + 1)
    for at in reversed(bottom_up([ROOT if up == root else up for up in above])):
        depth[at] = 0 if above[at] == root else depth[above[at]] + 1
    return {
        st.TENANT_ABOVE: np.array([*above, -1], np.int64),
        st.TENANT_NOMINAL: np.array(nominal, np.int64),
        st.TENANT_KEEP: np.array([*keep, 0], np.int64),
        st.TENANT_BORROW: np.array([*(q.borrow for q in ordered), 0], np.int64),
        st.TENANT_CAP: np.array(cap, np.int64),
        st.TENANT_USE: root + 1,
        st.TENANT_WANT: np.array(want, np.int64),
        st.TENANT_HELD: np.full(root + 1, -1, np.int64),
        st.TENANT_LINE: np.array([lines.get(name, 0) for name in names], np.int64),
        st.TENANT_KEY: root + 1,
        st.TENANT_DUE: root + 1,
        st.TENANT_QUEUED: root + 1,
        st.TENANT_METER: root + 1,
        st.TENANT_PINNED: root + 1,
        st.TENANT_SINCE: root + 1,
        st.TENANT_READ: root + 1,
        st.TENANT_GUARANTEE: np.array([*(q.guarantee if is_tested else 0 for q in ordered), 0], np.int64),
        st.TENANT_DEPTH: np.array(depth, np.int64),
        st.TENANT_GPUS: np.array([layout.gpus_of_line(lines.get(name, 0)) for name in names], np.int64),
    }


def quotas_of_run(scenario: Scenario, table: JobTable, layout: Layout) -> list[dict[int, Int64 | int]]:
    """Return the columns of tenants under each policy of the run; none if some policy tests no quota."""
    policies = [policy for _, policy in scenario.policy.steps()]
    if any(policy.isolation == "none" for policy in policies):
        return []
    stages = [scenario.model_copy(update={"policy": policy}) for policy in policies]
    return [tenant_columns(stage, table, layout) for stage in stages]


def share_columns(scenario: Scenario, layout: Layout) -> dict[int, Int64 | int]:
    """Return the columns of reserved shares, one entry a share and line, in GPUs."""
    entries = shares_of(scenario)
    gpus = [
        round((entry.share or 0) * 1_000) * layout.gpus_of_line(line) // 1_000
        for entry in entries
        for line in range(layout.n_lines)
    ]
    return {st.SHARE_GPUS: np.array(gpus, np.int64), st.SHARE_USE: len(gpus), st.SHARE_WAITING: len(gpus)}


def window_columns(scenario: Scenario, table: JobTable, numbers: Int64, shape_of: Int32) -> dict[int, Column]:
    """Return the columns of windows; none without them.

    Parameters
    ----------
    scenario, table
        The policy and the jobs.
    numbers : int64, shape (n_nodes,)
        The number of each node in the document.
    shape_of : int32, shape (n_jobs,)
        The shape of each job.
    """
    entries = windows_of(scenario)
    if not entries:
        return {}
    place = np.argsort(numbers)
    nodes = [place[list(entry.nodes or ())] for entry in entries]
    return {
        st.WINDOW_OPENS: np.array([entry.begin or 0 for entry in entries], np.int64),
        st.WINDOW_CLOSES: np.array([entry.to or 0 for entry in entries], np.int64),
        st.WINDOW_NODES: np.cumsum([0, *(len(each) for each in nodes)]),
        st.WINDOW_NODE: np.concatenate(nodes).astype(np.int64),
        st.IN_BANDS: members_of(scenario, table, entries),
        st.NODE_BARRED: Unknown(len(numbers)),
        st.SHAPE_ROW: np.unique(shape_of, return_index=True)[1],
    }


def tenancy_scalars(scenario: Scenario) -> dict[int, int]:
    """Return how many quotas and shares there are, and whether jobs must be asked in turn."""
    is_tested = scenario.policy.isolation != "none"
    is_hold = is_tested and scenario.policy.quota_blocked == "hold"
    order, params = order_of(scenario), scenario.policy.order.params
    n_shares, n_windows = len(shares_of(scenario)), len(windows_of(scenario))
    return {
        st.N_LEAVES: count_leaves(scenario) if has_leaves(scenario) else 0,
        st.ORDER_KIND: kind_of_order(scenario),
        st.STEP_MS: order.step_ms(params),
        st.LAST_STEP: -order.step_ms(params),  # one step comes at 0: even without usage a tree has an order
        st.N_SHARES: n_shares,
        st.N_WINDOWS: n_windows,
        st.IS_HOLD: is_hold,
        st.IS_TURN_BASED: is_hold or n_shares + n_windows > 0 or scopes_of(scenario) > 0 or collect_ms(scenario) > 0,
        st.IS_QUOTA: is_tested,
    }


def order_numbers(scenario: Scenario) -> Floats:
    """Return what the order reads: its settings, the weight of every tenant, two numbers a tenant to remember.

    Returns
    -------
    ndarray of float64, shape (n_params + 3 * n_tenants,)
        Tenants as in `tenant_columns`, the root left out.
    """
    order = order_of(scenario)
    weight = {tenant.name: tenant.weight for tenant in scenario.tenants}
    names = tenant_names(scenario)
    numbers = order.numbers(scenario.policy.order.params)
    return np.concatenate([numbers, [weight[name] for name in names], np.zeros(2 * len(names))]).astype(np.float64)
