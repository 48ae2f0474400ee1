"""Practice without a browser: a whole exercise in both languages, an attempt that comes back, links good and bad."""

import re
import threading
from collections.abc import Callable
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import i18n, service
from practice.exercises import Exercise, exercises, fill_answer, play, say, swap, told_of
from practice.history import Attempt, database_address, disputes, open_store
from practice.player import Session, choose, encode, predict, session_of, setting_of, share, start
from tests.app.conftest import OpenApp, everything
from tests.practice.exam import keep_at_the_answer

EXERCISE = "SC03"


@pytest.fixture
def exercise() -> Exercise:
    return exercises()[EXERCISE]


def errors_of(app: AppTest) -> list[str]:
    assert not app.exception
    return [one.value for one in app.error]


def press(app: AppTest, key: str) -> None:
    app.button(key=key).click().run()
    assert errors_of(app) == []


def predict_all(app: AppTest, exercise: Exercise) -> None:
    """Predict in the store: without a browser a choice cannot be made in Chinese."""
    store, attempt = open_store(database_address()), app.session_state["_practice_attempt"]
    session = Session.model_validate(store.attempt(attempt).progress["session"])
    for option in exercise.decision(exercise.predict.decision).options:
        for measure in exercise.predict.measures:
            session = predict(session, option.id, measure, "down")
    store.update(attempt, progress={"session": session.model_dump(mode="json")})
    app.run()


def boxes(app: AppTest) -> dict[str, str]:
    return {str(one.key).rpartition("-")[2]: str(one.key) for one in app.text_area}


def to_answer(app: AppTest, exercise: Exercise) -> None:
    press(app, f"start_{exercise.id}")
    press(app, "next")
    press(app, "next")
    assert app.button(key="next").disabled, "predictions come first"
    predict_all(app, exercise)
    press(app, "next")
    for decision in exercise.decisions:
        press(app, f"choose_{decision.id}_{exercise.strong.choices[decision.id]}")
    press(app, "next")
    press(app, "next")


def kept(app: AppTest) -> Attempt:
    return open_store(database_address()).attempt(app.session_state["_practice_attempt"])


def object_to_a_rule(app: AppTest) -> None:
    app.text_input(key="dispute_note").set_value("it saw the wrong number").run()
    press(app, "dispute_send")
    (one,) = disputes([kept(app)])
    assert (one.rule, one.note) == ("S1", "it saw the wrong number")
    assert one.seen
    press(app, "back")  # what the player keeps afterwards leaves the objection alone
    press(app, "next")
    assert len(list(disputes([kept(app)]))) == 1


def test_a_round_of_a_loop_says_how_it_stands_and_begins_the_next(open_app: OpenApp, exercise: Exercise) -> None:
    store = open_store(database_address())
    book = store.new_notebook()
    attempt = keep_at_the_answer(store, book, exercise, "loop", loop="SC03-1", round=1, persona="vp")
    app = open_app("practice", **{"book": book, "try": attempt})
    for box, text in fill_answer(exercise, exercise.strong, "en").items():
        app.text_area(key=boxes(app)[box]).set_value(text).run()
    press(app, "next")
    press(app, "next")
    assert "Round 1 of 5 is passed" in everything(app)
    press(app, "loop_next")
    after = session_of(kept(app))
    assert (after.exercise, after.round, after.loop, after.step) == ("SC04", 2, "SC03-1", "brief")
    assert kept(app).id != attempt


