"""Nodes kept during a window, from the link to Setup and Results."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenApp, everything

ENTRY = "[{for: {priority_below: 0.1}, nodes: [0], from: 1h, to: 20d}]"
WINDOW = f"policy.reserve:{ENTRY}"
PLACED = "policy.placement:first_fit"


def setup_of(app: AppTest) -> AppTest:
    app.session_state["group_policy"] = True
    app.run()
    assert not app.exception
    assert not app.error
    return app


def test_setup_opens_a_document_with_a_window_and_shows_it(open_app: OpenApp) -> None:
    app = setup_of(open_app("setup", set=[WINDOW, PLACED]))
    shown = {box.label.partition(" (")[0]: box.value for box in app.text_input}
    assert (shown["Nodes kept"], shown["From"], shown["Until"]) == ("[0]", "1h", "20d")
    app.text_input(key="w.all.policy.reserve.0.to").set_value("10d").run()
    assert app.session_state["scenario"].policy.reserve[0].to == 10 * 86_400_000
    app.text_input(key="w.all.policy.reserve.0.nodes").set_value("[7]").run()
    assert any("from 0 to 0" in error.value for error in app.error)  # the cluster has one node
    assert app.session_state["scenario"].policy.reserve[0].nodes == (0,)


def test_a_share_is_kept_changed_and_given_up_by_fields(open_app: OpenApp) -> None:
    app = setup_of(open_app("setup"))
    app.button(key="keep_share").click().run()
    app.number_input(key="w.all.policy.reserve.0.share").set_value(0.3).run()
    app.selectbox(key="w.all.policy.reserve.0.for").set_value("job_class").run()
    app.button(key="keep_share").click().run()
    first, second = app.session_state["scenario"].policy.reserve
    assert (first.share, first.who.job_class) == (0.3, app.session_state["scenario"].workload.classes[-1].name)
    assert (second.share, second.who.priority_below) == (0.2, 400)
    assert "policy.reserve" in app.session_state["_address"]
    app.button(key="drop_policy_reserve_0").click().run()
    assert app.session_state["scenario"].policy.reserve == (second,)
    app.button(key="drop_policy_reserve_0").click().run()
    assert not app.session_state["scenario"].policy.reserve
    assert not app.exception


@pytest.mark.parametrize(("lang", "words"), [("en", "the GPUs were kept for somebody else"), ("zh", "GPU 为他人预留")])
def test_results_says_that_jobs_wait_for_a_window(open_app: OpenApp, lang: str, words: str) -> None:
    app = open_app("results", lang=lang, set=[WINDOW, PLACED])
    assert not app.exception
    assert words in everything(app)


@pytest.mark.parametrize(("lang", "words"), [("en", "take another placement"), ("zh", "请换用其他放置方式")])
def test_a_window_needs_nodes_and_says_so(open_app: OpenApp, lang: str, words: str) -> None:
    app = open_app("start", lang=lang, set=[WINDOW, "policy.placement:counted"])
    assert not app.exception
    assert words in everything(app)
