"""What every field of the document is made of: `Spec` holds its unit, range, step, source and explanation.

One `Spec` serves the check of a value, the words of its refusal, the JSON schema, the commented document, the field
table of docs/scenario.md and the widgets of the pages, so that a setting is described in one place.

A document writes durations with a unit and priorities as 0 to 1; the model holds ms and 0 to 1000. While a document
is read the validation context says so (`DOCUMENT`); without it, integers are taken as ms and thousandths.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from scheduler_core import units
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase, Wording, word
from scheduler_core.scenario.limits import limit

DOCUMENT = {"document": True}
"""Validation context: the values are written as in a document."""

DURATION_PATTERN = r"^\s*(\d+(\.\d+)?\s*(ms|s|min|h|d|w)\s*)+$"
KEYS = {"class": "job_class", "for": "who", "from": "begin"}
"""Keys of the document that Python cannot name -> fields of the models."""

_DOCUMENT_KEYS = {name: key for key, name in KEYS.items()}
_RANGES = {
    (False, False): Phrase("{noun}"),
    (False, True): Phrase("{noun} up to {high}"),
    ("from", False): Phrase("{noun} from {low}"),
    ("from", True): Phrase("{noun} from {low} to {high}"),
    ("above", False): Phrase("{noun} above {low}"),
    ("above", True): Phrase("{noun} above {low} up to {high}"),
}
"""How the lower bound is meant and whether there is an upper one -> the words."""
_WIDE = 1e15  # a range up to here says something to a person
_HUGE = 1e300  # keeps infinities, not-a-number and endless integers out of the comparisons below
_NAME = re.compile(r"[^\s\"\\\x00-\x1f\x7f](?:[^\"\\\x00-\x1f\x7f]*[^\s\"\\\x00-\x1f\x7f])?")


def fault(allowed: Wording, *, at: str = "", problem: Wording = "", **value: object) -> PydanticCustomError:
    """Return an error for a validator to raise; `at` is the path below the value that is being checked."""
    return PydanticCustomError("fault", "refused", {"allowed": allowed, "at": at, "problem": problem, **value})


def document_key(name: str) -> str:
    """Return the key that stands in the document for a field of a model."""
    return _DOCUMENT_KEYS.get(name, name)


def field_name(key: str) -> str:
    """Return the field of a model that a key of the document stands for."""
    return KEYS.get(key, key)


def is_document(info: ValidationInfo) -> bool:
    """Return whether the values come from a document, not from Python."""
    return bool(info.context and info.context.get("document"))


class Part(BaseModel):
    """A frozen part of the document that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, eq=False)
class Spec:
    """Everything there is to know about one field.

    Attributes
    ----------
    text : mapping
        One line of explanation by language (en, zh).
    unit : str
        ``duration``, ``priority``, ``gpu``, ``share``, ``name``, or any word for people such as ``jobs per day``.
    low, high : float
        Smallest and largest value allowed, in the model's unit (durations in ms, priorities in thousandths).
    is_above : bool
        Whether the value must lie strictly above `low`.
    step : float, optional
        Step of a widget, in the model's unit.
    source : str
        Source id (scenarios/sources.toml) of the default or range; empty for a plain choice of ours.
    is_basic : bool
        Whether the short form of the page shows it.
    options : tuple of str
        The words allowed, where the type does not say it.
    later : str
        Name of the mechanism that is not available yet; empty when the field works.
    """

    text: Mapping[str, str]
    unit: str = ""
    low: float = -math.inf
    high: float = math.inf
    is_above: bool = False
    step: float | None = None
    source: str = ""
    is_basic: bool = False
    options: tuple[str, ...] = ()
    later: str = ""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:  # noqa: ANN401
        """Check values of the annotated type."""
        shape = Shape.of(source, self)
        if shape.kind == "other":
            return handler(source)

        def read(value: object, info: ValidationInfo) -> object:
            return shape.read(value, is_document=is_document(info))

        return core_schema.with_info_before_validator_function(read, handler(source))


