"""The player without a screen: what opens and closes, what is asked, where another option wins, what a link holds."""

from collections.abc import Callable

import pytest

from practice.exercises import KINDS, Exercise, Setting, exercises, fill_answer, play, swap
from practice.player import (
    MODES,
    STEPS,
    WHYS,
    PlayerError,
    Session,
    back_to,
    calibrate,
    choose,
    choose_questions,
    decode,
    encode,
    feel,
    flip_point,
    grade,
    guess_key,
    marks,
    may_change,
    missing,
    move_on,
    next_why,
    predict,
    question_of,
    say_why,
    seconds_left,
    setting_of,
    share,
    slopes,
    start,
    write,
)
from practice.player.levers import moved, winner
from practice.rubric import quantities_in, score_answer

FULL_WIDTH = "\uff11\uff16\uff10\uff27\uff30\uff35, 等待\uff14小时"


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return exercises()["SC03"]


def decided(exercise: Exercise, mode: str = "practice", persona: str = "committee") -> Session:
    return choose_all(exercise, start(exercise, mode, persona))


def answered(exercise: Exercise, language: str = "en", persona: str = "committee") -> Session:
    session = decided(exercise, persona=persona)
    for box, text in fill_answer(exercise, exercise.strong, language).items():
        session = write(session, box, text)
    return session


def predicted(exercise: Exercise, session: Session, movement: str) -> Session:
    for option in exercise.decision(exercise.predict.decision).options:
        for measure in exercise.predict.measures:
            session = predict(session, option.id, measure, movement)
    return session


def choose_all(exercise: Exercise, session: Session) -> Session:
    for decision in exercise.decisions:
        session = choose(session, decision.id, exercise.strong.choices[decision.id])
    return session


FILL: dict[str, Callable[[Exercise, Session], Session]] = {
    "predict": lambda exercise, session: predicted(exercise, session, "up"),
    "decide": choose_all,
    "answer": lambda _, session: write(session, "S", "160 GPUs"),
}


def test_ten_steps_in_order_and_nothing_is_skipped(exercise: Exercise) -> None:
    session = start(exercise, "practice")
    seen = [session.step]
    while len(seen) < len(STEPS):
        if missing(session, exercise):
            with pytest.raises(PlayerError, match="missing"):
                move_on(session, now_s=0)
            session = FILL[session.step](exercise, session)
        session = move_on(session, now_s=5.0)
        seen.append(session.step)
    assert tuple(seen) == STEPS
    assert session.ended_s == 5.0


@pytest.mark.parametrize("mode", [name for name in MODES if name != "reviewer"])
def test_predictions_close_with_their_step_in_every_mode(exercise: Exercise, mode: str) -> None:
    session = start(exercise, mode).model_copy(update={"reached": "decide"})
    assert not may_change(session, "predictions")
    option = exercise.decision(exercise.predict.decision).options[0].id
    with pytest.raises(PlayerError, match="closed"):
        predict(session, option, exercise.predict.measures[0], "up")


@pytest.mark.parametrize(("mode", "is_open"), [("learn", True), ("practice", True), ("exam", False), ("drill", False)])
def test_an_exam_closes_what_was_left_and_practice_does_not(exercise: Exercise, mode: str, is_open: bool) -> None:
    session = start(exercise, mode).model_copy(update={"reached": "score"})
    assert may_change(session, "answer") is is_open
    assert not may_change(session.model_copy(update={"reached": "reveal"}), "answer")


def test_hints_and_model_answers_by_mode() -> None:
    assert [MODES[name].shows_hints("answer") for name in ("learn", "practice", "exam")] == [True, False, False]
    assert [MODES[name].shows_hints("score") for name in ("learn", "practice", "exam")] == [True, True, False]
    assert [MODES[name].shows_models("answer") for name in ("learn", "practice", "exam")] == [True, False, False]
    assert MODES["exam"].shows_models("score")


