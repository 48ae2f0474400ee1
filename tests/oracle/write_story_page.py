"""Write the tables of docs/story.md anew: ``python -m tests.oracle.write_story_page [story] [weeks] [gaps]``."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scheduler_core.scenario import apply, load_case
from scheduler_core.studies.replicate import Replications, replicate
from tests.oracle.story_weeks import GAPS, WEEKS, Variant, by_gap, by_week

PAGE = Path(__file__).parents[2] / "docs" / "story.md"
SEEDS = 5
MINUTE_MS = 60_000.0


@dataclass(frozen=True)
class Step:
    """A step of the story: its case, what changes, and what the articles say."""

    case: str
    what: str
    article: str


STEPS = (
    Step("fenced-research@1", "first in, first out behind a fence", "38 %; over 4 h (`article-000`)"),
    Step("three-zone-a100@1", "the fence comes down", "none"),
    Step("added-work@1", "2,700 more jobs a day", "62 % (`article-000`)"),
    Step("tiers@1", "priorities, best effort", "32 min (`article-000`)"),
    Step("tiers-reserved@1", "20 % kept for the lowest tier", "20 % (`article-000`)"),
)


def computed(step: Step) -> Replications:
    """Return the step's case over the seeds, with the window that all steps share."""
    return replicate(apply(load_case(step.case), {"run.days": 3, "run.warmup_days": 1}), SEEDS)


def figure(found: Replications, slug: str, scope: str, unit: float) -> str:
    """Return mean and interval of a metric in units, or `none` where the case has no such jobs or cannot evict."""
    if scope.startswith("class:") and scope[6:] not in {each.name for each in found.scenario.workload.classes}:
        return "none"
    said = found.estimate(slug, scope)
    if said.mean is None:
        return "none"
    assert said.low is not None
    assert said.high is not None
    return f"{said.mean / unit:.1f} ({said.low / unit:.1f} to {said.high / unit:.1f})"


def row(at: int, step: Step, found: Replications) -> str:
    """Return a row of the table."""
    cells = (
        figure(found, "utilisation", "all", 0.01),
        figure(found, "wait_mean", "tenant:research", MINUTE_MS),
        figure(found, "wait_p99", "class:deferred", MINUTE_MS),
    )
    return f"| {at} | `{step.case}` | {step.what} | {step.article} | {' | '.join(cells)} |"


MEASURES = (
    ("Use, %", "utilisation", "all", 0.01),
    ("Research, min", "wait_mean", "tenant:research", MINUTE_MS),
    ("Lowest tier, min", "wait_p99", "class:deferred", MINUTE_MS),
    ("Hit, %", "preempted_share", "all", 0.01),
)
ADDED = ("Added work, %", "elastic_share", "all", 0.01)
LOST = ("Lost, GPU-h", "lost_own_queue_gpu_h", "all", 1.0)
Measure = tuple[str, str, str, float]


def story(runs: Sequence[Replications]) -> str:
    """Return the table of the steps."""
    names = "| Step | Case | Change | Articles | Use, % | Research, min | Lowest tier, min |"
    head = f"{names}\n|---|---|---|---|---:|---:|---:|\n"
    return head + "\n".join(row(at, step, found) for at, (step, found) in enumerate(zip(STEPS, runs, strict=True), 1))


def table(first: str, of: Sequence[Variant], measures: Sequence[Measure], runs: Sequence[Replications]) -> str:
    """Return a table with a row for each variant and a column for each measure."""
    names = " | ".join(name for name, *_ in measures)
    head = f"| {first} | Articles | {names} |\n|---|---|{'---:|' * len(measures)}\n"
    rows = []
    for each, found in zip(of, runs, strict=True):
        cells = [figure(found, slug, scope, unit) for _, slug, scope, unit in measures]
        rows.append(f"| {each.what} | {each.article} | {' | '.join(cells)} |")
    return head + "\n".join(rows)


def weeks(runs: Sequence[Replications]) -> str:
    """Return the table of the four weeks."""
    return table("Week", WEEKS, (MEASURES[0], ADDED, *MEASURES[1:]), runs)


def gaps(runs: Sequence[Replications]) -> str:
    """Return the table of the gaps that may evict."""
    return table("Eviction", GAPS, (*MEASURES, LOST), runs)


def written(page: str, name: str, text: str) -> str:
    """Return the page with one of its tables as it is now."""
    before, start, rest = page.partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return f"{before}{start}{text}\n{end}{after}"


TABLES: dict[str, Callable[[], str]] = {
    "story": lambda: story([computed(step) for step in STEPS]),
    "weeks": lambda: weeks(by_week(SEEDS)),
    "gaps": lambda: gaps(by_gap(SEEDS)),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        text = TABLES[name]()
        PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")
