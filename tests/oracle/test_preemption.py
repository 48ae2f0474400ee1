"""Timelines worked by hand: preemption (section 15): who asks, who goes, pins, grace. Times in s, GPUs counted."""

from typing import Any

import pytest

from tests.builders import conservative, easy, job, pool
from tests.oracle.asked import Play, asked, checkpoint, finishes, job_class, starts, tenant

MECHANISMS = ("preemption",)
LOW, HIGH = 0.2, 0.9


def rules(**more: object) -> dict[str, Any]:
    """Return preemption by priority with a gap of 0.6 at least."""
    return {"min_gap": 0.6, **more}


# ---- who asks, and who goes ---------------------------------------------------------------------


def test_a_gap_that_is_wide_enough_evicts_at_once_and_the_victim_starts_again_from_nothing(play: Play) -> None:
    # A (0.2) holds all 8 from 0 and has 20 s of work. H (0.9, gap 0.7) comes at 5, runs 5-15. A again 15-35.
    jobs = [job(0, 20, 8, priority=LOW), job(5, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, preemption=rules()))
    assert (starts(seen), finishes(seen)) == ([0, 5], [35, 15])
    assert seen.causes == [{"capacity": 10_000}, {}]
    assert seen.requeue_wait == [10_000, 0]
    assert seen.ledger == [(5_000, 0, 1, "own_queue", 40_000)]  # 8 GPUs x 5 s
    assert seen.attempts == [
        (0, 0, 5_000, 5_000, 0, "evicted"),
        (1, 5_000, -1, 15_000, 10_000, "finished"),
        (0, 15_000, -1, 35_000, 20_000, "finished"),
    ]
    assert seen.books == {"lost": 40_000, "useful": 8 * 20_000 + 8 * 10_000}


@pytest.mark.parametrize(
    ("more", "low", "starts_at"),
    [
        ({"min_gap": 0.7}, LOW, 5),  # 0.9 - 0.2 = 0.7
        ({"min_gap": 0.71}, LOW, 20),
        ({"min_gap": 0.0}, HIGH, 20),  # the gap must be above 0
        ({"protect_at": 0.2}, LOW, 20),
        ({"protect_at": 0.21}, LOW, 5),
        ({"min_runtime": "5s"}, LOW, 5),
        ({"min_runtime": "6s"}, LOW, 20),
        ({"scope": ["reservation"]}, LOW, 20),
    ],
)
def test_gap_protection_and_least_run_time(play: Play, more: dict[str, Any], low: float, starts_at: int) -> None:
    jobs = [job(0, 20, 8, priority=low), job(5, 10, 8, priority=HIGH)]
    assert starts(play(asked(jobs, preemption=rules(**more)))) == [0, starts_at]


def test_a_class_that_is_not_preemptible_stays(play: Play) -> None:
    jobs = [job(0, 20, 8, priority=LOW, job_class="fixed"), job(5, 10, 8, priority=HIGH)]
    classes = [job_class("fixed", preemptible=False)]
    assert starts(play(asked(jobs, classes=classes, preemption=rules()))) == [0, 20]


@pytest.mark.parametrize(
    ("victims", "gone"),
    [
        ("lowest_priority", [0]),  # 0.1 before 0.2 and 0.3
        ("youngest", [2, 1]),  # latest start first: 3 s, then 2 s; 2 + 2 GPUs
        ("fewest", [0]),  # 4 GPUs before 2 and 2
        ("least_lost_work", [2, 1]),  # 2 x 2 s, 2 x 3 s, 4 x 5 s
    ],
)
def test_victim_orders(play: Play, victims: str, gone: list[int]) -> None:
    # A (4 GPUs, 0.1) from 0, B (2, 0.2) from 2, C (2, 0.3) from 3. H needs 4 at 5.
    jobs = [job(0, 100, 4, priority=0.1), job(2, 100, 2, priority=0.2), job(3, 100, 2, priority=0.3)]
    jobs += [job(5, 10, 4, priority=1)]
    seen = play(asked(jobs, preemption=rules(victims=victims)))
    assert sorted(victim for _, victim, _, _, _ in seen.ledger) == sorted(gone)
    assert starts(seen)[3] == 5


