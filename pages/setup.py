"""Set up: cluster, workload, policy and targets, with a live preview."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import dials_view, setup_fields, setup_view  # noqa: E402  the frame comes first
from dashboard.errors import shown  # noqa: E402
from dashboard.i18n import t  # noqa: E402
from dashboard.panels import heading  # noqa: E402

left, right = st.columns([3, 2], gap="large")
with left, shown():
    heading(t("setup.title"), level=1)
    setup_view.paragraph()
    setup_view.order_warning()
with right, shown():
    setup_view.preview()
    shell.link_to("results", t("setup.see"), ":material/arrow_forward:")
    shell.link_to("plan", t("setup.to_plan"), ":material/trending_up:")
with shown():
    dials_view.section()
heading(t("setup.advanced"))
with shown():
    setup_fields.everything()
with st.container(border=True), shown():
    setup_view.document()
