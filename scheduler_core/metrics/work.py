"""What gets done: completion times, finished work, work lost, and how fast a drained list ends.

Source: docs/model.md 8.2 and 9.
"""

from collections.abc import Callable

import numpy as np

from scheduler_core.kernels.tables import Int64
from scheduler_core.metrics._base import HOUR_MS, NOTHING, Metric, ScopeKind, Value, quantile, words
from scheduler_core.metrics._view import Shared, View
from scheduler_core.result import FINISHED, KILLED, Result

JCT_SOURCE = "docs/model.md 8.2"
NO_POOL: tuple[ScopeKind, ...] = ("all", "class", "tenant", "size")


def jct_mean(view: View) -> Value:
    """Return the mean of finish - submit in ms over finished jobs."""
    times = view.ranked_completion_ms
    return Value(int(times.sum()) / times.shape[0]) if times.shape[0] else NOTHING


def jct_quantile(share: float) -> Callable[[View], Value]:
    """Return the function that gives a percentile of finish - submit in ms over finished jobs."""

    def completion(view: View) -> Value:
        return quantile(view.ranked_completion_ms, share)

    return completion


def _state_share(view: View, state: int) -> Value:
    if not view.n_jobs:
        return NOTHING
    return Value(int(np.count_nonzero(view.result.outcome.state[view.rows] == state)) / view.n_jobs)


def finished_share(view: View) -> Value:
    """Return the share of jobs that finished, which is what the completion times cover."""
    return _state_share(view, FINISHED)


def killed_share(view: View) -> Value:
    """Return the share of jobs ended at their limit."""
    return _state_share(view, KILLED)


def throughput(view: View) -> Value:
    """Return jobs finished in the window per hour, whenever they were submitted."""
    return Value(view.total(view.shared.finished_in_window) / (view.window_ms / HOUR_MS))


def lost_limit_gpu_h(view: View) -> Value:
    """Return GPU-hours of the window spent on jobs that were ended at their limit."""
    return Value(
        view.total(view.shared.once("lost_to_limits", _lost_to_limits)) / HOUR_MS if view.shared.has_lost else 0.0
    )


def _lost_to_limits(result: Result, shared: Shared) -> Int64:
    """Return lost GPU-ms of each job that was ended at its limit, int64, shape (n_jobs,)."""
    return np.where(result.outcome.state == KILLED, shared.lost_gpu_ms, 0)


def makespan(view: View) -> Value:
    """Return the time from the first submit to the last end in ms; only a drained run has one."""
    out, rows = view.result.outcome, view.members
    ended = rows[out.finish_ms[rows] >= 0]
    if not view.result.scenario.run.drain or not ended.shape[0]:
        return NOTHING
    return Value(float(out.finish_ms[ended].max() - view.result.table.jobs.submit_ms[rows].min()))


METRICS = (
    Metric(
        slug="jct_mean",
        unit="ms",
        better="lower",
        range=(0, None),
        source=JCT_SOURCE,
        text=words(
            "Mean completion time",
            "From submit to finish, over the jobs that finished.",
            "平均完成时间",
            "从提交到完成的时间，仅统计已完成的作业。",
        ),
        function=jct_mean,
    ),
    Metric(
        slug="jct_p50",
        unit="ms",
        better="lower",
        range=(0, None),
        source=JCT_SOURCE,
        text=words(
            "Median completion time",
            "Half of the finished jobs took no longer than this from submit to finish.",
            "完成时间中位数",
            "一半已完成作业从提交到完成不超过该值。",
        ),
        function=jct_quantile(0.5),
    ),
    Metric(
        slug="jct_p95",
        unit="ms",
        better="lower",
        range=(0, None),
        source=JCT_SOURCE,
        text=words(
            "95th percentile completion time",
            "One finished job in twenty took longer than this from submit to finish.",
            "完成时间 95 分位",
            "每二十个已完成作业中有一个超过该值。",
        ),
        function=jct_quantile(0.95),
    ),
    Metric(
        slug="finished_share",
        unit="share",
        better="higher",
        range=(0, 1),
        source=JCT_SOURCE,
        text=words(
            "Finished jobs",
            "Share of the jobs of the window that finished by the end; completion times cover these.",
            "已完成比例",
            "窗口内提交且在结束前完成的作业比例；完成时间只统计这部分。",
        ),
        function=finished_share,
    ),
    Metric(
        slug="killed_share",
        unit="share",
        better="lower",
        range=(0, 1),
        source="docs/model.md 9.2",
        text=words(
            "Ended at the limit",
            "Share of jobs ended because they reached their time limit.",
            "因超时被终止的比例",
            "达到时限而被终止的作业所占比例。",
        ),
        function=killed_share,
    ),
    Metric(
        slug="throughput",
        unit="jobs_per_h",
        better="higher",
        range=(0, None),
        source="defined here",
        text=words("Throughput", "Jobs finished per hour of the window.", "吞吐量", "窗口内平均每小时完成的作业数。"),
        function=throughput,
    ),
    Metric(
        slug="lost_limit_gpu_h",
        unit="gpu_h",
        better="lower",
        range=(0, None),
        source="docs/model.md 9.2",
        text=words(
            "Lost to time limits",
            "GPU-hours of the window spent on jobs that were ended at their limit.",
            "超时终止损失",
            "窗口内花在被超时终止的作业上的 GPU 小时。",
        ),
        function=lost_limit_gpu_h,
        scopes=NO_POOL,
    ),
    Metric(
        slug="makespan",
        unit="ms",
        better="lower",
        range=(0, None),
        source="defined here",
        text=words(
            "Makespan",
            "From the first submit to the last end; only for a run that goes on until all have ended.",
            "总完工时间",
            "从首次提交到最后一个作业结束；仅适用于运行到全部结束的情形。",
        ),
        function=makespan,
        scopes=("all",),
    ),
)
