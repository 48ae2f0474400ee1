"""Timelines worked by hand: rounds (16.3, 16.4). Times in s."""

from typing import Any

from tests.builders import job
from tests.oracle.asked import Play, asked, starts

MECHANISMS = ("rounds", "preemption", "orders")
LOW, HIGH = 0.2, 0.9


def test_evictions_wait_for_a_round_and_free_gpus_are_filled_before_it(play: Play) -> None:
    # Rounds at 0, 60, 120. A (6 of 8) from 0. H (8) comes at 10: no decision until 60. B (2 GPUs) at 20 fills.
    jobs = [job(0, 100, 6, priority=LOW), job(10, 5, 8, priority=HIGH), job(20, 10, 2, priority=0.1)]
    policy: dict[str, Any] = {"discipline": "best_effort", "preemption": {"min_gap": 0.6}, "rounds": {"every": "60s"}}
    seen = play(asked(jobs, **policy))
    assert starts(seen) == [0, 60, 20]
    assert seen.causes == [{"capacity": 5_000}, {"capacity": 50_000}, {}]


def test_without_filling_jobs_wait_for_the_scheduler(play: Play) -> None:
    # B comes at 20 to an idle cluster and starts at 60. C (8 GPUs) at 30 fits the idle cluster, too; at 60 B has 2.
    jobs = [job(20, 10, 2), job(30, 10, 8)]
    seen = play(asked(jobs, rounds={"every": "60s", "fill": False}))
    assert starts(seen) == [60, 120]
    # C after the round: 6 free until 70, then all 8 are free, but no round is due: 70 to 120.
    assert seen.causes == [{"scheduler": 40_000}, {"scheduler": 30_000 + 50_000, "capacity": 10_000}]


def test_between_rounds_a_job_keeps_the_key_of_the_last(play: Play) -> None:
    # Log aging 0.2. B (0.5, from 0) and C (0.6, from 1 h) wait for A, which ends at 1.2 h. By live keys B goes first:
    # 0.5 + 0.2 ln 2.2 = 0.6577 > 0.6 + 0.2 ln 1.2 = 0.6365. With rounds of 2 h B has its key of time 0, 0.5, and C that
    # of its coming, 0.6.
    jobs = [job(0, 4_320, 8, priority=0.9), job(0, 3_600, 8, priority=0.5), job(3_600, 3_600, 8, priority=0.6)]
    aged = {"priority": {"aging_per_h": 0.2, "aging": "log"}}
    assert starts(play(asked(jobs, order=aged))) == [0, 4_320, 7_920]
    assert starts(play(asked(jobs, order=aged, rounds={"every": "2h"}))) == [0, 7_920, 4_320]


def test_whoever_comes_with_a_round_is_in_it(play: Play) -> None:
    # Rounds at 0, 60, 120: B comes at 60 and starts at 60, C at 61 and waits for the next.
    seen = play(asked([job(0, 10, 2), job(60, 10, 2), job(61, 10, 2)], rounds={"every": "60s", "fill": False}))
    assert starts(seen) == [0, 60, 120]
    assert seen.causes == [{}, {}, {"scheduler": 59_000}]


def test_who_got_pins_in_a_round_starts_before_the_next(play: Play) -> None:
    # H comes at 10; at 60 A is told and leaves at 65, when H starts on its pins, though nothing is filled between
    # rounds. A stands in line again: at 70 all is free, and the next round is at 120.
    jobs = [job(0, 100, 8, priority=LOW), job(10, 5, 8, priority=HIGH)]
    preemption = {"min_gap": 0.6, "grace": "5s"}
    seen = play(asked(jobs, preemption=preemption, rounds={"every": "60s", "fill": False}))
    assert starts(seen) == [0, 65]
    assert seen.finish == [220_000, 70_000]
    assert seen.causes == [{"capacity": 5_000, "scheduler": 50_000}, {"capacity": 50_000, "grace": 5_000}]
