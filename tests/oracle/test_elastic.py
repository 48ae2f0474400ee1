"""Timelines worked by hand: elastic demand (10.9 to 10.12 of docs/model.md). Times are minutes."""

from collections.abc import Mapping
from typing import Any

import pytest

from scheduler_core.errors import InputError, ScenarioError
from scheduler_core.scenario import load
from scheduler_core.workload import build
from tests.builders import Row
from tests.oracle.asked import Document, Play, asked, job_class, tenant
from tests.oracle.pairs import Seen

MECHANISMS = ("elastic",)
MIN = 60_000
HALF_HOUR = 30 / 1_440
SWEEP = job_class("sweep", gpus=4, duration={"fixed": "30min"})  # 2 GPU-h a job


def at(submit: int, duration: int, gpus: int, **more: object) -> Row:
    return {
        "submit": f"{submit}min",
        "duration": f"{duration}min",
        "gpus": gpus,
        "tenant": "all",
        "id": str(submit),
    } | more


def elastic(when: Mapping[str, Any], per_day: float = 288, **more: object) -> Document:
    """One job at each offer: 288 GPU-h a day are 2 each 10 min."""
    return {"class": "sweep", "appears_when": dict(when), "up_to_gpu_h_per_day": per_day} | more


def wait_below(minutes: int) -> Document:
    return {"wait_p50_below": f"{minutes}min"}


def play_minutes(play: Play, jobs: list[Row], demand: Document, minutes: float = 35, **more: Any) -> Seen:  # noqa: ANN401
    run = {"days": minutes / 1_440}
    return play(asked(jobs, run=run, elastic=demand, **{"classes": [SWEEP]} | more))


def starts(seen: Seen) -> list[float]:
    return [start / MIN if start >= 0 else start for start in seen.start]


def test_more_than_half_must_have_waited_less_than_the_bound(play: Play) -> None:
    # 10.12. Rows: A, B, elastic-0 (10), elastic-1 (20), elastic-2 (30). B ends at 25; elastic-0 starts then, having
    # waited 15. At 30 three started: waits 0, 14, 15: one short of three.
    seen = play_minutes(play, [at(0, 15, 4), at(1, 10, 8)], elastic(wait_below(5)))
    assert seen.state == ["finished", "finished", "running", "withheld", "withheld"]
    assert starts(seen) == [0, 15, 25, -1, -1]
    assert seen.causes == [{}, {"capacity": 14 * MIN}, {"order": 5 * MIN, "capacity": 10 * MIN}, {}, {}]
    assert not any(seen.order_behind.values())  # elastic jobs are in no metric of jobs


def test_nobody_waits_and_nobody_started_opens_the_gate(play: Play) -> None:
    # An empty cluster: offers at 10, 20, 30 all come.
    # The first two take 8 GPUs until 40; at 30 both have waited 0, so the third comes, and waits. The listed job comes
    # after the end.
    seen = play_minutes(play, [at(40, 1, 8)], elastic(wait_below(5)))
    assert starts(seen) == [10, 20, -1, -1]
    assert seen.state == ["running", "running", "pending", "pending"]


def test_somebody_waits_and_nobody_started_closes_it(play: Play) -> None:
    # With a window of 1 min: A starts at 0, B waits from 1. At 10 and 20 nobody has started in the last minute, and B
    # waits: withheld. B starts at 25; at 30 nothing started since 29 and nobody waits: elastic-2 comes, behind B.
    seen = play_minutes(play, [at(0, 25, 8), at(1, 60, 8)], elastic(wait_below(5), window="1min"))
    assert seen.state == ["finished", "running", "withheld", "withheld", "pending"]


def test_a_start_at_the_edge_of_the_window_counts_and_one_now_does_not(play: Play) -> None:
    # Window 10 min, bound 6. X runs 0 to 10, Y waits from 1 and starts at 10, after 9. At 10 X counts (0, exactly a
    # window ago), Y not yet: one of one, elastic-0 comes and starts at 15, after 5. At 20 Y (at the edge) and elastic-0
    # count: one of two, withheld. At 30 nobody started since 20 and nobody waits: elastic-2 comes.
    jobs = [at(0, 10, 8), at(1, 5, 8)]
    seen = play_minutes(play, jobs, elastic(wait_below(6), window="10min"))
    assert seen.state == ["finished", "finished", "running", "withheld", "running"]
    assert starts(seen) == [0, 10, 15, -1, 30]


