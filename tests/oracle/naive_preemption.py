"""Who may evict whom, what is pinned and what is lost (section 15 of docs/model.md)."""

from tests.oracle.naive_input import NaivePreemption
from tests.oracle.naive_orders import SHARE_ORDERS, dominant_share, is_preemptive, norm, rank, rounded, tenant_key
from tests.oracle.naive_parts import Line, Pins, Running
from tests.oracle.naive_quota import (
    ROOT,
    fits_now,
    held_by_leaf,
    passes_quota,
    passes_tests,
    quota_of,
    reserved_of,
    use_of,
    used_by,
)
from tests.oracle.naive_state import State
from tests.oracle.naive_work import work_done, work_saved

SCOPES = ("own_queue", "borrowers", "fair_share", "reservation")
DEFAULT_PIN_MS = 10 * 60 * 1000
NEVER = 10**18


# ---- who asks -----------------------------------------------------------------------------------


def ask(state: State, line: Line, row: int) -> bool:
    """A job that did not start and does not fit may ask; True if that led to a decision (15.2, 15.6)."""
    rules = state.settings.rules
    if rules is None or not state.is_decision or row in state.decided or row in state.pins:
        return False
    if rules.suspend and row in state.suspenders:
        return False
    if not rules.pin and any(job.evictor == row and job.told is not None for job in state.running):
        return False
    if fits_now(state, row):
        return False
    is_first = state.settings.discipline == "best_effort" or not line.is_blocked
    scopes = SCOPES if is_first else ("borrowers", "reservation")
    return decide(state, line, row, rules, scopes, is_first=is_first)


def decide(
    state: State, line: Line, row: int, rules: NaivePreemption, scopes: tuple[str, ...], *, is_first: bool
) -> bool:
    """Take candidates until the job passes, put back whom it does not need, tell the rest in one decision (15.6)."""
    allowed = tuple(scope for scope in scopes if scope in rules.scope) + (("order",) if is_first else ())
    gone = [job for job in state.running if job.told is not None and reason_of(state, row, job, allowed, [])]
    taken: list[tuple[Running, str]] = []
    waiting = sorted(
        (job for job in state.running if job.told is None and job.stopped is None),
        key=lambda job: victim_key(state, rules, job),
    )
    while not passes(state, row, gone + [job for job, _ in taken]):
        found = next_victim(state, row, waiting, allowed, [job for job, _ in taken])
        if found is None:
            return False
        taken.append(found)
        waiting = waiting[waiting.index(found[0]) + 1 :]
    for victim in reversed(list(taken)):
        fewer = [other for other in taken if other is not victim]
        if passes(state, row, gone + [job for job, _ in fewer]):
            taken = fewer
    pin_and_tell(state, line, row, rules, gone, taken)
    return True


def next_victim(
    state: State, row: int, waiting: list[Running], allowed: tuple[str, ...], taken: list[Running]
) -> tuple[Running, str] | None:
    """The next candidate in victim order, and the scope that allows it."""
    for job in waiting:
        if (reason := reason_of(state, row, job, allowed, taken)) is not None:
            return job, reason
    return None


def passes(state: State, row: int, gone: list[Running]) -> bool:
    """Quota, shares and placement on the snapshot (15.6)."""
    return passes_tests(state, row, gone) and placement_without(state, row, gone) is not None


def placement_without(state: State, row: int, gone: list[Running]) -> dict[int, int] | None:
    """Where it would go, in the first domain that has place."""
    for gpu_type in state.domains[row]:
        if (taken := state.place(row, state.offers(row, gpu_type, gone=gone))) is not None:
            return taken
    return None


def pin_and_tell(
    state: State, line: Line, row: int, rules: NaivePreemption, gone: list[Running], taken: list[tuple[Running, str]]
) -> None:
    """One decision: victims are told, GPUs are pinned; the pass ends (15.6, 15.9, 15.14)."""
    victims = [job for job, _ in taken]
    place = placement_without(state, row, gone + victims)
    assert place is not None
    state.decided.add(row)
    if rules.pin:
        timeout = rules.grace + DEFAULT_PIN_MS if rules.pin_timeout is None else rules.pin_timeout
        state.pins[row] = Pins(place, state.now + timeout)
    line.slots = {}
    for job, reason in taken:
        tell(state, row, job, rules, reason)


# ---- candidates ---------------------------------------------------------------------------------


