"""Compare: two scenarios on the same jobs, the difference with its interval, and who lost."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import compare_view, state  # noqa: E402  the frame comes first
from dashboard.errors import shown  # noqa: E402

answer, picker, details = st.container(), st.container(), st.container()
with picker, shown():
    before = compare_view.pick()
    if before is not None:
        with answer:
            both = compare_view.pair(before, state.current())
            if both is not None:
                compare_view.headline(both)
        with details:
            if both is not None:
                compare_view.details(both)
