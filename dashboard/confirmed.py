"""A formula beside its simulation: the button that asks for it, the run, both numbers and why they differ."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import pandas as pd
import streamlit as st

from dashboard import economics_view, numbers
from dashboard.errors import shown
from dashboard.i18n import Text, plain, t
from scheduler_core import TRIALS, Assumptions, Confirmation, Estimate, Kept

V = TypeVar("V")
_KEPT: Final[Kept[Any]] = Kept(100)


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
    """Return a wait in ms, or a share, as a person says it."""
    if value is None:
        return t("plan.no_value")
    return numbers.share(value) if unit == "share" else numbers.duration(value)


def interval_text(unit: str, found: Estimate) -> Text:
    """Return the 95 % interval of a simulated number; empty where there is none."""
    low, high, mean = found.low, found.high, found.mean
    if low is None or high is None or mean is None:
        return Text("")
    if unit == "ms":
        return numbers.interval(mean, max(low, 0.0), high)
    return Text(f"\\[{_fine(unit, low)}, {_fine(unit, high)}\\]")


def _fine(unit: str, value: float) -> Text:
    """Return a value with one digit more, so that the ends of a narrow interval differ."""
    if unit == "share":
        return numbers.share(value, 3)
    return value_text(unit, value) if unit == "ms" else Text(numbers.digits(value, 4))


def confirmation(found: Confirmation) -> None:
    """Show a formula beside the simulation, and why they differ."""
    with st.container(border=True):
        parts = {"formula": found.formula, "better": found.better, "simulated": found.found.mean}
        shown = {name: value for name, value in parts.items() if value is not None}
        for column, (name, value) in zip(st.columns(len(shown)), shown.items(), strict=True):
            column.metric(t(f"plan.confirm.{name}"), value_text(found.unit, value))
        st.caption(t("plan.confirm.interval", interval=interval_text(found.unit, found.found), n=found.found.n))
        economics_view.notes(found.notes)


def found(kind: str, asked: Assumptions) -> tuple[Confirmation, ...]:
    """Return the formulas of one kind with what stands beside them, once somebody asked for it; empty before.

    Parameters
    ----------
    kind : str
        Which run or trial; a key of `TRIALS`.
    asked : Assumptions
        The inputs; with others the button is back. Where they have no answer, it is said and nothing is returned.
    """
    rows: list[Confirmation] = []
    with shown():
        rows += simulated(kind, asked.digest, lambda note: TRIALS[kind](asked, progress=note)) or ()
    return tuple(rows)


def beside(kind: str, asked: Assumptions) -> None:
    """Offer to confirm formulas, and once that is asked for show them beside the run or trial; see `found`."""
    rows = found(kind, asked)
    if rows:
        confirmations(rows)


def confirmations(found: Sequence[Confirmation]) -> None:
    """Show several formulas beside their simulation in one table, and below it why they differ."""
    columns: dict[str, Callable[[Confirmation], str]] = {
        "what": lambda each: plain(f"plan.trial.{each.label}"),
        "plain_formula": lambda each: _fine(each.unit, each.formula),
        "finer": lambda each: "" if each.better is None else _fine(each.unit, each.better),
        "ran": lambda each: t("plan.no_value") if each.found.mean is None else _fine(each.unit, each.found.mean),
        "range": lambda each: interval_text(each.unit, each.found).replace("\\", ""),
    }
    if all(each.better is None for each in found):
        del columns["finer"]
    rows = [{plain(f"plan.confirm.{name}"): cell(each) for name, cell in columns.items()} for each in found]
    with st.container(border=True):
        st.table(pd.DataFrame(rows).map(str), hide_index=True)  # wraps: a phone shows each number with its interval
        st.caption(t("plan.confirm.drawn", n=found[0].found.n))
        economics_view.notes(list(dict.fromkeys(note for each in found for note in each.notes)))
