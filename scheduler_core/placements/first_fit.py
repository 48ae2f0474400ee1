"""First fit: the lowest-numbered node with room; whole nodes plus a remainder for larger gangs.

Source: the placement called yarn in Tiresias (SymbioticLab/Tiresias, simulator).
"""

from scheduler_core.kernels.levels import lowest_node
from scheduler_core.placements._base import Placement

PLACEMENT = Placement(
    slug="first_fit",
    source="gu-2019-tiresias",
    pick_node=lowest_node,
    pick_rest=lowest_node,
    name={"en": "First fit", "zh": "首次适配"},
    text={
        "en": (
            "Helps keep high-numbered nodes empty for large gangs, and is easy to predict. "
            "Hurts wide jobs once small ones have nibbled at many nodes."
        ),
        "zh": "让编号靠后的节点保持空闲，留给大作业，行为容易预测。小作业一旦把许多节点各占一点，大作业就会受害。",
    },
)
