"""The jobs one by one: a table to filter and save, and the story of one job."""

from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dashboard import numbers, palette, panels, preemption_view
from dashboard.i18n import Text, escape, labels, plain, t
from scheduler_core import CAUSES, NO_LIMIT_MS, STATES, Result

SHOWN_ROWS: Final = 500
_HOUR_MS: Final = 3_600_000
_EXAMPLES: Final = 25
_SMALL: Final = 0.005


def table(result: Result) -> None:
    """Show the jobs that waited longest, filtered as the user wants, and offer all of them as CSV."""
    panels.heading(t("jobs.title"))
    with st.container(horizontal=True, gap="small"):
        classes = st.multiselect(
            t("jobs.class"), result.classes, key="jobs_class", width=260, placeholder=plain("jobs.any")
        )
        states = st.multiselect(
            t("jobs.state"),
            STATES,
            key="jobs_state",
            width=240,
            placeholder=plain("jobs.any"),
            format_func=labels("state"),
        )
        least_min = st.number_input(
            t("jobs.min_wait"), min_value=0.0, value=0.0, step=10.0, key="jobs_wait", width=180, format="%g"
        )
    rows = _filtered(result, classes, states, float(least_min or 0.0) * 60_000)
    longest = rows[np.argsort(-result.waited_ms[rows], kind="stable")[:SHOWN_ROWS]]
    st.caption(t("jobs.shown", shown=numbers.count(len(longest)), all=numbers.count(len(rows))))
    panels.show_table(
        frame(result, longest),
        key="jobs_frame",
        height=300,
        column_config=_column_config(preemption_view.kind_of(result.scenario)),
        alt=plain("jobs.title"),
    )
    st.download_button(
        t("jobs.download", n=numbers.count(len(rows))),
        data=partial(_csv, result, rows),
        file_name="headroom-jobs.csv",
        mime="text/csv",
        key="jobs_save",
        icon=":material/download:",
        on_click="ignore",
    )


def _csv(result: Result, rows: NDArray[np.int64]) -> bytes:
    return panels.csv_bytes(frame(result, rows, is_short=False))


def _filtered(result: Result, classes: list[str], states: list[str], least_ms: float) -> NDArray[np.int64]:
    keep = result.in_window & (result.waited_ms >= least_ms)
    if classes:
        keep &= np.isin(
            result.table.jobs.job_class, [result.classes.index(name) for name in classes if name in result.classes]
        )
    if states:
        keep &= np.isin(result.outcome.state, [STATES.index(name) for name in states if name in STATES])
    return np.flatnonzero(keep)


def frame(result: Result, rows: NDArray[np.int64], *, is_short: bool = True) -> pd.DataFrame:
    """Return `rows` as a table for people: times in hours, waits in minutes, texts in their language."""
    jobs, out = result.table.jobs, result.outcome
    main = out.cause_ms[rows].argmax(axis=1)
    waited = out.cause_ms[rows].sum(axis=1) > 0
    cause_names = np.array([plain(f"cause.{cause}") for cause in CAUSES], dtype=object)
    state_names = np.array([plain(f"state.{name}") for name in STATES], dtype=object)
    columns: dict[str, Any] = {
        "job": [result.job_id(int(row)) for row in rows],
        "tenant": np.array(result.tenants, dtype=object)[jobs.tenant[rows]],
        "class": np.array(result.classes, dtype=object)[jobs.job_class[rows]],
        "gpus": jobs.gpus[rows],
        "submit_h": np.round(jobs.submit_ms[rows] / _HOUR_MS, 3),
        "wait_min": np.round(result.wait_ms[rows] / 60_000, 2),
        "run_min": np.round(result.run_ms[rows] / 60_000, 2),
        "state": state_names[out.state[rows]],
        "main_cause": np.where(waited, cause_names[main], ""),
    }
    if result.can_evict:
        columns["preemptions"] = result.preemptions[rows]
        columns["requeue_min"] = np.round(result.requeue_wait_ms[rows] / 60_000, 2)
    if not is_short:
        started = out.start_ms[rows] >= 0
        columns["start_h"] = np.where(started, np.round(out.start_ms[rows] / _HOUR_MS, 3), np.nan)
        columns |= {
            f"{cause}_min": np.round(out.cause_ms[rows, at] / 60_000, 2)
            for at, cause in enumerate(CAUSES)
            if out.cause_ms[:, at].any()
        }
    return pd.DataFrame(columns)


