"""Every page in both languages, without a browser."""

import pytest

from dashboard import i18n
from tests.app.conftest import SMALL, OpenApp, everything

PAGES = ("start", "setup", "results", "tradeoffs", "compare", "plan", "economics", "practice", "stories", "history")


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_page_opens_without_an_error(open_app: OpenApp, page: str, lang: str) -> None:
    app = open_app(page, lang=lang)
    assert not app.exception
    assert [error.value for error in app.error] == []
    assert app.header or app.info, "the first line of every page is the answer"


@pytest.mark.parametrize("page", PAGES)
def test_page_in_english_shows_no_chinese_and_no_key(open_app: OpenApp, page: str) -> None:
    text = everything(open_app(page)).replace("中文", "")  # the name of the language itself
    assert not any("\u4e00" <= sign <= "\u9fff" for sign in text)
    assert not any(key in text for key in i18n.catalogue() if key.count(".") >= 1 and len(key) > 12)


def test_start_shows_who_waits_and_why_of_the_default_case(open_app: OpenApp) -> None:
    app = open_app("start", case="fenced-research@1")
    assert "Research waits" in app.header[0].value
    assert "GPUs outside stood idle" in app.header[0].value


def test_changing_a_blank_changes_the_scenario_and_is_counted(open_app: OpenApp) -> None:
    app = open_app("setup")
    app.selectbox(key="w.policy.order").set_value("smallest").run()
    assert app.session_state["scenario"].policy.order.slug == "smallest"
    assert "set=policy.order:smallest" in app.session_state["_address"]
    app.button(key="undo").click().run()
    assert app.session_state["scenario"].policy.order.slug == "fifo"


def test_a_refused_value_keeps_the_scenario_and_the_input_and_says_why(open_app: OpenApp) -> None:
    app = open_app("setup")
    before = app.session_state["scenario"]
    app.number_input(key="w.run.warmup_days").set_value(3_000.0).run()
    assert app.session_state["scenario"] == before
    assert app.number_input(key="w.run.warmup_days").value == 3_000.0
    assert any("warmup_days" in error.value.replace("\\", "") for error in app.error)
    assert not app.exception


def test_language_switch_keeps_the_scenario(open_app: OpenApp) -> None:
    app = open_app("results", set=["policy.order:smallest"])
    app.session_state["lang"] = "zh"
    app.run()
    assert app.session_state["scenario"].policy.order.slug == "smallest"
    assert any("\u4e00" <= sign <= "\u9fff" for sign in app.header[0].value)


@pytest.mark.parametrize("slug", ["fenced-research@1", SMALL])
def test_opening_a_case_starts_from_it(open_app: OpenApp, slug: str) -> None:
    app = open_app("start", case="three-zone-a100@1" if slug != "three-zone-a100@1" else SMALL)
    app.button(key=f"open_{slug}").click().run()
    assert app.session_state["scenario"].case == slug
    assert f"case={slug}" in app.session_state["_address"]


def test_compare_says_what_changed(open_app: OpenApp) -> None:
    app = open_app("compare", set=["run.days:30"])
    assert not app.exception
    assert [error.value for error in app.error] == []
    assert app.header
