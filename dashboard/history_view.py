"""The page of history: readiness, what is due, the course of the scores, predictions, rules, attempts side by side."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from dashboard import notebook, numbers, practice_export, score_view
from dashboard.errors import safe, shown
from dashboard.i18n import Text, escape, in_language, language, plain, t
from dashboard.panels import chart, heading
from practice import history
from practice.exercises import SECTIONS, exercises, measure_title, option_title, question_title
from practice.export import Page, choices, predictions
from practice.rubric import RULES, VERSION

if TYPE_CHECKING:
    import pandas as pd

_MOST_SHOWN: Final = 200
"""Points of the trend; an exercise a day fills half a year."""


def subject_names(attempts: tuple[history.Attempt, ...], book: str) -> dict[str, str]:
    """Return how exercises and stories are called."""
    own = {one.id: one.title.strip() for one in notebook.store().stories(book)}
    return {one.subject: own.get(one.subject) or _exercise_name(one) for one in attempts}


def _exercise_name(attempt: history.Attempt) -> str:
    if attempt.kind == "story":
        return plain("history.a_story")
    found = exercises().get(attempt.subject)
    return attempt.subject.upper() if found is None else found.title.of(language())


def show() -> None:
    """Show the page, but for what concerns files."""
    book = notebook.current()
    attempts = notebook.store().attempts(book) if book else ()
    _answer(history.readiness(attempts))
    if book is None or not history.scored(attempts):
        st.info(t("history.empty"), icon=":material/edit_note:")
        return
    names = subject_names(attempts, book)
    left, right = st.columns([3, 2], gap="large")
    with left, shown():
        _trend(history.trend(attempts), names)
    with right, shown():
        _due(history.plan(attempts, datetime.now(UTC), notebook.store().interview_on(book)), names)
        _predictions(history.calibration(attempts))
    with shown():
        _rules(history.heat_map(attempts), names)
    with shown():
        _one_by_one(attempts, names)


def _answer(ready: history.Readiness) -> None:
    verdict = ready.verdict
    if verdict is None:
        heading(t("history.not_ready", n=ready.n_subjects, least=history.LEAST_SUBJECTS), level=1)
    else:
        name, level = score_view.dimension_name(verdict.lowest), score_view.level_name(verdict.level)
        points = f"{verdict.dimensions[verdict.lowest]:g}"
        heading(t("history.ready", dimension=name, points=points, level=level), level=1)
        with st.container(horizontal=True):
            for dimension, value in verdict.dimensions.items():
                st.metric(score_view.dimension_name(dimension), f"{value:g}", border=True)
    st.caption(t("history.ready.how", least=history.LEAST_SUBJECTS))
    if ready.n_other_rules:
        st.caption(t("history.other_rules", n=ready.n_other_rules))


def _due(plan: history.Plan, names: dict[str, str]) -> None:
    heading(t("history.due", n=len(plan.today)) if plan.today else t("history.nothing_due"), level=3)
    hint = {rule.id: in_language(rule.hint) for rule in RULES}
    for one in plan.today:
        line = t("history.due.line", subject=names[one.subject], rule=one.rule, points=f"{one.score:.0f}")
        st.markdown(f"- {line} {hint[one.rule]}")
    if not plan.today and plan.next_at:
        st.caption(t("history.due.next", day=notebook.local(plan.next_at).date().isoformat()))
    for subject in plan.redo:
        st.warning(t("history.redo", subject=names[subject], n=history.MOST_LAPSES), icon=":material/replay:")
    st.caption(t("history.due.how", most=history.MOST_A_DAY))


def _predictions(found: history.Calibration | None) -> None:
    if found is None:
        heading(t("history.no_predictions"), level=3)
        return
    heading(t("history.predictions", n=found.n, share=numbers.share(found.right_share)), level=3)
    if found.gap_share is not None:
        key = "history.too_sure" if found.gap_share > 0 else "history.too_unsure"
        st.markdown(t(key, points=numbers.points(abs(found.gap_share))))
    for one in found.bins:
        sure, right = numbers.share(one.sure_share), numbers.share(one.right_share)
        st.markdown("- " + t("history.bin", n=one.n, sure=sure, right=right))
    for measure, (right_n, n) in _by_name(found).items():
        st.markdown("- " + t("history.measure", measure=measure, right=right_n, n=n))


def _by_name(found: history.Calibration) -> dict[str, tuple[int, int]]:
    """Return (right, all) by what people call a measure: exercises share some of them."""
    named: dict[str, tuple[int, int]] = {}
    for (subject, measure), (right_n, n) in found.by_measure.items():
        exercise = exercises().get(subject)
        name = measure_title(exercise, measure, language()) if exercise else measure
        right_before, n_before = named.get(name, (0, 0))
        named[name] = (right_before + right_n, n_before + n)
    return dict(sorted(named.items()))


def _source() -> Text:
    return t("history.source", version=VERSION)


def _trend(trend: history.Trend, names: dict[str, str]) -> None:
    from dashboard import history_charts  # noqa: PLC0415  plotly is imported with the first picture

    points = trend.points[-_MOST_SHOWN:]
    title = (
        t("history.trend.one", n=len(points), last=f"{points[-1].grade.total:g}")
        if trend.before is None or trend.after is None
        else t("history.trend", before=f"{trend.before:.0f}", after=f"{trend.after:.0f}", n=len(trend.points))
    )
    chart(
        history_charts.course(points), key="trend", title=title, alt=str(title), source=_source(),
        table=lambda: _trend_table(points, names),
    )  # fmt: skip


def _trend_table(points: tuple[history.Scored, ...], names: dict[str, str]) -> "pd.DataFrame":
    import pandas as pd  # noqa: PLC0415

    rows = [
        {plain("history.when"): _when(one), plain("history.what"): names[one.attempt.subject],
         plain("score.total"): one.grade.total,
         **{score_view.dimension_name(name): value for name, value in one.grade.dimensions.items()}}
        for one in points
    ]  # fmt: skip
    return pd.DataFrame(rows)


def _when(one: history.Scored) -> str:
    return notebook.local(one.at).strftime("%Y-%m-%d %H:%M")


def _rules(found: history.HeatMap, names: dict[str, str]) -> None:
    from dashboard import history_charts  # noqa: PLC0415  as above

    weakest = found.weakest or ""
    mean = sum(found.values[weakest]) / len(found.columns)
    hint = next((in_language(rule.hint) for rule in RULES if rule.id == weakest), "")
    key = "history.rules" if mean < 1 else "history.rules.all"
    title = t(key, rule=weakest, share=numbers.share(mean), n=len(found.columns), hint=escape(hint, 300))
    columns = [f"{row}. {names[one.attempt.subject]}" for row, one in enumerate(found.columns, 1)]

    def table() -> "pd.DataFrame":
        import pandas as pd  # noqa: PLC0415

        frame = pd.DataFrame.from_dict(dict(found.values), orient="index", columns=columns)
        return frame.rename_axis(plain("history.rule")).reset_index()

    picture = history_charts.rules(found, columns)
    chart(picture, key="rules", title=title, alt=str(title), source=_source(), table=table)


def _one_by_one(attempts: tuple[history.Attempt, ...], names: dict[str, str]) -> None:
    heading(t("history.attempts", n=len(attempts)))
    labels = {one.id: f"{_begun(one)}, {names[one.subject]}{_total(one)}" for one in reversed(attempts)}
    chosen = st.selectbox(
        t("history.attempt"), list(labels), key="history_attempt", format_func=lambda one: labels[one]
    )
    other = st.selectbox(
        t("history.other"), [one for one in labels if one != chosen], key="history_other", index=None,
        format_func=lambda one: labels[one], placeholder=plain("history.other.none"),
    )  # fmt: skip
    by_id = {one.id: one for one in attempts}
    if chosen in by_id and other in by_id:
        _difference(by_id[chosen], history.difference(by_id[other], by_id[chosen]))
    elif chosen in by_id:
        _attempt(by_id[chosen], names[by_id[chosen].subject])


def _begun(one: history.Attempt) -> str:
    return notebook.local(one.created_at).strftime("%Y-%m-%d %H:%M")


def _total(one: history.Attempt) -> str:
    return f", {one.grade.total:g}" if one.grade else ""


def _section(one: history.Attempt, name: str) -> str:
    """Return what people call a section: a box, a reply, or a why."""
    if name in SECTIONS:
        return plain(f"box.{name}")
    kind, _, rest = name.partition(".")
    if kind == "why":
        return plain("history.why", n=int(rest) + 1)
    replies = [each for each in one.texts() if each.startswith("reply.")]
    return plain("history.reply", n=1 + replies.index(name)) if name in replies else name


def _attempt(one: history.Attempt, name: str) -> None:
    if one.grade is not None:
        score_view.show(one.grade)
    else:
        for section, text in one.texts().items():
            st.markdown(f"**{escape(_section(one, section))}**")
            st.code(text, language=None, wrap_lines=True)
    if one.run_hash:
        st.caption(t("history.run", hash=one.run_hash[:12]))
    page = Page(one, name, language())
    if one.choices or one.predictions:
        with st.expander(t("history.chosen")):
            for asked, chosen in choices(page):
                st.markdown(f"- {escape(asked)} **{escape(chosen)}**")
            for option, measure, said, came in predictions(page):
                st.markdown("- " + t("history.predicted", option=option, measure=measure, said=said, came=came))
    practice_export.downloads(one, name)
    score_view.dispute(one)
    delete = safe(notebook.store().delete)
    st.button(t("history.delete"), key="attempt_delete", on_click=delete, args=(one.id,), icon=":material/delete:")


def _difference(one: history.Attempt, found: history.Difference) -> None:
    if found.total is not None:
        heading(t("history.difference", points=f"{found.total:+g}", n=len(found.rules)), level=3)
    for rule, (before, after) in found.rules.items():
        st.markdown("- " + t("history.rule_changed", rule=rule, before=f"{before:g}", after=f"{after:g}"))
    for name, (was, now) in found.choices.items():
        asked, *options = _choice_words(one.subject, name, was, now)
        line = t("changes.line", path=asked, before=options[0], after=options[1])
        st.markdown("- " + line)
    for name, parts in found.texts.items():
        st.html(_changed_html(_section(one, name), parts))
    st.caption(t("history.difference.legend"))


def _choice_words(subject: str, decision: str, *options: str | None) -> tuple[str, ...]:
    """Return the question of a decision, and each option by its label."""
    exercise = exercises().get(subject)
    nothing = plain("changes.nothing")
    if exercise is None:
        return decision, *(one or nothing for one in options)
    labels = (option_title(exercise, decision, one, language()) if one else nothing for one in options)
    return question_title(exercise, decision, language()), *labels


def _changed_html(name: str, parts: tuple[tuple[str, str], ...]) -> str:
    from html import escape as as_html  # noqa: PLC0415

    tags = {"same": ("", ""), "gone": ("<del>", "</del>"), "new": ("<ins>", "</ins>")}
    body = "".join(tags[kind][0] + as_html(text) + tags[kind][1] for kind, text in parts)
    return f"<p><b>{as_html(name)}</b> {body}</p>"
