"""Sentences about money and capacity: a key with parameters, and its text in English and Chinese (texts/)."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from scheduler_core.units import format_number

Param = str | int | float
FOLDER = Path(__file__).with_name("texts")


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return every text of the files in texts/: key -> language -> sentence with named placeholders."""
    found: dict[str, dict[str, str]] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        found |= tomllib.loads(file.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class Note:
    """Something to say, in no language yet.

    Attributes
    ----------
    key : str
        Key in texts/.
    params : tuple of pairs
        Names and values of the placeholders; numbers are written with three significant digits.
    is_warning : bool
        Whether a reader should doubt the result until it is dealt with.
    """

    key: str
    params: tuple[tuple[str, Param], ...] = ()
    is_warning: bool = False

    def text(self, language: str = "en") -> str:
        """Return the sentence in ``en`` or ``zh``."""
        return catalogue()[self.key][language].format(**dict(self._written()))

    def _written(self) -> Iterator[tuple[str, str]]:
        for name, value in self.params:
            yield name, value if isinstance(value, str) else format_number(value)


def say(key: str, **params: Param) -> Note:
    """Return a sentence to say."""
    return Note(key, tuple(params.items()))


def warn(key: str, **params: Param) -> Note:
    """Return a sentence that warns."""
    return Note(key, tuple(params.items()), is_warning=True)
