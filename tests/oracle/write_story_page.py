"""Write the table of docs/story.md anew: ``python -m tests.oracle.write_story_page``."""

from dataclasses import dataclass
from pathlib import Path

from scheduler_core.scenario import apply, load_case
from scheduler_core.studies.replicate import Replications, replicate

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
    """Return mean and interval of a metric in units, or `none` where the case has no such jobs."""
    if scope.startswith("class:") and scope[6:] not in {each.name for each in found.scenario.workload.classes}:
        return "none"
    said = found.estimate(slug, scope)
    assert said.mean is not None
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


def written(page: str, runs: list[Replications]) -> str:
    """Return the page with its table as it is now."""
    names = "| Step | Case | Change | Articles | Use, % | Research, min | Lowest tier, min |"
    head = f"{names}\n|---|---|---|---|---:|---:|---:|\n"
    rows = "\n".join(row(at, step, found) for at, (step, found) in enumerate(zip(STEPS, runs, strict=True), start=1))
    before, start, rest = page.partition("<!-- story -->\n")
    _, end, after = rest.partition("<!-- end -->")
    return f"{before}{start}{head}{rows}\n{end}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), [computed(step) for step in STEPS]), encoding="utf-8")
