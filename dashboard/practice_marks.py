"""An answer with its marks: three colours, and three kinds of underline for who cannot tell them apart."""

from typing import Final

import streamlit as st

from dashboard.i18n import plain, t
from practice.export import STYLES
from practice.player import Grade, marks

_JS: Final = """
export default function ({ data, parentElement }) {
  const page = parentElement.querySelector("div");
  page.replaceChildren(...data.parts.map(([text, kind, title]) => {
    const part = document.createElement(kind ? "mark" : "span");
    part.textContent = text;
    if (kind) {
      part.className = kind;
      part.style.cssText = data.styles[kind];
      part.title = title;
      part.setAttribute("aria-label", title + ": " + text);
    }
    return part;
  }));
}
"""
_CSS: Final = """
div { font: inherit; line-height: 1.75; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--st-text-color); }
"""
_marked = st.components.v2.component("headroom_marks", html="<div></div>", css=_CSS, js=_JS)


def show(found: Grade) -> None:
    """Show the text of a grade with what was seen in it, and the legend."""
    parts = [
        (one.text, one.kind, f"{plain(f'practice.mark.{one.kind}')} {', '.join(one.reasons)}" if one.kind else "")
        for one in marks(found)
    ]
    _marked(data={"parts": parts, "styles": dict(STYLES)}, key="marked_answer")
    st.caption(t("practice.legend"))
