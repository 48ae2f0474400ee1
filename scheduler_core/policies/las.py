"""Least attained service, in queues: the job that has had little so far runs, and evicts whoever has had more.

Source: Tiresias (Gu et al., NSDI 2019): discretised LAS and, with `by: gpu_time`, discretised 2D-LAS; no run time needs
to be known. Known flaw: jobs of the last queue starve while short ones keep coming, unless they are promoted.
"""

from collections.abc import Mapping

from scheduler_core import units
from scheduler_core.errors import InputError
from scheduler_core.kernels.state import SERVICE_HAD, TIME_HAD
from scheduler_core.phrases import Phrase
from scheduler_core.policies._base import Policy, Received
from scheduler_core.registry import Param, ParamValue, TextParam

MOST_QUEUES = 10
MILLI = 1_000


class Thresholds(TextParam):
    """Times that rise, each with its unit, with commas between them."""

    def read(self, value: object, path: str) -> str:
        """Return the times, each as documents write it, with commas between them."""
        try:
            times = [units.parse_duration(item.strip(), path) for item in str(value).split(",")]
        except InputError as error:
            raise InputError(path, value, self.allowed) from error
        if not 0 < len(times) < MOST_QUEUES or times[0] <= 0 or sorted(set(times)) != times:
            raise InputError(path, value, self.allowed)
        return ", ".join(units.write_duration(time) for time in times)


def received(chosen: Mapping[str, ParamValue]) -> Received:
    """Return the thresholds in ms or GPU-ms, and how long a job waits until it starts again from nothing."""
    written = str(chosen["thresholds"]).split(",")
    return Received(
        TIME_HAD if chosen["by"] == "time" else SERVICE_HAD,
        tuple(units.parse_duration(time.strip(), "thresholds") for time in written),
        round(float(chosen["promote"] or 0) * MILLI),
    )


def no_numbers(chosen: Mapping[str, ParamValue]) -> list[float]:  # noqa: ARG001
    """Return nothing: no kernel of this file reads the settings."""
    return []


POLICY = Policy(
    slug="las",
    source="gu-2019-tiresias",
    rank=None,
    within_group="submit",
    preemptive=True,
    params=(
        Thresholds(
            slug="thresholds",
            default="1h, 4h",
            says=Phrase(
                "1 to {most} times, each with a unit and longer than the one before, such as 1h, 4h",
                most=MOST_QUEUES - 1,
            ),
            text={
                "en": "Work after which a job falls one queue; 1h is one hour of one GPU, or with by: time one hour.",
                "zh": "作业累计获得多少服务后降一级队列；1h 指一块 GPU 一小时，by: time 时指一小时。",
            },
        ),
        Param(
            slug="by",
            default="gpu_time",
            options=("gpu_time", "time"),
            text={
                "en": "Whether wide jobs use up a queue faster (GPU-time), or all alike (time).",
                "zh": "按 GPU 时间计（大作业更快降级），还是按时间计（大小一视同仁）。",
            },
        ),
        Param(
            slug="promote",
            default=None,
            low=0.001,
            high=1_000,
            step=1,
            none_means=Phrase("never"),
            text={
                "en": "A job starts again at the top after waiting this many times as long as it has worked.",
                "zh": "等待时间达到已工作时间的多少倍后，作业重回最高队列。",
            },
        ),
    ),
    name={"en": "Least attained service", "zh": "最少已获服务"},
    text={
        "en": (
            "Helps short jobs when nobody knows run times: whoever has had little so far evicts whoever has had more. "
            "Hurts long jobs, which fall from queue to queue, lose work at each eviction, and starve without promotion."
        ),
        "zh": (
            "运行时间未知时短作业受益：至今获得服务少的作业可驱逐获得多的作业。"
            "长作业受害：逐级降低队列，每次被驱逐都丢失工作，若不提升便可能一直等下去。"
        ),
    },
    live=received,
    encode=no_numbers,
)
