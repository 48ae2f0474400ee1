"""The attempt on screen: read from the store at every run, so that a refresh or another tab sees the same."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import streamlit as st

from dashboard import errors, notebook, practice_ahead
from dashboard.i18n import Text, t
from practice.exercises import play
from practice.history import Attempt, graded, passed_rules
from practice.player import (
    Grade,
    PlayerError,
    Session,
    Shared,
    calibrate,
    check,
    decode,
    exercise_of,
    guess_key,
    known,
    session_of,
    setting_of,
)
from practice.player import grade as grade_of

ATTEMPT, LINK, EXERCISE, STEP = "try", "shared", "exercise", "step"
KEPT: Final = "_practice_attempt"


def sentence(error: PlayerError) -> Text:
    """Return what the player refused, in the language of the session."""
    return t(f"practice.bad.{error.what}", value=error.value, **error.parts)


def refuse(what: str, value: str, among: Iterable[str]) -> None:
    """Say in one sentence that the address names what there is not; nothing where it does."""
    try:
        known(what, value, among)
    except PlayerError as error:
        st.error(sentence(error), icon=":material/error:")


def current() -> tuple[Attempt, Session] | None:
    """Return the attempt that the address or the session names, None where there is none."""
    said = st.query_params.get(ATTEMPT)
    if said and said != st.session_state.get("_practice_said"):
        st.session_state["_practice_said"] = said
        st.session_state[KEPT] = said
    kept = st.session_state.get(KEPT)
    return read(kept) if kept else None


def read(attempt_id: str) -> tuple[Attempt, Session] | None:
    """Return a kept attempt; where it is not here or cannot be read, say so in one sentence."""
    found, problem = errors.attempt(lambda: notebook.store().attempt(attempt_id))
    if found is None:
        st.session_state.pop(KEPT, None)
        if problem is not None:
            errors.show(problem)
        return None
    try:
        session = session_of(found)
        check(session)
    except PlayerError as error:
        st.session_state.pop(KEPT, None)
        st.error(sentence(error), icon=":material/error:")
        return None
    return found, session


def fresh(attempt: Attempt | None) -> Attempt | None:
    """Return an attempt as it is kept now: a fragment is run again with what it was given first."""
    return None if attempt is None else notebook.store().attempt(attempt.id)


def passed_before(attempt: Attempt | None) -> frozenset[str] | None:
    """Return the rules that passed in the other attempts of the notebook; None where it is somebody else's."""
    book = notebook.current()
    if attempt is None or book is None:
        return None
    return passed_rules(one for one in notebook.store().attempts(book) if one.id != attempt.id)


def begin(session: Session) -> None:
    """Begin an attempt and keep it."""
    attempt = notebook.store().start(notebook.ensure(), session.exercise, **_fields(session))
    st.session_state[KEPT] = attempt.id


def leave() -> None:
    """Go back to the list; the attempt stays kept."""
    practice_ahead.stop()
    st.session_state.pop(KEPT, None)
    st.session_state.pop("_practice_shared", None)
    st.session_state["_practice_left"] = True


def change(move: Callable[[Session], Session]) -> None:
    """Change the attempt on screen; a refusal is shown as its sentence and changes nothing."""
    found = read(str(st.session_state.get(KEPT)))
    if found is None:
        return
    attempt, session = found
    try:
        after = move(session)
    except PlayerError as error:
        st.session_state["_practice_refused"] = sentence(error)
        return
    store = notebook.store()
    store.update(attempt.id, **_fields(after, attempt))
    if after.step == "score" and session.reached != after.reached:
        _finish(attempt.id, after)


def _fields(session: Session, attempt: Attempt | None = None) -> dict[str, Any]:
    bare = session.model_copy(update={"answer": {}, "replies": {}, "whys": ()})
    return {
        "mode": session.mode, "persona": session.persona, "choices": dict(session.choices),
        "progress": {**(attempt.progress if attempt else {}), "session": bare.model_dump(mode="json")},
    }  # fmt: skip


def _finish(attempt_id: str, session: Session) -> None:
    exercise = exercise_of(session)
    found: Grade = grade_of(exercise, session)
    came = {guess_key(one.option, one.measure): one.happened for one in calibrate(exercise, session).guesses}
    sure = None if session.sure_percent is None else session.sure_percent / 100
    predictions = [
        {"option": key.partition(".")[0], "measure": key.partition(".")[2], "said": said, "sure_share": sure,
         "came": came.get(key)}
        for key, said in session.predictions.items()
    ]  # fmt: skip
    notebook.store().finish(
        attempt_id, graded(found.score, total=found.total, evidence_share=found.evidence.share),
        predictions=predictions, run_hash=play(exercise, setting_of(session)).key,
    )  # fmt: skip


def shared() -> Shared | None:
    """Return what a link brings, None without one; a damaged one is told in one sentence and nothing else changes."""
    said = st.query_params.get(LINK)
    if said and said != st.session_state.get("_practice_link_said"):
        st.session_state["_practice_link_said"] = said
        try:
            st.session_state["_practice_shared"] = decode(said)
        except PlayerError as error:
            st.session_state.pop("_practice_shared", None)
            st.error(sentence(error), icon=":material/link_off:")
    found: Shared | None = st.session_state.get("_practice_shared")
    return found


def link_query() -> str:
    """Return what the address has to hold for the link on screen."""
    return f"{LINK}={st.session_state.get('_practice_link_said', '')}"
