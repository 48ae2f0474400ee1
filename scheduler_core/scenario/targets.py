"""Targets: what must hold, as a bound on a metric."""

from typing import Annotated

from pydantic import ValidationInfo, field_validator, model_validator

from scheduler_core import units
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fields import Part, Spec, fault, is_document

_BOUND = Phrase("a number, or a duration with a unit such as 45min")


class Target(Part):
    """A bound on a metric, for all jobs or for one class or tenant.

    A bound that is a time is an int in ms; any other bound is a float.
    """

    metric: Annotated[
        str,
        Spec(text={"en": "Metric that is bounded.", "zh": "受约束的指标。"}, unit="name", high=64, is_basic=True),
    ]
    of: Annotated[
        str | None,
        Spec(
            text={"en": "Class or tenant it is about; null = all.", "zh": "针对的作业类或租户；null 表示全部。"},
            unit="name",
            high=64,
            is_basic=True,
        ),
    ] = None
    at_most: Annotated[
        int | float | None,
        Spec(text={"en": "Largest value that meets the target.", "zh": "满足目标的最大值。"}, is_basic=True),
    ] = None
    at_least: Annotated[
        int | float | None,
        Spec(text={"en": "Smallest value that meets the target.", "zh": "满足目标的最小值。"}, is_basic=True),
    ] = None

    @field_validator("at_most", "at_least", mode="before")
    @classmethod
    def _read_bound(cls, value: object, info: ValidationInfo) -> object:
        """Read a time as int ms and anything else as float."""
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and not is_document(info)):
            return value
        if isinstance(value, str):
            try:
                return units.parse_duration(value)
            except InputError as error:
                raise fault(_BOUND) from error
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e15:
            raise fault(_BOUND)
        return float(value)

    @model_validator(mode="after")
    def _check(self) -> "Target":
        if self.at_most is None and self.at_least is None:
            raise fault("", problem=Phrase("{path} needs at_most or at_least."))
        return self
