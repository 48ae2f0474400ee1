"""The page Plan: which question, and what all questions share: answer and picture."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from dashboard import assumed, economics_view, errors, numbers, panels, service, shell, state
from dashboard.i18n import Text, t
from dashboard.topics import Topics
from scheduler_core import Note, resize

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

TOPICS: Final = Topics("plan", ("size", "causes", "classes", "growth", "spares", "zones", "burst", "squeeze"))

_TAKEN: Final = "plan.taken"
"""Session key: the scenario that a size was taken into."""


def answer(found: Sequence[Note], sure: Text, rationale: Text) -> None:
    """Show the sentence that answers, how sure it is, and what one would say; the rest comes with `notes`."""
    economics_view.answer(assumed.say(found[0]), sure, rationale)


def take_into_scenario(gpus: int) -> None:
    """Offer to give the cluster of the scenario some GPUs, and say what came of it, with the ways on and back."""
    scenario = state.current()
    now, wanted = numbers.count(scenario.cluster.gpus), numbers.count(gpus)
    st.button(
        t("plan.take.button", gpus=wanted, now=now),
        key="plan_take",
        icon=":material/output:",
        on_click=errors.safe(partial(_take, gpus)),
    )
    if st.session_state.get(_TAKEN) == service.key_of(scenario):
        with st.container(horizontal=True, vertical_alignment="center", key="plan_taken"):
            st.success(t("plan.take.done", gpus=now), icon=":material/check:", width=320)
            shell.link_to("setup", t("plan.take.setup"), ":material/tune:")
            shell.link_to("results", t("plan.take.results"), ":material/arrow_forward:")
            st.button(
                t("plan.take.back"), key="plan_take_back", icon=":material/undo:", on_click=errors.safe(state.undo)
            )


def _take(gpus: int) -> None:
    state.edit_all(resize(state.current(), gpus))
    st.session_state[_TAKEN] = service.key_of(state.current())


def notes(found: Sequence[Note]) -> None:
    """Show what is to be said beside the answer, warnings first."""
    economics_view.notes(sorted(found[1:], key=lambda note: not note.is_warning))


def chart(figure: "go.Figure", key: str, title: Text, table: "Callable[[], pd.DataFrame] | None" = None) -> None:
    """Show a picture of this page below its conclusion."""
    source = t("plan.source", hash=assumed.current().digest[:8])
    panels.chart(figure, key=f"plan_{key}", title=title, alt=title, source=source, table=table)
