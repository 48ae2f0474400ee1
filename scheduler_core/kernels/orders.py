"""Keys of orders that change with time: the stand-ins for orders that do not, and how keys are compared."""

import numpy as np

from scheduler_core.kernels.jit import FLOAT, INT, INTS, kernel, step
from scheduler_core.kernels.state import KEY_SIGNATURE, SHARE_SIGNATURE, TENANT_DUE
from scheduler_core.kernels.tables import Floats, Int64

LAST_KEY = 1 << 61
"""Key of whoever ranks behind everybody."""


@step(INT(FLOAT), inline=True)
def whole_key(key: float) -> int:
    """Return a key in units of 1e-9, rounded, so that two machines compare alike."""
    return int(np.rint(key * 1e9)) if abs(key) < 1e9 else (LAST_KEY if key > 0.0 else -LAST_KEY)


@step(INT(INTS, INT, FLOAT), inline=True)
def set_due(m: Int64, leaf: int, due: float) -> int:
    """Note by what the GPUs of a tenant are divided where shares are compared; return the tenant."""
    m[m[TENANT_DUE] + leaf] = np.float64(due).view(np.int64)
    return leaf


@step(INT(INTS, INT, INT), inline=True)
def share_with(m: Int64, leaf: int, gpus: int) -> int:
    """Return the share of a tenant that holds `gpus`, in units of 1e-9; without a due it is the largest."""
    due = np.int64(m[m[TENANT_DUE] + leaf]).view(np.float64)
    return whole_key(gpus / due) if due > 0.0 else LAST_KEY


@kernel(KEY_SIGNATURE)
def same_key(
    numbers: Floats,  # noqa: ARG001
    priority: float,  # noqa: ARG001
    wait_h: float,  # noqa: ARG001
    gpus: float,  # noqa: ARG001
    limit_h: float,  # noqa: ARG001
    weight: float,  # noqa: ARG001
) -> float:
    """Return the same key for every job."""
    return 0.0


@kernel(SHARE_SIGNATURE)
def same_share(m: Int64, numbers: Floats, line: int) -> int:  # noqa: ARG001
    """Leave the keys of tenants as they are; return the line."""
    return line
