"""Attempts for tests: a labelled answer scored at a time."""

from datetime import UTC, datetime, timedelta
from itertools import count

from practice.history import Attempt, Grade, Prediction, Section, graded
from practice.rubric import score_answer
from tests.practice.answers import data

START = datetime(2027, 1, 4, 9, 0, tzinfo=UTC)
WEAK, MEDIUM, STRONG = "E1", "E3", "E5"
_ANSWERS = {row["id"]: row["text"] for row in data("public.toml")["answer"]}
_IDS = count(1)


def grade(answer: str) -> Grade:
    """Return the score of a labelled answer."""
    return graded(score_answer(_ANSWERS[answer]))


def attempt(
    answer: str, *, day: float = 0, subject: str = "sc04", predictions: tuple[Prediction, ...] = (), **fields: object
) -> Attempt:
    """Return an attempt with a labelled answer, scored `day` days after `START`."""
    at = START + timedelta(days=day)
    given: dict[str, object] = {
        "id": f"attempt-{next(_IDS):04d}",
        "subject": subject,
        "sections": {"A": Section(text=_ANSWERS[answer], saved_at=at)},
        "grade": grade(answer),
        "predictions": predictions,
        "created_at": at,
        "updated_at": at,
        "finished_at": at,
        **fields,
    }
    return Attempt.model_validate(given)
