"""Timelines worked by hand: orders that change (section 16). Jobs take all 8 GPUs unless said otherwise; times in s."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from tests.builders import Row, job, pool
from tests.oracle.asked import Play, asked, finishes, job_class, starts, tenant

MECHANISMS = ("orders",)
H = 3_600


def order_of_starts(play: Play, jobs: list[Row], order: object, tenants: Sequence[Row] = ()) -> list[int]:
    """Return the rows in the order of their first starts."""
    begun = starts(play(asked(jobs, tenants=tenants, order=order)))
    return sorted(range(len(jobs)), key=lambda row: begun[row])


# ---- aging and formulas -------------------------------------------------------------------------


@pytest.mark.parametrize(("aging_per_h", "order"), [(0.0, [0, 2, 1]), (0.1, [0, 1, 2]), (0.05, [0, 1, 2])])
def test_linear_aging_adds_the_same_to_all_per_hour(play: Play, aging_per_h: float, order: list[int]) -> None:
    # At 10 h: B (0.2, waited 8 h) against C (0.6, waited 0 h): 0.2 + 0.8 = 1.0 > 0.6; with 0.05 0.6 = 0.6, a tie, which
    # falls to the earlier submit.
    jobs = [job(0, 10 * H, 8), job(2 * H, H, 8, priority=0.2), job(10 * H, H, 8, priority=0.6)]
    aged = {"priority": {"aging_per_h": aging_per_h, "aging": "linear"}}
    assert order_of_starts(play, jobs, order=aged) == order


def test_log_aging_lets_the_rank_of_two_jobs_change_while_both_wait(play: Play) -> None:
    # a = 0.2: B (0.5, from 0 h) against C (0.6, from 1 h). At 2 h: 0.5 + 0.2 ln 3 = 0.7197 < 0.6 + 0.2 ln 2 = 0.7386, C
    # first; at 1.2 h: 0.5 + 0.2 ln 2.2 = 0.6577 > 0.6 + 0.2 ln 1.2 = 0.6365, B first.
    assert 0.5 + 0.2 * math.log(3) < 0.6 + 0.2 * math.log(2)
    assert 0.5 + 0.2 * math.log(2.2) > 0.6 + 0.2 * math.log(1.2)
    aged = {"priority": {"aging_per_h": 0.2, "aging": "log"}}
    for free_at, order in ((7_200, [0, 2, 1]), (4_320, [0, 1, 2])):
        jobs = [job(0, free_at, 8, priority=0.9), job(0, H, 8, priority=0.5), job(H, H, 8, priority=0.6)]
        assert order_of_starts(play, jobs, order=aged) == order


def test_the_printed_formula_lets_the_latest_comer_go_first_and_the_corrected_one_does_not(play: Play) -> None:
    # 16.6. A runs to 6 h. B (u = 1) from 0, C (u = 0) from 2 h, D (u = 0) from 5 h. At 6 h printed: 1.5 / 1.6 = 0.94,
    # 1 / 1.4 = 0.71, 1 / 1.1 = 0.91: B, D, C. corrected: 1.5 x 1.6, 1 x 1.4, 1 x 1.1: B, C, D. At 7 h (B has run 1 h)
    # printed: D 1 / 1.2 before C 1 / 1.5.
    jobs = [job(0, 6 * H, 8, priority=1), job(0, H, 8, priority=1), job(2 * H, H, 8, priority=0)]
    jobs += [job(5 * H, H, 8, priority=0)]
    assert order_of_starts(play, jobs, order={"article": {"form": "printed"}}) == [0, 1, 3, 2]
    assert order_of_starts(play, jobs, order={"article": {"form": "corrected"}}) == [0, 1, 2, 3]


def test_urgency_1_ties_a_fresh_urgency_0_after_5_hours_as_printed(play: Play) -> None:
    # 1.5 / (1 + 0.1 x 5) = 1: a tie, which falls to the earlier submit; one second more and the fresh job goes first.
    for wait, order in ((5 * H, [0, 1, 2]), (5 * H + 1, [0, 2, 1])):
        jobs = [job(0, wait, 8, priority=1), job(0, H, 8, priority=1), job(wait, H, 8, priority=0)]
        assert order_of_starts(play, jobs, order={"article": {"form": "printed"}}) == order


# ---- preemptive orders --------------------------------------------------------------------------


@pytest.mark.needs("remaining")
def test_srtf_evicts_the_job_with_the_most_left(play: Play) -> None:
    # A (20 s). B (5 s) at 10: A has 10 left > 5: evicted (no checkpoint: its 10 s are lost). C (12 s) at 11: B has 4. B
    # ends at 15; C (12) before A (20 again): 15-27, A 27-47.
    jobs = [job(0, 20, 8), job(10, 5, 8), job(11, 12, 8)]
    seen = play(asked(jobs, order="srtf"))
    assert starts(seen) == [0, 10, 15]
    assert finishes(seen) == [47, 15, 27]
    assert [(when, victim, why) for when, victim, _, why, _ in seen.ledger] == [(10_000, 0, "order")]


@pytest.mark.needs("remaining")
def test_srtf_keeps_who_has_less_left(play: Play) -> None:
    # B (5 s) comes at 16: A has 4 left and stays.
    seen = play(asked([job(0, 20, 8), job(16, 5, 8)], order="srtf"))
    assert (starts(seen), seen.ledger) == ([0, 20], [])


@pytest.mark.needs("remaining")
def test_srsf_counts_gpus(play: Play) -> None:
    # A: 8 GPUs, 10 s left = 80. B: 1 GPU, 50 s = 50 < 80 evicts A under srsf, not under srtf (50 > 10).
    jobs = [job(0, 20, 8), job(10, 50, 1)]
    assert starts(play(asked(jobs, order="srsf"))) == [0, 10]
    assert starts(play(asked(jobs, order="srtf"))) == [0, 20]


@pytest.mark.needs("attained")
def test_las_lets_who_has_had_little_go_first(play: Play) -> None:
    # Threshold 80,000 GPU-ms: 8 GPUs reach it after 10 s. A has attained 96,000 at 12 when B comes:
    # queue 1 against 0, evicted; its 12 s are lost but stay attained. B reaches 80,000 at 22; C (at 23) evicts B at 23.
    # Queues at 23: C 0, A 1, B 1: C 23-28, then A (submit 0) 28-48, B 48-68.
    jobs = [job(0, 20, 8), job(12, 20, 8), job(23, 5, 8)]
    seen = play(asked(jobs, order={"las": {"thresholds": "80s", "by": "gpu_time"}}))
    assert starts(seen) == [0, 12, 23]
    assert finishes(seen) == [48, 68, 28]


@pytest.mark.needs("attained")
def test_las_promotes_who_has_waited_k_times_what_it_attained(play: Play) -> None:
    # As before; D (5 s) comes at 30. Without promotion A, which began again at 28, is in queue 1 and D evicts it.
    # With promote 1: at 28 A has waited 16 s >= 12 s attained and is in queue 0 again: D waits until 48. Then B has
    # waited 25 s >= 11 s and goes before D, too: 48-68.
    jobs = [job(0, 20, 8), job(12, 20, 8), job(23, 5, 8), job(30, 5, 8)]
    plain = play(asked(jobs, order={"las": {"thresholds": "80s", "by": "gpu_time"}}))
    assert starts(plain)[3] == 30
    promoted = play(asked(jobs, order={"las": {"thresholds": "80s", "by": "gpu_time", "promote": 1}}, run={"days": 1}))
    assert starts(promoted)[3] == 68


@pytest.mark.needs("attained")
def test_las_by_time_lets_a_wide_job_stay_as_long_as_a_narrow_one(play: Play) -> None:
    # B (2 GPUs) at 5. A has attained 40 GPU-s, the threshold by GPU-time: evicted. By time it has had 5 s of 10.
    jobs = [job(0, 20, 8), job(5, 5, 2)]
    assert starts(play(asked(jobs, order={"las": {"thresholds": "40s", "by": "gpu_time"}}))) == [0, 5]
    assert starts(play(asked(jobs, order={"las": {"thresholds": "10s", "by": "time"}}))) == [0, 20]


def queues(**policy: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return A (100 s), B (30 s, from 5) and C (1 s, from 25) under thresholds of 10 and 20 s."""
    jobs = [job(0, 100, 8), job(5, 30, 8), job(25, 1, 8)]
    return asked(jobs, order={"las": {"thresholds": "10s, 20s", "by": "time"}}, **policy)


