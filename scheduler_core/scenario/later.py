"""What the document has a place for and the engine cannot do yet: one table.

Fields that will work later say so in their `Spec.later`; the words of a choice and their settings stand here. A part
that is set to something later is refused by name, never ignored. When a mechanism arrives its row goes, and
documents written today keep their meaning, because every field's default says what happens now.
"""

LATER_WORDS = {
    "policy.order": (
        "formula", "formula_corrected", "srtf", "srsf", "las", "gittins", "fair_share", "fair_tree", "drf", "weighted",
        "hybrid",
    ),
    "policy.placement": ("pack", "topology", "fragmentation_gradient"),
    "policy.gang": ("hold_and_wait",),
}  # fmt: skip
"""Path of a choice -> words it will accept."""

LATER_SETTINGS = {("policy.order", "priority"): {"aging_per_h": "aging of priorities"}}
"""(Path, word) -> settings the word will accept, with the name of the mechanism."""

SENTENCE = "{path} is {value}, which is not available yet (%s); leave it at %s."


def is_later(path: str, slug: str) -> bool:
    """Return whether a choice accepts this word later."""
    return slug in LATER_WORDS.get(path, ())


LATER_METRICS = (
    "slo_attainment", "preempted_share", "preemptions_per_start", "lost_gpu_h", "reclaim_latency_p95",
    "quota_efficiency", "sharing_anomaly_share", "finish_time_fairness_max", "fragmentation_share", "isolation",
    "cost_usd_per_useful_gpu_h",
)  # fmt: skip
"""Metrics that targets will accept."""
