"""The event loop: it exists once.

Arrivals are a sorted column and a pointer; the heap holds only finishes. All events of an instant are
applied, then one pass is made for every line that an event touched, then causes are brought up to
date. Lines share no GPUs, so the order of their passes does not matter.
"""

from scheduler_core.engine.causes import begin_wait, end_wait, explain, is_counting
from scheduler_core.engine.collecting import collecting_pass
from scheduler_core.engine.conservative import conservative_pass, has_start_now, next_start
from scheduler_core.engine.easy import easy_pass
from scheduler_core.engine.elastic import is_withheld, judge
from scheduler_core.engine.greedy import enter, greedy_pass, open_pass, touch_all, touch_others, try_newcomer
from scheduler_core.engine.leaving import depart
from scheduler_core.engine.members_held import close_gang, end_of_wait, tick_of_gangs
from scheduler_core.engine.pins import end_of_pins, unpin
from scheduler_core.engine.plain import is_plain
from scheduler_core.engine.promotion import promote
from scheduler_core.engine.rounds import begin_instant, begin_round, end_round, next_on_clock
from scheduler_core.engine.running import PENDING, RUNNING, UNSCHEDULABLE, end, free, free_at_limit
from scheduler_core.engine.windows import next_close
from scheduler_core.engine.work import work_saved
from scheduler_core.kernels.heap import IS_LEAVING, drop_stale, pop, row_in_heap
from scheduler_core.kernels.jit import FLOATS, INT, INTS, kernel, step
from scheduler_core.kernels.state import (
    ALL,
    BACK_FIRST,
    BACK_NEXT,
    BEFORE,
    BEST_EFFORT,
    COLLECT_MS,
    CONSERVATIVE,
    DIRECT,
    DISCIPLINE,
    DONE,
    EASY,
    END_MS,
    EVENTS,
    EVERY_MS,
    FREED,
    FULL,
    HAS_STAYS,
    HEAP_SIZE,
    HEAP_TIME,
    IS_BACK,
    IS_DECISION,
    IS_DONE,
    IS_DUE,
    IS_FILLING,
    IS_FULL,
    IS_PASS_PER_EVENT,
    IS_RESUMED,
    IS_SUBMIT_FIRST,
    JOB_STATE,
    KEEPS,
    KEY,
    LEFT,
    MORE,
    MOST_EVICTIONS,
    MOST_IDLE,
    N_EVICTIONS,
    N_IDLE,
    N_JOBS,
    N_LINES,
    N_WAITING,
    N_WINDOWS,
    NEVER,
    NEWCOMER,
    NEXT_ROW,
    NOT_DIRECT,
    NOT_PLAIN,
    NOW,
    OFFER_MS,
    PICK,
    PINNED_FIRST,
    PROMOTE_MILLI,
    REQUEUE_WAIT,
    SEQUENCE_OF,
    SHARE,
    START,
    STEP_MS,
    STEPS_TO,
    SUBMIT,
)
from scheduler_core.kernels.tables import Floats, Int64


@step(INT(INTS), inline=True)
def is_due(m: Int64) -> int:
    """Return 1 if a job finishes or departs now, else 0."""
    if m[HAS_STAYS] == 1:
        drop_stale(m)
    return 1 if m[HEAP_SIZE] > 0 and m[m[HEAP_TIME] + 0] == m[NOW] else 0


@step(INT(INTS), inline=True)
def has_due(m: Int64) -> int:
    """Return 1 if a job finishes or departs now, or pins end, else 0."""
    if m[HAS_STAYS] == 1 and m[PINNED_FIRST] >= 0 and end_of_pins(m) == m[NOW]:
        return 1
    return is_due(m)


@step(INT(INTS, INT), inline=True)
def apply_finishes(m: Int64, most: int) -> int:
    """Apply up to `most` of the finishes and departures that are due now, in order of start; return how many."""
    n_ended = 0
    while n_ended < most and is_due(m) == 1:
        row = row_in_heap(m, 0)
        m[HEAP_SIZE] = pop(m, m[HEAP_SIZE])
        if m[HAS_STAYS] == 1 and m[m[SEQUENCE_OF] + row] >= IS_LEAVING:
            depart(m, row)
        else:
            end(m, row)
            m[m[IS_DUE] + free(m, row)] = FREED
        touch_others(m)
        m[EVENTS] += 1
        n_ended += 1
    return n_ended


