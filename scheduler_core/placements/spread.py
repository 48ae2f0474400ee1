"""Spread: the node with the most free GPUs, lowest number on ties; whole idle nodes for larger gangs.

Source: the least-allocated scoring of the Kubernetes scheduler.
"""

from scheduler_core.kernels.levels import emptiest_node
from scheduler_core.placements._base import Placement

PLACEMENT = Placement(
    slug="spread",
    source="kubernetes-noderesources",
    pick_node=emptiest_node,
    pick_rest=emptiest_node,
    name={"en": "Spread", "zh": "分散放置"},
    text={
        "en": (
            "Helps jobs that share poorly, because each gets the emptiest node. "
            "Hurts wide jobs badly: idle nodes are the first to be broken up."
        ),
        "zh": "彼此干扰大的作业受益，因为每个作业都拿到最空的节点。大作业受害明显：空闲整节点最先被拆散。",
    },
)
