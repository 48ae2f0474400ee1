"""The earliest place of a job beside running jobs and slots already given (conservative backfill)."""

from scheduler_core.engine.windows import bar, next_close, unbar
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.levels import change, choose, copy_domain, fits
from scheduler_core.kernels.state import (
    CHANGE_COUNT,
    CHANGE_DELTA,
    CHANGE_FIRST,
    CHANGE_NODE,
    CHANGE_TIME,
    DOMAIN,
    FREE,
    JOB_SLICE,
    LATER,
    LIMIT,
    LIVE,
    MARK,
    N_CHOSEN,
    N_WINDOWS,
    NEVER,
    NODE_BARRED,
    NODE_MARK,
    NOW,
    OFFERED,
    PICK,
    PLAN_COUNT,
    PLAN_END,
    PLAN_FIRST,
    PLAN_ROW,
    SHAPE,
    SHAPE_ASK,
    SHAPE_DOMAIN,
    SHAPE_DOMAINS,
    SLICE_GPUS,
    SLICE_NEXT,
    SLICE_NODE,
    VALUE,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT, INT, INT))
def release_running(m: Int64, domain: int, place: int, sign: int) -> int:
    """Change `state.offered` by the GPUs of the running job at `place` of the plan; return them."""
    piece = m[m[JOB_SLICE] + m[m[PLAN_ROW] + place]]
    gpus = 0
    while piece >= 0 and m[m[DOMAIN] + m[m[SLICE_NODE] + piece]] == domain:
        change(m, OFFERED, m[m[SLICE_NODE] + piece], sign * m[m[SLICE_GPUS] + piece])
        gpus += m[m[SLICE_GPUS] + piece]
        piece = m[m[SLICE_NEXT] + piece]
    return gpus


@step(INT(INTS, INT, INT, INT))
def lower(m: Int64, node: int, delta: int, mark: int) -> int:
    """Let the free GPUs of `node` change by `delta` inside the window; keep the fewest in `later`.

    Returns
    -------
    int
        1 if fewer are free than at any moment of the window before, else 0.
    """
    if m[N_WINDOWS] > 0 and m[m[NODE_BARRED] + node] >= 0:
        return 0  # nothing is offered there at any moment
    if m[m[NODE_MARK] + node] != mark:
        m[m[NODE_MARK] + node] = mark
        m[m[VALUE] + node] = m[m[FREE + OFFERED] + node]
    m[m[VALUE] + node] += delta
    fewest = m[m[FREE + LATER] + node]
    if m[m[VALUE] + node] < fewest:
        change(m, LATER, node, m[m[VALUE] + node] - fewest)
        return 1
    return 0


@step(INT(INTS, INT, INT, INT, INT, INT, INT))
def holds_until(m: Int64, line: int, domain: int, ask: int, running_at: int, change_at: int, finish: int) -> int:
    """Return 1 if a gang fits from the state in `offered` until `finish`, whose changes begin at the two places.

    Leaves in `later` the fewest GPUs free on each node at any moment of the window.
    """
    soonest = m[NOW] + 1
    last_running = m[m[PLAN_FIRST] + line] + m[m[PLAN_COUNT] + line]
    last_change = m[m[CHANGE_FIRST] + domain] + m[m[CHANGE_COUNT] + domain]
    copy_domain(m, OFFERED, LATER, domain)
    m[MARK] += 1
    mark = m[MARK]
    running, at = running_at, change_at
    while at < last_change and m[m[CHANGE_TIME] + at] < finish:
        # What running jobs give back before this change counts first: a slot may begin where one ends.
        while running < last_running and max(m[m[PLAN_END] + running], soonest) <= m[m[CHANGE_TIME] + at]:
            piece = m[m[JOB_SLICE] + m[m[PLAN_ROW] + running]]
            while piece >= 0 and m[m[DOMAIN] + m[m[SLICE_NODE] + piece]] == domain:
                lower(m, m[m[SLICE_NODE] + piece], m[m[SLICE_GPUS] + piece], mark)
                piece = m[m[SLICE_NEXT] + piece]
            running += 1
        time = m[m[CHANGE_TIME] + at]
        is_lower = 0
        while at < last_change and m[m[CHANGE_TIME] + at] == time:
            is_lower += lower(m, m[m[CHANGE_NODE] + at], m[m[CHANGE_DELTA] + at], mark)
            at += 1
        if is_lower > 0 and fits(m, LATER, domain, ask) == 0:
            return 0
    return 1


@step(INT(INTS, INT, INT, INT, INT, INT, INT), inline=True)
def holds_from(m: Int64, row: int, line: int, domain: int, running_at: int, change_at: int, time: int) -> int:
    """Return what `holds_until` returns for job `row` from `time` on, off the nodes from which it is barred then."""
    ask, finish = m[m[SHAPE_ASK] + m[m[SHAPE] + row]], time + m[m[LIMIT] + row]
    if m[N_WINDOWS] > 0:
        bar(m, OFFERED, row, time)
    is_place = fits(m, OFFERED, domain, ask)
    if is_place == 1:
        is_place = holds_until(m, line, domain, ask, running_at, change_at, finish)
    if m[N_WINDOWS] > 0:
        unbar(m, OFFERED)
    return is_place


@step(INT(INTS, INT, INT, INT))
def earliest(m: Int64, row: int, line: int, domain: int) -> int:
    """Return the earliest place of job `row` in `domain` in ms, leaving in `later` what it is offered."""
    now = m[NOW]
    running = m[m[PLAN_FIRST] + line]
    last_running = running + m[m[PLAN_COUNT] + line]
    at = m[m[CHANGE_FIRST] + domain]
    last_change = at + m[m[CHANGE_COUNT] + domain]
    copy_domain(m, LIVE, OFFERED, domain)
    time = now
    while time < NEVER:
        while running < last_running and max(m[m[PLAN_END] + running], now + 1) <= time:
            release_running(m, domain, running, 1)
            running += 1
        while at < last_change and m[m[CHANGE_TIME] + at] <= time:
            change(m, OFFERED, m[m[CHANGE_NODE] + at], m[m[CHANGE_DELTA] + at])
            at += 1
        if holds_from(m, row, line, domain, running, at, time) == 1:
            return time
        following = next_close(m, time)
        if running < last_running:
            following = min(following, max(m[m[PLAN_END] + running], now + 1))
        ahead = at
        while ahead < last_change and m[m[CHANGE_DELTA] + ahead] < 0:
            ahead += 1  # only an end can make room
        if ahead < last_change and m[m[CHANGE_TIME] + ahead] < following:
            following = m[m[CHANGE_TIME] + ahead]
        time = following
    return NEVER


@step(INT(INTS, PICK, PICK, INT, INT))
def find_place(m: Int64, pick_node: object, pick_rest: object, row: int, line: int) -> int:
    """Choose the earliest place of job `row` over its domains; return its start in ms.

    The nodes are left in CHOSEN_NODE and CHOSEN_GPUS, how many in N_CHOSEN.
    """
    shape = m[m[SHAPE] + row]
    best, soonest, latest = -1, NEVER, -1
    for entry in range(m[m[SHAPE_DOMAINS] + shape], m[m[SHAPE_DOMAINS] + shape + 1]):
        latest = m[m[SHAPE_DOMAIN] + entry]
        time = earliest(m, row, line, latest)
        if best < 0 or time < soonest:
            best, soonest = latest, time
    if best != latest:
        earliest(m, row, line, best)
    m[N_CHOSEN] = choose(m, LATER, pick_node, pick_rest, best, m[m[SHAPE_ASK] + shape])
    return soonest