def reason_of(state: State, row: int, job: Running, allowed: tuple[str, ...], taken: list[Running]) -> str | None:
    """The first scope that makes it a candidate, or None (15.3, 15.4)."""
    rules = state.settings.rules
    asked = state.jobs[job.row]
    assert rules is not None
    if not any(state.domain_of(job.taken) == (state.jobs[row].fence, domain) for domain in state.domains[row]):
        return None
    if not asked.preemptible or (rules.protect_at is not None and asked.priority >= rules.protect_at):
        return None
    if state.now - job.start < rules.min_runtime or is_within_share(state, row, job):
        return None
    return next((scope for scope in allowed if ALLOWS[scope](state, row, job, taken)), None)


def is_within_share(state: State, row: int, job: Running) -> bool:
    """Where shares may evict, whoever stands on a share of its band is safe from outsiders (15.4a)."""
    rules = state.settings.rules
    if rules is None or "reservation" not in rules.scope:
        return False
    return any(
        entry.opens <= state.now < entry.closes and bool(set(entry.nodes) & set(job.taken))
        if entry.share is None
        else used_by(state, entry, row) <= reserved_of(state, entry, row)
        for entry in state.settings.reserve
        if state.in_band(entry, job.row) and not state.in_band(entry, row)
    )


def is_own(state: State, row: int, job: Running) -> bool:
    """The queue is the line without quotas, the leaf with them (15.4)."""
    return state.settings.isolation == "none" or state.jobs[row].tenant == state.jobs[job.row].tenant


def allows_own_queue(state: State, row: int, job: Running, _taken: list[Running]) -> bool:
    """A gap in base priority, inside the queue (15.4)."""
    rules = state.settings.rules
    if rules is None or rules.min_gap is None or is_preemptive(state):
        return False
    gap = state.jobs[row].priority - state.jobs[job.row].priority
    return is_own(state, row, job) and gap > 0 and gap >= rules.min_gap


def allows_borrowers(state: State, row: int, job: Running, taken: list[Running]) -> bool:
    """It is covered by a nominal, and on the other side all are above theirs (15.4)."""
    settings = state.settings
    mine, theirs = state.path(state.jobs[row].tenant), state.path(state.jobs[job.row].tenant)
    if settings.isolation != "reclaim" or mine[0] == theirs[0]:
        return False
    above = next(name for name in [*mine, ROOT] if name in [*theirs, ROOT])
    side = mine[[*mine, ROOT].index(above) - 1]
    held = held_by_leaf(state)
    if use_of(settings, side, held) + state.jobs[row].gpus > quota_of(settings, side).nominal:
        return False
    others = [other for other in state.running if other is not job and (other.told is not None or other in taken)]
    stays = held_by_leaf(state, gone=others)
    return all(
        use_of(settings, name, stays) > quota_of(settings, name).nominal
        for name in theirs[: [*theirs, ROOT].index(above)]
    )


def allows_fair_share(state: State, row: int, job: Running, taken: list[Running]) -> bool:
    """Another leaf, a later rank, and the roles are not turned round (15.4, 16.13)."""
    order, mine, theirs = state.settings.order, state.jobs[row].tenant, state.jobs[job.row].tenant
    if order not in SHARE_ORDERS or mine == theirs or rank(state, job.row) < rank(state, row):
        return False
    line = state.line_of(row)
    less = (*(other for other in taken), job)
    if order == "drf":
        after = dominant_share(state, mine, more=row, less=tuple(taken))
        return after <= dominant_share(state, theirs, less=less)
    held = held_by_leaf(state, gone=less)
    held[mine] = held.get(mine, 0) + state.jobs[row].gpus
    if order == "fair_share":
        mine_now, theirs_now = (held.get(leaf, 0) / norm(state, leaf) for leaf in (mine, theirs))
        return rounded(mine_now) <= rounded(theirs_now)
    return tenant_key(state, mine, line, held) <= tenant_key(state, theirs, line, held)


def allows_reservation(state: State, row: int, job: Running, taken: list[Running]) -> bool:
    """A share of its band covers the job, or a window of its band is open where the other runs (15.4)."""
    for entry in state.settings.reserve:
        if not state.in_band(entry, row) or state.in_band(entry, job.row):
            continue
        if entry.share is None:
            if entry.opens <= state.now < entry.closes and set(entry.nodes) & set(job.taken):
                return True
        elif used_by(state, entry, row, taken) + state.jobs[row].gpus <= reserved_of(state, entry, row):
            return True
    return False


