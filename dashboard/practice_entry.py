"""Where to begin: two questions, and an answer that starts an exercise."""

from collections.abc import Callable

import streamlit as st

from dashboard.errors import safe
from dashboard.i18n import Text, in_language, language, plain, t
from practice.exercises import exercises
from practice.player import BACKGROUNDS, FEEDBACK, MODES, Advice, advise
from practice.rubric import PERSONAS


def show(begin: Callable[[str, str, str], None]) -> None:
    """Show the two questions; then whether this is for you and what to `begin` with: exercise, mode, interviewer."""
    with st.expander(t("entry.title"), icon=":material/signpost:", key="entry"):
        who = st.selectbox(
            plain("entry.background"), list(BACKGROUNDS), key="entry.background", index=None,
            format_func=lambda one: in_language(BACKGROUNDS[one]), placeholder=plain("entry.pick"),
        )  # fmt: skip
        said = st.selectbox(
            plain("entry.feedback"), list(FEEDBACK), key="entry.feedback", index=None,
            format_func=lambda one: in_language(FEEDBACK[one]), placeholder=plain("entry.pick"),
        )  # fmt: skip
        if who and said:
            _advice(advise(who, said), begin)


def _advice(found: Advice, begin: Callable[[str, str, str], None]) -> None:
    st.markdown(Text(in_language(found.fits)))
    st.markdown(Text(in_language(found.why)))
    mode = MODES[found.mode]
    label = t(
        "entry.begin", id=found.exercise, title=exercises()[found.exercise].title.of(language()),
        mode=in_language(mode.name), persona=in_language(PERSONAS[mode.persona or found.persona]),
    )  # fmt: skip
    st.button(label, key="entry_begin", on_click=safe(begin), args=(found.exercise, found.mode, found.persona))