def test_who_is_not_needed_is_put_back(play: Play) -> None:
    # Youngest first: C (1 GPU), B (1), A (6). H needs 6 of 8: C, B, then A are taken: 8. Put back: B and C are not
    # needed, for A alone gives 6.
    jobs = [job(0, 100, 6, priority=LOW), job(1, 100, 1, priority=LOW), job(2, 100, 1, priority=LOW)]
    seen = play(asked([*jobs, job(5, 10, 6, priority=HIGH)], preemption=rules(victims="youngest")))
    assert [victim for _, victim, _, _, _ in seen.ledger] == [0]


def test_placement_is_tested_and_not_only_a_count(play: Play) -> None:
    # Rule 15.7: nodes of 8, spread: A on node 0, B on 1, C on 0, D on 1. By count the two youngest would do: D (node 1)
    # and C (node 0). The job of 8 needs a node: D, C, B are taken, and then B is needed, C is not, D is.
    jobs = [job(second, 100, 4, priority=LOW) for second in range(4)]
    seen = play(
        asked([*jobs, job(5, 10, 8, priority=HIGH)], pool(2), placement="spread", preemption=rules(victims="youngest"))
    )
    assert sorted(victim for _, victim, _, _, _ in seen.ledger) == [1, 3]
    assert seen.places[4] == {1: 8}


def test_nobody_is_evicted_when_it_would_not_be_enough(play: Play) -> None:
    # H needs 8; the 4 GPUs of P (0.5) cannot be had (gap 0.4).
    jobs = [job(0, 20, 4, priority=LOW), job(0, 30, 4, priority=0.5), job(5, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, preemption=rules()))
    assert starts(seen) == [0, 0, 30]
    assert seen.ledger == []


# ---- disciplines --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("discipline", "high_starts"),
    [("strict", 20), ("best_effort", 2), (easy(), 20), (conservative(), 20)],
)
def test_only_the_first_blocked_job_asks_unless_best_effort(play: Play, discipline: object, high_starts: int) -> None:
    # FIFO. A (0.2) has 8 GPUs to 20. M (0.5, gap 0.3) is first in line, H (0.9) behind it: under strict, easy and
    # conservative H may not ask. Under best_effort it does; A waits, and comes back as soon as H ends at 3.
    jobs = [job(0, 20, 8, limit=20, priority=LOW), job(1, 1, 8, limit=1, priority=0.5)]
    jobs += [job(2, 1, 4, limit=1, priority=HIGH)]
    seen = play(asked(jobs, discipline=discipline, preemption=rules()))
    expected = {2: [0, 23, 2], 20: [0, 20, 21]}  # A again 3-23
    assert starts(seen) == expected[high_starts]


@pytest.mark.needs("planned")
def test_a_backfill_candidate_never_evicts_but_the_head_does(play: Play) -> None:
    # easy, by priority. The head H (1.0) needs all 8: A (0.5, gap 0.5) cannot be had before it ends at 20, and B (0.1,
    # 2 GPUs) alone is not enough. C (0.9, 2 GPUs) behind H could use B's place, but only the head asks.
    jobs = [job(0, 20, 6, limit=20, priority=0.5), job(0, 50, 2, limit=50, priority=0.1)]
    jobs += [job(1, 5, 8, limit=5, priority=1.0), job(1, 5, 2, limit=5, priority=0.9)]
    seen = play(asked(jobs, order="priority", discipline=easy(), preemption=rules()))
    # At 20 A ends: H evicts B (gap 0.9) and starts at 20; C at 25, B again at 25.
    assert starts(seen) == [0, 0, 20, 25]
    assert [(when, victim) for when, victim, _, _, _ in seen.ledger] == [(20_000, 1)]


