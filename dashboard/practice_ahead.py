"""Runs made while a candidate reads: whatever is chosen next answers at once.

Each look ahead takes the place of the one before it: what that has not begun is dropped, what has begun is kept, since
the choice that was just made may be it. A page that needs a run which the background is at waits for that one.
"""

from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from dashboard import service
from practice.exercises import Exercise, Setting, play, regret, settings_ahead, swap
from practice.player import STEPS, Session, setting_of, slopes

_KEY: Final = "_practice_ahead"


@dataclass
class _Look:
    """One look ahead of a visitor; `marks` is what it follows from."""

    marks: object
    is_wanted: bool = True


def look(exercise: Exercise, session: Session) -> None:
    """Simulate in the background what may be chosen next, and what follows from the choices so far before it."""
    marks = (exercise.id, tuple(sorted(session.choices.items())), session.stress, session.step)
    last: _Look | None = st.session_state.get(_KEY)
    if last is not None and last.marks == marks:
        return
    stop()
    if STEPS.index(session.step) > STEPS.index("answer"):
        return
    now = st.session_state[_KEY] = _Look(marks)
    later = partial(service.later, is_wanted=lambda: now.is_wanted)
    mine = setting_of(session)
    if session.step in {"consequence", "answer"}:
        later(partial(slopes, exercise, mine))  # the questions need it as soon as the answer is handed in
    if session.step == "decide":
        later(partial(regret, exercise, mine))
    if session.step != "answer":
        for setting in reversed([*shown_next(exercise, session), *settings_ahead(exercise, mine)]):
            later(partial(play, exercise, setting))  # what was asked for last is done first


def stop() -> None:
    """Drop what was looked ahead for and has not begun."""
    last: _Look | None = st.session_state.pop(_KEY, None)
    if last is not None:
        last.is_wanted = False


def shown_next(exercise: Exercise, session: Session) -> list[Setting]:
    """Return what the consequence of the choices so far shows, that of the choices themselves first."""
    mine = setting_of(session)
    if exercise.evidence.decision not in session.choices:
        return [mine]
    options = exercise.decision(exercise.evidence.decision).options
    return [mine, *(swap(exercise, mine, one.id) for one in options)]
