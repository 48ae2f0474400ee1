"""From a scenario to the plan and back."""

import pytest

from scheduler_core import InputError, apply, load_case
from scheduler_core.studies.plan_run import resize, split

THREE = load_case("three-zone-a100@1")


@pytest.mark.parametrize("gpus", [128, 432, 3_200, 3_201, 9_999])
def test_a_resized_cluster_has_at_least_what_is_asked_and_less_than_a_node_a_pool_more(gpus: int) -> None:
    found = apply(THREE, resize(THREE, gpus)).cluster
    room = sum(pool.gpus_per_node for pool in found.pools)
    assert gpus <= found.gpus < gpus + room
    assert [pool.gpus_per_node for pool in found.pools] == [pool.gpus_per_node for pool in THREE.cluster.pools]


def test_pools_and_zones_keep_their_shares() -> None:
    fenced = load_case("fenced-research@1")
    found = apply(fenced, resize(fenced, 6_400)).cluster
    assert [pool.gpus for pool in found.pools] == [2 * pool.gpus for pool in fenced.cluster.pools]
    assert [pool.zones for pool in found.pools] == [
        {zone: 2 * nodes for zone, nodes in pool.zones.items()} for pool in fenced.cluster.pools
    ]
    assert apply(fenced, resize(fenced, fenced.cluster.gpus)) == fenced, "as large as it is: nothing changes"


def test_what_is_left_over_goes_to_the_largest_rests() -> None:
    assert split(7, {"a": 3, "b": 2, "c": 0}) == {"a": 4, "b": 3, "c": 0}  # 4.2 and 2.8
    with pytest.raises(InputError, match="above 0"):
        resize(THREE, 0)
