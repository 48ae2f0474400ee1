"""Score, and what to take along: every point with the rule it comes from."""

import streamlit as st

from dashboard import practice_export, practice_keep, practice_marks, score_view
from dashboard.errors import safe
from dashboard.i18n import in_language, labels, language, plain, t
from dashboard.practice_steps import measure_name, told
from practice.exercises import Exercise, play, say
from practice.history import Attempt
from practice.player import MODES, Grade, Session, calibrate, grade, question_of, setting_of, try_again
from practice.rubric import DIMENSIONS, LEVELS, TEXT, level_of


def show_score(exercise: Exercise, session: Session, attempt: Attempt | None) -> None:
    """Show the total and the dimensions, the marked answer, hints, claims and every rule."""
    found = grade(exercise, session, practice_keep.passed_before(attempt))
    st.subheader(
        t("practice.total", total=f"{found.total:g}", band=plain(f"practice.band.{found.score.band}")), anchor=False
    )
    st.caption(t("practice.version", version=found.score.version) + " " + told(in_language(TEXT["honest"])))
    with st.container(horizontal=True):
        for name, points in found.score.dimensions.items():
            value = plain("practice.not_evidenced") if points is None else f"{points:g}"
            level = None if points is None else in_language(LEVELS[level_of(points)])
            st.metric(in_language(DIMENSIONS[name]), value, level, delta_color="off", delta_arrow="off", border=True)
    for note in found.score.notes:
        st.warning(told(in_language(TEXT[note])), icon=":material/info:")
    left, right = st.columns([3, 2], gap="large")
    with left:
        practice_marks.show(found)
    with right:
        if MODES[session.mode].shows_hints("score"):
            score_view.show_hints(found.hints, found.score.text)
        _evidence(found)
    _rules(found)
    if attempt is not None:
        practice_export.downloads(attempt, exercise.title.of(language()), shortcut="E")
        score_view.dispute(attempt)


def _evidence(found: Grade) -> None:
    """Show how the claims stand to the runs, and replies that change a number."""
    st.markdown(f"**{t('practice.evidence')}**")
    if found.evidence.share is None:
        st.caption(t("practice.evidence_few"))
    else:
        st.markdown(t("practice.evidence_share", percent=f"{100 * found.evidence.share:.0f}"))
    if found.evidence.is_contradicted:
        st.error(t("practice.contradicted"), icon=":material/error:")
    for claim in found.evidence.claims:
        state = {None: "open", 1.0: "agrees", 0.0: "contradicts"}.get(claim.grade, "near")
        text = found.score.text[claim.span.start : claim.span.end]
        st.markdown(f"- {told(text)} \u00b7 {t(f'practice.claim.{state}')}")
    for key, faults in found.turns.items():
        st.warning(t("practice.turns", question=key, n=len(faults)), icon=":material/error:")


def _rules(found: Grade) -> None:
    with st.expander(t("practice.all_rules"), on_change="rerun") as opened:
        if opened.open:
            from dashboard import practice_tables  # noqa: PLC0415  pandas, only when somebody looks

            st.dataframe(practice_tables.rule_rows(found.score), hide_index=True)
            for charge in found.score.charges:
                st.markdown(t("practice.charge", penalty=charge.penalty, points=f"{charge.points:g}"))


def show_learn(exercise: Exercise, session: Session, attempt: Attempt | None) -> None:
    """Show how good the predictions were, and run the adjustment with one click."""
    st.subheader(t("practice.learn"), anchor=False)
    found = calibrate(exercise, session)
    if found.guesses:
        share = f"{100 * found.right_share:.0f}"
        st.markdown(t("practice.calibration", right=found.right, n=len(found.guesses), percent=share))
        if found.sure_share is not None and found.gap_share is not None:
            key = "high" if found.gap_share > 0.1 else "low" if found.gap_share < -0.1 else "fits"
            st.caption(t(f"practice.calibration.{key}", sure=f"{100 * found.sure_share:.0f}"))
        from dashboard import practice_tables  # noqa: PLC0415  pandas

        decision = exercise.decision(exercise.predict.decision)
        options = {one.id: one.label.of(language()) for one in decision.options}
        names = {name: measure_name(exercise, name) for name in exercise.predict.measures}
        st.dataframe(practice_tables.guess_rows(found, options, names), hide_index=True)
    _stumbled(exercise, session)
    _again(exercise, session, attempt)
    for text in exercise.limits:
        st.caption(told(text.of(language())))


def _stumbled(exercise: Exercise, session: Session) -> None:
    """Show the questions whose replies the candidate marked, in the order in which they were asked."""
    marked = [key for key in session.asked if session.felt.get(key)]
    if not marked:
        return
    st.markdown(f"**{t('practice.felt.where')}**")
    label = labels("practice.felt")
    for key in marked:
        ask = question_of(exercise, session, key, language()).ask
        felt = " \u00b7 ".join(label(one) for one in session.felt[key])
        st.markdown("- " + t("practice.felt.line", ask=told(ask), felt=felt))


def _again(exercise: Exercise, session: Session, attempt: Attempt | None) -> None:
    """Let the candidate adjust one choice and see what that changes."""
    st.markdown(f"**{t('practice.again')}**")
    retried = dict(session.retried or session.choices)
    for decision in exercise.decisions:
        labels = {one.id: one.label.of(language()) for one in decision.options}
        key = f"again.{exercise.id}.{decision.id}"
        st.session_state.setdefault(key, retried.get(decision.id))
        st.segmented_control(
            decision.question.of(language()), list(labels), key=key, required=True, format_func=labels.__getitem__,
            disabled=attempt is None, on_change=safe(_retry), args=(decision.id, key),
        )  # fmt: skip
    first, last = (play(exercise, one).rows for one in (setting_of(session), setting_of(session, retried)))
    with st.container(horizontal=True):
        for name in exercise.evidence.measures:
            values = {side: say(rows[name].after.median, rows[name].unit, language())
                      for side, rows in (("before", first), ("after", last))}  # fmt: skip
            st.metric(measure_name(exercise, name), values["after"], border=True)
            if retried != dict(session.choices):
                st.caption(t("practice.again_before", value=values["before"]))


def _retry(decision: str, key: str) -> None:
    option = st.session_state[key]
    practice_keep.change(lambda session: try_again(session, decision, option))


SHOW = {"score": show_score, "learn": show_learn}
"""Step -> what shows it."""
