"""May it start at all? Quotas of tenants and reserved shares: integers, asked before any placement.

Tenants form a tree whose root is the last of them. A tenant knows the GPUs it uses and what it wants of the
tenant above: its use for a leaf, else what its children use or keep (docs/model.md, 13.4 and 14.3).
"""

from scheduler_core.kernels.jit import INT, INTS, kernel, step
from scheduler_core.kernels.levels import free_in
from scheduler_core.kernels.meter import read_meter
from scheduler_core.kernels.state import (
    CONSERVATIVE,
    DISCIPLINE,
    IS_CHANGED,
    IS_HOLD,
    IS_QUOTA,
    LINE_DOMAINS,
    LIVE,
    N_LEAVES,
    N_LINES,
    N_SHARES,
    NOW,
    RANK,
    SHAPE,
    SHAPE_GPUS,
    SHAPE_LEAF,
    SHAPE_LINE,
    SHAPE_SHARES,
    SHARE_GPUS,
    SHARE_USE,
    SHARE_WAITING,
    TENANT_ABOVE,
    TENANT_BORROW,
    TENANT_CAP,
    TENANT_HELD,
    TENANT_KEEP,
    TENANT_LINE,
    TENANT_NOMINAL,
    TENANT_QUEUED,
    TENANT_USE,
    TENANT_WANT,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT), inline=True)
def passes_quota(m: Int64, leaf: int, gpus: int) -> int:
    """Return 1 if a job of `gpus` of tenant `leaf` passes its quota test now, else 0."""
    at = leaf
    while at >= 0:
        if m[m[TENANT_USE] + at] + gpus > m[m[TENANT_CAP] + at]:
            return 0
        at = m[m[TENANT_ABOVE] + at]
    at, added = leaf, gpus
    while at >= 0:
        before = m[m[TENANT_WANT] + at]
        borrowed = before + added - m[m[TENANT_NOMINAL] + at]
        if borrowed <= 0:
            return 1
        if borrowed > m[m[TENANT_BORROW] + at]:
            return 0
        keep = m[m[TENANT_KEEP] + at]
        added = max(before + added, keep) - max(before, keep)
        at = m[m[TENANT_ABOVE] + at]
    return 0


@kernel(INT(INTS, INT, INT))
def may_pass(m: Int64, leaf: int, gpus: int) -> int:
    """Return what `passes_quota` returns; the entry for Python."""
    return passes_quota(m, leaf, gpus)


@step(INT(INTS, INT, INT), inline=True)
def charge(m: Int64, leaf: int, gpus: int) -> int:
    """Count `gpus` more (negative: fewer) for tenant `leaf` and those above it; return what the root wants more."""
    read_meter(m, leaf, m[NOW])
    at, added = leaf, gpus
    while at >= 0:
        m[m[TENANT_USE] + at] += gpus
        before = m[m[TENANT_WANT] + at]
        m[m[TENANT_WANT] + at] = before + added
        keep = m[m[TENANT_KEEP] + at]
        added = max(before + added, keep) - max(before, keep)
        at = m[m[TENANT_ABOVE] + at]
    return added


@step(INT(INTS, INT, INT), inline=True)
def leaves_shares(m: Int64, which: int, shape: int) -> int:
    """Return what `passes_shares` returns, with table `which` of free GPUs."""
    line, own, n_lines = m[m[SHAPE_LINE] + shape], m[m[SHAPE_SHARES] + shape], m[N_LINES]
    kept = 0
    for share in range(m[N_SHARES]):
        at = share * n_lines + line
        if (own >> share) & 1 == 0 and m[m[SHARE_WAITING] + at] > 0:
            kept += max(m[m[SHARE_GPUS] + at] - m[m[SHARE_USE] + at], 0)
    if kept == 0:
        return 1  # nothing is kept, so that a job too large for what is free is blocked, not passed over
    left = -m[m[SHAPE_GPUS] + shape]
    for domain in range(m[m[LINE_DOMAINS] + line], m[m[LINE_DOMAINS] + line + 1]):
        left += free_in(m, which, domain)
    return 1 if left >= kept else 0


@step(INT(INTS, INT), inline=True)
def passes_shares(m: Int64, shape: int) -> int:
    """Return 1 if a job of `shape` leaves free what is reserved for bands that wait, else 0."""
    return leaves_shares(m, LIVE, shape)


@step(INT(INTS, INT), inline=True)
def has_quota(m: Int64, shape: int) -> int:
    """Return 1 if a job of `shape` passes its quota test now, or if no quota is tested, else 0."""
    if m[IS_QUOTA] == 0:
        return 1
    return passes_quota(m, m[m[SHAPE_LEAF] + shape], m[m[SHAPE_GPUS] + shape])


