"""Small clusters with some GPUs taken, and the rules of placement in plain words (docs/model.md, section 5)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from scheduler_core.engine.layout import lay_out, place_columns
from scheduler_core.kernels import state
from scheduler_core.kernels.memory import Memory
from tests import builders
from tests.unit.kernels import entries

WHICH = (state.LIVE, state.LATER, state.OFFERED)


@dataclass(frozen=True)
class Node:
    """One node as a person sees it: its number in the document, its GPUs, and how many are free."""

    number: int
    size: int
    free: int


Chosen = dict[int, int]
"""Number of a node -> GPUs taken there."""


class Place:
    """The engine's memory of a cluster, with a readable account of it beside it."""

    def __init__(
        self,
        pools: list[Mapping[str, Any]],
        fences: Mapping[str, str | None] | None = None,
        *,
        is_counted: bool = False,
    ) -> None:
        asked = builders.scenario([], *(builders.pool(**pool) for pool in pools), fences=fences)
        self.layout = lay_out(asked.cluster, asked.tenants, is_counted=is_counted)
        scalars, columns = place_columns(self.layout)
        n_nodes = len(columns[state.NUMBER])
        room = {state.CHOSEN_NODE: n_nodes + 1, state.CHOSEN_GPUS: n_nodes + 1}
        self.memory = Memory(scalars, {**columns, **room})
        self.m = self.memory.m
        self.numbers: list[int] = self.memory.column(state.NUMBER).tolist()

    @property
    def scopes(self) -> range:
        """All scopes: the domains, then the types over all fences."""
        return range(len(self.layout.domains) + len(self.layout.types))

    @property
    def domains(self) -> range:
        """The scopes in which jobs are placed; a type over all fences is only asked what fits it."""
        return range(len(self.layout.domains))

    def blocks(self, scope: int) -> list[int]:
        """Return the blocks of a scope."""
        first, last = self.memory.column(state.SCOPE_BLOCKS)[scope : scope + 2]
        found: list[int] = self.memory.column(state.SCOPE_BLOCK)[first:last].tolist()
        return found

    def nodes_of_block(self, block: int) -> range:
        """Return the internal numbers of the nodes of a block."""
        first = int(self.memory.column(state.BLOCK_FIRST)[block])
        return range(first, first + int(self.memory.column(state.BLOCK_NODES)[block]))

    def nodes(self, scope: int, which: int) -> list[Node]:
        """Return the nodes of a scope as they are in one of the three tables."""
        size, free = self.memory.column(state.BLOCK_SIZE), self.memory.column(state.FREE + which)
        return [
            Node(self.numbers[node], int(size[block]), int(free[node]))
            for block in self.blocks(scope)
            for node in self.nodes_of_block(block)
        ]

    def take(self, which: int, node: int, gpus: int) -> None:
        """Take GPUs of an internal node (negative: give back)."""
        entries.change(self.m, which, node, -gpus)

    def choose(self, which: int, rule: Any, scope: int, gpus: int) -> Chosen:  # noqa: ANN401 - a kernel or a body
        """Let a rule choose, by the engine's code; {} if it does not place the gang."""
        n_nodes = entries.choose(self.m, which, rule.pick_node, rule.pick_rest, scope, gpus)
        nodes = self.memory.column(state.CHOSEN_NODE)[:n_nodes].tolist()
        taken: list[int] = self.memory.column(state.CHOSEN_GPUS)[:n_nodes].tolist()
        assert len(set(nodes)) == len(nodes), "one piece a node"
        return {self.numbers[node]: gpus for node, gpus in zip(nodes, taken, strict=True)}

    def meaning(self) -> dict[int, list[int]]:
        """Return all that the memory says, without scratch and without summaries of sets, which mend themselves."""
        scratch = {state.CHOSEN_NODE, state.CHOSEN_GPUS} | {state.SETS + which for which in WHICH}
        said = {cell: self.memory.column(cell).tolist() for cell in self.memory.lengths if cell not in scratch}
        words = int(self.memory.m[state.SET_WORDS])
        lowest = int(self.memory.column(state.NODE_TIERS)[2]) if words else 0
        for which in WHICH:
            sets = self.memory.column(state.SETS + which)
            said[state.SETS + which] = sets.reshape(-1, words)[:, :lowest].ravel().tolist()
        return said


