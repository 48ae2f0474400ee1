"""Practice: the list of exercises, and the frame around the step on screen."""

import time
from collections.abc import Iterator
from functools import partial
from typing import Literal

import streamlit as st

from dashboard import (
    notebook,
    practice_ahead,
    practice_answer,
    practice_clock,
    practice_entry,
    practice_keep,
    practice_loop,
    practice_models,
    practice_score,
    practice_share,
    practice_steps,
)
from dashboard.errors import safe
from dashboard.i18n import Text, in_language, language, plain, t
from practice.exercises import Exercise, exercises
from practice.history import Attempt
from practice.player import (
    MODES,
    STEP_NAMES,
    STEPS,
    Session,
    Shared,
    back_to,
    exercise_of,
    missing,
    move_on,
    start,
)
from practice.rubric import PERSONAS

PLAYED = tuple(name for name, mode in MODES.items() if not mode.is_read_only)
SHOW = {**practice_steps.SHOW, **practice_answer.SHOW, **practice_score.SHOW, **practice_models.SHOW}
"""Step -> what shows it; takes exercise, session and the kept attempt (None in a link)."""


def show_list() -> None:
    """Show every exercise, what it serves, and how to play it."""
    st.header(t("practice.title", n=len(exercises())), anchor=False)
    st.caption(t("practice.lead"))
    _unfinished()
    practice_entry.show(begin)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mode = st.segmented_control(
            plain("practice.mode"), PLAYED, key="practice.mode", required=True, default="practice",
            format_func=lambda one: in_language(MODES[one].name),
        )  # fmt: skip
        rules = MODES[mode or "practice"]
        if len(rules.minutes) > 1:
            st.segmented_control(
                plain("practice.minutes"),
                rules.minutes,
                key="practice.minutes",
                required=True,
                default=rules.minutes[0],
            )
        if not rules.persona:
            st.segmented_control(
                plain("practice.persona"), list(PERSONAS), key="practice.persona", required=True, default="committee",
                format_func=lambda one: in_language(PERSONAS[one]),
            )  # fmt: skip
    st.caption(Text(in_language(rules.about)))
    _weights(rules.persona or st.session_state.get("practice.persona") or "committee")
    asked = st.query_params.get(practice_keep.EXERCISE)
    if asked:
        practice_keep.refuse("exercise", asked, exercises())
    for pair in _pairs(list(exercises().values())):
        for column, exercise in zip(st.columns(2), pair, strict=False):
            with column:
                _card(exercise, is_asked=exercise.id == asked)


def _pairs(found: list[Exercise]) -> Iterator[list[Exercise]]:
    """Yield two cards at a time: a row of two reads from left to right, and on a phone from top to bottom."""
    yield from (found[at : at + 2] for at in range(0, len(found), 2))


def _unfinished() -> None:
    book = notebook.current()
    kept = notebook.store().attempts(book) if book else ()
    for attempt in [one for one in kept if one.finished_at is None and one.subject in exercises()][-3:]:
        line = t(
            "practice.unfinished", id=attempt.subject, title=exercises()[attempt.subject].title.of(language()),
            time=notebook.local(attempt.updated_at).strftime("%m-%d %H:%M"),
        )  # fmt: skip
        st.button(line, key=f"resume_{attempt.id}", icon=":material/play_arrow:", on_click=partial(_resume, attempt.id))


def _resume(attempt_id: str) -> None:
    st.session_state[practice_keep.KEPT] = attempt_id


def _weights(persona: str) -> None:
    """Show whose weights are used and what they change, rule by rule."""
    with st.expander(t("practice.weights", persona=in_language(PERSONAS[persona])), on_change="rerun") as opened:
        if opened.open:
            from dashboard import practice_tables  # noqa: PLC0415  pandas, only when somebody looks

            st.caption(t("practice.weights_lead"))
            st.dataframe(practice_tables.weight_rows(persona), hide_index=True)


