"""The score of a session: the rules, the claims against the runs, and the answer cut where something was seen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from practice.exercises import Exercise, rubric_run
from practice.player.session import Session, setting_of
from practice.rubric import (
    PENALTIES,
    RULES,
    Evidence,
    Fault,
    Hint,
    Score,
    Span,
    check_claims,
    compare_turns,
    hints_for,
    scenario_total,
    score_answer,
)

PASSED, CLAIMED, CHARGED = "passed", "claimed", "charged"
"""Why a stretch of an answer is marked: a rule passes there, a run was compared, points were lost."""


@dataclass(frozen=True)
class Grade:
    """Everything that is known about an answer; `turns` holds replies that change a number of it."""

    score: Score
    evidence: Evidence
    total: float
    hints: tuple[Hint, ...]
    turns: Mapping[str, tuple[Fault, ...]]


@dataclass(frozen=True)
class Mark:
    """A stretch of the answer: plain text where `kind` is empty; `reasons` are rules, penalties and ``E``."""

    text: str
    kind: str
    reasons: tuple[str, ...]


def grade(exercise: Exercise, session: Session) -> Grade:
    """Return the grade of the answer as it stands; the same session always gives the same grade."""
    answer = dict(session.answer)
    score = score_answer(answer, session.persona)
    has_choice = exercise.evidence.decision in session.choices
    evidence = check_claims(answer, rubric_run(exercise, setting_of(session))) if has_choice else Evidence((), None)
    turns = {key: tuple(compare_turns(answer, text)) for key, text in session.replies.items() if text.strip()}
    return Grade(
        score, evidence, scenario_total(score.total, evidence), hints_for(score),
        {key: found for key, found in turns.items() if found},
    )  # fmt: skip


def _seen(found: Grade) -> Iterator[tuple[Span, str, str]]:
    """Yield what was seen, weakest first: a later mark lies over an earlier one."""
    names = {rule.id for rule in RULES}
    for outcome in found.score.outcomes:
        for span in outcome.spans if outcome.value and outcome.rule in names else ():
            yield span, PASSED, outcome.rule
    for claim in found.evidence.claims:
        if claim.grade is not None:
            yield claim.span, CLAIMED if claim.grade else CHARGED, "E"
    known = {penalty.id for penalty in PENALTIES}
    for charge in found.score.charges:
        for span in charge.spans if charge.penalty in known else ():
            yield span, CHARGED, charge.penalty


def marks(found: Grade) -> tuple[Mark, ...]:
    """Return the text of a grade in order, cut wherever what was seen begins or ends; the parts joined give it back."""
    text = found.score.text
    seen = list(_seen(found))
    cuts = sorted({0, len(text), *(at for span, _, _ in seen for at in (span.start, span.end) if at <= len(text))})
    order = ("", PASSED, CLAIMED, CHARGED)
    parts = []
    for start, end in pairwise(cuts):
        here = [(kind, reason) for span, kind, reason in seen if span.start < end and start < span.end]
        kind = max((kind for kind, _ in here), key=order.index, default="")
        reasons = tuple(dict.fromkeys(reason for one, reason in here if one == kind))
        parts.append(Mark(text[start:end], kind, reasons))
    return tuple(parts)
