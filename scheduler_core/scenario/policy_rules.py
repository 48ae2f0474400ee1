"""What must hold of the policy: settings that go together, reservations that can be kept, changes in order."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from scheduler_core import registry, units
from scheduler_core.errors import Fault
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.fences import Fence, fences
from scheduler_core.scenario.paths import unknown
from scheduler_core.scenario.policy import Policy
from scheduler_core.scenario.preemption import Preemption, resolve
from scheduler_core.scenario.quotas import effective_quotas, leaves_below, parents_of
from scheduler_core.scenario.reserve import Reserve
from scheduler_core.units import MILLI

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario

PLANNING = ("easy", "conservative")
"""Disciplines that plan ahead by limits."""


class Clash(NamedTuple):
    """Two settings that do not go together, and why."""

    field: str
    other: str
    is_met: Callable[[Policy], bool]
    problem: Callable[[Policy], Phrase]


def is_preemptive(policy: Policy) -> bool:
    """Return whether the order itself evicts running jobs."""
    return bool(getattr(_order(policy), "preemptive", False))


def has_shares(policy: Policy) -> bool:
    """Return whether the order ranks tenants by their share."""
    return getattr(_order(policy), "share", None) is not None


def preemption_of(policy: Policy) -> Preemption | None:
    """Return the preemption in force, its scope stated; None if nobody is ever evicted."""
    return resolve(policy.preemption, policy.isolation, is_preemptive=is_preemptive(policy))


def _order(policy: Policy) -> object:
    return registry.find("policies").get(policy.order.slug)


def _is_dynamic(policy: Policy) -> bool:
    changes = getattr(_order(policy), "changes", None)
    return bool(changes and changes(policy.order.params))


def collects(policy: Policy) -> bool:
    """Return whether gangs take their members one by one, and hold them while they wait for the others."""
    return policy.gang.slug == "hold_and_wait"


def _suspends(policy: Policy) -> bool:
    found = preemption_of(policy)
    return found is not None and found.suspend


def _suspends_others(policy: Policy) -> bool:
    found = preemption_of(policy)
    return found is not None and found.suspend and set(found.scope or ()) != {"own_queue"}


def _is_counted(policy: Policy) -> bool:
    return bool(getattr(registry.find("placements").get(policy.placement.slug), "is_counted", False))


CLASHES = (
    Clash(
        "discipline",
        "order",
        lambda policy: policy.discipline.slug in PLANNING and is_preemptive(policy),
        lambda policy: Phrase(
            "{slug} plans by the end of running jobs, and the order {slug_2} evicts them before; take "
            "strict or best_effort",
            slug=policy.discipline.slug,
            slug_2=policy.order.slug,
        ),
    ),
    Clash(
        "discipline",
        "order",
        lambda policy: policy.discipline.slug == "conservative" and _is_dynamic(policy),
        lambda policy: Phrase(
            "conservative gives slots by rank, and the ranks of {slug} change while jobs wait; take "
            "strict or best_effort",
            slug=policy.order.slug,
        ),
    ),
    Clash(
        "gang",
        "discipline",
        lambda policy: collects(policy) and policy.discipline.slug in PLANNING,
        lambda policy: Phrase(
            "a gang that holds GPUs and waits keeps no reservation, which {slug} needs; take atomic, or "
            "strict or best_effort",
            slug=policy.discipline.slug,
        ),
    ),
    Clash(
        "gang",
        "reserve",
        lambda policy: collects(policy) and policy.reserve is not None,
        lambda _: Phrase("a gang that holds GPUs and waits keeps to no reservation; take atomic, or leave out reserve"),
    ),
    Clash(
        "gang",
        "preemption",
        lambda policy: collects(policy) and policy.preemption is not None,
        lambda _: Phrase(
            "a gang that holds GPUs and waits neither runs nor gives way, so nobody is evicted beside it; "
            "take atomic, or preemption: null"
        ),
    ),
    Clash(
        "gang",
        "isolation",
        lambda policy: collects(policy) and policy.isolation == "reclaim",
        lambda _: Phrase(
            "quota cannot be taken back from a gang that holds GPUs and waits; take atomic, or another isolation "
            "than reclaim"
        ),
    ),
    Clash(
        "gang",
        "order",
        lambda policy: collects(policy) and is_preemptive(policy),
        lambda policy: Phrase(
            "the order {slug} evicts running jobs, and a gang that holds GPUs and waits is none; "
            "take atomic, or another order",
            slug=policy.order.slug,
        ),
    ),
    Clash(
        "gang",
        "rounds",
        lambda policy: collects(policy) and policy.rounds is not None and policy.rounds.every > 0,
        lambda _: Phrase(
            "all gangs that gave up would begin again at the same round, for ever; take atomic, or leave out rounds"
        ),
    ),
    Clash(
        "preemption",
        "isolation",
        _suspends_others,
        lambda _: Phrase(
            "suspended jobs keep their GPUs, so suspend gives nothing back to another tenant or "
            "reservation; take suspend: false, or scope: [own_queue]"
        ),
    ),
    Clash(
        "preemption",
        "order",
        lambda policy: _suspends(policy) and is_preemptive(policy),
        lambda policy: Phrase(
            "suspended jobs keep their GPUs, and the order {slug} evicts to get them; take suspend: false",
            slug=policy.order.slug,
        ),
    ),
    Clash(
        "preemption",
        "preemption",
        lambda policy: _suspends(policy) and policy.preemption is not None and not policy.preemption.pin,
        lambda _: Phrase("a suspended job works on when the pins of the other end, and there are none; take pin: true"),
    ),
    Clash(
        "reserve",
        "placement",
        lambda policy: _is_counted(policy) and any(entry.is_window for entry in policy.reserve or ()),
        lambda _: Phrase("a window keeps nodes, and the placement counted knows none; take another placement"),
    ),
)
"""Combinations that are refused."""

LATER_TOGETHER = (
    Clash(
        "discipline",
        "order",
        lambda policy: policy.discipline.slug == "easy" and _is_dynamic(policy),
        lambda policy: Phrase(
            "easy with ranks that change while jobs wait, as those of {slug} do, is not available yet; "
            "take strict or best_effort",
            slug=policy.order.slug,
        ),
    ),
    Clash(
        "discipline",
        "preemption",
        lambda policy: policy.discipline.slug in PLANNING and preemption_of(policy) is not None,
        lambda policy: Phrase(
            "{slug} with preemption is not available yet; take strict or best_effort", slug=policy.discipline.slug
        ),
    ),
)
"""Combinations that go together and are not available yet."""


def steps(scenario: "Scenario") -> Iterator[tuple[Policy, tuple[str, ...], str]]:
    """Yield every policy of a run, which of its fields are written, and where."""
    for number, (_, policy) in enumerate(scenario.policy.steps()):
        at = f"policy.change.{number - 1}.policy" if number else "policy"
        yield policy, scenario.policy.change[number - 1].stated if number else tuple(Policy.model_fields), at


def policy_faults(scenario: "Scenario") -> Iterator[Fault]:
    """Yield what is wrong with the policy, and with what it changes to; each once, where it first appears."""
    yield from _changes_in_order(scenario)
    yield from _promotes_for_ever(scenario)
    yield from _gives_up_for_ever(scenario)
    told: set[str] = set()
    for policy, stated, at in steps(scenario):
        for fault in (*clashes(policy, stated, at), *_reserve_faults(scenario, policy, at)):
            key = fault.sentence.replace(fault.path, "").replace(at, "")
            if key not in told:
                told.add(key)
                yield fault


def _promotes_for_ever(scenario: "Scenario") -> Iterator[Fault]:
    """End the run at a time where promotion may let two jobs evict each other for ever."""
    for policy, stated, at in steps(scenario):
        slug, promote = policy.order.slug, policy.order.params.get("promote")
        if scenario.run.drain and promote is not None and "order" in stated:
            problem = Phrase(
                "{path} is {promote:g}: with run.drain two jobs that are promoted in turn may evict each "
                "other for ever; take promote: null, or drain: false.",
                promote=promote,
            )
            yield Fault(f"{at}.order.{slug}.promote", promote, "", problem)


def _gives_up_for_ever(scenario: "Scenario") -> Iterator[Fault]:
    """End the run at a time where gangs may hold each other up, give up and begin again for ever."""
    if scenario.run.drain and collects(scenario.policy):
        problem = Phrase(
            "{path} is {value}: with run.drain gangs that hold each other up may give up and begin again for ever; "
            "take atomic, or drain: false."
        )
        yield Fault("policy.gang", scenario.policy.gang.slug, "", problem)


def planning_after_preemption(scenario: "Scenario") -> Iterator[Fault]:
    """Yield a fault for a change to a discipline that plans while jobs may be in grace: not available yet."""
    policies = [policy for policy, _, _ in steps(scenario)]
    for number in range(1, len(policies)):
        slug = policies[number].discipline.slug
        if slug in PLANNING and any(preemption_of(policy) is not None for policy in policies[:number]):
            problem = Phrase(
                "{path}: {slug} after a policy with preemption is not available yet; take strict or best_effort.",
                slug=slug,
            )
            yield Fault(f"policy.change.{number - 1}.policy.discipline", slug, "", problem)
            return


def _changes_in_order(scenario: "Scenario") -> Iterator[Fault]:
    """Change at later and later times, inside the run."""
    before = 0
    for row, change in enumerate(scenario.policy.change):
        path, value = f"policy.change.{row}.at", units.write_duration(change.at)
        end = scenario.run.days_ms
        if not 0 < change.at < end:
            yield Fault(
                path,
                value,
                Phrase("after the start and before the end of the run ({end})", end=units.write_duration(end)),
            )
        elif change.at <= before:
            yield Fault(
                path, value, Phrase("later than the change before it ({before})", before=units.write_duration(before))
            )
        before = max(before, change.at)


def kept_all_run(scenario: "Scenario") -> Iterator[Fault]:
    """Keep to one way in which gangs start, and either count GPUs or look at nodes; asked before a run.

    Reading does not ask: addresses of scenarios that change them were given out before.
    """
    first = scenario.policy
    for row, change in enumerate(first.change):
        at, policy = f"policy.change.{row}.policy", change.policy
        if "gang" in change.stated and policy.gang != first.gang:
            yield Fault(
                f"{at}.gang",
                f"{policy.gang}",
                Phrase("{gang}, as at the start: it cannot change during a run", gang=first.gang),
            )
        if "placement" in change.stated and _is_counted(policy) != _is_counted(first):
            allowed = (
                Phrase("counted, as at the start")
                if _is_counted(first)
                else Phrase("a placement that looks at nodes, as at the start")
            )
            why = Phrase("running jobs hold nodes under one and only a number under the other")
            yield Fault(f"{at}.placement", f"{policy.placement}", Phrase("{allowed}: {why}", allowed=allowed, why=why))


def clashes(policy: Policy, stated: tuple[str, ...], at: str, kinds: tuple[Clash, ...] = CLASHES) -> Iterator[Fault]:
    """Yield a fault for each of some combinations that a policy, of which `stated` is written at `at`, has."""
    for clash in kinds:
        if clash.is_met(policy):
            field = clash.field if clash.field in stated or clash.other not in stated else clash.other
            yield Fault(
                f"{at}.{field}",
                f"{getattr(policy, field)}",
                "",
                Phrase("{path}: {problem}.", problem=clash.problem(policy)),
            )


def _reserve_faults(scenario: "Scenario", policy: Policy, at: str) -> Iterator[Fault]:
    for row, entry in enumerate(policy.reserve or ()):
        yield from _named_known(scenario, entry, f"{at}.reserve.{row}")
    for fence in fences(scenario) if policy.reserve else ():
        yield from _shares_fit(scenario, policy, fence, at)


def _named_known(scenario: "Scenario", entry: Reserve, at: str) -> Iterator[Fault]:
    """Keep GPUs only for tenants and classes that are listed, and only nodes that exist."""
    tenants = {tenant.name: None for tenant in scenario.tenants}
    if entry.who.tenant is not None and entry.who.tenant not in tenants:
        yield unknown(f"{at}.for.tenant", entry.who.tenant, tenants, Phrase("tenants are"))
    arrivals = scenario.workload.arrivals
    classes = {job_class.name: None for job_class in scenario.workload.classes}
    classes |= {row.job_class: None for row in arrivals.jobs or () if row.job_class is not None}
    is_known = arrivals.kind in {"log", "jobs_csv"}  # their classes are known when they are read
    if entry.who.job_class is not None and entry.who.job_class not in classes and not is_known:
        yield unknown(f"{at}.for.class", entry.who.job_class, classes, Phrase("classes are"))
    last = scenario.cluster.nodes - 1
    for node in entry.nodes or ():
        if node > last:
            yield Fault(
                f"{at}.nodes",
                node,
                Phrase("a list of node numbers from 0 to {last:,}, the last node of the cluster", last=last),
            )
            break


def _shares_fit(scenario: "Scenario", policy: Policy, fence: Fence, at: str) -> Iterator[Fault]:
    """Keep no more behind a fence than what its tenants' guarantees leave."""
    shares = sum(entry.share_milli for entry in policy.reserve or () if _concerns(scenario, entry, fence))
    inner = {tenant.parent for tenant in scenario.tenants}
    guarantees = sum(
        quota.guarantee
        for quota in effective_quotas(scenario, policy.isolation)
        if quota.tenant in fence.tenants and quota.tenant not in inner and policy.isolation != "none"
    )
    if shares and shares * fence.gpus > MILLI * (fence.gpus - guarantees):
        left = max(0, fence.gpus - guarantees)
        problem = Phrase(
            "the shares of {path} sum to {shares} in {name}; they may sum to at most {what}",
            shares=units.from_milli(shares),
            name=fence.name,
            what=units.format_number(left / fence.gpus if fence.gpus else 0),
        )
        why = (
            Phrase(
                ", because {guarantees:,} of {gpus:,} GPUs there are guaranteed", guarantees=guarantees, gpus=fence.gpus
            )
            if guarantees
            else ""
        )
        yield Fault(f"{at}.reserve", units.from_milli(shares), "", Phrase("{problem}{why}.", problem=problem, why=why))


def _concerns(scenario: "Scenario", entry: Reserve, fence: Fence) -> bool:
    """Return whether jobs behind a fence can belong to those for whom something is kept."""
    names = [tenant.name for tenant in scenario.tenants]
    if entry.who.tenant is not None and entry.who.tenant in names:
        below = leaves_below(parents_of(scenario.tenants), names.index(entry.who.tenant))
        return any(names[row] in fence.tenants for row in below)
    owners = [found.tenant for found in scenario.workload.classes if found.name == entry.who.job_class]
    return not owners or any(owner in fence.tenants for owner in owners)
