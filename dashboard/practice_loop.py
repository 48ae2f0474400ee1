"""A loop of rounds on screen: which round this is, whether it ended the loop, and the way into the next one."""

import time

import streamlit as st

from dashboard import notebook, practice_keep, score_view
from dashboard.errors import attempt as tried
from dashboard.errors import safe
from dashboard.i18n import Text, in_language, language, t
from practice.history import Grade
from practice.player import ROUNDS, Session, Standing, next_exercise, next_round, session_of, standing
from practice.rubric import level_of


def badge(session: Session) -> None:
    """Show which round this is; nothing outside a loop."""
    if session.round:
        name = in_language(ROUNDS[session.round - 1].name)
        st.badge(t("loop.round", n=session.round, of=len(ROUNDS), name=name), color="violet")


def show(session: Session) -> None:
    """Show how the loop stands after this round, and offer the next one; nothing outside a loop."""
    scores = _rounds(session)
    if not scores:
        return
    found = standing(scores)
    with st.container(border=True, key="loop_standing"):
        st.markdown(f"**{_sentence(found, len(scores))}**")
        for note in filter(None, [found.verdict.spike_note(language())]):
            st.caption(Text(note))
        if found.goes_on and session.round == found.played:
            nxt = next_exercise(session)
            name = in_language(ROUNDS[found.played].name)
            label = t("loop.next", n=found.played + 1, name=name, title=nxt.title.of(language()))
            st.button(label, key="loop_next", type="primary", on_click=safe(_begin_next), args=(session,))


def _rounds(session: Session) -> list[Grade]:
    """Return the scores of a loop, round by round."""
    book = notebook.current()
    if not session.loop or book is None:
        return []
    found = {}
    for one in notebook.store().attempts(book):
        kept, _ = tried(lambda one=one: session_of(one))  # type: ignore[misc]
        if kept is not None and kept.loop == session.loop and one.grade is not None and kept.round <= session.round:
            found[kept.round] = one.grade
    return [found[number] for number in sorted(found)]


def _sentence(found: Standing, played: int) -> Text:
    (name, points), *_ = found.lowest.items()
    told = {
        "n": played, "of": len(ROUNDS), "dimension": score_view.dimension_name(name), "points": f"{points:g}",
        "level": score_view.level_name(level_of(points)),
    }  # fmt: skip
    if found.is_stopped:
        return t("loop.stopped", **told)
    if found.goes_on:
        return t("loop.passed", **told)
    lowest = found.verdict.lowest
    return t(
        "loop.done", of=len(ROUNDS), dimension=score_view.dimension_name(lowest),
        points=f"{found.verdict.dimensions[lowest]:g}", level=score_view.level_name(found.verdict.level),
    )  # fmt: skip


def _begin_next(session: Session) -> None:
    practice_keep.begin(next_round(session, now_s=time.time()))
