"""Pools of a scenario document, made of nodes that were read from a list."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scheduler_core.errors import TraceError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit
from scheduler_core.traces._names import natural_key
from scheduler_core.traces._texts import Message, message
from scheduler_core.traces._tres import MIXED

PoolData = dict[str, object]
DEFAULT_ZONE = "a"
NAMED_NODES = 5


@dataclass(frozen=True)
class Node:
    """One node, or `count` nodes without names."""

    name: str
    gpus: int
    type: str
    zone: str = DEFAULT_ZONE
    rack: str = ""
    cpus: int = 0
    mem_gb: float = 0.0
    count: int = 1
    is_down: bool = False


@dataclass(frozen=True)
class ClusterImport:
    """A cluster that was read.

    Attributes
    ----------
    pools : tuple of dict
        Pools as a scenario document writes them: name, gpu, zones, gpus_per_node, ...
    notes : tuple of Message
        What was not counted, and why.
    """

    pools: tuple[PoolData, ...]
    notes: tuple[Message, ...]

    @property
    def gpus(self) -> int:
        """GPUs in all pools."""
        return sum(int(str(pool["gpus_per_node"])) * sum(_zones(pool).values()) for pool in self.pools)

    @property
    def nodes(self) -> int:
        """Nodes in all pools."""
        return sum(sum(_zones(pool).values()) for pool in self.pools)

    @property
    def gpu_types(self) -> tuple[str, ...]:
        """Types of the pools, each once."""
        return tuple(dict.fromkeys(str(pool["gpu"]) for pool in self.pools))


def _zones(pool: PoolData) -> dict[str, int]:
    zones = pool["zones"]
    return zones if isinstance(zones, dict) else {}


def build_pools(nodes: list[Node], file: str) -> ClusterImport:
    """Return pools of equal nodes with zones and racks.

    Parameters
    ----------
    nodes : list of Node
        A named node may occur several times.
    file : str
        What to call the list in a refusal.

    Returns
    -------
    ClusterImport
        One pool for each kind of node: type, GPUs, CPUs, memory.

    Raises
    ------
    TraceError
        If there is no usable node with a GPU, or there are more nodes or kinds than can be simulated.
    """
    notes: list[Message] = []
    usable = _usable(nodes, notes)
    if not usable:
        raise TraceError(file, None, Phrase("lists no usable node with a GPU."))
    if _total(usable) > limit("nodes"):
        raise TraceError(
            file,
            None,
            Phrase(
                "lists {total:,} nodes; at most {nodes:,} are simulated.", total=_total(usable), nodes=limit("nodes")
            ),
        )
    mixed = _total(node for node in usable if node.type == MIXED)
    if mixed:
        notes.append(message("cluster.mixed", count=mixed))
    kinds: dict[tuple[str, int, int, float], list[Node]] = {}
    for node in usable:
        kinds.setdefault((node.type, node.gpus, node.cpus, node.mem_gb), []).append(node)
    if len(kinds) > limit("pools"):
        raise TraceError(
            file,
            None,
            Phrase(
                "has {n_kinds:,} kinds of nodes; at most {pools} are simulated.",
                n_kinds=len(kinds),
                pools=limit("pools"),
            ),
        )
    pools: list[PoolData] = []
    for members in kinds.values():
        name = _pool_name(members[0], [str(pool["name"]) for pool in pools])
        pools.append(_pool(name, members, notes))
    return ClusterImport(tuple(pools), tuple(notes))


def _usable(nodes: list[Node], notes: list[Message]) -> list[Node]:
    """Return the nodes that count, each once; the others are noted."""
    unique = list({node.name: node for node in nodes if node.name}.values())
    unnamed = [node for node in nodes if not node.name]
    repeated = len(nodes) - len(unnamed) - len(unique)
    if repeated:
        notes.append(message("cluster.repeated", count=repeated))
    if unnamed:
        notes.append(message("cluster.unnamed"))
    found = [*unique, *unnamed]
    down = [node for node in found if node.is_down]
    if down:
        names = ", ".join(node.name or f"{node.count} nodes" for node in down[:NAMED_NODES])
        notes.append(message("cluster.down", count=_total(down), nodes=names))
    bare = [node for node in found if not node.gpus and not node.is_down]
    if bare:
        notes.append(message("cluster.no_gpus", count=_total(bare)))
    return [node for node in found if node.gpus and not node.is_down and node.count]


def _total(nodes: Iterable[Node]) -> int:
    return sum(node.count for node in nodes)


def _pool_name(node: Node, taken: list[str]) -> str:
    base = re.sub(r"[^a-z0-9.-]+", "-", node.type.lower()).strip("-")[:40] or "gpu"
    candidates = [base, f"{base}-{node.gpus}", *(f"{base}-{node.gpus}-{at}" for at in range(2, limit("pools") + 2))]
    return next(name for name in candidates if name not in taken)


def _pool(name: str, members: list[Node], notes: list[Message]) -> PoolData:
    """Return one pool in the document's vocabulary."""
    zones = Counter[str]()
    for node in members:
        zones[node.zone] += node.count
    first = members[0]
    pool: PoolData = {
        "name": name,
        "gpu": first.type,
        "zones": {zone: zones[zone] for zone in sorted(zones, key=natural_key)},
        "gpus_per_node": first.gpus,
    }
    if first.cpus:
        pool["cpus_per_node"] = first.cpus
    if first.mem_gb:
        pool["mem_gb_per_node"] = first.mem_gb
    if all(node.rack for node in members):
        size = _rack_size(members)
        if size:
            pool["nodes_per_rack"] = size
        else:
            notes.append(message("cluster.racks", pool=name))
    return pool


def _rack_size(members: list[Node]) -> int:
    """Return the nodes of a rack if all racks of a zone but its smallest have equally many, else 0."""
    racks: dict[str, Counter[str]] = {}
    for node in members:
        racks.setdefault(node.zone, Counter())[node.rack] += node.count
    largest = max(max(sizes.values()) for sizes in racks.values())
    for sizes in racks.values():
        if sum(size < largest for size in sizes.values()) > 1:
            return 0
    return largest
