"""Compare: two scenarios on the same jobs, the difference with its interval, and who lost."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import compare_view, state  # noqa: E402  the frame comes first
from dashboard.errors import shown  # noqa: E402

slot = st.container()
with st.container(key="compare_pick", border=True), shown():
    before = compare_view.pick()
with slot, shown():
    if before is not None:
        compare_view.show(before, state.current())