def _column_config(kind: str) -> dict[str, Any]:
    column = st.column_config
    return {
        "job": column.TextColumn(plain("column.job"), pinned=True),
        "tenant": column.TextColumn(plain("column.tenant")),
        "class": column.TextColumn(plain("column.class")),
        "gpus": column.NumberColumn(plain("column.gpus"), format="localized"),
        "submit_h": column.NumberColumn(plain("column.submit_h"), format="%.2f"),
        "wait_min": column.NumberColumn(plain("column.wait_min"), format="%.1f"),
        "preemptions": column.NumberColumn(plain(f"{kind}.times"), format="localized"),
        "requeue_min": column.NumberColumn(plain("column.requeue_min"), format="%.1f"),
        "run_min": column.NumberColumn(plain("column.run_min"), format="%.1f"),
        "state": column.TextColumn(plain("column.state")),
        "main_cause": column.TextColumn(plain("column.main_cause")),
    }


# ---- one job ----------------------------------------------------------------------------------------------------


def examples(result: Result) -> list[str]:
    """Return ids worth a look: the longest waits, spread over the classes."""
    rows = np.flatnonzero(result.is_counted)
    if not rows.size:
        return []
    found: list[int] = []
    classes = [at for at in range(len(result.classes)) if (result.table.jobs.job_class[rows] == at).any()]
    each = max(1, _EXAMPLES // max(len(classes), 1))
    waited_ms = result.waited_ms
    by_wait = sorted(classes, key=lambda at: -float(waited_ms[rows[result.table.jobs.job_class[rows] == at]].mean()))
    for at in by_wait[:_EXAMPLES]:
        members = rows[result.table.jobs.job_class[rows] == at]
        order = members[np.argsort(-waited_ms[members], kind="stable")]
        picks = np.unique(np.linspace(0, len(order) - 1, each).astype(int))
        found.extend(int(order[pick]) for pick in picks)
    return [result.job_id(row) for row in found]


def story(result: Result) -> None:
    """Let the user pick a job and tell why it waited."""
    panels.heading(t("story.title"))
    options = examples(result)
    if not options:
        st.caption(t("verdict.no_jobs"))
        return
    picked = st.selectbox(
        t("story.pick"), options, key="story_job", accept_new_options=True, help=t("story.help"), width=360
    )
    row = result.table.row_of(str(picked or options[0]).strip())
    if row is None:
        st.warning(t("story.unknown", job=str(picked)), icon=":material/search_off:")
        return
    st.markdown(tell(result, row))
    _story_picture(result, row)


def tell(result: Result, row: int) -> Text:
    """Return the story of the job in `row` in sentences."""
    jobs, out = result.table.jobs, result.outcome
    wait_ms = int(result.wait_ms[row])
    submit_ms = int(jobs.submit_ms[row])
    day, hour = divmod(submit_ms / _HOUR_MS, 24)
    first = t(
        "story.asked",
        job=result.job_id(row),
        tenant=result.tenants[int(jobs.tenant[row])],
        gpus=numbers.count(int(jobs.gpus[row])),
        day=int(day) + 1,
        clock=f"{int(hour):02d}:{int(hour * 60) % 60:02d}",
    )
    limit_ms = int(jobs.limit_ms[row])
    limit = t("story.no_limit") if limit_ms >= NO_LIMIT_MS else t("story.limit", limit=numbers.duration(limit_ms))
    state_name = STATES[int(out.state[row])]
    if state_name == "pending" and int(out.start_ms[row]) >= 0:
        state_name = "pending_again"
    second = t(f"story.{state_name}", wait=numbers.duration(wait_ms), run=numbers.duration(int(result.run_ms[row])))
    parts = [
        t("story.part", time=numbers.duration(ms), cause=t(f"story_cause.{cause}"))
        for cause, ms in _causes(result, row)
        if ms > _SMALL * max(int(result.waited_ms[row]), 1)
    ]
    third = t("story.because", parts=Text(plain("list.semicolon").join(parts))) if parts else Text("")
    evicted = preemption_view.of_job(result, row)
    return Text(" ".join(text for text in (first, limit, second, evicted, third) if text))


def _causes(result: Result, row: int) -> list[tuple[str, int]]:
    by_cause = zip(CAUSES, result.outcome.cause_ms[row].tolist(), strict=True)
    return sorted(((cause, ms) for cause, ms in by_cause if ms > 0), key=lambda part: -part[1])


def _story_picture(result: Result, row: int) -> None:
    from dashboard import charts, charts_small  # noqa: PLC0415

    segments = [(plain(f"cause.{cause}"), float(ms), palette.CAUSES[cause]) for cause, ms in _causes(result, row)]
    if int(result.outcome.start_ms[row]) >= 0:
        tenant = int(result.table.jobs.tenant[row])
        segments.append((plain("chart.run"), float(result.run_ms[row]), palette.tenant(tenant)))
    if segments:
        alt = plain("story.alt", job=escape(result.job_id(row)))
        st.plotly_chart(charts_small.story(segments), key="story", config=charts.CONFIG, alt=alt)