def test_the_consequence_of_the_choices_so_far_is_simulated_ahead_before_any_other(
    open_app: OpenApp, exercise: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    wanted: list[Callable[[], bool]] = []

    def later(work: object, is_wanted: Callable[[], bool]) -> None:
        asked.append(work)
        wanted.append(is_wanted)

    monkeypatch.setattr("dashboard.service.later", later)
    app = open_app("practice")
    press(app, f"start_{exercise.id}")
    assert len(asked) == 1 + sum(len(one.options) for one in exercise.decisions)  # while the brief is read
    press(app, "next")
    press(app, "next")
    predict_all(app, exercise)
    press(app, "next")
    for decision in exercise.decisions:
        press(app, f"choose_{decision.id}_{exercise.strong.choices[decision.id]}")
    mine = setting_of(session_of(kept(app)))
    assert dict(mine.choices) == exercise.strong.choices
    shown = [swap(exercise, mine, one.id) for one in exercise.decision(exercise.evidence.decision).options]
    assert [one() for one in wanted] == sorted(one() for one in wanted), "a later look replaces those before it"
    assert not wanted[0]()
    settings = [one.args[1] for one in asked if isinstance(one, partial) and one.func is play]
    assert settings[-1] == mine  # the background does first what it was asked for last
    assert settings[-1 - len(shown) : -1] == shown[::-1]
    assert wanted[-1]()
    press(app, "leave")
    assert not any(one() for one in wanted)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_a_whole_exercise_in_the_language_of_the_reader(open_app: OpenApp, exercise: Exercise, lang: str) -> None:
    app = open_app("practice", lang=lang)
    to_answer(app, exercise)
    for box, text in fill_answer(exercise, exercise.strong, lang).items():
        app.text_area(key=boxes(app)[box]).set_value(text).run()
        assert errors_of(app) == []
    press(app, "next")
    assert len([key for key in boxes(app) if "." in key]) == 6, "five questions and the first why"
    press(app, "next")
    assert app.subheader[0].value.startswith(i18n.catalogue()["practice.total"][lang].split("{")[0])
    assert float(re.findall(r"\d+(?:\.\d+)?", app.subheader[0].value.replace("100", "", 1) if lang == "zh" else
                            app.subheader[0].value)[0]) >= 80  # fmt: skip
    object_to_a_rule(app)
    press(app, "next")
    press(app, "next")
    has_chinese = any("\u4e00" <= sign <= "\u9fff" for sign in everything(app).replace("中文", ""))
    assert has_chinese is (lang == "zh")


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_the_model_answers_stand_beside_what_was_chosen_otherwise(
    open_app: OpenApp, exercise: Exercise, lang: str
) -> None:
    store = open_store(database_address())
    book = store.new_notebook()
    choices = {**exercise.strong.choices, "reserve": "r10"}
    attempt = keep_at_the_answer(store, book, exercise, "learn", step="reveal", reached="reveal", choices=choices)
    session = session_of(store.attempt(attempt))
    app = open_app("practice", lang=lang, **{"book": book, "try": attempt})
    assert errors_of(app) == []
    seen = " ".join(one.value for one in app.markdown)
    for option in ("r10", "r20"):
        assert i18n.escape(exercise.decision("reserve").option(option).label.of(lang)) in seen
    weak = told_of(exercise, exercise.weak, lang, setting_of(session))["R"]
    assert i18n.escape(weak, 4_000) in seen
    missed = play(exercise, setting_of(session)).rows["low_tail"].after.median
    assert i18n.catalogue()["practice.defence.missed"][lang].split("{")[0] in seen
    assert i18n.escape(say(missed, "ms", lang)) in seen
    (rows,) = (one.value for one in app.table)
    assert len(rows) == len(exercise.evidence.measures)


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_how_a_reply_felt_is_noted_below_it_and_told_at_the_end(
    open_app: OpenApp, exercise: Exercise, lang: str
) -> None:
    store = open_store(database_address())
    book = store.new_notebook()
    fields = {"asked": ("stress.half", "logic.0"), "step": "probes", "reached": "probes"}
    attempt = keep_at_the_answer(store, book, exercise, "practice", **fields)
    session = session_of(store.attempt(attempt))
    app = open_app("practice", lang=lang, **{"book": book, "try": attempt})
    assert errors_of(app) == []
    key = f"felt-{attempt}-logic.0"
    assert [one.key for one in app.button_group if str(one.key).startswith("felt-")][-1] == key
    if lang == "en":  # without a browser a choice cannot be made in Chinese
        app.button_group(key=key).set_value(["invented"]).run()
        assert errors_of(app) == []
    else:
        store.update(
            attempt, progress={"session": {**session.model_dump(mode="json"), "felt": {"logic.0": ["invented"]}}}
        )
    noted = session_of(store.attempt(attempt))
    assert noted.felt == {"logic.0": ("invented",)}
    last = noted.model_copy(update={"step": "learn", "reached": "learn"})
    store.update(attempt, progress={"session": last.model_dump(mode="json")})
    app.run()
    assert errors_of(app) == []
    told = next(one.value for one in app.markdown if i18n.catalogue()["practice.felt.invented"][lang] in one.value)
    assert i18n.escape(exercise.probes.logic[0].ask.of(lang), 4_000) in told


def test_an_attempt_comes_back_with_what_was_typed(open_app: OpenApp, exercise: Exercise) -> None:
    app = open_app("practice")
    to_answer(app, exercise)
    app.text_area(key=boxes(app)["S"]).set_value("160 A100 GPUs; <b>not</b> bold").run()
    attempt = app.session_state["_practice_attempt"]
    later = open_app("practice", **{"try": attempt})
    later.query_params["try"] = attempt
    later.run()
    assert later.text_area(key=boxes(later)["S"]).value == "160 A100 GPUs; <b>not</b> bold"


def test_a_link_opens_read_only_with_the_same_evidence(open_app: OpenApp, exercise: Exercise) -> None:
    session = start(exercise, "practice")
    for decision in exercise.decisions:
        session = choose(session, decision.id, exercise.strong.choices[decision.id])
    session = session.model_copy(update={"step": "consequence", "reached": "learn", "answer": {"S": "my words"}})
    app = open_app()
    app.query_params["shared"] = encode(share(exercise, session, has_answers=True))
    app.switch_page("pages/practice.py")
    app.query_params["shared"] = encode(share(exercise, session, has_answers=True))
    app.run()
    assert errors_of(app) == []
    text = everything(app)
    assert i18n.catalogue()["practice.review_same"]["en"] in text
    assert [one.key for one in app.text_area] == []


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"shared": "nonsense"}, "nonsense"),
        ({"exercise": "SC99"}, "SC99"),
        ({"try": "unknown-attempt"}, "unknown-atte"),
    ],
)
def test_a_bad_address_is_one_sentence(open_app: OpenApp, params: dict[str, str], said: str) -> None:
    app = open_app()
    app.switch_page("pages/practice.py")
    for name, value in params.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert len(app.error) == 1
    assert said in app.error[0].value.replace("\\", "")
    assert not app.button(key=f"start_{EXERCISE}").disabled


def test_work_that_is_not_wanted_any_more_is_dropped_before_it_begins() -> None:
    gate, end, done = threading.Event(), threading.Event(), []
    service.later(gate.wait)  # the one thread is busy meanwhile
    service.later(end.set)
    service.later(lambda: done.append("kept"))
    service.later(lambda: done.append("dropped"), lambda: False)
    service.later(partial(done.append, "wanted"), lambda: True)
    gate.set()
    assert end.wait(60)
    assert sorted(done) == ["kept", "wanted"]
