"""What changed between two attempts: points, rules, and the text of every section."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from practice.history.model import Attempt

Change = Literal["same", "gone", "new"]

_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+\s*|\s+")
_SENTENCE: Final = re.compile(r".+?(?:[.!?\u3002\uff01\uff1f\n]+\s*|$)", re.DOTALL)
_MOST_WORDS: Final = 4_000
"""Longer texts are compared by sentences, so that the time stays short."""


@dataclass(frozen=True)
class Difference:
    """Later less earlier. `rules` holds (before, after) of the rules whose value changed; texts in their order."""

    total: float | None
    dimensions: Mapping[str, tuple[float | None, float | None]]
    rules: Mapping[str, tuple[float, float]]
    texts: Mapping[str, tuple[tuple[Change, str], ...]]
    choices: Mapping[str, tuple[str | None, str | None]]


def difference(earlier: Attempt, later: Attempt) -> Difference:
    """Return what changed from one attempt to another."""
    before, after = earlier.texts(), later.texts()
    names = [*before, *(name for name in after if name not in before)]
    texts = {name: tuple(_changes(before.get(name, ""), after.get(name, ""))) for name in names}
    choices = {
        name: (earlier.choices.get(name), later.choices.get(name))
        for name in {**earlier.choices, **later.choices}
        if earlier.choices.get(name) != later.choices.get(name)
    }
    if earlier.grade is None or later.grade is None:
        return Difference(None, {}, {}, texts, choices)
    old, new = earlier.grade, later.grade
    dimensions = {name: (old.dimensions.get(name), new.dimensions.get(name)) for name in new.dimensions}
    pairs = {one.rule: (old.value(one.rule), one.value) for one in new.outcomes}
    rules = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return Difference(round(new.total - old.total, 1), dimensions, rules, texts, choices)


def _changes(before: str, after: str) -> Iterator[tuple[Change, str]]:
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _MOST_WORDS:
        old, new = _SENTENCE.findall(before), _SENTENCE.findall(after)
    for _, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, came = "".join(old[a:b]), "".join(new[c:d])
        if gone == came:
            yield "same", came
            continue
        if gone:
            yield "gone", gone
        if came:
            yield "new", came
