"""Rounds with gates, where to begin, "so what?", and what is celebrated: all without a screen."""

from dataclasses import dataclass

import pytest

from practice.exercises import exercises, fill_answer
from practice.history import passed_rules
from practice.player import (
    BACKGROUNDS,
    FEEDBACK,
    MODES,
    ROUNDS,
    Session,
    advise,
    choose,
    choose_questions,
    grade,
    next_round,
    question_of,
    standing,
    start,
    write,
)
from practice.rubric import DIMENSIONS, PERSONAS, facts_without_effect
from tests.practice.history.builders import STRONG, attempt

NAMES = list(exercises())


@dataclass
class Round:
    dimensions: dict[str, float | None]


def scored(lowest: float) -> Round:
    return Round({dimension: lowest if dimension == "BA" else 80.0 for dimension in DIMENSIONS})


def answered(name: str) -> Session:
    exercise = exercises()[name]
    session = start(exercise, "practice")
    for decision in exercise.decisions:
        session = choose(session, decision.id, exercise.strong.choices[decision.id])
    for box, text in fill_answer(exercise, exercise.strong, "en").items():
        session = write(session, box, text)
    return session


def test_five_rounds_have_five_exercises_and_the_interviewers_of_the_table() -> None:
    session = start(exercises()[NAMES[-2]], "loop", now_s=1_000.0)
    rounds = [session]
    while rounds[-1].round < len(ROUNDS):
        rounds.append(next_round(rounds[-1], now_s=2_000.0))
    assert [one.round for one in rounds] == [1, 2, 3, 4, 5]
    assert [one.exercise for one in rounds] == [NAMES[-2], NAMES[-1], NAMES[0], NAMES[1], NAMES[2]]
    assert [one.persona for one in rounds] == [one.persona for one in ROUNDS]
    assert {one.loop for one in rounds} == {session.loop}
    assert start(exercises()[NAMES[-2]], "loop", now_s=1_001.0).loop != session.loop
    assert start(exercises()[NAMES[0]], "exam").loop == ""


@pytest.mark.parametrize(
    ("lowest", "stops", "goes_on"),
    [([70.0], False, True), ([70.0, 50.0], True, False), ([70.0] * 5, False, False), ([40.0], True, False)],
)
def test_a_weak_round_ends_the_loop_and_five_good_ones_finish_it(
    lowest: list[float], stops: bool, goes_on: bool
) -> None:
    found = standing([scored(one) for one in lowest])
    assert (found.is_stopped, found.goes_on, found.played) == (stops, goes_on, len(lowest))
    assert found.lowest == {"BA": lowest[-1]}


def test_advice_names_what_there_is_for_everybody() -> None:
    for background in BACKGROUNDS:
        for feedback in FEEDBACK:
            found = advise(background, feedback)
            assert found.exercise in exercises()
            assert found.mode in MODES
            assert found.persona in PERSONAS
    assert "not for you yet" in advise("junior", "none").fits["en"]


def test_so_what_is_asked_of_a_technical_fact_without_its_worth() -> None:
    assert facts_without_effect({"R": "Backfill cut the wait from 4 h to 40 min."}) == (
        "Backfill cut the wait from 4 h to 40 min",
    )
    assert facts_without_effect({"R": "Backfill cut the wait from 4 h to 40 min, worth $2M a year."}) == ()
    assert facts_without_effect({"R": "回填把等待从 4 小时降到 40 分钟。每年省 200 万美元。"}) == ()
    assert facts_without_effect({"A": "I talked to everybody."}) == ()
    exercise = exercises()["SC03"]
    session = write(answered("SC03"), "A", "I chose a reserve of 20% because the replay showed a wait of 9 h.")
    assert "so_what.0" in choose_questions(exercise, session)
    asked = question_of(exercise, session, "so_what.0", "en")
    assert asked.kind == "technical"
    assert asked.ask.endswith("So what?")
    assert "$" in asked.listen


def test_a_rule_that_passes_for_the_first_time_is_celebrated_and_the_second_time_is_not() -> None:
    exercise, session = exercises()["SC03"], answered("SC03")
    first = grade(exercise, session, passed_rules([]))
    again = grade(exercise, session, passed_rules([attempt(STRONG)]))
    assert [one.kind for one in first.hints] == ["celebratory"] * 3
    assert not {one.rule for one in again.hints if one.kind == "celebratory"} & passed_rules([attempt(STRONG)])
    assert grade(exercise, session).hints == ()
