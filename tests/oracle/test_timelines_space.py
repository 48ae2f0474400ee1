"""Timelines worked by hand: placement, fences, GPU types and the causes of waiting."""

from collections.abc import Callable

import pytest

from scheduler_core.scenario import Scenario
from tests.builders import easy, job, pool, scenario
from tests.oracle.pairs import Seen

Run = Callable[[Scenario], Seen]
DAY_S = 86_400


def starts(seen: Seen) -> list[float]:
    """Return the start of each job in s."""
    return [start / 1_000 for start in seen.start]


# ---- placement ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("placement", "node"),
    [
        ("first_fit", 0),  # lowest number with 2 free
        ("best_fit", 1),  # 2 free, the fewest
        ("consolidate", 1),  # best fit on one node
        ("spread", 2),  # 8 free, the most
    ],
)
def test_small_job_goes_to_the_node_its_rule_says(run: Run, placement: str, node: int) -> None:
    # X (3 GPUs) on node 0: 5 free. Y (6) on node 1: 2 free. Node 2 is idle. Z needs 2.
    seen = run(scenario([job(0, 10, 3), job(0, 10, 6), job(0, 10, 2)], pool(3), placement=placement))
    assert seen.places == [{0: 3}, {1: 6}, {node: 2}]


@pytest.mark.parametrize(
    ("placement", "places"),
    [
        ("first_fit", {3: 8, 0: 4}),  # lowest node with 4 free
        ("best_fit", {3: 8, 1: 4}),  # 4 free on node 1: the fewest that is enough
        ("consolidate", {3: 8, 4: 4}),  # the most free: idle node 4
    ],
)
def test_gang_takes_idle_nodes_whole_and_the_rest_where_its_rule_says(
    run: Run, placement: str, places: dict[int, int]
) -> None:
    # Nodes 0, 1, 2 hold 3, 4 and 6 GPUs: 5, 4 and 2 free. The gang of 12 takes node 3 whole; 4 are left to place.
    # Fillers keep the nodes full until 8 so that the rules agree up to there.
    fillers = [job(0, 20, 3), job(0, 8, 5), job(0, 20, 4), job(0, 8, 4), job(0, 20, 6), job(0, 8, 2)]
    seen = run(scenario([*fillers, job(8, 10, 12)], pool(5), placement=placement))
    assert [seen.places[row] for row in (0, 2, 4)] == [{0: 3}, {1: 4}, {2: 6}]
    assert seen.start[6] == 8_000
    assert seen.places[6] == places


def test_spread_puts_the_remainder_on_the_emptiest_node(run: Run) -> None:
    # X (3) on node 0, Y (5) on node 1: 5 and 3 free, nodes 2 and 3 idle. The gang of 10 takes node 2 whole, and of
    # its 2 left none goes to nodes 0 or 1, because node 3 has 8 free.
    seen = run(scenario([job(0, 10, 3), job(0, 10, 5), job(0, 10, 10)], pool(4), placement="spread"))
    assert seen.places == [{0: 3}, {1: 5}, {2: 8, 3: 2}]


def test_gang_does_not_start_on_partly_used_nodes(run: Run) -> None:
    # spread: X on node 0, Y on node 1. 14 GPUs are free, 7 on each; the job of 8 needs one node.
    jobs = [job(0, 10, 1), job(0, 20, 1), job(1, 5, 8)]
    seen = run(scenario(jobs, pool(2), placement="spread"))
    assert starts(seen) == [0, 0, 10]
    assert seen.causes[2] == {"fragmentation": 9_000}
    assert starts(run(scenario(jobs, pool(2)))) == [0, 0, 1]  # counted: 14 free are enough


def test_nodes_of_several_sizes_are_taken_largest_first(run: Run) -> None:
    # One node of 8 (number 2) behind two of 4, one type. 10 > 8: node 2 whole, the 2 left on node 0.
    # 6 <= 8 needs one node with 6 free, so it waits for node 2, though 2 + 4 = 6 are free.
    pools = (pool(2, 4, name="small"), pool(1, 8, name="large"))
    seen = run(scenario([job(0, 10, 10), job(1, 5, 6)], *pools, placement="best_fit"))
    assert seen.places == [{2: 8, 0: 2}, {2: 6}]
    assert starts(seen) == [0, 10]
    assert seen.causes[1] == {"fragmentation": 9_000}