def allows_order(state: State, row: int, job: Running, _taken: list[Running]) -> bool:
    """A preemptive order: whoever ranks after it in its queue (15.4)."""
    return is_preemptive(state) and is_own(state, row, job) and rank(state, row) < rank(state, job.row)


ALLOWS = {
    "own_queue": allows_own_queue,
    "borrowers": allows_borrowers,
    "fair_share": allows_fair_share,
    "reservation": allows_reservation,
    "order": allows_order,
}


def victim_key(state: State, rules: NaivePreemption, job: Running) -> tuple[float, ...]:
    """Who goes first; ties: latest start, then the higher row (15.5)."""
    asked = state.jobs[job.row]
    if is_preemptive(state):
        key, submit, row = rank(state, job.row)
        return (-key, -submit, -row)
    first: float = 0
    if rules.victims == "lowest_priority":
        first = asked.priority
    elif rules.victims == "fewest":
        first = -asked.gpus
    elif rules.victims == "least_lost_work":
        first = asked.gpus * lost_if_told(state, rules, job)
    return (first, -job.start, -job.row)


def lost_if_told(state: State, rules: NaivePreemption, job: Running) -> int:
    """Cost of a save where grace covers it, else the work since the last save; and the restart (15.5)."""
    checkpoint = state.jobs[job.row].checkpoint
    unsaved = work_done(job.pieces, state.now) - work_saved(job.pieces, state.now)
    if checkpoint is None:
        return unsaved
    _, cost, restart = checkpoint
    return (cost if cost <= rules.grace else unsaved) + restart


# ---- grace --------------------------------------------------------------------------------------


def tell(state: State, row: int, job: Running, rules: NaivePreemption, reason: str) -> None:
    """It saves and leaves, or loses work and leaves, or ends by itself before that (15.8)."""
    job.evictor = row
    if rules.suspend:
        state.suspenders.add(row)
        job.stopped = state.now
        job.finish = NEVER if job.killed_at is None else job.killed_at
        job.is_killed = job.killed_at is not None
        state.ledger.append((state.now, job.row, row, reason, 0))
        return
    checkpoint = state.jobs[job.row].checkpoint
    is_saved = checkpoint is not None and checkpoint[1] <= rules.grace
    job.told = state.now
    job.leave = state.now + (checkpoint[1] if checkpoint is not None and is_saved else rules.grace)
    job.goes_on = job.finish <= job.leave
    job.planned_end = job.leave
    if job.goes_on:
        return
    done = work_done(job.pieces, state.now)
    kept = done if is_saved else work_saved(job.pieces, state.now)
    state.saved[job.row] = job.saved + kept
    state.ledger.append((state.now, job.row, row, reason, state.jobs[job.row].gpus * (done - kept)))
    job.pieces = [piece for piece in clip(job, state.now) if piece[2] > piece[1]]
    job.pieces.append(("grace", state.now, job.leave))
    job.finish = NEVER
    if job.leave == state.now:
        go(state, job)


def clip(job: Running, moment: int) -> list[tuple[str, int, int]]:
    """Its pieces up to a moment; a save that is cut is booked and saves nothing (9.3)."""
    return [(kind, begin, min(end, moment)) for kind, begin, end in job.pieces if begin < moment]


def go(state: State, job: Running) -> None:
    """It leaves its GPUs and waits again (15.9, 15.10)."""
    state.note_attempt(job, state.now, "evicted")
    state.free(job)
    state.leaving.remove(job)
    state.left_at[job.row] = state.now
    if state.settings.requeue != "keep_submit":
        told = job.told if job.told is not None else state.now
        state.ranked_submit[job.row] = told if state.settings.requeue == "eviction_time" else state.now
    state.line_of(job.row).waiting.append(job.row)
    if state.settings.isolation != "none":
        state.touch_all()


# ---- pins ---------------------------------------------------------------------------------------


def try_pinned(state: State, line: Line) -> None:
    """Pinned jobs are tried at the beginning of every pass, in the order of their decisions (15.15)."""
    for row in [row for row in state.pins if state.line_of(row) is line]:
        if not passes_quota(state, row):
            continue
        for gpu_type in state.domains[row]:
            if (taken := state.place_free(row, gpu_type)) is not None:
                state.begin(row, taken)
                break


def pin_ends(state: State) -> list[int]:
    """When pins time out (15.16)."""
    return [pins.until for pins in state.pins.values()]


__all__ = ["DEFAULT_PIN_MS", "ask", "go", "pin_ends", "try_pinned"]