@step(INT(INTS, INT), inline=True)
def is_newcomer(m: Int64, row: int) -> int:
    """Return 1 if job `row`, submitted now, may be tried before it stands in line: it comes alone; else 0."""
    if m[DIRECT] == NOT_DIRECT or row != m[NEXT_ROW]:
        return 0
    return 1 if row + 1 == m[N_JOBS] or m[m[SUBMIT] + row + 1] > m[NOW] else 0


@step(INT(INTS, INT), inline=True)
def apply_submissions(m: Int64, most: int) -> int:
    """Put up to `most` of the jobs submitted now into their lines; return how many."""
    row = m[NEXT_ROW]
    last = min(m[N_JOBS], row + most)
    while row < last and m[m[SUBMIT] + row] == m[NOW]:
        if m[m[JOB_STATE] + row] != UNSCHEDULABLE and (m[OFFER_MS] == 0 or is_withheld(m, row) == 0):
            m[EVENTS] += 1
            if is_newcomer(m, row) == 1:
                m[NEWCOMER] = row
            else:
                enter(m, row)
        row += 1
    n_submitted = row - m[NEXT_ROW]
    m[NEXT_ROW] = row
    return n_submitted


@step(INT(INTS, INT), inline=True)
def apply_events(m: Int64, most: int) -> int:
    """Apply up to `most` events of the present instant in the order of `run.ties`; return how many."""
    if m[IS_SUBMIT_FIRST] == 1:
        n_applied = apply_submissions(m, most)
        return n_applied + apply_finishes(m, most - n_applied)
    n_applied = apply_finishes(m, most)
    return n_applied + apply_submissions(m, most - n_applied)


@step(INT(INTS), inline=True)
def next_time(m: Int64) -> int:
    """Return the time of the next event in ms, `NEVER` if there is none."""
    if m[IS_RESUMED] == 1:
        m[IS_RESUMED] = 0
        return m[NOW]
    time = NEVER
    if m[NEXT_ROW] < m[N_JOBS]:
        time = m[m[SUBMIT] + m[NEXT_ROW]]
    if m[HAS_STAYS] == 1:
        drop_stale(m)
        time = min(time, end_of_wait(m))
    if m[HEAP_SIZE] > 0 and m[m[HEAP_TIME] + 0] < time:
        time = m[m[HEAP_TIME] + 0]
    if m[DISCIPLINE] == CONSERVATIVE:
        for line in range(m[N_LINES]):
            time = min(time, next_start(m, line))
    if m[N_WINDOWS] > 0 and m[N_WAITING] > 0:
        time = min(time, next_close(m, m[NOW]))
    if m[EVERY_MS] != 0 or m[STEP_MS] != 0:
        time = min(time, next_on_clock(m))
    return time


@step(INT(INTS, INT))
def close_books(m: Int64, end_ms: int) -> int:
    """Book the waits of jobs that still wait at the end of the run; return how many wait."""
    n_waiting = 0
    for row in range(m[NEXT_ROW]):
        if m[m[JOB_STATE] + row] == PENDING:
            is_in_line = close_gang(m, row) if m[COLLECT_MS] > 0 else 1
            if is_in_line == 1:
                end_wait(m, row, end_ms)
            n_waiting += 1
            if m[HAS_STAYS] == 1 and m[m[START] + row] >= 0:
                m[m[REQUEUE_WAIT] + row] += end_ms - m[m[LEFT] + row]
        elif m[HAS_STAYS] == 1 and m[m[JOB_STATE] + row] == RUNNING and m[m[SEQUENCE_OF] + row] < IS_LEAVING:
            m[m[KEEPS] + row] = m[m[BEFORE] + row] + work_saved(m, row, end_ms)
    return n_waiting


