"""Model answers: the weak one told of the candidate's own run, the strong one beside what the candidate chose."""

import streamlit as st

from dashboard import practice_flip
from dashboard.i18n import language, plain, t
from dashboard.practice_steps import line_text, told
from practice.exercises import (
    Defence,
    Exercise,
    Line,
    defend,
    fill_answer,
    movement_title,
    option_title,
    question_title,
    say,
    told_of,
)
from practice.history import Attempt
from practice.player import MODES, Session, setting_of


def show_reveal(exercise: Exercise, session: Session, _attempt: Attempt | None) -> None:
    """Show a weak and a strong answer, and how the candidate's own choices can be defended with their numbers."""
    st.subheader(t("practice.reveal"), anchor=False)
    st.caption(t("practice.reveal_lead"))
    if len(session.choices) < len(exercise.decisions):
        st.caption(t("practice.reveal_early"))
    answers = {
        "weak": told_of(exercise, exercise.weak, language(), setting_of(session)),
        "strong": fill_answer(exercise, exercise.strong, language(), session.stress),
    }
    for column, (name, answer) in zip(st.columns(2), answers.items(), strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{t(f'practice.model.{name}')}**")
            for box, text in answer.items():
                st.markdown(f"**{plain(f'practice.box.{box}')}** {told(text)}")
    found = defend(exercise, setting_of(session))
    if found is not None:
        _defence(exercise, session, found)


def models_on_request(exercise: Exercise, session: Session) -> None:
    """Let who is learning see the model answers at any time."""
    if MODES[session.mode].reveal != "always" or session.step == "reveal":
        return
    with st.expander(t("practice.models"), on_change="rerun") as opened:
        if opened.open:
            show_reveal(exercise, session, None)


def _defence(exercise: Exercise, session: Session, found: Defence) -> None:
    """Show what was chosen otherwise and with which numbers, then what the own choice can be defended with."""
    st.markdown(f"**{t('practice.defence')}**")
    if not found.differing:
        st.markdown(t("practice.defence.same"))
    else:
        st.markdown(t("practice.defence.no_effect" if found.is_same_run else "practice.defence.otherwise"))
        for decision in found.differing:
            st.markdown("- " + _choice(exercise, session, decision))
    if not found.is_same_run:
        from dashboard import practice_tables  # noqa: PLC0415  pandas, only when there is something to compare

        st.table(practice_tables.defence_rows(found))  # every column in sight, also on a phone
    st.markdown(f"**{t('practice.defence.how')}**")
    practice_flip.show(exercise, session)
    for line in found.missed:
        st.markdown("- " + _missed(exercise, found, line))
    for row in found.worse:
        moved = movement_title(exercise, row, language())
        st.markdown("- " + t("practice.defence.worse", moved=moved))
    if not (found.missed or found.worse):
        st.markdown("- " + t("practice.defence.clean"))


def _choice(exercise: Exercise, session: Session, decision: str) -> str:
    mine = session.choices.get(decision)
    return t(
        "practice.defence.choice",
        question=question_title(exercise, decision, language()),
        mine=option_title(exercise, decision, mine, language()) if mine else plain("practice.defence.open"),
        theirs=option_title(exercise, decision, exercise.strong.choices[decision], language()),
    )


def _missed(exercise: Exercise, found: Defence, line: Line) -> str:
    row = found.mine.rows[line.measure]
    return t(
        "practice.defence.missed",
        value=say(row.after.median, row.unit, language()),
        limit=line_text(exercise, line.measure, line.limit, is_ceiling=line.is_ceiling, unit=row.unit),
    )


SHOW = {"reveal": show_reveal}
"""Step -> what shows it."""
