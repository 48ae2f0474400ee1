"""Paired differences on the same jobs."""

import pytest

from scheduler_core.result import Result
from scheduler_core.scenario import Scenario, load_case
from scheduler_core.studies import compare, compare_metric, pair_jobs, replicate
from tests.unit.metrics.hand import Job, S, hand_result

BEFORE = load_case("one-pool-poisson@1")
AFTER = BEFORE.model_copy(update={"name": "after"})
LUCK = (0, 900, 100, 400, 2_000)


def simulate(scenario: Scenario, *, replication: int = 0, **_: object) -> Result:
    """Luck is large and common to both; the second scenario costs `big` 10 s and saves `small` 5 s."""
    is_after = scenario.name == "after"
    luck = LUCK[replication]
    big = luck + 100 + (10 + replication if is_after else 0)
    small = luck + 50 - (5 if is_after else 0)
    jobs = [
        Job(0, big, big + 60, gpus=8, tenant="big", job_class="big", runtime=60),
        Job(1, 1 + small, 61 + small, tenant="small", job_class="small", runtime=60),
    ]
    return hand_result(jobs, replication=replication)


def test_common_luck_cancels_in_paired_differences() -> None:
    found = compare(BEFORE, AFTER, 5, simulate=simulate)
    row = found.difference("wait_mean", "class:big")
    assert row.difference.mean == 12 * S  # 10, 11, 12, 13, 14
    assert row.difference.low == pytest.approx(
        (12 - 2.7764 * 2.5**0.5 / 5**0.5) * S, rel=1e-4
    )  # t(.975, 4) x s / sqrt(5)
    assert row.change == "worse"
    assert not row.before.excludes_zero  # alone, luck drowns it
    assert found.difference("wait_mean", "class:small").change == "better"
    assert found.difference("utilisation").change == "same"


def test_losers_are_those_who_wait_longer_largest_growth_first() -> None:
    found = compare(BEFORE, AFTER, 3, simulate=simulate)
    assert [loser.scope for loser in found.losers] == ["class:big", "tenant:big", "size:8-15"]
    assert found.losers[0].n_jobs == 1
    assert found.losers[0].wait.difference.mean == 11 * S


def test_single_replication_has_no_verdict_but_names_who_waits_longer() -> None:
    found = compare(BEFORE, AFTER, 1, simulate=simulate)
    assert found.difference("wait_mean", "class:big").change == "unclear"
    assert {loser.scope for loser in found.losers} == {"class:big", "tenant:big", "size:8-15"}


def test_jobs_are_paired_where_both_runs_saw_the_same() -> None:
    found = compare(BEFORE, AFTER, 2, simulate=simulate)
    assert found.is_paired
    assert found.jobs is not None
    assert (found.jobs.n_jobs, found.jobs.sooner_share, found.jobs.later_share) == (2, 0.5, 0.5)
    # big: 170 / 160 s; small: 105 / 110 s -> the median of two is their mean
    assert found.jobs.jct_ratio_median == pytest.approx((170 / 160 + 105 / 110) / 2)


def test_different_jobs_are_not_paired() -> None:
    one, two = hand_result([Job(0, 0, 5)]), hand_result([Job(0, 0, 5), Job(1, 1, 2)])
    longer = hand_result([Job(0, 0, 6)])
    assert pair_jobs(one, two) is None
    assert pair_jobs(one, longer) is None


def waits(first: float, *, is_pending: bool) -> list[Job]:
    return [Job(0, first, 99), Job(0, None, None) if is_pending else Job(0, first, 99)]


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ((60, False), (50, False), "better"),
        ((60, True), (20, False), "better"),  # before may have been worse still
        ((20, False), (60, True), "worse"),  # after may be worse still
        ((20, True), (90, False), "unclear"),  # before may have been as bad
        ((90, False), (20, True), "unclear"),
        ((60, True), (50, True), "unclear"),
    ],
)
def test_lower_bound_decides_only_on_its_safe_side(
    before: tuple[float, bool], after: tuple[float, bool], change: str
) -> None:
    def run(scenario: Scenario, *, replication: int = 0, **_: object) -> Result:
        wait, is_pending = after if scenario.name == "after" else before
        return hand_result(waits(wait, is_pending=is_pending), end_s=70 + replication, replication=replication)

    first, second = replicate(BEFORE, 3, simulate=run), replicate(AFTER, 3, simulate=run)
    assert compare_metric(first, second, "wait_mean").change == change


def test_progress_of_a_comparison_runs_from_0_to_1_once() -> None:
    shares: list[float] = []

    def with_progress(scenario: Scenario, *, replication: int = 0, progress: object = None, **_: object) -> Result:
        assert callable(progress)
        progress(1.0)
        return simulate(scenario, replication=replication)

    def note(share: float) -> bool:
        shares.append(share)
        return True

    compare(BEFORE, AFTER, 2, simulate=with_progress, progress=note)
    assert shares == [0.25, 0.5, 0.75, 1.0]
