"""The page Economics: which question, its inputs, and what all questions share."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from dashboard import assumed, panels
from dashboard.errors import safe
from dashboard.i18n import Text, t
from dashboard.topics import Topics
from scheduler_core import Note

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

TOPICS: Final = Topics("economics", ("deal", "rent", "change", "claim", "delay", "bill"))


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