def test_the_clock_of_an_exam_starts_at_once_and_that_of_a_drill_with_the_answer(exercise: Exercise) -> None:
    assert seconds_left(start(exercise, "exam", now_s=100.0), 160.0) == 45 * 60 - 60
    drill = start(exercise, "drill", minutes=3, now_s=100.0)
    assert seconds_left(drill, 160.0) is None
    at_answer = move_on(
        decided(exercise, "drill").model_copy(update={"step": "consequence", "minutes": 3}), now_s=200.0
    )
    assert (at_answer.step, seconds_left(at_answer, 400.0)) == ("answer", 3 * 60 - 200)  # time is up by 20 s
    with pytest.raises(PlayerError, match="minutes"):
        start(exercise, "drill", minutes=7)


def test_an_exam_has_an_interviewer_of_its_own_and_a_persona_changes_points(exercise: Exercise) -> None:
    assert start(exercise, "exam", "committee").persona == "vp"
    medium = fill_answer(exercise, exercise.strong, "en") | {"A": "I chose the reservation of 20%."}
    points = {one: score_answer(medium, one).total for one in ("committee", "vp")}
    assert points["vp"] < points["committee"], "basis and mechanism weigh double"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_are_the_same_for_the_same_answer_and_of_all_kinds(exercise: Exercise, language: str) -> None:
    session = answered(exercise, language)
    keys = choose_questions(exercise, session)
    assert keys == choose_questions(exercise, session)
    questions = [question_of(exercise, session, key, language) for key in keys]
    assert {one.kind for one in questions} == set(KINDS)
    assert len(set(keys)) == 5
    assert all("{" not in one.ask + one.listen for one in questions)


def test_the_first_question_is_the_heaviest_failed_rule(exercise: Exercise) -> None:
    session = write(answered(exercise), "A", "Something was done by the team.")
    score = score_answer(dict(session.answer), session.persona)
    lost = {one.rule: one.weight - one.points for one in score.outcomes}
    key = choose_questions(exercise, session)[0]
    assert key.startswith("rule.")
    assert lost[key.removeprefix("rule.")] == max(lost.values()) > 0


def test_another_answer_may_be_asked_something_else(exercise: Exercise) -> None:
    session = answered(exercise)
    asked = {choose_questions(exercise, write(session, "L", session.answer["L"] + "!" * n)) for n in range(8)}
    assert len(asked) > 1


def test_the_lever_asked_about_has_the_largest_elasticity(exercise: Exercise) -> None:
    session = answered(exercise)
    found = slopes(exercise, setting_of(session))
    assert f"lever.{found[0].lever.id}" in choose_questions(exercise, session)
    assert [abs(one.elasticity) for one in found] == sorted((abs(one.elasticity) for one in found), reverse=True)


def test_past_the_flip_point_another_option_wins(exercise: Exercise) -> None:
    setting = setting_of(decided(exercise))
    flip = flip_point(exercise, setting)
    assert flip is not None
    assert winner(exercise, setting) == flip.before
    side = 1 if flip.is_above else -1
    reach = (flip.lever.high if flip.is_above else flip.lever.low) - 1.0
    step = abs(reach) / 3 / 2**5  # a third of a side, halved five times
    assert winner(exercise, moved(setting, flip.lever, flip.at - side * step)) == flip.before
    assert winner(exercise, moved(setting, flip.lever, flip.at + side * step)) == flip.after


def test_whys_chain_on_the_number_said_last() -> None:
    answer = {"A": "I chose 20%.", "R": "The wait fell to 35 min"}
    assert "35 min" in str(next_why(answer, (), "en"))
    assert "0.6" in str(next_why(answer, ("It was 12 at first, then 0.6",), "zh"))
    assert next_why(answer, ("no figure at all",), "en") == "Still no number. How would you measure it?"
    assert next_why(answer, ("x",) * WHYS, "en") is None


def test_a_number_is_quoted_as_it_was_written() -> None:
    assert quantities_in("等待从\uff14小时降到 35 分钟") == ("\uff14小时", "35 分钟")


def test_predictions_are_held_to_each_option_alone(exercise: Exercise) -> None:
    found = calibrate(exercise, predicted(exercise, start(exercise, "practice"), "same"))
    decision = exercise.decision(exercise.predict.decision)
    assert len(found.guesses) == len(decision.options) * len(exercise.predict.measures)
    rows = {one.id: play(exercise, swap(exercise, Setting(), one.id)).rows for one in decision.options}
    assert found.right == sum(rows[one.option][one.measure].movement == "same" for one in found.guesses)
    assert found.gap_share is None


