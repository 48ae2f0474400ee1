"""The frame of every page: menu, scenario and what was changed, language, share."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from dashboard import i18n
from dashboard.i18n import escape, plain, t

_IS_IN_FRAME: Final[ContextVar[bool]] = ContextVar("is_in_frame", default=False)
"""Whether app.py is running the page, in this run of the script."""

Groups = Mapping[str, Sequence[tuple[str, str]]]

PAGES_FOLDER: Final = Path(__file__).parent.parent / "pages"


def ensure_shell() -> None:
    """Make sure app.py has run: the first line of every file in pages/.

    The first visitor of a fresh server who opens a deep link gets the raw page file. Naming the pages
    switches the process to the mode in which app.py resolves the same address.
    """
    if not _IS_IN_FRAME.get():
        files = sorted(PAGES_FOLDER.glob("*.py"))
        st.navigation([_page(f.stem, None, is_default=f.stem == "start") for f in files], position="hidden")
        st.rerun()


def _page(slug: str, icon: str | None, *, is_default: bool) -> StreamlitPage:
    title = plain(f"nav.{slug}") if i18n.has(f"nav.{slug}") else slug
    return st.Page(
        PAGES_FOLDER / f"{slug}.py",
        title=title,
        icon=icon,
        url_path=slug,
        default=is_default,
        help=plain(f"nav.{slug}.help") if i18n.has(f"nav.{slug}.help") else None,
    )


def navigation(groups: Groups) -> StreamlitPage:
    """Show the menu and return the page to run; the first page is the default one.

    Parameters
    ----------
    groups : mapping of str to sequence of (slug, icon)
        What works, in the order of the menu. The pages of the first group stand in it one by one.
    """
    built: dict[str, list[StreamlitPage]] = {}
    for group, pages in groups.items():
        title = plain(f"nav.group.{group}") if built else ""
        built[title] = [_page(slug, f":material/{icon}:", is_default=slug == "start") for slug, icon in pages]
    slugs = [slug for pages in groups.values() for slug, _ in pages]
    every = [page for pages in built.values() for page in pages]
    st.session_state["_pages"] = dict(zip(slugs, every, strict=True))
    return st.navigation(built, position="top")


def run(groups: Groups) -> None:
    """Show menu, frame and page; whatever goes wrong in one of them is shown there as a sentence.

    The menu is on screen before the core is imported, so a cold server answers at once.
    """
    if i18n.LANGUAGE_KEY not in st.session_state:
        wanted = st.query_params.get("lang")
        st.session_state[i18n.LANGUAGE_KEY] = wanted if wanted in i18n.LANGUAGES else i18n.preferred_language()
    page = navigation(groups)
    from dashboard import errors, state  # noqa: PLC0415

    with errors.shown():
        state.from_address()
        frame()
        notices(page.url_path)
        state.add_to_address("")
        token = _IS_IN_FRAME.set(True)
        try:
            page.run()
        finally:
            _IS_IN_FRAME.reset(token)
    with errors.shown():
        state.to_address()


def link_to(slug: str, label: str, icon: str | None = None) -> None:
    """Show a link to another page; the scenario in session goes along."""
    st.page_link(st.session_state["_pages"][slug], label=label, icon=icon)


def go(slug: str) -> None:
    """Go to another page."""
    st.switch_page(st.session_state["_pages"][slug])


def frame() -> None:
    """Show the line above every page: scenario, changes, language, share."""
    from dashboard import cases, share, state  # noqa: PLC0415  the menu is on screen before the core is imported

    with st.container(key="frame", horizontal=True, vertical_alignment="center", gap="small"):
        scenario = state.current()
        st.markdown(f"**{escape(cases.name_of(scenario))}**", width="content")
        _changes_popover()
        st.badge(share.size_line(scenario), color="gray")
        st.space("stretch")
        st.segmented_control(
            plain("lang.label"),
            i18n.LANGUAGES,
            key=i18n.LANGUAGE_KEY,
            required=True,
            format_func=lambda lang: plain(i18n.LANGUAGE_NAMES[lang]),
            label_visibility="collapsed",
        )
        with st.popover(plain("share.button"), icon=":material/link:", key="share", on_change="rerun") as popover:
            if popover.open:
                share.show()


def _changes_popover() -> None:
    from dashboard import state  # noqa: PLC0415
    from dashboard.errors import safe  # noqa: PLC0415

    changes = state.changes()
    with st.popover(state.changes_line(), type="tertiary", key="changes"):
        scenario = state.current()
        st.markdown(t("changes.from", case=scenario.case or scenario.name))
        for change in changes[:30]:
            st.markdown(t("changes.line", path=change.path, before=_shown(change.before), after=_shown(change.after)))
        if len(changes) > 30:
            st.caption(t("changes.more", n=len(changes) - 30))
        with st.container(horizontal=True):
            undo: Callable[[], None] = safe(state.undo)
            st.button(
                t("changes.undo"), key="undo", on_click=undo, disabled=not state.can_undo(), icon=":material/undo:"
            )
            st.button(
                t("changes.reset"),
                key="reset",
                on_click=safe(state.reset),
                disabled=not changes,
                icon=":material/restart_alt:",
            )


def _shown(value: object) -> str:
    return plain("changes.nothing") if value is None else str(value)


def notices(page: str) -> None:
    """Show what was wrong with the link or in the last action; the pages follow below."""
    from dashboard import errors, state  # noqa: PLC0415

    problem = state.link_problem()
    if problem is not None:
        reasons = " ".join(errors.sentences(problem))
        st.warning(t("link.problem", reason=i18n.Text(reasons)), icon=":material/link_off:")
    errors.show_notices(page)
