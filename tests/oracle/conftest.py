"""A hand-worked timeline judges both engines."""

from collections.abc import Callable

import pytest

from scheduler_core.scenario import Scenario
from tests.oracle.pairs import ENGINES, Seen

Run = Callable[[Scenario], Seen]


@pytest.fixture(params=list(ENGINES))
def run(request: pytest.FixtureRequest) -> Run:
    """Give one engine after the other."""
    return ENGINES[request.param]
