"""Counted GPUs: a gang starts when enough GPUs are free, wherever they are.

Source: the usual model of batch simulators; reference names in docs/model.md.
"""

from scheduler_core.kernels.levels import lowest_node
from scheduler_core.placements._base import Placement

PLACEMENT = Placement(
    slug="counted",
    source="feitelson-1997",
    pick_node=lowest_node,
    pick_rest=lowest_node,
    is_counted=True,
    name={"en": "Counted", "zh": "只计数量"},
    text={
        "en": (
            "Helps when only totals matter, as for a log that names no nodes. "
            "Flatters the cluster: no gang ever waits because free GPUs lie scattered over nodes."
        ),
        "zh": "只关心总量时合适，例如日志里没有节点信息。它会美化集群：作业永远不会因为空闲 GPU 分散在各节点上而等待。",
    },
)
