"""Brief, task, prediction, decision, consequence: what a candidate sees before writing a word."""

from functools import partial, reduce
from typing import Final

import streamlit as st

from dashboard import practice_keep
from dashboard.errors import attempt as tried
from dashboard.errors import safe
from dashboard.i18n import Text, escape, language, plain, t
from dashboard.practice_ahead import shown_next
from practice.exercises import Decision, Exercise, Line, Option, Setting, Story, measure_title, play, regret, say
from practice.history import Attempt
from practice.player import (
    MOVEMENTS,
    STEPS,
    Session,
    choose,
    guess_key,
    may_change,
    predict,
    say_sure,
    setting_of,
    stress_with,
)

_SIGNS: Final = {"up": ":material/trending_up:", "same": ":material/trending_flat:", "down": ":material/trending_down:"}
_LONGEST = 4_000


def told(text: str) -> Text:
    """Return a filled text of an exercise as safe Markdown."""
    return escape(text, _LONGEST)


def measure_name(exercise: Exercise, name: str) -> str:
    """Return what people call a measure."""
    return measure_title(exercise, name, language())


def get_ready(exercise: Exercise, session: Session) -> None:
    """Simulate what the step shows; where that takes a moment, say so, with the seconds."""
    is_decided = STEPS.index(session.step) >= STEPS.index("consequence")
    needed = shown_next(exercise, session) if is_decided else [Setting()]
    with st.spinner(t("practice.simulating", n=exercise.world.seeds), show_time=True):
        for setting in needed:
            tried(partial(play, exercise, setting))  # what is refused is told where it is shown


def show_brief(exercise: Exercise, _session: Session, _attempt: Attempt | None) -> None:
    """Show the situation; its numbers are computed before anybody decided."""
    story = Story(exercise)
    st.subheader(t("practice.brief"), anchor=False)
    st.markdown(told(story.fill(exercise.brief, language())))
    st.markdown(f"**{t('practice.why_hard')}** " + told(story.fill(exercise.why_hard, language())))
    with st.expander(t("practice.card")):
        for name in ("simulates", "leaves_out", "assumes"):
            st.markdown(
                f"**{t(f'practice.card.{name}')}** " + told(story.fill(getattr(exercise.card, name), language()))
            )
        for limit in exercise.limits:
            st.markdown("- " + told(story.fill(limit, language())))


def line_text(exercise: Exercise, measure: str, limit: float, *, is_ceiling: bool, unit: str) -> Text:
    """Return a bound as people say it."""
    key = "practice.at_most" if is_ceiling else "practice.at_least"
    return t(key, name=measure_name(exercise, measure), value=say(limit, unit, language()))


def show_task(exercise: Exercise, _session: Session, _attempt: Attempt | None) -> None:
    """Show what is asked, by when, what must not get worse, and who looks."""
    story, task = Story(exercise), exercise.task
    st.subheader(told(story.fill(task.text, language())), anchor=False)
    for line in story.run.lines:
        row = story.run.rows[line.measure]
        now = say(row.before.median, row.unit, language())
        text = line_text(exercise, line.measure, line.limit, is_ceiling=line.is_ceiling, unit=row.unit)
        name = t("practice.red_line" if line.is_red_line else "practice.target")
        st.markdown(f"**{name}** {text} \u00b7 {t('practice.now', value=now)}")
    st.markdown(f"**{t('practice.deadline')}** " + told(story.fill(task.deadline, language())))
    watchers = " \u00b7 ".join(told(story.fill(one, language())) for one in task.watchers)
    st.markdown(f"**{t('practice.watchers')}** {watchers}")


