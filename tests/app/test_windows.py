"""Nodes kept during a window, from the link to Setup and Results."""

import pytest

from tests.app.conftest import OpenApp, everything

ENTRY = "[{for: {priority_below: 0.1}, nodes: [0], from: 1h, to: 20d}]"
WINDOW = f"policy.reserve:{ENTRY}"
PLACED = "policy.placement:first_fit"


def test_setup_opens_a_document_with_a_window_and_shows_it(open_app: OpenApp) -> None:
    app = open_app("setup", set=[WINDOW, PLACED])
    app.session_state["group_policy"] = True
    app.run()
    assert not app.exception
    assert not app.error
    assert {box.label: box.value for box in app.text_input}["Kept for some jobs"] == ENTRY


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
