"""Run times, limits and priorities of a job class: choices written as one key."""

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ValidationInfo, field_validator, model_validator

from scheduler_core import units
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import OneOf, Part, Spec, fault, is_document
from scheduler_core.units import LONGEST_MS

_MINUTE = units.MS_PER_UNIT["min"]
_SUM_TOLERANCE = 1e-6


def _time(en: str, zh: str, *, low: int = 1) -> Spec:
    return Spec(text={"en": en, "zh": zh}, unit="duration", low=low, high=LONGEST_MS, step=_MINUTE)


class Exponential(Part):
    """Exponential run time."""

    mean: Annotated[int, _time("Mean run time.", "平均运行时长。")]


class Lognormal(Part):
    """Log-normal run time; the spread is stated by its mean or by sigma, before any cut."""

    median: Annotated[int, _time("Median run time.", "运行时长中位数。")]
    mean: Annotated[int | None, _time("Mean run time before any cut.", "截断前的平均运行时长。")] = None
    sigma: Annotated[
        float | None,
        Spec(
            text={"en": "Spread of the logarithm, instead of the mean.", "zh": "对数标准差，可代替均值。"},
            low=0,
            high=10,
            step=0.1,
        ),
    ] = None
    min: Annotated[int | None, _time("Shorter jobs take this long.", "更短的作业取此值。", low=0)] = None
    max: Annotated[int | None, _time("Longer jobs take this long.", "更长的作业取此值。")] = None

    @model_validator(mode="after")
    def _check(self) -> "Lognormal":
        if (self.mean is None) == (self.sigma is None):
            raise fault("", problem=Phrase("{path} needs exactly one of mean and sigma."))
        if self.mean is not None and self.mean < self.median:
            at_least = units.write_duration(self.median)
            raise fault(
                Phrase("at least the median ({at_least})", at_least=at_least),
                at="mean",
                shown=units.write_duration(self.mean),
            )
        if self.min is not None and self.max is not None and self.min > self.max:
            raise fault(Phrase("at most max"), at="min", shown=units.write_duration(self.min))
        return self

    @property
    def spread(self) -> float:
        """Standard deviation of the logarithm."""
        if self.sigma is not None:
            return self.sigma
        return math.sqrt(2 * math.log((self.mean or self.median) / self.median))


class Uniform(Part):
    """Run time equally likely anywhere between two bounds."""

    min: Annotated[int, _time("Shortest run time.", "最短运行时长。", low=0)]
    max: Annotated[int, _time("Longest run time.", "最长运行时长。")]

    @model_validator(mode="after")
    def _check(self) -> "Uniform":
        if self.min > self.max:
            raise fault(Phrase("at most max"), at="min", shown=units.write_duration(self.min))
        return self


