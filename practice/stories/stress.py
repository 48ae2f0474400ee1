"""Stress a story: take something away, ask about it with the story's own numbers, and hold the answer to the story."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from practice.history import LedgerLine, Story
from practice.rubric import compare_turns
from practice.stories.checking import BOXES

_DATA: Final[Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("stress.toml").read_text(encoding="utf-8")
)["stress"]  # fmt: skip
STRESSES: Final = tuple(_DATA)
_MONEY: Final = re.compile("[$\u20ac\u00a5\uffe5]|usd|eur|cny|rmb|dollar|euro|\u5143|\u6b27", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Probe:
    """One question about a stressed story, in both languages; `kind` is technical, logic or data."""

    kind: str
    en: str
    zh: str

    def of(self, language: str) -> str:
        """Return the question in a language."""
        return str(getattr(self, language))


def stress_label(stress: str) -> Mapping[str, str]:
    """Return what happens in a stress, in both languages."""
    label: Mapping[str, str] = _DATA[stress]["label"]
    return label


def section_of(stress: str) -> str:
    """Return the section in which the answer to a stress is kept."""
    return f"stress_{stress}"


def probes(story: Story, stress: str) -> tuple[Probe, ...]:
    """Return the questions of a stress; the same story always gets the same ones.

    Raises
    ------
    ValueError
        If there is no such stress.
    """
    if stress not in _DATA:
        raise ValueError(f"stress is {stress!r}; it must be one of {', '.join(STRESSES)}.")
    data = _DATA[stress]
    line = _line(story, is_money=bool(data.get("money")))
    wanted = {None, "line" if line else "no_line"}
    words = _words(line, data.get("share")) if line else {}
    return tuple(
        Probe(row["kind"], row["text"]["en"].format(**words), row["text"]["zh"].format(**words))
        for row in data["probe"]
        if row.get("needs") in wanted
    )


def _line(story: Story, *, is_money: bool) -> LedgerLine | None:
    """Return the line of the ledger that is asked about: the first with a number, of money where it is about money."""
    told = [one for one in story.ledger if _NUMBER.search(one.value)]
    if is_money:
        told = [one for one in told if _MONEY.search(one.value)]
    return next(iter(told), None)


def _words(line: LedgerLine, share: float | None) -> dict[str, str]:
    left = "" if share is None else _NUMBER.sub(lambda found: _scaled(found[0], share), line.value, count=1)
    return {"name": line.name or line.value, "value": line.value, "left": left}


def _scaled(number: str, share: float) -> str:
    return f"{float(number.replace(',', '')) * share:,.4g}" if len(number) < 16 else number


def contradictions(story: Story, stress: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of words, of the story and of the answer to a stress, whose numbers cannot both be true."""
    texts = story.texts()
    boxes = {name: texts.get(name, "") for name in BOXES}
    answer = texts.get(section_of(stress), "")
    story_text = "\n".join(f"{name}: {text.strip()}" for name, text in boxes.items() if text.strip())
    return tuple(
        (story_text[one.first.start : one.first.end], answer[one.second.start : one.second.end])
        for one in compare_turns(boxes, answer)
    )
