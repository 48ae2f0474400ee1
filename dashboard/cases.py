"""The named cases: their titles, and questions that are one click away from a scenario."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from dashboard.i18n import clip, has, plain
from scheduler_core import Scenario, cases, join_path, load_case


@cache
def slugs() -> tuple[str, ...]:
    """Return the named cases, the default one first."""
    return tuple(cases())


def title(slug: str) -> str:
    """Return the name of a case in the language of the session; its own name where we have no text."""
    key = f"case.{slug.partition('@')[0]}"
    return plain(key) if has(key) else clip(load_case(slug).name)


def name_of(scenario: Scenario) -> str:
    """Return the name of a scenario; in the language of the session where it is still that of its case."""
    key = f"case_name.{(scenario.case or '').partition('@')[0]}"
    return plain(key) if has(key) and scenario.name == _own_name(str(scenario.case)) else clip(scenario.name)


@cache
def _own_name(slug: str) -> str:
    return load_case(slug).name


def lead(slug: str) -> str:
    """Return one sentence about a case, or nothing."""
    key = f"case_lead.{slug.partition('@')[0]}"
    return plain(key) if has(key) else ""


@dataclass(frozen=True)
class Try:
    """A question that is one change away: key of its text, and path -> text of the change."""

    key: str
    changes: Mapping[str, str]


_POLICIES: Final = (
    Try("try.best_effort", {"policy.discipline": "best_effort"}),
    Try("try.easy", {"policy.discipline": "easy"}),
    Try("try.shortest", {"policy.order": "{shortest: {by: true}}"}),
)


def tries(scenario: Scenario) -> list[Try]:
    """Return the questions that would change `scenario`."""
    found: list[Try] = []
    fenced = [tenant.name for tenant in scenario.tenants if tenant.pool is not None]
    if fenced:
        found.append(Try("try.no_fence", {join_path(("tenants", name, "pool")): "null" for name in fenced}))
    arrivals = scenario.workload.arrivals
    if arrivals.process is not None and arrivals.day == "office":
        found.append(Try("try.flat_day", {"workload.arrivals.day": "flat"}))
    policy = scenario.policy
    for each in _POLICIES:
        path, text = next(iter(each.changes.items()))
        slug = getattr(policy, path.rpartition(".")[2]).slug
        if slug not in text:
            found.append(each)
    return found
