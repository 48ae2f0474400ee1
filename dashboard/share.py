"""Share: the full link, the three numbers the reader should see again, and the engine that made them."""

from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from dashboard import address, numbers, service, state
from dashboard.i18n import Text, clip, escape, plain, t
from dashboard.verdict import value_text
from scheduler_core import ENGINE_VERSION, Scenario, scenario_hash


def size_line(scenario: Scenario) -> Text:
    """Return the size of the question in a few words: 3,200 A100, 3 zones, 4 days."""
    pools = scenario.cluster.pools
    types = list(dict.fromkeys(pool.gpu for pool in pools))
    zones = len({zone for pool in pools for zone in pool.zones})
    kind = escape(clip(types[0])) if len(types) == 1 else t("size.types", n=len(types))
    total = sum(pool.gpus for pool in pools)
    days = Text(numbers.digits(scenario.run.days))
    key = "size.zones" if zones > 1 else "size.one_zone"
    return t(key, gpus=numbers.count(total), kind=kind, zones=zones, days=days)


def headline_numbers(scenario: Scenario) -> dict[str, float]:
    """Return the three numbers a link carries, when they are there within a short time."""
    found = service.preview(scenario, budget_s=20.0)
    return service.headline(found) if found is not None else {}


def full_link(headline: dict[str, float] | None = None) -> str:
    """Return the whole address of this page with the scenario, for somebody else's browser."""
    parts = urlsplit(str(st.context.url or "http://localhost:8501/"))
    query = state.with_language(state.scenario_query(headline=headline or None))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))


def show() -> None:
    """Show what stands in the share popover."""
    scenario = state.current()
    values = headline_numbers(scenario)
    link = full_link(values)
    st.markdown(t("share.lead"))
    st.code(link, language=None, wrap_lines=True)
    address.copy_button(link, label=plain("share.copy"), done=plain("share.copied"), failed=plain("share.failed"))
    for name, value in values.items():
        st.markdown(t("share.number", name=t(f"share.{name}"), value=value_text(service.HEADLINE_UNITS[name], value)))
    st.caption(t("share.engine", version=ENGINE_VERSION, hash=scenario_hash(scenario)[:12]))