def test_nodes_are_numbered_by_pool_then_zone_in_document_order(run: Run) -> None:
    # p: zone b node 0, zone a nodes 1 and 2; q: node 3. A gang of 24 spans zones and pools of one type.
    pools = (pool({"b": 1, "a": 2}, name="p"), pool(1, name="q"))
    seen = run(scenario([job(0, 10, 8), job(1, 10, 24)], *pools, placement="first_fit"))
    assert seen.places == [{0: 8}, {1: 8, 2: 8, 3: 8}]


# ---- fences and types ---------------------------------------------------------------------------

FENCED = {"research": "lab", "all": None}
LAB_AND_MAIN = (pool(name="main"), pool(name="lab"))


def test_fence_keeps_its_tenant_in_and_the_others_out(run: Run) -> None:
    # R and S may use only lab, O only main. S waits for R although main is idle: quota, except while O fills main.
    jobs = [job(0, 10, 8, tenant="research"), job(1, 5, 8, tenant="research"), job(2, 5, 8)]
    seen = run(scenario(jobs, *LAB_AND_MAIN, fences=FENCED))
    assert starts(seen) == [0, 10, 2]
    # 1 to 2 quota, 2 to 7 no 8 GPUs anywhere: capacity, 7 to 10 quota
    assert seen.causes[1] == {"quota": 4_000, "capacity": 5_000}


def test_taking_the_fence_down_lets_the_job_start_at_once(run: Run) -> None:
    jobs = [job(0, 10, 8, tenant="research"), job(1, 5, 8, tenant="research"), job(2, 5, 8)]
    seen = run(scenario(jobs, *LAB_AND_MAIN, fences={"research": None, "all": None}))
    assert starts(seen) == [0, 1, 6]  # S 1 to 6 on the second node, then O


def test_lines_behind_different_fences_do_not_block_each_other(run: Run) -> None:
    # The first of the lab's line is stuck until 100; main's line goes on.
    jobs = [job(0, 100, 8, tenant="research"), job(1, 1, 8, tenant="research"), job(2, 1, 1), job(3, 1, 1)]
    assert starts(run(scenario(jobs, *LAB_AND_MAIN, fences=FENCED))) == [0, 100, 2, 3]


def test_strict_closes_only_the_types_the_blocked_job_could_use(run: Run) -> None:
    # Y wants an A100 and waits for X; Z takes any type and starts on H100 behind it.
    jobs = [job(0, 10, 8, gpu_types=["A100"]), job(1, 5, 4, gpu_types=["A100"]), job(2, 5, 8)]
    seen = run(scenario(jobs, pool(name="a"), pool(gpu="H100", name="h")))
    assert starts(seen) == [0, 10, 2]
    # Y: 1 to 2 and 7 to 10 the H100s would do: type; 2 to 7 they are busy: capacity
    assert seen.causes[1] == {"type": 4_000, "capacity": 5_000}


def test_gang_spans_pools_of_one_type_and_never_two_types(run: Run) -> None:
    # 12 GPUs: 8 + 4 on the two A100 pools; 16 + more on A100 and H100 together is never tried.
    pools = (pool(name="a"), pool(gpu="H100", name="h"), pool(name="b"))
    seen = run(scenario([job(0, 10, 12), job(0, 10, 17)], *pools, placement="first_fit"))
    assert seen.places[0] == {0: 8, 2: 4}
    assert seen.state == ["finished", "unschedulable"]


def test_unschedulable_job_blocks_nobody_and_waits_for_nothing(run: Run) -> None:
    # 9 GPUs of 8; a type nobody has.
    jobs = [job(0, 10, 9), job(0, 10, 1, gpu_types=["H100"]), job(1, 10, 8)]
    seen = run(scenario(jobs))
    assert seen.state == ["unschedulable", "unschedulable", "finished"]
    assert starts(seen)[2] == 1
    assert seen.causes == [{}, {}, {}]


# ---- causes -------------------------------------------------------------------------------------


def test_quota_comes_before_type_and_type_before_fragmentation(run: Run) -> None:
    # Behind the fence `lab` (A100, 8) all is busy to 100. W (A100 only, 6 GPUs) waits from 1 on.
    # main: A100, 8 GPUs, busy 20 to 40 and from 50 on; h: H100, 8 GPUs, busy 30 to 40.
    # 1 to 20 quota; 20 to 30 type; 30 to 40 nothing: capacity; 40 to 50 quota; 50 to 100 type.
    jobs = [
        job(0, 100, 8, tenant="research"),
        job(1, 5, 6, tenant="research", gpu_types=["A100"]),
        job(20, 20, 8, gpu_types=["A100"]),
        job(30, 10, 8, gpu_types=["H100"]),
        job(50, 90, 8, gpu_types=["A100"]),
    ]
    pools = (*LAB_AND_MAIN, pool(gpu="H100", name="h"))
    seen = run(scenario(jobs, *pools, fences=FENCED))
    assert seen.causes[1] == {"quota": 29_000, "type": 60_000, "capacity": 10_000}


