"""How much of what tenants are entitled to is in use.

Only where the document states nominals. Source: docs/model.md 13.2.
"""

from scheduler_core.metrics._base import NOTHING, Metric, Value, words
from scheduler_core.metrics._due import received_gpu_ms
from scheduler_core.metrics._view import View


def quota_efficiency(view: View) -> Value:
    """Return used / nominal GPU-time of the window; from 0, higher is better.

    For all: over the tenants that state a nominal. Over 1 means that GPUs were borrowed. No number without a nominal.
    """
    nominal = {tenant.name: tenant.nominal_gpus or 0 for tenant in view.result.scenario.tenants}
    names = [view.scope.name] if view.scope.kind == "tenant" else view.result.tenants
    received = dict(zip(view.result.tenants, received_gpu_ms(view.shared).tolist(), strict=True))
    counted = [name for name in names if nominal.get(name, 0) > 0 and not _is_above(view, name)]
    if not counted:
        return NOTHING
    return Value(sum(received[name] for name in counted) / (sum(nominal[name] for name in counted) * view.window_ms))


def _is_above(view: View, name: str) -> bool:
    """Return whether other tenants stand below this one: it has no jobs of its own."""
    return any(tenant.parent == name for tenant in view.result.scenario.tenants)


METRICS = (
    Metric(
        slug="quota_efficiency",
        unit="share",
        better="higher",
        range=(0, None),
        source="docs/model.md 13.2",
        text=words(
            "Use of quotas",
            "GPU-time used / nominal GPU-time, over tenants with a nominal; over 100 % is borrowed.",
            "配额使用率",
            "已用 GPU 时间 / 额定 GPU 时间（仅设有额定的租户）；超过 100% 为借用。",
        ),
        function=quota_efficiency,
        scopes=("all", "tenant"),
    ),
)
