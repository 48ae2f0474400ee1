"""Timelines worked by hand: gangs with a shape, n nodes x m GPUs (5.6). Times in s."""

from typing import Any

import pytest

from tests.builders import Row, conservative, easy, job, pool
from tests.oracle.asked import Play, asked, job_class, starts

MECHANISMS = ("shapes",)
LOW, HIGH = 0.2, 0.9


def shaped(nodes: int, gpus_per_node: int) -> list[Row]:
    """Return the classes with one, `parted`, whose jobs have this shape."""
    return [job_class("parted", shape={"nodes": nodes, "gpus_per_node": gpus_per_node}, gpus=None)]


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
    jobs = [job(0, 10, 3), job(0, 10, 6), job(1, 10, 4, job_class="parted")]
    seen = play(asked(jobs, pool(4), classes=shaped(2, 2), placement=placement))
    assert [seen.places[row] for row in (0, 1)] == [{0: 3}, {1: 6}]
    assert seen.places[2] == places


def test_enough_gpus_on_too_few_nodes_are_a_fragmentation_unless_they_are_only_counted(play: Play) -> None:
    # A has 5 of node 0 to 10: 3 and 8 are free. 2 x 4 does not fit, 8 GPUs without a shape do (node 1).
    jobs = [job(0, 10, 5), job(1, 10, 8, job_class="parted")]
    seen = play(asked(jobs, pool(2), classes=shaped(2, 4), placement="first_fit"))
    assert (starts(seen), seen.causes[1]) == ([0, 10], {"fragmentation": 9_000})
    assert starts(play(asked(jobs, pool(2), classes=shaped(2, 4), placement="counted"))) == [0, 1]
    assert starts(play(asked([*jobs[:1], job(1, 10, 8)], pool(2), placement="first_fit"))) == [0, 1]


def test_a_job_of_another_size_than_its_class_has_no_shape(play: Play) -> None:
    # 8 GPUs are not 2 x 3: the job takes node 1 whole.
    seen = play(
        asked([job(0, 10, 5), job(1, 10, 8, job_class="parted")], pool(2), classes=shaped(2, 3), placement="spread")
    )
    assert (starts(seen), seen.places[1]) == ([0, 1], {1: 8})


def test_a_shape_uses_the_types_with_enough_nodes_and_waits_for_its_own(play: Play) -> None:
    # Two A, three B. 3 x 1 goes to B at once; 4 x 1 fits nowhere. The last accepts A alone, of which one node is full
    # to 10: two B have room for 2 x 4.
    classes = [
        job_class(f"on{nodes}", shape={"nodes": nodes, "gpus_per_node": gpus}, gpus=None)
        for nodes, gpus in ((3, 1), (4, 1), (2, 4))
    ]
    jobs = [job(0, 10, 4, gpu_types=["A"]), job(0, 10, 3, job_class="on3"), job(0, 10, 4, job_class="on4")]
    jobs += [job(1, 5, 8, gpu_types=["A"], job_class="on2")]
    seen = play(asked(jobs, pool(2, 4, gpu="A"), pool(3, 5, gpu="B", name="b"), classes=classes, placement="best_fit"))
    assert seen.state == ["finished", "finished", "unschedulable", "finished"]
    assert sorted(seen.places[1]) == [2, 3, 4]
    assert (starts(seen)[3], seen.causes[3]) == (10, {"type": 9_000})


@pytest.mark.needs("preemption")
def test_victims_are_taken_until_enough_nodes_have_room_and_put_back_where_not_needed(play: Play) -> None:
    # Three nodes of 4, each full of a low job. 2 x 2 needs two of them, the two highest rows; 4 GPUs on one node one.
    jobs = [job(0, 100, 4, priority=LOW) for _ in range(3)] + [job(5, 10, 4, priority=HIGH, job_class="parted")]
    policy: dict[str, Any] = {"placement": "first_fit", "preemption": {"min_gap": 0.5}}
    seen = play(asked(jobs, pool(3, 4), classes=shaped(2, 2), **policy))
    assert [(when, victim) for when, victim, *_ in seen.ledger] == [(5_000, 2), (5_000, 1)]
    assert seen.places[3] == {1: 2, 2: 2}
    alone = play(asked([*jobs[:3], job(5, 10, 4, priority=HIGH)], pool(3, 4), **policy))
    assert [(when, victim) for when, victim, *_ in alone.ledger] == [(5_000, 2)]


def test_easy_sets_the_nodes_of_a_shape_aside(play: Play) -> None:
    # 4 of 8 are busy on node 0 to 10, on node 1 to 100, on node 2 to 20. Head H, 2 x 6: S = 20, nodes 0 and 2, where 2
    # each are spare. C (4) goes to node 1, D (2) to node 0. E (3) fits the 4 free of node 2, of which it may have 2: it
    # waits until H has run (20-25), while 2 are free in all.
    jobs = [job(0, 10, 4, limit=10), job(0, 100, 4, limit=100), job(0, 20, 4, limit=20)]
    jobs += [job(1, 5, 12, limit=5, job_class="parted")]
    jobs += [job(1, 200, 4, limit=200), job(1, 200, 2, limit=200), job(1, 200, 3, limit=200)]
    seen = play(asked(jobs, pool(3), classes=shaped(2, 6), placement="spread", discipline=easy(None)))
    assert [seen.places[row] for row in range(3)] == [{0: 4}, {1: 4}, {2: 4}]
    assert starts(seen) == [0, 0, 0, 20, 1, 1, 25]
    assert (seen.places[3], seen.places[4], seen.places[5]) == ({0: 6, 2: 6}, {1: 4}, {0: 2})
    assert seen.causes[6] == {"reservation": 19_000, "capacity": 5_000}


def test_conservative_promises_a_shape_its_nodes(play: Play) -> None:
    # Two nodes of 4, A on node 0 to 10. B (2 x 3, limit 20) has the slot 10-30, which leaves 1 GPU on each node: C (2
    # GPUs, limit 20) would be in its way until 30, D (1 GPU, limit 20) would not.
    jobs = [job(0, 10, 4, limit=10), job(1, 20, 6, limit=20, job_class="parted")]
    jobs += [job(2, 20, 2, limit=20), job(3, 20, 1, limit=20)]
    policy: dict[str, Any] = {"placement": "first_fit", "discipline": conservative(None)}
    seen = play(asked(jobs, pool(2, 4), classes=shaped(2, 3), **policy))
    assert starts(seen) == [0, 10, 30, 3]
