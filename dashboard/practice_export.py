"""The ways to take an attempt along: one page to print, and Markdown; the answer goes along where that is ticked."""

from typing import Final

import streamlit as st

from dashboard import practice_share
from dashboard.errors import attempt as tried
from dashboard.i18n import language, t
from practice.export import Page, to_html, to_markdown
from practice.history import Attempt
from practice.player import session_of

_ANSWER: Final = "export_answer"


def downloads(attempt: Attempt, name: str, *, shortcut: str | None = None) -> None:
    """Show the downloads of one attempt.

    Parameters
    ----------
    attempt : Attempt
        The attempt.
    name : str
        How its exercise or story is called.
    shortcut : str, optional
        Key that saves the page.
    """
    st.session_state.setdefault(_ANSWER, True)
    has_answer = st.checkbox(t("export.with_answer"), key=_ANSWER)
    session, _ = tried(lambda: session_of(attempt))
    link = practice_share.link_of(session) if session else ""
    page = Page(attempt, name, language(), has_answer, link)
    with st.container(horizontal=True, key="exports"):
        st.download_button(
            t("export.html"), lambda: to_html(page), f"headroom-{attempt.subject}.html", "text/html",
            key="export_html", on_click="ignore", icon=":material/print:", shortcut=shortcut,
        )  # fmt: skip
        st.download_button(
            t("export.markdown"), lambda: to_markdown(page), f"headroom-{attempt.subject}.md", "text/markdown",
            key="export_markdown", on_click="ignore", icon=":material/description:",
        )  # fmt: skip
    st.caption(t("export.how"))
