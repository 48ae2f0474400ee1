"""Every field on Set up, in the groups of the document; what may be absent is added and removed as a whole."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import streamlit as st
from pydantic import BaseModel

from dashboard import state, widgets
from dashboard.errors import safe, shown
from dashboard.i18n import Text, plain, t
from scheduler_core import Scenario, join_path, split_path

GROUPS: Final = ("cluster", "tenants", "workload", "policy", "targets", "run")
_OPENED: Final = {
    "policy.preemption": "{min_gap: 0.6, grace: 5min}",
    "policy.rounds": "{every: 5min}",
    "workload.classes.checkpoint": "{every: 30min, cost: 2min, restart: 8min}",
    "workload.classes.shape": "{nodes: 2, gpus_per_node: 1}",
    "workload.elastic": "{class: %s, appears_when: {wait_p50_below: 30min}, up_to_gpu_h_per_day: 1000}",
}
"""Parts that may be absent -> what they begin with; %s is the last class."""
_SAID_BY: Final = {"workload.classes.gpus": "shape"}
"""Fields that are not stated while another part of the same thing is there, which says them."""
_RESERVED: Final[dict[str, object]] = {
    "share": {"for": {"priority_below": 0.4}, "share": 0.2},
    "window": {"for": {"priority_below": 0.4}, "nodes": [0], "from": "0h", "to": "24h"},
}
"""What may be kept for some jobs -> what it begins with."""
_RESERVE: Final = "policy.reserve"


def everything() -> None:
    """Show all fields that are available, grouped as the document is; a group is built when it is opened."""
    scenario = state.current()
    for group in GROUPS:
        opened = st.expander(t(f"group.{group}"), key=f"group_{group}", on_change="rerun")
        if opened.open:
            with opened, shown():
                _group(scenario, group)


def _group(scenario: Scenario, group: str) -> None:
    if group == "cluster":
        _named(scenario.cluster.pools, "cluster.pools")
    elif group == "tenants":
        _named(scenario.tenants, "tenants")
    elif group == "workload":
        _fields(scenario.workload.arrivals, "workload.arrivals", "workload.arrivals", only=("process", "day", "week"))
        _named(scenario.workload.classes, "workload.classes")
        _fields(scenario.workload, "workload", "workload", only=("backlog_gpu_h", "elastic"))
    elif group == "targets":
        _targets(scenario)
    else:
        _fields(getattr(scenario, group), group, group)


def _named(parts: Sequence[Any], path: str) -> None:
    """Show one of several named parts; a list of a hundred tenants stays one page."""
    names = [part.name for part in parts]
    if not names:
        st.caption(t("setup.none"))
        return
    picked = (
        st.selectbox(plain(f"pick.{path}"), names, key=f"pick_{widgets.key_of(path)}") if len(names) > 1 else names[0]
    )
    part = parts[names.index(picked)] if picked in names else parts[0]
    _fields(part, join_path((*split_path(path), part.name)), path, skip=("name",))


def _fields(part: BaseModel, path: str, kind: str, *, only: tuple[str, ...] = (), skip: tuple[str, ...] = ()) -> None:
    opened = []
    with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
        for item in widgets.fields(part, path, kind, scope="all."):
            name = item.kind.rpartition(".")[2]
            if name in skip or (only and name not in only):
                continue
            if getattr(part, _SAID_BY.get(item.kind, ""), None) is not None:
                continue
            if item.kind in _OPENED or item.kind == _RESERVE:
                opened.append(item)
                continue
            with st.container(width=300, gap="xsmall"):
                widgets.show(item)
    for item in opened:
        _reservations(item) if item.kind == _RESERVE else _opened(item)


def _reservations(item: widgets.Field) -> None:
    """Show what is kept for some jobs, each with its fields, and what may be kept besides."""
    kept: Sequence[Any] = item.value or ()
    with st.container(border=True, gap="small"):
        st.markdown(Text(f"**{item.label}**"), help=item.help)
        for row, each in enumerate(kept):
            path = join_path((*split_path(item.path), str(row)))
            _fields(each, path, item.kind, skip=("share",) if each.is_window else ("nodes", "begin", "to"))
            written = _written([one for at, one in enumerate(state.document_at(item.path)) if at != row])
            st.button(
                t("setup.remove.policy.reserve"),
                key=f"drop_{widgets.key_of(path)}",
                on_click=safe(partial(state.edit_all, {item.path: written})),
            )
        with st.container(horizontal=True, gap="small"):
            for what, start in _RESERVED.items():
                written = _written([*(state.document_at(item.path) or ()), start])
                st.button(
                    t(f"setup.add.policy.reserve.{what}"),
                    key=f"keep_{what}",
                    on_click=safe(partial(state.edit_all, {item.path: written})),
                )


def _written(entries: Sequence[object]) -> str:
    """Return a list of reservations as `state.edit_all` reads it; none at all is null."""
    return state.on_one_line(list(entries) or None)


def _opened(item: widgets.Field) -> None:
    """Show a part that may be absent with its own fields, and a button that adds or removes it."""
    start, is_there = _begun(_OPENED[item.kind]), item.value is not None
    with st.container(border=True, gap="small"):
        st.markdown(Text(f"**{item.label}**"), help=item.help)
        if is_there:
            _fields(item.value, item.path, item.kind)
        st.button(
            t(f"setup.{'remove' if is_there else 'add'}.{item.kind}"),
            key=f"open_{widgets.key_of(item.path)}",
            on_click=safe(
                partial(state.edit_all, {item.path: widgets.NONE_TEXT if is_there else start} | _said_by(item))
            ),
        )


def _begun(start: str) -> str:
    """Return what a part begins with in this scenario."""
    classes = state.current().workload.classes
    return start.replace("%s", classes[-1].name) if classes else start


def _said_by(item: widgets.Field) -> dict[str, str]:
    """Return what must be stated when `item` goes, or no longer when it comes, because it says that."""
    found = {}
    for kind, name in _SAID_BY.items():
        above, _, field = kind.rpartition(".")
        if item.kind == f"{above}.{name}":
            found[f"{item.path.removesuffix(name)}{field}"] = widgets.text_of(getattr(item.value, field, None))
    return found


def _targets(scenario: Scenario) -> None:
    """Show the targets as the document writes them; one line each."""
    path = "targets"
    place, text = widgets.Place(path), state.document_text(path)
    key = widgets.seed(place, text)
    on_change = widgets.committed(path, key)
    st.text_area(t("setup.targets"), text, key=key, help=t("setup.targets_help"), height=140, on_change=on_change)
    widgets.show_refusal(place)
    if not scenario.targets:
        st.caption(t("setup.no_targets"))
