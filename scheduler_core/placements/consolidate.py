"""Consolidate: best fit inside a node; the remainder of a larger gang goes to the emptiest other node.

Source: the placer called consolidate in Helios (S-Lab-System-Group/HeliosArtifact).
"""

from scheduler_core.kernels.levels import emptiest_node, tightest_node
from scheduler_core.placements._base import Placement

PLACEMENT = Placement(
    slug="consolidate",
    source="hu-2021-helios",
    pick_node=tightest_node,
    pick_rest=emptiest_node,
    name={"en": "Consolidate", "zh": "集中放置"},
    text={
        "en": (
            "Helps reproduce the published Helios and Lucid results, and gives remainders room to themselves. "
            "Hurts later gangs that need whole nodes, because remainders open idle ones."
        ),
        "zh": (
            "便于复现 Helios 与 Lucid 的公开结果，余量部分也能得到宽松的节点。"
            "余量会占用空闲节点，之后需要整节点的作业受害。"
        ),
    },
)
