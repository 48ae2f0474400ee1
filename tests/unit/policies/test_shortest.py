from typing import Any

import pytest

from scheduler_core import ScenarioError, simulate
from tests.builders import job, scenario


def starts(order: Any) -> list[int]:  # noqa: ANN401 - as a document may write it
    """Return the starts in s of four jobs; three wait for the node until 10.

    Row 1 runs 30 s of 30 it may, row 2 runs 5 s of 40, row 3 runs 20 s and has no limit (365 days).
    """
    jobs = [job(0, 10, 8), job(1, 30, 8, limit=30), job(1, 5, 8, limit=40), job(1, 20, 8)]
    return [start // 1_000 for start in simulate(scenario(jobs, order=order)).outcome.start_ms.tolist()]


@pytest.mark.parametrize("order", ["shortest", {"shortest": {"by": "limit"}}])
def test_by_limit_counts_what_the_user_asked_for(order: object) -> None:
    assert starts(order) == [0, 10, 40, 45]  # limits 30 < 40 < 365 days: rows 1, 2, 3


def test_by_true_run_time_knows_what_nobody_knows() -> None:
    assert starts({"shortest": {"by": "true"}}) == [0, 35, 10, 15]  # run times 5 < 20 < 30: rows 2, 3, 1


def test_a_limit_of_nothing_counts_as_one_millisecond() -> None:
    jobs = [job(0, 10, 8), job(1, 10, 8, limit="1ms"), job(1, 10, 8, limit=0)]
    assert simulate(scenario(jobs, order="shortest")).outcome.start_ms.tolist() == [0, 10_000, 20_000]


def test_another_word_is_refused() -> None:
    with pytest.raises(ScenarioError, match="one of limit, true"):
        starts({"shortest": {"by": "guess"}})
