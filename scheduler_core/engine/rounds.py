"""Rounds: ranks and evictions are decided at multiples of a period only (docs/model.md, 16.3 and 16.4)."""

from scheduler_core.engine.greedy import touch_all
from scheduler_core.engine.members import keep_keys
from scheduler_core.kernels.heap import drop_stale
from scheduler_core.kernels.jit import FLOATS, INT, INTS, step
from scheduler_core.kernels.state import (
    EVERY_MS,
    HAS_NEWS,
    HAS_STAYS,
    HEAP_SIZE,
    IS_CHANGED,
    IS_DECISION,
    IS_FILLING,
    IS_KEEPING,
    KEY,
    N_JOBS,
    N_WAITING,
    NEVER,
    NEXT_ROW,
    NOW,
    SHARE,
    STEP_MS,
    SUBMIT,
)
from scheduler_core.kernels.tables import Floats, Int64


@step(INT(INTS), inline=True)
def next_round(m: Int64) -> int:
    """Return the time of the next round, or step of the order, in ms; `NEVER` while neither can change anything."""
    if m[HAS_NEWS] == 0 or m[N_WAITING] == 0:
        return NEVER
    time = m[NOW] - m[NOW] % m[EVERY_MS] + m[EVERY_MS]
    return min(time, m[NOW] - m[NOW] % m[STEP_MS] + m[STEP_MS]) if m[STEP_MS] > 0 else time


@step(INT(INTS), inline=True)
def has_next_step(m: Int64) -> int:
    """Return 1 if the order changes at its next step: somebody waits, and something ran or came since the last one.

    Where quotas that came later keep all who wait from starting, the steps would go on for ever.
    """
    if m[STEP_MS] == 0 or m[N_WAITING] == 0:
        return 0
    return 1 if m[HEAP_SIZE] > 0 or m[NOW] % m[STEP_MS] != 0 else 0


@step(INT(INTS), inline=True)
def next_on_clock(m: Int64) -> int:
    """Return the time of the next round or step of the order in ms, `NEVER` if there is none."""
    if m[EVERY_MS] > 0:
        return next_round(m)
    return m[NOW] - m[NOW] % m[STEP_MS] + m[STEP_MS] if has_next_step(m) == 1 else NEVER


@step(INT(INTS, INT), inline=True)
def begin_instant(m: Int64, is_due: int) -> int:
    """Decide nothing until a round is due, and note whether anything else happens now; return 1 if so, else 0.

    Where nobody starts between rounds, causes depend on whether this is one.
    """
    m[IS_DECISION] = 0
    if m[IS_FILLING] == 0:
        m[IS_CHANGED] = 1
    is_clock = m[NOW] % m[EVERY_MS] == 0 or (m[STEP_MS] > 0 and m[NOW] % m[STEP_MS] == 0)
    is_submit = m[NEXT_ROW] < m[N_JOBS] and m[m[SUBMIT] + m[NEXT_ROW]] == m[NOW]
    if not is_clock or is_due == 1 or is_submit:
        m[HAS_NEWS] = 1
    return m[HAS_NEWS]


@step(INT(INTS), inline=True)
def begin_round(m: Int64) -> int:
    """Decide from now on, in every line, if a round is due and somebody waits; return lines due."""
    if m[NOW] % m[EVERY_MS] != 0 or m[N_WAITING] == 0:
        return 0
    m[IS_DECISION] = 1
    return touch_all(m)


@step(INT(INTS, KEY, SHARE, FLOATS), inline=True)
def end_round(m: Int64, key: object, share: object, numbers: Floats) -> int:
    """If this was a round, keep the keys of now until the next, which comes if somebody runs; return 1 or 0."""
    if m[IS_DECISION] == 1:
        if m[IS_KEEPING] == 1:
            keep_keys(m, key, share, numbers)
        if m[HAS_STAYS] == 1:
            drop_stale(m)
        m[HAS_NEWS] = 1 if m[HEAP_SIZE] > 0 else 0
    return m[HAS_NEWS]
