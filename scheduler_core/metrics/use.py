"""How much of the cluster is in use, does useful work, or stands idle while somebody waits.

Integrals cover the window and are exact: whole GPUs times whole milliseconds. Source: docs/model.md 8.3.
"""

import numpy as np

from scheduler_core.kernels.tables import Int64
from scheduler_core.metrics._base import NOTHING, Metric, Value, words
from scheduler_core.metrics._timeline import CHUNK
from scheduler_core.metrics._view import View
from scheduler_core.result import UNSCHEDULABLE

USE_SOURCE = "docs/model.md 8.3"


def _share_of_capacity(view: View, gpu_ms: Int64) -> Value:
    capacity = view.gpus * view.window_ms
    return Value(view.total(gpu_ms) / capacity) if capacity else NOTHING


def utilisation(view: View) -> Value:
    """Return allocated / schedulable GPU-time of the window; for a tenant, its part of the whole cluster."""
    return _share_of_capacity(view, view.shared.allocated_gpu_ms)


def goodput(view: View) -> Value:
    """Return useful / schedulable GPU-time of the window."""
    return _share_of_capacity(view, view.shared.useful_gpu_ms)


def backlog_share(view: View) -> Value:
    """Return what the backlog adds to `utilisation`; no number without one."""
    n_backlog = view.result.table.n_backlog
    capacity = view.gpus * view.window_ms
    if not n_backlog or not capacity:
        return NOTHING
    return Value(int(view.shared.allocated_gpu_ms[:n_backlog].sum()) / capacity)


def elastic_share(view: View) -> Value:
    """Return what elastic demand adds to `utilisation`; no number without any."""
    offered = view.result.table.offered
    capacity = view.gpus * view.window_ms
    if offered is None or not capacity:
        return NOTHING
    return Value(int(view.shared.allocated_gpu_ms[offered].sum()) / capacity)


def elastic_taken_share(view: View) -> Value:
    """Return GPU-ms of the elastic work that came / that was offered in the window; no number without an offer."""
    result = view.result
    if result.table.offered is None:
        return NOTHING
    begin, end = result.window_ms
    jobs = result.table.jobs
    inside = result.table.offered & (jobs.submit_ms >= begin) & (jobs.submit_ms < end)
    work = np.where(inside, jobs.gpus * jobs.runtime_ms, 0)
    total = int(work.sum())
    return Value(int(work[result.outcome.state < UNSCHEDULABLE].sum()) / total) if total else NOTHING


def queue_jobs_mean(view: View) -> Value:
    """Return the mean number of jobs in line over the window."""
    return Value(view.total(view.shared.queue_ms) / view.window_ms)


def queue_gpus_mean(view: View) -> Value:
    """Return the mean number of GPUs asked for in line over the window."""
    return Value(view.total(view.shared.queue_gpu_ms) / view.window_ms)


def idle_outside(view: View) -> Value:
    """Return the mean of the idle GPUs outside the fence over the time in which somebody waits inside it.

    Sum over time of (idle GPUs outside) where a job of the fence waits / time in which one waits; exact, from the
    steps of both. No number where there is nothing outside or nobody waits.
    """
    fences = view.result.fences
    outside = int(fences.gpus.sum()) - view.gpus
    line = view.shared.queue_spans
    is_inside = view.shared.fence_of_job[line.row] == view.fence
    waiting = np.flatnonzero(is_inside & (line.end_ms > line.begin_ms))
    if not outside or not waiting.shape[0]:
        return NOTHING
    spans = _merge(line.begin_ms[waiting], line.end_ms[waiting])
    waited_ms = int((spans[1] - spans[0]).sum())
    return Value((outside * waited_ms - _busy_outside(view, spans)) / waited_ms)


def _busy_outside(view: View, spans: tuple[Int64, Int64]) -> int:
    """Return GPU-ms allocated outside the fence within the disjoint ascending `spans`.

    For each time in which a job had GPUs: the time of the spans before its end less that before its start, from their
    cumulative length.
    """
    jobs, had, fence_of = view.result.table.jobs, view.result.occupied, view.result.fences.of_tenant
    before = np.concatenate(([0], np.cumsum(spans[1] - spans[0])))
    total = 0
    for low in range(0, had.row.shape[0], CHUNK):
        row, begin, end, gpus = (column[low : low + CHUNK] for column in had)
        is_outside = fence_of[jobs.tenant[row]] != view.fence
        begin, end = begin[is_outside], end[is_outside]
        busy = _covered_until(spans, before, end) - _covered_until(spans, before, begin)
        total += int((busy * gpus[is_outside]).sum())
    return total