class Duration(OneOf):
    """How long jobs run; write exactly one of the keys."""

    fixed: Annotated[int | None, _time("Always this long.", "固定时长。", low=0)] = None
    exponential: Annotated[Exponential | None, Spec(text={"en": "Exponential.", "zh": "指数分布。"})] = None
    lognormal: Annotated[Lognormal | None, Spec(text={"en": "Log-normal.", "zh": "对数正态分布。"})] = None
    uniform: Annotated[Uniform | None, Spec(text={"en": "Uniform.", "zh": "均匀分布。"})] = None
    by_gpus: Annotated[
        "dict[int | Literal['default'], Duration] | None",
        Spec(
            text={"en": "By size of the job: default, and sizes that differ.", "zh": "按作业规模：default 及例外规模。"}
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        return cls.check_one_key(value)

    @field_validator("by_gpus", mode="before")
    @classmethod
    def _read_sizes(cls, value: object) -> object:
        """Read sizes written as text, and order them."""
        if value is None:
            return None
        allowed = Phrase(
            "a mapping from default and sizes to durations, such as {{default: {{fixed: 1h}}, 128: {{fixed: 4h}}}}"
        )
        if not isinstance(value, Mapping) or "default" not in value:
            raise fault(allowed)
        sizes: dict[int, object] = {}
        for key, inner in value.items():
            if key == "default":
                continue
            size = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() and len(key) < 10 else key
            if isinstance(size, bool) or not isinstance(size, int) or size < 1:
                raise fault(allowed)
            sizes[size] = inner
        for inner in value.values():
            if isinstance(inner, Mapping) and "by_gpus" in inner:
                raise fault(Phrase("a mapping whose durations have no by_gpus of their own"))
        ordered: dict[int | str, object] = {"default": value["default"]}
        return ordered | dict(sorted(sizes.items()))

    def of(self, gpus: int) -> "Duration":
        """Return the distribution for jobs of `gpus` GPUs."""
        if self.by_gpus is None:
            return self
        return self.by_gpus.get(gpus, self.by_gpus["default"])


class LimitRule(OneOf):
    """The limit that users state; write `exact` or exactly one of the keys."""

    exact: Annotated[bool | None, Spec(text={"en": "The true run time.", "zh": "等于真实运行时长。"})] = None
    factor: Annotated[
        float | None,
        Spec(text={"en": "Run time times this.", "zh": "运行时长乘以此值。"}, low=0.001, high=10_000, step=0.1),
    ] = None
    factors: Annotated[
        tuple[float, ...] | None,
        Spec(text={"en": "Run time times one of these, equally likely.", "zh": "运行时长乘以其中之一（等概率）。"}),
    ] = None
    fixed: Annotated[int | None, _time("The same for all jobs.", "所有作业相同。")] = None
    over_ask: Annotated[
        Literal["realistic"] | None,
        Spec(
            text={
                "en": "As users do: run / Beta(0.6, 1.4), rounded up to 1, 4, 12, 24, 48 h, 7 d.",
                "zh": "如真实用户：运行时长 / Beta(0.6, 1.4)，向上取整到 1、4、12、24、48 小时、7 天。",
            }
        ),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if value == "exact":
            return {"exact": True}
        if isinstance(value, str):
            raise fault(Phrase("exact, or one of factor, factors, fixed, over_ask with its value, or null"))
        return cls.check_one_key(value)

    @field_validator("exact")
    @classmethod
    def _check_exact(cls, value: bool | None) -> bool | None:
        if value is False:
            raise fault(Phrase("true, or another way to state the limit"))
        return value

    @field_validator("factors", mode="before")
    @classmethod
    def _check_factors(cls, value: object) -> object:
        if value is None:
            return None
        if not isinstance(value, (list, tuple)) or not value or len(value) > 100:
            raise fault(Phrase("a list of 1 to 100 factors"))
        for factor in value:
            if isinstance(factor, bool) or not isinstance(factor, (int, float)) or not 0.001 <= factor <= 10_000:
                raise fault(Phrase("a list of factors from 0.001 to 10,000"))
        return tuple(float(factor) for factor in value)


class Priority(OneOf):
    """Priority of a job; a number, or exactly one of the keys."""

    fixed: Annotated[
        int | None,
        Spec(
            text={"en": "The same for all jobs.", "zh": "所有作业相同。"}, unit="priority", low=0, high=1_000, step=50
        ),
    ] = None
    uniform: Annotated[
        tuple[int, int] | None,
        Spec(text={"en": "Equally likely between two bounds.", "zh": "在两个界限之间均匀分布。"}),
    ] = None
    choice: Annotated[
        dict[int, float] | None,
        Spec(text={"en": "Values with their shares.", "zh": "取值及其占比。"}),
    ] = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            _milli(value, info)  # refuses what is outside, with the value as it was written
            return {"fixed": value}
        if isinstance(value, str):
            raise fault(Phrase("a number from 0 to 1, {{uniform: [0.4, 0.8]}} or {{choice: {{0.2: 0.5, 0.8: 0.5}}}}"))
        return cls.check_one_key(value)

    @field_validator("uniform", mode="before")
    @classmethod
    def _read_uniform(cls, value: object, info: ValidationInfo) -> object:
        if value is None:
            return None
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            raise fault(Phrase("two priorities from 0 to 1, such as [0.4, 0.8]"))
        low, high = (_milli(bound, info) for bound in value)
        if low > high:
            raise fault(Phrase("two priorities, the smaller first"))
        return low, high

    @field_validator("choice", mode="before")
    @classmethod
    def _read_choice(cls, value: object, info: ValidationInfo) -> object:
        allowed = Phrase("priorities with their shares, such as {{0.2: 0.5, 0.8: 0.5}}")
        if value is None:
            return None
        if not isinstance(value, Mapping) or not value or len(value) > 100:
            raise fault(allowed)
        shares: dict[int, float] = {}
        for key, share in value.items():
            priority = _milli(_number_key(key, allowed), info)
            if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
                raise fault(allowed)
            shares[priority] = shares.get(priority, 0.0) + float(share)
        if abs(sum(shares.values()) - 1) > _SUM_TOLERANCE:
            raise fault(
                "",
                problem=Phrase(
                    "the shares of {path} sum to {values:.6g}; they must sum to 1.", values=sum(shares.values())
                ),
            )
        return dict(sorted(shares.items()))


def _number_key(key: object, allowed: Phrase) -> object:
    if not isinstance(key, str):
        return key
    try:
        number = float(key)
    except ValueError as error:
        raise fault(allowed) from error
    return int(number) if number.is_integer() else number


def _milli(value: object, info: ValidationInfo) -> int:
    allowed = Phrase("a priority from 0 to 1 with at most three decimals")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise fault(allowed)
    is_model_unit = isinstance(value, int) and not is_document(info)
    if not 0 <= value <= (1_000 if is_model_unit else 1):
        raise fault(allowed)
    try:
        return int(value) if is_model_unit else units.to_milli(value)
    except InputError as error:
        raise fault(allowed) from error
