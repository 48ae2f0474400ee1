"""The article's priority formula: urgency divided by waiting, as it was printed, or multiplied, as it was meant.

Source: the article's formula base x (1 + 0.5 x urgency) / (1 + 0.1 x hours waited), whose denominator lowers
those who wait; corrected, waiting multiplies (docs/model.md, 16.6).
"""

from collections.abc import Mapping

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.state import KEY_SIGNATURE, RANK_SIGNATURE
from scheduler_core.kernels.tables import Floats, Jobs
from scheduler_core.policies._base import Policy
from scheduler_core.registry import Param, ParamValue


@kernel(RANK_SIGNATURE)
def rank(jobs: Jobs, params: Floats, row: int) -> float:
    """Return the sort key of job `row` among jobs of equal urgency: printed, the latest comer is first."""
    return float(jobs.submit_ms[row]) if params[0] > 0.0 else -float(jobs.submit_ms[row])


@kernel(KEY_SIGNATURE)
def key(
    params: Floats,
    priority: float,
    wait_h: float,
    gpus: float,  # noqa: ARG001
    limit_h: float,  # noqa: ARG001
    weight: float,  # noqa: ARG001
) -> float:
    """Return the sort key of a job of urgency `priority` (0 to 1) that has waited `wait_h`."""
    urgent, waited = 1.0 + 0.5 * priority, 1.0 + 0.1 * wait_h
    return -(urgent * waited) if params[0] > 0.0 else -(urgent / waited)


def slope(chosen: Mapping[str, ParamValue]) -> int:
    """Return what a ms of later submit adds to the key among jobs of equal urgency."""
    return 1 if chosen["form"] == "corrected" else -1


POLICY = Policy(
    slug="article",
    source="article-000",
    rank=rank,
    within_group="dynamic",
    preemptive=False,
    params=(
        Param(
            slug="form",
            default="printed",
            options=("printed", "corrected"),
            text={
                "en": "The formula as printed, in which waiting lowers a job, or corrected, in which it raises it.",
                "zh": "按原文印刷的公式（等待会降低作业排名），或更正后的公式（等待会提高排名）。",
            },
        ),
    ),
    name={"en": "Article's formula", "zh": "文章公式"},
    text={
        "en": (
            "Corrected, it helps urgent jobs and those that have waited long. "
            "As printed it hurts whoever waits: every hour lowers a job, so late comers pass it and it may never start."
        ),
        "zh": (
            "更正后，紧急作业与久等的作业受益。"
            "按原文则等待者受害：每等一小时排名就下降，后来者不断越过，可能永远无法启动。"
        ),
    },
    key=key,
    slope=slope,
)
