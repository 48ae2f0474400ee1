"""A tiny kernel that reads `m[at]` through a step, as every kernel of the engine does; planted.py loads it."""

from scheduler_core.kernels.jit import INT, INTS, kernel, step
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT))
def read(m: Int64, at: int) -> int:
    value: int = m[at]
    return value


@kernel(INT(INTS, INT))
def look(m: Int64, at: int) -> int:
    return read(m, at)
