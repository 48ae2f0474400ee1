"""Shortest job first: the waiting job with the least run time starts first.

Source: Pinedo, Scheduling, 5th ed., section 3.1. Known flaw: long jobs can starve.
"""

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.state import RANK_SIGNATURE
from scheduler_core.kernels.tables import Jobs
from scheduler_core.policies._base import Policy
from scheduler_core.registry import Param


@kernel(RANK_SIGNATURE)
def rank(jobs: Jobs, params: NDArray[np.float64], row: int) -> float:
    """Return the sort key of job `row`; the smallest key starts first."""
    if params[0] > 0.0:
        return float(jobs.runtime_ms[row])
    return float(jobs.limit_ms[row])


POLICY = Policy(
    slug="shortest",
    source="pinedo-2016-3.1",
    rank=rank,
    within_group="static",
    preemptive=False,
    params=(
        Param(
            slug="by",
            default="limit",
            options=("limit", "true"),
            text={
                "en": "What the scheduler knows: the limit the user asked for, or the true run time (an oracle).",
                "zh": "调度器依据什么：用户申请的时限，或真实运行时间（理想情况）。",
            },
        ),
    ),
    name={"en": "Shortest first", "zh": "短作业优先"},
    text={
        "en": (
            "Helps the mean wait more than any other order when run times are known. "
            "Hurts long jobs, which can starve while short ones keep coming."
        ),
        "zh": "运行时间已知时，它最能降低平均等待。长作业受害：短作业源源不断时，长作业可能饿死。",
    },
)