def _merge(begin: Int64, end: Int64) -> tuple[Int64, Int64]:
    """Return the union of spans as disjoint spans in ascending order."""
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], np.maximum.accumulate(end[order])
    is_first = np.ones(begin.shape[0], bool)
    is_first[1:] = begin[1:] > end[:-1]
    is_last = np.roll(is_first, -1)
    return begin[is_first], end[is_last]


def _covered_until(spans: tuple[Int64, Int64], before: Int64, time_ms: Int64) -> Int64:
    """Return how much of the disjoint ascending `spans`, with `before` ms before each, lies before each time, in ms."""
    begin, end = spans
    at = np.searchsorted(begin, time_ms, side="right") - 1
    inside = np.minimum(time_ms, end[at]) - begin[at]
    return np.where(at >= 0, before[np.maximum(at, 0)] + inside, 0)


METRICS = (
    Metric(
        slug="utilisation",
        unit="share",
        better="higher",
        range=(0, 1),
        source=USE_SOURCE,
        text=words(
            "Utilisation",
            "Allocated GPU-time of the window / schedulable GPU-time of the cluster (for a pool: of the pool).",
            "利用率",
            "窗口内已分配的 GPU 时间 / 集群可调度的 GPU 时间（对资源池：该池的 GPU 时间）。",
        ),
        function=utilisation,
        scopes=("all", "class", "tenant", "pool"),
        is_headline=True,
    ),
    Metric(
        slug="backlog_share",
        unit="share",
        better="lower",
        range=(0, 1),
        source="docs/model.md 10.8",
        text=words(
            "Utilisation by the backlog",
            "GPU-time of the window allocated to work that waited already at the start / schedulable GPU-time.",
            "积压占用的利用率",
            "窗口内分配给开始时积压作业的 GPU 时间 / 可调度的 GPU 时间。",
        ),
        function=backlog_share,
        scopes=("all",),
    ),
    Metric(
        slug="elastic_share",
        unit="share",
        better="higher",
        range=(0, 1),
        source="docs/model.md 10.11",
        text=words(
            "Utilisation by elastic demand",
            "GPU-time of the window allocated to work that came because its condition held / schedulable GPU-time.",
            "弹性需求占用的利用率",
            "窗口内分配给因条件满足才出现的工作的 GPU 时间 / 可调度的 GPU 时间。",
        ),
        function=elastic_share,
        scopes=("all",),
    ),
    Metric(
        slug="elastic_taken_share",
        unit="share",
        better="higher",
        range=(0, 1),
        source="docs/model.md 10.11",
        text=words(
            "Elastic work that came",
            "GPU hours of the elastic work that came / those offered in the window.",
            "实际出现的弹性工作",
            "窗口内实际出现的弹性工作 GPU 小时 / 所提供的 GPU 小时。",
        ),
        function=elastic_taken_share,
        scopes=("all",),
    ),
    Metric(
        slug="goodput",
        unit="share",
        better="higher",
        range=(0, 1),
        source=USE_SOURCE,
        text=words(
            "Goodput",
            "Useful GPU-time, work that was kept, / schedulable GPU-time of the window.",
            "有效利用率",
            "有效（被保留的工作）GPU 时间 / 窗口内可调度的 GPU 时间。",
        ),
        function=goodput,
        scopes=("all", "class", "tenant", "pool"),
        is_headline=True,
    ),
    Metric(
        slug="idle_outside_gpus",
        unit="gpus",
        better="lower",
        range=(0, None),
        source="docs/model.md 2",
        text=words(
            "Idle outside while waiting",
            "Mean idle GPUs outside the fence over the time in which somebody inside it waits.",
            "等待期间围栏外的空闲 GPU",
            "围栏内有作业等待期间，围栏外空闲 GPU 的平均数。",
        ),
        function=idle_outside,
        scopes=("pool",),
        is_headline=True,
    ),
    Metric(
        slug="queue_jobs_mean",
        unit="jobs",
        better="lower",
        range=(0, None),
        source="defined here",
        text=words(
            "Mean queue", "Jobs in line, averaged over the window.", "平均排队作业数", "窗口内平均排队的作业数。"
        ),
        function=queue_jobs_mean,
        scopes=("all", "class", "tenant", "pool"),
    ),
    Metric(
        slug="queue_gpus_mean",
        unit="gpus",
        better="lower",
        range=(0, None),
        source="defined here",
        text=words(
            "Mean queued GPUs",
            "GPUs asked for by jobs in line, averaged over the window.",
            "平均排队 GPU 数",
            "窗口内排队作业所需 GPU 的平均数。",
        ),
        function=queue_gpus_mean,
        scopes=("all", "class", "tenant", "pool"),
    ),
)