def test_fragmentation_looks_at_all_pools_of_a_type_whoever_may_use_them(run: Run) -> None:
    # lab has 3 of 8 free and main 4 of 8: W needs 6, no node has them, 3 + 4 = 7 are free in all.
    jobs = [job(0, 10, 5, tenant="research"), job(0, 10, 4), job(1, 5, 6, tenant="research")]
    seen = run(scenario(jobs, *LAB_AND_MAIN, fences=FENCED, placement="best_fit"))
    assert seen.causes[2] == {"fragmentation": 9_000}
    counted = run(scenario(jobs, *LAB_AND_MAIN, fences=FENCED))
    assert counted.causes[2] == {"quota": 9_000}  # counted: without fences 7 GPUs are one heap


def test_order_behind_says_what_the_job_ahead_waited_for(run: Run) -> None:
    # P holds 4 of 8 A100 to 10, Q 6 of 8 H100 to 20.
    # J1 (8 A100) closes A100: capacity. J2 (4, any) would fit A100: order, behind J1; it closes H100.
    # J3 (2 H100) would fit H100: order, behind J2, which itself waits for order.
    # At 10 J1 starts. J2 finds no 4 free anywhere: capacity; J3 order, behind J2. At 15 both start.
    jobs = [
        job(0, 10, 4, gpu_types=["A100"]),
        job(0, 20, 6, gpu_types=["H100"]),
        job(1, 5, 8, gpu_types=["A100"], job_class="big"),
        job(1, 5, 4, job_class="any"),
        job(1, 5, 2, gpu_types=["H100"], job_class="small"),
    ]
    seen = run(scenario(jobs, pool(name="a"), pool(gpu="H100", name="h")))
    assert starts(seen) == [0, 0, 10, 15, 15]
    assert seen.causes[2:] == [{"capacity": 9_000}, {"order": 9_000, "capacity": 5_000}, {"order": 14_000}]
    assert seen.order_behind == {"any": {"capacity": 9_000}, "small": {"order": 9_000, "capacity": 5_000}}


def test_order_behind_counts_only_jobs_submitted_in_the_window(run: Run) -> None:
    # B blocks from 1 on; C (submitted at 2) and D (at 3) wait behind it to 10. The window begins at 3: D alone.
    jobs = [job(0, 10, 6), job(1, 10, 4), job(2, 10, 1), job(3, 10, 1)]
    seen = run(scenario(jobs, run={"days": 1, "warmup_days": 3 / DAY_S, "drain": True}))
    assert [waited.get("order") for waited in seen.causes] == [None, None, 8_000, 7_000]
    assert seen.order_behind == {"jobs": {"capacity": 7_000}}


def test_under_easy_a_job_that_fits_and_waits_waits_for_a_reservation(run: Run) -> None:
    # H needs the lab's 8 (S = 10). C (2 GPUs, 50 s) fits 4 free GPUs and must not take them.
    jobs = [
        job(0, 10, 4, limit=10, tenant="research"),
        job(1, 10, 8, limit=10, tenant="research"),
        job(2, 50, 2, limit=50, tenant="research"),
    ]
    seen = run(scenario(jobs, *LAB_AND_MAIN, fences=FENCED, discipline=easy()))
    assert starts(seen) == [0, 10, 20]
    assert seen.causes[1] == {"quota": 9_000}  # main is idle
    assert seen.causes[2] == {"reservation": 8_000, "quota": 10_000}


def test_causes_add_up_to_the_wait_of_a_job_still_waiting_at_the_end(run: Run) -> None:
    # The run ends at 12. Y (8 on one node) sees 4 + 4 free from 1 to 5; then X takes 4 of them, on node 0.
    jobs = [job(0, 20, 4), job(0, 20, 4), job(1, 5, 8), job(5, 50, 4)]
    seen = run(scenario(jobs, pool(2), placement="spread", run={"days": 12 / DAY_S}, discipline="best_effort"))
    assert seen.state == ["running", "running", "pending", "running"]
    assert seen.causes[2] == {"fragmentation": 4_000, "capacity": 7_000}  # 11 s in all
