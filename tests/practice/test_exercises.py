"""Every exercise file: complete, consistent, possible, and true to what it teaches."""

import pytest

from practice.exercises import Exercise, Setting, exercises, fill_answer, play
from practice.rubric import score_answer

EXERCISES = list(exercises().values())


@pytest.fixture(params=EXERCISES, ids=lambda one: one.id)
def exercise(request: pytest.FixtureRequest) -> Exercise:
    return request.param  # type: ignore[no-any-return]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_strong_answer_scores_high_and_the_weak_one_low(exercise: Exercise, language: str) -> None:
    assert score_answer(fill_answer(exercise, exercise.strong, language)).total >= 80
    assert score_answer(fill_answer(exercise, exercise.weak, language)).total <= 30


def test_a_choice_has_a_consequence_for_every_measure(exercise: Exercise) -> None:
    found = play(exercise, Setting(choices=exercise.strong.choices))
    assert set(found.rows) == set(exercise.measures)
    assert all(row.after.median is not None for row in found.rows.values())
