"""Economics: what it costs, what it brings, how sure that is, and the sentence one would say in the review."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import (  # noqa: E402  the frame comes first
    assumed,
    economics_change,
    economics_deal,
    economics_rent,
    economics_shared,
    economics_view,
    measured_view,
    state,
)
from dashboard.errors import shown  # noqa: E402

TOPICS = {
    "deal": (economics_deal.show, economics_deal.MAIN, economics_deal.MORE),
    "rent": (economics_rent.show, economics_rent.MAIN, economics_rent.MORE),
    "change": (economics_change.show, economics_change.MAIN, economics_change.MORE),
    "claim": (economics_change.show_claim, economics_change.CLAIM_MAIN, economics_change.CLAIM_MORE),
    "delay": (economics_shared.show_delay, economics_shared.DELAY_MAIN, economics_shared.DELAY_MORE),
    "bill": (economics_shared.show_bill, economics_shared.BILL_MAIN, economics_shared.BILL_MORE),
}

with shown():
    economics_view.TOPICS.prepare()
    state.add_to_address(economics_view.TOPICS.query())
    show, main, more = TOPICS[economics_view.TOPICS.pick()]
    assumed.link_notices()
    left, right = st.columns([3, 2], gap="large")
    with left, shown():
        show()
    with right, shown():
        economics_view.inputs(main, more)
        measured_view.section(measured_view.money_changes)
