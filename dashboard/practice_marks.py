"""An answer with its marks: three colours, and three kinds of underline for who cannot tell them apart."""

from typing import Final

import streamlit as st

from dashboard.i18n import plain, t
from practice.player import Grade, marks

_JS: Final = """
export default function ({ data, parentElement }) {
  const page = parentElement.querySelector("div");
  page.replaceChildren(...data.parts.map(([text, kind, title]) => {
    const part = document.createElement(kind ? "mark" : "span");
    part.textContent = text;
    if (kind) { part.className = kind; part.title = title; part.setAttribute("aria-label", title + ": " + text); }
    return part;
  }));
}
"""
_CSS: Final = """
div { font: inherit; line-height: 1.75; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--st-text-color); }
mark { color: inherit; background: none; text-underline-offset: 3px; text-decoration-thickness: 2px; }
mark.passed { text-decoration: underline solid 2px #009E73; background: rgba(0, 158, 115, 0.10); }
mark.claimed { text-decoration: underline double #0072B2; background: rgba(0, 114, 178, 0.12); }
mark.charged { text-decoration: underline wavy var(--st-red-color); background: rgba(213, 94, 0, 0.12); }
"""
_marked = st.components.v2.component("headroom_marks", html="<div></div>", css=_CSS, js=_JS)


def show(found: Grade) -> None:
    """Show the text of a grade with what was seen in it, and the legend."""
    parts = [
        (one.text, one.kind, f"{plain(f'practice.mark.{one.kind}')} {', '.join(one.reasons)}" if one.kind else "")
        for one in marks(found)
    ]
    _marked(data={"parts": parts}, key="marked_answer")
    st.caption(t("practice.legend"))
