"""The rank of a job: fixed keys (section 4 of docs/model.md) and those that change (section 16)."""

import math
from collections.abc import Callable
from fractions import Fraction

from tests.oracle.naive_input import PREEMPTIVE, NaiveTenant, limit_of
from tests.oracle.naive_parts import Line, Running
from tests.oracle.naive_quota import ROOT, children, first, held_by_leaf, quota_of
from tests.oracle.naive_state import State
from tests.oracle.naive_work import so_far, work_done

HOUR_MS = 3_600_000
SHARE_ORDERS = ("fair_share", "drf", "weighted")
Rank = tuple[float, int, int]


def rank(state: State, row: int) -> Rank:
    """The smallest stands first; ties fall to the earlier submit, then to the lower row (4.1)."""
    return (key(state, row), state.submit_of(row), row)


def key(state: State, row: int) -> float:
    """Between rounds a job keeps the key it had at the last one, or when it came (16.4)."""
    if state.is_decision:
        return live_key(state, row)
    return state.round_keys.setdefault(row, live_key(state, row))


def live_key(state: State, row: int) -> float:
    """The key at this moment (4.2, 16.2 to 16.12)."""
    return KEYS[state.settings.order](state, row)


def shortest(state: State, row: int) -> int:
    """The shorter limit, or true run time, first (4.2)."""
    return limit_of(state.jobs[row]) if state.settings.by == "limit" else state.jobs[row].runtime


def queue(state: State, row: int) -> int:
    """How many thresholds its attained service has reached (16.2)."""
    return sum(threshold <= attained(state, row) for threshold in state.settings.thresholds)


def rounded(value: float) -> float:
    """Numbers that are not whole are rounded to 1e-9 before they are compared (16.1)."""
    return value if math.isinf(value) else round(value, 9)


def aged_priority(state: State, row: int) -> float:
    """Linear aging never changes the rank of two jobs and is compared in whole numbers; log aging is not (16.5)."""
    settings, job = state.settings, state.jobs[row]
    if settings.aging == "log":
        return -rounded(job.priority / 1000 + settings.aging_per_h * math.log(1 + wait_h(state, row)))
    return -(job.priority * HOUR_MS - round(settings.aging_per_h * 1000) * state.submit_of(row))


def wait_h(state: State, row: int) -> float:
    """Hours since its submit time for rank (16.1)."""
    return (state.now - state.submit_of(row)) / HOUR_MS


def typed(state: State, row: int) -> float:
    """The formula of the article, printed or corrected, or one typed by the user (16.6)."""
    settings, job = state.settings, state.jobs[row]
    if settings.order == "formula":
        assert settings.formula is not None
        return rounded(
            settings.formula(
                {
                    "priority": job.priority / 1000,
                    "wait_h": wait_h(state, row),
                    "gpus": job.gpus,
                    "limit_h": limit_of(job) / HOUR_MS,
                    "weight": weight_of(state, job.tenant),
                }
            )
        )
    urgent, waited = 1 + 0.5 * (job.priority / 1000), 1 + 0.1 * wait_h(state, row)
    return rounded(urgent / waited if settings.form == "printed" else urgent * waited)


# ---- preemptive orders --------------------------------------------------------------------------


def is_preemptive(state: State) -> bool:
    """Orders that evict whoever ranks after the asking job (16.2)."""
    return state.settings.order in PREEMPTIVE


def running_of(state: State, row: int) -> Running | None:
    """The attempt under way, if any."""
    return next((job for job in state.running if job.row == row), None)


def remaining(state: State, row: int) -> int:
    """Run time less work done and kept, for a running job less all work done until now (16.2)."""
    job = running_of(state, row)
    done = state.saved.get(row, 0) if job is None else job.saved + work_done(so_far(job, state.now), state.now)
    return state.jobs[row].runtime - done


def attained(state: State, row: int) -> int:
    """Work done, lost work included, in GPU-ms or ms, less what a promotion forgot (16.2)."""
    gpus = 1 if state.settings.by == "time" else state.jobs[row].gpus
    return gpus * (worked(state, row) - state.attained.get(row, 0))


def worked(state: State, row: int) -> int:
    """All work a job has done, in ms."""
    past = sum(work_done(attempt.pieces, attempt.end) for attempt in state.attempts if attempt.row == row)
    job = running_of(state, row)
    return past + (work_done(so_far(job, state.now), state.now) if job is not None else 0)


