"""Fair share: the tenant that has used least of its share, with old use fading, starts next.

Source: Slurm, Classic Fairshare and Fair Tree. Usage changes at multiples of a step only (docs/model.md,
16.9 and 16.10). Behind the settings, `numbers` holds per tenant its weight, its usage in GPU-ms, and its
level among its siblings.
"""

import numpy as np

from scheduler_core.kernels.jit import FLOAT, FLOATS, INT, INTS, kernel, step
from scheduler_core.kernels.meter import read_meter
from scheduler_core.kernels.orders import set_due, whole_key
from scheduler_core.kernels.state import (
    FAIR_SHARE,
    LAST_STEP,
    N_LEAVES,
    SCOPES,
    SHARE_SIGNATURE,
    STEP_MS,
    STEPS_TO,
    TENANT_ABOVE,
    TENANT_DEPTH,
    TENANT_KEY,
    TENANT_READ,
)
from scheduler_core.kernels.tables import DAY_MS, Floats, Int64
from scheduler_core.policies._base import Policy
from scheduler_core.registry import Param

N_SETTINGS = 3
UNUSED = 1e300
"""Level of a tenant without usage: ahead of all others."""


@step(INT(FLOATS), inline=True)
def count_tenants(numbers: Floats) -> int:
    """Return the tenants, those with others below them included."""
    return int((numbers.shape[0] - N_SETTINGS) // 3)


@step(INT(INTS, FLOATS))
def catch_up(m: Int64, numbers: Floats) -> int:
    """Let usage fade and grow at every step that came; return how many there were."""
    step_ms, n_steps = m[STEP_MS], 0
    usage = N_SETTINGS + count_tenants(numbers)
    factor = np.rint(0.5 ** (step_ms / (numbers[0] * DAY_MS)) * 1e9) / 1e9
    while m[LAST_STEP] + step_ms <= m[STEPS_TO]:
        m[LAST_STEP] += step_ms
        for leaf in range(m[N_LEAVES]):
            total = read_meter(m, leaf, m[LAST_STEP])
            held = total - m[m[TENANT_READ] + leaf]
            m[m[TENANT_READ] + leaf] = total
            numbers[usage + leaf] = numbers[usage + leaf] * factor + held
        n_steps += 1
    return n_steps


@step(FLOAT(INTS, FLOATS))
def sum_up(m: Int64, numbers: Floats) -> float:
    """Give every tenant with others below it the sum of their usage; return the sum over all."""
    n_tenants = count_tenants(numbers)
    usage, whole = N_SETTINGS + n_tenants, 0.0
    for tenant in range(m[N_LEAVES], n_tenants):
        numbers[usage + tenant] = 0.0
    for leaf in range(m[N_LEAVES]):
        whole += numbers[usage + leaf]
        above = m[m[TENANT_ABOVE] + leaf]
        while above < n_tenants:
            numbers[usage + above] += numbers[usage + leaf]
            above = m[m[TENANT_ABOVE] + above]
    return whole


@step(FLOAT(INTS, FLOATS, INT, INT))
def among_siblings(m: Int64, numbers: Floats, tenant: int, block: int) -> float:
    """Return the part of a tenant in the sum over its siblings: of weights (block 0) or usage (1); 0 if that is 0."""
    first, total = N_SETTINGS + block * count_tenants(numbers), 0.0
    for other in range(count_tenants(numbers)):
        if m[m[TENANT_ABOVE] + other] == m[m[TENANT_ABOVE] + tenant]:
            total += numbers[first + other]
    return numbers[first + tenant] / total if total > 0.0 else 0.0


@step(INT(INTS, INT, INT), inline=True)
def ancestor(m: Int64, leaf: int, depth: int) -> int:
    """Return the tenant at `depth` on the way from the root to `leaf`."""
    at = leaf
    while m[m[TENANT_DEPTH] + at] > depth:
        at = m[m[TENANT_ABOVE] + at]
    return at


@step(INT(INTS, FLOATS, INT, INT))
def is_ahead(m: Int64, numbers: Floats, leaf: int, other: int) -> int:
    """Return 1 if `leaf` comes strictly before `other`: higher levels first on the way down, shorter ways first."""
    levels = N_SETTINGS + 2 * count_tenants(numbers)
    mine, theirs = m[m[TENANT_DEPTH] + leaf], m[m[TENANT_DEPTH] + other]
    for depth in range(min(mine, theirs) + 1):
        here, there = numbers[levels + ancestor(m, leaf, depth)], numbers[levels + ancestor(m, other, depth)]
        if here != there:
            return 1 if here > there else 0
    return 1 if mine < theirs else 0


@step(INT(INTS, FLOATS))
def rank_by_tree(m: Int64, numbers: Floats) -> int:
    """Set the key of each tenant to how many come before it in the tree; return the tenants with jobs."""
    n_tenants = count_tenants(numbers)
    for tenant in range(n_tenants):
        used = among_siblings(m, numbers, tenant, 1)
        level = UNUSED
        if used > 0.0:
            level = np.rint(among_siblings(m, numbers, tenant, 0) / used * 1e9) / 1e9
        numbers[N_SETTINGS + 2 * n_tenants + tenant] = level
    for leaf in range(m[N_LEAVES]):
        ahead = 0
        for other in range(m[N_LEAVES]):
            ahead += is_ahead(m, numbers, other, leaf)
        m[m[TENANT_KEY] + leaf] = ahead
    return int(m[N_LEAVES])


@step(INT(INTS, FLOATS, FLOAT))
def rank_classically(m: Int64, numbers: Floats, whole: float) -> int:
    """Set the key of each tenant by 2^(-effective usage / share); return the tenants with jobs."""
    usage = N_SETTINGS + count_tenants(numbers)
    for leaf in range(m[N_LEAVES]):
        product, effective = 1.0, 0.0
        for depth in range(m[m[TENANT_DEPTH] + leaf] + 1):
            at = ancestor(m, leaf, depth)
            part = among_siblings(m, numbers, at, 0)
            own = numbers[usage + at] / whole if whole > 0.0 else 0.0
            effective = own if depth == 0 else own + (effective - own) * part
            product *= part
        m[m[TENANT_KEY] + leaf] = -whole_key(2.0 ** (-effective / product))
    return int(m[N_LEAVES])


@step(INT(INTS, FLOATS))
def set_dues(m: Int64, numbers: Floats) -> int:
    """Let the GPUs of each tenant with jobs be divided by its share of the whole; return how many there are."""
    for leaf in range(m[N_LEAVES]):
        product = 1.0
        for depth in range(m[m[TENANT_DEPTH] + leaf], -1, -1):
            product *= among_siblings(m, numbers, ancestor(m, leaf, depth), 0)
        set_due(m, leaf, product)
    return int(m[N_LEAVES])


@kernel(SHARE_SIGNATURE)
def share(m: Int64, numbers: Floats, line: int) -> int:
    """Bring usage up to now and, if it changed, the keys of all tenants; return the line."""
    if catch_up(m, numbers) > 0:
        whole = sum_up(m, numbers)
        if numbers[2] > 0.0:
            rank_classically(m, numbers, whole)
        else:
            rank_by_tree(m, numbers)
    if m[SCOPES] & FAIR_SHARE != 0:
        set_dues(m, numbers)
    return line


POLICY = Policy(
    slug="fair_share",
    source="slurm-fair-tree",
    rank=None,
    within_group="dynamic",
    preemptive=False,
    params=(
        Param(
            slug="half_life_d",
            default=7.0,
            low=0.0005,
            high=3_650,
            step=1,
            unit="d",
            text={
                "en": "Days after which past use counts half.",
                "zh": "过去的用量经过多少天后减半计算。",
            },
        ),
        Param(
            slug="step_min",
            default=5.0,
            low=0.05,
            high=1_440,
            step=5,
            unit="min",
            text={
                "en": "Minutes between two updates of usage and priorities.",
                "zh": "两次更新用量与优先级之间的分钟数。",
            },
        ),
        Param(
            slug="form",
            default="fair_tree",
            options=("fair_tree", "classic"),
            text={
                "en": "Fair Tree, which ranks siblings against each other on the way down, or the classic factor.",
                "zh": "Fair Tree（自上而下逐层比较同级租户），或各租户的经典公平因子。",
            },
        ),
    ),
    name={"en": "Fair share", "zh": "公平份额"},
    text={
        "en": (
            "Helps tenants that used less than their share lately, however little they run now. "
            "Hurts tenants that used much: their jobs wait until the past has faded."
        ),
        "zh": "近期用量少于份额的租户受益，不论当前运行多少。用量大的租户受害：其作业要等过去的用量逐渐淡出。",
    },
    share=share,
    step="step_min",
)
