"""Conservative backfill: the first `depth` jobs of a line each hold a slot (start, and GPUs per node).

A slot is the earliest place at which the rule places the job for its whole planned length beside the
running jobs and the slots already given, so nobody delays anybody ahead (docs/model.md, section 6).
"""

from scheduler_core.engine.places import find_place
from scheduler_core.engine.quotas import forget_held, is_allowed
from scheduler_core.engine.running import start
from scheduler_core.engine.slots import drop_slot, give_back, hold, note_slot
from scheduler_core.engine.waiting import next_slot
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.state import (
    CHOSEN_GPUS,
    CHOSEN_NODE,
    DEPTH,
    DOMAIN,
    FREE,
    HEAD,
    HELD,
    IS_EARLY,
    IS_HOLD,
    IS_RECOMPUTED,
    JOB_SLICE,
    LINE_GROUPS,
    LIVE,
    N_CHOSEN,
    NEVER,
    NOW,
    PICK,
    PIECE_GPUS,
    PIECE_NEXT,
    PIECE_NODE,
    PLAN_COUNT,
    PLAN_END,
    PLAN_FIRST,
    PLAN_ROW,
    ROW_AT,
    SLICE_NODE,
    SLOT_PIECE,
    SLOT_START,
    WAKE,
)
from scheduler_core.kernels.tables import Int64


@step(INT(INTS, INT))
def give_back_beyond(m: Int64, line: int) -> int:
    """Take slots from jobs no longer among the first `depth`; from all of them if slots are recomputed."""
    group = m[m[LINE_GROUPS] + line]
    keep = 0 if m[IS_RECOMPUTED] == 1 else m[DEPTH]
    n_seen, n_found, n_dropped = 0, 0, 0
    n_held = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and (n_found < n_held or m[IS_HOLD] == 1):
        row = m[m[ROW_AT] + slot]
        is_over = is_allowed(m, row) == 0
        if m[m[SLOT_START] + row] >= 0:
            n_found += 1
            if n_seen >= keep or is_over:
                give_back(m, row, line)
                n_dropped += 1
        if not is_over:
            n_seen += 1
        slot = next_slot(m, group, slot + 1)
    return n_dropped


@step(INT(INTS, PICK, PICK, INT))
def move_up(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Put each slot, in rank order, back at the earliest place, never later; return how many moved.

    A job whose place is now starts at once, or loses its slot at once if it is passed over: those behind it move into
    what it leaves (docs/model.md, 6.10 c).
    """
    group = m[m[LINE_GROUPS] + line]
    n_left, n_moved = m[m[HELD] + line], 0
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            note_slot(m, row, -1)
            begin = find_place(m, pick_node, pick_rest, row, line)
            if begin <= m[m[SLOT_START] + row]:
                drop_slot(m, row, line)
                n_moved += 1
                if begin > m[NOW]:
                    hold(m, row, line, begin, m[N_CHOSEN])
                elif is_allowed(m, row) == 1:
                    start(m, row, m[N_CHOSEN])
            else:
                note_slot(m, row, 1)
        slot = next_slot(m, group, slot + 1)
    return n_moved


@step(INT(INTS, INT))
def start_due(m: Int64, line: int) -> int:
    """Start jobs whose slots are due, in rank order; return 1 if one found its GPUs taken or its time gone, else 0."""
    now = m[NOW]
    group = m[m[LINE_GROUPS] + line]
    n_left = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            if m[m[SLOT_START] + row] < now:
                return 1  # its time went by without a pass: somebody was overdue
            if m[m[SLOT_START] + row] == now:
                n_nodes = 0
                piece = m[m[SLOT_PIECE] + row]
                while piece >= 0:
                    if m[m[FREE + LIVE] + m[m[PIECE_NODE] + piece]] < m[m[PIECE_GPUS] + piece]:
                        return 1
                    m[m[CHOSEN_NODE] + n_nodes] = m[m[PIECE_NODE] + piece]
                    m[m[CHOSEN_GPUS] + n_nodes] = m[m[PIECE_GPUS] + piece]
                    n_nodes += 1
                    piece = m[m[PIECE_NEXT] + piece]
                give_back(m, row, line)
                if is_allowed(m, row) == 1:
                    start(m, row, n_nodes)
        slot = next_slot(m, group, slot + 1)
    return 0


@step(INT(INTS, PICK, PICK, INT))
def give_slots(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Give slots in rank order until `depth` waiting jobs hold one; start those whose slot is now."""
    now = m[NOW]
    group = m[m[LINE_GROUPS] + line]
    n_started = 0
    slot = m[m[HEAD] + group]
    while slot >= 0 and m[m[HELD] + line] < m[DEPTH]:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] < 0 and is_allowed(m, row) == 1:
            begin = find_place(m, pick_node, pick_rest, row, line)
            if begin == now:
                start(m, row, m[N_CHOSEN])
                n_started += 1
            else:
                hold(m, row, line, begin, m[N_CHOSEN])
        slot = next_slot(m, group, slot + 1)
    return n_started


