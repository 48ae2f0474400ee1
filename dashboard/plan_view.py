"""The page Plan: which question, and what all questions share: answer and picture."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from dashboard import assumed, economics_view, panels
from dashboard.i18n import Text, t
from dashboard.topics import Topics
from scheduler_core import Note

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

TOPICS: Final = Topics("plan", ("size", "causes", "classes", "growth", "spares", "zones", "burst", "squeeze"))


def answer(found: Sequence[Note], sure: Text) -> None:
    """Show the sentence that answers, and how sure it is; what else is to be said comes with `notes`."""
    panels.heading(assumed.say(found[0]), level=1)
    st.caption(sure)


def notes(found: Sequence[Note]) -> None:
    """Show what is to be said beside the answer, warnings first."""
    economics_view.notes(sorted(found[1:], key=lambda note: not note.is_warning))


def chart(figure: "go.Figure", key: str, title: Text, table: "Callable[[], pd.DataFrame] | None" = None) -> None:
    """Show a picture of this page below its conclusion."""
    source = t("plan.source", hash=assumed.current().digest[:8])
    panels.chart(figure, key=f"plan_{key}", title=title, alt=title, source=source, table=table)
