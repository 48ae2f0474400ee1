"""Random order: each job has a number drawn before the run, and the smallest starts first.

Source: the baseline of Tiresias and of many comparisons. Known flaw: it knows nothing; what a better order gains is
what it gains against this one.
"""

from collections.abc import Mapping

from scheduler_core.policies._base import Column, Policy
from scheduler_core.registry import ParamValue


def column(facts: Mapping[str, Column], _: Mapping[str, ParamValue]) -> Column:
    """Return the sort key of every job: its draw."""
    return facts["draw"]


POLICY = Policy(
    slug="random",
    source="gu-2019-tiresias",
    rank=None,
    within_group="static",
    preemptive=False,
    params=(),
    name={"en": "Random order", "zh": "随机顺序"},
    text={
        "en": (
            "Helps nobody in particular, so it shows what an order is worth: compare it with yours. "
            "Hurts whoever came early, because a later job goes first as often as not."
        ),
        "zh": ("不偏向任何人，因此可用作对照，看您的排序究竟值多少。先到者受害：后来的作业有一半的机会排到前面。"),
    },
    column=column,
    reads=("draw",),
)
