"""Shortest remaining time first: the job with the least work left runs, and evicts whoever has more.

Source: Schrage 1968, optimality of the shortest remaining processing time; as in the simulators of Tiresias and
Helios it counts time, whatever the GPUs. Known flaw: it needs run times that nobody knows, and long jobs starve.
"""

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.state import RANK_SIGNATURE, TIME_LEFT
from scheduler_core.kernels.tables import Floats, Jobs
from scheduler_core.policies._base import Policy, Received


@kernel(RANK_SIGNATURE)
def rank(jobs: Jobs, params: Floats, row: int) -> float:  # noqa: ARG001
    """Return the sort key of job `row` before it has run: its run time in ms."""
    return float(jobs.runtime_ms[row])


POLICY = Policy(
    slug="srtf",
    source="schrage-1968",
    rank=rank,
    within_group="static",
    preemptive=True,
    params=(),
    name={"en": "Shortest remaining time", "zh": "最短剩余时间"},
    text={
        "en": (
            "Helps short jobs, which evict longer ones at once, and so the mean time to completion. "
            "Hurts long jobs, which lose work each time and may never finish; nobody knows true run times in advance."
        ),
        "zh": (
            "短作业受益：可立即驱逐更长的作业，因此平均完成时间最短。"
            "长作业受害：每次被驱逐都会丢失工作，甚至永远跑不完；况且真实运行时间事先无人知道。"
        ),
    },
    live=Received(TIME_LEFT),
)
