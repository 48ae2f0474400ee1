"""Elastic demand: work that somebody submits only while it is worth while (docs/model.md 10.9)."""

from typing import Annotated

from pydantic import model_validator

from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import OneOf, Part, Spec, fault, name_spec
from scheduler_core.scenario.limits import limit
from scheduler_core.scenario.reserve import read_keys
from scheduler_core.units import MS_PER_UNIT

_DAY_MS, _HOUR_MS, _MINUTE_MS = MS_PER_UNIT["d"], MS_PER_UNIT["h"], MS_PER_UNIT["min"]


class AppearsWhen(OneOf):
    """What lets elastic work come; write exactly one of the keys."""

    wait_p50_below: Annotated[
        int | None,
        Spec(
            text={
                "en": "While the median wait of its tenant's jobs that started of late is below this.",
                "zh": "其租户最近启动的作业的等待中位数低于此值时。",
            },
            unit="duration",
            low=0,
            is_above=True,
            high=30 * _DAY_MS,
            step=5 * _MINUTE_MS,
            is_basic=True,
        ),
    ] = None
    quota_free_gpus: Annotated[
        int | None,
        Spec(
            text={
                "en": "While its tenant leaves at least so many GPUs of its nominal unused.",
                "zh": "其租户的名义配额中至少有这么多 GPU 未使用时。",
            },
            unit="gpu",
            low=1,
            high=limit("gpus"),
            step=8,
            is_basic=True,
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        return cls.check_one_key(value)


class Elastic(Part):
    """Work of one class that is offered at an even rate and comes only while a condition holds."""

    job_class: Annotated[str, name_spec(text={"en": "Class its jobs are drawn from.", "zh": "其作业所属的作业类。"})]
    appears_when: Annotated[AppearsWhen, Spec(text={"en": "When it comes.", "zh": "何时出现。"}, is_basic=True)]
    up_to_gpu_h_per_day: Annotated[
        float,
        Spec(
            text={"en": "Work offered a day, at an even rate.", "zh": "每天提供的工作量，匀速。"},
            unit="GPU hours per day",
            low=0,
            is_above=True,
            high=1e7,
            step=1_000,
            is_basic=True,
        ),
    ]
    every: Annotated[
        int,
        Spec(
            text={"en": "Time between two offers.", "zh": "两次提供之间的间隔。"},
            unit="duration",
            low=1_000,
            high=_DAY_MS,
            step=_MINUTE_MS,
        ),
    ] = 10 * _MINUTE_MS
    window: Annotated[
        int,
        Spec(
            text={"en": "How far back starts count for the median wait.", "zh": "计算等待中位数时回溯的时长。"},
            unit="duration",
            low=1_000,
            high=30 * _DAY_MS,
            step=_HOUR_MS,
        ),
    ] = _HOUR_MS

    @property
    def gpu_ms_an_offer(self) -> int:
        """GPU-ms of work offered each time, at least 1."""
        return max(1, round(self.up_to_gpu_h_per_day * _HOUR_MS * self.every / _DAY_MS))

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        """Accept the document's key `class`, and say what a block needs."""
        read = read_keys(value)
        if not isinstance(read, dict):
            return read
        for name, example in NEEDED.items():
            if name not in read:
                key = "class" if name == "job_class" else name
                missing = Phrase("{path} is missing; elastic demand needs it, for example {example}.", example=example)
                raise fault("", at=key, problem=missing)
        return read


NEEDED = {
    "job_class": "class: sweep",
    "appears_when": "appears_when: {wait_p50_below: 30min}",
    "up_to_gpu_h_per_day": "up_to_gpu_h_per_day: 9000",
}
