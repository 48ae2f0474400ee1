from typing import Any

import pytest

from scheduler_core import simulate
from scheduler_core.errors import InputError, ScenarioError
from scheduler_core.policies._expression import STEPS, steps_of
from scheduler_core.scenario import Scenario
from tests.builders import job, scenario


def line(expression: str, **policy: Any) -> Scenario:  # noqa: ANN401
    """Return a job that holds the node to 10, and three of 8 GPUs that wait: early and idle, small limit, urgent."""
    jobs = [job(0, 10, 8), job(1, 5, 8, limit=7_200, priority=0.1)]
    jobs += [job(2, 5, 8, limit=3_600, priority=0.2), job(3, 5, 8, limit=7_200, priority=0.9)]
    return scenario(jobs, order={"formula": expression}, **policy)


@pytest.mark.parametrize(
    ("expression", "starts"),
    [
        ("priority", [20, 15, 10]),
        ("-limit_h", [15, 10, 20]),  # equal values fall to the earlier submit
        ("1 / limit_h + 0.1 * priority", [20, 10, 15]),  # 0.51, 1.02, 0.59
        ("min(priority, 0.15) * gpus ** 2", [20, 10, 15]),  # 0.1, 0.15, 0.15
        ("wait_h", [10, 15, 20]),
        ("priority - 1000 * wait_h", [20, 15, 10]),  # who came last waited least
        ("exp(priority) * (1 + 0 * wait_h)", [20, 15, 10]),
    ],
)
def test_the_highest_value_starts_first(expression: str, starts: list[int]) -> None:
    outcome = simulate(line(expression)).outcome
    assert [start // 1_000 for start in outcome.start_ms.tolist()] == [0, *starts]


def test_members_of_one_size_pass_each_other_as_time_goes_by() -> None:
    # priority x hours waited: B (0.2, from 0) and C (0.8, from 30 s). At 35 s: 7 against 4, so B; at 45 s 9 against 12.
    for until, first in ((35, [35, 40]), (45, [50, 45])):
        jobs = [job(0, until, 8), job(0, 5, 8, priority=0.2), job(30, 5, 8, priority=0.8)]
        outcome = simulate(scenario(jobs, order={"formula": "priority * wait_h"})).outcome
        assert [start // 1_000 for start in outcome.start_ms.tolist()] == [0, *first]


def test_a_formula_without_waiting_goes_with_every_discipline() -> None:
    for discipline in ("easy", "conservative"):
        assert simulate(line("priority", discipline=discipline)).outcome.start_ms[3] == 10_000


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("urgency + 1", "it may not hold urgency"),
        ("__import__('os')", "it may not hold __import__"),
        ("priority.real", "it may not hold priority.real"),
        ("min(priority)", "min takes 2 values"),
        ("priority +", "this cannot be read"),
        ("1 if priority else 2", "it may not hold 1 if priority else 2"),
        ("+".join(["priority"] * 40), "it has 359 characters"),
        ("+".join(["gpus"] * 40), "it has 79 steps"),
        ("", "this cannot be read"),
    ],
)
def test_what_a_formula_may_not_hold_is_refused_by_name(expression: str, why: str) -> None:
    with pytest.raises(ScenarioError, match="must be an expression of priority, wait_h") as refusal:
        line(expression)
    assert why in str(refusal.value)


@pytest.mark.parametrize(
    "expression", ["1 / (gpus - 8)", "log(wait_h)", "exp(1000)", "1e9", "(0 - 2) ** 0.5", "0 ** (-1)"]
)
def test_a_formula_without_a_finite_value_for_some_job_is_refused(expression: str) -> None:
    with pytest.raises(InputError, match="below 1e9 for every job; with priority 0"):
        simulate(line(expression))


def test_a_job_without_a_value_after_some_wait_ranks_last_then() -> None:
    # At 36 s (0.01 h) the first has no value; the other, 27 s (0.0075 h), has 1 / -0.0025 = -400 and goes ahead.
    jobs = [job(0, 36, 8), job(0, 5, 8), job(9, 5, 8)]
    outcome = simulate(scenario(jobs, order={"formula": "1 / (wait_h - 0.01)"})).outcome
    assert [start // 1_000 for start in outcome.start_ms.tolist()] == [0, 41, 36]


def test_steps_are_those_of_a_stack() -> None:
    assert steps_of("-gpus * 2") == [("gpus", 0.0), ("negate", 0.0), ("number", 2.0), ("*", 0.0)]
    assert len(set(STEPS)) == len(STEPS)
