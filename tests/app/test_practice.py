"""Stories and history without a browser, in both languages: kept, scored, due, compared, taken along, deleted."""

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import i18n
from practice.history import Store, database_address, open_store
from tests.app.conftest import OpenApp, everything
from tests.practice.history.builders import MEDIUM, START, STRONG, WEAK, attempt

BOXES = {
    "S": "2,400 H100 GPUs serve two teams, yet utilisation is only 46%.",
    "T": "I was asked to raise it from 46% to 58% by June.",
    "A": "I chose preemption with a 5-minute window because a replay of two weeks showed that it loses least.",
    "R": "Utilisation rose from 46% to 59%, but evictions rose from 5% to 9%.",
}


def begun(open_app: OpenApp, lang: str = "en") -> tuple[AppTest, Store, str]:
    app = open_app("stories", lang=lang)
    app.button(key="story_new").click().run()
    store = open_store(database_address())
    return app, store, app.session_state["_notebook"]


def filled(open_app: OpenApp, lang: str = "en") -> tuple[Store, str]:
    """Return a store with a notebook of four scored attempts at three exercises."""
    open_app(lang=lang)
    store = open_store(database_address())
    book = store.new_notebook()
    ago = (datetime.now(UTC) - START).days - 40  # long enough for rules to be due again
    first = attempt(WEAK, day=ago, choices={"theta": "low"}, run_hash="ab" * 32)
    rest = [attempt(MEDIUM, day=ago + 1, subject="sc01"), attempt(STRONG, day=ago + 2, subject="sc02")]
    store.add(book, [first, *rest, attempt(STRONG, day=ago + 3, choices={"theta": "high"})], [])
    return store, book


def test_a_story_is_saved_box_by_box_and_scored(open_app: OpenApp) -> None:
    app, store, book = begun(open_app)
    (story,) = store.stories(book)
    for name, text in BOXES.items():
        app.text_area(key=f"box-{story.id}-{name}").set_value(text).run()
    assert not app.exception
    assert store.story(story.id).texts() == BOXES
    app.button(key="story_score").click().run()
    assert not app.exception
    assert [error.value for error in app.error] == []
    (scored,) = store.attempts(book)
    assert scored.grade is not None
    assert scored.kind == "story"
    assert any(metric.value == f"{scored.grade.total:g}" for metric in app.metric)
    assert f"book={book}" in app.session_state["_address"]


def test_a_story_in_chinese_shows_boxes_score_and_questions(open_app: OpenApp) -> None:
    app, store, book = begun(open_app, "zh")
    (story,) = store.stories(book)
    store.save_section(story.id, "S", BOXES["S"])
    scored = attempt(STRONG, kind="story", subject=story.id)
    store.add(book, [scored], [])
    app = open_app("stories", lang="zh", book=book)  # radio buttons cannot be set in Chinese here, so a link opens it
    assert not app.exception
    assert [error.value for error in app.error] == []
    assert app.text_area(key=f"box-{story.id}-S").label == "\u80cc\u666f"
    assert scored.grade is not None
    assert any(metric.value == f"{scored.grade.total:g}" for metric in app.metric)
    assert "\u9884\u7b97\u524a\u51cf" in "".join(app.radio(key="story_stress").options)


def test_another_session_finds_the_story_by_the_key_and_without_it_nothing(open_app: OpenApp) -> None:
    app, store, book = begun(open_app)
    (story,) = store.stories(book)
    app.text_area(key=f"box-{story.id}-S").set_value(BOXES["S"]).run()
    again = open_app("stories", book=book)
    assert again.text_area(key=f"box-{story.id}-S").value == BOXES["S"]
    stranger = open_app("stories")
    assert "No story yet" in everything(stranger)
    wrong = open_app("stories", book="nobody-made-this")
    assert any("nobody" in error.value for error in wrong.error)
    assert not wrong.exception


def test_two_tabs_keep_both_texts(open_app: OpenApp) -> None:
    one, store, book = begun(open_app)
    (story,) = store.stories(book)
    two = open_app("stories", book=book)
    one.text_area(key=f"box-{story.id}-S").set_value("written in the first tab").run()
    two.text_area(key=f"box-{story.id}-S").set_value("written in the second tab").run()
    assert any("Another tab" in warning.value for warning in two.warning)
    assert any(code.value == "written in the first tab" for code in two.code)
    assert store.story(story.id).texts()["S"] == "written in the second tab"


