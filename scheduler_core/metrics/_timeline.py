"""GPUs over time: exact integrals per bin, by tenant.

A bin holds GPU-milliseconds, not samples, so the bins of any number add up to the same total and no peak is invented
or lost. Allocated and useful GPU-time come from the attempts, queued GPU-time from the spans between submit and start.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.books import Work
from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import Int64
from scheduler_core.phrases import Phrase
from scheduler_core.result import ENDED_KILLED, Result

Integers = NDArray[np.integer]
MOST_BINS = 2_000
DEFAULT_BINS = 400
CHUNK = 8_192
"""Steps worked on at a time: what they need stays in the cache, which makes 320,000 of them three times faster."""


@dataclass(frozen=True)
class Timeline:
    """GPU-time per bin and tenant.

    Attributes
    ----------
    bin_edges_ms : int64, shape (n_bins + 1,)
        Edges; the bins cover the whole run, warm-up included.
    allocated_gpu_ms, useful_gpu_ms, queued_gpu_ms : int64, shape (n_tenants, n_bins)
        Integrals over each bin.
    elastic_gpu_ms : int64, shape (n_tenants, n_bins), or None
        The part of the allocated that jobs of elastic demand hold; None without such demand.
    healthy_gpus : int
        GPUs that can be scheduled.
    tenants : tuple of str
        Names of the rows.
    window_ms : tuple of int
        Begin and end of the measured window.
    """

    bin_edges_ms: Int64
    allocated_gpu_ms: Int64
    useful_gpu_ms: Int64
    queued_gpu_ms: Int64
    elastic_gpu_ms: Int64 | None
    healthy_gpus: int
    tenants: tuple[str, ...]
    window_ms: tuple[int, int]


def bin_edges(begin_ms: int, end_ms: int, bins: int) -> Int64:
    """Return whole-millisecond edges of bins of equal length, give or take one; fewer bins than ms at most.

    Parameters
    ----------
    begin_ms, end_ms : int
        What the bins cover.
    bins : int
        Wanted number, 1 to 2,000.

    Returns
    -------
    int64, shape (n_bins + 1,)
        Ascending.

    Raises
    ------
    InputError
        If there are too many bins, or none.
    """
    if not 1 <= bins <= MOST_BINS:
        raise InputError("bins", bins, Phrase("from 1 to {most_bins}", most_bins=MOST_BINS))
    length = max(end_ms - begin_ms, 1)
    n_bins = min(bins, length)
    return begin_ms + np.arange(n_bins + 1, dtype=np.int64) * length // n_bins


def integrate(edges: Int64, begin: Int64, end: Int64, height: Integers, level: tuple[Integers, int]) -> Int64:
    """Return the integral of a sum of steps over each bin, by level.

    Parameters
    ----------
    edges : int64, shape (n_bins + 1,)
        From `bin_edges`, in ms.
    begin, end : int64, shape (n_steps,)
    height : integers, shape (n_steps,)
        Each step is `height` from `begin` to `end`, and 0 elsewhere.
    level : tuple
        Row of the answer for each step, integers, shape (n_steps,), and the number of rows.

    Returns
    -------
    int64, shape (n_rows, n_bins)
        Exact as long as the totals fit into 64 bits.

    Notes
    -----
    A step that rises by h inside bin b adds h x (right edge - time) to b and h x width to each later bin; the fall is
    a rise by -h.
    """
    row, n_rows = level
    n_bins = edges.shape[0] - 1
    inside = np.zeros(n_rows * (n_bins + 1), np.int64)  # one more column for what happens at or after the last edge
    rise = np.zeros_like(inside)
    for low in range(0, begin.shape[0], CHUNK):
        part = slice(low, low + CHUNK)
        for time, sign in ((begin[part], 1), (end[part], -1)):
            line = row[part].astype(np.int64) * (n_bins + 1)
            _add_steps((rise, inside), edges, line, time, height[part].astype(np.int64) * sign)
    rise, inside = rise.reshape(n_rows, -1)[:, :-1], inside.reshape(n_rows, -1)[:, :-1]
    before = np.cumsum(rise, axis=1) - rise
    total: Int64 = inside + before * np.diff(edges)
    return total


def _add_steps(sums: tuple[Int64, Int64], edges: Int64, line: Int64, time: Int64, step: Int64) -> None:
    """Add each rise to the bin in which it happens, and its integral up to the right edge of that bin."""
    rise, inside = sums
    n_bins = edges.shape[0] - 1
    length = int(edges[-1] - edges[0])
    since = np.clip(time - edges[0], 0, length)
    at = ((since + 1) * n_bins - 1) // length  # the last k with (edge k = k x length // n_bins) <= since
    np.add.at(rise, line + at, step)
    np.add.at(inside, line + at, step * ((at + 1) * length // n_bins - since))


def timeline(result: Result, bins: int = DEFAULT_BINS) -> Timeline:
    """Return GPUs over time.

    Parameters
    ----------
    result : Result
        The run.
    bins : int
        Number of bins, at most 2,000.

    Returns
    -------
    Timeline
        Over the whole run, from 0 to its end.
    """
    edges = bin_edges(0, result.outcome.end_ms, bins)
    jobs, attempts = result.table.jobs, result.attempts
    n_tenants = max(len(result.tenants), 1)
    tenant, gpus = jobs.tenant, jobs.gpus
    level, height = (tenant[attempts.row], n_tenants), gpus[attempts.row]
    had = result.occupied
    allocated = integrate(edges, had.begin_ms, had.end_ms, had.gpus, (tenant[had.row], n_tenants))
    if result.work is not None:
        useful = _useful(result.work, edges, result.attempt_gpus, level)
    elif (attempts.end == ENDED_KILLED).any():
        kept = np.flatnonzero(attempts.end != ENDED_KILLED)
        span = attempts.start_ms[kept], attempts.end_ms[kept]
        useful = integrate(edges, *span, height[kept], (level[0][kept], n_tenants))
    else:
        useful = allocated
    line = result.spans_in_line
    waits = np.flatnonzero(line.end_ms > line.begin_ms)
    row = line.row[waits]
    queued = integrate(edges, line.begin_ms[waits], line.end_ms[waits], gpus[row], (tenant[row], n_tenants))
    added = None
    if result.table.offered is not None:
        came = np.flatnonzero(result.table.offered[had.row])
        part = had.begin_ms[came], had.end_ms[came], had.gpus[came]
        added = integrate(edges, *part, (tenant[had.row[came]], n_tenants))
    return Timeline(edges, allocated, useful, queued, added, result.healthy_gpus, result.tenants, result.window_ms)


def _useful(work: Work, edges: Int64, gpus: Int64, level: tuple[Integers, int]) -> Int64:
    """Return useful GPU-ms by row of `level` and bin, int64, shape (n_rows, n_bins).

    What was done by each edge, less what was done by the edge before. An attempt counts at the edges during which it
    ran, which are at most as many as there are GPUs for each edge, and with its total at the first edge after its end.
    """
    row, n_rows = level
    n_edges = edges.shape[0]
    done = np.zeros(n_rows * n_edges, np.int64)
    ended = np.zeros(n_rows * n_edges, np.int64)
    for low in range(0, gpus.shape[0], CHUNK // 8):
        part = np.arange(low, min(low + CHUNK // 8, gpus.shape[0]))
        first = np.searchsorted(edges, work.start_ms[part], side="right")
        last = np.searchsorted(edges, work.end_ms[part], side="left")
        counts = np.maximum(last - first, 0)
        attempt = np.repeat(part, counts)
        edge = np.arange(attempt.shape[0]) + np.repeat(first - np.cumsum(counts) + counts, counts)
        line = row[attempt].astype(np.int64) * n_edges
        np.add.at(done, line + edge, work.until(edges[edge], attempt)[0] * gpus[attempt])
        np.add.at(
            ended, row[part].astype(np.int64) * n_edges + last, work.until(work.end_ms[part], part)[0] * gpus[part]
        )
    by_edge = done.reshape(n_rows, -1) + np.cumsum(ended.reshape(n_rows, -1), axis=1)
    useful: Int64 = np.diff(by_edge, axis=1)
    return useful
