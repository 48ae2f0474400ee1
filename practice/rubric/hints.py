"""At most three hints for an answer, the heaviest first, each with its places and a sentence to rewrite with."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from practice.rubric.table import PENALTIES, RULES, Text
from practice.rubric.text import Span

MOST_HINTS = 3
ESSENTIAL_FROM = 5.0
_ORDER = ("essential", "actionable", "informative")
Place = Span | tuple[int, int]


class Counted(Protocol):
    """Points of an answer, and where they were seen; as scored or as kept."""

    @property
    def points(self) -> float:
        """Return its points."""

    @property
    def spans(self) -> Sequence[Place]:
        """Return where it was seen."""


class Ruled(Counted, Protocol):
    """What one rule gave."""

    @property
    def rule(self) -> str:
        """Return its id."""

    @property
    def value(self) -> float:
        """Return its value, 0 to 1."""

    @property
    def weight(self) -> float:
        """Return its weight."""


class Charged(Counted, Protocol):
    """What one penalty took."""

    @property
    def penalty(self) -> str:
        """Return its id."""


class Hinted(Protocol):
    """A score, or what was kept of one."""

    @property
    def outcomes(self) -> Sequence[Ruled]:
        """Return what every rule gave."""

    @property
    def charges(self) -> Sequence[Charged]:
        """Return what the penalties took."""


@dataclass(frozen=True)
class Hint:
    """One hint. `kind` is essential, actionable, informative or celebratory; `spans` (start, end) may be empty."""

    kind: str
    rule: str
    lost: float
    text: Text
    frame: Text
    spans: tuple[tuple[int, int], ...]


def hints_for(score: Hinted, passed_before: Collection[str] | None = None) -> tuple[Hint, ...]:
    """Return the hints of an answer.

    Parameters
    ----------
    score : Score or a kept grade
        The score of the answer.
    passed_before : collection of str, optional
        Rules that passed in earlier attempts. With it, a rule that passes for the first time is celebrated where
        fewer than three hints are due; without it nothing is.
    """
    found = sorted((*_charges(score), *_failures(score)), key=lambda hint: (_ORDER.index(hint.kind), -hint.lost))
    firsts = () if passed_before is None else tuple(_firsts(score, passed_before))
    return (*found, *firsts)[:MOST_HINTS]


def _charges(score: Hinted) -> Iterator[Hint]:
    of_penalty = {one.id: one for one in PENALTIES}
    for one in score.charges:
        if one.penalty in of_penalty:
            penalty, kind = of_penalty[one.penalty], "essential" if one.penalty == "P3" else "actionable"
            yield Hint(kind, one.penalty, one.points, penalty.hint, penalty.frame, _pairs(one.spans))


def _failures(score: Hinted) -> Iterator[Hint]:
    rule_of = {rule.id: rule for rule in RULES}
    for one in score.outcomes:
        rule = rule_of.get(one.rule)
        if rule and one.value < 1:
            kind = "informative" if one.value else "essential" if rule.weight >= ESSENTIAL_FROM else "actionable"
            yield Hint(kind, one.rule, one.weight - one.points, rule.hint, rule.frame, _pairs(one.spans))


def _firsts(score: Hinted, passed_before: Collection[str]) -> Iterator[Hint]:
    rule_of = {rule.id: rule for rule in RULES}
    for one in score.outcomes:
        if one.value == 1 and one.rule in rule_of and one.rule not in passed_before and one.spans:
            rule = rule_of[one.rule]
            yield Hint("celebratory", one.rule, 0.0, rule.passes, rule.frame, _pairs(one.spans))


def _pairs(spans: Sequence[Place]) -> tuple[tuple[int, int], ...]:
    return tuple((one.start, one.end) if isinstance(one, Span) else one for one in spans)
