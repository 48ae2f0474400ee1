"""What Start shows beside the answer: other questions, other cases, your own log and how far to trust it."""

from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from dashboard import cases as named
from dashboard import logs, numbers, panels, results_view, service, shell, state, storage
from dashboard.errors import safe
from dashboard.i18n import Text, escape, language, plain, t
from scheduler_core import ImportReport, Replay, Scenario, WaitRow, load_case, recorded_table

_CLOSE: Final = 0.35
_LINES_SHOWN: Final = 12


def questions(scenario: Scenario) -> None:
    """Show where to go from here."""
    panels.heading(t("start.title"))
    results_view.tries(scenario)
    with st.container(gap="xsmall"):
        shell.link_to("setup", t("start.go_setup"), ":material/tune:")
        shell.link_to("results", t("start.go_results"), ":material/monitoring:")
        shell.link_to("compare", t("start.go_compare"), ":material/compare_arrows:")


def cases() -> None:
    """Show the named cases; the one on screen is marked."""
    st.caption(t("start.case"))
    current = state.current()
    with st.container(border=True, gap="xsmall", key="cases"):
        for slug in named.slugs():
            with st.container(horizontal=True, vertical_alignment="center", wrap=False):
                st.markdown(escape(named.title(slug)), width="stretch", help=escape(named.lead(slug), 300) or None)
                if current.case == slug and not state.changes():
                    st.badge(t("start.is_open"), color="gray")
                else:
                    st.button(
                        t("start.open_case"),
                        key=f"open_{slug}",
                        on_click=safe(partial(_open_case, slug)),
                        type="tertiary",
                    )


def _open_case(slug: str) -> None:
    state.replace(load_case(slug), is_new_start=True)


# ---- your own log -----------------------------------------------------------------------------------------------


def own_log() -> None:
    """Take a log by drop or paste, with an optional description of the cluster."""
    panels.heading(t("start.log"))
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.file_uploader(
            t("start.drop"),
            key="log_file",
            max_upload_size=storage.LARGEST_LOG_BYTES // 1024**2,
            on_change=safe(_take_file),
        )
        with st.expander(t("start.paste")):
            st.text_area(t("start.paste_label"), key="log_text", height=120, placeholder=plain("start.paste_example"))
            st.button(t("start.replay"), key="log_paste", on_click=safe(_take_text), type="primary")
    with right, st.expander(t("start.cluster"), expanded=False, key="log_cluster_box"):
        st.caption(t("start.cluster_lead"))
        hint = plain("start.from_log")
        st.number_input(
            t("start.gpus"),
            min_value=1,
            max_value=10_000_000,
            value=None,
            step=1,
            key="log_gpus",
            placeholder=hint,
            on_change=safe(_again),
        )
        st.number_input(
            t("start.procs"),
            min_value=1,
            max_value=100_000,
            value=None,
            step=1,
            key="log_procs",
            placeholder="1",
            on_change=safe(_again),
        )
        st.text_area(t("start.cluster_label"), key="log_cluster", height=120, on_change=safe(_again))


def _take_file() -> None:
    uploaded = st.session_state.get("log_file")
    if uploaded is not None:
        _take(uploaded.getvalue(), uploaded.name)


def _take_text() -> None:
    text = str(st.session_state.get("log_text") or "")
    if text.strip():
        _take(text.encode(), plain("start.pasted"))


def _again() -> None:
    """Read the last log once more with what is now known about the cluster."""
    last: tuple[bytes, str] | None = st.session_state.get("_last_log")
    if last is not None:
        _take(*last)


def _take(content: bytes, name: str) -> None:
    st.session_state["_last_log"] = (content, name)
    st.session_state.pop("_report", None)
    procs = st.session_state.get("log_procs")
    made = logs.take(
        content,
        name,
        cluster=str(st.session_state.get("log_cluster") or ""),
        gpus=st.session_state.get("log_gpus"),
        procs_per_gpu=int(procs or 1),
    )
    st.session_state["_report"] = (name, made.replay.report)


# ---- what was read ----------------------------------------------------------------------------------------------


