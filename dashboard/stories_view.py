"""The page of own stories: pick one, write it, see what it lacks, score it, stress it."""

from typing import Any, Final

import streamlit as st

from dashboard import autosave, notebook, score_view
from dashboard.errors import safe, shown
from dashboard.i18n import escape, in_language, language, plain, t
from dashboard.panels import heading
from practice import stories as own
from practice.history import LedgerLine, Story, graded
from practice.rubric import PERSONAS

PARAM: Final = "story"
_CHOSEN: Final = "_story"
_PARTS: Final = ("name", "value", "meaning")


def query() -> str:
    """Return what the address has to hold of this page: the story that is open."""
    said = st.query_params.get(PARAM)
    if said and said != st.session_state.get("_story_said"):
        st.session_state["_story_said"] = said
        st.session_state[_CHOSEN] = said
    chosen = st.session_state.get(_CHOSEN)
    return f"{PARAM}={chosen}" if chosen else ""


def show() -> None:
    """Show the page."""
    book = notebook.current()
    stories = notebook.store().stories(book) if book else ()
    ready = sum(not own.lacks(one) for one in stories)
    if stories:
        heading(t("stories.answer", n=len(stories), ready=ready), level=1)
    else:
        heading(t("stories.none"), level=1)
    st.caption(t("stories.how", low=own.FEWEST_STORIES, high=own.MOST_STORIES))
    story = _pick(stories)
    if story is None:
        return
    autosave.listen()
    left, right = st.columns([3, 2], gap="large")
    with left, shown():
        _form(story)
    with right, shown():
        _judge(notebook.store().story(story.id))


def _pick(stories: tuple[Story, ...]) -> Story | None:
    names = {one.id: one.title.strip() or plain("stories.untitled", n=row) for row, one in enumerate(stories, 1)}
    if names and st.session_state.get(_CHOSEN) not in names:
        st.session_state[_CHOSEN] = stories[0].id
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if names:
            st.selectbox(t("stories.pick"), list(names), key=_CHOSEN, format_func=lambda one: names[one])
        st.button(t("stories.new"), key="story_new", on_click=safe(_begin), icon=":material/add:")
    return next((one for one in stories if one.id == st.session_state.get(_CHOSEN)), None)


def _begin() -> None:
    st.session_state[_CHOSEN] = notebook.store().new_story(notebook.ensure()).id


def _form(story: Story) -> None:
    _field(f"title-{story.id}", t("stories.title"), story.title, _save_title, story.id)
    for name in own.BOXES:
        autosave.box(story, name, plain(f"box.{name}"), help_text=plain(f"box.{name}.help"))
    for name in own.SLOTS:
        autosave.box(story, name, plain(f"box.{name}"), help_text=plain(f"box.{name}.help"), height=90)
    heading(t("stories.ledger"), level=3)
    st.caption(t("stories.ledger.how"))
    for row, line in enumerate((*story.ledger, LedgerLine())):
        with st.container(horizontal=True, border=True, key=f"line-{row}"):
            for part in _PARTS:
                shown_value = getattr(line, part)
                key = f"line-{story.id}-{row}-{part}"
                _field(key, t(f"stories.ledger.{part}"), shown_value, _save_line, story.id, row, part)


def _field(key: str, label: str, value: str, save: Any, *args: Any) -> None:  # noqa: ANN401  a callback with its arguments
    if key not in st.session_state:
        st.session_state[key] = value
    # as its default, too: dashboard/held.py
    st.text_input(label, st.session_state[key], key=key, on_change=safe(save), args=(key, *args), max_chars=200)


def _save_title(key: str, story_id: str) -> None:
    notebook.store().update_story(story_id, title=st.session_state[key])


def _save_line(key: str, story_id: str, row: int, part: str) -> None:
    lines = [*notebook.store().story(story_id).ledger]
    lines += [LedgerLine()] * (row + 1 - len(lines))
    lines[row] = lines[row].model_copy(update={part: st.session_state[key]})
    kept = [one for one in lines if one != LedgerLine()]
    if len(kept) != len(lines):  # the rows move up, so the fields have to be filled anew
        for field in [field for field in st.session_state if str(field).startswith(f"line-{story_id}-")]:
            del st.session_state[field]
    notebook.store().update_story(story_id, ledger=kept)


def _judge(story: Story) -> None:
    lacks = own.lacks(story)
    heading(t("stories.lacks", n=len(lacks)) if lacks else t("stories.complete"), level=3)
    for one in lacks[:8]:
        what = plain(f"box.{one.what}") if one.kind in {"box", "slot"} else one.what
        st.markdown("- " + t(f"stories.lack.{one.kind}", what=what))
    if len(lacks) > 8:
        st.caption(t("changes.more", n=len(lacks) - 8))
    st.radio(
        t("stories.persona"), list(PERSONAS), key="story_persona", horizontal=True,
        format_func=lambda one: in_language(PERSONAS[one]),
    )  # fmt: skip
    st.button(t("stories.score"), key="story_score", type="primary", on_click=safe(_score), args=(story.id,))
    done = [one for one in notebook.store().attempts(notebook.ensure()) if one.subject == story.id and one.grade]
    if done and done[-1].grade:
        score_view.show(done[-1].grade)
        score_view.dispute(done[-1])
        if done[-1].texts() != {name: text for name, text in story.texts().items() if name in own.BOXES}:
            st.caption(t("stories.changed_since"))
    _stress(story)


def _score(story_id: str) -> None:
    story = notebook.store().story(story_id)
    persona = st.session_state.get("story_persona", "committee")
    boxes = {name: one for name, one in story.sections.items() if name in own.BOXES}
    score = own.score_story(story.model_copy(update={"persona": persona}))
    begun = notebook.store().start(
        notebook.ensure(), story.id, kind="story", mode="story", persona=persona, sections=boxes
    )
    notebook.store().finish(begun.id, graded(score))


def _stress(story: Story) -> None:
    heading(t("stories.stress"), level=3)
    stress = st.radio(
        t("stories.stress.pick"), own.STRESSES, key="story_stress",
        format_func=lambda one: in_language(own.stress_label(one)),
    )  # fmt: skip
    for probe in own.probes(story, stress):
        st.markdown(f"**{plain(f'probe.{probe.kind}')}** {escape(probe.of(language()), longest=600)}")
    autosave.box(story, own.section_of(stress), plain("stories.stress.answer"))
    for told, now in own.contradictions(notebook.store().story(story.id), stress):
        st.warning(t("stories.contradiction", told=told, now=now), icon=":material/compare_arrows:")
