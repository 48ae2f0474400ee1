"""What Trade-offs shows: the study, its work in progress, the recommendation, the picture and the table."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st

from dashboard import numbers, panels, state
from dashboard import tradeoffs_runs as runs
from dashboard import tradeoffs_study as studies
from dashboard.errors import refusal, report, safe, show, shown
from dashboard.i18n import Text, clip, escape, plain, t
from dashboard.tradeoffs_fields import Offer, offer_of, one_clicks
from dashboard.tradeoffs_study import Study, key
from scheduler_core import CoreError, Scenario

_POLL_S: Final = 0.5


# ---- what is asked ----------------------------------------------------------------------------------------------


def form(scenario: Scenario, known: Mapping[str, Offer]) -> None:
    """Show what is varied, what is looked at, and the studies one click away."""
    _clicks(scenario)
    _axis(1, known)
    _axis(2, known)
    options = studies.measure_options(scenario)
    _metric("x", options)
    _metric("y", options)
    _metric("by", ["", *options])
    st.number_input(
        t("tradeoffs.seeds"),
        1,
        studies.MOST_SEEDS,
        st.session_state[key("seeds")],
        step=1,
        key=key("seeds"),
        help=t("tradeoffs.seeds_help"),
        persist_state="session",
    )


def _clicks(scenario: Scenario) -> None:
    found = one_clicks(scenario)
    if not found:
        return
    with st.container(horizontal=True, gap="xsmall", key="tradeoffs_clicks"):
        for each in found:
            st.button(
                t(f"tradeoffs.click.{each.key}"),
                key=key(f"click_{each.key}"),
                help=t(f"tradeoffs.click.{each.key}.help"),
                on_click=safe(partial(studies.take, each)),
            )


def _axis(at: int, known: Mapping[str, Offer]) -> None:
    paths = list(known) if at == 1 else ["", *known]
    chosen = st.session_state[key(f"path{at}")]
    if chosen not in paths:
        paths.append(chosen)
    st.selectbox(
        t(f"tradeoffs.path{at}"),
        paths,
        paths.index(chosen),
        key=key(f"path{at}"),
        format_func=lambda path: offer_of(path, known).label if path else plain("tradeoffs.nothing"),
        on_change=partial(_chosen, at, known),
        persist_state="session",
    )
    if not chosen:
        return
    offer = offer_of(chosen, known)
    values = st.session_state[key(f"values{at}")]
    st.multiselect(
        t("tradeoffs.values"),
        list(dict.fromkeys([*offer.options, *offer.start, *values])),
        values,
        key=key(f"values{at}"),
        format_func=offer.name,
        accept_new_options=True,
        placeholder=plain("tradeoffs.values_hint"),
        help=t("tradeoffs.values_help"),
        persist_state="session",
    )


def _chosen(at: int, known: Mapping[str, Offer]) -> None:
    path = st.session_state[key(f"path{at}")]
    st.session_state[key(f"values{at}")] = list(offer_of(path, known).start) if path else []


def _metric(name: str, options: list[str]) -> None:
    chosen = st.session_state[key(name)]
    offered = options if chosen in options else [*options, chosen]
    st.selectbox(
        t(f"tradeoffs.axis.{name}"),
        offered,
        offered.index(chosen),
        key=key(name),
        format_func=lambda text: clip(studies.measure_label(text)),
        persist_state="session",
    )


def weights(study: Study) -> None:
    """Show how much each objective counts."""
    measures = [measure for measure in study.measures if measure.objective is not None]
    if len(measures) < 2:
        return
    st.caption(t("tradeoffs.weights"))
    for at, measure in enumerate(measures, 1):
        st.slider(
            Text(escape(studies.measure_label(measure.name))),
            0,
            100,
            st.session_state[key(f"w{at}")],
            step=5,
            key=key(f"w{at}"),
            persist_state="session",
        )


# ---- the work ---------------------------------------------------------------------------------------------------


def read(scenario: Scenario) -> Study | None:
    """Return the study of the widgets; None, with the reason on the page, where it cannot be run."""
    found: list[Study] = []

    def take() -> None:
        study = studies.current(scenario)
        runs.check(scenario, study)
        found.append(study)

    for sentence in refusal(take)[:3]:
        panels.heading(t("tradeoffs.title"), level=1)
        st.error(sentence, icon=":material/error:")
        return None
    return found[0]


def work_for(scenario: Scenario, study: Study) -> runs.Work | None:
    """Return the work of a study, begun when it is small or asked for; else show what it takes, and a button."""
    name = study.name_of_work(scenario)
    _leave(name)
    work = runs.find(name)
    jobs = runs.expected_jobs(scenario, study)
    is_stopped = st.session_state.get(key("stopped")) == name
    is_asked = bool(st.session_state.pop(key("asked"), False))
    if work is None and not is_stopped and (is_asked or jobs <= runs.AT_ONCE_JOBS):
        work = runs.start(name, scenario, study)
    if work is not None:
        return work
    n_points = 1
    for axis in study.axes:
        n_points *= len(axis.values)
    panels.heading(t("tradeoffs.title"), level=1)
    size = numbers.count(n_points), numbers.count(runs.seeds_of(scenario, study)), numbers.count(round(jobs, -3))
    st.markdown(t("tradeoffs.size", points=size[0], seeds=size[1], jobs=size[2]))
    st.button(t("tradeoffs.run"), key=key("run"), type="primary", icon=":material/play_arrow:", on_click=_ask)
    return None


def _ask() -> None:
    st.session_state[key("asked")] = True
    st.session_state[key("stopped")] = ""


def _leave(name: str) -> None:
    """End what this session asked for before and nobody will look at."""
    before = st.session_state.get(key("work"))
    if before and before != name:
        work = runs.find(before)
        if work is not None and not work.is_done:
            runs.cancel(work)
    st.session_state[key("work")] = name


def progress(work: runs.Work, name: str) -> None:
    """Show how far the work is, with a button that ends it; the answer comes by itself."""
    panels.heading(t("tradeoffs.title"), level=1)
    st.fragment(_poll, run_every=_POLL_S)(work, name)


def _poll(work: runs.Work, name: str) -> None:
    with shown():
        if work.is_done:
            st.rerun()
        text = t("tradeoffs.progress", percent=f"{100 * work.share:.0f}") if work.is_running else t("tradeoffs.queued")
        st.progress(min(1.0, work.share), text=text)
        st.button(t("tradeoffs.cancel"), key=key("cancel"), on_click=partial(_stop, work, name), type="tertiary")


def _stop(work: runs.Work, name: str) -> None:
    runs.cancel(work)
    st.session_state[key("stopped")] = name


def problem(work: runs.Work) -> None:
    """Show why there is no answer."""
    panels.heading(t("tradeoffs.title"), level=1)
    if isinstance(work.problem, CoreError):
        show(work.problem)
    elif work.problem is not None:
        st.error(report(work.problem), icon=":material/error:")


def use(settings: Mapping[str, str]) -> None:
    """Offer to make a point the current scenario."""
    st.button(
        t("tradeoffs.use"),
        key=key("use"),
        icon=":material/check:",
        on_click=safe(partial(state.edit_all, dict(settings))),
        help=t("tradeoffs.use_help"),
    )
