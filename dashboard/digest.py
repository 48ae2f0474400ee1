"""What the pages show of one run: small arrays and sums, made once from the job table.

No formula of the model lives here; these are groupings of the columns a result already has.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core import CAUSES, Result, Summary, summarize, timeline

Float64 = NDArray[np.float64]
BINS: Final = 330
_CURVE: Final = np.concatenate([np.linspace(0.0, 0.9, 46), np.linspace(0.9, 0.99, 37)[1:], [0.995, 0.999, 1.0]])
_ORDER: Final = CAUSES.index("order")


@dataclass(frozen=True)
class Group:
    """The waiting of one class or tenant.

    Attributes
    ----------
    name : str
        Name of the class or tenant.
    n_jobs : int
        Jobs submitted in the window.
    n_pending : int
        Those that had not started by the end.
    wait_ms : float
        Mean wait, waits so far included.
    direct_ms, behind_ms : mapping
        Mean wait by cause: what the job itself lacked, and, for time behind others in line, what the
        job ahead lacked. Together they sum to the mean wait and what was waited after evictions.
    curve_ms : float64, shape (n_points,)
        Waits at the shares of `curve_shares()`.
    """

    name: str
    n_jobs: int
    n_pending: int
    wait_ms: float
    direct_ms: Mapping[str, float]
    behind_ms: Mapping[str, float]
    curve_ms: Float64

    @property
    def is_bound(self) -> bool:
        """Whether over 1 % still wait, so that the mean is a lower bound."""
        return self.n_pending > 0.01 * max(self.n_jobs, 1)

    def share(self, cause: str) -> float:
        """Return which share of the waiting has this cause for the job itself."""
        return self.direct_ms.get(cause, 0.0) / self._waited_ms if self._waited_ms else 0.0

    @property
    def line_share(self) -> float:
        """Share of the waiting that was spent in line behind others."""
        return sum(self.behind_ms.values()) / self._waited_ms if self._waited_ms else 0.0

    @property
    def _waited_ms(self) -> float:
        """Mean of all waiting in ms, after evictions included."""
        return sum(self.direct_ms.values()) + sum(self.behind_ms.values())

    @property
    def main_cause(self) -> str:
        """What the job itself lacked longest."""
        return max(self.direct_ms, key=lambda cause: self.direct_ms[cause])

    @property
    def main_behind(self) -> str:
        """What the job at the head of the line lacked longest."""
        return max(self.behind_ms, key=lambda cause: self.behind_ms[cause])


@dataclass(frozen=True)
class Use:
    """GPUs over time in bins of equal length; means over each bin, exact."""

    edges_ms: NDArray[np.int64]
    tenants: tuple[str, ...]
    allocated: Float64
    useful: Float64
    queued: Float64
    elastic: Float64 | None
    capacity: int


@dataclass(frozen=True)
class Digest:
    """What the pages show of one run."""

    summary: Summary
    use: Use
    classes: tuple[Group, ...]
    tenants: tuple[Group, ...]
    n_jobs: int


def curve_shares() -> Float64:
    """Return the shares at which `Group.curve_ms` gives the wait."""
    return _CURVE


def digest(result: Result, summary: Summary | None = None) -> Digest:
    """Return what the pages show of `result`."""
    use = timeline(result, BINS)
    width_ms = np.diff(use.bin_edges_ms).astype(np.float64)
    tenants = tuple(result.tenants)
    behind = _behind_by_class(result)
    return Digest(
        summary=summary or summarize(result),
        use=Use(
            edges_ms=use.bin_edges_ms,
            tenants=tenants,
            allocated=use.allocated_gpu_ms / width_ms,
            useful=use.useful_gpu_ms.sum(axis=0) / width_ms,
            queued=use.queued_gpu_ms.sum(axis=0) / width_ms,
            elastic=None if use.elastic_gpu_ms is None else use.elastic_gpu_ms / width_ms,
            capacity=result.healthy_gpus,
        ),
        classes=_groups(result, result.table.jobs.job_class, result.classes, behind),
        tenants=_groups(result, result.table.jobs.tenant, tenants, behind),
        n_jobs=int(result.is_counted.sum()),
    )


def _behind_by_class(result: Result) -> Float64:
    """Return, for each class, which share of its time in line each cause of the job ahead has."""
    behind = result.outcome.order_behind_ms.astype(np.float64)
    total = behind.sum(axis=1, keepdims=True)
    share: Float64 = np.divide(behind, total, out=np.zeros_like(behind), where=total > 0)
    return share


def _groups(
    result: Result, index: NDArray[np.int32], names: tuple[str, ...], behind_share: Float64
) -> tuple[Group, ...]:
    found = []
    is_pending = result.outcome.start_ms < 0
    columns = {at: column for at, column in enumerate(result.outcome.cause_ms.T) if column.any()}  # most do not occur
    for at, name in enumerate(names):
        rows = np.flatnonzero(result.is_counted & (index == at))
        if not rows.size:
            continue
        mean_ms = np.zeros(len(CAUSES))
        behind_ms = np.zeros(len(CAUSES))
        for cause, column in columns.items():
            cause_ms = column[rows]
            mean_ms[cause] = cause_ms.sum() / rows.size
            if cause == _ORDER:
                job_class = result.table.jobs.job_class[rows]
                in_line = np.bincount(job_class, cause_ms, minlength=len(result.classes))
                behind_ms = in_line @ behind_share / rows.size
        unknown = float(mean_ms[_ORDER] - behind_ms.sum())
        wait_ms = result.wait_ms[rows]
        found.append(
            Group(
                name=name,
                n_jobs=int(rows.size),
                n_pending=int(is_pending[rows].sum()),
                wait_ms=float(wait_ms.mean()),
                direct_ms={cause: float(mean_ms[at]) for at, cause in enumerate(CAUSES) if at != _ORDER},
                behind_ms={
                    cause: float(behind_ms[at]) + (max(unknown, 0.0) if at == _ORDER else 0.0)
                    for at, cause in enumerate(CAUSES)
                },
                curve_ms=np.quantile(wait_ms, _CURVE),
            )
        )
    return tuple(found)
