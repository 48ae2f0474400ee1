"""What leaves and enters: all work as a file, tables of it, the day of the interview, deleting."""

from datetime import date

import streamlit as st

from dashboard import history_view, notebook
from dashboard.errors import safe, shown
from dashboard.i18n import t
from dashboard.panels import heading
from practice import history
from practice.export import disputes_csv, rules_csv


def show() -> None:
    """Show what concerns all work."""
    heading(t("files.title"))
    book = notebook.current()
    st.caption(t("files.how"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        day = notebook.store().interview_on(book) if book else None
        if "interview_on" not in st.session_state:
            st.session_state["interview_on"] = day
        st.date_input(
            t("files.interview"), st.session_state["interview_on"], key="interview_on", on_change=safe(_set_day),
            width=220,
        )  # fmt: skip
        if book:
            _all_work(book)
    with shown():
        st.file_uploader(
            t("files.import"), type=["json"], key=f"import_{st.session_state.get('_imports', 0)}",
            on_change=safe(_import), max_upload_size=64,
        )  # fmt: skip
        told = st.session_state.pop("_imported", None)
        if told:
            st.success(t("files.imported", attempts=told.n_attempts, stories=told.n_stories, alike=told.n_alike))
    if book:
        with st.popover(t("files.delete"), icon=":material/delete_forever:", key="delete_all"):
            st.markdown(t("files.delete.lead"))
            is_sure = st.checkbox(t("files.delete.sure"), key="delete_sure")
            st.button(t("files.delete.now"), key="delete_now", disabled=not is_sure, on_click=safe(_delete))


def _all_work(book: str) -> None:
    store = notebook.store()
    attempts = store.attempts(book)
    names = history_view.subject_names(attempts, book)
    st.download_button(
        t("files.export"), lambda: history.to_json(history.bundle_of(store, book)), "headroom-practice.json",
        "application/json", key="files_export", on_click="ignore", icon=":material/download:",
    )  # fmt: skip
    st.download_button(
        t("files.csv"), lambda: rules_csv(attempts, names).encode("utf-8-sig"), "headroom-rules.csv", "text/csv",
        key="files_csv", on_click="ignore", icon=":material/table:",
    )  # fmt: skip
    told = len(list(history.disputes(attempts)))
    if told:
        st.download_button(
            t("files.disputes", n=told), lambda: disputes_csv(attempts, names).encode("utf-8-sig"),
            "headroom-objections.csv", "text/csv", key="files_disputes", on_click="ignore", icon=":material/flag:",
        )  # fmt: skip


def _set_day() -> None:
    day = st.session_state["interview_on"]
    notebook.store().set_interview(notebook.ensure(), day if isinstance(day, date) else None)


def _import() -> None:
    number = st.session_state.get("_imports", 0)
    given = st.session_state.get(f"import_{number}")
    if given is None:
        return
    bundle = history.read_bundle(given.getvalue())
    st.session_state["_imported"] = history.add_bundle(notebook.store(), notebook.ensure(), bundle)
    st.session_state["_imports"] = number + 1


def _delete() -> None:
    notebook.store().delete_all(notebook.ensure())
    st.session_state.pop("delete_sure", None)
