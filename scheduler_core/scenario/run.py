"""The run: how long, how often, and which of two simultaneous events comes first."""

from typing import Annotated, Literal

from scheduler_core.scenario.fields import Part, Spec
from scheduler_core.scenario.limits import limit
from scheduler_core.units import MS_PER_UNIT


class Run(Part):
    """Horizon, warm-up, randomness and conventions of the clock."""

    days: Annotated[
        float,
        Spec(
            text={"en": "Length of the run; arrivals and the run end here.", "zh": "运行时长；到达与运行在此结束。"},
            unit="days",
            low=0,
            is_above=True,
            high=limit("days"),
            step=1,
            is_basic=True,
        ),
    ]
    warmup_days: Annotated[
        float,
        Spec(
            text={"en": "Beginning of the run that metrics leave out.", "zh": "指标不计入的起始时段。"},
            unit="days",
            low=0,
            high=limit("days"),
            step=0.5,
            is_basic=True,
        ),
    ] = 0.0
    seed: Annotated[
        int,
        Spec(
            text={"en": "Start of all random draws.", "zh": "所有随机抽样的种子。"},
            low=0,
            high=2**53 - 1,
            step=1,
            is_basic=True,
        ),
    ] = 1
    replications: Annotated[
        int,
        Spec(
            text={"en": "Independent repetitions behind each interval.", "zh": "每个置信区间所依据的独立重复次数。"},
            unit="runs",
            low=1,
            high=limit("replications"),
            step=1,
            is_basic=True,
        ),
    ] = 5
    ties: Annotated[
        Literal["finish_first", "submit_first"],
        Spec(text={"en": "Which event comes first at one instant.", "zh": "同一时刻哪类事件在先。"}),
    ] = "finish_first"
    pass_per: Annotated[
        Literal["instant", "event"],
        Spec(
            text={
                "en": "One scheduling pass after each instant, or after each event.",
                "zh": "每一时刻或每个事件之后调度一次。",
            }
        ),
    ] = "instant"
    drain: Annotated[
        bool,
        Spec(
            text={
                "en": "Run on without arrivals until all jobs have ended.",
                "zh": "停止到达后继续运行直到所有作业结束。",
            }
        ),
    ] = False

    @property
    def days_ms(self) -> int:
        """Length of the run in ms."""
        return round(self.days * MS_PER_UNIT["d"])

    @property
    def warmup_ms(self) -> int:
        """Warm-up in ms."""
        return round(self.warmup_days * MS_PER_UNIT["d"])
