"""From the cluster of a scenario to node, block and scope tables.

Nodes get internal numbers by domain, then by size (largest first), then by their number in the
document, so that a block is a run of equal nodes. Counted placement makes one node of each domain.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.kernels import state as st
from scheduler_core.kernels.bits import tier_table
from scheduler_core.kernels.tables import Int64, JobTable
from scheduler_core.scenario.cluster import Cluster
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.tenants import Tenant


@dataclass(frozen=True)
class Domain:
    """The pools of one GPU type inside one fence.

    Attributes
    ----------
    line : int
        The fence it belongs to.
    gpu : str
        GPU type.
    sizes : tuple of (int, int)
        GPUs per node and document number of every node, largest first, then by number.
    """

    line: int
    gpu: str
    sizes: tuple[tuple[int, int], ...]

    @property
    def gpus(self) -> int:
        """GPUs in all."""
        return sum(size for size, _ in self.sizes)


@dataclass(frozen=True)
class Layout:
    """A cluster as the engine sees it.

    Attributes
    ----------
    domains : tuple of Domain
        By line, then in document order.
    line_domain : tuple of int
        Where the domains of each line start; one more entry than there are lines.
    line_of_tenant : tuple of int
        The fence of each tenant.
    types : tuple of str
        GPU types; type k has scope `len(domains) + k`.
    is_counted : bool
        Whether each domain counts as one node.
    """

    domains: tuple[Domain, ...]
    line_domain: tuple[int, ...]
    line_of_tenant: tuple[int, ...]
    types: tuple[str, ...]
    is_counted: bool

    def is_alone(self, domain: int) -> bool:
        """Say whether all GPUs of the domain's type lie in it."""
        gpu = self.domains[domain].gpu
        return sum(other.gpu == gpu for other in self.domains) == 1

    def gpus_of_line(self, line: int) -> int:
        """Return the GPUs of one line."""
        return sum(domain.gpus for domain in self.domains[self.line_domain[line] : self.line_domain[line + 1]])

    @property
    def n_lines(self) -> int:
        """Number of lines."""
        return len(self.line_domain) - 1

    @property
    def total_gpus(self) -> int:
        """GPUs of the whole cluster."""
        return sum(domain.gpus for domain in self.domains)


def lay_out(cluster: Cluster, tenants: Sequence[Tenant], *, is_counted: bool) -> Layout:
    """Split the cluster into lines and domains.

    Parameters
    ----------
    cluster : Cluster
        Pools in document order.
    tenants : sequence of Tenant
        A tenant that names a pool keeps everybody else out of it.
    is_counted : bool
        Whether a domain counts as one node.

    Returns
    -------
    Layout
        Lines are the fenced pools, and the pools that nobody names together, in the order of their first pools.
    """
    fences: list[str | None] = []
    for tenant in tenants:
        if tenant.pool not in fences:
            fences.append(tenant.pool)
    named = {tenant.pool for tenant in tenants if tenant.pool is not None}
    if None not in fences and any(pool.name not in named for pool in cluster.pools):
        fences.append(None)  # pools that no tenant may use still hold GPUs that stand idle
    first_pool = {pool.name if pool.name in named else None: at for at, pool in reversed([*enumerate(cluster.pools)])}
    fences.sort(key=lambda fence: first_pool.get(fence, len(cluster.pools)))
    domains: list[Domain] = []
    line_domain = [0]
    first_number = np.cumsum([0] + [pool.nodes for pool in cluster.pools])
    for line, fence in enumerate(fences):
        by_type: dict[str, list[tuple[int, int]]] = {}
        for pool, first in zip(cluster.pools, first_number, strict=False):
            if pool.name == fence or (fence is None and pool.name not in named):
                nodes = ((pool.gpus_per_node, int(first) + k) for k in range(pool.nodes))
                by_type.setdefault(pool.gpu, []).extend(nodes)
        for gpu, sizes in by_type.items():
            domains.append(Domain(line, gpu, tuple(sorted(sizes, key=lambda node: (-node[0], node[1])))))
        line_domain.append(len(domains))
    types = tuple(dict.fromkeys(pool.gpu for pool in cluster.pools))
    return Layout(
        tuple(domains),
        tuple(line_domain),
        tuple(fences.index(tenant.pool) for tenant in tenants),
        types,
        is_counted,
    )


