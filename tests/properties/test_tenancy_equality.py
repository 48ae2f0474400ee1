"""Quotas, reserved shares and changing orders drawn together: the engine gives what the twin gives."""

from typing import Any

import pytest
from hypothesis import assume, given, settings

from tests.conftest import examples
from tests.oracle.pairs import engine, twin
from tests.properties.tenancy import read, tenancy_documents

pytestmark = pytest.mark.both_modes


@given(tenancy_documents())
@settings(max_examples=examples(600, 100))
def test_the_engine_and_the_twin_agree_with_quotas_shares_and_orders(document: dict[str, Any]) -> None:
    scenario = read(document)
    assume(scenario is not None)
    assert scenario is not None
    seen, expected = engine(scenario), twin(scenario)
    assert seen.start == expected.start
    assert seen.finish == expected.finish
    assert seen.state == expected.state
    assert seen.causes == expected.causes
    assert seen.order_behind == expected.order_behind
    if scenario.policy.placement.slug != "counted":  # which node it is says nothing there
        assert seen.places == expected.places
    assert seen.end == expected.end
