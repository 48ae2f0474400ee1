"""Headroom in the browser: the list of pages and the frame around them."""

import streamlit as st

st.set_page_config(page_title="Headroom", page_icon=":material/stacked_bar_chart:", layout="wide")

from dashboard import shell  # noqa: E402  the page settings come first

PAGES = {
    "decide": (
        ("start", "home"),
        ("setup", "tune"),
        ("results", "monitoring"),
        ("tradeoffs", "ssid_chart"),
        ("compare", "compare_arrows"),
        ("plan", "calendar_month"),
        ("economics", "payments"),
    ),
    "practise": (
        ("practice", "record_voice_over"),
        ("stories", "auto_stories"),
        ("history", "history"),
    ),
}

shell.run(PAGES)
