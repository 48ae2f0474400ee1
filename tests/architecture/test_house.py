"""The settings of the house: exact requirements, the suite's modes, and a browser that is required where it matters."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import server
from tests.architecture.sources import read
from tests.conftest import examples, is_second_suite_item, is_set, kernel_mode, suite

PIN = re.compile(r"[A-Za-z0-9._-]+==\d+(\.\d+)*")


def unpinned(requirements: str) -> list[str]:
    lines = (line.split("#")[0].strip() for line in requirements.splitlines())
    return [line for line in lines if line and not line.startswith("-r ") and not PIN.fullmatch(line)]


def test_every_requirement_has_an_exact_version() -> None:
    assert unpinned(read("requirements.txt")) == []
    assert unpinned(read("requirements-dev.txt")) == []
    assert unpinned("numpy\nscipy>=1\n# note\nnumba==0.1  # why\n-r other.txt\n") == ["numpy", "scipy>=1"]


def test_the_second_suite_holds_units_properties_twin_and_two_small_recordings() -> None:
    def is_kept(node_id: str) -> bool:
        return is_second_suite_item(node_id, is_marked=False)

    assert is_kept("tests/unit/metrics/test_waits.py::test_a")
    assert is_kept("tests/properties/test_invariants.py::test_a")
    assert is_kept("tests/oracle/test_twin.py::test_a")
    assert is_kept("tests/oracle/test_published.py::test_equal[pyss_conservative-ties300]")
    assert not is_kept("tests/oracle/test_published.py::test_equal[pyss_conservative-small1000]")
    assert not is_kept("tests/oracle/test_published.py::test_equal[helios_fifo-ties300]")
    assert not is_kept("tests/e2e/test_walk.py::test_a")
    assert not is_kept("tests/unit/traces/test_swf.py::test_a")
    assert is_second_suite_item("tests/golden/test_links.py::test_a", is_marked=True)


def test_the_mode_decides_how_many_examples_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADROOM_SOAK", raising=False)
    drawn = {}
    for mode in ("compiled", "python", "checked"):
        monkeypatch.setenv("HEADROOM_KERNELS", mode)
        drawn[mode] = examples(compiled=50, uncompiled=5, soak=500)
    assert drawn == {"compiled": 50, "python": 5, "checked": 5}
    monkeypatch.setenv("HEADROOM_SOAK", "1")
    assert examples(compiled=50, uncompiled=5, soak=500) == 500
    monkeypatch.setenv("HEADROOM_SOAK", "0")
    assert not is_set("HEADROOM_SOAK")


def test_a_mistyped_mode_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADROOM_KERNELS", "pyhton")
    with pytest.raises(pytest.UsageError, match="must be one of compiled, python, checked"):
        kernel_mode()
    monkeypatch.setenv("HEADROOM_SUITE", "3rd")
    with pytest.raises(pytest.UsageError, match="must be one of all, second"):
        suite()


INNER_TEST = """
from tests.conftest import chromium

def test_needs_a_browser(chromium):
    pass
"""


@pytest.mark.parametrize(("required", "outcome"), [("", "skipped"), ("1", "error")])
def test_a_missing_browser_skips_or_fails_as_asked(required: str, outcome: str, tmp_path: Path) -> None:
    """Run a small suite of its own in which no browser can be found."""
    (tmp_path / "test_inner.py").write_text(INNER_TEST)
    environment = {**os.environ, "HEADROOM_CHROMIUM": "no-such-browser", "HEADROOM_REQUIRE_BROWSER": required}
    environment |= {"PYTHONPATH": str(server.ROOT), "HEADROOM_SUITE": "all"}
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert f"1 {outcome}" in done.stdout
    assert "no Chromium found" in done.stdout
    assert (done.returncode == 0) is (outcome == "skipped")


def test_a_server_that_ends_early_says_what_it_wrote(tmp_path: Path) -> None:
    with pytest.raises(server.ServerError, match="ended with status"), server.serve(tmp_path, "--no-such-option"):
        pass


def test_a_traceback_in_the_log_is_noticed(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("You can now view your app\n")
    running = server.AppServer(url="http://127.0.0.1:1", data=tmp_path, log_path=log)
    assert not running.has_traceback()
    log.write_text("Traceback (most recent call last):\n")
    assert running.has_traceback()
    assert not server.is_healthy(running.url)
