"""Who gets what: GPU-hours received, asked for and due by tenant, and Jain's index over tenants.

A tenant is entitled to its `nominal_gpus` times the length of the window. Without a nominal it has its part, by
`weight`, of what the tenant above it has left, else of the GPUs of its fence that no nominal takes; only tenants that
asked for something divide by weight. Where quotas are tested (`policy.isolation`), what no nominal takes belongs to
nobody; where that changes during the run it is the mean over the window. A tenant asked for the GPUs of its jobs times
the part of the window that their runs would fill if they never waited. Tenants that asked for nothing, or
are entitled to nothing, are left out of the indices.

Source: Jain, Chiu and Hawe, "A quantitative measure of fairness", DEC-TR-301, 1984.
"""

import numpy as np

from scheduler_core.metrics._base import HOUR_MS, NOTHING, Float64, Metric, Value, words
from scheduler_core.metrics._due import demanded_gpu_ms, entitled_gpu_ms, jain, received_gpu_ms
from scheduler_core.metrics._view import View


def received(view: View) -> Value:
    """Return GPU-hours allocated to the tenant in the window; from 0, no better direction."""
    return Value(float(received_gpu_ms(view.shared)[view.tenant]) / HOUR_MS)


def demanded(view: View) -> Value:
    """Return GPU-hours the jobs of the tenant would have filled in the window had they never waited; from 0."""
    return Value(float(demanded_gpu_ms(view.shared)[view.tenant]) / HOUR_MS)


def entitled(view: View) -> Value:
    """Return GPU-hours the tenant is entitled to: nominal, or part by weight, times the window; from 0."""
    return Value(float(entitled_gpu_ms(view.shared)[view.tenant]) / HOUR_MS)


def jain_entitled(view: View) -> Value:
    """Return Jain's index (sum x)^2 / (n sum x^2), x = received / entitled GPU-hours; 0 to 1, higher is better."""
    asks = demanded_gpu_ms(view.shared) > 0
    return _index(view, entitled_gpu_ms(view.shared) * asks)


def fairness(view: View) -> Value:
    """Return Jain's index with x = received / min(demanded, entitled) GPU-hours; 0 to 1, higher is better."""
    return _index(view, np.minimum(demanded_gpu_ms(view.shared), entitled_gpu_ms(view.shared)))


def _index(view: View, due: Float64) -> Value:
    counts = due > 0
    if not counts.any():
        return NOTHING
    return Value(jain(received_gpu_ms(view.shared)[counts] / due[counts]))


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
            "Jain's index over tenants of received / entitled GPU-hours; 1 = everybody got the same part of his due.",
            "分配的 Jain 指数",
            "各租户“获得 / 应得”GPU 小时的 Jain 指数；1 表示各租户获得与应得之比相同。",
        ),
        function=jain_entitled,
        scopes=("all",),
    ),
    Metric(
        slug="received_gpu_h",
        unit="gpu_h",
        better="none",
        range=(0, None),
        source="docs/model.md 8.3 and 13.2",
        text=words(
            "Received",
            "GPU-hours allocated to the tenant in the window.",
            "获得",
            "窗口内分配给该租户的 GPU 小时。",
        ),
        function=received,
        scopes=("tenant",),
    ),
    Metric(
        slug="demanded_gpu_h",
        unit="gpu_h",
        better="none",
        range=(0, None),
        source="docs/model.md 8.3 and 13.2",
        text=words(
            "Asked for",
            "GPU-hours its jobs would have filled in the window if none had waited.",
            "需求",
            "若无人等待，该租户作业在窗口内会占用的 GPU 小时。",
        ),
        function=demanded,
        scopes=("tenant",),
    ),
    Metric(
        slug="entitled_gpu_h",
        unit="gpu_h",
        better="none",
        range=(0, None),
        source="docs/model.md 8.3 and 13.2",
        text=words(
            "Entitled to",
            "Its nominal GPUs, or its part by weight of its fence, times the window.",
            "应得",
            "额定 GPU（未设则为围栏内按权重所占部分）乘以窗口时长。",
        ),
        function=entitled,
        scopes=("tenant",),
    ),
)
