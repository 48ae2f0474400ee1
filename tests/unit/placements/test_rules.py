"""One example for each rule, worked by hand: the nodes jobs run on."""

import pytest

from scheduler_core import simulate
from tests.builders import job, pool, scenario

SPREAD_OUT = [
    # Three nodes of 8. Jobs that stay: 5 on node 0 (all rules take the lowest of idle nodes), then 6.
    job(0, 100, 5),
    job(1, 100, 6),
    job(2, 100, 2),
    job(3, 100, 1),
]


def nodes(placement: str, jobs: list[dict[str, object]], n_nodes: int = 3) -> list[dict[int, int]]:
    """Return, for each job, how many GPUs it took on which node."""
    outcome = simulate(scenario(jobs, pool(n_nodes), placement=placement), record_placements=True).outcome
    taken: list[dict[int, int]] = [{} for _ in jobs]
    assert outcome.placements is not None
    for row, node, gpus in zip(*(column.tolist() for column in vars(outcome.placements).values()), strict=True):
        taken[row][node] = gpus
    return taken


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        # free before each job: 8 8 8 / 3 8 8 / 3 2 8 / ...
        ("first_fit", [0, 1, 0, 0]),  # 2 on node 0 (3 free), then 1 on node 0 (1 free)
        ("best_fit", [0, 1, 1, 0]),  # 2 fills node 1 (2 free); 1 on node 0 (3 free, the fewest left)
        ("consolidate", [0, 1, 1, 0]),  # as best fit for jobs of one node
        ("spread", [0, 1, 2, 2]),  # 2 on node 2 (8 free), and 1 there too (6 free)
    ],
)
def test_a_job_on_one_node(placement: str, expected: list[int]) -> None:
    assert [next(iter(taken)) for taken in nodes(placement, SPREAD_OUT)] == expected


@pytest.mark.parametrize(
    ("placement", "rest"),
    [("first_fit", 0), ("best_fit", 1), ("consolidate", 3), ("spread", 3)],
)
def test_a_gang_of_several_nodes_takes_idle_ones_and_puts_the_rest_by_its_rule(placement: str, rest: int) -> None:
    # Four nodes: 5 GPUs taken on node 0 and 6 on node 1. 10 = 8 on node 2, and 2 where the rule says:
    # lowest number 0 (3 free), fewest free 1 (2 free), most free 3 (8 free).
    jobs = [job(0, 100, 5), job(1, 100, 6), job(2, 100, 10)]
    assert nodes(placement, jobs, 4) == [{0: 5}, {1: 6}, {2: 8, rest: 2}]


def test_counting_knows_no_nodes() -> None:
    # 3 + 3 GPUs free on two nodes hold a gang of 6 only when they are counted.
    jobs = [job(0, 100, 5), job(0, 100, 5), job(1, 10, 6)]
    counted, apart = (
        simulate(scenario(jobs, pool(2), placement=placement)).outcome for placement in ("counted", "best_fit")
    )
    assert counted.start_ms.tolist() == [0, 0, 1_000]
    assert apart.start_ms.tolist() == [0, 0, 100_000]
