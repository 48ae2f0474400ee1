"""Timelines worked by hand: rounds (16.3), hold-and-wait gangs (17), shapes (5.6)."""

from typing import Any

import pytest

from tests.builders import job, pool
from tests.oracle.asked import Play, asked, job_class, starts
from tests.oracle.naive import CAUSES, NaiveJob, NaiveNode, NaiveSettings, simulate

MECHANISMS = ("rounds", "gangs", "shapes", "preemption", "quotas", "orders", "reserve")
LOW, HIGH = 0.2, 0.9
DAY_S = 86_400
DAY = {"days": 1}


# ---- rounds -------------------------------------------------------------------------------------


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


# ---- hold and wait ------------------------------------------------------------------------------

HOLD = {"hold_and_wait": {"timeout": "60s"}}


def test_a_gang_collects_and_holds_idle_what_it_has(play: Play) -> None:
    # A (4 of 8) to 10. X (6) comes at 1, takes 4, and 2 more at 10: it held 4 GPUs for 9 s.
    seen = play(asked([job(0, 10, 4), job(1, 10, 6)], discipline="best_effort", gang=HOLD, run=DAY))
    assert starts(seen) == [0, 10]
    assert seen.causes[1] == {"capacity": 9_000}  # the 4 it holds are not the 6 it needs
    assert seen.books == {"useful": 40_000 + 60_000, "idle_held": 36_000}
    atomic = play(asked([job(0, 10, 4), job(1, 10, 6)], discipline="best_effort"))
    assert (starts(atomic), atomic.books) == ([0, 10], {"useful": 100_000})


def test_two_gangs_hold_each_other_up(play: Play) -> None:
    # Rule 17.7, coscheduling issue 117: A (4 of 8) to 10, X and Y (6 each) from 1: 2 each, at 10 4 each. The run ends
    # at 60. From 1 to 10 even the 4 held are not 6; then the 8 held would be enough.
    jobs = [job(0, 10, 4), job(1, 10, 6), job(1, 10, 6)]
    seen = play(asked(jobs, discipline="best_effort", gang=HOLD, run={"days": 60 / DAY_S}))
    assert seen.state == ["finished", "pending", "pending"]
    assert seen.causes[1:] == [{"capacity": 9_000, "gang_hold": 50_000}] * 2
    assert seen.books == {"useful": 40_000, "idle_held": 2 * (2 * 59_000 + 2 * 50_000)}
    atomic = play(asked(jobs, discipline="best_effort"))
    assert starts(atomic) == [0, 10, 20]


def test_gangs_give_up_and_come_back_after_their_back_off() -> None:
    # Rule 17.7 to its end, for the twin alone: the back-offs, drawn with the jobs, are 5 and 20 s here.
    settings = NaiveSettings(discipline="best_effort", timeout=60_000)
    jobs = [NaiveJob(0, 10_000, 4), NaiveJob(1_000, 10_000, 6, backoffs=(5_000,))]
    seen = simulate([NaiveNode()], [*jobs, NaiveJob(1_000, 10_000, 6, backoffs=(20_000,))], settings)
    # X is back at 66 and takes 6; Y back at 81, when X has ended (76).
    assert seen.start == [0, 66_000, 81_000]
    assert seen.causes[1] == dict.fromkeys(CAUSES, 0) | {"capacity": 9_000, "gang_hold": 51_000 + 5_000}
    assert seen.books["idle_held"] == 444_000


def test_a_gang_that_collects_keeps_out_who_would_fit(play: Play) -> None:
    # Two nodes of 4, D on node 0 to 10. X (2 nodes x 4) takes node 1 at 1 and starts at 10. Z (4 GPUs) would fit node 1
    # from 2 on.
    classes = [job_class("pair", shape={"nodes": 2, "gpus_per_node": 4}, gpus=None)]
    jobs = [job(0, 10, 4), job(1, 10, 8, job_class="pair"), job(2, 5, 4)]
    policy: dict[str, Any] = {"discipline": "best_effort", "placement": "first_fit"}
    held = play(asked(jobs, pool(2, 4), classes=classes, gang=HOLD, run=DAY, **policy))
    assert starts(held) == [0, 10, 20]
    assert held.causes[2] == {"gang_hold": 8_000, "capacity": 10_000}
    atomic = play(asked(jobs, pool(2, 4), classes=classes, **policy))
    assert starts(atomic) == [0, 10, 2]


def test_under_strict_only_one_gang_collects(play: Play) -> None:
    # Y is behind X and takes nothing while X collects all 4 free GPUs, one after the other.
    jobs = [job(0, 10, 4), job(1, 10, 8), job(2, 10, 3)]
    seen = play(asked(jobs, gang=HOLD, run=DAY))
    assert starts(seen) == [0, 10, 20]
    assert seen.books["idle_held"] == 4 * 9_000


# ---- shapes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("placement", "places"),
    [
        ("first_fit", {0: 2, 1: 2}),
        ("best_fit", {1: 2, 0: 2}),  # 2 free, then 5
        ("consolidate", {1: 2, 0: 2}),
        ("spread", {2: 2, 3: 2}),  # the idle ones
    ],
)
def test_a_shape_takes_as_much_of_each_of_its_nodes(play: Play, placement: str, places: dict[int, int]) -> None:
    # Node 0 has 5 free, node 1 has 2, nodes 2 and 3 are idle. The shape is 2 nodes x 2 GPUs.
    classes = [job_class("pair", shape={"nodes": 2, "gpus_per_node": 2}, gpus=None)]
    jobs = [job(0, 10, 3), job(0, 10, 6), job(1, 10, 4, job_class="pair")]
    seen = play(asked(jobs, pool(4), classes=classes, placement=placement))
    assert [seen.places[row] for row in (0, 1)] == [{0: 3}, {1: 6}]
    assert seen.places[2] == places


# ---- scope reservation --------------------------------------------------------------------------


def test_a_reserved_share_may_evict_outsiders_if_the_scope_says_so(play: Play) -> None:
    # 10 GPUs, 20 % for low priorities. A (0.9) has all 10. L (0.2, 2 GPUs) at 5 is covered by the 2 reserved: A goes.
    # Without the scope nothing that runs is touched.
    jobs = [job(0, 20, 10, priority=HIGH), job(5, 10, 2, priority=LOW)]
    reserve = [{"for": {"priority_below": 0.4}, "share": 0.2}]
    seen = play(asked(jobs, pool(1, 10), reserve=reserve, preemption={"scope": ["reservation"]}))
    assert starts(seen) == [0, 5]
    assert [(when, victim, why) for when, victim, _, why, _ in seen.ledger] == [(5_000, 0, "reservation")]
    assert starts(play(asked(jobs, pool(1, 10), reserve=reserve))) == [0, 20]