@step(INT(INTS), inline=True)
def tick_of_windows(m: Int64) -> int:
    """Make every line due if a window closes now; return how many."""
    return touch_all(m) if next_close(m, m[NOW] - 1) == m[NOW] else 0


@step(INT(INTS), inline=True)
def tick_of_slots(m: Int64) -> int:
    """Make every line due that has a slot starting now; return how many."""
    n_due = 0
    for line in range(m[N_LINES]):
        if has_start_now(m, line) == 1:
            m[m[IS_DUE] + line] = FREED
            touch_others(m)
            n_due += 1
    return n_due


@step(INT(INTS), inline=True)
def tick(m: Int64) -> int:
    """Make every line due that has a slot starting now, a round, or whose order changes now; return how many."""
    n_due = tick_of_slots(m) if m[DISCIPLINE] == CONSERVATIVE else 0
    if m[N_WINDOWS] > 0:
        n_due += tick_of_windows(m)
    while m[HAS_STAYS] == 1 and m[PINNED_FIRST] >= 0 and end_of_pins(m) == m[NOW]:
        m[m[IS_DUE] + unpin(m, m[PINNED_FIRST])] = FREED
        touch_others(m)
        n_due += 1
    if m[COLLECT_MS] > 0:
        n_due += tick_of_gangs(m)
    if m[EVERY_MS] > 0:
        n_due += begin_round(m)
    if m[PROMOTE_MILLI] > 0 and m[IS_DECISION] == 1:
        promote(m)
    if m[STEP_MS] > 0 and m[NOW] % m[STEP_MS] == 0:
        m[STEPS_TO] = m[NOW]
        n_due = touch_all(m)
    return n_due


@step(INT(INTS, INT), inline=True)
def close_instant(m: Int64, first_new: int) -> int:
    """Let new jobs that did not start begin to wait, and explain every wait; return shapes waiting."""
    now = m[NOW]
    for row in range(first_new, m[NEXT_ROW]):
        if m[m[JOB_STATE] + row] == PENDING and is_counting(m, row, now) == 0:
            begin_wait(m, row, now)
    while m[HAS_STAYS] == 1 and m[BACK_FIRST] >= 0:
        row = m[BACK_FIRST]
        if m[m[JOB_STATE] + row] == PENDING and is_counting(m, row, now) == 0:
            begin_wait(m, row, now)
        m[m[IS_BACK] + row] = 0
        m[BACK_FIRST] = m[m[BACK_NEXT] + row]
    return explain(m, now)


@step(INT(INTS), inline=True)
def is_any_due(m: Int64) -> int:
    """Return 1 if a line is due: a decision in one makes all of them due where quotas are tested."""
    if m[HAS_STAYS] == 1:
        for line in range(m[N_LINES]):
            if m[m[IS_DUE] + line] > 0:
                return 1
    return 0


@step(INT(INTS, PICK, PICK, KEY, SHARE, FLOATS), inline=True)
def make_passes(m: Int64, pick_node: object, pick_rest: object, key: object, share: object, numbers: Floats) -> int:
    """Let the discipline decide for every line that is due; return how many were."""
    n_due, line = 0, 0
    if m[NEWCOMER] >= 0:
        try_newcomer(m, pick_node, pick_rest)
    while line < m[N_LINES]:
        touch = m[m[IS_DUE] + line]
        while touch > 0:
            m[m[IS_DUE] + line] = 0
            n_due += 1
            if m[IS_FILLING] == 0 and m[IS_DECISION] == 0:
                open_pass(m, pick_node, pick_rest, line)  # between rounds nobody starts but for pinned jobs
            elif m[COLLECT_MS] > 0:
                collecting_pass(m, pick_node, pick_rest, key, share, numbers, line)
            elif m[DISCIPLINE] <= BEST_EFFORT:
                greedy_pass(m, pick_node, pick_rest, key, share, numbers, line, touch)
            elif m[DISCIPLINE] == EASY:
                easy_pass(m, pick_node, pick_rest, line)
            else:
                conservative_pass(m, pick_node, pick_rest, line)
            touch = m[m[IS_DUE] + line]  # a start or a decision may ask for one more pass
        line += 1
        if line == m[N_LINES] and is_any_due(m) == 1:
            line = 0
    return n_due


