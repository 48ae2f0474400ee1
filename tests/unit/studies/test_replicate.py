"""Replications: order, defaults, sums and means."""

import pytest

from scheduler_core.errors import CoreError, InputError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import Summary, Value
from scheduler_core.phrases import Phrase
from scheduler_core.result import Result
from scheduler_core.scenario import Scenario, load_case
from scheduler_core.studies import Progress, combine, default_replications, replicate
from tests.unit.metrics.hand import Job, S, hand_result

CASE = load_case("one-pool-poisson@1")


class Fake:
    """Runs that wait 10 s longer in each replication, and one job more."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def __call__(
        self,
        scenario: Scenario,  # noqa: ARG002
        *,
        replication: int = 0,
        log: JobTable | None = None,  # noqa: ARG002
        progress: Progress | None = None,
    ) -> Result:
        self.seen.append(replication)
        if progress is not None and not progress(0.5):
            raise CoreError(Phrase("cancelled"))
        wait = 10 * (replication + 1)
        jobs = [Job(0, wait, wait + 5, causes={"capacity": wait}) for _ in range(replication + 1)]
        return hand_result(jobs, replication=replication)


def test_replications_run_in_order_and_default_to_what_the_scenario_asks() -> None:
    fake = Fake()
    runs = replicate(CASE, simulate=fake)
    assert fake.seen == [0, 1, 2, 3, 4]
    assert runs.n == CASE.run.replications == 5
    assert [s.provenance.replication for s in runs.summaries] == [0, 1, 2, 3, 4]


def test_estimate_takes_one_number_from_each_replication() -> None:
    runs = replicate(CASE, 3, simulate=Fake())
    found = runs.estimate("wait_mean")
    assert found.mean == 20 * S  # (10 + 20 + 30) / 3
    assert found.median == 20 * S
    assert found.n == 3
    assert found.low == 0  # 20 - 4.30 x 10 / sqrt(3) = -4.8 s, and no wait is negative


def test_combined_summary_has_mean_metrics_and_summed_jobs_and_causes() -> None:
    combined = replicate(CASE, 3, simulate=Fake()).combined
    assert combined.value("wait_mean") == Value(20.0 * S)
    assert combined.jobs["all"] == 6  # 1 + 2 + 3
    assert combined.cause_ms["all"] == {"capacity": (10 + 2 * 20 + 3 * 30) * S}
    assert combined.books_gpu_ms["useful"] == 6 * 5 * S


def test_lower_bound_in_one_replication_makes_the_mean_one() -> None:
    first = replicate(CASE, 1, simulate=Fake()).summaries[0]

    def pending(scenario: Scenario, **_: object) -> Result:  # noqa: ARG001
        return hand_result([Job(0, None, None)], end_s=100)

    second = replicate(CASE, 1, simulate=pending).summaries[0]
    assert combine((first, second)).value("wait_mean") == Value(55.0 * S, is_lower_bound=True)  # (10 + 100) / 2
    assert combine((first,)) is first


def test_progress_covers_all_runs_and_false_cancels() -> None:
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return len(shares) < 2

    with pytest.raises(CoreError, match="cancelled"):
        replicate(CASE, 4, simulate=Fake(), progress=note)
    assert shares == [0.125, 0.375]  # half of the first, of the second of four


def test_each_result_is_handed_over_as_soon_as_it_is_there() -> None:
    kept: list[tuple[int, int]] = []

    def keep(result: Result, summary: Summary) -> None:
        kept.append((result.n_jobs, summary.jobs["all"]))

    replicate(CASE, 2, simulate=Fake(), keep=keep)
    assert kept == [(1, 1), (2, 2)]


def test_nothing_drawn_is_run_once() -> None:
    assert default_replications(CASE) == 5
    assert default_replications(CASE, hand_result([Job(0, 0, 1)]).table) == 1


def test_no_replication_is_refused() -> None:
    with pytest.raises(InputError, match="replications is 0"):
        replicate(CASE, 0, simulate=Fake())
