"""Preemption: who was evicted for whom, what was lost to it, and every eviction; only where a run can evict."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dashboard import numbers, panels
from dashboard import verdict as words
from dashboard.i18n import Text, escape, plain, t
from dashboard.results_view import source_of
from dashboard.why import show_why
from scheduler_core import ENGINE_VERSION, REASONS, Result, Scenario, Summary, scenario_hash

SHOWN_ROWS: Final = 500
MOST_NAMES: Final = 12
"""Rows and columns of the picture; the table has all."""

_HOUR_MS: Final = 3_600_000
_LOST: Final = ("limit", *REASONS)
"""Causes of lost work, each with a metric `lost_<cause>_gpu_h`."""


@dataclass(frozen=True)
class Pairs:
    """Evictions counted by whose job was the victim and whose the evictor.

    Attributes
    ----------
    names : tuple of str
        Tenants, or classes where there is one tenant; those with evictions, in their order.
    count : int64, shape (n_names, n_names)
        Evictions of a victim (row) for an evictor (column).
    lost_gpu_h : float64, shape (n_names, n_names)
        GPU-hours of work they threw away.
    """

    names: tuple[str, ...]
    count: NDArray[np.int64]
    lost_gpu_h: NDArray[np.float64]

    @property
    def total(self) -> int:
        """All evictions."""
        return int(self.count.sum())

    def largest(self, most: int) -> "Pairs":
        """Return the names with most evictions, as victim or evictor, in their order."""
        either = self.count.sum(axis=0) + self.count.sum(axis=1)
        kept = np.sort(np.argsort(-either, kind="stable")[:most])
        square = np.ix_(kept, kept)
        return Pairs(tuple(self.names[at] for at in kept), self.count[square], self.lost_gpu_h[square])


def counted_rows(result: Result) -> NDArray[np.int64]:
    """Return the rows of the ledger whose victim was submitted in the window, which is what metrics count."""
    ledger = result.outcome.ledger
    return np.zeros(0, np.int64) if ledger is None else np.flatnonzero(result.is_counted[ledger.victim])


def pairs_of(result: Result) -> Pairs:
    """Return who was evicted for whom, by tenant, or by class where there is one tenant."""
    ledger, jobs = result.outcome.ledger, result.table.jobs
    by_tenant = len(result.tenants) > 1
    names, index = (result.tenants, jobs.tenant) if by_tenant else (result.classes, jobs.job_class)
    count = np.zeros((len(names), len(names)), np.int64)
    lost = np.zeros((len(names), len(names)), np.int64)
    if ledger is not None:
        rows = counted_rows(result)
        pair = index[ledger.victim[rows]], index[ledger.evictor[rows]]
        np.add.at(count, pair, 1)
        np.add.at(lost, pair, ledger.lost_gpu_ms[rows])
    kept = np.flatnonzero(count.sum(axis=0) + count.sum(axis=1))
    square = np.ix_(kept, kept)
    return Pairs(tuple(names[at] for at in kept), count[square], lost[square] / _HOUR_MS)


def section(scenario: Scenario, found: words.Answer, result: Result) -> None:
    """Show who was evicted for whom and what it cost; nothing where nobody may be evicted."""
    if not result.can_evict:
        return
    pairs = pairs_of(result)
    if not pairs.total:
        panels.heading(t(f"{kind_of(scenario)}.nobody"))
        return
    left, right = st.columns([3, 2], gap="large")
    source = source_of(scenario)
    with left:
        _pairs_picture(pairs, source, kind_of(scenario))
        st.caption(meaning(found.summary, kind_of(scenario)))
        idle_gpu_h = result.books["idle_held"] / _HOUR_MS
        if idle_gpu_h > 0:
            st.caption(t("evict.suspended", idle=words.value_text("gpu_h", idle_gpu_h)))
        show_why(scenario, "preemption.victims", "requeue")
    with right:
        _lost_picture(scenario, found)
    _ledger(result)


def meaning(summary: Summary, kind: str = "evict") -> Text:
    """Return how many were evicted, how long they wait to run again, and how fast reclaim is."""
    share, per_job = summary.value("preempted_share").value, summary.value("preemptions_per_job").value
    said = [t(f"{kind}.said", share=numbers.share(share or 0.0), per_job=Text(numbers.digits(per_job or 0.0, 2)))]
    median, late = summary.value("requeue_wait_p50"), summary.value("requeue_wait_p95")
    if median.value is not None and kind == "evict":
        again = {
            name: words.value_text("ms", each.value, is_bound=each.is_lower_bound)
            for name, each in (("median", median), ("p95", late))
        }
        said.append(t("evict.again", **again))
    reclaim = summary.value("reclaim_latency_p95")
    if reclaim.value is not None:
        said.append(t("evict.reclaim", p95=words.value_text("ms", reclaim.value, is_bound=reclaim.is_lower_bound)))
    return Text(" ".join(said))


# ---- who for whom -----------------------------------------------------------------------------------------------


def kind_of(scenario: Scenario) -> str:
    """Return what happens to victims under every policy of the run that has any: `suspend` or `evict`."""
    rules = [policy.preemption for _, policy in scenario.policy.steps() if policy.preemption is not None]
    return "suspend" if rules and all(rule.suspend for rule in rules) else "evict"


def pairs_title(pairs: Pairs, kind: str = "evict") -> Text:
    """Return how many evictions or suspensions there were, and between whom most of them."""
    victim, evictor = np.unravel_index(int(pairs.count.argmax()), pairs.count.shape)
    key = f"{kind}.title_own" if victim == evictor else f"{kind}.title"
    return t(
        key,
        n=numbers.count(pairs.total),
        share=numbers.share(int(pairs.count[victim, evictor]) / pairs.total),
        victim=pairs.names[int(victim)],
        evictor=pairs.names[int(evictor)],
    )


def _pairs_picture(pairs: Pairs, source: Text, kind: str) -> None:
    from dashboard import preemption_charts  # noqa: PLC0415

    shown = pairs.largest(MOST_NAMES)
    title = pairs_title(pairs, kind)
    panels.chart(
        preemption_charts.pairs(shown.names, shown.count, shown.lost_gpu_h, kind),
        key="evict_pairs",
        title=title,
        alt=title,
        source=source,
        table=partial(_pairs_table, pairs, kind),
    )


def _pairs_table(pairs: Pairs, kind: str) -> pd.DataFrame:
    victim, evictor = np.nonzero(pairs.count)
    names = np.array(pairs.names, dtype=object)
    frame = {
        plain(f"{kind}.axis.victim"): names[victim],
        plain(f"{kind}.axis.evictor"): names[evictor],
        plain(f"{kind}.count"): pairs.count[victim, evictor],
        plain("column.lost_gpu_h"): np.round(pairs.lost_gpu_h[victim, evictor], 2),
    }
    return pd.DataFrame(frame).sort_values(plain(f"{kind}.count"), ascending=False, kind="stable")


# ---- lost work --------------------------------------------------------------------------------------------------


def lost_by_cause(summary: Summary) -> dict[str, float]:
    """Return lost GPU-hours of the window by cause, those that occurred."""
    found = {cause: summary.value(f"lost_{cause}_gpu_h").value or 0.0 for cause in _LOST}
    return {cause: hours for cause, hours in found.items() if hours > 0}


def lost_title(summary: Summary, n_seeds: int = 1) -> Text:
    """Return how much work was lost, as a share of what was allocated, and mostly to what.

    Parameters
    ----------
    summary : Summary
        Metrics are means over the seeds, books are sums.
    n_seeds : int
        Seeds behind it.
    """
    lost = lost_by_cause(summary)
    if not lost:
        return t("evict.lost_none")
    total, allocated_ms = sum(lost.values()), sum(summary.books_gpu_ms.values()) / n_seeds
    return t(
        "evict.lost",
        hours=words.value_text("gpu_h", total),
        share=numbers.share(total * _HOUR_MS / max(allocated_ms, 1)),
        cause=t(f"evict_cause.{max(lost, key=lambda cause: lost[cause])}"),
    )


def _lost_picture(scenario: Scenario, found: words.Answer) -> None:
    from dashboard import preemption_charts  # noqa: PLC0415

    lost = lost_by_cause(found.summary)
    n_seeds = found.all_seeds.n if found.all_seeds else 1
    title = lost_title(found.summary, n_seeds)
    if not lost:
        panels.heading(title)
        return
    panels.chart(
        preemption_charts.lost([plain(f"evict_cause.{cause}") for cause in lost], list(lost.values())),
        key="evict_lost",
        title=title,
        alt=title,
        source=panels.source_line(
            scenario_hash(scenario),
            ENGINE_VERSION,
            t("fair.runs", n=n_seeds) if found.all_seeds else t("chart.first_seed"),
        ),
        table=partial(_lost_table, lost),
    )


def _lost_table(lost: dict[str, float]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("column.reason"): [plain(f"evict_cause.{cause}") for cause in lost],
            plain("column.lost_gpu_h"): [round(hours, 2) for hours in lost.values()],
        }
    )


# ---- ledger -----------------------------------------------------------------------------------------------------


def ledger_frame(result: Result, rows: NDArray[np.int64]) -> pd.DataFrame:
    """Return rows of the ledger as a table for people: times in hours, texts in their language."""
    ledger = result.outcome.ledger
    if ledger is None:
        return pd.DataFrame()
    kind = kind_of(result.scenario)
    reasons = np.array([plain(f"evict_cause.{reason}") for reason in REASONS], dtype=object)
    columns: dict[str, Any] = {
        plain(f"{kind}.told_h"): np.round(ledger.time_ms[rows] / _HOUR_MS, 3),
        plain(f"{kind}.victim"): [result.job_id(int(row)) for row in ledger.victim[rows]],
        plain(f"{kind}.evictor"): [result.job_id(int(row)) for row in ledger.evictor[rows]],
        plain("column.reason"): reasons[ledger.reason[rows]],
        plain("column.lost_gpu_h"): np.round(ledger.lost_gpu_ms[rows] / _HOUR_MS, 3),
    }
    return pd.DataFrame(columns)


def _ledger(result: Result) -> None:
    rows = counted_rows(result)
    n_all, kind = numbers.count(len(rows)), kind_of(result.scenario)
    with st.expander(t(f"{kind}.ledger", n=n_all), key="evict_ledger"):
        st.caption(t(f"{kind}.ledger_shown", shown=numbers.count(min(len(rows), SHOWN_ROWS)), all=n_all))
        panels.show_table(ledger_frame(result, rows[:SHOWN_ROWS]), key="evict_frame", height=260)
        st.download_button(
            t("jobs.download", n=n_all),
            data=partial(_csv, result, rows),
            file_name="headroom-evictions.csv",
            mime="text/csv",
            key="evict_save",
            icon=":material/download:",
            on_click="ignore",
        )


def _csv(result: Result, rows: NDArray[np.int64]) -> bytes:
    return panels.csv_bytes(ledger_frame(result, rows))


def of_job(result: Result, row: int) -> Text:
    """Return how often a job was evicted, for whom last, and how long it waited to run again; empty where never."""
    ledger, times = result.outcome.ledger, int(result.preemptions[row])
    if ledger is None or not times:
        return Text("")
    last = int(ledger.evictor[np.flatnonzero(ledger.victim == row)[-1]])
    done = "suspended" if kind_of(result.scenario) == "suspend" else "evicted"
    key = f"story.{done}_once" if times == 1 else f"story.{done}"
    again = numbers.duration(int(result.requeue_wait_ms[row]))
    return t(key, n=numbers.count(times), evictor=escape(result.job_id(last)), again=again)
