"""Whether sharing pays: how far apart tenants that want more are held, and whether they hold what is due to them.

The window is cut into 400 bins. A tenant has unmet demand in a bin if its jobs in line asked for at least one GPU on
average over the bin. Its dominant share is that of GPUs, the only resource that the jobs state; both are exact
integrals over the bin, so a bin holds means, not samples.

Source: Ghodsi et al., "Dominant resource fairness", NSDI 2011 (sharing incentive: nobody is worse off than with a part
of his own).
"""

from typing import NamedTuple

import numpy as np

from scheduler_core.kernels.tables import Int64
from scheduler_core.metrics._base import NOTHING, Metric, Value, words
from scheduler_core.metrics._due import entitled_gpu_ms
from scheduler_core.metrics._timeline import bin_edges, integrate
from scheduler_core.metrics._view import Shared, View
from scheduler_core.result import Bool, Result

BINS = 400
HELD_SHARE = 0.9
"""Part of its due with which a tenant counts as holding it."""
SOURCE = "Ghodsi et al. 2011"


class Held(NamedTuple):
    """GPU-ms held, and whether more was wanted, by tenant and bin of the window.

    Attributes
    ----------
    width_ms : int64, shape (n_bins,)
        Lengths of the bins.
    held_gpu_ms : int64, shape (n_tenants, n_bins)
        Integrals of allocated GPUs.
    wants_more : bool, shape (n_tenants, n_bins)
        Whether the tenant had unmet demand.
    """

    width_ms: Int64
    held_gpu_ms: Int64
    wants_more: Bool


def held(shared: Shared) -> Held:
    """Return what each tenant held and wanted over the window; computed once."""
    return shared.once("held", _held)


def _held(result: Result, shared: Shared) -> Held:
    edges = bin_edges(*result.window_ms, BINS)
    jobs, had = result.table.jobs, result.occupied
    n_tenants = len(result.tenants)
    gpus, tenant = jobs.gpus, jobs.tenant
    line = shared.queue_spans
    waits = np.flatnonzero(line.end_ms > line.begin_ms)
    who = line.row[waits]
    queued = integrate(edges, line.begin_ms[waits], line.end_ms[waits], gpus[who], (tenant[who], n_tenants))
    width_ms = np.diff(edges)
    wants_more: Bool = queued >= width_ms
    if not wants_more.any():  # nobody waits long: what was held is not asked
        return Held(width_ms, np.zeros_like(queued), wants_more)
    allocated = integrate(edges, had.begin_ms, had.end_ms, had.gpus, (tenant[had.row], n_tenants))
    return Held(width_ms, allocated, wants_more)


def drf_gap(view: View) -> Value:
    """Return the mean over time of max s - min s; 0 to 1, lower is better.

    s is the share of the GPUs (of the pool, for a pool) that a tenant holds, over tenants with unmet demand; the mean
    is over the time in which at least two have some. No number where that never happens.
    """
    found = held(view.shared)
    tenants = slice(None) if view.fence is None else view.result.fences.of_tenant == view.fence
    wants, share = found.wants_more[tenants], found.held_gpu_ms[tenants]
    bins = np.flatnonzero(wants.sum(axis=0) >= 2)
    if not bins.shape[0] or not view.gpus:
        return NOTHING
    wants, share = wants[:, bins], share[:, bins]
    most = np.where(wants, share, -1).max(axis=0)
    least = np.where(wants, share, np.iinfo(np.int64).max).min(axis=0)
    return Value(int((most - least).sum()) / (view.gpus * int(found.width_ms[bins].sum())))


def sharing_incentive(view: View) -> Value:
    """Return the share of the time with unmet demand in which a tenant holds its due; 0 to 1, higher is better.

    It holds its due when it holds at least 90 % of the GPUs it is entitled to: the rest is room that gangs cannot fill.
    For all: times of all tenants added up. No number where nobody who is entitled to something wanted more.
    """
    found = held(view.shared)
    begin, end = view.result.window_ms
    due = np.ceil(entitled_gpu_ms(view.shared) * (HELD_SHARE / (end - begin)) - 1e-9).astype(np.int64)
    wants = found.wants_more & (due > 0)[:, None]
    if view.scope.kind == "tenant":
        wants &= (np.arange(due.shape[0]) == view.tenant)[:, None]
    whole_ms = int((wants * found.width_ms).sum())
    has_due = wants & (found.held_gpu_ms >= due[:, None] * found.width_ms)
    return Value(int((has_due * found.width_ms).sum()) / whole_ms) if whole_ms else NOTHING


METRICS = (
    Metric(
        slug="drf_gap",
        unit="share",
        better="lower",
        range=(0, 1),
        source=SOURCE,
        text=words(
            "Gap between tenants",
            "Largest less smallest share of the GPUs among tenants that want more, averaged over time (DRF gap).",
            "租户间差距",
            "仍有需求的租户中，所持 GPU 份额的最大值减最小值，按时间平均（DRF 差距）。",
        ),
        function=drf_gap,
        scopes=("all", "pool"),
    ),
    Metric(
        slug="sharing_incentive",
        unit="share",
        better="higher",
        range=(0, 1),
        source=SOURCE,
        text=words(
            "Holds its due while waiting",
            "Share of the time with jobs in line in which a tenant holds at least 90 % of what it is entitled to.",
            "等待时持有应得份额",
            "有作业排队的时间里，租户至少持有其应得 GPU 90% 的比例。",
        ),
        function=sharing_incentive,
        scopes=("all", "tenant"),
    ),
)