def import_report(scenario: Scenario) -> None:
    """Show what was read of the log and how recorded and simulated waits compare; nothing without a log."""
    fresh: tuple[str, ImportReport] | None = st.session_state.get("_report")
    found = logs.replay_of(scenario)
    if found is None and (fresh is None or fresh[1].kept):
        return
    if fresh is not None and (found is None or fresh[1].sha256 == found.report.sha256):
        name, report = fresh
    elif found is not None:
        name, report = scenario.name, found.report
    else:
        return
    with st.container(border=True, key="import_report"):
        panels.heading(t("import.title", name=name))
        with st.container(horizontal=True):
            refused = sum(tally.count for tally in report.refused)
            left_out = sum(tally.count for tally in report.left_out)
            repaired = sum(tally.count for tally in (*report.repaired, *report.clipped))
            for key, value in (
                ("read", report.rows_read),
                ("kept", report.kept),
                ("repaired", repaired),
                ("refused", refused + left_out),
            ):
                st.metric(t(f"import.{key}"), numbers.count(value), width=130)
        if not report.kept:
            st.warning(t("import.none"), icon=":material/info:")
        for message in report.warnings[:3]:
            st.caption(escape(message.text(language()), 300))
        _details(report)
    if found is not None and report.kept:
        _trust(scenario, found)


def _details(report: ImportReport) -> None:
    rows = [
        {
            plain("import.what"): plain(f"import.{kind}"),
            plain("import.rows"): tally.count,
            plain("import.reason"): tally.text(language()),
            plain("import.lines"): _lines(tally.lines),
        }
        for kind in ("refused", "left_out", "repaired", "clipped")
        for tally in getattr(report, kind)
    ]
    with st.expander(t("import.details"), expanded=bool(rows) and not report.kept, key="import_details"):
        for line in report.lines(language()):
            st.text(line)
        if rows:
            frame = pd.DataFrame(rows)
            panels.show_table(frame, key="import_table")
            panels.download(frame, name="headroom-import", key="import_save")


def _lines(lines: tuple[int, ...]) -> str:
    shown = ", ".join(str(line) for line in lines[:_LINES_SHOWN])
    return shown + (" \u2026" if len(lines) > _LINES_SHOWN else "")


def _trust(scenario: Scenario, found: Replay) -> None:
    """Compare recorded and simulated waits, before any what-if."""
    panels.heading(t("trust.title"))
    run = service.result(scenario)
    rows = recorded_table(found, run.outcome.start_ms)
    if not rows:
        st.info(t("trust.none"), icon=":material/info:")
        return
    whole = rows[0]
    times = {
        "rec_median": whole.recorded_median_ms,
        "rec_p95": whole.recorded_p95_ms,
        "sim_median": whole.simulated_median_ms,
        "sim_p95": whole.simulated_p95_ms,
    }
    verdict = t("trust.close") if _is_close(whole) else t("trust.far")
    sentence = t("trust.sentence", **{name: numbers.duration(ms) for name, ms in times.items()})
    st.markdown(Text(f"{sentence} {verdict}"))
    panels.show_table(_frame(rows), key="trust_table")


def _is_close(row: WaitRow) -> bool:
    """Tell whether median and 95th percentile agree within a third, or within a minute."""
    pairs = ((row.recorded_median_ms, row.simulated_median_ms), (row.recorded_p95_ms, row.simulated_p95_ms))
    return all(abs(a - b) <= max(60_000, _CLOSE * max(a, b)) for a, b in pairs)


def _frame(rows: tuple[WaitRow, ...]) -> pd.DataFrame:
    def minutes(ms: float) -> float:
        return round(ms / 60_000, 2)

    return pd.DataFrame(
        [
            {
                plain("trust.size"): plain("table.all") if row.size == "all" else row.size,
                plain("table.jobs"): row.jobs,
                plain("trust.recorded_median"): minutes(row.recorded_median_ms),
                plain("trust.simulated_median"): minutes(row.simulated_median_ms),
                plain("trust.recorded_p95"): minutes(row.recorded_p95_ms),
                plain("trust.simulated_p95"): minutes(row.simulated_p95_ms),
            }
            for row in rows
        ]
    )
