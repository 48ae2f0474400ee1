"""Smallest first: the waiting job that asks for the fewest GPUs starts first.

Source: the smallest-first order of Tiresias (SymbioticLab/Tiresias, simulator).
"""

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.state import RANK_SIGNATURE
from scheduler_core.kernels.tables import Jobs
from scheduler_core.policies._base import Policy


@kernel(RANK_SIGNATURE)
def rank(jobs: Jobs, params: NDArray[np.float64], row: int) -> float:  # noqa: ARG001
    """Return the sort key of job `row`; the smallest key starts first."""
    return float(jobs.gpus[row])


POLICY = Policy(
    slug="smallest",
    source="gu-2019-tiresias",
    rank=rank,
    within_group="submit",
    preemptive=False,
    params=(),
    name={"en": "Smallest first", "zh": "小作业优先"},
    text={
        "en": (
            "Helps the many small jobs and keeps GPUs busy. Hurts wide gangs, which wait until nothing smaller is left."
        ),
        "zh": "数量众多的小作业受益，GPU 也更忙。大规模作业受害：要等到没有更小的作业才轮到。",
    },
)
