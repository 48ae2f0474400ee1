"""The three dials on Set up: fairness, efficiency and isolation, with the fields that each stop moves."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import streamlit as st

from dashboard import state, widgets
from dashboard.errors import safe
from dashboard.held import index_of
from dashboard.i18n import Text, clip, escape, in_language, plain, t
from dashboard.panels import heading
from scheduler_core import DIALS, Dial, canonical, dial_by_hand, dial_changes, dial_position, dial_stops, find_stop

_ASKED: Final = "_dial_asked"
_POSITIONS: Final = "_dial_positions"
_WIDTH_PX: Final = 300


def section() -> None:
    """Show the dials side by side; a stop that would replace what was set by hand asks first."""
    heading(t("dials.title"))
    st.caption(t("dials.lead"))
    with st.container(horizontal=True, gap="medium", vertical_alignment="top", key="dials"):
        for dial in DIALS:
            with st.container(width=_WIDTH_PX, gap="xsmall"):
                _dial(dial)
    _question()


def _dial(dial: Dial) -> None:
    stops = {stop.slug: stop for stop in dial_stops(dial)}
    names = {slug: in_language(stop.name) for slug, stop in stops.items()}
    now = _positions()[dial.slug]
    key = widgets.seed(widgets.Place(f"dial.{dial.slug}"), now)
    st.selectbox(
        plain(f"dials.{dial.slug}"),
        list(stops),
        index_of(now, list(stops)),
        key=key,
        placeholder=plain("dials.between"),
        format_func=lambda slug: names[slug],
        on_change=safe(partial(_turned, dial.slug, key)),
    )
    if now is not None:
        st.caption(Text(in_language(stops[now].text)))
        st.caption(t("dials.sets", settings=_listed("dials.setting", stops[now].settings)))


def _positions() -> dict[str, str | None]:
    """Return the stop at which each dial stands; found once for a scenario."""
    name = canonical(state.current())
    kept: tuple[str, dict[str, str | None]] | None = st.session_state.get(_POSITIONS)
    if kept is None or kept[0] != name:
        found = {dial.slug: dial_position(state.current(), dial.slug) for dial in DIALS}
        kept = (name, {slug: stop.slug if stop else None for slug, stop in found.items()})
        st.session_state[_POSITIONS] = kept
    return kept[1]


def _listed(key: str, settings: Mapping[str, object]) -> Text:
    parts = [t(key, path=escape(path), value=escape(clip(value))) for path, value in settings.items()]
    return Text(plain("list.comma").join(parts))


def _turned(dial: str, key: str) -> None:
    slug = st.session_state.get(key)
    if slug is None:
        return
    if dial_by_hand(state.current(), state.origin(), dial, slug):
        st.session_state[_ASKED] = (dial, slug, canonical(state.current()))
        st.session_state.pop(key, None)  # the dial shows where it stands until somebody decides
    else:
        _apply(dial, slug)


def _apply(dial: str, slug: str) -> None:
    st.session_state.pop(_ASKED, None)
    state.edit_all(dial_changes(state.current(), dial, slug))


def _question() -> None:
    """Ask whether what was set by hand may be replaced; any other edit answers no."""
    asked: tuple[str, str, str] | None = st.session_state.get(_ASKED)
    if asked is None:
        return
    dial, slug, name = asked
    if name != canonical(state.current()):
        st.session_state.pop(_ASKED)
        return
    stop = find_stop(dial, slug)
    lost = dial_by_hand(state.current(), state.origin(), dial, slug)
    settings = _listed("dials.hand", lost)
    st.warning(t("dials.ask", stop=Text(in_language(stop.name)), settings=settings), icon=":material/help:")
    with st.container(horizontal=True, gap="xsmall"):
        st.button(t("dials.replace"), key="dial_replace", type="primary", on_click=safe(partial(_apply, dial, slug)))
        st.button(t("dials.keep"), key="dial_keep", on_click=partial(st.session_state.pop, _ASKED, None))
