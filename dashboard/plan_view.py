"""The page Plan: which question, and what all questions share: answer, simulation on demand, picture."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import streamlit as st

from dashboard import assumed, economics_view, numbers, panels
from dashboard.i18n import Text, t
from dashboard.kept import Kept
from dashboard.topics import Topics
from scheduler_core import Confirmation, Note

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

V = TypeVar("V")
TOPICS: Final = Topics("plan", ("size", "causes", "classes", "growth", "spares", "zones", "burst", "squeeze"))
_KEPT: Final[Kept[Any]] = Kept(100)


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


def simulated(kind: str, of: str, make: Callable[[Callable[[float], bool]], V]) -> V | None:
    """Return a simulation once somebody asked for it; else show the button that does.

    Parameters
    ----------
    kind : str
        Which simulation; key of its button's text.
    of : str
        Hash of everything it depends on; with another one the button is back.
    make : callable
        Runs it; gets a function that takes the share done.

    Returns
    -------
    object, optional
        The result, kept for all sessions; None until it is asked for.
    """
    asked = f"plan.asked_{kind}"
    if st.session_state.get(asked) != of:
        st.button(
            t(f"plan.run.{kind}"),
            key=f"plan.run_{kind}",
            icon=":material/science:",
            on_click=_ask,
            args=(asked, of),
        )
        return None
    slot = st.empty()
    with slot.container():
        bar = st.progress(0.0, text=t("plan.progress", percent="0"))
        st.button(t("plan.cancel"), key=f"plan.cancel_{kind}", type="tertiary", on_click=_forget, args=(asked,))

    def progress(share: float) -> bool:
        bar.progress(min(share, 1.0), text=t("plan.progress", percent=f"{100 * min(share, 1.0):.0f}"))
        return True

    found: V = _KEPT.get(f"{kind}:{of}", lambda: make(progress))
    slot.empty()
    return found


def _ask(asked: str, of: str) -> None:
    st.session_state[asked] = of


def _forget(asked: str) -> None:
    st.session_state.pop(asked, None)


def value_text(unit: str, value: float | None) -> Text:
    """Return a wait or a share as a person says it."""
    if value is None:
        return t("plan.no_value")
    return numbers.share(value) if unit == "share" else numbers.duration(value)


def interval_text(found: Confirmation) -> Text:
    """Return the interval of a simulated number."""
    low, high, mean = found.found.low, found.found.high, found.found.mean
    if low is None or high is None or mean is None:
        return Text("")
    if found.unit == "share":
        return Text(f"\\[{numbers.share(max(low, 0.0))}, {numbers.share(high)}\\]")
    return numbers.interval(mean, max(low, 0.0), high)


def confirmation(found: Confirmation) -> None:
    """Show a formula beside the simulation, and why they differ."""
    with st.container(border=True):
        parts = {"formula": found.formula, "better": found.better, "simulated": found.found.mean}
        shown = {name: value for name, value in parts.items() if value is not None}
        for column, (name, value) in zip(st.columns(len(shown)), shown.items(), strict=True):
            column.metric(t(f"plan.confirm.{name}"), value_text(found.unit, value))
        st.caption(t("plan.confirm.interval", interval=interval_text(found), n=found.found.n))
        economics_view.notes(found.notes)
