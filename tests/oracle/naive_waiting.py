"""Why each job waits (section 7 of docs/model.md)."""

from tests.oracle.naive_gangs import held_idle
from tests.oracle.naive_orders import SHARE_ORDERS, is_preemptive
from tests.oracle.naive_quota import accepted_types, fits_type, passes_quota, passes_shares, shares
from tests.oracle.naive_state import State


def cause_of(state: State, row: int) -> str:
    """The cause is the test whose removal first lets the job start now (7.2 to 7.8)."""
    if row in state.away:
        return "gang_hold"
    if is_not_decided(state, row):
        return "scheduler"
    if passes_quota(state, row) and any(state.fits_raw(row, gpu_type) for gpu_type in state.domains[row]):
        return "order" if is_behind(state, row) else "reservation"
    if any(fits_type(state, row, gpu_type) for gpu_type in accepted_types(state, row)):
        return "quota"
    types = list(dict.fromkeys(unit.gpu_type for unit in state.units))
    if any(fits_type(state, row, gpu_type) for gpu_type in types):
        return "type"
    return count_cause(state, row, types)


def is_not_decided(state: State, row: int) -> bool:
    """Between rounds without filling, whoever passes the tests and fits an open domain waits for the round (16.4)."""
    if state.is_decision or state.settings.fill or not (passes_quota(state, row) and passes_shares(state, row)):
        return False
    closed = state.line_of(row).closers if state.settings.discipline == "strict" else {}
    return any(domain not in closed and state.place_free(row, domain) is not None for domain in state.domains[row])


def is_behind(state: State, row: int) -> bool:
    """A job of its tenant is held, or under strict all domains in which it fits were closed before (7.3)."""
    line = state.line_of(row)
    if line.held.get(state.jobs[row].tenant) is not None:
        return True
    if state.settings.discipline != "strict" or row in state.pins:
        return False
    closed = line.closed_for.get(first_alike(state, row), line.closers)
    return all(domain in closed for domain in state.domains[row] if state.fits_raw(row, domain))


def note_alike(state: State) -> None:
    """Who of the waiting jobs that no test tells apart had its turn first, in each line (7.3)."""
    state.alike.clear()
    for line in state.lines.values():
        waiting = set(line.waiting)
        for row in line.turns:
            if row in waiting:
                state.alike.setdefault((state.jobs[row].fence, likeness(state, row)), row)


def first_alike(state: State, row: int) -> int:
    """Jobs that no test tells apart share the answer of the one that had its turn first (7.3)."""
    return state.alike.get((state.jobs[row].fence, likeness(state, row)), row)


def likeness(state: State, row: int) -> tuple[object, ...]:
    """Size, shape, accepted types, bands; tenant, priority and collecting where they matter (7.3)."""
    settings, job = state.settings, state.jobs[row]
    is_by_tenant = settings.isolation != "none" or settings.order in SHARE_ORDERS
    rules = settings.rules
    has_gap = rules is not None and rules.min_gap is not None and "own_queue" in rules.scope
    is_gap = has_gap and not is_preemptive(state)  # whose rank takes the place of the gap (15.4)
    is_by_priority = is_gap or settings.order == "article" or (settings.order == "priority" and settings.aging == "log")
    bands = tuple(state.in_band(entry, row) for entry in shares(state))
    whose = (job.tenant if is_by_tenant else "", job.priority if is_by_priority else 0)
    shape = None if settings.placement == "counted" else job.shape
    return (job.gpus, shape, job.types, bands, row in state.holds, *whose)


def count_cause(state: State, row: int, types: list[str]) -> str:
    """Enough free GPUs of one type, then with those held by gangs, then with those in grace (7.6, 7.7)."""
    gpus = state.jobs[row].gpus
    free = {gpu_type: sum(u.free for u in state.units if u.gpu_type == gpu_type) for gpu_type in types}
    if any(free[gpu_type] >= gpus for gpu_type in types):
        return "fragmentation"
    for gpu_type in types:
        free[gpu_type] += held_idle(state, gpu_type)
    if any(free[gpu_type] >= gpus for gpu_type in types):
        return "gang_hold"
    for job in state.going():
        for number, taken in job.taken.items():
            free[state.units[number].gpu_type] += taken
    return "grace" if any(free[gpu_type] >= gpus for gpu_type in types) else "capacity"


def behind_of(state: State, row: int, causes: dict[int, str]) -> str:
    """The cause of the held job, or of the job that closed the first domain in which the waiting job fits (7.9)."""
    line = state.line_of(row)
    holder = line.held.get(state.jobs[row].tenant)
    if holder is not None:
        return causes[holder]
    closed = line.closed_for.get(first_alike(state, row), line.closers)
    first = next(domain for domain in state.domains[row] if state.fits_raw(row, domain))
    return causes[closed[first]]
