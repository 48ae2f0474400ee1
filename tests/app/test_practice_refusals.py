"""What the player refuses, as a reader sees it: one sentence in one language, with everything it has to say."""

from collections.abc import Callable, Iterator

import pytest
import streamlit as st

from dashboard.practice_keep import sentence
from practice.exercises import exercises
from practice.player import PlayerError, back_to, decode, move_on, say_sure, say_why, start

FIRST = next(iter(exercises().values()))


def refused() -> Iterator[tuple[str, Callable[[], object]]]:
    session = start(FIRST, "practice")
    last = session.model_copy(update={"step": "learn", "reached": "learn"})
    yield "step", lambda: back_to(session, "score")
    yield "last", lambda: move_on(last, now_s=0)
    yield "sure", lambda: say_sure(session, 130)
    yield "why", lambda: say_why(session, 3, "x")
    yield "mode", lambda: start(FIRST, "dance")
    yield "persona", lambda: start(FIRST, "practice", "friend")
    yield "minutes", lambda: start(FIRST, "drill", minutes=7)
    yield "link", lambda: decode("nonsense")


def error_of(action: Callable[[], object]) -> PlayerError:
    with pytest.raises(PlayerError) as caught:
        action()
    return caught.value


@pytest.mark.parametrize(("what", "action"), list(refused()), ids=[what for what, _ in refused()])
def test_a_refusal_in_chinese_holds_no_english_sentence(
    what: str, action: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(st, "session_state", {"lang": "zh"})
    error = error_of(action)
    assert error.what == what
    told = sentence(error).replace("\\", "")
    english = {"one", "of", "from", "to", "must", "be", "most", "characters"}
    assert not english & set(told.replace("\uff1a", " ").split())
    assert "{" not in told
