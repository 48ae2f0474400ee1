"""From the cluster of a scenario to node, block and scope tables.

Nodes get internal numbers by domain, then by size (largest first), then by their number in the
document, so that a block is a run of equal nodes. Counted placement makes one node of each domain.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.kernels.bits import tier_offsets
from scheduler_core.kernels.state import Blocks, Levels, Places
from scheduler_core.kernels.tables import Int64
from scheduler_core.scenario.cluster import Cluster
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
    node_number : int64, shape (n_nodes,)
        Number in the document of each internal node; for counted placement the domain's first node.
    """

    domains: tuple[Domain, ...]
    line_domain: tuple[int, ...]
    line_of_tenant: tuple[int, ...]
    types: tuple[str, ...]
    is_counted: bool

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
        Lines are the fenced pools in order of first mention, then the pools that nobody names.
    """
    fences: list[str | None] = []
    for tenant in tenants:
        if tenant.pool not in fences:
            fences.append(tenant.pool)
    named = {tenant.pool for tenant in tenants if tenant.pool is not None}
    if None not in fences and any(pool.name not in named for pool in cluster.pools):
        fences.append(None)  # pools that no tenant may use still hold GPUs that stand idle
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


def place_tables(layout: Layout) -> Places:
    """Return the tables of nodes, blocks and scopes that never change."""
    rows = _block_rows(layout)
    nodes = np.array([len(numbers) for _, _, numbers in rows], np.int32)
    sizes = np.array([size for _, size, _ in rows], np.int32)
    tiers = tier_offsets(int(nodes.max()))
    has_sets = nodes > 1
    sets = np.where(has_sets, sizes + 1, 0)
    scopes = [[b for b, row in enumerate(rows) if row[0] == d] for d in range(len(layout.domains))]
    for gpu in layout.types:
        blocks = [b for b, row in enumerate(rows) if layout.domains[row[0]].gpu == gpu]
        scopes.append(sorted(blocks, key=lambda b: (-int(sizes[b]), rows[b][2][0])))
    n_domains = len(layout.domains)
    return Places(
        blocks=Blocks(
            first=_starts(nodes)[:-1].astype(np.int32),
            nodes=nodes,
            size=sizes,
            base=_starts(sets)[:-1],
            stride=np.array([int(tiers[-1])], np.int64),
            tiers=tiers,
        ),
        number=np.array([number for _, _, numbers in rows for number in numbers], np.int32),
        block_of=np.repeat(np.arange(len(rows), dtype=np.int32), nodes),
        domain_of=np.repeat(np.array([row[0] for row in rows], np.int32), nodes),
        scope_first=_starts([len(blocks) for blocks in scopes]).astype(np.int32),
        scope_block=np.array([b for blocks in scopes for b in blocks], np.int32),
        type_scopes=np.arange(n_domains, n_domains + len(layout.types), dtype=np.int32),
    )


def _starts(counts: Sequence[int] | Int64) -> Int64:
    """Return where runs of these lengths start, with the end of the last."""
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def idle_levels(places: Places) -> Levels:
    """Return the free GPUs of a cluster on which nothing runs."""
    blocks = places.blocks
    free = blocks.size[places.block_of].astype(np.int32)
    has_sets = blocks.nodes > 1
    n_sets = int(np.where(has_sets, blocks.size + 1, 0).sum())
    stride = int(blocks.stride[0])
    bits = np.zeros(max(1, n_sets * stride), np.int64)
    count = np.zeros(max(1, n_sets), np.int32)
    for block in np.flatnonzero(has_sets):
        idle_set = int(blocks.base[block] + blocks.size[block])
        count[idle_set] = blocks.nodes[block]
        words, tiers = int(blocks.nodes[block]), blocks.tiers
        for tier in range(len(tiers) - 1):
            start = idle_set * stride + int(tiers[tier])
            full, rest = divmod(words, 32)
            bits[start : start + full] = (1 << 32) - 1
            if rest:
                bits[start + full] = (1 << rest) - 1
            words = full + (rest > 0)
    total = blocks.size.astype(np.int64) * blocks.nodes
    return Levels(free=free, bits=bits, count=count, total=total)
