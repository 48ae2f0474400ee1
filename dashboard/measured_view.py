"""Figures from runs of the present scenario, for Economics and Plan: all seeds with intervals, beside the formula."""

from collections.abc import Callable
from typing import Final

import streamlit as st

from dashboard import assumed, confirmed, economics_view, numbers, service, state
from dashboard import verdict as words
from dashboard.i18n import Text, escape, t
from scheduler_core import MeasuredRuns, Scenario, plan_changes

_FAR: Final = 2.0
"""A wait that many times the other is called far from it."""
_SHORT_MS: Final = 1_000.0

Changes = Callable[[Scenario, MeasuredRuns], dict[str, object]]


def money_changes(_: Scenario, found: MeasuredRuns) -> dict[str, object]:
    """Return the inputs of the money formulas that runs give."""
    return found.changes()


def section(changes: Changes = plan_changes) -> None:
    """Offer to run the present scenario, and show what all seeds say beside the formula, with the gap in words.

    Parameters
    ----------
    changes : callable
        Gives the inputs that the runs say, for the button that takes them over.
    """
    scenario = state.current()
    with st.expander(
        t("economics.run.title", name=escape(scenario.name)), key="economics_run", on_change="rerun"
    ) as box:
        if not box.open:
            return
        st.markdown(t("economics.run.lead"))
        key = service.key_of(scenario)
        found = confirmed.simulated("measured", key, lambda note: service.measured(scenario, note))
        if found is None:
            return
        _table(found)
        st.markdown(gap(found))
        st.button(
            t("economics.run.take"),
            key="economics_run_take",
            icon=":material/input:",
            type="primary",
            on_click=economics_view.take(changes(scenario, found)),
        )


def _table(found: MeasuredRuns) -> None:
    shares, wait = found.shares, found.wait_ms
    shown = (
        ("used", "share", shares["utilisation_share"]),
        ("lost", "share", shares["lost_share"]),
        ("wait", "ms", wait),
    )
    columns = st.columns(2)
    for at, (name, unit, each) in enumerate(shown):
        with columns[at % 2]:
            value = words.value_text(unit, each.mean, is_bound=each.is_lower_bound)
            st.metric(t(f"economics.run.{name}"), value, border=True)
            st.caption(confirmed.interval_text(unit, each) or t("economics.run.once"))
    columns[1].metric(t("economics.run.formula"), _formula(found), border=True)
    asked = assumed.current()
    cost = found.wait_usd_per_day(asked)
    st.markdown(
        t(
            "economics.run.wait_cost",
            price=numbers.usd(asked.number("wait_usd_per_h")),
            usd=numbers.usd(cost.mean or 0.0),
            interval=confirmed.interval_text("usd", cost),
        )
    )
    late, penalty = found.late_share(asked), found.late_usd_per_day(asked)
    st.markdown(
        t(
            "economics.run.late",
            late=words.value_text("share", late.mean),
            late_interval=confirmed.interval_text("share", late),
            limit=words.value_text("ms", 1_000 * asked.number("wait_limit_s")),
            price=numbers.usd(asked.number("late_usd_per_request")),
            usd=numbers.usd(penalty.mean or 0.0),
            interval=confirmed.interval_text("usd", penalty),
        )
    )
    st.caption(t("economics.run.runs", n=len(found.runs)))


def _formula(found: MeasuredRuns) -> Text:
    formula = found.formula_wait_ms
    return t("economics.no_wait") if formula is None else words.value_text("ms", round(formula))


def gap(found: MeasuredRuns) -> Text:
    """Return why the runs and the formula differ, or that they do not."""
    formula, wait = found.formula_wait_ms, found.wait_ms
    if formula is None:
        return t("economics.run.gap_overload")
    ours = max(wait.mean or 0.0, _SHORT_MS), max(formula, _SHORT_MS)
    key = "far" if ours[0] > _FAR * ours[1] else "below" if ours[1] > _FAR * ours[0] else "near"
    return t(
        f"economics.run.gap_{key}",
        wait=words.value_text("ms", wait.mean, is_bound=wait.is_lower_bound),
        formula=_formula(found),
        cause=t(f"cause.{found.cause}"),
    )
