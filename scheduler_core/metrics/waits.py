"""How long jobs wait: mean, percentiles, slowdown, starvation, and how much of it is not known yet.

A run of k seconds that waited w has the bounded slowdown max(1, (w + k) / max(k, bound)). Source: docs/model.md 8.2;
Feitelson, "Metrics for parallel job scheduling and their convergence", 2001.
"""

from collections.abc import Callable

import numpy as np

from scheduler_core.metrics._base import NOTHING, Metric, Value, mean, quantile, words
from scheduler_core.metrics._view import View
from scheduler_core.result import PENDING

WAIT_SOURCE = "docs/model.md 8.2"
SLOWDOWN_SOURCE = "Feitelson 2001"


def wait_mean(view: View) -> Value:
    """Return the mean of start - submit in ms, waits so far included."""
    return mean(int(view.wait_ms.sum()), view.n_jobs, view.n_pending)


def wait_quantile(share: float) -> Callable[[View], Value]:
    """Return the function that gives a percentile of the wait in ms."""

    def wait(view: View) -> Value:
        return quantile(view.ranked_wait_ms, share, view.n_pending)

    return wait


def bounded_slowdown(view: View, bound_ms: int) -> Value:
    """Return the mean of max(1, (wait + run) / max(run, bound))."""
    return mean(float(view.shared.slowdown(bound_ms)[view.rows].sum()), view.n_jobs, view.n_pending)


def slowdown_60s(view: View) -> Value:
    """Return the bounded slowdown with a bound of 60 s."""
    return bounded_slowdown(view, 60_000)


def slowdown_10s(view: View) -> Value:
    """Return the bounded slowdown with a bound of 10 s."""
    return bounded_slowdown(view, 10_000)


def waited_over_1min(view: View) -> Value:
    """Return the share of jobs that waited more than one minute; a job that waits shorter so far may still do so."""
    undecided = int(np.count_nonzero(view.is_pending & (view.wait_ms <= 60_000)))
    return mean(int(np.count_nonzero(view.wait_ms > 60_000)), view.n_jobs, undecided)


def starved_share(view: View) -> Value:
    """Return the share of jobs whose wait is over both 24 h and ten times the median of their class."""
    is_starved = view.shared.is_starved[view.rows]
    undecided = int(np.count_nonzero(view.is_pending & ~is_starved))
    return mean(int(np.count_nonzero(is_starved)), view.n_jobs, undecided)


def max_head_age(view: View) -> Value:
    """Return how old, in ms, the oldest job in line ever was in the window; from 0, lower is better.

    max over time of (time - submit of the job that then waits longest). Jobs submitted in the warm-up count as soon as
    they stand in line in the window, which is all that sets it apart from `wait_max`. A lower bound where the oldest
    job still waits at the end.
    """
    age = view.shared.head_age_ms[view.members]
    oldest = int(age.max(initial=0))
    if not oldest:
        return Value(0.0) if view.n_jobs else NOTHING
    out, rows = view.result.outcome, view.members[age == oldest]
    is_open = bool(((out.state[rows] == PENDING) & (out.start_ms[rows] < 0)).any())
    return Value(float(oldest), is_open)


def censored_share(view: View) -> Value:
    """Return the share of jobs that had not started by the end of the run."""
    return Value(view.n_pending / view.n_jobs) if view.n_jobs else NOTHING


