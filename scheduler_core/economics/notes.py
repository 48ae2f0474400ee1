"""Sentences about money and capacity: a key with parameters, and its text in English and Chinese (texts/).

Quantities stay numbers until the language is known: a `Time`, a `Share`, an `Input` and a `Note` inside another one are
written with the sentence. A count may bring its noun: ``{n:slot|slots}``.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Union

from scheduler_core.economics.table import find_assumption
from scheduler_core.units import Counted, format_duration, format_number, format_share

FOLDER = Path(__file__).with_name("texts")


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return every text of the files in texts/: key -> language -> sentence with named placeholders."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        found |= tomllib.loads(file.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Time:
    """A time in ms."""

    ms: float

    def text(self, language: str = "en") -> str:
        """Return it as people say it."""
        return format_duration(self.ms, language)


@dataclass(frozen=True)
class Share:
    """A share, 0 to 1, that is written in percent with some decimals."""

    share: float
    decimals: int = 1

    def text(self, language: str = "en") -> str:
        """Return it in percent."""
        return format_share(self.share, self.decimals, language)


@dataclass(frozen=True)
class Input:
    """An input of the table."""

    slug: str
    has_slug: bool = True

    def text(self, language: str = "en") -> str:
        """Return what people call it, and where asked for its name in links and commands."""
        name = find_assumption(self.slug).text[language]
        if not self.has_slug:
            return name
        link = f"\uff08{self.slug}\uff09" if language == "zh" else f" ({self.slug})"
        return f"\u201c{name}\u201d{link}"


Param = Union[str, int, float, Time, Share, Input, "Note", tuple["Param", ...]]


@dataclass(frozen=True)
class Note:
    """Something to say, in no language yet.

    Attributes
    ----------
    key : str
        Key in texts/.
    params : tuple of pairs
        Names and values of the placeholders; numbers are written with three significant digits, several values as a
        list.
    is_warning : bool
        Whether a reader should doubt the result until it is dealt with.
    """

    key: str
    params: tuple[tuple[str, Param], ...] = ()
    is_warning: bool = False

    def text(self, language: str = "en") -> str:
        """Return the sentence in ``en`` or ``zh``."""
        said = {name: Counted(written(value, language)) for name, value in self.params}
        return catalogue()[self.key][language].format(**said)


def written(value: Param, language: str = "en") -> str:
    """Return a parameter as it stands in a sentence in ``en`` or ``zh``.

    Examples
    --------
    >>> written((Share(0.05), 1234.5)), written(Time(90_000))
    ('5.0 %; 1,234', '1.5 min')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ("\uff1b" if language == "zh" else "; ").join(written(each, language) for each in value)
    return format_number(value) if isinstance(value, (int, float)) else value.text(language)


def say(key: str, **params: Param) -> Note:
    """Return a sentence to say."""
    return Note(key, tuple(params.items()))


def warn(key: str, **params: Param) -> Note:
    """Return a sentence that warns."""
    return Note(key, tuple(params.items()), is_warning=True)
