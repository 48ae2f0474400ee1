"""First in, first out: jobs start in the order in which they were submitted.

Source: the default of every batch system.
"""

from scheduler_core.policies._base import Policy

POLICY = Policy(
    slug="fifo",
    source="feitelson-1997",
    rank=None,
    within_group="submit",
    preemptive=False,
    params=(),
    name={"en": "First in, first out", "zh": "先来先服务"},
    text={
        "en": (
            "Helps everyone know where they stand, and nobody is ever overtaken in the line. "
            "Hurts small jobs stuck behind a large one that does not fit yet."
        ),
        "zh": "人人都清楚自己排在哪里，队伍里没有人会被超过。前面的大作业放不下时，后面的小作业会受害。",
    },
)