def _block_rows(layout: Layout) -> list[tuple[int, int, list[int]]]:
    """Return (domain, GPUs per node, document numbers) of every block."""
    rows: list[tuple[int, int, list[int]]] = []
    for index, domain in enumerate(layout.domains):
        if layout.is_counted:
            rows.append((index, domain.gpus, [min(number for _, number in domain.sizes)]))
            continue
        for size, number in domain.sizes:
            if not rows or rows[-1][:2] != (index, size):
                rows.append((index, size, []))
            rows[-1][2].append(number)
    return rows


def place_columns(layout: Layout) -> tuple[dict[int, int], dict[int, Int64]]:
    """Return the scalars and columns of nodes, blocks, scopes and idle GPUs.

    Parameters
    ----------
    layout : Layout
        Lines and domains.

    Returns
    -------
    tuple of (dict, dict)
        Head cell -> value, and head cell -> column (kernels/state.py).
    """
    rows = _block_rows(layout)
    nodes = np.array([len(numbers) for _, _, numbers in rows], np.int64)
    sizes = np.array([size for _, size, _ in rows], np.int64)
    tiers = tier_table(int(nodes.max(initial=1)))
    set_words = int(tiers[-1])
    has_sets = nodes > 1  # a block of one node is looked at directly
    first_set = _starts(np.where(has_sets, sizes + 1, 0))
    scopes = [[b for b, row in enumerate(rows) if row[0] == d] for d in range(len(layout.domains))]
    for gpu in layout.types:
        blocks = [b for b, row in enumerate(rows) if layout.domains[row[0]].gpu == gpu]
        scopes.append(sorted(blocks, key=lambda b: (-int(sizes[b]), rows[b][2][0])))
    n_domains = len(layout.domains)
    scalars = {st.SET_WORDS: set_words, st.N_DOMAINS: n_domains, st.N_TYPES: len(layout.types)}
    columns = {
        st.NUMBER: np.array([number for _, _, numbers in rows for number in numbers], np.int64),
        st.BLOCK: np.repeat(np.arange(len(rows)), nodes),
        st.DOMAIN: np.repeat(np.array([row[0] for row in rows], np.int64), nodes),
        st.BLOCK_FIRST: _starts(nodes)[:-1],
        st.BLOCK_NODES: nodes,
        st.BLOCK_SIZE: sizes,
        st.BLOCK_SETS: first_set[:-1],
        st.NODE_TIERS: tiers,
        st.SCOPE_BLOCKS: _starts([len(blocks) for blocks in scopes]),
        st.SCOPE_BLOCK: np.array([b for blocks in scopes for b in blocks], np.int64),
        st.TYPE_SCOPE: np.arange(n_domains, n_domains + len(layout.types)),
        st.SKIP: np.zeros(len(rows), np.int64),
    }
    sets, count = np.zeros(int(first_set[-1]) * set_words, np.int64), np.zeros(int(first_set[-1]), np.int64)
    for block in np.flatnonzero(has_sets):
        idle = int(first_set[block] + sizes[block])
        count[idle] = nodes[block]
        _fill(sets[idle * set_words : (idle + 1) * set_words], tiers, int(nodes[block]))
    for which in (st.LIVE, st.LATER, st.OFFERED):
        columns[st.FREE + which] = np.repeat(sizes, nodes)
        columns[st.SETS + which] = sets
        columns[st.COUNT + which] = count
        columns[st.TOTAL + which] = sizes * nodes
    return scalars, columns


def _starts(counts: Sequence[int] | Int64) -> Int64:
    """Return where runs of these lengths start, with the end of the last."""
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _fill(words: Int64, tiers: Int64, n_members: int) -> None:
    """Put the members 0 to `n_members` - 1 into an empty set."""
    for start in tiers[1:-1]:
        full, rest = divmod(n_members, 32)
        words[int(start) : int(start) + full] = (1 << 32) - 1
        if rest:
            words[int(start) + full] = (1 << rest) - 1
        n_members = full + (rest > 0)


def tenant_names(scenario: Scenario) -> list[str]:
    """Return all tenants, those that jobs belong to first."""
    parents = {tenant.parent for tenant in scenario.tenants}
    return sorted((tenant.name for tenant in scenario.tenants), key=lambda name: name in parents)


def tenant_numbers(scenario: Scenario, table: JobTable) -> Int64:
    """Return the number of each tenant of the table: its place in `tenant_names`."""
    names = tenant_names(scenario)
    return np.array([names.index(name) for name in table.tenants], np.int64)


def count_leaves(scenario: Scenario) -> int:
    """Return how many tenants have nobody below them."""
    return len(scenario.tenants) - len({tenant.parent for tenant in scenario.tenants} - {None})
