"""Plan: slots for a wait, the order date, spares, a lost zone, burst; formulas held to the simulator."""

import streamlit as st

from dashboard import shell

shell.ensure_shell()

from dashboard import assumed, economics_view, measured_view, plan_fleet, plan_size, plan_view, state  # noqa: E402
from dashboard.errors import shown  # noqa: E402

TOPICS = {
    "size": (plan_size.show, plan_size.MAIN, plan_size.MORE),
    "causes": (plan_size.show_causes, (), ("confirm_seeds",)),
    "classes": (plan_size.show_classes, plan_size.CLASSES, ("confirm_seeds",)),
    "growth": (plan_fleet.show_growth, plan_fleet.GROWTH, plan_fleet.GROWTH_MORE),
    "spares": (plan_fleet.show_spares, plan_fleet.SPARES, plan_fleet.SAVES),
    "zones": (plan_fleet.show_zones, plan_fleet.ZONES, ("confirm_seeds",)),
    "burst": (plan_fleet.show_burst, plan_fleet.BURST, plan_fleet.BURST_MORE),
    "squeeze": (plan_fleet.show_squeeze, plan_fleet.SQUEEZE, plan_fleet.SQUEEZE_MORE),
}

with shown():
    plan_view.TOPICS.prepare()
    state.add_to_address(plan_view.TOPICS.query())
    show, main, more = TOPICS[plan_view.TOPICS.pick()]
    assumed.link_notices()
    left, right = st.columns([3, 2], gap="large")
    with right, shown():
        economics_view.inputs(main, more)
        measured_view.section()
    with left, shown():
        show()
