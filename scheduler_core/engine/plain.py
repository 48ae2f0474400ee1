"""Which runs the fast copy of the event loop may take: everything it leaves out is off (docs/benchmarks.md)."""

from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    BY_RANK,
    COLLECT_MS,
    EVERY_MS,
    HAS_PARTS,
    HAS_STAYS,
    IS_BY_MEMBER,
    IS_FILLING,
    IS_HOLD,
    IS_KEEPING,
    IS_MOVING,
    IS_QUOTA,
    IS_TURN_BASED,
    N_LEAVES,
    N_SHARES,
    N_WINDOWS,
    OFFER_MS,
    ORDER_KIND,
    PROMOTE_MILLI,
    SCOPES,
    STEP_MS,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS), inline=True)
def is_plain(m: Int64) -> int:
    """Return 1 if no job may leave and come back, only a number of GPUs is asked, and ranks never change, else 0."""
    if m[HAS_STAYS] != 0 or m[SCOPES] != 0 or m[N_LEAVES] != 0 or m[N_SHARES] != 0 or m[IS_QUOTA] != 0:
        return 0
    if m[IS_MOVING] != 0 or m[IS_TURN_BASED] != 0 or m[IS_HOLD] != 0 or m[ORDER_KIND] != BY_RANK or m[STEP_MS] != 0:
        return 0
    if m[EVERY_MS] != 0 or m[IS_FILLING] != 1 or m[IS_KEEPING] != 0 or m[IS_BY_MEMBER] != 0 or m[PROMOTE_MILLI] != 0:
        return 0
    if m[COLLECT_MS] != 0 or m[OFFER_MS] != 0:
        return 0
    if m[N_WINDOWS] != 0:
        return 0
    return 1 if m[HAS_PARTS] == 0 else 0
