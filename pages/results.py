"""Results: who waits how long and why, targets, pictures, and every job."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import (  # noqa: E402  the frame comes first
    fairness_view,
    jobs_view,
    preemption_view,
    results_view,
    service,
    state,
)
from dashboard.errors import shown  # noqa: E402

scenario = state.current()
with shown():
    first = service.first_seed_with_progress(scenario)
    results_view.headline(scenario, first)
    found = service.answer(scenario, first)
    left, right = st.columns([3, 2], gap="large")
    with left, shown():
        results_view.use_picture(scenario, found)
        results_view.identity(scenario, found)
    with right, shown():
        results_view.cause_picture(scenario, first)
        results_view.tries(scenario)
    left, right = st.columns([3, 2], gap="large")
    with left, shown():
        results_view.wait_picture(scenario, first)
    with shown():
        fairness_view.section(scenario, found)
    run = service.result(scenario)
    with shown():
        preemption_view.section(scenario, found, run)
    with right, shown():
        results_view.gangs(run)
        jobs_view.story(run)
    with shown():
        jobs_view.table(run)
