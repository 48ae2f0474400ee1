"""At most three hints for an answer, the heaviest first, each with its place and a sentence to rewrite with."""

from collections.abc import Collection
from dataclasses import dataclass

from practice.rubric.score import Score
from practice.rubric.table import PENALTIES, RULES, Text
from practice.rubric.text import Span

MOST_HINTS = 3
ESSENTIAL_FROM = 5.0


@dataclass(frozen=True)
class Hint:
    """One hint. `kind` is essential, actionable, informative or celebratory; `spans` may be empty."""

    kind: str
    rule: str
    lost: float
    text: Text
    frame: Text
    spans: tuple[Span, ...]


def hints_for(score: Score, passed_before: Collection[str] | None = None) -> tuple[Hint, ...]:
    """Return the hints of an answer.

    Parameters
    ----------
    score : Score
        The score of the answer.
    passed_before : collection of str, optional
        Rules that passed in earlier attempts. With it, a rule that passes for the first time is celebrated where
        fewer than three hints are due; without it nothing is.
    """
    of_penalty = {one.id: one for one in PENALTIES}
    found = [
        Hint("essential" if one.penalty == "P3" else "actionable", one.penalty, one.points,
             of_penalty[one.penalty].hint, of_penalty[one.penalty].frame, one.spans)
        for one in score.charges
    ]  # fmt: skip
    rule_of = {rule.id: rule for rule in RULES}
    for one in score.outcomes:
        rule = rule_of[one.rule]
        lost = one.weight - one.points
        if one.value < 1:
            kind = "informative" if one.value else "essential" if rule.weight >= ESSENTIAL_FROM else "actionable"
            found.append(Hint(kind, one.rule, lost, rule.hint, rule.frame, one.spans))
    order = {"essential": 0, "actionable": 1, "informative": 2}
    found.sort(key=lambda hint: (order[hint.kind], -hint.lost))
    firsts = () if passed_before is None else tuple(
        Hint("celebratory", one.rule, 0.0, rule_of[one.rule].passes, rule_of[one.rule].frame, one.spans)
        for one in score.outcomes
        if one.value == 1 and one.rule not in passed_before and one.spans
    )  # fmt: skip
    return (*found, *firsts)[:MOST_HINTS]
