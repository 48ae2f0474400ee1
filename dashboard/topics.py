"""A page of several questions: which one is asked, in the widget and in the address."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard import address, assumed
from dashboard.i18n import plain

TOPIC_PARAM = "topic"


@dataclass(frozen=True)
class Topics:
    """The questions of one page; the first is asked when nobody says another.

    Attributes
    ----------
    page : str
        Slug of the page; its texts are ``<page>.topic`` and ``<page>.topic.<slug>``.
    slugs : sequence of str
        The questions, in the order of the page.
    """

    page: str
    slugs: Sequence[str]

    @property
    def _chosen(self) -> str:
        return f"{self.page}.topic"

    def prepare(self) -> None:
        """Take over what a link or the back button brings: the question and the assumptions."""
        assumed.from_address()
        linked, written = f"_{self.page}_link", f"_{self.page}_written"
        said = st.query_params.get(TOPIC_PARAM)
        is_news = said not in (st.session_state.get(linked), st.session_state.get(written))
        if said in self.slugs and (is_news or address.is_history_navigation()):
            st.session_state[self._chosen] = said
        st.session_state[linked] = said
        if st.session_state.get(self._chosen) not in self.slugs:
            st.session_state[self._chosen] = self.slugs[0]

    def query(self) -> str:
        """Return what the address has to hold: the question, and the assumptions that differ."""
        chosen = st.session_state[self._chosen]
        st.session_state[f"_{self.page}_written"] = chosen
        return "&".join(part for part in (f"{TOPIC_PARAM}={chosen}", assumed.query()) if part)

    def pick(self) -> str:
        """Show the questions and return the chosen one."""
        chosen = st.segmented_control(
            plain(f"{self.page}.topic"),
            self.slugs,
            default=st.session_state[self._chosen],
            key=self._chosen,
            required=True,
            format_func=lambda topic: plain(f"{self.page}.topic.{topic}"),
            label_visibility="collapsed",
            persist_state="session",
        )
        return chosen or self.slugs[0]