def _card(exercise: Exercise, *, is_asked: bool) -> None:
    with st.container(border=True, key=f"card_{exercise.id}", height="stretch"):
        st.markdown(f"**{exercise.id} \u00b7 {exercise.title.of(language())}**")
        st.markdown(practice_steps.told(exercise.why_hard.of(language())))
        st.caption(t("practice.serves", decisions=len(exercise.decisions), seeds=exercise.world.seeds))
        kind: Literal["primary", "secondary"] = "primary" if is_asked else "secondary"
        st.button(
            t("practice.start"), key=f"start_{exercise.id}", type=kind, on_click=safe(_start), args=(exercise.id,)
        )


def _start(name: str) -> None:
    begin(
        name, st.session_state.get("practice.mode") or "practice",
        st.session_state.get("practice.persona") or "committee", st.session_state.get("practice.minutes"),
    )  # fmt: skip


def begin(name: str, mode: str, persona: str, minutes: int | None = None) -> None:
    """Begin an exercise; minutes that the mode does not have are those of its own."""
    limit = minutes if minutes in MODES[mode].minutes else None
    practice_keep.begin(start(exercises()[name], mode, persona, minutes=limit, now_s=time.time()))


def show_attempt(attempt: Attempt | None, session: Session) -> None:
    """Show the step on screen."""
    exercise = exercise_of(session)
    practice_ahead.look(exercise, session)
    _top(exercise, session)
    refused = st.session_state.pop("_practice_refused", None)
    if refused:
        st.warning(refused, icon=":material/error:")
    if attempt is not None and session.step == "score":
        practice_loop.show(session)
    practice_steps.get_ready(exercise, session)
    SHOW[session.step](exercise, session, attempt)
    if attempt is not None:
        _onward(exercise, session)
    practice_models.models_on_request(exercise, session)


def _top(exercise: Exercise, session: Session) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="practice_top"):
        st.markdown(f"**{exercise.id} \u00b7 {exercise.title.of(language())}**", width="content")
        st.badge(in_language(MODES[session.mode].name), color="blue")
        st.badge(in_language(PERSONAS[session.persona]), color="gray")
        practice_loop.badge(session)
        st.space("stretch")
        practice_clock.show(session)
        practice_share.button(exercise, session)
        st.button(t("practice.leave"), key="leave", type="tertiary", on_click=practice_keep.leave)
    steps = MODES[session.mode].steps
    at = steps.index(session.step)
    names = [in_language(STEP_NAMES[one]) for one in steps]
    line = " \u00b7 ".join(f"**{name}**" if place == at else name for place, name in enumerate(names))
    st.progress((at + 1) / len(steps), text=line)


def _onward(exercise: Exercise, session: Session) -> None:
    steps = MODES[session.mode].steps
    at = steps.index(session.step)
    with st.container(horizontal=True, key="onward"):
        if at > 0:
            st.button(t("practice.back"), key="back", shortcut="B", on_click=safe(_go), args=(steps[at - 1],))
        if at + 1 < len(steps):
            lacks = missing(session, exercise) and session.step != "answer"
            st.button(
                t("practice.next"), key="next", type="primary", shortcut="N", disabled=lacks, on_click=safe(_next)
            )
        if missing(session, exercise) and session.step != "answer":
            st.caption(t(f"practice.bad.missing.{session.step}"))


def _next() -> None:
    practice_keep.change(lambda session: move_on(session, now_s=time.time()))


def _go(step: str) -> None:
    practice_keep.change(lambda session: back_to(session, step))


def show_shared(shared: Shared) -> None:
    """Show what a link brings, read-only."""
    practice_share.notice(shared)
    session = shared.session
    asked = st.query_params.get(practice_keep.STEP)
    if asked and asked not in STEPS:
        practice_keep.refuse("step", asked, STEPS)
    step = st.segmented_control(
        plain("practice.step"), STEPS, key="review_step", required=True, label_visibility="collapsed",
        default=asked if asked in STEPS else session.step, format_func=lambda one: in_language(STEP_NAMES[one]),
    )  # fmt: skip
    show_attempt(None, session.model_copy(update={"step": step or session.step}))
