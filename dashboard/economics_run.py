"""Economics fed by a run: what the present scenario says about use, loss and waits, beside the formula."""

import streamlit as st

from dashboard import economics_view, numbers, service, state
from dashboard import verdict as words
from dashboard.digest import Digest
from dashboard.i18n import Text, escape, t
from scheduler_core import Measured, measure

_ASKED = "economics.run"
_FAR = 2.0
"""A wait that many times the other is called far from it."""
_SHORT_S = 1.0


def section() -> None:
    """Offer to run the present scenario, and show what it says beside the formula, with the gap in words."""
    scenario = state.current()
    with st.expander(
        t("economics.run.title", name=escape(scenario.name)), key="economics_run", on_change="rerun"
    ) as box:
        if not box.open:
            return
        st.markdown(t("economics.run.lead"))
        if st.session_state.get(_ASKED) != service.key_of(scenario):
            st.button(t("economics.run.button"), key="economics_run_start", on_click=_ask, icon=":material/play_arrow:")
            return
        first = service.first_seed_with_progress(scenario)
        found = measure(service.result(scenario), first.summary, service.loads(scenario))
        _table(found)
        st.markdown(gap(found, first))
        st.button(
            t("economics.run.take"),
            key="economics_run_take",
            icon=":material/input:",
            type="primary",
            on_click=economics_view.take(found.changes()),
        )


def _ask() -> None:
    st.session_state[_ASKED] = service.key_of(state.current())


def _table(found: Measured) -> None:
    columns = st.columns(4)
    shown = (
        ("economics.run.used", numbers.share(found.utilisation, 3)),
        ("economics.run.lost", numbers.share(found.lost, 3)),
        ("economics.run.wait", words.value_text("ms", 1_000 * found.wait_s, is_bound=found.is_bound)),
        ("economics.run.formula", _formula(found)),
    )
    for column, (key, value) in zip(columns, shown, strict=True):
        column.metric(t(key), value, border=True)


def _formula(found: Measured) -> Text:
    if found.formula_wait_s is None:
        return t("economics.no_wait")
    return words.value_text("ms", round(1_000 * found.formula_wait_s))


def gap(found: Measured, first: Digest) -> Text:
    """Return why the run and the formula differ, or that they do not."""
    shares = first.summary.cause_shares()
    behind = first.summary.order_behind_shares()
    cause = next((name for name in (*behind, *shares) if name != "order"), "capacity")
    formula = found.formula_wait_s
    if formula is None:
        return t("economics.run.gap_overload")
    ours = max(found.wait_s, _SHORT_S), max(formula, _SHORT_S)
    key = "far" if ours[0] > _FAR * ours[1] else "below" if ours[1] > _FAR * ours[0] else "near"
    return t(
        f"economics.run.gap_{key}",
        wait=words.value_text("ms", 1_000 * found.wait_s, is_bound=found.is_bound),
        formula=_formula(found),
        cause=t(f"cause.{cause}"),
    )
