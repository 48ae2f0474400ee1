"""What a story still lacks before it can carry an interview, and its score by the rules of the rubric."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from practice.history import Story
from practice.rubric import Score, score_answer

BOXES: Final = ("S", "T", "A", "R", "L")
SLOTS: Final = ("failure", "corrected")
"""What failed, and which judgement of one's own was put right: both are required."""

FEWEST_STORIES, MOST_STORIES = 3, 5

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_NAME_DIGITS: Final = re.compile(r"[a-z]+[-]?\d+|q[1-4]\b|\d+:\d+", re.IGNORECASE)
"""Digits that are part of a name (A100, H200, Q4, P95) or a time of day."""


@dataclass(frozen=True)
class Lack:
    """One thing a story lacks: an empty box or slot, a number without its meaning, a number that no line explains."""

    kind: Literal["box", "slot", "ledger", "meaning", "number"]
    what: str = ""


def lacks(story: Story) -> tuple[Lack, ...]:
    """Return what a story lacks, in the order of its form."""
    return tuple(_lacks(story))


def _lacks(story: Story) -> Iterator[Lack]:
    texts = story.texts()
    yield from (Lack("box", name) for name in BOXES if not texts.get(name, "").strip())
    yield from (Lack("slot", name) for name in SLOTS if not texts.get(name, "").strip())
    told = [line for line in story.ledger if line.value.strip()]
    if not told:
        yield Lack("ledger")
    yield from (Lack("meaning", f"{one.name} {one.value}".strip()) for one in told if not one.meaning.strip())
    explained = {number for line in story.ledger for number in numbers_in(line.value)}
    framing = [number for name in "ST" for number in numbers_in(texts.get(name, ""))]
    yield from (Lack("number", one) for one in dict.fromkeys(framing) if one not in explained)


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text, without their thousands separators; digits of names are no numbers."""
    plain = _NAME_DIGITS.sub(" ", unicodedata.normalize("NFKC", text))
    return [re.sub(r",(?=\d{3})", "", one).rstrip(".,") for one in _NUMBER.findall(plain)]


def score_story(story: Story) -> Score:
    """Return the score of the five boxes by the rules; there is no run, so no evidence counts."""
    texts = story.texts()
    return score_answer({name: texts.get(name, "") for name in BOXES}, story.persona)
