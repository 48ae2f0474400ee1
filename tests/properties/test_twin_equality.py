"""The engine and the slow twin agree on every job, whatever is drawn."""

import pytest
from hypothesis import given, settings

from tests.conftest import examples, is_set
from tests.oracle.pairs import Seen, engine, twin
from tests.properties.strategies import Asked, scenarios

pytestmark = pytest.mark.timeout(0 if is_set("HEADROOM_SOAK") else 900)
"""Shrinking a failure takes minutes; a soak takes hours."""


def without_nodes(seen: Seen) -> list[int]:
    """Return how many GPUs each job got: under `counted` there are no nodes to compare."""
    return [sum(places.values()) for places in seen.places]


@given(scenarios())
@settings(max_examples=examples())
def test_engine_equals_the_twin_job_by_job_and_cause_by_cause(asked: Asked) -> None:
    scenario = asked.scenario()
    fast, slow = engine(scenario), twin(scenario)
    assert fast.state == slow.state
    assert fast.start == slow.start
    assert fast.finish == slow.finish
    assert fast.causes == slow.causes
    assert fast.order_behind == slow.order_behind
    assert fast.end == slow.end
    if asked.policy["placement"] == "counted":
        assert without_nodes(fast) == without_nodes(slow)
    else:
        assert fast.places == slow.places


@given(scenarios())
@settings(max_examples=examples(200, 50, 10_000))
def test_slicing_a_run_changes_nothing(asked: Asked) -> None:
    scenario = asked.scenario()
    whole = engine(scenario)
    for slice_events in (1, 3):
        assert engine(scenario, slice_events=slice_events) == whole
