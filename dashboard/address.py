"""The address line: the one place that reads it and the one component that writes it.

Streamlit's own way of writing the query adds a history entry for every write, and a page switch from
the menu drops what is not bound to a widget. So a component of ours writes it in the browser: it
replaces the entry while a burst of edits lasts and adds one when a new burst begins.
"""

import time
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

SCENARIO_PARAMS: Final = ("case", "set", "z", "id", "v", "e", "h")
_JS: Final = """
export default function ({ data }) {
  // An element of an earlier run may be drawn once more after the latest: it has nothing to say.
  if (!data || data.serial <= (window.headroomSerial || 0)) return;
  window.headroomSerial = data.serial;
  const wanted = "?" + data.query;
  if (window.location.search === wanted) return;
  const url = window.location.pathname + wanted + window.location.hash;
  if (data.push) window.history.pushState({}, "", url);
  else window.history.replaceState({}, "", url);
}
"""
_REMEMBER_JS: Final = """
export default function ({ data, setStateValue }) {
  try {
    if (data.value) window.localStorage.setItem(data.name, data.value);
    else setStateValue("value", window.localStorage.getItem(data.name) || "");
  } catch (refused) {
    if (!data.value) setStateValue("value", "");
  }
}
"""
_COPY_JS: Final = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.label;
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(data.text);
      button.textContent = data.done;
    } catch (refused) {
      button.textContent = data.failed;
    }
    setTimeout(() => { button.textContent = data.label; }, 2500);
  };
}
"""
_COPY_CSS: Final = """
button { font: inherit; font-size: 0.9rem; color: var(--st-background-color);
  background: var(--st-primary-color); border: 1px solid var(--st-primary-color);
  border-radius: var(--st-button-radius); padding: 0.4rem 0.9rem; cursor: pointer; width: 100%; }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""

_write_address = st.components.v2.component("headroom_address", html="<span></span>", js=_JS)
_remember = st.components.v2.component("headroom_remember", html="<span></span>", js=_REMEMBER_JS)
_copy = st.components.v2.component("headroom_copy", html="<button type='button'></button>", css=_COPY_CSS, js=_COPY_JS)


def read(names: tuple[str, ...] = SCENARIO_PARAMS) -> str:
    """Return the part of the address that holds the scenario, as a query string."""
    pairs = [(name, value) for name in names for value in st.query_params.get_all(name)]
    return urlencode(pairs)


def normal(query: str) -> str:
    """Return `query` as `read` would return it."""
    pairs = parse_qsl(query, keep_blank_values=True)
    return urlencode([pair for name in SCENARIO_PARAMS for pair in pairs if pair[0] == name])


def is_history_navigation() -> bool:
    """Tell whether this run comes from the back or forward button."""
    return bool(getattr(get_script_run_ctx(), "is_history_navigation", False))


def write(query: str, *, is_new_entry: bool) -> None:
    """Make the browser show `query`; add a history entry only when `is_new_entry`."""
    # By the clock, so that it grows from session to session as well: a browser may outlive its server.
    serial = max(st.session_state.get("_address_serial", 0) + 1, time.time_ns() // 1_000_000)
    st.session_state["_address_serial"] = serial
    st.session_state["_address"] = query
    data: dict[str, Any] = {"query": query, "push": is_new_entry, "serial": serial}
    with st.container(key="address", height=1, border=False, gap=None):
        _write_address(data=data, key="address_line", height=1)


def copy_button(text: str, *, label: str, done: str, failed: str) -> None:
    """Show a button that puts `text` on the clipboard and says whether it could."""
    _copy(data={"text": text, "label": label, "done": done, "failed": failed}, key="copy_link")


def remembered(name: str, value: str | None) -> str | None:
    """Let this browser remember `value`, or return what it remembers; None until it has answered."""
    with st.container(key="remember", height=1, border=False, gap=None):
        kept = _remember(
            data={"name": name, "value": value}, key=f"remember_{name}", height=1, default={"value": None},
            on_value_change=lambda: None,
        )  # fmt: skip
    said: str | None = kept.get("value")
    return said
