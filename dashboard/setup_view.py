"""What Set up shows: the scenario as a paragraph with blanks, every field in groups, and a live preview."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, Literal

import streamlit as st
from pydantic import BaseModel

from dashboard import numbers, panels, service, state, widgets
from dashboard import verdict as words
from dashboard.digest import Digest
from dashboard.errors import safe, shown
from dashboard.held import index_of
from dashboard.i18n import Text, plain, t, told
from dashboard.results_view import source_of
from scheduler_core import Choice, JobClass, Pool, Scenario, find, join_path, load, split_path, to_yaml

_MOST_CLASSES: Final = 6
_NUMBER_PX: Final = 118
_WORD_PX: Final = 230
_WARN_LOAD: Final = 0.95


# ---- the paragraph ----------------------------------------------------------------------------------------------


def paragraph() -> None:
    """Show about twelve blanks in sentences."""
    scenario = state.current()
    for pool in scenario.cluster.pools:
        with _line(f"pool.{pool.name}"):
            _say(t("say.pool", pool=pool.name))
            _nodes_blank(pool)
            _say(t("say.nodes", gpus=pool.gpus_per_node, kind=pool.gpu, zones=len(pool.zones)))
    for tenant in scenario.tenants:
        if len(scenario.cluster.pools) > 1:
            with _line(f"fence.{tenant.name}"):
                _say(t("say.tenant", tenant=tenant.name))
                _fence_blank(scenario, tenant)
    _arrivals(scenario)
    for name in ("order", "discipline", "placement"):
        with _line(name):
            _say(t(f"say.{name}"))
            _blank("policy", scenario.policy, name)
    with _line("run"):
        _say(t("say.days"))
        _blank("run", scenario.run, "days")
        _say(t("say.warmup"))
        _blank("run", scenario.run, "warmup_days")
        _say(t("say.seeds"))
        _blank("run", scenario.run, "replications")
        _say(t("say.end"))


def order_warning() -> None:
    """Say so when the order lowers those who wait."""
    order = state.current().policy.order
    policy = find("policies").get(order.slug)
    if policy is not None and policy.slope_of(order.params) < 0:  # type: ignore[attr-defined]
        st.warning(t("order.sinks"), icon=":material/warning:")


def _arrivals(scenario: Scenario) -> None:
    arrivals = scenario.workload.arrivals
    if arrivals.process is None:
        with _line("arrivals"):
            _say(t("say.log") if arrivals.log else t("say.list"))
        return
    for job_class in scenario.workload.classes[:_MOST_CLASSES]:
        with _line(f"class.{job_class.name}"):
            _say(t("say.class", tenant=job_class.tenant))
            path = join_path(("workload", "classes", job_class.name))
            widgets.show(widgets.field(path, job_class, "per_day", "workload.classes"), inline=True, width=_NUMBER_PX)
            _say(t("say.jobs", name=job_class.name, sizes=_sizes(job_class)))
    if len(scenario.workload.classes) > _MOST_CLASSES:
        st.caption(t("say.more_classes", n=len(scenario.workload.classes) - _MOST_CLASSES))
    with _line("arrivals"):
        _say(t("say.arrive"))
        _blank("workload.arrivals", arrivals, "process")
        _blank("workload.arrivals", arrivals, "day")


def _sizes(job_class: JobClass) -> Text:
    sizes = list(job_class.gpus)
    return (
        numbers.count(sizes[0])
        if len(sizes) == 1
        else t("say.range", low=numbers.count(min(sizes)), high=numbers.count(max(sizes)))
    )


def _line(name: str) -> Any:  # noqa: ANN401  a container, whose class Streamlit keeps private
    return st.container(key=f"line_{widgets.key_of(name)}", horizontal=True, vertical_alignment="center", gap="xsmall")


def _say(text: Text) -> None:
    st.markdown(text, width="content")


def _blank(path: str, part: BaseModel, name: str) -> None:
    item = widgets.field(path, part, name, path)
    is_word = isinstance(item.value, (str, Choice))
    widgets.show(item, inline=True, width=_WORD_PX if is_word else _NUMBER_PX)


def _nodes_blank(pool: Pool) -> None:
    """Show the nodes of a pool as one number; its zones keep their proportions."""
    path = join_path(("cluster", "pools", pool.name, "zones"))
    item = widgets.field(join_path(("cluster", "pools", pool.name)), pool, "zones", "cluster.pools")
    place = widgets.Place(path)
    key = widgets.seed(place, pool.nodes)
    st.number_input(
        plain("say.nodes_label", pool=pool.name),
        1,
        int(item.spec.high),
        pool.nodes,
        step=1,
        key=key,
        width=_NUMBER_PX,
        label_visibility="collapsed",
        required=True,
        on_change=widgets.committed(path, key, partial(_spread, path, dict(pool.zones))),
    )
    widgets.show_refusal(place)


def _spread(path: str, zones: Mapping[str, int], nodes: int | None) -> dict[str, str]:
    """Return nodes for each zone in the old proportions: largest remainders first, ties to the first zone."""
    wanted, total = int(nodes or 0), max(sum(zones.values()), 1)
    exact = {zone: wanted * count / total for zone, count in zones.items()}
    found = {zone: int(share) for zone, share in exact.items()}
    for zone in sorted(zones, key=lambda zone: -(exact[zone] - found[zone]))[: wanted - sum(found.values())]:
        found[zone] += 1
    return {join_path((*split_path(path), zone)): str(count) for zone, count in found.items()}


def _fence_blank(scenario: Scenario, tenant: Any) -> None:  # noqa: ANN401
    path = join_path(("tenants", tenant.name, "pool"))
    options = ["", *(pool.name for pool in scenario.cluster.pools)]
    place, fence = widgets.Place(path), tenant.pool or ""
    key = widgets.seed(place, fence, options)

    def label(option: str) -> str:
        return plain("say.no_fence") if not option else plain("say.fence", pool=option)

    st.selectbox(
        plain("say.fence_label", tenant=tenant.name),
        options,
        index_of(fence, options),
        key=key,
        format_func=label,
        label_visibility="collapsed",
        width=_WORD_PX,
        on_change=widgets.committed(path, key),
    )
    widgets.show_refusal(place)


# ---- file -------------------------------------------------------------------------------------------------------


def document() -> None:
    """Offer the scenario as a file, and take one."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.download_button(
            t("setup.save"),
            data=lambda: to_yaml(state.current()).encode(),
            file_name="scenario.yaml",
            mime="application/yaml",
            key="scenario_save",
            icon=":material/download:",
            on_click="ignore",
        )
        st.file_uploader(
            t("setup.open"),
            type=["yaml", "yml", "toml", "json"],
            key="scenario_file",
            max_upload_size=2,
            on_change=safe(_open_file),
        )