Pick = Callable[[list[Node]], Node]


def lowest(nodes: list[Node]) -> Node:
    """Return the lowest number."""
    return min(nodes, key=lambda node: node.number)


def fewest_free(nodes: list[Node]) -> Node:
    """Return the fewest free GPUs, then the lowest number."""
    return min(nodes, key=lambda node: (node.free, node.number))


def most_free(nodes: list[Node]) -> Node:
    """Return the most free GPUs, then the lowest number."""
    return min(nodes, key=lambda node: (-node.free, node.number))


RULES: Mapping[str, tuple[Pick, Pick]] = {
    "first_fit": (lowest, lowest),
    "best_fit": (fewest_free, fewest_free),
    "consolidate": (fewest_free, most_free),
    "spread": (most_free, most_free),
}
"""Slug -> which single node, and which node for a remainder (rule 5.4)."""


def choose_plainly(nodes: list[Node], gpus: int, rule: tuple[Pick, Pick]) -> Chosen:
    """Return where a gang goes by rules 5.2 to 5.4; {} if it does not fit."""
    pick_node, pick_rest = rule
    if gpus <= max(node.size for node in nodes):
        roomy = [node for node in nodes if node.free >= gpus]
        return {pick_node(roomy).number: gpus} if roomy else {}
    chosen: Chosen = {}
    rest = gpus
    for node in sorted(nodes, key=lambda node: (-node.size, node.number)):
        if node.free == node.size <= rest:
            chosen[node.number] = node.size
            rest -= node.size
    if rest > 0:
        roomy = [node for node in nodes if node.free >= rest and node.number not in chosen]
        if not roomy:
            return {}
        chosen[pick_rest(roomy).number] = rest
    return chosen


def choose_parts_plainly(nodes: list[Node], parts: int, gpus: int, pick_node: Pick) -> Chosen:
    """Return where a gang of so many parts of `gpus` goes by rule 5.6; {} if it does not fit."""
    roomy = [node for node in nodes if node.free >= gpus]
    chosen: Chosen = {}
    while roomy and len(chosen) < parts:
        best = pick_node(roomy)
        chosen[best.number] = gpus
        roomy.remove(best)
    return chosen if len(chosen) == parts else {}


@st.composite
def places(draw: st.DrawFn, *, is_one_size: bool = False) -> Place:
    """Return one to four pools of up to two types and several node sizes, part of their GPUs taken."""
    sizes = st.just(draw(st.sampled_from((1, 4, 8)))) if is_one_size else st.sampled_from((1, 2, 3, 4, 8))
    pools: list[Mapping[str, Any]] = [
        {
            "nodes": draw(st.sampled_from((1, 1, 2, 3, 4, 33))),
            "gpus": draw(sizes),
            "gpu": draw(st.sampled_from(("A", "A", "B"))),
            "name": f"p{number}",
        }
        for number in range(draw(st.integers(1, 4)))
    ]
    named = [None, *(pool["name"] for pool in pools)]
    fenced = draw(st.lists(st.sampled_from(named), max_size=2)) if len(pools) > 1 else []
    if set(named) <= set(fenced):
        fenced = [None]
    if len(pools) == len(set(fenced) - {None}):
        fenced = fenced[:1]
    place = Place(pools, {f"t{number}": fence for number, fence in enumerate(fenced or [None])})
    fill = draw(st.sampled_from((0.0, 0.3, 0.7, 0.95)))
    random = np.random.default_rng(draw(st.integers(0, 1_000_000)))
    for which in WHICH:
        for node, size in enumerate(place.memory.column(state.FREE + which).tolist()):
            if random.random() < fill:
                place.take(which, node, int(random.integers(1, size + 1)))
    return place


def gangs(place: Place, scope: int) -> st.SearchStrategy[int]:
    """Return sizes of gangs from one GPU to one more than the scope has, most of them small."""
    in_all = sum(node.size for node in place.nodes(scope, state.LIVE))
    return st.integers(1, min(in_all + 1, 20)) | st.integers(1, in_all + 1)