def show_predict(exercise: Exercise, session: Session, _attempt: Attempt | None) -> None:
    """Ask, before anything is shown, which way each measure goes under each option."""
    st.subheader(t("practice.predict"), anchor=False)
    st.caption(t("practice.predict_lead"))
    is_locked = not may_change(session, "predictions")
    decision = exercise.decision(exercise.predict.decision)
    for column, option in zip(st.columns(len(decision.options)), decision.options, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.markdown(f"**{told(option.label.of(language()))}**")
            for measure in exercise.predict.measures:
                _guess(exercise, session, option, measure, is_locked=is_locked)
    if not is_locked:
        _keep_guesses(exercise, session)
    key = "practice.sure"
    st.session_state.setdefault(key, session.sure_percent if session.sure_percent is not None else 60)
    st.slider(
        plain("practice.sure"), 0, 100, step=5, key=key, disabled=is_locked, on_change=safe(_say_sure), format="%d%%"
    )


def _guess(exercise: Exercise, session: Session, option: Option, measure: str, *, is_locked: bool) -> None:
    said = guess_key(option.id, measure)
    key = f"guess.{exercise.id}.{said}"
    st.session_state.setdefault(key, session.predictions.get(said))
    st.segmented_control(
        measure_name(exercise, measure), MOVEMENTS, key=key, disabled=is_locked, persist_state="session",
        format_func=lambda one: f"{_SIGNS[one]} {plain(f'practice.{one}')}",
    )  # fmt: skip


def _keep_guesses(exercise: Exercise, session: Session) -> None:
    """Keep what the widgets hold and the session does not: clicks in quick succession are told by one run only."""
    found = []
    for option in exercise.decision(exercise.predict.decision).options:
        for measure in exercise.predict.measures:
            said = st.session_state.get(f"guess.{exercise.id}.{guess_key(option.id, measure)}")
            if said and said != session.predictions.get(guess_key(option.id, measure)):
                found.append((option.id, measure, said))
    if found:
        practice_keep.change(lambda one: reduce(lambda kept, guess: predict(kept, *guess), found, one))
        st.rerun()


def _say_sure() -> None:
    percent = st.session_state["practice.sure"]
    practice_keep.change(lambda session: say_sure(session, percent))


def show_decide(exercise: Exercise, session: Session, _attempt: Attempt | None) -> None:
    """Ask the decisions one after another; keys 1 to 4 choose for the one that is open."""
    open_at = next((one.id for one in exercise.decisions if one.id not in session.choices), exercise.decisions[-1].id)
    for decision in exercise.decisions:
        _decision(exercise, session, decision, has_keys=decision.id == open_at)
        if decision.id not in session.choices:
            break
    toggles = [one.id for one in exercise.stress if one.set or one.scale]
    names = {one.id: one.label.of(language()) for one in exercise.stress}
    st.session_state.setdefault("practice.stress", list(session.stress))
    st.pills(
        plain("practice.stress"), toggles, selection_mode="multi", default=None, key="practice.stress",
        format_func=names.__getitem__,
        disabled=not may_change(session, "choices"), on_change=safe(_stress), help=plain("practice.stress_help"),
    )  # fmt: skip


def _stress() -> None:
    chosen = tuple(st.session_state["practice.stress"])
    practice_keep.change(lambda session: stress_with(session, chosen))


def _decision(exercise: Exercise, session: Session, decision: Decision, *, has_keys: bool) -> None:
    st.subheader(told(decision.question.of(language())), anchor=False)
    chosen = session.choices.get(decision.id)
    is_locked = not may_change(session, "choices")
    with st.container(key=f"decision_{decision.id}", gap="xsmall"):
        for number, option in enumerate(decision.options, 1):
            st.button(
                f"{number} \u00b7 {told(option.label.of(language()))}", key=f"choose_{decision.id}_{option.id}",
                type="primary" if option.id == chosen else "secondary", width="stretch", disabled=is_locked,
                shortcut=str(number) if has_keys and not is_locked else None,
                on_click=safe(_choose), args=(decision.id, option.id),
            )  # fmt: skip
    if chosen is not None and decision.option(chosen).reveals:
        _revealed(exercise, decision.option(chosen))


def _revealed(exercise: Exercise, option: Option) -> None:
    rows = play(exercise, Setting()).rows
    with st.container(horizontal=True):
        for name in option.reveals:
            row = rows[name]
            st.metric(measure_name(exercise, name), say(row.before.median, row.unit, language()), border=True)


def _choose(decision: str, option: str) -> None:
    practice_keep.change(lambda session: choose(session, decision, option))


def show_consequence(exercise: Exercise, session: Session, _attempt: Attempt | None) -> None:
    """Show what follows from the choices, over the seeds, beside the other options."""
    from dashboard import practice_charts  # noqa: PLC0415  plotly is imported with the first picture

    found, problem = tried(lambda: play(exercise, setting_of(session)))
    if found is None:
        raise problem or RuntimeError
    headline = found.rows[exercise.evidence.headline]
    st.subheader(
        t(
            "practice.consequence", name=measure_name(exercise, headline.measure),
            before=say(headline.before.median, headline.unit, language()),
            after=say(headline.after.median, headline.unit, language()),
            low=say(headline.after.low, headline.unit, language()),
            high=say(headline.after.high, headline.unit, language()),
        ),
        anchor=False,
    )  # fmt: skip
    st.caption(t("practice.how_sure", n=exercise.world.seeds, percent=f"{100 * headline.after.coverage:.0f}"))
    with st.container(horizontal=True):
        for line in found.lines:
            _chip(exercise, line, found.rows[line.measure].unit)
    practice_charts.show(exercise, setting_of(session))
    _regret(exercise, session)
    _traps(exercise, session)
    _articles(exercise)


def _regret(exercise: Exercise, session: Session) -> None:
    """Show what the choice costs beyond the best one if the world turns out as the exercise fears."""
    found = regret(exercise, setting_of(session))
    if found is None:
        return
    stress = next(one.label.of(language()) for one in exercise.stress if one.id == found.stress)
    best = exercise.decision(exercise.evidence.decision).option(found.best).label.of(language())
    if found.best == session.choices[exercise.evidence.decision]:
        st.markdown(t("practice.no_regret", stress=told(stress)))
        return
    amount, low, high = (say(one, found.unit, language()) for one in
                         (found.amount.median, found.amount.low, found.amount.high))  # fmt: skip
    st.markdown(t("practice.regret", stress=told(stress), best=told(best), amount=amount, low=low, high=high))


def _articles(exercise: Exercise) -> None:
    """Show the figures of the articles beside those computed here, once the predictions are made."""
    with st.expander(t("practice.articles", n=len(exercise.articles)), key="articles", on_change="rerun") as opened:
        if opened.open:
            from dashboard import practice_tables  # noqa: PLC0415  pandas, only when somebody looks

            st.caption(t("practice.articles.how"))
            st.dataframe(practice_tables.article_rows(exercise), hide_index=True)


def _chip(exercise: Exercise, line: Line, unit: str) -> None:
    colour, icon = {"met": ("green", "check"), "missed": ("red", "close")}.get(line.state, ("gray", "question_mark"))
    text = line_text(exercise, line.measure, line.limit, is_ceiling=line.is_ceiling, unit=unit)
    name = t("practice.red_line" if line.is_red_line else "practice.target")
    st.badge(f"{name} {text} \u00b7 {t(f'practice.line.{line.state}')}", color=colour, icon=f":material/{icon}:")  # type: ignore[arg-type]


def _traps(exercise: Exercise, session: Session) -> None:
    story = Story(exercise, setting_of(session))
    for decision in exercise.decisions:
        if decision.id not in session.choices:
            continue
        option = decision.option(session.choices[decision.id])
        for text in (option.trap, option.assumes):
            if text is not None:
                st.info(told(story.fill(text, language())), icon=":material/info:")


SHOW = {
    "brief": show_brief, "task": show_task, "predict": show_predict, "decide": show_decide,
    "consequence": show_consequence,
}  # fmt: skip
"""Step -> what shows it."""
