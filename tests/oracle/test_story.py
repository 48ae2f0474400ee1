"""The story of the articles: the page is current, and every step does what the page says."""

import tomllib
from pathlib import Path

import pytest

from scheduler_core.studies.replicate import Replications
from tests.oracle.story_weeks import by_gap, by_week
from tests.oracle.write_story_page import PAGE, STEPS, TABLES, computed, story, written

STRINGS = Path(__file__).parents[2] / "dashboard" / "strings.toml"


@pytest.fixture(scope="module")
def runs() -> list[Replications]:
    return [computed(step) for step in STEPS]


def mean(found: Replications, slug: str, scope: str = "all") -> float:
    value = found.estimate(slug, scope).mean
    assert value is not None
    return value


def test_the_page_shows_the_figures_of_today(runs: list[Replications]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page, "story", story(runs)), "run python -m tests.oracle.write_story_page"


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


@pytest.mark.full
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("name", ["weeks", "gaps"])
def test_the_page_shows_the_weeks_and_the_gaps_of_today(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page, name, TABLES[name]()), f"run python -m tests.oracle.write_story_page {name}"


def test_the_case_tells_the_figures_of_the_page_in_both_languages() -> None:
    rows = PAGE.read_text(encoding="utf-8").partition("<!-- weeks -->\n")[2].splitlines()[2:6]
    means = [[cell.split(" (")[0] for cell in (cells[2], cells[4])] for cells in (row.split(" | ") for row in rows)]
    texts = tomllib.loads(STRINGS.read_text(encoding="utf-8"))["case_lead.four-weeks"]
    for text in texts.values():
        assert all(mean in text for row in means for mean in row), (text, means)


@pytest.mark.full
@pytest.mark.timeout(400)
def test_each_week_changes_what_the_page_says() -> None:
    fenced, down, tiers, evicting = weeks = by_week(1)
    research, lowest, long = "tenant:research", "class:deferred", "class:pretrain"
    assert mean(fenced, "wait_mean", research) > 10 * mean(down, "wait_mean", research)
    assert mean(tiers, "wait_mean", research) < mean(down, "wait_mean", research)
    # All that was on offer came once research did not wait: the added work, and only that, raises the use.
    added = [mean(week, "elastic_share") for week in weeks]
    used = [mean(week, "utilisation") for week in weeks]
    assert added[0] < min(added[1:]) / 2
    assert min(used[1:]) > used[0] + 0.1
    # Without eviction long runs of many GPUs wait for room; with it they hardly do, and the lowest tier is hit for it.
    assert mean(evicting, "wait_mean", long) < mean(tiers, "wait_mean", long) / 2
    assert mean(evicting, "wait_p99", lowest) > mean(tiers, "wait_p99", lowest)
    assert [mean(week, "preempted_share") > 0 for week in weeks[:2]] == [False, False]
    assert mean(evicting, "preempted_share", lowest) > 0.2
    assert mean(evicting, "lost_own_queue_gpu_h") == 0  # a save takes 2 of the 5 minutes


@pytest.mark.full
@pytest.mark.timeout(400)
def test_a_larger_gap_hits_fewer_and_uses_less_and_only_a_grace_saves_the_work() -> None:
    none, low, middle, high, at_once = by_gap(1, {"run.days": 2})
    hit = [mean(found, "preempted_share") for found in (low, middle, high, none)]
    used = [mean(found, "utilisation") for found in (low, middle, high, none)]
    assert hit == sorted(hit, reverse=True)
    assert hit[2] > hit[3] == 0
    assert used == sorted(used, reverse=True)
    assert mean(middle, "lost_own_queue_gpu_h") == 0
    assert mean(at_once, "lost_own_queue_gpu_h") > 100
