"""Timelines worked by hand: quotas (section 13). One node of 8, counted, unless said otherwise."""

import pytest

from tests.builders import easy, job, pool
from tests.oracle.asked import Play, asked, starts, tenant

MECHANISMS = ("quotas",)


@pytest.mark.parametrize(
    ("lender", "borrower", "most"),
    [
        ({}, {}, 21),  # 9 + 12
        ({}, {"borrow": 1}, 10),  # 9 + 1
        ({"lend": 1}, {}, 10),  # keep(B) = 12 - 1 = 11; 21 - 11
        ({"guarantee": 4}, {}, 17),  # keep(B) = 4; 21 - 4
    ],
)
def test_kueue_borrowing_example(play: Play, lender: dict[str, int], borrower: dict[str, int], most: int) -> None:
    # Rule 13.6. A submits 21 jobs of 1 GPU; B none. `most` run at once, 10 s each, the rest after them.
    tenants = [tenant("A", 9, **borrower), tenant("B", 12, **lender)]
    jobs = [job(0, 10, 1, tenant="A") for _ in range(21)]
    seen = play(asked(jobs, pool(1, 21), tenants=tenants, isolation="borrow"))
    assert starts(seen) == [10 * (row // most) for row in range(21)]
    assert seen.causes == [{"quota": 10_000 * (row // most)} if row >= most else {} for row in range(21)]


def test_jobs_of_6_under_two_quotas_of_5(play: Play) -> None:
    # Rule 13.7, Volcano issue 3725. partition: 6 > cap 5, nothing can ever run. borrow: 6 = 5 + 1 borrowed, and
    # 6 + 6 = 12 > 10, so one at a time; B's job waits for its quota's lack of GPUs: 4 are free, it needs 6.
    jobs = [job(0, 10, 6, tenant="A"), job(0, 10, 6, tenant="B")]
    tenants = [tenant("A", 5), tenant("B", 5)]
    none = play(asked(jobs, pool(1, 10), tenants=tenants, isolation="partition"))
    assert none.state == ["unschedulable", "unschedulable"]
    seen = play(asked(jobs, pool(1, 10), tenants=tenants, isolation="borrow"))
    assert starts(seen) == [0, 10]
    assert seen.causes == [{}, {"capacity": 10_000}]


def test_a_guarantee_deep_in_the_tree_is_kept_from_cousins(play: Play) -> None:
    # Rule 13.8 on 16 GPUs: org (x 4 guaranteed, y 4), z 8. z holds 7 until 10. y wants 6: want(org) = max(0, 4) + 6
    # = 10, want(root) = 10 + 7 = 17 > 16. Without the guarantee: 6 + 7 = 13. 9 GPUs are free all the time.
    def tenants(**x: int) -> list[dict[str, object]]:
        return [tenant("org"), tenant("x", 4, parent="org", **x), tenant("y", 4, parent="org"), tenant("z", 8)]

    jobs = [job(0, 10, 7, tenant="z"), job(1, 10, 6, tenant="y")]
    seen = play(asked(jobs, pool(1, 16), tenants=tenants(guarantee=4), isolation="borrow"))
    assert starts(seen) == [0, 10]
    assert seen.causes[1] == {"quota": 9_000}
    assert starts(play(asked(jobs, pool(1, 16), tenants=tenants(), isolation="borrow"))) == [0, 1]


def test_a_job_over_its_quota_is_passed_over_and_hold_stops_its_own_tenant_only(play: Play) -> None:
    # A has cap 4. A1 (3) runs 0-10. A2 (2) does not pass: 3 + 2 > 4. A3 (1) passes: 4. B1 (4) fits the 4 or 5 left.
    # pass: A3 and B1 start at 1. hold: A2 holds A3 (order) until 10, B1 starts at 1.
    tenants = [tenant("A", 4, cap=4), tenant("B", 4)]
    jobs = [job(0, 10, 3, tenant="A"), job(1, 10, 2, tenant="A"), job(1, 10, 1, tenant="A"), job(1, 10, 4, tenant="B")]
    passed = play(asked(jobs, tenants=tenants, isolation="borrow"))
    assert starts(passed) == [0, 10, 1, 1]
    assert passed.causes == [{}, {"capacity": 9_000}, {}, {}]  # all 8 are busy: its quota is not all that is missing
    held = play(asked(jobs, tenants=tenants, isolation="borrow", quota_blocked="hold"))
    assert starts(held) == [0, 10, 10, 1]
    assert held.causes == [{}, {"capacity": 9_000}, {"order": 9_000}, {}]  # 1 GPU is free: A2 needs 2, A3 would fit


def test_many_jobs_over_quota_do_not_use_up_depth(play: Play) -> None:
    # easy, depth 1. A has cap 2 and uses it. B's head needs 8 (S = 10); behind it five jobs of A, then B's job of 2
    # GPUs and 5 s, which ends by S. The five are passed over and do not count: B's job starts at 1.
    tenants = [tenant("A", 2, cap=2), tenant("B", 6)]
    jobs = [job(0, 10, 2, limit=10, tenant="A"), job(1, 10, 8, limit=10, tenant="B")]
    jobs += [*(job(1, 5, 1, limit=5, tenant="A") for _ in range(5)), job(1, 5, 2, limit=5, tenant="B")]
    seen = play(asked(jobs, tenants=tenants, isolation="borrow", discipline=easy(depth=1)))
    assert starts(seen) == [0, 10, 20, 20, 25, 25, 30, 1]
    assert seen.causes[2] == {"quota": 9_000, "capacity": 10_000}  # 2 + 1 > 2 until 10; then B's head has all 8


def test_owner_waits_for_borrowers_to_end_under_borrow(play: Play) -> None:
    # A and B have 4 each. A uses 8: A1 to 10, A2 to 20. B1 (4) comes at 1, within its nominal: nothing is wrong with
    # its quota, the GPUs are not there. A3 (4) came before it and at 10 may borrow: 8 - 4 = 4, want(root) = 8 + 0 <= 8.
    # So B1 waits until A3 ends at 19.
    tenants = [tenant("A", 4), tenant("B", 4)]
    jobs = [job(0, 10, 4, tenant="A"), job(0, 20, 4, tenant="A"), job(0, 9, 4, tenant="A"), job(1, 5, 4, tenant="B")]
    seen = play(asked(jobs, tenants=tenants, isolation="borrow", discipline="best_effort"))
    assert starts(seen) == [0, 0, 10, 19]
    assert seen.causes[3] == {"capacity": 18_000}


def test_a_finish_behind_one_fence_lets_another_line_borrow(play: Play) -> None:
    # Fences p (8) for A, q (8) for B, r (4) for C; nominals 8, 4, 4, so 16 in all. A holds 8 until 10, C holds 4. B
    # wants 8: 8 - 4 = 4 borrowed, want(root) = 8 + 8 + 4 = 20 > 16. When A ends it is 12. q is idle all the time.
    tenants = [tenant("A", 8, pool="p"), tenant("B", 4, pool="q"), tenant("C", 4, pool="r")]
    jobs = [job(0, 20, 4, tenant="C"), job(0, 10, 8, tenant="A"), job(1, 5, 8, tenant="B")]
    pools = (pool(1, 8, name="p"), pool(1, 8, name="q"), pool(1, 4, name="r"))
    seen = play(asked(jobs, *pools, tenants=tenants, isolation="borrow"))
    assert starts(seen) == [0, 0, 10]
    assert seen.causes[2] == {"quota": 9_000}
