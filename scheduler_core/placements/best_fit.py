"""Best fit: the node with the fewest free GPUs that has room; whole idle nodes plus a best-fit remainder.

Source: Johnson, 1974, for bin packing; the default of most GPU clusters.
"""

from scheduler_core.kernels.levels import tightest_node
from scheduler_core.placements._base import Placement

PLACEMENT = Placement(
    slug="best_fit",
    source="johnson-1974",
    pick_node=tightest_node,
    pick_rest=tightest_node,
    name={"en": "Best fit", "zh": "最佳适配"},
    text={
        "en": (
            "Helps wide jobs, because small ones fill the gaps first and idle nodes stay whole. "
            "Hurts jobs that would like a node to themselves."
        ),
        "zh": "小作业先填补空隙，整节点得以保留，大作业受益。希望独占节点的作业会受影响。",
    },
)
