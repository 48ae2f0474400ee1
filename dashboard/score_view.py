"""A kept score on screen: total, dimensions, hints, and the text with its marks."""

from collections.abc import Iterable
from typing import Final

import streamlit as st

from dashboard import notebook
from dashboard.errors import safe
from dashboard.i18n import Text, clip, escape, in_language, plain, t
from practice.export import marked_html
from practice.history import LONGEST_NOTE, Attempt, Grade, disputes, with_dispute
from practice.rubric import ASKS, DIMENSIONS, LEVELS, TEXT, VERSION, Hint, hints_for

_LONGEST: Final = 600
_QUOTED: Final = 90


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
    show_hints(hints_for(grade), grade.text)
    st.html(marked_html(grade))
    st.caption(t("score.legend"))


def show_hints(hints: Iterable[Hint], text: str) -> None:
    """Show hints: what to do about a rule, where it was seen, and a sentence to rewrite with."""
    for hint in hints:
        kind = t(f"score.hint.{hint.kind}")
        st.markdown(f"**{kind} \u00b7 {hint.rule}** {escape(in_language(hint.text), _LONGEST)}")
        seen = [clip(text[start:end], _QUOTED) for start, end in hint.spans[:2]]
        frame = "" if hint.kind == "celebratory" else escape(in_language(hint.frame), _LONGEST)
        where = t("score.hint.seen", text=" \u2026 ".join(seen)) if seen else ""
        st.caption(" \u00b7 ".join(part for part in (frame, where) if part))


def dispute(attempt: Attempt) -> None:
    """Let the candidate say which rule is wrong about this answer; it is kept with the attempt, for the word lists."""
    grade = attempt.grade
    if grade is None:
        return
    with st.popover(t("score.dispute"), icon=":material/flag:", key=f"dispute_{attempt.id}", type="tertiary"):
        st.caption(t("score.dispute.how"))
        rules = [*(one.rule for one in grade.outcomes), *(one.penalty for one in grade.charges)]
        asks = {rule: f"{rule} \u00b7 {in_language(ASKS[rule])}" for rule in rules if rule in ASKS}
        st.selectbox(
            t("score.dispute.rule"), rules, key="dispute_rule", format_func=lambda one: asks.get(one, one)
        )  # fmt: skip
        st.text_input(t("score.dispute.note"), key="dispute_note", max_chars=LONGEST_NOTE)
        st.button(t("score.dispute.send"), key="dispute_send", on_click=safe(_keep_dispute), args=(attempt.id,))
        for one in disputes([attempt]):
            st.markdown(f"- **{one.rule}** {escape(one.note, LONGEST_NOTE) or t('score.dispute.no_note')}")


def _keep_dispute(attempt_id: str) -> None:
    store = notebook.store()
    kept = with_dispute(store.attempt(attempt_id), st.session_state["dispute_rule"], st.session_state["dispute_note"])
    store.update(attempt_id, progress=kept)