def test_marks_give_the_answer_back_and_show_what_passed(exercise: Exercise) -> None:
    found = grade(exercise, answered(exercise))
    parts = marks(found)
    assert "".join(one.text for one in parts) == found.score.text
    assert {"passed", "claimed"} <= {one.kind for one in parts}


def test_a_link_holds_the_evidence_and_the_answer_only_on_request(exercise: Exercise) -> None:
    session = answered(exercise)
    bare, full = (decode(encode(share(exercise, session, has_answers=one))) for one in (False, True))
    assert (bare.session.answer, full.session.answer) == ({}, dict(session.answer))
    assert bare.session.choices == session.choices
    row = play(exercise, setting_of(session)).rows[exercise.evidence.headline]
    assert bare.evidence[exercise.evidence.headline] == pytest.approx(row.after.median)
    assert not may_change(full.session, "answer")


@pytest.mark.parametrize("text", ["", "x", "%%%", "eJwrSS0uAQAEXQHB", "A" * 5000])
def test_a_damaged_link_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(PlayerError, match="it must be complete"):
        decode(text)


@pytest.mark.parametrize(
    ("part", "what"),
    [({"exercise": "SC99"}, "exercise"), ({"step": "nowhere"}, "step"), ({"choices": {"share": "r99"}}, "choice"),
     ({"choices": {"nothing": "r20"}}, "decision"), ({"persona": "friend"}, "persona")],
)  # fmt: skip
def test_a_link_that_names_what_there_is_not_says_what(exercise: Exercise, part: dict[str, object], what: str) -> None:
    shared = share(exercise, decided(exercise))
    if what == "choice":
        part = {"choices": {exercise.decisions[0].id: "r99"}}
    wrong = shared.model_copy(update={"session": shared.session.model_copy(update=part)})
    with pytest.raises(PlayerError) as caught:
        decode(encode(wrong))
    assert caught.value.what == what


def test_a_link_too_long_to_travel_says_how_long(exercise: Exercise) -> None:
    noise = "".join(chr(33 + (n * n * 7919 + n * 104_729) % 8_000) for n in range(20_000))
    with pytest.raises(PlayerError, match="at most 6,000 characters"):
        encode(share(exercise, write(decided(exercise), "S", noise), has_answers=True))


def test_a_hundred_thousand_words_stay_whole_and_are_scored(exercise: Exercise) -> None:
    text = "wait 40 min for GPUs " * 20_000
    session = write(decided(exercise), "R", text)
    assert session.answer["R"] == text
    assert "truncated" in grade(exercise, session).score.notes


@pytest.mark.parametrize("text", ["no", "<b>160 GPUs</b><script>x</script>", FULL_WIDTH, "wait等待4h降到35分钟"])
def test_odd_text_is_scored_and_marked_whole(exercise: Exercise, text: str) -> None:
    found = grade(exercise, write(decided(exercise), "S", text))
    assert text in "".join(one.text for one in marks(found))


def test_a_step_ahead_and_a_why_too_deep_are_refused(exercise: Exercise) -> None:
    session = start(exercise, "practice")
    with pytest.raises(PlayerError, match="step is 'score'"):
        back_to(session, "score")
    with pytest.raises(PlayerError, match="why is '3'"):
        say_why(session, 2, "x")
    assert guess_key("a", "b") == "a.b"


def test_what_a_candidate_felt_is_kept_shown_and_never_in_a_link() -> None:
    exercise = exercises()["SC03"]
    session = answered(exercise).model_copy(update={"asked": ("stress.half", "technical.0")})
    felt = feel(session, "stress.half", ("nervous", "invented"))
    assert felt.felt == {"stress.half": ("nervous", "invented")}
    assert feel(felt, "stress.half", ()).felt == {}
    for has_answers in (False, True):
        assert share(exercise, felt, has_answers=has_answers).session.felt == {}
    with pytest.raises(PlayerError):
        feel(session, "technical.1", ("nervous",))
    with pytest.raises(PlayerError):
        feel(session, "stress.half", ("bored",))