def test_only_jobs_of_its_own_tenant_count(play: Play) -> None:
    # Tenant b runs and waits as above, tenant all has nothing: nobody of it started or waits, so the gate is open.
    jobs = [at(0, 15, 8, tenant="b"), at(1, 10, 8, tenant="b")]
    seen = play_minutes(play, jobs, elastic(wait_below(5)), tenants=[tenant("all"), tenant("b")])
    # At 20 and 30 elastic-0 waits for its first start (25): closed at 20. At 30 it has started, after 15: closed.
    assert seen.state == ["finished", "finished", "running", "withheld", "withheld"]


@pytest.mark.needs("quotas")
def test_free_quota_opens_the_gate(play: Play) -> None:
    # all has nominal 6 of 8. At 10 its A holds 4: 6 - 4 = 2 free, 4 are asked for. A ends at 12; at 20 6 are free:
    # elastic-1 comes. At 30 it holds 4: closed again.
    tenants = [tenant("all", 6), tenant("b", 2)]
    seen = play_minutes(play, [at(0, 12, 4)], elastic({"quota_free_gpus": 4}), tenants=tenants, isolation="borrow")
    assert seen.state == ["finished", "withheld", "running", "withheld"]
    assert starts(seen) == [0, -1, 20, -1]


@pytest.mark.needs("change")
def test_the_gate_is_judged_after_a_change_of_policy_and_starts_are_remembered(play: Play) -> None:
    # Strict until 20: C (2 GPUs) waits behind B (8). At 20 best effort lets C start after 17 min. At 20 the gate still
    # knows A alone (0: open). At 30: A 0, C 17, elastic-0 (10, waited 10, started at 20): one short of three.
    jobs = [at(0, 60, 2), at(1, 10, 8), at(3, 60, 2)]
    change = [{"at": "20min", "policy": {"discipline": "best_effort"}}]
    seen = play_minutes(play, jobs, elastic(wait_below(5)), change=change)
    assert seen.state == ["running", "pending", "running", "running", "pending", "withheld"]
    assert starts(seen) == [0, -1, 20, 20, -1, -1]


def test_offers_come_at_an_even_rate_and_more_work_a_day_begins_with_the_same_jobs() -> None:
    # 144 GPU-h a day are 1 each 10 min, a job has 2: offers at 10 (w = 0), 30 (w = 2), 50 ...
    one = build(load(asked([at(0, 1, 1)], run={"days": 1}, classes=[SWEEP], elastic=elastic(wait_below(5), 144))))
    assert one.offered is not None
    assert (one.jobs.submit_ms[one.offered] // MIN).tolist() == list(range(10, 1_440, 20))
    assert one.ids is not None
    assert one.ids[1:3] == ("elastic-0", "elastic-1")
    two = build(load(asked([at(0, 1, 1)], run={"days": 1}, classes=[SWEEP], elastic=elastic(wait_below(5), 288))))
    assert two.offered is not None
    assert (two.jobs.submit_ms[two.offered] // MIN).tolist() == list(range(10, 1_440, 10))


@pytest.mark.parametrize(
    ("demand", "words"),
    [
        ({"appears_when": wait_below(5), "up_to_gpu_h_per_day": 1}, r"workload\.elastic\.class is missing"),
        (elastic({"wait_p50_below": "5min", "quota_free_gpus": 2}), "exactly one of"),
        (elastic({"quota_free_gpus": 2}), "no quota is tested"),
        (elastic(wait_below(0)), "above"),
        (elastic(wait_below(5), 0), "up_to_gpu_h_per_day"),
    ],
)
def test_what_cannot_be_judged_is_refused(demand: Document, words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        load(asked([at(0, 1, 1)], classes=[SWEEP], elastic=demand))


def test_a_class_that_is_not_there_is_refused_when_jobs_are_drawn() -> None:
    demand = {"class": "sweeep", "appears_when": wait_below(5), "up_to_gpu_h_per_day": 1}
    with pytest.raises(InputError, match="one of the classes \\(sweep\\)"):
        build(load(asked([at(0, 1, 1)], classes=[SWEEP], elastic=demand)))


def test_a_listed_job_with_the_name_of_an_elastic_one_is_refused() -> None:
    asked_for = load(asked([at(0, 1, 1, id="elastic-0")], classes=[SWEEP], elastic=elastic(wait_below(5))))
    with pytest.raises(InputError, match="elastic-0"):
        build(asked_for)
