"""Start: what do you want to decide? A case already simulated, other cases, your own job log."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import results_view, service, start_view, state  # noqa: E402  the frame comes first
from dashboard.errors import shown  # noqa: E402

scenario = state.current()
left, right = st.columns([3, 2], gap="large")
with left, shown():
    first = service.first_seed_with_progress(scenario)
    results_view.headline(scenario, first, with_numbers=False)
    results_view.use_picture(scenario, service.answer(scenario, first), key="start_use", height=300)
with right, shown():
    start_view.questions(scenario)
    start_view.cases()
with st.container(key="own_log"), shown():
    start_view.own_log()
with shown():
    start_view.import_report(scenario)
