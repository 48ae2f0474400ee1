"""A kept score on screen: total, dimensions, hints, and the text with its marks."""

import streamlit as st

from dashboard.i18n import Text, in_language, plain, t
from practice.export import marked_html
from practice.history import Grade
from practice.rubric import DIMENSIONS, LEVELS, PENALTIES, RULES, TEXT, VERSION


def dimension_name(name: str) -> str:
    """Return the name of a dimension in the language of the session."""
    return in_language(DIMENSIONS[name]) if name in DIMENSIONS else name


def level_name(level: str) -> str:
    """Return the name of a level in the language of the session."""
    return in_language(LEVELS[level])


def show(grade: Grade) -> None:
    """Show a score with its text."""
    with st.container(horizontal=True):
        st.metric(plain("score.total"), f"{grade.total:g}", border=True)
        for name, points in grade.dimensions.items():
            st.metric(dimension_name(name), plain("score.not_seen") if points is None else f"{points:g}", border=True)
    st.caption(t("score.rules", version=grade.rubric_version, honest=Text(in_language(TEXT["honest"]))))
    if grade.rubric_version != VERSION:
        st.caption(t("score.other_rules", version=VERSION))
    for rule, hint in hints(grade):
        st.markdown(f"- **{rule}** {hint}")
    st.html(marked_html(grade))
    st.caption(t("score.legend"))


def hints(grade: Grade, most: int = 3) -> list[tuple[str, str]]:
    """Return the rules and penalties that cost most, with what to do about each."""
    words = {rule.id: in_language(rule.hint) for rule in RULES}
    words |= {penalty.id: in_language(penalty.hint) for penalty in PENALTIES}
    lost = [(one.weight - one.points, one.rule) for one in grade.outcomes if one.value < 1]
    lost += [(one.points, one.penalty) for one in grade.charges]
    lost.sort(key=lambda one: (-one[0], one[1]))
    return [(rule, words[rule]) for _, rule in lost if rule in words][:most]
