"""A box of text that saves itself: at every pause in typing, so that a refresh costs at most a sentence.

Streamlit hands a text over when its box is left. A listener of ours presses Ctrl+Enter in the box, which Streamlit
takes as "done", once nothing was typed for a second; while a Chinese word is being composed it waits.
"""

from typing import Final

import streamlit as st

from dashboard import errors, notebook
from dashboard.i18n import t
from practice.history import Record, Section

PAUSE_MS: Final = 1_000
_JS: Final = """
export default function ({ data }) {
  if (window.headroomAutosave) return;
  window.headroomAutosave = true;
  const waiting = new WeakMap();
  document.addEventListener("input", (event) => {
    const box = event.target;
    if (!box || box.tagName !== "TEXTAREA" || !box.closest("[class*='st-key-box-']")) return;
    clearTimeout(waiting.get(box));
    if (event.isComposing) return;
    waiting.set(box, setTimeout(() => {
      const press = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
      box.dispatchEvent(new KeyboardEvent("keydown", press));
    }, data.pause));
  });
}
"""
_listen = st.components.v2.component("headroom_autosave", html="<span></span>", js=_JS)


def listen() -> None:
    """Let the boxes of this page be saved at every pause in typing; once on each page that has some."""
    with st.container(key="autosave", height=1, border=False, gap=None):
        _listen(data={"pause": PAUSE_MS}, key="autosave_listener", height=1)


def box(
    record: Record, name: str, label: str, *, help_text: str = "", height: int = 120, is_locked: bool = False
) -> str:
    """Show one section of an attempt or a story, save it as it is typed, and return its text.

    Parameters
    ----------
    record : Record
        What the section belongs to, as it is kept now.
    name : str
        Of the section.
    label : str
        What stands above the box.
    help_text : str
        What stands in the empty box.
    height : int
        Pixels.
    is_locked : bool
        Whether it can only be read.
    """
    section = record.sections.get(name)
    key, seen = f"box-{record.id}-{name}", f"_seen-{record.id}-{name}"
    if key not in st.session_state:
        st.session_state[key] = section.text if section else ""
        st.session_state[seen] = section.version if section else 0
    elif not is_locked and _is_unsaved(record, name, key, seen):
        with errors.shown():
            _save(record.id, name)
            section = notebook.store().section(record.id, name)
    # The text is its default, too: a box whose value a busy browser missed must not begin empty (dashboard/held.py).
    # one element for each box, whatever stands below its text: a line that came in between would move every box after
    # it to another place, where the browser makes it anew and drops what is being typed
    with st.container(key=key.replace("_", "-") + "-frame"):
        st.text_area(
            label, st.session_state[key], key=key, height=height, placeholder=help_text, disabled=is_locked,
            on_change=errors.safe(_save), args=(record.id, name),
        )  # fmt: skip
        if section is not None:
            _below(record, name, key, section)
    return str(st.session_state[key])


def _below(record: Record, name: str, key: str, section: Section) -> None:
    """Show when a section was saved, and what another tab had written there."""
    notebook.saved_line(section.saved_at)
    for aside in section.set_aside:
        st.warning(t("saved.aside", time=notebook.local(aside.saved_at).strftime("%H:%M")), icon=":material/tab:")
        st.code(aside.text, language=None, wrap_lines=True)
    if section.set_aside:
        drop = errors.safe(notebook.store().drop_set_aside)
        st.button(t("saved.drop_aside"), key=f"drop-{key}", on_click=drop, args=(record.id, name))


def _is_unsaved(record: Record, name: str, key: str, seen: str) -> bool:
    """Say whether the box holds what could not be saved when it was typed."""
    section = record.sections.get(name)
    is_other = st.session_state[key].replace("\0", "") != (section.text if section else "")
    return bool(is_other and st.session_state[seen] == (section.version if section else 0))


def _save(record_id: str, name: str) -> None:
    key, seen = f"box-{record_id}-{name}", f"_seen-{record_id}-{name}"
    saved = notebook.store().save_section(record_id, name, st.session_state[key], seen=st.session_state[seen])
    st.session_state[seen] = saved.version
