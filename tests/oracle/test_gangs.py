"""Timelines worked by hand: hold-and-wait gangs (17). Times in s."""

from typing import Any

from scheduler_core.scenario import load
from scheduler_core.workload.draws import backoff_draws
from tests.builders import job, pool, table
from tests.oracle.asked import Play, asked, job_class, starts, tenant
from tests.oracle.naive import CAUSES, NaiveJob, NaiveNode, NaiveSettings, simulate

MECHANISMS = ("gangs", "shapes")
DAY_S = 86_400
DAY = {"days": 1}
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


def test_gangs_that_gave_up_come_back_one_after_the_other(play: Play) -> None:
    # As before, with the back-offs that are drawn for them. Whoever is back first takes 6 of 8; the other is back
    # later, takes the 2 left, and starts when the first ends, or is back after that.
    document = asked([job(0, 10, 4), job(1, 10, 6), job(1, 10, 6)], discipline="best_effort", gang=HOLD, run=DAY)
    back = [61_000 + drawn for drawn in backoff_draws(table(load(document)))[1:, 0].tolist()]
    first, second = sorted(back)
    assert 61_000 <= first < second <= 91_000
    seen = play(document)
    assert sorted(seen.start[1:]) == [first, max(second, first + 10_000)]
    for row in (1, 2):
        waited = seen.causes[row]
        assert sum(waited.values()) == seen.start[row] - 1_000
        assert waited["gang_hold"] >= 51_000 + back[row - 1] - 61_000  # 8 held from 10 to 61, and the time away


def test_a_claim_counts_against_the_quota_from_the_first_member_on(play: Play) -> None:
    # 8 GPUs. A (U, 4, borrowed) to 20. X (T, 6) and Y (T, 4) come at 1 and 2; T may use 8.
    tenants = [tenant("T", 8, cap=8), tenant("U", 0)]
    jobs = [job(0, 20, 4, tenant="U"), job(1, 10, 6, tenant="T"), job(2, 10, 4, tenant="T")]
    seen = play(asked(jobs, tenants=tenants, isolation="borrow", discipline="best_effort", gang=HOLD, run=DAY))
    # X takes 4 at 1 and 2 more at 20. From 1 on it uses 6 of T's 8: the 4 of the third job are 2 too many until 30.
    assert starts(seen) == [0, 20, 30]
    assert seen.books["idle_held"] == 4 * 19_000
    assert seen.causes[1] == {"capacity": 19_000}


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
