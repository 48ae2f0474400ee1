"""A hand-worked timeline judges both engines."""

from collections.abc import Callable

import pytest

from scheduler_core.scenario import Scenario
from tests.oracle.asked import SUBJECTS, Play, subjects
from tests.oracle.pairs import ENGINES, Seen

Run = Callable[[Scenario], Seen]


@pytest.fixture(params=list(ENGINES))
def run(request: pytest.FixtureRequest) -> Run:
    """Give one engine after the other."""
    return ENGINES[request.param]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Judge every subject that knows the mechanisms of the module, and those the test `needs` besides."""
    if "play" in metafunc.fixturenames:
        more = [word for mark in metafunc.definition.iter_markers("needs") for word in mark.args]
        metafunc.parametrize("play", subjects([*metafunc.module.MECHANISMS, *more]), indirect=True)


@pytest.fixture
def play(request: pytest.FixtureRequest) -> Play:
    """Give one subject after the other."""
    return SUBJECTS[request.param]
