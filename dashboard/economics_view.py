"""The page Economics: which question, its inputs, and what all questions share."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from dashboard import address, assumed, panels
from dashboard.errors import safe
from dashboard.i18n import Text, plain, t
from scheduler_core import Note

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

TOPICS: Final = ("deal", "rent", "change", "claim", "delay", "bill")
TOPIC_PARAM: Final = "topic"
_TOPIC: Final = "economics.topic"
_LINK: Final = "_economics_link"
_WRITTEN: Final = "_economics_written"


def prepare() -> None:
    """Take over what a link brings: the question and the assumptions."""
    assumed.from_address()
    said = st.query_params.get(TOPIC_PARAM)
    is_news = said not in (st.session_state.get(_LINK), st.session_state.get(_WRITTEN))
    if said in TOPICS and (is_news or address.is_history_navigation()):
        st.session_state[_TOPIC] = said
    st.session_state[_LINK] = said
    if st.session_state.get(_TOPIC) not in TOPICS:
        st.session_state[_TOPIC] = TOPICS[0]


def query() -> str:
    """Return what the address has to hold: the question, and the assumptions that differ."""
    st.session_state[_WRITTEN] = st.session_state[_TOPIC]
    parts = [f"{TOPIC_PARAM}={st.session_state[_TOPIC]}", assumed.query()]
    return "&".join(part for part in parts if part)


def pick() -> str:
    """Show the questions and return the chosen one."""
    chosen = st.segmented_control(
        plain("economics.topic"),
        TOPICS,
        key=_TOPIC,
        required=True,
        format_func=lambda topic: plain(f"economics.topic.{topic}"),
        label_visibility="collapsed",
        persist_state="session",
    )
    return chosen or TOPICS[0]


def answer(sentence: Text, sure: Text, rationale: Text) -> None:
    """Show the answer, how sure it is, and what one would say in the review."""
    panels.heading(sentence, level=1)
    st.caption(sure)
    with st.container(border=True, key="economics_rationale"):
        st.markdown(t("economics.say", text=rationale))


def notes(found: Sequence[Note]) -> None:
    """Show warnings; remarks are smaller."""
    for note in found:
        if note.is_warning:
            st.warning(assumed.say(note), icon=":material/warning:")
        else:
            st.caption(assumed.say(note))


def inputs(main: Sequence[str], more: Sequence[str]) -> None:
    """Show the inputs of a question: what matters most, and the rest on demand."""
    with st.container(border=True, key="economics_inputs"):
        for slug in main:
            assumed.field(slug)
        with st.expander(t("economics.more", n=len(more)), key="economics_more", on_change="rerun") as rest:
            if rest.open:
                for slug in more:
                    assumed.field(slug)
        st.button(
            t("assume.reset"),
            key="economics_reset",
            icon=":material/restart_alt:",
            type="tertiary",
            on_click=safe(assumed.reset),
            disabled=not assumed.current().changes,
        )


def chart(figure: "go.Figure", key: str, title: Text, table: "Callable[[], pd.DataFrame] | None" = None) -> None:
    """Show a picture of this page below its conclusion."""
    source = t("economics.source", hash=assumed.current().digest[:8])
    panels.chart(figure, key=f"economics_{key}", title=title, alt=title, source=source, table=table)


def take(values: Mapping[str, object]) -> Callable[[], None]:
    """Return a callback that changes several inputs."""
    return safe(partial(assumed.change, dict(values)))
