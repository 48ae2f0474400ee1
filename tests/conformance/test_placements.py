"""Every placement rule that is found keeps the promises of a placement rule."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core import ENGINE_VERSION, Result, load, registry, scenario_hash
from scheduler_core.engine.run import run
from scheduler_core.kernels.levels import can_place
from scheduler_core.result import Provenance
from scheduler_core.scenario import dump_document
from tests.builders import pool, scenario
from tests.conformance.checks import (
    DISCIPLINE_CHOICES,
    DOMAIN_GPUS,
    NODE_GPUS,
    SOURCES,
    asked,
    broken_promises,
    random_table,
    text_faults,
)
from tests.conftest import examples
from tests.unit.kernels.clusters import WHICH, Chosen, Node, Place, gangs, places

pytestmark = pytest.mark.both_modes
MODULES = {module.__name__.rpartition(".")[2]: module for module in registry.modules("placements")}
PLACEMENTS: dict[str, Any] = dict(registry.find("placements"))


@pytest.fixture(params=PLACEMENTS)
def placement(request: pytest.FixtureRequest) -> Any:  # noqa: ANN401 - what a stranger's file exports
    return PLACEMENTS[request.param]


def test_the_rules_of_the_first_slice_are_found() -> None:
    assert {"counted", "first_fit", "best_fit", "consolidate", "spread"} <= set(PLACEMENTS)


@pytest.mark.parametrize("name", MODULES)
def test_its_file_has_the_name_by_which_documents_call_it(name: str) -> None:
    assert MODULES[name].PLACEMENT.slug == name
    assert PLACEMENTS[name] is MODULES[name].PLACEMENT


@pytest.mark.parametrize("name", MODULES)
def test_its_file_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    said = MODULES[name].__doc__ or ""
    assert said.split("\n")[0].endswith(".")
    assert "Source: " in said


def test_its_source_is_listed(placement: Any) -> None:  # noqa: ANN401
    assert placement.source in SOURCES


def test_its_texts_say_whom_it_helps_and_whom_it_hurts_in_both_languages(placement: Any) -> None:  # noqa: ANN401
    assert text_faults(placement.name, placement.text) == []


def test_documents_accept_it_and_show_it_again(placement: Any) -> None:  # noqa: ANN401
    scenario = asked(placement=placement.slug)
    assert scenario.policy.placement.slug == placement.slug
    assert load(dump_document(scenario)) == scenario


# ---- the rule alone -----------------------------------------------------------------------------


def faults_of(chosen: Chosen, nodes: list[Node], gpus: int) -> list[str]:
    """Return what rules 5.2 and 5.3 forbid about where a gang was put; the node by 5.4 is the rule's own affair."""
    by_number = {node.number: node for node in nodes}
    if not set(chosen) <= set(by_number):
        return ["a node outside the domain"]
    if sum(chosen.values()) != gpus or any(taken > by_number[number].free for number, taken in chosen.items()):
        return ["not all GPUs, or more than are free"]
    if gpus <= max(node.size for node in nodes):
        return [] if len(chosen) == 1 else ["more than one node for a gang that fits one"]
    whole, rest = [], gpus
    for node in sorted(nodes, key=lambda node: (-node.size, node.number)):
        if node.free == node.size <= rest:
            whole.append(node.number)
            rest -= node.size
    if list(chosen)[: len(whole)] != whole or any(chosen[number] != by_number[number].size for number in whole):
        return ["idle nodes must be taken whole, the largest first, the lowest first"]
    return [] if len(chosen) == len(whole) + (rest > 0) else ["what remains must be on one node"]


@pytest.mark.parametrize("slug", PLACEMENTS)
@given(places(), st.data())
@settings(max_examples=examples(100, 30))
def test_it_places_exactly_the_gangs_that_fit_and_whole_nodes_first(
    slug: str, place: Place, data: st.DataObject
) -> None:
    scope = data.draw(st.sampled_from(place.domains))
    gpus = data.draw(gangs(place, scope))
    which = data.draw(st.sampled_from(WHICH))
    chosen = place.choose(which, PLACEMENTS[slug], scope, gpus)
    assert (chosen != {}) == (can_place(place.m, which, scope, gpus) == 1)
    assert not chosen or faults_of(chosen, place.nodes(scope, which), gpus) == []


@pytest.mark.parametrize("slug", PLACEMENTS)
@given(places(), st.data())
@settings(max_examples=examples(60, 20))
def test_it_only_answers_where_and_always_the_same(slug: str, place: Place, data: st.DataObject) -> None:
    scope = data.draw(st.sampled_from(place.domains))
    gpus = data.draw(gangs(place, scope))
    before = place.meaning()
    answers = [place.choose(which, PLACEMENTS[slug], scope, gpus) for which in (*WHICH, *WHICH)]
    assert place.meaning() == before
    assert answers[:3] == answers[3:]


# ---- in a run -----------------------------------------------------------------------------------


@pytest.mark.parametrize("discipline", DISCIPLINE_CHOICES)
def test_it_runs_under_every_discipline_and_breaks_no_promise(placement: Any, discipline: str) -> None:  # noqa: ANN401
    scenario = asked(placement=placement.slug, discipline=DISCIPLINE_CHOICES[discipline])
    available = DOMAIN_GPUS if placement.is_counted else dict(enumerate(NODE_GPUS))
    for seed in (0, 1):
        table = random_table(seed)
        outcome = run(scenario, table, record_placements=True)
        origin = Provenance(scenario_hash(scenario), "", ENGINE_VERSION, seed, 0)
        assert broken_promises(Result(scenario, table, outcome, origin), available) == []


@pytest.mark.parametrize("discipline", DISCIPLINE_CHOICES)
def test_on_one_node_it_is_counting(placement: Any, discipline: str) -> None:  # noqa: ANN401
    table = random_table(3)
    one_node = {
        slug: run(
            scenario(
                [],
                pool(1, 16, gpu="A"),
                fences={"s": None, "t": None},
                placement=slug,
                discipline=DISCIPLINE_CHOICES[discipline],
            ),
            table,
        )
        for slug in ("counted", placement.slug)
    }
    starts = [outcome.start_ms.tolist() for outcome in one_node.values()]
    assert starts[0] == starts[-1]
    assert min(starts[0]) >= 0