@pytest.mark.needs("attained")
def test_las_sees_a_demotion_at_the_next_event_and_lets_a_job_fall_two_queues_at_once(play: Play) -> None:
    # At 10 and 20 nothing happens. At 25 A has 25 s, queue 2; B and C are in queue 0, B first: 25-55, though it falls
    # at 35 and 45, for nothing happens there, either. C 55-56; A begins again and has 56-156.
    seen = play(queues())
    assert (starts(seen), finishes(seen)) == ([0, 25, 55], [156, 55, 56])


@pytest.mark.needs("attained", "rounds")
def test_las_with_rounds_sees_a_demotion_at_the_next_round(play: Play) -> None:
    # Rounds of 10 s. 10: A has 10, queue 1; B evicts it. 20: B has 10, queue 1 too, and A came before: B is evicted.
    # 30: A has 20, queue 2; C (queue 0) evicts it, and B fills at 31. 40: B has 19. 50: B has 29, queue 2, where A came
    # before: A 50-150, B 150-180.
    seen = play(queues(rounds={"every": "10s"}))
    assert (starts(seen), finishes(seen)) == ([0, 10, 30], [150, 180, 31])
    assert [(when, victim) for when, victim, *_ in seen.ledger] == [(10_000, 0), (20_000, 1), (30_000, 0), (50_000, 1)]


