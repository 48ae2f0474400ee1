"""Timelines worked by hand: reserved shares and windows (section 14)."""

from typing import Any

import pytest

from tests.builders import conservative, easy, job, pool
from tests.oracle.asked import Play, asked, starts, tenant

MECHANISMS = ("reserve",)
LOW: dict[str, Any] = {"for": {"priority_below": 0.4}, "share": 0.2}


# ---- reserved shares ----------------------------------------------------------------------------


def test_an_outsider_leaves_the_share_free_while_somebody_of_the_band_waits(play: Play) -> None:
    # Rule 14.6. 10 GPUs, reserved 2. The high job of 9 is first in line: 10 - 9 = 1 < 2, so it is passed over; the low
    # job of 3 starts. At 5 it ends and nobody of the band waits: the high job starts.
    jobs = [job(0, 10, 9, priority=0.9), job(0, 5, 3, priority=0.2)]
    seen = play(asked(jobs, pool(1, 10), order="priority", reserve=[LOW]))
    assert starts(seen) == [5, 0]
    assert seen.causes[0] == {"capacity": 5_000}  # 7 free, it needs 9
    eight = [job(0, 10, 8, priority=0.9), job(0, 5, 3, priority=0.2)]
    assert starts(play(asked(eight, pool(1, 10), order="priority", reserve=[LOW]))) == [0, 10]  # 10 - 8 = 2; 3 > 2


def test_the_last_of_the_band_starts_and_the_outsider_may_go_at_once(play: Play) -> None:
    # High (7): 10 - 7 = 3 >= 2 starts. Next high (2): 3 - 2 = 1 < 2: passed over while the low job (1) waits; that
    # starts, and in the pass that follows (14.7) 2 are free and nobody of the band waits.
    jobs = [job(0, 10, 7, priority=0.9), job(0, 10, 2, priority=0.8), job(0, 10, 1, priority=0.2)]
    assert starts(play(asked(jobs, pool(1, 10), order="priority", reserve=[LOW]))) == [0, 0, 0]


def test_a_job_kept_out_by_a_share_waits_for_reservation(play: Play) -> None:
    # Low (3) cannot start: 8 are busy until 10. High (1) fits the 2 free GPUs, but 2 - 1 < 2.
    jobs = [job(0, 10, 8, priority=0.5), job(1, 10, 3, priority=0.2), job(2, 5, 1, priority=0.9)]
    seen = play(asked(jobs, pool(1, 10), order="priority", discipline="best_effort", reserve=[LOW]))
    assert starts(seen) == [0, 10, 10]
    assert seen.causes[1:] == [{"capacity": 9_000}, {"reservation": 8_000}]


def test_what_the_band_uses_counts_and_shares_add_up(play: Play) -> None:
    # 20 GPUs; 20 % (4) for low priorities, 20 % (4) for tenant T. Low L1 (3) runs: 4 - 3 = 1 left for its band. L2 (15)
    # and T1 (15) wait. An outsider of 2 must leave 1 + 4 = 5 of the 7 free: 7 - 2 = 5 starts; one of 3 does not. At 100
    # all 20 are free and L2 goes first; T1 still waits, so 5 - 3 = 2 < 4; at 110 T1 starts, and then the outsider.
    reserve = [LOW, {"for": {"tenant": "T"}, "share": 0.2}]
    jobs = [
        job(0, 100, 3, priority=0.2, tenant="U"),
        job(0, 100, 10, tenant="U"),
        job(1, 10, 15, priority=0.2, tenant="U"),
        job(1, 10, 15, tenant="T"),
        job(2, 10, 3, tenant="U"),
        job(3, 10, 2, tenant="U"),
    ]
    tenants = [tenant("U"), tenant("T")]
    seen = play(asked(jobs, pool(1, 20), tenants=tenants, discipline="best_effort", reserve=reserve))
    assert starts(seen) == [0, 0, 100, 110, 110, 3]
    assert seen.causes[4] == {"reservation": 108_000}


def test_a_job_passed_over_for_a_share_takes_no_reservation_under_easy(play: Play) -> None:
    # 10 GPUs, 6 busy until 10. H (3) fits and is passed over: 4 - 3 = 1 < 2. The first blocked job is L (low, 6): S is
    # 10. C (low, 1 GPU, limit 9) ends by then and starts at 1. At 10 all are free: H leaves 7 >= 2, then L takes 6.
    jobs = [job(0, 10, 6, limit=10), job(1, 10, 6, limit=10, priority=0.2), job(1, 10, 3, limit=10, priority=0.9)]
    jobs += [job(1, 9, 1, limit=9, priority=0.1)]
    seen = play(asked(jobs, pool(1, 10), order="priority", discipline=easy(), reserve=[LOW]))
    assert starts(seen) == [0, 10, 10, 1]
    assert seen.causes[2] == {"reservation": 9_000}


