"""Keep a score of the rubric as plain data, stamped with the version of its rules."""

from practice.history.model import Charge, Grade, RuleOutcome
from practice.rubric import Score, Span


def graded(score: Score, *, total: float | None = None, evidence_share: float | None = None) -> Grade:
    """Return what is kept of a score.

    Parameters
    ----------
    score : Score
        What the rules gave.
    total : float, optional
        The total of the exercise, 0 to 100, where the run counts too; else the rules' own.
    evidence_share : float, optional
        How far the answer agreed with the run, 0 to 1.
    """
    return Grade(
        rubric_version=score.version,
        persona=score.persona,
        text=score.text,
        total=score.total if total is None else total,
        dimensions=dict(score.dimensions),
        outcomes=tuple(
            RuleOutcome(rule=one.rule, value=one.value, points=one.points, weight=one.weight, spans=_pairs(one.spans))
            for one in score.outcomes
        ),
        charges=tuple(Charge(penalty=one.penalty, points=one.points, spans=_pairs(one.spans)) for one in score.charges),
        notes=score.notes,
        evidence_share=evidence_share,
    )


def _pairs(spans: tuple[Span, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((one.start, one.end) for one in spans)
