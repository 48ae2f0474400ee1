"""The link of an attempt, and what a reviewer is told who opens one."""

from urllib.parse import urlsplit, urlunsplit

import streamlit as st

from dashboard import address, i18n, practice_keep
from dashboard.errors import attempt as tried
from dashboard.i18n import plain, t
from dashboard.practice_steps import measure_name
from practice.exercises import Exercise, play, say
from practice.player import PlayerError, Session, Shared, encode, exercise_of, setting_of, share


def button(exercise: Exercise, session: Session) -> None:
    """Show the link on demand; what was written goes along only when that is ticked."""
    with st.popover(t("practice.share"), icon=":material/link:", key="practice_share", on_change="rerun") as opened:
        if not opened.open:
            return
        st.markdown(t("practice.share_lead"))
        has_answers = st.checkbox(plain("practice.share_answers"), key="share_answers")
        try:
            packed = encode(share(exercise, session, has_answers=has_answers))
        except PlayerError as error:
            st.error(practice_keep.sentence(error), icon=":material/error:")
            return
        link = _link(packed)
        st.code(link, language=None, wrap_lines=True)
        address.copy_button(link, label=plain("share.copy"), done=plain("share.copied"), failed=plain("share.failed"))


def link_of(session: Session) -> str:
    """Return the link that rebuilds exercise, choices and evidence, without what was written; empty where it cannot."""
    exercise = exercise_of(session)
    packed, _ = tried(lambda: encode(share(exercise, session)))
    return _link(packed) if packed else ""


def _link(packed: str) -> str:
    parts = urlsplit(str(st.context.url or "http://localhost:8501/practice"))
    query = f"{practice_keep.LINK}={packed}&lang={i18n.language()}"
    path = f"{parts.path.rpartition('/')[0]}/practice"
    return urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def notice(shared: Shared) -> None:
    """Say that a link is read only, and whether this program finds the evidence that its sender saw."""
    session = shared.session
    exercise = exercise_of(session)
    rows = play(exercise, setting_of(session)).rows
    language = i18n.language()
    differ = [
        t("practice.review_differs", name=measure_name(exercise, name),
          then=say(value, rows[name].unit, language), now=say(rows[name].after.median, rows[name].unit, language))
        for name, value in shared.evidence.items()
        if name in rows and round(rows[name].after.median or 0.0, 6) != value
    ]  # fmt: skip
    st.info(t("practice.review", n=len(shared.evidence), seeds=shared.seeds), icon=":material/visibility:")
    if not shared.is_same_version or session.exercise_version != exercise.version:
        st.warning(t("practice.review_version", engine=shared.engine, rubric=shared.rubric), icon=":material/history:")
    for line in differ:
        st.warning(line, icon=":material/error:")
    if not differ:
        st.caption(t("practice.review_same"))