@dataclass(frozen=True)
class Shape:
    """A field's type and `Spec` together: reads values and says what is allowed."""

    kind: str
    is_optional: bool
    spec: Spec = field(compare=False)
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, source: object, spec: Spec) -> "Shape":
        """Return the shape of the annotated type `source`."""
        is_optional = False
        if get_origin(source) in {Union, UnionType}:
            inner = [part for part in get_args(source) if part is not type(None)]
            is_optional = len(inner) < len(get_args(source))
            source = inner[0] if len(inner) == 1 else Any
        if get_origin(source) is Literal:
            words = get_args(source)
            return cls("word" if isinstance(words[0], str) else "other", is_optional, spec, words)
        kinds: dict[object, str] = {int: "whole", float: "number", bool: "flag", str: "text"}
        return cls(kinds.get(source, "other"), is_optional, spec, spec.options)

    @property
    def allowed(self) -> Phrase:
        """What may be written; completes "it must be ..."."""
        if self.kind == "word":
            words = Phrase("one of {words}" if len(self.words) > 1 else "{words}", words=", ".join(self.words))
        elif self.kind == "flag":
            words = Phrase("true or false")
        elif self.kind == "text":
            words = Phrase("a name") if self.spec.unit == "name" else Phrase("text")
            if math.isfinite(self.spec.high):
                words = Phrase("{words} of at most {most:,.0f} characters", words=words, most=self.spec.high)
        else:
            words = self._allowed_number()
        return Phrase("{words}, or null", words=words) if self.is_optional else words

    def _allowed_number(self) -> Phrase:
        noun = Phrase("a whole number") if self.kind == "whole" else Phrase("a number")
        if self.spec.unit == "duration":
            return Phrase("{number}, for example 5min", number=self._in_range(Phrase("a duration with a unit")))
        if self.spec.unit == "priority":
            return self._in_range(Phrase("a priority"))
        number = self._in_range(noun)
        return Phrase("{number} ({unit})", number=number, unit=word(self.spec.unit)) if self.spec.unit else number

    def _in_range(self, noun: Phrase) -> Phrase:
        spec = self.spec
        has_low, has_high = math.isfinite(spec.low), math.isfinite(spec.high)
        low, high = (self._write(bound) if math.isfinite(bound) else "" for bound in (spec.low, spec.high))
        bounds = (has_low and ("above" if spec.is_above else "from"), has_high)
        return _RANGES[bounds].filled(noun=noun, low=low, high=high)

    @property
    def range_text(self) -> str:
        """The range in brackets, without words: ``[1 .. 16]``; empty where nothing narrow is stated."""
        spec = self.spec
        if not math.isfinite(spec.low + spec.high) or spec.high > _WIDE:
            return ""
        low, high = (units.shortest(bound) if spec.unit != "duration" else bound for bound in (spec.low, spec.high))
        mark = "> " if spec.is_above else ""
        unit = f" {spec.unit}" if spec.unit not in {"", "duration", "priority", "gpu"} else ""
        return f"[{mark}{self._write(low)} .. {self._write(high)}{unit}]"

    def _write(self, number: float) -> str:
        if self.spec.unit == "duration":
            return units.write_duration(int(number))
        if self.spec.unit == "priority":
            return f"{units.from_milli(int(number))}"
        return f"{int(number):,}" if number == int(number) else f"{number:,.10g}"

    def read(self, value: object, *, is_document: bool) -> object:
        """Return `value` in the model's unit.

        Parameters
        ----------
        value : object
            As written in a document or given from Python.
        is_document : bool
            Whether durations need a unit and priorities lie in 0 to 1.

        Returns
        -------
        object
            The value the model holds.

        Raises
        ------
        PydanticCustomError
            If it is not allowed.
        """
        if value is None:
            if self.is_optional:
                return None
            raise fault(self.allowed)
        readers = {"word": self._word, "flag": self._flag, "text": self._text}
        if self.kind in readers:
            return readers[self.kind](value)
        return self._number(value, is_document=is_document)

    def _word(self, value: object) -> str:
        if isinstance(value, str) and value in self.words:
            return value
        raise fault(self.allowed)

    def _flag(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        raise fault(self.allowed)

    def _text(self, value: object) -> str:
        if not isinstance(value, str):
            raise fault(
                Phrase("{allowed} (put it in quotes)", allowed=self.allowed)
                if isinstance(value, (int, float))
                else self.allowed
            )
        if len(value) > self.spec.high or (self.words and value not in self.words):
            raise fault(self.allowed)
        if self.spec.unit == "name" and not _NAME.fullmatch(value):
            raise fault(
                Phrase(
                    "{allowed}, without quotes, backslashes, line breaks or spaces at its ends", allowed=self.allowed
                )
            )
        return value

    def _number(self, value: object, *, is_document: bool) -> int | float:
        number = self._in_model_unit(value, is_document=is_document)
        if isinstance(number, bool) or not isinstance(number, (int, float)) or not self._is_inside(number):
            raise fault(self.allowed)
        return int(number) if self.kind == "whole" else float(number)

    def _in_model_unit(self, value: object, *, is_document: bool) -> object:
        try:
            if self.spec.unit == "duration" and (is_document or isinstance(value, str)):
                return units.parse_duration(value)
            if self.spec.unit == "priority" and (is_document or isinstance(value, float)):
                return self._priority(value)
        except InputError as error:
            raise fault(error.allowed) from error
        return value

    def _priority(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise fault(self.allowed)
        return units.to_milli(value)

    def _is_inside(self, number: float) -> bool:
        if not -_HUGE < number < _HUGE:
            return False
        is_low = number > self.spec.low if self.spec.is_above else number >= self.spec.low
        is_whole = self.kind != "whole" or isinstance(number, int) or number == math.floor(number)
        return is_low and number <= self.spec.high and is_whole


def name_spec(text: Mapping[str, str]) -> Spec:
    """Return the `Spec` of a name that paths and charts use."""
    return Spec(text=text, unit="name", high=limit("name_characters"))


def is_name(value: object) -> bool:
    """Return whether `value` can be the name of a pool, zone, tenant or class."""
    return isinstance(value, str) and len(value) <= limit("name_characters") and bool(_NAME.fullmatch(value))


class OneOf(Part):
    """A choice written as one key: ``{lognormal: {...}}``; exactly one of its fields is set."""

    @property
    def kind(self) -> str:
        """The key that is set."""
        return next(name for name in type(self).model_fields if getattr(self, name) is not None)

    @classmethod
    def check_one_key(cls, value: object) -> object:
        """Return `value` if it has exactly one of the keys; raise a fault otherwise.

        Parameters
        ----------
        value : object
            As written; a model passes unchanged.

        Returns
        -------
        object
            The same value.

        Raises
        ------
        PydanticCustomError
            If it is not a mapping with one known key.
        """
        if isinstance(value, cls):
            return value
        keys = list(cls.model_fields)
        words = ", ".join(document_key(name) for name in keys)
        allowed = Phrase("one of {words} as a key with its settings", words=words)
        if not isinstance(value, Mapping):
            raise fault(allowed)
        given = [key for key in value if value[key] is not None or key not in keys]
        if len(given) != 1:
            raise fault(Phrase("exactly one of {words}", words=words))
        return dict(value)