METRICS = (
    Metric(
        slug="wait_mean",
        unit="ms",
        better="lower",
        range=(0, None),
        source=WAIT_SOURCE,
        text=words(
            "Mean wait",
            "From submit to the first start; a job still in line counts with its wait so far.",
            "平均等待",
            "从提交到首次启动的时间；仍在排队的作业按目前已等待的时间计入。",
        ),
        function=wait_mean,
        is_headline=True,
    ),
    Metric(
        slug="wait_p50",
        unit="ms",
        better="lower",
        range=(0, None),
        source=WAIT_SOURCE,
        text=words(
            "Median wait", "Half of the jobs wait no longer than this.", "等待中位数", "一半作业的等待不超过该值。"
        ),
        function=wait_quantile(0.5),
        is_headline=True,
    ),
    Metric(
        slug="wait_p95",
        unit="ms",
        better="lower",
        range=(0, None),
        source=WAIT_SOURCE,
        text=words(
            "95th percentile wait",
            "One job in twenty waits longer than this.",
            "等待 95 分位",
            "每二十个作业中有一个等待超过该值。",
        ),
        function=wait_quantile(0.95),
        is_headline=True,
    ),
    Metric(
        slug="wait_p99",
        unit="ms",
        better="lower",
        range=(0, None),
        source=WAIT_SOURCE,
        text=words(
            "99th percentile wait",
            "One job in a hundred waits longer than this.",
            "等待 99 分位",
            "每一百个作业中有一个等待超过该值。",
        ),
        function=wait_quantile(0.99),
    ),
    Metric(
        slug="wait_max",
        unit="ms",
        better="lower",
        range=(0, None),
        source=WAIT_SOURCE,
        text=words("Longest wait", "The longest wait of any job.", "最长等待", "所有作业中最长的等待时间。"),
        function=wait_quantile(1.0),
    ),
    Metric(
        slug="max_head_age",
        unit="ms",
        better="lower",
        range=(0, None),
        source="defined here",
        text=words(
            "Oldest job in line",
            "How old the oldest waiting job ever was in the window; jobs left over from the warm-up count too.",
            "队列中最老作业的等待",
            "窗口内队列中最老作业曾达到的等待时间；预热期遗留的作业也计入。",
        ),
        function=max_head_age,
        scopes=("all", "class", "tenant", "pool"),
    ),
    Metric(
        slug="waited_share",
        unit="share",
        better="lower",
        range=(0, 1),
        source="docs/model.md 8.2",
        text=words(
            "Waited over a minute",
            "Share of jobs that waited longer than one minute.",
            "等待超过一分钟的比例",
            "等待时间超过一分钟的作业所占比例。",
        ),
        function=waited_over_1min,
    ),
    Metric(
        slug="slowdown_mean",
        unit="ratio",
        better="lower",
        range=(1, None),
        source=SLOWDOWN_SOURCE,
        text=words(
            "Mean bounded slowdown (60 s)",
            "(wait + run) / run, with runs under 60 s counted as 60 s, at least 1.",
            "平均有界减速比（60 秒）",
            "（等待 + 运行）/ 运行；不足 60 秒的运行按 60 秒计，最小为 1。",
        ),
        function=slowdown_60s,
    ),
    Metric(
        slug="slowdown_10s_mean",
        unit="ratio",
        better="lower",
        range=(1, None),
        source=SLOWDOWN_SOURCE,
        text=words(
            "Mean bounded slowdown (10 s)",
            "The same with the bound of 10 s that the literature on batch jobs uses.",
            "平均有界减速比（10 秒）",
            "同上，采用批处理文献中常用的 10 秒下界。",
        ),
        function=slowdown_10s,
    ),
    Metric(
        slug="starved_share",
        unit="share",
        better="lower",
        range=(0, 1),
        source="defined here",
        text=words(
            "Starved jobs",
            "Share of jobs that waited over 24 h and over ten times the median of their class.",
            "饥饿作业比例",
            "等待超过 24 小时且超过本类中位数十倍的作业所占比例。",
        ),
        function=starved_share,
    ),
    Metric(
        slug="censored_share",
        unit="share",
        better="lower",
        range=(0, 1),
        source=WAIT_SOURCE,
        text=words(
            "Still waiting at the end",
            "Share of jobs that had not started by the end; over 1 % the mean wait reads 'at least'.",
            "结束时仍在等待的比例",
            "到运行结束仍未启动的作业比例；超过 1 % 时平均等待标为“至少”。",
        ),
        function=censored_share,
        is_headline=True,
    ),
)
