"""What preemption costs, and whom: jobs evicted, waiting again, work thrown away, and how fast reclaim is.

A preemption is a row of the ledger: a victim that was told to leave and left, or was suspended. One that would have
ended by itself before is none. Counts and waits cover the jobs submitted in the window; lost GPU-hours are those of the
window. Work of a job that is killed in the end is lost to its limit, whoever evicted it before. Source: docs/model.md 9
and 15.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from scheduler_core.books import eviction_of, start_after
from scheduler_core.kernels.tables import REASONS, Int64
from scheduler_core.metrics._base import HOUR_MS, NOTHING, Metric, ScopeKind, Value, quantile, words
from scheduler_core.metrics._view import Shared, View
from scheduler_core.result import ENDED_EVICTED, KILLED, PENDING, Bool, Result

SOURCE = "docs/model.md 15.20"
LOST_SOURCE = "docs/model.md 9"
THRASH_TIMES = 3
"""A job evicted at least so often is thrashed."""

NO_POOL: tuple[ScopeKind, ...] = ("all", "class", "tenant", "size")
BORROWERS = REASONS.index("borrowers")


def per_started(count: Callable[[Int64], int]) -> Callable[[View], Value]:
    """Return the function that divides a count over the preemptions of jobs by the jobs that started."""

    def rate(view: View) -> Value:
        if not view.n_started:
            return NOTHING
        return Value(count(view.result.preemptions[view.rows]) / view.n_started if view.result.can_evict else 0.0)

    return rate


def _evicted(preemptions: Int64) -> int:
    return int(np.count_nonzero(preemptions))


def _thrashed(preemptions: Int64) -> int:
    return int(np.count_nonzero(preemptions >= THRASH_TIMES))


def _times(preemptions: Int64) -> int:
    return int(preemptions.sum())


def per_start(view: View) -> Value:
    """Return preemptions / starts, those after an eviction included; from 0, lower is better."""
    if not view.result.can_evict:
        return Value(0.0) if view.n_started else NOTHING
    n_starts = int(view.shared.once("starts", _starts)[view.rows].sum())
    return Value(int(view.result.preemptions[view.rows].sum()) / n_starts) if n_starts else NOTHING


def _starts(result: Result, _: Shared) -> Int64:
    return np.bincount(result.attempts.row, minlength=result.n_jobs).astype(np.int64)


# ---- waiting again ----------------------------------------------------------------------------------------------


def requeue_wait(share: float) -> Callable[[View], Value]:
    """Return the function that gives a percentile of the wait after evictions in ms, over jobs that had to leave."""

    def wait(view: View) -> Value:
        if not view.result.can_evict:
            return NOTHING
        rows = view.rows[view.shared.once("left", _left)[view.rows]]
        n_open = int(np.count_nonzero(view.result.outcome.state[rows] == PENDING))
        return quantile(np.sort(view.result.requeue_wait_ms[rows]), share, n_open)

    return wait


def _left(result: Result, _: Shared) -> Bool:
    """Return whether each job left its GPUs for another at least once, bool, shape (n_jobs,)."""
    left = np.zeros(result.n_jobs, np.bool_)
    left[result.attempts.row[result.attempts.end == ENDED_EVICTED]] = True
    return left


# ---- reclaim ----------------------------------------------------------------------------------------------------


def reclaim_latency(view: View) -> Value:
    """Return the 95th percentile of the time from the first eviction of a borrower for a job to its start, in ms.

    From 0, lower is better; over the jobs that took their tenant's nominal back. One that had not started by the end
    enters with what it has reached.
    """
    if not view.result.can_evict:
        return NOTHING
    evictor, latency_ms, is_open = view.shared.once("reclaims", _reclaims)
    is_inside = np.zeros(view.result.n_jobs, np.bool_)
    is_inside[view.rows] = True
    inside = is_inside[evictor]
    return quantile(np.sort(latency_ms[inside]), 0.95, int(np.count_nonzero(is_open[inside])))


def _reclaims(result: Result, _: Shared) -> tuple[NDArray[np.int32], Int64, Bool]:
    """Return evictor, latency in ms, and whether it is a lower bound, for each start that borrowers made room for."""
    ledger = result.outcome.ledger
    if ledger is None:
        return np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0, np.bool_)
    rows = np.flatnonzero(ledger.reason == BORROWERS)
    evictor, asked_ms = ledger.evictor[rows], ledger.time_ms[rows]
    start_ms = start_after(result.attempts, evictor, asked_ms)
    order = np.lexsort((asked_ms, start_ms, evictor))
    evictor, asked_ms, start_ms = evictor[order], asked_ms[order], start_ms[order]
    is_first = np.ones(order.shape[0], np.bool_)  # asked again after the pins timed out: it has waited from the first
    is_first[1:] = (evictor[1:] != evictor[:-1]) | (start_ms[1:] != start_ms[:-1])
    evictor, asked_ms, start_ms = evictor[is_first], asked_ms[is_first], start_ms[is_first]
    is_open: Bool = start_ms > result.outcome.end_ms
    return evictor, np.minimum(start_ms, result.outcome.end_ms) - asked_ms, is_open


# ---- lost work --------------------------------------------------------------------------------------------------


def lost(view: View) -> Value:
    """Return GPU-hours of the window whose work was thrown away, whatever the cause; from 0, lower is better."""
    return Value(view.total(view.shared.lost_gpu_ms) / HOUR_MS if view.shared.has_lost else 0.0)


def lost_evicted(view: View) -> Value:
    """Return GPU-hours of the window lost to evictions; from 0, lower is better. No number where nobody may evict."""
    if not view.result.can_evict:
        return NOTHING
    return Value(sum(view.total(column) for column in view.shared.once("lost_by", _lost_by).values()) / HOUR_MS)


def lost_by(reason: str) -> Callable[[View], Value]:
    """Return the function that gives GPU-hours of the window lost to evictions for one reason.

    0 where the reason did not occur, so that means over replications sum to the mean of the whole.
    """

    def lost_for(view: View) -> Value:
        if not view.result.can_evict:
            return NOTHING
        found = view.shared.once("lost_by", _lost_by)
        return Value(view.total(found[reason]) / HOUR_MS if reason in found else 0.0)

    return lost_for


def _lost_by(result: Result, shared: Shared) -> Mapping[str, Int64]:
    """Return lost GPU-ms of each job in the window by reason, for reasons that occurred, int64, shape (n_jobs,)."""
    ledger, spent = result.outcome.ledger, result.window_gpu_ms.get("lost")
    if ledger is None:
        return {}
    attempt = eviction_of(result.attempts, ledger)
    counts = (attempt >= 0) & (result.outcome.state[ledger.victim] != KILLED)
    found = {}
    for at, reason in enumerate(REASONS):
        if (ledger.reason == at).any():
            rows = attempt[counts & (ledger.reason == at)]
            of_attempt = np.zeros(result.attempts.row.shape[0], np.int64)
            of_attempt[rows] = 0 if spent is None else spent[rows]
            found[reason] = shared.by_job(of_attempt)
    return found


WORDS = {
    "own_queue": ("by jobs of higher priority in their queue", "本队列中更高优先级的作业", "优先级"),
    "borrowers": ("by tenants that took back their nominal", "收回额定配额的租户", "收回配额"),
    "fair_share": ("by tenants below their fair share", "低于公平份额的租户", "公平份额"),
    "reservation": ("by jobs that a share or window is reserved for", "享有预留份额或时段的作业", "预留"),
    "order": ("by jobs that rank ahead", "排序靠前的作业", "排队顺序"),
}
"""Reason -> by whom victims were evicted, in English and Chinese, and its short Chinese name."""


def _lost_metric(reason: str) -> Metric:
    english, chinese, short = WORDS[reason]
    return Metric(
        slug=f"lost_{reason}_gpu_h",
        unit="gpu_h",
        better="lower",
        range=(0, None),
        source=LOST_SOURCE,
        text=words(
            f"Lost to evictions: {reason.replace('_', ' ')}",
            f"GPU-hours of the window whose work was thrown away because jobs were evicted {english}.",
            f"驱逐损失：{short}",
            f"窗口内因作业被{chinese}驱逐而作废的 GPU 小时。",
        ),
        function=lost_by(reason),
        scopes=NO_POOL,
    )


METRICS = (
    Metric(
        slug="preempted_share",
        unit="share",
        better="lower",
        range=(0, 1),
        source=SOURCE,
        text=words(
            "Preempted jobs",
            "Share of the started jobs that were evicted at least once.",
            "被抢占作业比例",
            "已启动作业中至少被驱逐过一次的比例。",
        ),
        function=per_started(_evicted),
    ),
    Metric(
        slug="preemptions_per_start",
        unit="ratio",
        better="lower",
        range=(0, None),
        source=SOURCE,
        text=words(
            "Preemptions per start",
            "Preemptions / starts, counting the starts after an eviction.",
            "每次启动的抢占数",
            "抢占次数 / 启动次数（含被驱逐后的再次启动）。",
        ),
        function=per_start,
    ),
    Metric(
        slug="preemptions_per_job",
        unit="ratio",
        better="lower",
        range=(0, None),
        source=SOURCE,
        text=words(
            "Preemptions per job",
            "Preemptions / started jobs; a job that is evicted twice counts twice.",
            "每个作业的抢占数",
            "抢占次数 / 已启动作业数；被驱逐两次的作业计两次。",
        ),
        function=per_started(_times),
    ),
    Metric(
        slug="thrash_share",
        unit="share",
        better="lower",
        range=(0, 1),
        source="defined here",
        text=words(
            "Thrashed jobs",
            "Share of the started jobs that were evicted three times or more.",
            "反复被抢占比例",
            "已启动作业中被驱逐三次及以上的比例。",
        ),
        function=per_started(_thrashed),
    ),
    Metric(
        slug="requeue_wait_p50",
        unit="ms",
        better="lower",
        range=(0, None),
        source="docs/model.md 7.1",
        text=words(
            "Median wait after evictions",
            "Half of the evicted jobs wait no longer than this, all their evictions together, until they run again.",
            "被驱逐后等待的中位数",
            "一半被驱逐的作业，历次重新排队的等待合计不超过该值。",
        ),
        function=requeue_wait(0.5),
    ),
    Metric(
        slug="requeue_wait_p95",
        unit="ms",
        better="lower",
        range=(0, None),
        source="docs/model.md 7.1",
        text=words(
            "95th percentile wait after evictions",
            "One evicted job in twenty waits longer than this, all its evictions together, until it runs again.",
            "被驱逐后等待的 95 分位",
            "每二十个被驱逐的作业中有一个，历次重新排队的等待合计超过该值。",
        ),
        function=requeue_wait(0.95),
    ),
    Metric(
        slug="reclaim_latency_p95",
        unit="ms",
        better="lower",
        range=(0, None),
        source="docs/model.md 15.4",
        text=words(
            "95th percentile time to take back",
            "From the first eviction of a borrower to the start of the job it makes room for; one in 20 takes longer.",
            "收回配额耗时 95 分位",
            "从首次驱逐借用者到所让位的作业启动的时间；每二十次中有一次超过该值。",
        ),
        function=reclaim_latency,
    ),
    Metric(
        slug="lost_gpu_h",
        unit="gpu_h",
        better="lower",
        range=(0, None),
        source=LOST_SOURCE,
        text=words(
            "Lost work",
            "GPU-hours of the window whose work was thrown away: by evictions and time limits together.",
            "作废的工作",
            "窗口内工作作废的 GPU 小时，驱逐与超时终止合计。",
        ),
        function=lost,
        scopes=NO_POOL,
    ),
    Metric(
        slug="lost_evicted_gpu_h",
        unit="gpu_h",
        better="lower",
        range=(0, None),
        source=LOST_SOURCE,
        text=words(
            "Lost to evictions",
            "GPU-hours of the window whose work was thrown away because jobs were evicted.",
            "驱逐损失",
            "窗口内因作业被驱逐而作废的 GPU 小时。",
        ),
        function=lost_evicted,
        scopes=NO_POOL,
    ),
    *(_lost_metric(reason) for reason in REASONS),
)
