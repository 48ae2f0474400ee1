"""Who gets what: Jain's index over tenants, against what they are entitled to and against what they asked for.

While quotas do not exist, a tenant is entitled to its part of the GPU-time of its fence in the window, divided among
the tenants of that fence by `weight` (1 unless the document says otherwise, which makes the parts equal). Tenants that
asked for nothing are left out.

Source: Jain, Chiu and Hawe, "A quantitative measure of fairness", DEC-TR-301, 1984.
"""

import numpy as np

from scheduler_core.kernels.tables import Int64
from scheduler_core.metrics._base import NOTHING, Float64, Metric, Shared, Value, View, words
from scheduler_core.result import UNSCHEDULABLE, Bool, Result


def received_gpu_ms(view: View) -> Int64:
    """Return GPU-ms allocated to each tenant in the window, int64, shape (n_tenants,)."""
    total = np.zeros(len(view.result.tenants), np.int64)
    np.add.at(total, view.result.table.jobs.tenant, view.shared.allocated_gpu_ms)
    return total


def demanded_gpu_ms(view: View) -> Int64:
    """Return GPU-ms each tenant could have used in the window, int64, shape (n_tenants,)."""
    return view.shared.once("demanded", _demanded)


def _demanded(result: Result, shared: Shared) -> Int64:
    """Return GPU-ms each tenant could have used in the window, int64, shape (n_tenants,).

    For each job: its GPUs times the part of the window that its run would fill if it had never waited, or what it was
    given in the window where that is more.
    """
    jobs = result.table.jobs
    begin, end = result.window_ms
    at_once = np.clip(jobs.submit_ms + result.run_ms, begin, end) - np.clip(jobs.submit_ms, begin, end)
    at_once[result.outcome.state == UNSCHEDULABLE] = 0
    wanted = np.maximum(at_once * jobs.gpus.astype(np.int64), shared.allocated_gpu_ms)
    total = np.zeros(len(result.tenants), np.int64)
    np.add.at(total, jobs.tenant, wanted)
    return total


def entitled_gpu_ms(view: View, takes_part: Bool) -> Float64:
    """Return GPU-ms each tenant is entitled to in the window, shape (n_tenants,).

    Parameters
    ----------
    view : View
        Everything.
    takes_part : bool array, shape (n_tenants,)
        Tenants among which the GPU-time is divided.

    Returns
    -------
    float64 array
        0 for tenants that do not take part.
    """
    result = view.result
    weights = {tenant.name: float(tenant.weight) for tenant in result.scenario.tenants}
    weight = np.array([weights.get(name, 1.0) for name in result.tenants]) * takes_part
    fences = result.fences
    in_fence = np.bincount(fences.of_tenant, weight, minlength=len(fences.names))[fences.of_tenant]
    part = np.divide(weight, in_fence, out=np.zeros_like(weight), where=in_fence > 0)
    due: Float64 = part * fences.gpus[fences.of_tenant] * float(view.window_ms)
    return due


def jain(shares: Float64) -> Value:
    """Return (sum x)^2 / (n sum x^2) of what each tenant received of its due; 1 = equal, 1/n = one has everything."""
    square = float((shares**2).sum())
    return Value(float(shares.sum()) ** 2 / (shares.shape[0] * square)) if square > 0 else NOTHING


def jain_entitled(view: View) -> Value:
    """Return Jain's index of received / entitled GPU-hours over the tenants that asked for something."""
    takes_part = demanded_gpu_ms(view) > 0
    due = entitled_gpu_ms(view, takes_part)
    counts = due > 0
    return jain(received_gpu_ms(view)[counts] / due[counts])


def fairness(view: View) -> Value:
    """Return Jain's index of received / min(demanded, entitled) GPU-hours."""
    demanded = demanded_gpu_ms(view)
    due = np.minimum(demanded, entitled_gpu_ms(view, demanded > 0))
    counts = due > 0
    return jain(received_gpu_ms(view)[counts] / due[counts])


METRICS = (
    Metric(
        slug="fairness",
        unit="index",
        better="higher",
        range=(0, 1),
        source="Jain, Chiu and Hawe 1984, over min(demanded, entitled)",
        text=words(
            "Fairness",
            "Jain's index over tenants of received / min(demanded, entitled) GPU-hours; 1 = all served alike.",
            "公平性",
            "各租户“获得 / min（需求，应得）”GPU 小时的 Jain 指数；1 表示一视同仁。",
        ),
        function=fairness,
        scopes=("all",),
        is_headline=True,
    ),
    Metric(
        slug="jain_index",
        unit="index",
        better="higher",
        range=(0, 1),
        source="Jain, Chiu and Hawe 1984",
        text=words(
            "Jain index of allocation",
            "Jain's index over tenants of received / entitled GPU-hours; without quotas, entitled = by weight.",
            "分配的 Jain 指数",
            "各租户“获得 / 应得”GPU 小时的 Jain 指数；没有配额时按权重计算应得。",
        ),
        function=jain_entitled,
        scopes=("all",),
    ),
)
