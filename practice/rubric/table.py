"""The table of rules, penalties, levels and personas, read from `data/rules.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from practice.rubric import action, framing, outcome
from practice.rubric.lexicon import load
from practice.rubric.model import NOTHING, Detector, Found, View

Text = Mapping[str, str]
"""A text in both languages: `en` and `zh`."""


@dataclass(frozen=True)
class Rule:
    """One rule: where it counts, how much, how it is found, and what a reader is told."""

    id: str
    dimension: str
    weight: float
    passes: Text
    half: Text
    hint: Text
    frame: Text
    detect: Detector


@dataclass(frozen=True)
class Penalty:
    """One penalty: points for each hit, how many hits are free, and the factor it takes off each dimension."""

    id: str
    each: float
    most: float
    free: int
    charge: Mapping[str, float]
    passes: Text
    hint: Text
    frame: Text


def structure(view: View) -> Found:
    """G1: Situation, Task, Action and Result are there."""
    there = sum(view.has_section(name) for name in "STAR")
    return Found({4: 1.0, 3: 0.5}.get(there, 0.0))


def ownership(view: View) -> Found:
    """G3: how often I is said, among I and we, from Task to Result."""
    own = [hit for one in view.sentences("TAR") for hit in view.hits("i", one)]
    shared = [hit for one in view.sentences("TAR") for hit in view.hits("we", one)]
    if not own and not shared:
        return Found(0.5) if view.doc.is_sectioned else NOTHING
    share = len(own) / (len(own) + len(shared))
    return Found(1.0 if share >= 0.6 else 0.5 if share >= 0.4 else 0.0, tuple(own[:1]))


_DETECTORS: Mapping[str, Detector] = {
    **framing.RULES, **action.RULES, **outcome.RULES, "G1": structure, "G3": ownership,
}  # fmt: skip

_DATA: dict[str, Any] = load("rules.toml")
VERSION: str = _DATA["version"]
DIMENSIONS: Mapping[str, Text] = _DATA["dimensions"]
LEVELS: Mapping[str, Any] = _DATA["level"]
PERSONAS: Mapping[str, Any] = _DATA["persona"]
TEXT: Mapping[str, Text] = _DATA["text"]
RULES: tuple[Rule, ...] = tuple(Rule(id=name, detect=_DETECTORS[name], **row) for name, row in _DATA["rule"].items())
PENALTIES: tuple[Penalty, ...] = tuple(Penalty(id=name, **row) for name, row in _DATA["penalty"].items())
ASKS: Mapping[str, Text] = {one.id: one.passes for one in RULES} | {one.id: one.passes for one in PENALTIES}
"""Rule or penalty -> what it looks for."""


def weights(persona: str) -> dict[str, float]:
    """Return the weights of the rules as this persona sees them; they add up to 100."""
    factors: Mapping[str, float] = PERSONAS[persona]["factors"]
    plain = {rule.id: rule.weight * factors.get(rule.id, 1.0) for rule in RULES}
    total = sum(plain.values())
    return {name: weight * 100.0 / total for name, weight in plain.items()}
