"""The clock of an attempt: it runs in the browser and asks the server nothing, so it cannot disturb who types."""

import time
from typing import Final

import streamlit as st

from dashboard.i18n import plain
from practice.player import Session, seconds_left

_JS: Final = """
export default function ({ data, parentElement }) {
  const face = parentElement.querySelector("span");
  const due = performance.now() + data.left * 1000;
  const show = () => {
    const left = Math.round((due - performance.now()) / 1000);
    const size = Math.abs(left), seconds = String(size % 60).padStart(2, "0");
    face.textContent = (left < 0 ? "+" : "") + Math.floor(size / 60) + ":" + seconds;
    face.title = left < 0 ? data.over : data.name;
    face.className = left < 0 ? "over" : "";
  };
  clearInterval(face.ticking);
  show();
  if (data.runs) face.ticking = setInterval(show, 500);
  return () => clearInterval(face.ticking);
}
"""
_CSS: Final = """
span { font: inherit; font-size: 0.95rem; font-variant-numeric: tabular-nums; color: var(--st-text-color); }
span.over { color: var(--st-red-color); font-weight: 600; }
"""
_clock = st.components.v2.component("headroom_clock", html="<span role='timer'></span>", css=_CSS, js=_JS)


def show(session: Session) -> None:
    """Show what is left, and once time is up how long ago that was; nothing without a clock."""
    left = seconds_left(session, time.time())
    if left is None:
        return
    data = {
        "left": left, "runs": session.ended_s is None, "name": plain("practice.clock"),
        "over": plain("practice.clock_over"),
    }  # fmt: skip
    with st.container(key="clock", width=70):
        _clock(data=data, key="clock_face", height=24)