# ---- windows ------------------------------------------------------------------------------------

WINDOW: dict[str, Any] = {"for": {"tenant": "T"}, "nodes": [1], "from": "100s", "to": "200s"}
TENANTS = [tenant("U"), tenant("T")]


@pytest.mark.needs("windows")
def test_a_limit_that_crosses_the_window_keeps_a_job_off_its_nodes(play: Play) -> None:
    # Rule 14.12. Node 0 is taken until 300 by T (a member is never barred, and first_fit gives node 0). At 0 limit 100
    # goes to node 1 and ends there; at 150 T's own job starts inside the window; at 50 limit 51 waits until 200.
    jobs = [
        job(0, 300, 8, limit=300, tenant="T"),
        job(0, 40, 8, limit=100, tenant="U"),
        job(50, 10, 8, limit=51, tenant="U"),
        job(150, 40, 8, limit=40, tenant="T"),
    ]
    seen = play(asked(jobs, pool(2), tenants=TENANTS, placement="first_fit", reserve=[WINDOW]))
    assert starts(seen) == [0, 0, 200, 150]
    assert seen.causes[2] == {"reservation": 110_000, "capacity": 40_000}  # 50-150 and 190-200 kept, 150-190 taken


@pytest.mark.needs("windows")
def test_the_end_of_a_window_brings_a_pass(play: Play) -> None:
    # Nothing else happens at 200.
    jobs = [job(0, 1_000, 8, tenant="U", limit=1_000), job(10, 10, 8, tenant="U")]
    both = {**WINDOW, "nodes": [1], "from": "5s"}
    seen = play(asked(jobs, pool(2), tenants=TENANTS, placement="first_fit", reserve=[both]))
    assert starts(seen) == [0, 200]


@pytest.mark.needs("windows")
def test_a_job_stopped_by_a_window_does_not_block_those_behind(play: Play) -> None:
    # strict. Node 0 busy to 50. A (no limit) is barred from node 1 and passed over; B (limit 10) uses node 1 at 2.
    jobs = [job(0, 50, 8, tenant="U"), job(1, 10, 8, tenant="U"), job(2, 10, 8, limit=10, tenant="U")]
    seen = play(asked(jobs, pool(2), tenants=TENANTS, placement="first_fit", reserve=[WINDOW]))
    assert starts(seen) == [0, 50, 2]


@pytest.mark.needs("windows")
def test_easy_plans_the_head_around_a_window(play: Play) -> None:
    # Both nodes busy until 90. The head (16 GPUs, limit 20) at 90 would be on node 1 until 110: barred, so S = 200.
    # C (8 GPUs, limit 110) ends at 90 + 110 = 200 = S and takes node 0 at 90; by count it would have waited.
    jobs = [
        job(0, 90, 16, limit=90, tenant="U"),
        job(1, 20, 16, limit=20, tenant="U"),
        job(2, 110, 8, limit=110, tenant="U"),
    ]
    seen = play(asked(jobs, pool(2), tenants=TENANTS, placement="first_fit", discipline=easy(), reserve=[WINDOW]))
    assert starts(seen) == [0, 200, 90]


@pytest.mark.needs("windows")
def test_conservative_gives_slots_around_a_window(play: Play) -> None:
    # As before; H (16 GPUs, limit 20) has the slot 200. C (limit 120) would hold node 0 until 210 if it started at 90:
    # it has the slot 220.
    jobs = [
        job(0, 90, 16, limit=90, tenant="U"),
        job(1, 20, 16, limit=20, tenant="U"),
        job(2, 120, 8, limit=120, tenant="U"),
    ]
    policy: dict[str, Any] = {"placement": "first_fit", "discipline": conservative(), "reserve": [WINDOW]}
    assert starts(play(asked(jobs, pool(2), tenants=TENANTS, **policy))) == [0, 200, 220]


@pytest.mark.needs("preemption")
def test_a_reserved_share_may_evict_outsiders_if_the_scope_says_so(play: Play) -> None:
    # 10 GPUs, 20 % for low priorities. A (0.9) has all 10. L (0.2, 2 GPUs) at 5 is covered by the 2 reserved: A goes.
    # Without the scope nothing that runs is touched.
    jobs = [job(0, 20, 10, priority=0.9), job(5, 10, 2, priority=0.2)]
    seen = play(asked(jobs, pool(1, 10), reserve=[LOW], preemption={"scope": ["reservation"]}))
    assert starts(seen) == [0, 5]
    assert [(when, victim, why) for when, victim, _, why, _ in seen.ledger] == [(5_000, 0, "reservation")]
    assert starts(play(asked(jobs, pool(1, 10), reserve=[LOW]))) == [0, 20]
