"""What every test can use: the suite's modes, hypothesis settings, a browser and a dashboard server.

Environment
-----------
HEADROOM_KERNELS : compiled (default) | python | checked
    How the kernels run; the library reads it too.
HEADROOM_SUITE : all (default) | second
    `second` keeps what is worth running in a second kernel mode: property tests, unit tests of what has kernels, the
    twin, tests marked `both_modes`, and two 300-job recorded outputs.
HEADROOM_SOAK : 1
    Many more random examples, new ones each time; adds tests marked `soak`.
HEADROOM_FULL : 1
    Adds tests marked `full`.
HEADROOM_REQUIRE_BROWSER : 1
    A missing Chromium fails the browser tests instead of skipping them.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.server import CHROMIUM_FLAGS, CHROMIUM_NAMES, AppServer, find_chromium, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KERNEL_MODES = ("compiled", "python", "checked")
SUITES = ("all", "second")
SECOND_FOLDERS = ("tests/unit/", "tests/properties/")
SECOND_FILES = ("tests/oracle/test_twin",)
NOT_IN_SECOND = tuple(f"tests/unit/{name}/" for name in ("economics", "links", "scenario", "traces"))
PUBLISHED = "tests/oracle/test_published.py"
PUBLISHED_IN_SECOND = ("pyss_conservative", "cqsim_easy-exact")
PUBLISHED_SMALL = "ties300"
BROWSER_FIXTURES = {"browser", "app_server", "fresh_server"}


def is_set(variable: str) -> bool:
    """Say whether an environment variable is switched on (not empty, 0, no, off or false)."""
    return os.environ.get(variable, "").strip().lower() not in {"", "0", "no", "off", "false"}


def kernel_mode() -> str:
    """Return how the kernels run in this process: compiled, python or checked."""
    mode = os.environ.get("HEADROOM_KERNELS") or "compiled"
    if mode not in KERNEL_MODES:
        raise pytest.UsageError(f"HEADROOM_KERNELS is {mode!r}; it must be one of {', '.join(KERNEL_MODES)}.")
    return mode


def suite() -> str:
    """Return which suite was asked for: all or second."""
    name = os.environ.get("HEADROOM_SUITE") or "all"
    if name not in SUITES:
        raise pytest.UsageError(f"HEADROOM_SUITE is {name!r}; it must be one of {', '.join(SUITES)}.")
    return name


def examples(compiled: int = 2_000, uncompiled: int = 200, soak: int = 100_000) -> int:
    """Return how many random examples a property test draws in the present mode.

    Parameters
    ----------
    compiled : int
        In the ordinary, compiled run.
    uncompiled : int
        In the uncompiled and in the bounds-checked run, which are slower.
    soak : int
        In `make soak`.
    """
    if is_set("HEADROOM_SOAK"):
        return soak
    return compiled if kernel_mode() == "compiled" else uncompiled


# `make test` draws the same examples each time, so a red run can be repeated; `make soak` looks for new ones.
_COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", _COMMON, derandomize=True, database=None)
settings.register_profile("soak", _COMMON)
settings.load_profile("soak" if is_set("HEADROOM_SOAK") else "repeatable")


def is_second_suite_item(node_id: str, *, is_marked: bool) -> bool:
    """Say whether a test belongs to the suite that runs again in another kernel mode."""
    if node_id.startswith(PUBLISHED):
        return PUBLISHED_SMALL in node_id and any(peer in node_id for peer in PUBLISHED_IN_SECOND)
    if node_id.startswith(NOT_IN_SECOND):  # they call no kernel
        return is_marked
    return is_marked or node_id.startswith((*SECOND_FOLDERS, *SECOND_FILES))


def is_deselected(item: pytest.Item) -> bool:
    """Say whether the environment switches this test off."""
    if item.get_closest_marker("soak") and not is_set("HEADROOM_SOAK"):
        return True
    if item.get_closest_marker("full") and not is_set("HEADROOM_FULL"):
        return True
    if suite() == "all":
        return False
    if item.get_closest_marker("once"):
        return True
    is_marked = item.get_closest_marker("both_modes") is not None or item.get_closest_marker("soak") is not None
    return not is_second_suite_item(item.nodeid, is_marked=is_marked)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what the environment asks for; browser tests last, since they are the slowest."""
    dropped = [item for item in items if is_deselected(item)]
    kept = [item for item in items if not is_deselected(item)]
    published = {item.nodeid for item in items if item.nodeid.startswith(PUBLISHED)}
    if suite() == "second" and len(published) > 1 and published.isdisjoint(item.nodeid for item in kept):
        raise pytest.UsageError(f"{PUBLISHED} has no case named {PUBLISHED_SMALL} of {PUBLISHED_IN_SECOND}.")
    for item in kept:
        if BROWSER_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
    kept.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    items[:] = kept
    if dropped:
        config.hook.pytest_deselected(items=dropped)


def pytest_report_header() -> str:
    """Say in the first lines how this run differs from others."""
    return f"headroom: kernels {kernel_mode()}, suite {suite()}, browser {find_chromium() or 'not found'}"


@pytest.fixture(scope="session")
def chromium() -> str:
    """Give the path of the browser to drive; skip (or fail, where one is required) without it."""
    found = find_chromium()
    if found is None:
        reason = f"no Chromium found (looked for {', '.join(CHROMIUM_NAMES)}; name one with HEADROOM_CHROMIUM)"
        if is_set("HEADROOM_REQUIRE_BROWSER"):
            pytest.fail(f"{reason}, and HEADROOM_REQUIRE_BROWSER is set")
        pytest.skip(reason)
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> "Iterator[Browser]":
    """Give a Chromium without a window; open a new context in each test."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, headless=True, args=list(CHROMIUM_FLAGS))
        yield started
        started.close()


def _serve_cleanly(data: Path) -> Iterator[AppServer]:
    with serve(data) as server:
        yield server
        assert not server.has_traceback(), f"the server logged a traceback:\n{server.log()[-8000:]}"


@pytest.fixture(scope="session")
def app_server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:  # noqa: ARG001
    """Give one running dashboard for the whole session; a traceback in its log is a failure at the end."""
    yield from _serve_cleanly(tmp_path_factory.mktemp("app"))


@pytest.fixture
def fresh_server(chromium: str, tmp_path: Path) -> Iterator[AppServer]:  # noqa: ARG001
    """Give a dashboard that no browser has visited yet, for cold deep links."""
    yield from _serve_cleanly(tmp_path / "app")
