"""The flip point of an attempt: found in the background, because it takes dozens of runs."""

import threading
from collections import OrderedDict
from typing import Final

import streamlit as st

from dashboard import service
from dashboard.i18n import Text, escape, language, t
from practice.exercises import Exercise, Setting, Story
from practice.player import Flip, Session, flip_point, later_texts, lever_text, setting_of

_MOST: Final = 200
_LONGEST: Final = 4_000
_LOCK: Final = threading.Lock()
_FOUND: Final[OrderedDict[str, Flip | None]] = OrderedDict()
_ASKED: Final[set[str]] = set()


def _key(exercise: Exercise, session: Session) -> str:
    return f"{exercise.id}.{exercise.version}.{setting_of(session).model_dump_json()}"


def ask(exercise: Exercise, session: Session) -> None:
    """Begin to look for the flip point, once for all who chose the same."""
    key = _key(exercise, session)
    with _LOCK:
        if key in _FOUND or key in _ASKED or not session.choices:
            return
        _ASKED.add(key)
    service.later(lambda: _find(key, exercise, setting_of(session)))


def _find(key: str, exercise: Exercise, setting: Setting) -> None:
    try:
        flip = flip_point(exercise, setting)
        with _LOCK:
            _FOUND[key] = flip
            while len(_FOUND) > _MOST:
                _FOUND.popitem(last=False)
    finally:
        with _LOCK:
            _ASKED.discard(key)


def is_known(exercise: Exercise, session: Session) -> bool:
    """Return whether the search has ended."""
    return _key(exercise, session) in _FOUND


def found(exercise: Exercise, session: Session) -> Flip | None:
    """Return the flip point, None while it is not known or where none was found."""
    return _FOUND.get(_key(exercise, session))


def sentence(exercise: Exercise, session: Session) -> Text:
    """Say where another option wins, that none does, or that it is still looked for."""
    flip = found(exercise, session)
    if flip is None:
        return t("practice.flip.none" if is_known(exercise, session) else "practice.flip.looking")
    decision = exercise.decision(exercise.evidence.decision)
    labels = {name: decision.option(name).label.of(language()) for name in (flip.before, flip.after)}
    return t(
        "practice.flip.above" if flip.is_above else "practice.flip.below", lever=flip.lever.name.of(language()),
        value=lever_text(flip.at, flip.lever, language()), before=labels[flip.before], after=labels[flip.after],
    )  # fmt: skip


def show(exercise: Exercise, session: Session) -> None:
    """Show the rationale filled with the run; the flip point follows when the runs for it are done."""
    ask(exercise, session)

    @st.fragment(run_every=None if is_known(exercise, session) else "3s")
    def text() -> None:
        later = later_texts(exercise, found(exercise, session), is_known=is_known(exercise, session))
        story = Story(exercise, setting_of(session), later)
        st.markdown("> " + escape(story.fill(exercise.rationale, language()), _LONGEST))
        st.caption(sentence(exercise, session))

    text()
