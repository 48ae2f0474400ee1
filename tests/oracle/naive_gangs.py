"""Hold-and-wait gangs of the slow, obvious engine (section 17 of docs/model.md)."""

from tests.oracle.naive_parts import Line
from tests.oracle.naive_state import Hold, State


def collect(state: State, line: Line, row: int) -> bool:
    """Take one member if one fits; True when it holds all and starts (17.2, 17.3)."""
    hold = state.holds.get(row)
    if hold is None:
        gpu_type = first_domain(state, line, row)
        if gpu_type is None:
            return False
        assert state.settings.timeout is not None
        hold = state.holds[row] = Hold(gpu_type, state.now + state.settings.timeout)
    elif hold.gpu_type in line.closers:
        return False
    n_members, gpus = members_of(state, row)
    if (number := lowest(state, row, hold.gpu_type, gpus)) is not None:
        hold.members.append((number, gpus, state.now))
        state.units[number].free -= gpus
    if len(hold.members) < n_members:
        return False
    taken: dict[int, int] = {}
    for number, held, _ in hold.members:
        taken[number] = taken.get(number, 0) + held
    give_back(state, row)
    state.begin(row, taken)
    return True


def members_of(state: State, row: int) -> tuple[int, int]:
    """How many members, and the GPUs of each (17.1)."""
    job = state.jobs[row]
    return (job.gpus, 1) if job.shape is None or state.settings.placement == "counted" else job.shape


def first_domain(state: State, line: Line, row: int) -> str | None:
    """The first of its domains, under strict of the open ones, in which a member fits (17.2)."""
    _, gpus = members_of(state, row)
    open_ones = [gpu_type for gpu_type in state.domains[row] if gpu_type not in line.closers]
    return next((domain for domain in open_ones if lowest(state, row, domain, gpus) is not None), None)


def lowest(state: State, row: int, gpu_type: str, gpus: int) -> int | None:
    """The lowest node with enough free GPUs; members of a shape go to different nodes (17.1, 17.2)."""
    is_apart = state.jobs[row].shape is not None and state.settings.placement != "counted"
    hold = state.holds.get(row)
    taken = {number for number, _, _ in hold.members} if hold is not None and is_apart else set()
    fitting = [unit.number for unit in state.members(row, gpu_type) if unit.free >= gpus and unit.number not in taken]
    return min(fitting, default=None)


def give_back(state: State, row: int) -> None:
    """Free what it holds, and book it as held idle (9.3, 17.3, 17.5)."""
    hold = state.holds.pop(row)
    for number, gpus, since in hold.members:
        state.units[number].free += gpus
        state.idle_held.append((row, since, state.now, gpus))


def give_up(state: State, row: int) -> None:
    """`timeout` after its first member it gives all back and stands outside the line for a while (17.5, 17.6)."""
    give_back(state, row)
    time = state.given_up.get(row, 0)
    state.given_up[row] = time + 1
    state.line_of(row).waiting.remove(row)
    backoffs = state.jobs[row].backoffs
    state.away[row] = state.now + (backoffs[time % len(backoffs)] if backoffs else 0)
    state.touch(state.line_of(row))


def come_back(state: State, row: int) -> None:
    """It returns with the time of return as its submit time for rank (17.6)."""
    del state.away[row]
    state.ranked_submit[row] = state.now
    state.line_of(row).waiting.append(row)
    state.touch(state.line_of(row))


def held_idle(state: State, gpu_type: str) -> int:
    """GPUs that gangs hold while they collect (7.7)."""
    return sum(
        gpus
        for hold in state.holds.values()
        for number, gpus, _ in hold.members
        if state.units[number].gpu_type == gpu_type
    )
