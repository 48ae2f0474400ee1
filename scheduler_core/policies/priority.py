"""Priority: the job with the highest base priority starts first.

Source: Slurm multifactor priority reduced to one factor; aging comes with the preemption policies.
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
    return -float(jobs.priority[row])


POLICY = Policy(
    slug="priority",
    source="slurm-multifactor",
    rank=rank,
    within_group="static",
    preemptive=False,
    params=(),
    name={"en": "Priority", "zh": "优先级"},
    text={
        "en": (
            "Helps urgent work, which goes to the front of the line at once. "
            "Hurts low priorities: without aging they can wait for ever under load."
        ),
        "zh": "紧急作业立刻排到队首，因此受益。低优先级受害：没有老化机制时，高负载下可能一直等下去。",
    },
)
