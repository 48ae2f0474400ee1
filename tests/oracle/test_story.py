"""The story of the articles: the page is current, and every step does what the page says."""

import pytest

from scheduler_core.studies.replicate import Replications
from tests.oracle.write_story_page import PAGE, STEPS, computed, written


@pytest.fixture(scope="module")
def runs() -> list[Replications]:
    return [computed(step) for step in STEPS]


def mean(found: Replications, slug: str, scope: str = "all") -> float:
    value = found.estimate(slug, scope).mean
    assert value is not None
    return value


def test_the_page_shows_the_figures_of_today(runs: list[Replications]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page, runs), "run python -m tests.oracle.write_story_page"


def test_each_step_changes_what_the_page_says(runs: list[Replications]) -> None:
    fenced, down, more, tiers, reserved = runs
    research = "tenant:research"
    assert mean(fenced, "wait_mean", research) > 100 * mean(down, "wait_mean", research)
    assert mean(down, "utilisation") == pytest.approx(mean(fenced, "utilisation"), abs=0.03)
    assert mean(more, "utilisation") > mean(down, "utilisation") + 0.2
    assert mean(tiers, "utilisation") == pytest.approx(mean(more, "utilisation"), abs=0.01)
    assert mean(tiers, "wait_mean", research) < mean(more, "wait_mean", research) / 3
    assert mean(reserved, "wait_p99", "class:deferred") < mean(tiers, "wait_p99", "class:deferred") / 10
    assert mean(reserved, "wait_p99", "class:sweep") > mean(tiers, "wait_p99", "class:sweep")