# ---- shares -------------------------------------------------------------------------------------


@pytest.mark.needs("resources")
def test_drf_worked_example(play: Play) -> None:
    # 16.11: 5 GPUs, 9 CPUs, 18 GB; A's jobs (1 GPU, 1 CPU, 4 GB), B's (1, 3, 1): A starts 3, B 2.
    room = pool(1, 5) | {"cpus_per_node": 9, "mem_gb_per_node": 18}
    classes = [
        job_class("a", "A", cpus_per_gpu=1, mem_gb_per_gpu=4),
        job_class("b", "B", cpus_per_gpu=3, mem_gb_per_gpu=1),
    ]
    jobs = [job(0, 10, 1, tenant="A", job_class="a") for _ in range(5)]
    jobs += [job(0, 10, 1, tenant="B", job_class="b") for _ in range(5)]
    seen = play(asked(jobs, room, tenants=[tenant("A"), tenant("B")], classes=classes, order="drf"))
    at_0 = [row for row, start in enumerate(seen.start) if start == 0]
    assert at_0 == [0, 1, 2, 5, 6]


def test_weighted_goes_by_use_over_deserved(play: Play) -> None:
    # 16.12: 12 GPUs, weights 1, 1, 2, requests 2, 10, 10: deserved 2, 10/3, 20/3. Jobs of 1 GPU. After 12 starts use is
    # 2, 3, 7: the ratios go up together; A 1/2 a job, B 3/10, C 3/20. The 12th: B 3 x 0.3 = 0.9 against C 6 x 0.15 =
    # 0.9, a tie that falls to the lower row: B's 4th.
    tenants = [tenant("A"), tenant("B"), tenant("C", weight=2)]
    jobs = [job(0, 10, 1, tenant="A") for _ in range(2)]
    jobs += [job(0, 10, 1, tenant=name) for name in "BC" for _ in range(10)]
    seen = play(asked(jobs, pool(1, 12), tenants=tenants, order="weighted"))
    begun = [row for row, start in enumerate(seen.start) if start == 0]
    assert [sum(row < 2 for row in begun), sum(2 <= row < 12 for row in begun), sum(row >= 12 for row in begun)] == [
        2, 4, 6,
    ]  # fmt: skip


def fair(form: str) -> dict[str, Any]:
    """Return fair share in steps of 10 s that forgets next to nothing in a test."""
    return {"fair_share": {"form": form, "step_min": 1 / 6, "half_life_d": 3_650.0}}


@pytest.mark.parametrize("form", ["fair_tree", "classic"])
def test_fair_share_puts_the_leaf_with_less_usage_first(play: Play, form: str) -> None:
    # A holds 8 until 20: usage 160 GPU-s. At 20 A2 (submitted at 1) and B (at 5) wait: B first.
    jobs = [job(0, 20, 8, tenant="A"), job(1, 10, 8, tenant="A"), job(5, 10, 8, tenant="B")]
    assert order_of_starts(play, jobs, tenants=[tenant("A"), tenant("B")], order=fair(form)) == [0, 2, 1]
    # B's job of 2 s at 3 comes before the first step: at 8 nothing has been counted yet, and submit decides.
    early = [job(0, 8, 8, tenant="A"), job(1, 5, 8, tenant="A"), job(5, 5, 8, tenant="B")]
    assert order_of_starts(play, early, tenants=[tenant("A"), tenant("B")], order=fair(form)) == [0, 1, 2]


def test_fair_tree_looks_at_the_account_before_the_user(play: Play) -> None:
    # Accounts X (x1, x2) and Y (y1), equal shares. x1 used 8 x 10, y1 used 8 x 20: usage X 80, Y 160. Fair Tree: X's
    # level 0.5 / (80/240) = 1.5, Y's 0.75, so both of X's users go before y1: x2 (no usage), then x1, then y1.
    tenants = [tenant("X"), tenant("Y"), tenant("x1", parent="X"), tenant("x2", parent="X"), tenant("y1", parent="Y")]
    jobs = [job(0, 10, 8, tenant="x1"), job(0, 20, 8, tenant="y1")]
    jobs += [job(1, 5, 8, tenant="y1"), job(1, 5, 8, tenant="x1"), job(1, 5, 8, tenant="x2")]
    # Before that, at 10, only X has usage: y1's first job. At 0 nobody has, and submit and row decide.
    assert order_of_starts(play, jobs, tenants=tenants, order=fair("fair_tree")) == [0, 1, 4, 3, 2]