def promote(state: State) -> None:
    """A waiting job that has waited k times what it attained starts again from nothing (16.2)."""
    if state.settings.order != "las" or state.settings.promote is None:
        return
    for line in state.lines.values():
        for row in line.waiting:
            time = worked(state, row) - state.attained.get(row, 0)
            waited = state.now - state.left_at.get(row, state.jobs[row].submit)
            if time > 0 and waited * 1_000 >= round(state.settings.promote * 1_000) * time:
                state.attained[row] = worked(state, row)


# ---- share orders -------------------------------------------------------------------------------


def tenant_key(state: State, leaf: str, line: Line, held: dict[str, int] | None = None) -> float:
    """The lower first: dominant share, use by deserved, or the fair-share rank (16.8)."""
    if state.settings.order == "fair_share":
        return -fair_share(state)[leaf]
    held = held_by_leaf(state) if held is None else held
    if state.settings.order == "drf":
        return dominant_share(state, leaf)
    deserved = line.deserved.get(leaf, 0)
    return rounded(held.get(leaf, 0) / deserved) if deserved else math.inf


def weight_of(state: State, name: str) -> float:
    """The weight of a tenant (16.8)."""
    return next((tenant.weight for tenant in state.settings.tenants if tenant.name == name), 1)


def dominant_share(state: State, leaf: str, *, more: int = -1, less: tuple[Running, ...] = ()) -> float:
    """The largest of use / total over resources, divided by the weight (16.11); with one job more and some less."""
    rows = [job.row for job in state.running if job not in less] + list(state.pins) + list(state.holds)
    mine = [row for row in [*rows, *([more] if more >= 0 else [])] if state.jobs[row].tenant == leaf]
    if not mine:
        return 0.0
    jobs = [state.jobs[row] for row in mine]
    used = {
        "gpus": sum(job.gpus for job in jobs),
        "cpus": sum(job.gpus * job.cpus_per_gpu for job in jobs),
        "mem_gb": sum(job.gpus * job.mem_gb_per_gpu for job in jobs),
    }
    totals = state.resources[jobs[0].fence]
    return rounded(max(used[name] / total for name, total in totals.items() if total) / weight_of(state, leaf))


def set_deserved(state: State, line: Line) -> None:
    """Water-filling over the leaves of the line with jobs that run or wait, when a pass begins (16.12)."""
    if state.settings.order != "weighted":
        return
    rows = [row for row in range(len(state.jobs)) if state.line_of(row) is line]
    inside = {job.row for job in state.running} | set(line.waiting)
    request: dict[str, int] = {}
    for row in rows:
        if row in inside:
            request[state.jobs[row].tenant] = request.get(state.jobs[row].tenant, 0) + state.jobs[row].gpus
    total = sum(unit.size for unit in state.fence_units(rows[0])) if rows else 0
    line.deserved = {leaf: float(gpus) for leaf, gpus in water_fill(state, request, total).items()}


def water_fill(state: State, request: dict[str, int], total: int) -> dict[str, Fraction]:
    """What is left is offered in proportion to the weights of those not yet met (16.12)."""
    given = dict.fromkeys(request, Fraction(0))
    unmet, left = list(request), Fraction(total)
    while unmet and left > 0:
        weights = sum(Fraction(str(weight_of(state, leaf))) for leaf in unmet)
        before, offered = dict(given), left
        for leaf in list(unmet):
            cap, guarantee = bounds(state, leaf, total)
            offer = offered * Fraction(str(weight_of(state, leaf))) / weights
            given[leaf] = max(min(given[leaf] + offer, Fraction(cap), Fraction(request[leaf])), Fraction(guarantee))
            if request[leaf] <= given[leaf] or given[leaf] == before[leaf]:
                unmet.remove(leaf)
        left = offered - sum(given[leaf] - before[leaf] for leaf in request)
        if left == offered:
            break
    return given


def bounds(state: State, leaf: str, total: int) -> tuple[int, int]:
    """Cap and guarantee of 13.3; none and 0 where no quota is tested (16.12)."""
    if state.settings.isolation == "none":
        return total, 0
    quota = quota_of(state.settings, leaf)
    return quota.cap, quota.guarantee


# ---- fair share ---------------------------------------------------------------------------------


def usage_of(state: State, name: str) -> float:
    """The usage of a tenant with children is the sum of theirs (16.9)."""
    below = children(state.settings, name)
    return sum(usage_of(state, child) for child in below) if below else state.usage.get(name, 0.0)


