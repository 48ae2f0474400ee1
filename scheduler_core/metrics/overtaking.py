"""Who was overtaken: GPU-hours submitted later than a job that started while it waited.

This says nothing about the cause of the wait: small jobs that pass a gang which does not fit cost it nothing, or a
lot. Source: docs/model.md 7.
"""

import numpy as np

from scheduler_core.kernels.tables import Int64
from scheduler_core.metrics._base import HOUR_MS, Metric, Value, mean, words
from scheduler_core.metrics._view import Shared, View, groups
from scheduler_core.result import Result

SOURCE = "docs/model.md 7"


def later_before(start_rank: Int64, weight: Int64) -> Int64:
    """Return for each row the weight of higher rows that come earlier in another order.

    Parameters
    ----------
    start_rank : int64, shape (n,)
        A permutation of 0 to n-1: place of each row in the other order.
    weight : int64, shape (n,)
        Weight of each row.

    Returns
    -------
    int64, shape (n,)
        sum of weight[j] over j > i with start_rank[j] < start_rank[i].

    Notes
    -----
    The sum is split by the highest bit in which i and j differ. Rows stand in blocks of equal higher bits, inside a
    block in the other order; in each block a row with bit 0 collects the rows with bit 1 before it. Then every block
    is divided stably by that bit. log2(n) linear steps; a Fenwick tree has the same cost, but not in vectors.
    """
    n_rows = int(start_rank.shape[0])
    total = np.zeros(n_rows, np.int64)
    row = np.empty(n_rows, np.int64)
    row[start_rank] = np.arange(n_rows)
    for bit in range(max(n_rows - 1, 0).bit_length() - 1, -1, -1):
        is_high = (row >> bit) & 1
        block = (row >> (bit + 1)) << (bit + 1)  # first row of the block, which is also its first position
        high_before = np.cumsum(is_high) - is_high
        sum_before = np.cumsum(is_high * weight[row])
        low = np.flatnonzero(is_high == 0)
        first = block[low]
        total[row[low]] += sum_before[low] - np.where(first > 0, sum_before[first - 1], 0)
        # Rows are a permutation, so a block holds 2**bit low rows (if it has any high ones) before its high rows.
        rank_high = high_before - high_before[block]
        place = np.where(is_high == 1, block + (1 << bit) + rank_high, np.arange(n_rows) - rank_high)
        moved = np.empty_like(row)
        moved[place] = row
        row = moved
    return total


def overtaken_gpu_ms(result: Result, rows: Int64) -> Int64:
    """Return GPU-ms that were submitted after and started before each of `rows`, among `rows`.

    Parameters
    ----------
    result : Result
        The run.
    rows : int64
        Jobs in ascending order.

    Returns
    -------
    int64, shape of `rows`
        A job that never started is overtaken by all that did. Starts at the same instant do not overtake.
    """
    submit, start = result.table.jobs.submit_ms[rows], result.outcome.start_ms[rows]
    has_started = start >= 0
    start = np.where(has_started, start, np.iinfo(np.int64).max)
    weight = np.where(has_started, result.run_ms[rows] * result.table.jobs.gpus[rows].astype(np.int64), 0)
    waits = np.flatnonzero(start > submit)
    overtaken = np.zeros(rows.shape[0], np.int64)
    if not waits.shape[0]:
        return overtaken
    # Who started at once did so in the order of submits: those that overtake a job stand in one run behind it.
    at_once = np.concatenate(([0], np.cumsum(np.where(start > submit, 0, weight))))
    end = np.searchsorted(submit, start[waits], side="left")
    overtaken[waits] = at_once[end] - at_once[waits + 1]
    late = start[waits]
    if np.any(late[1:] < late[:-1]):
        rank = np.empty(waits.shape[0], np.int64)
        rank[np.argsort(late, kind="stable")] = np.arange(waits.shape[0])
        overtaken[waits] += later_before(rank, weight[waits])
    return overtaken


def _by_anybody(result: Result, shared: Shared) -> Int64:  # noqa: ARG001  (the other one needs it)
    return overtaken_gpu_ms(result, np.arange(result.n_jobs))


def _by_own_line(result: Result, shared: Shared) -> Int64:
    if len(result.fences.names) == 1:
        return shared.once("overtaken", _by_anybody)
    total = np.zeros(result.n_jobs, np.int64)
    for _, rows in groups(shared.fence_of_job, len(result.fences.names)):
        total[rows] = overtaken_gpu_ms(result, rows)
    return total


def overtaken_mean(view: View) -> Value:
    """Return the mean over jobs of the GPU-hours that overtook them, in any line."""
    overtaken = view.shared.once("overtaken", _by_anybody)[view.rows]
    return mean(int(overtaken.sum()) / HOUR_MS, view.n_jobs, view.n_pending)


def overtaken_in_line_mean(view: View) -> Value:
    """Return the mean over jobs of the GPU-hours that overtook them in their own line; 0 under strict FIFO."""
    overtaken = view.shared.once("overtaken_in_line", _by_own_line)[view.rows]
    return mean(int(overtaken.sum()) / HOUR_MS, view.n_jobs, view.n_pending)


METRICS = (
    Metric(
        slug="overtaken_gpu_h",
        unit="gpu_h",
        better="none",
        range=(0, None),
        source=SOURCE,
        text=words(
            "Overtaken by",
            "GPU-hours submitted later than a job that started while it waited, mean over jobs; any line.",
            "被超越的 GPU 小时",
            "作业等待期间启动、但提交更晚的 GPU 小时，按作业平均；不限队列。",
        ),
        function=overtaken_mean,
    ),
    Metric(
        slug="overtaken_in_line_gpu_h",
        unit="gpu_h",
        better="none",
        range=(0, None),
        source=SOURCE,
        text=words(
            "Overtaken in its own line",
            "The same among jobs of the same fence, which compete for the same GPUs.",
            "同队列内被超越的 GPU 小时",
            "同上，仅计同一围栏内、竞争相同 GPU 的作业。",
        ),
        function=overtaken_in_line_mean,
    ),
)