# ---- requeue ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("requeue", "second_start"), [("keep_submit", 15), ("eviction_time", 25), ("back", 25)])
@pytest.mark.needs("requeue")
def test_where_a_victim_stands_when_it_comes_back(play: Play, requeue: str, second_start: int) -> None:
    # A (submit 0) is evicted at 5 by H (5-15). B waits since 2. keep_submit: A 15-35 before B; else B 15-25 before A.
    jobs = [job(0, 20, 8, priority=LOW), job(2, 10, 8, priority=0.3), job(5, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, discipline="best_effort", requeue=requeue, preemption=rules()))
    again = [start for row, start, *_ in seen.attempts if row == 0]
    assert again == [0, second_start * 1_000]


@pytest.mark.needs("requeue")
def test_eviction_time_and_back_differ_by_the_grace(play: Play) -> None:
    # A is told at 5 and leaves at 8. B comes at 6. eviction_time: 5 < 6, A first; back: 8 > 6, B first.
    jobs = [job(0, 20, 8, priority=LOW), job(5, 10, 8, priority=HIGH), job(6, 10, 8, priority=0.3)]
    for requeue, order in (("eviction_time", [0, 8, 38]), ("back", [0, 8, 18])):
        seen = play(asked(jobs, requeue=requeue, discipline="best_effort", preemption=rules(grace="3s")))
        assert starts(seen) == order


# ---- pins ---------------------------------------------------------------------------------------


def test_freed_gpus_are_kept_until_the_last_victim_has_left(play: Play) -> None:
    # A (4 GPUs) saves for 1 s, B (4) for 4 s; grace 5. Both are told at 10: A leaves at 11, B at 14, H starts at 14.
    # C (4 GPUs) would fit A's place from 11 on: `grace` before, `reservation` 11-14, then full until 24.
    classes = [job_class("a", checkpoint=checkpoint(100, 1, 0)), job_class("b", checkpoint=checkpoint(100, 4, 0))]
    jobs = [job(0, 50, 4, priority=LOW, job_class="a"), job(0, 50, 4, priority=LOW, job_class="b")]
    jobs += [job(10, 10, 8, priority=HIGH), job(10, 5, 4, priority=0.3)]
    seen = play(asked(jobs, classes=classes, order="priority", discipline="best_effort", preemption=rules(grace="5s")))
    assert starts(seen) == [0, 0, 14, 24]
    assert seen.causes[2] == {"grace": 4_000}
    assert seen.causes[3] == {"grace": 1_000, "reservation": 3_000, "capacity": 10_000}
    # A resumes at 24 with 10 s saved, C took 4 GPUs at 24 (0.3 before 0.2): A 24-64; B when C ends, 29-69.
    assert finishes(seen)[:2] == [64, 69]
    assert seen.books == {"useful": 4 * 100_000 + 80_000 + 20_000, "grace": 4_000 + 16_000}


def test_a_small_job_takes_what_a_large_victim_leaves(play: Play) -> None:
    # Rule 15.7. A (8) is told at 10 for H1 (1 GPU), grace 5. H2 (2) and H3 (5) come at 11 and 12: A's other 7 GPUs are
    # enough for both, nobody else is evicted though E (8, second node) could be. All three start at 15.
    jobs = [job(0, 100, 8, priority=LOW), job(0, 100, 8, priority=0.25)]
    jobs += [job(10, 10, 1, priority=HIGH), job(11, 10, 2, priority=HIGH), job(12, 10, 5, priority=HIGH)]
    seen = play(asked(jobs, pool(2), placement="best_fit", preemption=rules(grace="5s")))
    assert starts(seen) == [0, 0, 15, 15, 15]
    assert len(seen.ledger) == 1
    assert seen.causes[3] == {"grace": 4_000}


