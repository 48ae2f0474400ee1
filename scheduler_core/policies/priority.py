"""Priority: the job with the highest priority starts first; with aging, waiting adds to it.

Source: Slurm multifactor priority reduced to two factors. Linear aging adds as much to everybody, so the
rank of two jobs never changes; logarithmic aging favours those who have waited little (docs/model.md, 16.5).
"""

from collections.abc import Mapping

import numpy as np

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.state import KEY_SIGNATURE, RANK_SIGNATURE
from scheduler_core.kernels.tables import HOUR_MS, Floats, Jobs
from scheduler_core.policies._base import Policy
from scheduler_core.registry import Param, ParamValue


@kernel(RANK_SIGNATURE)
def rank(jobs: Jobs, params: Floats, row: int) -> float:
    """Return the sort key of job `row`; the smallest key starts first."""
    if params[1] > 0.0:
        return -float(jobs.priority[row])
    return float(np.rint(params[0] * 1_000.0) * jobs.submit_ms[row]) - float(jobs.priority[row]) * HOUR_MS


@kernel(KEY_SIGNATURE)
def key(
    params: Floats,
    priority: float,
    wait_h: float,
    gpus: float,  # noqa: ARG001
    limit_h: float,  # noqa: ARG001
    weight: float,  # noqa: ARG001
) -> float:
    """Return the sort key of a job that has waited `wait_h`, with logarithmic aging."""
    return -float(priority + params[0] * np.log(1.0 + wait_h))


def is_logarithmic(chosen: Mapping[str, ParamValue]) -> bool:
    """Say whether ranks change while jobs wait."""
    return chosen["aging"] == "log"


def slope(chosen: Mapping[str, ParamValue]) -> int:
    """Return what a ms of later submit adds to the key: with linear aging it is so much less waited."""
    return 0 if is_logarithmic(chosen) else round(float(chosen["aging_per_h"] or 0) * 1_000)


POLICY = Policy(
    slug="priority",
    source="slurm-multifactor",
    rank=rank,
    within_group="static",
    preemptive=False,
    params=(
        Param(
            slug="aging_per_h",
            default=0.0,
            low=0,
            high=1_000,
            step=0.01,
            unit="1/h",
            is_silent=True,
            text={
                "en": "Priority (0 to 1) gained per hour of waiting; 0 means none.",
                "zh": "每等待一小时增加的优先级（0 到 1）；0 表示不老化。",
            },
        ),
        Param(
            slug="aging",
            default="linear",
            options=("linear", "log"),
            is_silent=True,
            text={
                "en": "Gain in proportion to the hours waited, or to the logarithm of 1 + hours.",
                "zh": "增量与等待小时数成正比，或与（1 + 小时数）的对数成正比。",
            },
        ),
    ),
    key=key,
    is_changing=is_logarithmic,
    slope=slope,
    name={"en": "Priority", "zh": "优先级"},
    text={
        "en": (
            "Helps urgent work, which goes to the front of the line at once. "
            "Hurts low priorities: without aging they can wait for ever under load; "
            "with it the urgent wait a little longer."
        ),
        "zh": (
            "紧急作业立刻排到队首，因此受益。"
            "低优先级受害：没有老化时，高负载下可能一直等下去；有老化时，紧急作业会稍等久一点。"
        ),
    },
)
