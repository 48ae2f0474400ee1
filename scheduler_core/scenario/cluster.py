"""The cluster: pools of equal nodes, each with a GPU type, zones and a price."""

from typing import Annotated, Any

from pydantic import field_validator

from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import Part, Spec, fault, is_name, name_spec
from scheduler_core.scenario.limits import limit


class Pool(Part):
    """A pool of equal nodes; its nodes are numbered zone by zone in the order of the document."""

    name: Annotated[str, name_spec(text={"en": "Name of the pool.", "zh": "资源池名称。"})]
    gpu: Annotated[
        str,
        Spec(
            text={
                "en": "GPU type, such as A100-80G; a job never mixes types.",
                "zh": "GPU 型号，例如 A100-80G；一个作业不会混用型号。",
            },
            unit="name",
            high=limit("name_characters"),
            is_basic=True,
        ),
    ]
    zones: Annotated[
        dict[str, int],
        Spec(
            text={"en": "Nodes in each zone, in this order.", "zh": "各可用区的节点数，按此顺序编号。"},
            unit="nodes",
            low=0,
            high=limit("nodes"),
            step=1,
            is_basic=True,
        ),
    ]
    gpus_per_node: Annotated[
        int,
        Spec(
            text={"en": "GPUs on each node.", "zh": "每个节点的 GPU 数。"},
            unit="gpu",
            low=1,
            high=limit("gpus_per_node"),
            step=1,
            source="article-000",
            is_basic=True,
        ),
    ] = 8
    cpus_per_node: Annotated[
        int | None,
        Spec(
            text={
                "en": "CPU cores on each node; recorded, not scheduled.",
                "zh": "每个节点的 CPU 核数；仅记录，不参与调度。",
            },
            unit="cores",
            low=1,
            high=100_000,
            step=1,
        ),
    ] = None
    mem_gb_per_node: Annotated[
        float | None,
        Spec(
            text={"en": "Memory of each node; recorded, not scheduled.", "zh": "每个节点的内存；仅记录，不参与调度。"},
            unit="GB",
            low=0,
            is_above=True,
            high=10_000_000,
            step=64,
        ),
    ] = None
    nodes_per_rack: Annotated[
        int | None,
        Spec(
            text={
                "en": "Nodes in a rack; racks are runs of neighbouring nodes inside a zone.",
                "zh": "每个机架的节点数；机架由同一可用区内编号相邻的节点组成。",
            },
            unit="nodes",
            low=1,
            high=limit("nodes"),
            step=1,
        ),
    ] = None
    price_usd_per_gpu_h: Annotated[
        float | None,
        Spec(
            text={"en": "Price of one GPU for an hour.", "zh": "每 GPU 小时价格。"},
            unit="USD per GPU hour",
            low=0,
            high=100_000,
            step=0.01,
        ),
    ] = None
    speed: Annotated[
        float,
        Spec(
            text={"en": "Speed relative to the reference GPU.", "zh": "相对于参考 GPU 的速度。"},
            low=0,
            is_above=True,
            high=1_000,
            step=0.05,
            later="speed factors",
        ),
    ] = 1.0
    sharing: Annotated[
        Any,
        Spec(
            text={
                "en": "How one GPU is shared: exclusive, MIG, time slices or MPS.",
                "zh": "单个 GPU 的共享方式：独占、MIG、时间片或 MPS。",
            },
            later="GPU sharing",
        ),
    ] = "exclusive"
    failures: Annotated[
        Any,
        Spec(
            text={"en": "How often nodes fail and how long repair takes.", "zh": "节点故障频率与修复时间。"},
            later="failures",
        ),
    ] = None
    spare_nodes: Annotated[
        int,
        Spec(
            text={"en": "Nodes kept ready to replace failed ones.", "zh": "用于替换故障节点的备用节点数。"},
            unit="nodes",
            low=0,
            high=limit("nodes"),
            step=1,
            later="spare nodes",
        ),
    ] = 0
    autoscale: Annotated[
        Any,
        Spec(text={"en": "Rules for adding and removing nodes.", "zh": "增减节点的规则。"}, later="autoscaling"),
    ] = None

    @field_validator("zones", mode="before")
    @classmethod
    def _check_zones(cls, value: object) -> object:
        """Refuse names and counts that cannot be."""
        allowed = Phrase(
            "a mapping from zone to whole number of nodes, such as {{a: 50, b: 50}}, with at least one node"
        )
        if not isinstance(value, dict) or not value:
            raise fault(allowed)
        if len(value) > limit("zones"):
            raise fault(Phrase("at most {zones} zones", zones=limit("zones")))
        for zone, nodes in value.items():
            if not is_name(zone):
                raise fault(Phrase("a name"), at=f"{zone}")
            if isinstance(nodes, bool) or not isinstance(nodes, int) or not 0 <= nodes <= limit("nodes"):
                raise fault(Phrase("a whole number of nodes from 0 to {nodes:,}", nodes=limit("nodes")), at=zone)
        if not any(value.values()):
            raise fault(allowed)
        return value

    @property
    def nodes(self) -> int:
        """Nodes in all zones."""
        return sum(self.zones.values())

    @property
    def gpus(self) -> int:
        """GPUs on all nodes."""
        return self.nodes * self.gpus_per_node


class Cluster(Part):
    """Everything that can be allocated."""

    pools: Annotated[
        tuple[Pool, ...],
        Spec(
            text={
                "en": "Pools of equal nodes, in the order in which they are tried.",
                "zh": "同构节点资源池，按尝试顺序排列。",
            }
        ),
    ]

    @property
    def nodes(self) -> int:
        """Nodes in all pools."""
        return sum(pool.nodes for pool in self.pools)

    @property
    def gpus(self) -> int:
        """GPUs in all pools."""
        return sum(pool.gpus for pool in self.pools)
