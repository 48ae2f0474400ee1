"""Whose work this is: the id of the notebook in the address, in the session, and remembered by the browser.

The id is the only key to the work, so it is never part of a link that is shared.
"""

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from dashboard import address, errors, state
from dashboard.i18n import t
from practice.history import MissingRecordError, Store, database_address, open_store

PARAM: Final = "book"
_KEPT: Final = "_notebook"
_REMEMBERED: Final = "headroom-notebook"


def store() -> Store:
    """Return the store of kept work."""
    return open_store(database_address())


def prepare(query: str = "", *, private: str = "") -> None:
    """Take over the notebook that the address or the browser names, and keep it in the address.

    Parameters
    ----------
    query : str
        What the page adds to the address and to a shared link.
    private : str
        What it adds to the address only, such as the id of an attempt.
    """
    said = st.query_params.get(PARAM)
    if said and said != st.session_state.get("_notebook_said"):
        st.session_state["_notebook_said"] = said
        _take(said, is_asked=True)
    remembered = address.remembered(_REMEMBERED, current())
    if remembered and current() is None and not said:
        _take(remembered, is_asked=False)
    own = f"{PARAM}={current()}" if current() else ""
    state.add_to_address(query, private="&".join(part for part in (own, private) if part))


def _take(notebook: str, *, is_asked: bool) -> None:
    if store().has_notebook(notebook):
        st.session_state[_KEPT] = notebook
    elif is_asked:
        errors.show(MissingRecordError(notebook))


def current() -> str | None:
    """Return the id of the notebook of this session; None until something was kept."""
    kept: str | None = st.session_state.get(_KEPT)
    return kept


def ensure() -> str:
    """Return the id of the notebook of this session; begin one if there is none."""
    if current() is None:
        st.session_state[_KEPT] = store().new_notebook()
    return str(current())


def saved_line(at: datetime) -> None:
    """Show when the text was saved."""
    st.caption(t("saved.at", time=local(at).strftime("%H:%M")))


def local(at: datetime) -> datetime:
    """Return a time on the reader's own clock; in UTC where the browser does not say its zone."""
    try:
        return at.astimezone(ZoneInfo(str(st.context.timezone or "UTC")))
    except (ZoneInfoNotFoundError, ValueError):
        return at.astimezone(UTC)
