"""The score of a session: the rules, the claims against the runs, and the answer cut where something was seen."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from practice.exercises import Exercise, rubric_run
from practice.player.session import Session, setting_of
from practice.rubric import (
    Evidence,
    Fault,
    Hint,
    Mark,
    Score,
    Seen,
    check_claims,
    compare_turns,
    cut,
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


def grade(exercise: Exercise, session: Session, passed_before: Collection[str] | None = None) -> Grade:
    """Return the grade of the answer as it stands; the same session always gives the same grade.

    With `passed_before`, the rules that passed in earlier attempts, a first pass is celebrated.
    """
    answer = dict(session.answer)
    score = score_answer(answer, session.persona)
    has_choice = exercise.evidence.decision in session.choices
    evidence = check_claims(answer, rubric_run(exercise, setting_of(session))) if has_choice else Evidence((), None)
    turns = {key: tuple(compare_turns(answer, text)) for key, text in session.replies.items() if text.strip()}
    return Grade(
        score, evidence, scenario_total(score.total, evidence), hints_for(score, passed_before),
        {key: found for key, found in turns.items() if found},
    )  # fmt: skip


def _seen(found: Grade) -> Iterator[Seen]:
    for outcome in found.score.outcomes:
        for span in outcome.spans if outcome.value else ():
            yield span.start, span.end, PASSED, outcome.rule
    for claim in found.evidence.claims:
        if claim.grade is not None:
            yield claim.span.start, claim.span.end, CLAIMED if claim.grade else CHARGED, "E"
    for charge in found.score.charges:
        for span in charge.spans:
            yield span.start, span.end, CHARGED, charge.penalty


def marks(found: Grade) -> tuple[Mark, ...]:
    """Return the text of a grade in order, cut wherever what was seen begins or ends; the parts joined give it back."""
    return cut(found.score.text, _seen(found), (PASSED, CLAIMED, CHARGED))
