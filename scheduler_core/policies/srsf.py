"""Shortest remaining service first: the job with the least GPU-time left runs, and evicts whoever has more.

Source: the baseline SRSF of Tiresias (Gu et al., NSDI 2019). Known flaw: it needs run times that nobody knows, and
wide gangs starve.
"""

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.state import RANK_SIGNATURE, SERVICE_LEFT
from scheduler_core.kernels.tables import Floats, Jobs
from scheduler_core.policies._base import Policy, Received


@kernel(RANK_SIGNATURE)
def rank(jobs: Jobs, params: Floats, row: int) -> float:  # noqa: ARG001
    """Return the sort key of job `row` before it has run: its run time x GPUs, in GPU-ms."""
    return float(jobs.runtime_ms[row]) * float(jobs.gpus[row])


POLICY = Policy(
    slug="srsf",
    source="gu-2019-tiresias",
    rank=rank,
    within_group="static",
    preemptive=True,
    params=(),
    name={"en": "Shortest remaining service", "zh": "最短剩余服务量"},
    text={
        "en": (
            "Helps jobs that are short and small, which evict whatever needs more GPU-time to finish. "
            "Hurts wide and long gangs, which lose work at each eviction and may never finish; "
            "nobody knows true run times in advance."
        ),
        "zh": (
            "又短又小的作业受益：可驱逐还需更多 GPU 时间的作业。"
            "又大又长的成组作业受害：每次被驱逐都会丢失工作，甚至永远跑不完；况且真实运行时间事先无人知道。"
        ),
    },
    live=Received(SERVICE_LEFT),
)
