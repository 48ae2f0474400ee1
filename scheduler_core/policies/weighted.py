"""Weighted proportion: the tenant that has least of what it deserves, by water-filling, starts next.

Source: the proportion plugin of Volcano; deserved shares by weighted max-min (docs/model.md, 16.12).
"""

from scheduler_core.kernels.jit import FLOATS, INT, INTS, kernel, step
from scheduler_core.kernels.orders import LAST_KEY, set_due, whole_key
from scheduler_core.kernels.state import (
    N_LEAVES,
    SHARE_SIGNATURE,
    TENANT_CAP,
    TENANT_GPUS,
    TENANT_GUARANTEE,
    TENANT_KEY,
    TENANT_LINE,
    TENANT_QUEUED,
    TENANT_USE,
)
from scheduler_core.kernels.tables import Floats, Int64
from scheduler_core.policies._base import Policy

CLOSE = 1e-9
"""GPUs that are left when nothing is left, in floating point."""


@step(INT(INTS, FLOATS, INT, INT))
def fill(m: Int64, numbers: Floats, line: int, n_tenants: int) -> int:
    """Write what each tenant of `line` deserves, in GPUs, behind the weights; return the rounds it took.

    A tenant that asks for nothing deserves nothing; one that is met has a negative sign meanwhile.
    """
    left = 0.0
    for leaf in range(m[N_LEAVES]):
        if m[m[TENANT_LINE] + leaf] == line:
            numbers[n_tenants + leaf] = 0.0
            left = float(m[m[TENANT_GPUS] + leaf])
    n_rounds, is_given = 0, 1
    while left > CLOSE and is_given == 1:
        weights = 0.0
        for leaf in range(m[N_LEAVES]):
            if m[m[TENANT_LINE] + leaf] == line and is_unmet(m, numbers, leaf, n_tenants) == 1:
                weights += numbers[leaf]
        is_given, offered = 0, left
        for leaf in range(m[N_LEAVES]):
            if m[m[TENANT_LINE] + leaf] == line and is_unmet(m, numbers, leaf, n_tenants) == 1:
                before = numbers[n_tenants + leaf]
                request = float(m[m[TENANT_USE] + leaf] + m[m[TENANT_QUEUED] + leaf])
                most = min(before + offered * numbers[leaf] / weights, request, float(m[m[TENANT_CAP] + leaf]))
                after = max(most, float(m[m[TENANT_GUARANTEE] + leaf]))
                if after > before:
                    numbers[n_tenants + leaf] = after
                    left -= after - before
                    is_given = 1
        n_rounds += 1
    return n_rounds


@step(INT(INTS, FLOATS, INT, INT), inline=True)
def is_unmet(m: Int64, numbers: Floats, leaf: int, n_tenants: int) -> int:
    """Return 1 if a tenant asks for more than it was given so far and may have more, else 0."""
    request = m[m[TENANT_USE] + leaf] + m[m[TENANT_QUEUED] + leaf]
    most = float(min(request, m[m[TENANT_CAP] + leaf]))
    return 1 if numbers[n_tenants + leaf] < most else 0


@kernel(SHARE_SIGNATURE)
def share(m: Int64, numbers: Floats, line: int) -> int:
    """Set the key of every tenant of `line` to its use by what it deserves; return the line."""
    n_tenants = numbers.shape[0] // 3
    fill(m, numbers, line, n_tenants)
    for leaf in range(m[N_LEAVES]):
        if m[m[TENANT_LINE] + leaf] == line:
            deserved = numbers[n_tenants + leaf]
            used = float(m[m[TENANT_USE] + leaf])
            set_due(m, leaf, deserved)
            m[m[TENANT_KEY] + leaf] = whole_key(used / deserved) if deserved > 0.0 else LAST_KEY
    return line


POLICY = Policy(
    slug="weighted",
    source="volcano-proportion",
    rank=None,
    within_group="dynamic",
    preemptive=False,
    params=(),
    name={"en": "Weighted proportion", "zh": "加权比例"},
    text={
        "en": (
            "Helps tenants that have less than they deserve by weight; what some do not need goes to the others. "
            "Hurts tenants that were ahead of their share, whose next jobs wait until the rest has caught up."
        ),
        "zh": "所得低于权重应得的租户受益，用不完的份额分给他人。超出份额的租户受害，其后续作业要等他人赶上。",
    },
    share=share,
)