# ---- fair-share preemption ----------------------------------------------------------------------


@pytest.mark.needs("fair_eviction")
def test_drf_preemption_stops_before_the_roles_turn_round(play: Play) -> None:
    # 8 GPUs, A runs four jobs of 2. B (2 GPUs each) at 5: with one job B has 2/8; A without one has 6/8: 0.25 <= 0.75.
    # The second: 4/8 <= 4/8. The third: 6/8 > 2/8, no.
    jobs = [job(0, 100, 2, tenant="A") for _ in range(4)] + [job(5, 100, 2, tenant="B") for _ in range(3)]
    seen = play(
        asked(
            jobs,
            tenants=[tenant("A"), tenant("B")],
            order="drf",
            discipline="best_effort",
            preemption={"scope": ["fair_share"]},
        )
    )
    assert [(when, victim, why) for when, victim, _, why, _ in seen.ledger] == [
        (5_000, 3, "fair_share"),
        (5_000, 2, "fair_share"),
    ]
    assert starts(seen)[4:6] == [5, 5]
    assert seen.start[6] > 5_000


def evicted(play: Play, jobs: list[Row], order: object, weights: Sequence[float] = (1, 1)) -> list[tuple[int, int]]:
    """Return when which job of A was told to leave for one of B, both on 8 GPUs, best effort."""
    tenants = [tenant(name, weight=weight) for name, weight in zip("AB", weights, strict=True)]
    policy: dict[str, Any] = {"discipline": "best_effort", "preemption": {"scope": ["fair_share"]}}
    seen = play(asked(jobs, tenants=tenants, order=order, **policy))
    assert all(why == "fair_share" for _, _, _, why, _ in seen.ledger)
    return [(when // 1_000, victim) for when, victim, *_ in seen.ledger]


def of_a_and_b(a: Sequence[int], b: Sequence[int]) -> list[Row]:
    """Return jobs of A of these sizes from 0, and of B from 5."""
    jobs = [job(0, 100, gpus, tenant="A") for gpus in a]
    return jobs + [job(5, 100, gpus, tenant="B") for gpus in b]


@pytest.mark.needs("fair_eviction")
def test_weights_count_in_what_a_tenant_may_take_back(play: Play) -> None:
    # A holds 6, B 2 and asks for 2 more: 4/8 <= 4/8, so one of A goes. If A has weight 3: 4/8 > 4/24, nobody goes.
    jobs = [*of_a_and_b([2, 2, 2], []), job(0, 100, 2, tenant="B"), job(5, 100, 2, tenant="B")]
    assert evicted(play, jobs, "drf") == [(5, 2)]
    assert evicted(play, jobs, "drf", (3, 1)) == []


@pytest.mark.needs("fair_eviction")
def test_weighted_preemption_goes_by_what_is_deserved(play: Play) -> None:
    # Weights 1 and 3, both ask for 8: deserved 2 and 6. B: 2/6 <= 6/2, 4/6 <= 4/2, 6/6 <= 2/2, but 8/6 > 0/2.
    assert evicted(play, of_a_and_b([2] * 4, [2] * 4), "weighted", (1, 3)) == [(5, 3), (5, 2), (5, 1)]


@pytest.mark.needs("fair_eviction")
def test_fair_share_preemption_waits_until_usage_has_been_counted(play: Play) -> None:
    # At 5 nobody has any usage, so A's jobs rank before by submit. At the step at 10 A has: B 2/0.5 <= 6/0.5, 4 <= 4.
    assert evicted(play, of_a_and_b([2] * 4, [2] * 3), fair("classic")) == [(10, 3), (10, 2)]
    assert evicted(play, of_a_and_b([2] * 4, [2] * 3), fair("fair_tree")) == [(10, 3), (10, 2)]


@pytest.mark.needs("fair_eviction")
def test_a_gang_that_would_leave_its_tenant_with_less_stays(play: Play) -> None:
    # A's only gang has 8; without it A would hold 0, and B's job 2.
    assert evicted(play, of_a_and_b([8], [2]), "drf") == []
    # Of 5 and 3 the 3 goes for B's first job (2 <= 5). The second finds 1 free: 4 > 0, the 5 stays.
    assert evicted(play, of_a_and_b([5, 3], [2, 2]), "drf") == [(5, 1)]


@pytest.mark.needs("fair_eviction")
def test_an_order_without_shares_evicts_nobody_for_them(play: Play) -> None:
    assert evicted(play, of_a_and_b([2] * 4, [2]), "fifo") == []
