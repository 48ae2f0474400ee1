"""Fences: which pools a tenant may use, and which GPU types lie behind one fence."""

from typing import TYPE_CHECKING, NamedTuple

from scheduler_core.scenario.cluster import Pool

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario


class Fence(NamedTuple):
    """Pools that are used by the same tenants and by nobody else."""

    pools: tuple[Pool, ...]
    tenants: tuple[str, ...]

    @property
    def gpus(self) -> int:
        """GPUs behind the fence."""
        return sum(pool.gpus for pool in self.pools)

    @property
    def name(self) -> str:
        """Names of the pools, joined by " + "."""
        return " + ".join(pool.name for pool in self.pools)


def pools_of(scenario: "Scenario", tenant: str) -> tuple[Pool, ...]:
    """Return the pools a tenant may use, in the order of the document.

    Parameters
    ----------
    scenario : Scenario
        The document.
    tenant : str
        Name of a listed tenant.

    Returns
    -------
    tuple of Pool
        Its own pool if it names one, else all pools nobody names.
    """
    fence = next((found.pool for found in scenario.tenants if found.name == tenant), None)
    if fence is not None:
        return tuple(pool for pool in scenario.cluster.pools if pool.name == fence)
    taken = {found.pool for found in scenario.tenants if found.pool is not None}
    return tuple(pool for pool in scenario.cluster.pools if pool.name not in taken)


def fences(scenario: "Scenario") -> tuple[Fence, ...]:
    """Return the fences of a scenario, in the order of their first pool.

    Parameters
    ----------
    scenario : Scenario
        The document.

    Returns
    -------
    tuple of Fence
        One for each pool somebody names, and one for all the rest together.
    """
    own = {
        pool.name: [tenant.name for tenant in scenario.tenants if tenant.pool == pool.name]
        for pool in scenario.cluster.pools
    }
    shared = tuple(pool for pool in scenario.cluster.pools if not own[pool.name])
    everybody = tuple(tenant.name for tenant in scenario.tenants if tenant.pool is None)
    found: list[Fence] = []
    for pool in scenario.cluster.pools:
        if own[pool.name]:
            found.append(Fence((pool,), tuple(own[pool.name])))
        elif pool is shared[0]:
            found.append(Fence(shared, everybody))
    return tuple(found)


def domains(pools: tuple[Pool, ...]) -> dict[str, tuple[Pool, ...]]:
    """Return the pools of each GPU type, in the order of the document; a gang stays inside one."""
    found: dict[str, tuple[Pool, ...]] = {}
    for pool in pools:
        found[pool.gpu] = (*found.get(pool.gpu, ()), pool)
    return found


def nodes_of_size(pools: tuple[Pool, ...], gpus: int) -> int:
    """Return how many nodes have at least this many GPUs each."""
    return sum(pool.nodes for pool in pools if pool.gpus_per_node >= gpus)


def fits_empty(pools: tuple[Pool, ...], gpus: int, *, is_counted: bool) -> bool:
    """Return whether a gang could start in these pools if nothing else ran.

    Parameters
    ----------
    pools : tuple of Pool
        The pools of one GPU type behind one fence.
    gpus : int
        Size of the gang.
    is_counted : bool
        Whether placement only counts GPUs.

    Returns
    -------
    bool
        By the rule of placement: one node if it fits one; else whole nodes, largest first, and one node for the rest.
    """
    if is_counted:
        return gpus <= sum(pool.gpus for pool in pools)
    nodes_by_size: dict[int, int] = {}
    for pool in pools:
        nodes_by_size[pool.gpus_per_node] = nodes_by_size.get(pool.gpus_per_node, 0) + pool.nodes
    sizes = sorted((size for size, nodes in nodes_by_size.items() if nodes), reverse=True)
    if not sizes or gpus <= sizes[0]:
        return bool(sizes)
    return _rest_fits(sizes, nodes_by_size, gpus)


def _rest_fits(sizes: list[int], nodes_by_size: dict[int, int], gpus: int) -> bool:
    rest, left = gpus, dict(nodes_by_size)
    for size in sizes:
        whole = min(left[size], rest // size)
        rest -= whole * size
        left[size] -= whole
    return rest == 0 or any(left[size] and size >= rest for size in sizes)
