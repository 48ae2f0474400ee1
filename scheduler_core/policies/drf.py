"""Dominant resource fairness: the tenant with the lowest dominant share, by weight, starts next.

Source: Ghodsi et al., Dominant Resource Fairness, NSDI 2011. Jobs ask for GPUs alone here, so the dominant
share is the share of GPUs (docs/model.md, 16.11).
"""

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.orders import set_due, whole_key
from scheduler_core.kernels.state import N_LEAVES, SHARE_SIGNATURE, TENANT_GPUS, TENANT_KEY, TENANT_LINE, TENANT_USE
from scheduler_core.kernels.tables import Floats, Int64
from scheduler_core.policies._base import Policy


@kernel(SHARE_SIGNATURE)
def share(m: Int64, numbers: Floats, line: int) -> int:
    """Set the key of every tenant of `line` to its dominant share by weight; return the line."""
    for leaf in range(m[N_LEAVES]):
        if m[m[TENANT_LINE] + leaf] == line:
            used = m[m[TENANT_USE] + leaf] / m[m[TENANT_GPUS] + leaf]
            m[m[TENANT_KEY] + leaf] = whole_key(used / numbers[leaf])
            set_due(m, leaf, m[m[TENANT_GPUS] + leaf] * numbers[leaf])
    return line


POLICY = Policy(
    slug="drf",
    source="drf-nsdi-2011",
    rank=None,
    within_group="dynamic",
    preemptive=False,
    params=(),
    name={"en": "Dominant resource fairness", "zh": "主导资源公平"},
    text={
        "en": (
            "Helps tenants that hold little of the cluster: whoever has the smallest share by weight goes next. "
            "Hurts tenants that came early and hold much, and says nothing about what they used yesterday."
        ),
        "zh": "占用少的租户受益：按权重份额最小者先启动。早到而占用多的租户受害，且不考虑其过去的用量。",
    },
    share=share,
)
