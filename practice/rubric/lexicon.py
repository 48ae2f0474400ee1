"""The word families of the rubric, read from the data files beside this module and compiled once.

In a family of English words `*` stands for the rest of a word, `~` for up to 40 characters inside a sentence (12 in
Chinese), `{N}` for a number. Every gap is bounded, so that matching stays linear in the length of the answer.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from practice.rubric.patterns import alternation

_HERE = Path(__file__).parent / "data"
_EN_GAP, _ZH_GAP = r"[^.;\n]{0,40}?", r"[^.;\n]{0,12}?"


def load(name: str) -> dict[str, Any]:
    """Return the content of a data file of the rubric."""
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))


def _over_decimals(pattern: str) -> str:
    """Let a gap that ends at a full stop go on over a decimal point."""
    return pattern.replace(r"[^.;\n]", r"(?:[^.;\n]|\.(?=\d))").replace(r"[^.\n]", r"(?:[^.\n]|\.(?=\d))")


def _joined(words: Mapping[str, list[str]], number: str) -> str:
    """Return one pattern for a family in both languages; both are tried on every answer."""
    english = [
        _over_decimals(
            one.replace("*", "[a-z]*")
            .replace("~", _EN_GAP)
            .replace(" ?", r"\s?")
            .replace(" ", r"\s+")
            .replace("{N}", number)
        )
        for one in words.get("en", [])
    ]
    chinese = [one.replace("~", _ZH_GAP).replace("{N}", number) for one in words.get("zh", [])]
    parts = [rf"(?<![a-z0-9]){alternation(english)}(?![a-z])"] if english else []
    return "|".join([*parts, *([alternation(chinese)] if chinese else [])])


def _beginnings(data: str, number: str) -> re.Pattern[str]:
    """Return what finds every place where a family of a data file begins, without passing over what it matches."""
    families = load(data).values()
    words = {language: [one for family in families for one in family.get(language, [])] for language in ("en", "zh")}
    return re.compile(f"(?={_joined(words, number)})", re.ASCII)


def _places(pattern: re.Pattern[str], text: str, start: int, end: int) -> list[int]:
    return [one.start() for one in pattern.finditer(text, start, end)]


def _at_places(pattern: re.Pattern[str], places: Iterable[int], text: str, end: int) -> Iterator[re.Match[str]]:
    """Yield what `finditer` would, asking only where something begins; many patterns share one look at the text."""
    free = 0
    for place in places:
        match = pattern.match(text, place, end) if place >= free else None
        if match:
            free = match.end()
            yield match


@dataclass(frozen=True)
class Metric:
    """A quantity that answers talk about; `better` is up, down or neither."""

    name: str
    better: str
    is_guard: bool
    pattern: re.Pattern[str]


class Lexicon:
    """All families, metrics, units and marks."""

    def __init__(self) -> None:
        units = load("units.toml")
        self.units = units
        self.marks: dict[str, str] = units["marks"]
        self.number: str = units["number"]["any"]
        texts = [load(f"words_{name}.toml") for name in ("common", "situation", "task", "action", "result")]
        self._families = {name: words for text in texts for name, words in text.items()}
        self._compiled: dict[str, re.Pattern[str]] = {}
        self.heading = re.compile(units["heading"]["pattern"], re.ASCII)
        self._heading_names: dict[str, str] = {
            word: section for section, words in units["heading"]["names"].items() for word in words
        }

    def section_of(self, match: re.Match[str]) -> str:
        """Return the section letter that a matched heading stands for."""
        word = next(one for one in match.groups() if one)
        return self._heading_names.get(word) or word[0].upper()

    def is_letter(self, match: re.Match[str]) -> bool:
        """Say whether a matched heading is a single letter."""
        return len(next(one for one in match.groups() if one)) == 1

    def family(self, name: str) -> re.Pattern[str]:
        """Return the compiled family `name`."""
        if name not in self._compiled:
            self._compiled[name] = re.compile(_joined(self._families[name], self.number), re.ASCII)
        return self._compiled[name]

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """Return all metrics, the most specific first."""
        return tuple(
            Metric(name, words["better"], words.get("guard", False), re.compile(_joined(words, self.number), re.ASCII))
            for name, words in load("metrics.toml").items()
        )

    @cached_property
    def _mechanisms(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple(
            (name, re.compile(_joined(words, self.number), re.ASCII)) for name, words in load("mechanisms.toml").items()
        )

    def mechanisms(self, text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
        """Yield each mechanism named between two positions: its name, start and end."""
        places = _places(self._any_mechanism, text, start, end)
        for name, pattern in self._mechanisms if places else ():
            for match in _at_places(pattern, places, text, end):
                yield name, match.start(), match.end()
                break

    def metrics_named(self, text: str, start: int, end: int) -> Iterator[tuple[Metric, int, int]]:
        """Yield every mention of a metric between two positions: the metric, start and end."""
        places = _places(self._any_metric, text, start, end)
        for metric in self.metrics if places else ():
            for match in _at_places(metric.pattern, places, text, end):
                yield metric, match.start(), match.end()

    @cached_property
    def _any_metric(self) -> re.Pattern[str]:
        return _beginnings("metrics.toml", self.number)

    @cached_property
    def _any_mechanism(self) -> re.Pattern[str]:
        return _beginnings("mechanisms.toml", self.number)

    def has_terms(self, text: str, least: int) -> bool:
        """Say whether a text uses that many distinct words for metrics, mechanisms, hardware and work."""
        found: set[str] = set()
        patterns = [*(metric.pattern for metric in self.metrics), *(pattern for _, pattern in self._mechanisms)]
        for pattern in [*patterns, self.family("domain")]:
            for match in pattern.finditer(text):
                found.add(match[0].rstrip("s"))
                if len(found) >= least:
                    return True
        return False


LEXICON = Lexicon()
"""The one lexicon; it never changes while the program runs."""
