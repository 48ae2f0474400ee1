"""GPU-time that the jobs of a tenant have held."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import TENANT_METER, TENANT_PINNED, TENANT_SINCE, TENANT_USE
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT), inline=True)
def read_meter(m: Int64, leaf: int, now: int) -> int:
    """Bring the meter of tenant `leaf` up to `now`; return the GPU-ms its jobs have held, pins left out."""
    meter, since = m[TENANT_METER] + leaf, m[TENANT_SINCE] + leaf
    m[meter] += (m[m[TENANT_USE] + leaf] - m[m[TENANT_PINNED] + leaf]) * (now - m[since])
    m[since] = now
    return m[meter]