@step(INT(INTS, PICK, PICK, KEY, SHARE, FLOATS), inline=True)
def apply_instant(m: Int64, pick_node: object, pick_rest: object, key: object, share: object, numbers: Floats) -> int:
    """Apply every event of the present instant with the passes that follow; return rounds needed.

    A job of no length that starts in a pass ends in one more round at the same time.
    """
    most = 1 if m[IS_PASS_PER_EVENT] == 1 else ALL
    n_rounds = 0
    is_open = True
    while is_open:
        if m[IS_SUBMIT_FIRST] == 1 or m[DISCIPLINE] == CONSERVATIVE:
            free_at_limit(m)
        n_applied = apply_events(m, most)
        while most == 1 and n_applied > 0:
            make_passes(m, pick_node, pick_rest, key, share, numbers)
            n_applied = apply_events(m, most)
        tick(m)
        make_passes(m, pick_node, pick_rest, key, share, numbers)
        n_rounds += 1
        is_open = is_due(m) == 1
    return n_rounds


@step(INT(INTS), inline=True)
def has_half_full_log(m: Int64) -> int:
    """Return 1 if a log that grows between calls is more than half full, else 0."""
    if m[COLLECT_MS] > 0 and m[N_IDLE] > m[MOST_IDLE] // 2:
        return 1
    return 1 if m[N_EVICTIONS] > m[MOST_EVICTIONS] // 2 else 0


@step(INT(INTS, PICK, PICK, KEY, SHARE, FLOATS, INT), inline=True)
def run_on(
    m: Int64, pick_node: object, pick_rest: object, key: object, share: object, numbers: Floats, max_events: int
) -> int:
    """Run until the end, or until `max_events` more events have been applied; return the status."""
    budget = m[EVENTS] + max_events
    while m[IS_DONE] == 0:
        if m[IS_FULL] == 1:
            return FULL
        if m[EVENTS] >= budget or has_half_full_log(m) == 1:
            return MORE
        time = next_time(m)
        if time >= m[END_MS]:
            m[NOW] = m[END_MS] if m[END_MS] < NEVER else m[NOW]
            close_books(m, m[NOW])
            m[IS_DONE] = 1
        else:
            m[NOW] = time
            first_new = m[NEXT_ROW]
            if m[OFFER_MS] > 0 and time % m[OFFER_MS] == 0:
                judge(m)
            if m[STEP_MS] > 0:
                m[STEPS_TO] = time - 1  # a step of this instant comes last in it
                share(m, numbers, 0)  # type: ignore[operator]  # what was held until now, before it changes
            if m[EVERY_MS] > 0:
                begin_instant(m, has_due(m))
            apply_instant(m, pick_node, pick_rest, key, share, numbers)
            close_instant(m, first_new)
            if m[EVERY_MS] > 0:
                end_round(m, key, share, numbers)
    return DONE


@kernel(INT(INTS, PICK, PICK, KEY, SHARE, FLOATS, INT))
def advance_plain(
    m: Int64, pick_node: object, pick_rest: object, key: object, share: object, numbers: Floats, max_events: int
) -> int:
    """Do what `advance` does where everything that `is_plain` asks for is off, else nothing; return `NOT_PLAIN`.

    The loop exists once in the source and twice in the machine code: here whatever asks whether such a thing is on is
    left out, because the answers are known. It is a kernel of its own, so that what is added to the other copy cannot
    slow this one down.
    """
    if is_plain(m) == 0:
        return NOT_PLAIN
    return run_on(m, pick_node, pick_rest, key, share, numbers, max_events)


@kernel(INT(INTS, PICK, PICK, KEY, SHARE, FLOATS, INT))
def advance(
    m: Int64, pick_node: object, pick_rest: object, key: object, share: object, numbers: Floats, max_events: int
) -> int:
    """Run until the end, or until `max_events` more events have been applied.

    Returns
    -------
    int
        `DONE`; `MORE`: call again; `FULL`: no room for another eviction.
    """
    return run_on(m, pick_node, pick_rest, key, share, numbers, max_events)