def test_a_locked_database_is_one_sentence_and_the_text_is_saved_later(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("practice.history.engine._BUSY_MS", 50)
    app, store, book = begun(open_app)
    (story,) = store.stories(book)
    holder = sqlite3.connect(str(store.engine.url.database))
    holder.execute("BEGIN IMMEDIATE")
    app.text_area(key=f"box-{story.id}-S").set_value(BOXES["S"]).run()
    assert any("locked by another program" in error.value for error in app.error)
    assert not app.exception
    assert app.text_area(key=f"box-{story.id}-S").value == BOXES["S"]
    holder.rollback()
    holder.close()
    app.run()
    assert store.story(story.id).texts() == {"S": BOXES["S"]}


def test_a_damaged_database_is_one_sentence(open_app: OpenApp, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "headroom.db").write_bytes(b"not a database at all, " * 200)
    app = open_app("history", book="some-notebook")
    assert not app.exception
    assert any("damaged" in error.value for error in app.error)


def test_the_ledger_and_the_stress_speak_with_the_numbers_of_the_story(open_app: OpenApp) -> None:
    app, store, book = begun(open_app)
    (story,) = store.stories(book)
    app.text_input(key=f"line-{story.id}-0-name").set_value("budget").run()
    app.text_input(key=f"line-{story.id}-0-value").set_value("$1.2M").run()
    assert store.story(story.id).ledger[0].value == "$1.2M"
    assert "0.36M" in everything(app)  # 30 % of 1.2 are left
    app.text_input(key=f"line-{story.id}-0-name").set_value("").run()
    app.text_input(key=f"line-{story.id}-0-value").set_value("").run()
    assert store.story(story.id).ledger == ()


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_history_shows_readiness_course_rules_and_what_is_due(open_app: OpenApp, lang: str) -> None:
    _, book = filled(open_app, lang)
    app = open_app("history", lang=lang, book=book)
    assert not app.exception
    assert [error.value for error in app.error] == []
    assert ("weakest dimension" if lang == "en" else "\u6700\u5f31\u7684\u7ef4\u5ea6") in app.subheader[0].value
    text = everything(app)
    assert ("things to practise" if lang == "en" else "\u4eca\u5929\u8981\u7ec3") in text
    assert len(app.get("plotly_chart")) == 2


def test_two_attempts_are_compared(open_app: OpenApp) -> None:
    _, book = filled(open_app)
    app = open_app("history", book=book)
    others = app.selectbox(key="history_other").options
    app.selectbox(key="history_other").select(next(one for one in others if "SC04" in one)).run()
    text = everything(app)
    assert "rules changed" in text
    assert "S1: 0 " in text.replace("\\", "").replace("\u2060", "")


def test_an_export_comes_in_again_and_a_bad_one_is_refused(open_app: OpenApp) -> None:
    store, book = filled(open_app)
    from practice.history import bundle_of, to_json

    whole = to_json(bundle_of(store, book))
    app = open_app("history")
    app.file_uploader[0].upload("mine.json", whole.encode(), "application/json").run()
    assert not app.exception
    assert any("Added 4 attempts" in one.value for one in app.success)
    assert len(store.attempts(app.session_state["_notebook"])) == 4
    bad = json.dumps({**json.loads(whole), "version": 9})
    app.file_uploader[0].upload("bad.json", bad.encode(), "application/json").run()
    assert any("no export of ours" in error.value for error in app.error)
    assert not app.exception


def test_everything_is_deleted_only_after_a_tick(open_app: OpenApp) -> None:
    store, book = filled(open_app)
    app = open_app("history", book=book)
    assert app.button(key="delete_now").disabled
    app.checkbox(key="delete_sure").check().run()
    app.button(key="delete_now").click().run()
    assert store.attempts(book) == ()
    assert not app.exception


def test_the_key_of_the_notebook_is_never_shared(open_app: OpenApp) -> None:
    _, book = filled(open_app)
    app = open_app("history", book=book)
    assert f"book={book}" in app.session_state["_address"]
    app.session_state["share"] = True
    app.run()
    assert all(book not in code.value for code in app.code)
