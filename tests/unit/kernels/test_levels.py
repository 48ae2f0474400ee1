"""Free GPUs on nodes, against the rules of placement in plain words."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core import registry
from scheduler_core.kernels import state
from scheduler_core.kernels.levels import can_place
from tests.conftest import examples
from tests.unit.kernels import entries
from tests.unit.kernels.clusters import (
    RULES,
    WHICH,
    Place,
    choose_parts_plainly,
    choose_plainly,
    gangs,
    lowest,
    places,
)


@given(places(), st.data())
@settings(max_examples=examples(200, 50))
def test_rules_choose_the_nodes_that_the_sentences_name(place: Place, data: st.DataObject) -> None:
    scope = data.draw(st.sampled_from(place.domains))
    gpus = data.draw(gangs(place, scope))
    which = data.draw(st.sampled_from(WHICH))
    for slug, rule in RULES.items():
        kernel = registry.find("placements")[slug]
        assert place.choose(which, kernel, scope, gpus) == choose_plainly(place.nodes(scope, which), gpus, rule), slug


@given(places(), st.data())
@settings(max_examples=examples(200, 50))
def test_fits_says_yes_exactly_when_the_sentences_place_the_gang(place: Place, data: st.DataObject) -> None:
    for scope in place.scopes:
        gpus = data.draw(gangs(place, scope))
        for which in WHICH:
            is_placed = choose_plainly(place.nodes(scope, which), gpus, (lowest, lowest)) != {}
            assert can_place(place.m, which, scope, gpus) == is_placed


@given(places(), st.integers(1, 5), st.integers(1, 8), st.data())
@settings(max_examples=examples(200, 50))
def test_parts_of_a_gang_go_to_the_nodes_that_the_sentence_names(
    place: Place, parts: int, gpus: int, data: st.DataObject
) -> None:
    place.m[state.HAS_PARTS] = 1
    scope, which = data.draw(st.sampled_from(place.domains)), data.draw(st.sampled_from(WHICH))
    ask, before = parts << state.PART_BITS | gpus, place.meaning()
    for slug, (pick_node, _) in RULES.items():
        chosen = choose_parts_plainly(place.nodes(scope, which), parts, gpus, pick_node)
        assert list(place.choose(which, registry.find("placements")[slug], scope, ask).items()) == list(chosen.items())
        assert can_place(place.m, which, scope, ask) == (chosen != {}), slug
    assert place.meaning() == before


@given(places(is_one_size=True))
@settings(max_examples=examples(100, 30))
def test_equal_nodes_hold_exactly_the_gangs_up_to_idle_nodes_and_one_remainder(place: Place) -> None:
    # The closed formula of kernels/levels.py: I idle nodes of g and at most M free on a partly used one hold
    # I * g + M; below g the best single node counts.
    for scope in place.scopes:
        nodes = place.nodes(scope, state.LIVE)
        size = nodes[0].size
        idle = [node for node in nodes if node.free == size]
        most = max((node.free for node in nodes if node.free < size), default=0)
        for gpus in range(1, min(sum(node.size for node in nodes), 40) + 2):
            assert can_place(place.m, state.LIVE, scope, gpus) == (gpus <= len(idle) * size + most)


@given(places(), st.data())
@settings(max_examples=examples(200, 50))
def test_totals_counts_and_sets_follow_every_change(place: Place, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(0, 6))):
        which = data.draw(st.sampled_from(WHICH))
        node = data.draw(st.integers(0, len(place.numbers) - 1))
        block = int(place.memory.column(state.BLOCK)[node])
        size = int(place.memory.column(state.BLOCK_SIZE)[block])
        free = int(place.memory.column(state.FREE + which)[node])
        left = data.draw(st.integers(0, size))
        others = {table: place.memory.column(state.FREE + table).tolist() for table in WHICH if table != which}
        assert entries.change(place.m, which, node, left - free) == left
        assert place.memory.column(state.FREE + which)[node] == left
        assert others == {table: place.memory.column(state.FREE + table).tolist() for table in others}
    for which in WHICH:
        for block in range(len(place.memory.column(state.BLOCK_SIZE))):
            check_block(place, which, block)


def check_block(place: Place, which: int, block: int) -> None:
    """Compare everything that is kept about a block with its nodes."""
    nodes = place.nodes_of_block(block)
    size = int(place.memory.column(state.BLOCK_SIZE)[block])
    free = [int(place.memory.column(state.FREE + which)[node]) for node in nodes]
    assert place.memory.column(state.TOTAL + which)[block] == sum(free)
    scope = next(scope for scope in place.scopes if block in place.blocks(scope))
    idle, most = free.count(size), max((left for left in free if left < size), default=0)
    in_scope = sum(node.free for node in place.nodes(scope, which))
    assert entries.count_idle_and_partly_free(place.m, which, block, scope) == (idle * 1_000 + most) * 1_000 + in_scope
    if len(nodes) == 1:
        return  # looked at directly; it has no sets
    words = int(place.m[state.SET_WORDS])
    begin = int(place.m[state.SETS + which])
    for level in range(size + 1):
        number = int(place.memory.column(state.BLOCK_SETS)[block]) + level
        members = []
        at = entries.next_member(place.m, int(place.m[state.NODE_TIERS]), begin + number * words, 0)
        while at >= 0:
            members.append(at)
            at = entries.next_member(place.m, int(place.m[state.NODE_TIERS]), begin + number * words, at + 1)
        assert members == [local for local, left in enumerate(free) if left == level]
        assert place.memory.column(state.COUNT + which)[number] == len(members)


def test_a_gang_larger_than_a_node_takes_whole_nodes_and_one_other_for_the_rest() -> None:
    # Nodes 0 to 3 of 8; 3 of node 0 are taken. 20 = 8 + 8 + 4: nodes 1 and 2 whole; the rest has 5 free on node 0.
    place = Place([{"nodes": 4, "gpus": 8}])
    place.take(state.LIVE, 0, 3)
    best_fit, spread = (registry.find("placements")[slug] for slug in ("best_fit", "spread"))
    assert place.choose(state.LIVE, best_fit, 0, 20) == {1: 8, 2: 8, 0: 4}
    assert place.choose(state.LIVE, spread, 0, 20) == {1: 8, 2: 8, 3: 4}  # node 3 has 8 free, more than 5
    assert place.choose(state.LIVE, best_fit, 0, 29) == {1: 8, 2: 8, 3: 8, 0: 5}
    assert place.choose(state.LIVE, best_fit, 0, 30) == {}  # 29 are free
    place.take(state.LIVE, 1, 1)
    assert place.choose(state.LIVE, best_fit, 0, 24) == {}  # 28 free: 2 idle nodes leave 8, and 7 is the most on one


def test_larger_nodes_are_taken_first_and_the_rest_may_use_a_smaller_one() -> None:
    # Document order: node 0 and 1 of 4, node 2 and 3 of 8. 13 = 8 + 4 + 1: node 2 whole leaves 5; 8 is more than 5,
    # so node 0 of 4 is next, and the last GPU goes to the tightest of nodes 1 (4 free) and 3 (8 free).
    place = Place([{"nodes": 2, "gpus": 4, "name": "small"}, {"nodes": 2, "gpus": 8, "name": "large"}])
    assert place.choose(state.LIVE, registry.find("placements")["best_fit"], 0, 13) == {2: 8, 0: 4, 1: 1}
    assert place.choose(state.LIVE, registry.find("placements")["spread"], 0, 13) == {2: 8, 0: 4, 3: 1}


@pytest.mark.parametrize("slug", ["counted", *RULES])
def test_one_node_is_only_counted(slug: str) -> None:
    place = Place([{"nodes": 3, "gpus": 8}], is_counted=True)
    assert place.choose(state.LIVE, registry.find("placements")[slug], 0, 24) == {0: 24}
    place.take(state.LIVE, 0, 5)
    assert place.choose(state.LIVE, registry.find("placements")[slug], 0, 19) == {0: 19}
    assert place.choose(state.LIVE, registry.find("placements")[slug], 0, 20) == {}


@pytest.mark.parametrize("slug", ["best_fit", "spread"])
def test_equally_free_nodes_of_two_sizes_fall_to_the_lowest_number(slug: str) -> None:
    # The larger node comes first in memory; 4 of its 8 GPUs are taken, and the smaller one has 4, too.
    rule = registry.find("placements")[slug]
    small_first = Place([{"nodes": 1, "gpus": 4, "name": "small"}, {"nodes": 1, "gpus": 8, "name": "large"}])
    small_first.take(state.LIVE, small_first.numbers.index(1), 4)
    assert small_first.choose(state.LIVE, rule, 0, 3) == {0: 3}
    large_first = Place([{"nodes": 1, "gpus": 8, "name": "large"}, {"nodes": 1, "gpus": 4, "name": "small"}])
    large_first.take(state.LIVE, large_first.numbers.index(0), 4)
    assert large_first.choose(state.LIVE, rule, 0, 3) == {0: 3}
