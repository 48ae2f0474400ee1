"""Nodes kept during a window, from the link to Setup and Results."""

import pytest

from tests.app.conftest import OpenApp, everything

WINDOW = "policy.reserve:[{for: {priority_below: 0.1}, nodes: [0], from: 1h, to: 20d}]"
PLACED = "policy.placement:first_fit"


@pytest.mark.parametrize(("lang", "word"), [("en", "Kept for some jobs"), ("zh", "为部分作业预留")])
def test_setup_opens_a_document_with_a_window_and_shows_it(open_app: OpenApp, lang: str, word: str) -> None:
    app = open_app("setup", lang=lang, set=[WINDOW, PLACED])
    assert not app.exception
    assert not app.error
    (entry,) = app.session_state["scenario"].policy.reserve
    assert (entry.nodes, entry.begin, entry.to) == ((0,), 3_600_000, 1_728_000_000)
    labels = {element.label for kind in ("text_area", "text_input") for element in getattr(app, kind)}
    assert any(word in label for label in labels), labels


@pytest.mark.parametrize(("lang", "word"), [("en", "reservation"), ("zh", "预留")])
def test_results_says_that_jobs_wait_for_a_window(open_app: OpenApp, lang: str, word: str) -> None:
    app = open_app("results", lang=lang, set=[WINDOW, PLACED])
    assert not app.exception
    assert word in everything(app) + "".join(str(table.value) for table in app.dataframe)


def test_a_window_needs_nodes_and_says_so(open_app: OpenApp) -> None:
    app = open_app("setup", set=[WINDOW, "policy.placement:counted"])
    assert not app.exception
    assert "take another placement" in everything(app)