def _open_file() -> None:
    uploaded = st.session_state.get("scenario_file")
    if uploaded is not None:
        text = uploaded.getvalue().decode("utf-8-sig", errors="replace")
        state.replace(load(f"{text}\n"), is_new_start=True)  # with a line break it is a text, never a file's name


# ---- preview ----------------------------------------------------------------------------------------------------


def preview() -> None:
    """Show what follows from the blanks: load, warnings, demand over time, and the result when it is quick."""
    scenario = state.current()
    with shown():
        _loads(scenario)
    with shown():
        first = service.preview(scenario)
        if first is None:
            st.info(t("preview.long"), icon=":material/hourglass_top:")
            return
        answer = words.Answer(first, 1, 1)
        with st.container(border=True):
            st.caption(t("preview.title"))
            st.markdown(Text(f"**{words.sentence(answer)}**"))
            st.caption(t("preview.seed"))
        with shown():
            _demand(scenario, first)


def _loads(scenario: Scenario) -> None:
    found = service.loads(scenario)
    with st.container(horizontal=True, gap="xsmall"):
        for pool in found.pools:
            colour: Literal["red", "orange", "gray"] = (
                "red" if pool.load > 1 else "orange" if pool.load > _WARN_LOAD else "gray"
            )
            st.badge(t("preview.load", pool=pool.name, load=numbers.share(pool.load)), color=colour)
    for fault in found.unavailable[:3]:
        st.warning(told(fault.sentence), icon=":material/construction:")
    for jobs in found.unschedulable[:3]:
        st.warning(told(jobs.sentence), icon=":material/block:")
    for text in found.warnings[:3]:
        st.warning(told(text), icon=":material/warning:")


def _demand(scenario: Scenario, first: Digest) -> None:
    from dashboard import charts_small  # noqa: PLC0415

    hours, asked = service.demand(scenario)
    capacity = first.use.capacity
    title = t("preview.demand", busiest=numbers.share(float(asked.max(initial=0)) / max(capacity, 1)))
    figure = charts_small.demand(hours, asked, capacity)
    panels.chart(figure, key="demand", title=title, alt=title, source=source_of(scenario))