@step(INT(INTS, INT, INT))
def is_overdue(m: Int64, line: int, domain: int) -> int:
    """Return 1 if a job of `domain` still runs past its planned end, else 0."""
    now = m[NOW]
    for at in range(m[m[PLAN_FIRST] + line], m[m[PLAN_FIRST] + line] + m[m[PLAN_COUNT] + line]):
        if m[m[PLAN_END] + at] > now:
            return 0
        piece = m[m[JOB_SLICE] + m[m[PLAN_ROW] + at]]
        if m[m[DOMAIN] + m[m[SLICE_NODE] + piece]] == domain:
            return 1
    return 0


@step(INT(INTS, INT))
def next_start(m: Int64, line: int) -> int:
    """Return the next start of a slot of `line` that deserves a tick in ms, `NEVER` if there is none."""
    now = m[NOW]
    if m[m[HELD] + line] == 0:
        return NEVER
    if m[m[WAKE] + line] > now + 1:
        return m[m[WAKE] + line]
    group = m[m[LINE_GROUPS] + line]
    soonest = NEVER
    n_left = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        begin = m[m[SLOT_START] + row]
        if begin >= 0:
            n_left -= 1
            if now < begin < soonest:
                domain = m[m[DOMAIN] + m[m[PIECE_NODE] + m[m[SLOT_PIECE] + row]]]
                if begin > now + 1 or is_overdue(m, line, domain) == 0:
                    soonest = begin
        slot = next_slot(m, group, slot + 1)
    return soonest


@step(INT(INTS, INT))
def has_start_now(m: Int64, line: int) -> int:
    """Return 1 if a slot of `line` starts now, else 0."""
    if m[m[HELD] + line] == 0 or m[m[WAKE] + line] > m[NOW]:
        return 0
    group = m[m[LINE_GROUPS] + line]
    n_left = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            if m[m[SLOT_START] + row] == m[NOW]:
                return 1
        slot = next_slot(m, group, slot + 1)
    return 0


@step(INT(INTS, INT))
def give_all_back(m: Int64, line: int) -> int:
    """Take the slots of a line away; return how many there were."""
    group = m[m[LINE_GROUPS] + line]
    n_held = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and m[m[HELD] + line] > 0:
        if m[m[SLOT_START] + m[m[ROW_AT] + slot]] >= 0:
            give_back(m, m[m[ROW_AT] + slot], line)
        slot = next_slot(m, group, slot + 1)
    return n_held


@step(INT(INTS, INT))
def note_first_start(m: Int64, line: int) -> int:
    """Note the first start among the slots of a line, for the next tick; return it."""
    group = m[m[LINE_GROUPS] + line]
    soonest = NEVER
    n_left = m[m[HELD] + line]
    slot = m[m[HEAD] + group]
    while slot >= 0 and n_left > 0:
        row = m[m[ROW_AT] + slot]
        if m[m[SLOT_START] + row] >= 0:
            n_left -= 1
            soonest = min(soonest, m[m[SLOT_START] + row])
        slot = next_slot(m, group, slot + 1)
    m[m[WAKE] + line] = soonest
    return soonest


@step(INT(INTS, PICK, PICK, INT))
def conservative_pass(m: Int64, pick_node: object, pick_rest: object, line: int) -> int:
    """Give back, start what is due, move up, give new slots, in this order; return slots held."""
    forget_held(m, line)
    give_back_beyond(m, line)
    if start_due(m, line) == 1:
        give_all_back(m, line)
    if m[m[IS_EARLY] + line] == 1 and m[IS_RECOMPUTED] == 0:
        move_up(m, pick_node, pick_rest, line)
    m[m[IS_EARLY] + line] = 0
    give_slots(m, pick_node, pick_rest, line)
    note_first_start(m, line)
    return m[m[HELD] + line]