def among_siblings(state: State, name: str) -> tuple[float, float]:
    """S and U (16.9)."""
    tenants: dict[str, NaiveTenant] = {tenant.name: tenant for tenant in state.settings.tenants}
    siblings = children(state.settings, tenants[name].parent or ROOT)
    usages = sum(usage_of(state, sibling) for sibling in siblings)
    share = tenants[name].weight / sum(tenants[sibling].weight for sibling in siblings)
    return share, usage_of(state, name) / usages if usages else 0.0


def fair_share(state: State) -> dict[str, float]:
    """Leaf -> its number or factor, the higher first (16.9)."""
    if state.settings.form == "classic":
        leaves = [tenant.name for tenant in state.settings.tenants if not children(state.settings, tenant.name)]
        return {leaf: classic(state, leaf) for leaf in leaves}
    numbers: dict[str, float] = {}
    leaves = [tenant.name for tenant in state.settings.tenants if not children(state.settings, tenant.name)]
    visit(state, children(state.settings, ROOT), numbers, len(leaves))
    return numbers


def visit(state: State, names: list[str], numbers: dict[str, float], number: int) -> int:
    """By falling LF; leaves of equal LF share a number, the children of the others are visited together (16.9)."""
    levels = {name: level_of(state, name) for name in names}
    for level in sorted(set(levels.values()), reverse=True):
        group = [name for name in names if levels[name] == level]
        leaves = [name for name in group if not children(state.settings, name)]
        numbers.update(dict.fromkeys(leaves, float(number)))
        number -= len(leaves)
        below = [child for name in group for child in children(state.settings, name)]
        if below:
            number = visit(state, below, numbers, number)
    return number


def level_of(state: State, name: str) -> float:
    """LF = S / U, infinite for U = 0 (16.9)."""
    share, used = among_siblings(state, name)
    return rounded(share / used) if used else math.inf


def norm(state: State, leaf: str) -> float:
    """N: the product of S from the leaf up to the top (16.9)."""
    return math.prod(among_siblings(state, name)[0] for name in state.path(leaf))


def classic(state: State, leaf: str) -> float:
    """F = 2^(-E / N) (16.9)."""
    whole = usage_of(state, ROOT)
    if not whole:
        return 1.0
    effective = None
    for name in reversed(state.path(leaf)):
        share, _ = among_siblings(state, name)
        own = usage_of(state, name) / whole
        effective = own if effective is None else own + (effective - own) * share
    assert effective is not None
    return rounded(2 ** (-effective / norm(state, leaf)))


def catch_up_usage(state: State, end: int) -> None:
    """Usage = usage x f + the GPU-ms held by the leaf's jobs, at each multiple of `step` up to `end`, once (16.10)."""
    settings, begin = state.settings, state.usage_until
    state.usage_until = max(begin, end)
    if settings.order != "fair_share":
        return
    factor = round(0.5 ** (settings.step / settings.half_life), 9)
    for moment in range((begin // settings.step + 1) * settings.step, end + 1, settings.step):
        held: dict[str, int] = {}
        stays = [(attempt.row, attempt.start, attempt.end) for attempt in state.attempts]
        stays += [(job.row, job.start, moment) for job in state.running]
        for row, start, stop in stays:
            span = min(stop, moment) - max(start, moment - settings.step, state.usage_since)
            leaf = state.jobs[row].tenant
            held[leaf] = held.get(leaf, 0) + state.jobs[row].gpus * max(span, 0)
        for tenant in settings.tenants:
            state.usage[tenant.name] = state.usage.get(tenant.name, 0.0) * factor + held.get(tenant.name, 0)


KEYS: dict[str, Callable[[State, int], float]] = {
    "fifo": lambda _state, _row: 0,
    "priority": aged_priority,
    "shortest": shortest,
    "smallest": lambda state, row: state.jobs[row].gpus,
    "random": lambda state, row: state.jobs[row].draw,
    "article": lambda state, row: -typed(state, row),
    "formula": lambda state, row: -typed(state, row),
    "srtf": remaining,
    "srsf": lambda state, row: remaining(state, row) * state.jobs[row].gpus,
    "las": queue,
    "fair_share": lambda state, row: tenant_key(state, state.jobs[row].tenant, state.line_of(row)),
    "drf": lambda state, row: tenant_key(state, state.jobs[row].tenant, state.line_of(row)),
    "weighted": lambda state, row: tenant_key(state, state.jobs[row].tenant, state.line_of(row)),
}


__all__ = ["SHARE_ORDERS", "catch_up_usage", "first", "is_preemptive", "promote", "rank", "set_deserved", "tenant_key"]