@step(INT(INTS, INT), inline=True)
def has_holder(m: Int64, shape: int) -> int:
    """Return 1 if a job of the same tenant was stopped by its quota in this pass and holds up others, else 0."""
    return 1 if m[IS_HOLD] == 1 and m[m[TENANT_HELD] + m[m[SHAPE_LEAF] + shape]] >= 0 else 0


@step(INT(INTS, INT), inline=True)
def is_held(m: Int64, row: int) -> int:
    """Return 1 if job `row` stands behind one of its tenant that was stopped by its quota in this pass, else 0.

    Elsewhere whoever is asked later stands behind; conservative goes through its line several times in a pass.
    """
    if m[IS_HOLD] == 0:
        return 0
    holder = m[m[TENANT_HELD] + m[m[SHAPE_LEAF] + m[m[SHAPE] + row]]]
    return 1 if holder >= 0 and (m[DISCIPLINE] < CONSERVATIVE or m[m[RANK] + holder] < m[m[RANK] + row]) else 0


@step(INT(INTS, INT), inline=True)
def may_start(m: Int64, row: int) -> int:
    """Return 1 if job `row`, whose turn has come, may start wherever it fits; 0 if it is passed over."""
    shape = m[m[SHAPE] + row]
    if is_held(m, row) == 1 or has_quota(m, shape) == 0:
        return 0
    return passes_shares(m, shape) if m[N_SHARES] > 0 else 1


@step(INT(INTS, INT), inline=True)
def note_holder(m: Int64, row: int) -> int:
    """Let job `row` hold up its tenant if its own quota alone stopped it; return its shape."""
    shape = m[m[SHAPE] + row]
    if m[IS_HOLD] == 1 and has_holder(m, shape) == 0 and has_quota(m, shape) == 0:
        m[m[TENANT_HELD] + m[m[SHAPE_LEAF] + shape]] = row
    return shape


@step(INT(INTS, INT), inline=True)
def is_allowed(m: Int64, row: int) -> int:
    """Return what `may_start` returns; a job stopped by its quota holds up its tenant from then on."""
    if may_start(m, row) == 1:
        return 1
    note_holder(m, row)
    return 0


@step(INT(INTS, INT), inline=True)
def forget_held(m: Int64, line: int) -> int:
    """Let nobody of `line` hold up its tenant, as a pass begins; return the line."""
    if m[IS_HOLD] == 1:
        m[IS_CHANGED] = 1  # who holds up the others may change though nothing was started or freed
        for leaf in range(m[N_LEAVES]):
            if m[m[TENANT_LINE] + leaf] == line:
                m[m[TENANT_HELD] + leaf] = -1
    return line


@step(INT(INTS, INT, INT), inline=True)
def count_bands(m: Int64, shape: int, change: int) -> int:
    """Note that `change` more jobs of `shape` wait in its bands; return those bands as bits."""
    shares = m[m[SHAPE_SHARES] + shape]
    if shares != 0:
        for share in range(m[N_SHARES]):
            if (shares >> share) & 1 == 1:
                m[m[SHARE_WAITING] + share * m[N_LINES] + m[m[SHAPE_LINE] + shape]] += change
    return shares


@step(INT(INTS, INT, INT), inline=True)
def count_waiting(m: Int64, shape: int, change: int) -> int:
    """Note that `change` more jobs of `shape` wait, for its tenant and its bands; return those bands as bits."""
    if m[N_LEAVES] > 0:
        m[m[TENANT_QUEUED] + m[m[SHAPE_LEAF] + shape]] += change * m[m[SHAPE_GPUS] + shape]
    return count_bands(m, shape, change)


@step(INT(INTS, INT, INT), inline=True)
def count_use(m: Int64, shape: int, sign: int) -> int:
    """Note that a job of `shape` takes its GPUs (1) or gives them back (-1); return its bands as bits."""
    gpus, shares = sign * m[m[SHAPE_GPUS] + shape], 0
    if m[N_LEAVES] > 0:
        charge(m, m[m[SHAPE_LEAF] + shape], gpus)
    if m[N_SHARES] > 0:
        shares = m[m[SHAPE_SHARES] + shape]
        for share in range(m[N_SHARES]):
            if (shares >> share) & 1 == 1:
                m[m[SHARE_USE] + share * m[N_LINES] + m[m[SHAPE_LINE] + shape]] += gpus
    return shares
