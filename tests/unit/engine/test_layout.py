"""Lines, domains and the numbers of nodes (docs/model.md, section 2)."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from scheduler_core.engine.layout import Layout, lay_out, place_columns
from scheduler_core.kernels import state
from scheduler_core.kernels.memory import Memory
from tests.builders import pool, scenario
from tests.unit.kernels import entries


def layout_of(*pools: Mapping[str, Any], fences: Mapping[str, str | None], is_counted: bool = False) -> Layout:
    asked = scenario([], *(dict(entry) for entry in pools), fences=fences)
    return lay_out(asked.cluster, asked.tenants, is_counted=is_counted)


def domains(layout: Layout) -> list[tuple[int, str, list[int]]]:
    """Return line, GPU type and document numbers of the nodes of each domain."""
    return [(domain.line, domain.gpu, [number for _, number in domain.sizes]) for domain in layout.domains]


FOUR = (
    pool(2, 8, gpu="A", name="a"),  # nodes 0 1
    pool({"x": 1, "y": 1}, 4, gpu="B", name="b"),  # 2 3
    pool(1, 4, gpu="A", name="c"),  # 4
    pool(1, 8, gpu="B", name="d"),  # 5
)


def test_pools_that_nobody_names_are_shared_and_split_by_type() -> None:
    layout = layout_of(*FOUR, fences={"s": None, "t": None})
    assert layout.line_of_tenant == (0, 0)
    assert domains(layout) == [(0, "A", [0, 1, 4]), (0, "B", [5, 2, 3])]  # inside a domain the largest nodes first
    assert layout.line_domain == (0, 2)
    assert layout.types == ("A", "B")
    assert [layout.is_alone(domain) for domain in (0, 1)] == [True, True]
    assert (layout.total_gpus, layout.gpus_of_line(0)) == (36, 36)  # 2 x 8 + 2 x 4 + 4 + 8


def test_a_named_pool_is_a_line_of_its_own() -> None:
    layout = layout_of(*FOUR, fences={"s": None, "t": "a", "u": "a"})
    # Lines stand in the order of their first pools, whoever names them first.
    assert layout.line_of_tenant == (1, 0, 0)
    assert domains(layout) == [(0, "A", [0, 1]), (1, "B", [5, 2, 3]), (1, "A", [4])]
    assert layout.line_domain == (0, 1, 3)
    assert [layout.is_alone(domain) for domain in (0, 1, 2)] == [False, True, False]
    assert [layout.gpus_of_line(line) for line in (0, 1)] == [16, 20]


def test_gpus_that_no_tenant_may_use_still_have_a_line() -> None:
    layout = layout_of(*FOUR, fences={"t": "a"})
    assert layout.line_of_tenant == (0,)
    assert layout.n_lines == 2
    assert layout.total_gpus == 36


def test_a_counted_domain_is_one_node_with_the_number_of_its_first() -> None:
    _, columns = place_columns(layout_of(*FOUR, fences={"s": None}, is_counted=True))
    assert columns[state.NUMBER].tolist() == [0, 2]
    assert columns[state.BLOCK_SIZE].tolist() == [20, 16]
    assert columns[state.TOTAL].tolist() == [20, 16]


def test_blocks_are_equal_nodes_and_scopes_list_them_largest_first() -> None:
    layout = layout_of(*FOUR, fences={"s": None, "t": "a"})
    scalars, columns = place_columns(layout)
    memory = Memory(scalars, columns)
    assert memory.column(state.NUMBER).tolist() == [0, 1, 5, 2, 3, 4]
    assert memory.column(state.BLOCK_NODES).tolist() == [2, 1, 2, 1]
    assert memory.column(state.BLOCK_SIZE).tolist() == [8, 8, 4, 4]
    assert memory.column(state.DOMAIN).tolist() == [0, 0, 1, 1, 1, 2]
    starts = memory.column(state.SCOPE_BLOCKS).tolist()
    blocks = memory.column(state.SCOPE_BLOCK).tolist()
    listed = [blocks[first:last] for first, last in pairwise(starts)]
    assert listed == [[0], [1, 2], [3], [0, 3], [1, 2]]  # three domains; then type A over both fences, type B
    assert scalars[state.N_DOMAINS] == 3


def test_an_idle_cluster_begins_with_full_sets() -> None:
    memory = Memory(*place_columns(layout_of(pool(70, 4, name="a"), fences={"s": None})))
    words = int(memory.m[state.SET_WORDS])
    tiers, sets = int(memory.m[state.NODE_TIERS]), int(memory.m[state.SETS])
    idle = [entries.next_member(memory.m, tiers, sets + 4 * words, node) for node in range(70)]
    assert idle == list(range(70))
    assert entries.next_member(memory.m, tiers, sets + 4 * words, 70) == -1
    assert all(entries.next_member(memory.m, tiers, sets + free * words, 0) == -1 for free in range(4))
    assert memory.column(state.COUNT).tolist() == [0, 0, 0, 0, 70]