def test_a_victim_that_ends_by_itself_in_its_grace_is_no_preemption(play: Play) -> None:
    # A would end at 12; told at 10 with grace 2 it works on. With grace 1 it loses 10 s x 8 and comes back.
    jobs = [job(0, 12, 8, priority=LOW), job(10, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, preemption=rules(grace="2s")))
    assert (starts(seen), finishes(seen), seen.ledger) == ([0, 12], [12, 22], [])
    assert seen.causes[1] == {"grace": 2_000}
    assert seen.books == {"useful": 96_000 + 80_000}
    lost = play(asked(jobs, preemption=rules(grace="1s")))
    assert (starts(lost), finishes(lost)) == ([0, 11], [33, 21])
    assert lost.books == {"lost": 80_000, "grace": 8_000, "useful": 176_000}


def test_without_pins_the_victim_takes_its_gpus_back(play: Play) -> None:
    # Kueue issue 3779. FIFO, best effort: A was submitted first, so it takes the GPUs again in the pass after its
    # eviction, and H evicts it anew at every event: at 5, and when two others come at 6 and 7. H starts when A has had
    # its 20 s, at 27. With pins there is one eviction, and H starts at 5.
    jobs = [job(0, 20, 8, priority=LOW), job(5, 10, 8, priority=HIGH)]
    jobs += [job(6, 1, 8, priority=0.3), job(7, 1, 8, priority=0.3)]
    day = {"days": 1}
    thrash = play(asked(jobs, discipline="best_effort", preemption=rules(pin=False), run=day))
    assert [when for when, *_ in thrash.ledger] == [5_000, 6_000, 7_000]
    assert starts(thrash)[:2] == [0, 27]
    calm = play(asked(jobs, discipline="best_effort", preemption=rules()))
    assert [when for when, *_ in calm.ledger] == [5_000]
    assert starts(calm)[:2] == [0, 5]


# ---- reclaim ------------------------------------------------------------------------------------


def test_reclaim_takes_from_borrowers_until_they_are_back_at_their_nominal(play: Play) -> None:
    # A and B, 8 each on 16. A uses 16 in four jobs of 4. B1 (8) comes at 5, covered by B's nominal: the two youngest of
    # equal priority go (A 16 -> 12 -> 8). B2 (4) at 6: use(B) = 8 + 4 > 8, not covered. At 15 B1 ends: A's two come
    # first in the line and borrow again; B2 is covered now and takes the youngest (equal start: higher row).
    jobs = [job(second, 100, 4, tenant="A") for second in range(4)]
    jobs += [job(5, 10, 8, tenant="B", priority=0.0), job(6, 10, 4, tenant="B")]
    tenants = [tenant("A", 8), tenant("B", 8)]
    seen = play(asked(jobs, pool(1, 16), tenants=tenants, isolation="reclaim", discipline="best_effort"))
    assert [(when, victim, why) for when, victim, _, why, _ in seen.ledger] == [
        (5_000, 3, "borrowers"),
        (5_000, 2, "borrowers"),
        (15_000, 3, "borrowers"),
    ]
    assert starts(seen)[4:] == [5, 15]
    assert [start for row, start, *_ in seen.attempts if row == 3] == [3_000, 15_000, 25_000]  # again when B2 ends


def test_a_tenant_that_borrows_itself_reclaims_nothing(play: Play) -> None:
    # B (nominal 4) wants 5: not covered, and blocked. Its job of 4 is covered, whoever is ahead, and reclaims at 6. A
    # is first in the line again, gets all 8 at 16, and the job of 5 follows at 66. Under borrow nobody ever reclaims.
    jobs = [job(0, 50, 8, tenant="A"), job(5, 10, 5, tenant="B"), job(6, 10, 4, tenant="B")]
    tenants = [tenant("A", 4), tenant("B", 4)]
    strict = play(asked(jobs, tenants=tenants, isolation="reclaim"))
    assert starts(strict) == [0, 66, 6]
    assert [victim for _, victim, *_ in strict.ledger] == [0]
    assert starts(play(asked(jobs, tenants=tenants, isolation="borrow"))) == [0, 50, 60]
