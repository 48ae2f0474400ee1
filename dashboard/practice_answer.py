"""The answer in five boxes with the computed rationale beside it, and the interviewer's questions to it."""

from typing import Final

import streamlit as st

from dashboard import autosave, practice_flip, practice_keep, score_view
from dashboard.errors import safe
from dashboard.i18n import in_language, labels, language, plain, t
from dashboard.practice_steps import told
from practice.exercises import SECTIONS, Exercise
from practice.history import Attempt
from practice.player import (
    FEELINGS,
    MODES,
    TONES,
    WHYS,
    Session,
    feel,
    may_change,
    next_why,
    question_of,
    reply_section,
    why_section,
)
from practice.rubric import hints_for, score_answer

_HEIGHTS: Final = {"S": 100, "T": 80, "A": 150, "R": 120, "L": 80}


def show_answer(exercise: Exercise, session: Session, attempt: Attempt | None) -> None:
    """Show the five boxes; each saves itself while it is typed."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.subheader(t("practice.answer"), anchor=False)
        _boxes(session, attempt)
    with right:
        _rationale(exercise, session)
        if MODES[session.mode].shows_hints("answer"):
            st.button(t("practice.hint"), key="hint", shortcut="H", icon=":material/lightbulb:", on_click=_toggle_hints)
            if st.session_state.get("_practice_hints"):
                score = score_answer(dict(session.answer), session.persona)
                score_view.show_hints(hints_for(score, practice_keep.passed_before(attempt)), score.text)


def _toggle_hints() -> None:
    st.session_state["_practice_hints"] = not st.session_state.get("_practice_hints", False)


@st.fragment
def _boxes(session: Session, attempt: Attempt | None) -> None:
    """Show the boxes; what is typed there reruns only them."""
    is_locked = not may_change(session, "answer")
    attempt = practice_keep.fresh(attempt)
    for name in SECTIONS:
        label = plain(f"practice.box.{name}")
        if attempt is None:
            st.markdown(f"**{label}**")
            st.text(session.answer.get(name, "") or plain("practice.not_shared"))
            continue
        autosave.box(
            attempt,
            name,
            label,
            help_text=plain(f"practice.box.{name}.help"),
            height=_HEIGHTS[name],
            is_locked=is_locked,
        )


def _rationale(exercise: Exercise, session: Session) -> None:
    """Show the rationale filled with the run; the flip point follows when the runs for it are done."""
    st.markdown(f"**{t('practice.rationale')}**")
    practice_flip.show(exercise, session)


def show_probes(exercise: Exercise, session: Session, attempt: Attempt | None) -> None:
    """Show the interviewer's questions, each with a box; then five whys on the number said last."""
    tone = TONES[MODES[session.mode].tone]
    st.subheader(in_language(tone["opening"]), anchor=False)
    _questions(exercise, session, attempt)


@st.fragment
def _questions(exercise: Exercise, session: Session, attempt: Attempt | None) -> None:
    is_locked = not may_change(session, "replies")
    attempt = practice_keep.fresh(attempt)
    shows_more = MODES[session.mode].hints == "writing" or not may_change(session, "replies")
    for number, key in enumerate(session.asked, 1):
        question = question_of(exercise, session, key, language())
        with st.container(border=True, key=f"probe_{number}"):
            st.markdown(t("practice.asked", ask=told(question.ask)))
            st.badge(plain(f"practice.kind.{question.kind}"), color="gray")
            if attempt is None:
                st.text(session.replies.get(key, "") or plain("practice.not_shared"))
            else:
                name = reply_section(key)
                autosave.box(attempt, name, plain("practice.reply", n=number), height=80, is_locked=is_locked)
                _feelings(session, attempt, key, number)
            if shows_more:
                st.caption(t("practice.listen", text=told(question.listen)))
    if attempt is not None:
        _whys(session, attempt, is_locked=is_locked)


def _feelings(session: Session, attempt: Attempt, question: str, number: int) -> None:
    """Let the candidate note where the reply was weak; the last step shows it again."""
    key = f"felt-{attempt.id}-{question}"
    st.pills(
        plain("practice.felt", n=number), FEELINGS, selection_mode="multi", key=key,
        default=list(session.felt.get(question, ())), format_func=labels("practice.felt"),
        on_change=safe(_feel), args=(question, key),
    )  # fmt: skip


def _feel(question: str, key: str) -> None:
    said = tuple(st.session_state[key])
    practice_keep.change(lambda session: feel(session, question, said))


def _whys(session: Session, attempt: Attempt, *, is_locked: bool) -> None:
    """Ask why up to five times; each question takes the number that was said last."""
    with st.container(border=True, key="whys"):
        st.markdown(f"**{t('practice.whys')}**")
        st.caption(t("practice.whys_lead"))
        said: list[str] = []
        for depth in range(WHYS):
            question = next_why(session.answer, said, language())
            if question is None:
                break
            st.markdown(t("practice.why_asked", n=depth + 1, ask=told(question)))
            name = why_section(depth)
            text = autosave.box(attempt, name, plain("practice.reply", n=depth + 1), height=68, is_locked=is_locked)
            if not text.strip():
                break
            said.append(text)


SHOW = {"answer": show_answer, "probes": show_probes}
"""Step -> what shows it."""
