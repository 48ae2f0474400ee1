"""The four weeks of the articles in one run, measured week by week, and the step of eviction under other settings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.metrics import Summary, summarize
from scheduler_core.result import Result
from scheduler_core.scenario import Scenario, apply, load_case
from scheduler_core.studies.replicate import Replications, replicate

MONTH = "four-weeks@1"
EVICTING = "tiers-evicting@1"
WEEK_DAYS = 7


@dataclass(frozen=True)
class Variant:
    """A row of a table: what is different in it, what the articles say, and the changes to the case."""

    what: str
    article: str
    changes: Mapping[str, Any]


WEEKS = (
    Variant("a fence, first in, first out", "38 %; over 4 h (`article-000`)", {}),
    Variant("the fence comes down", "none", {}),
    Variant("tiers, 20 % kept for the lowest", "20 % (`article-000`)", {}),
    Variant("eviction from 0.6, 5 minutes of grace", "62 %; 32 min (`article-000`)", {}),
)
GAPS = (
    Variant("no eviction", "none", {"policy.preemption": "null"}),
    Variant("from 0.5", "12 % hit (`article-000`)", {"policy.preemption.min_gap": 0.5}),
    Variant("from 0.6", "the choice of the articles", {}),
    Variant("from 0.7", "4 % hit, use 8 points lower (`article-000`)", {"policy.preemption.min_gap": 0.7}),
    Variant("from 0.6, no grace", "5 minutes (`article-000`)", {"policy.preemption.grace": "0s"}),
)


def week_of(scenario: Scenario, week: int) -> Scenario:
    """Return the scenario with one week as its window; the run itself is longer, so no document says this."""
    run = scenario.run.model_copy(update={"warmup_days": WEEK_DAYS * week, "days": WEEK_DAYS * (week + 1)})
    return scenario.model_copy(update={"run": run})


def by_week(seeds: int) -> list[Replications]:
    """Run the four weeks over the seeds; return each week: jobs submitted in it, with their whole wait."""
    scenario = load_case(MONTH)
    found: list[list[Summary]] = [[] for _ in WEEKS]

    def keep(result: Result, _whole: Summary) -> None:
        for week, summaries in enumerate(found):
            summaries.append(summarize(replace(result, scenario=week_of(scenario, week))))

    replicate(scenario, seeds, keep=keep)
    return [Replications(week_of(scenario, week), tuple(each)) for week, each in enumerate(found)]


def by_gap(seeds: int, run: Mapping[str, Any] | None = None) -> list[Replications]:
    """Run the step of eviction with each setting."""
    case = load_case(EVICTING)
    return [replicate(apply(case, {**each.changes, **(run or {})}), seeds) for each in GAPS]
