"""Imports go down only, and the libraries stay where they belong."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.architecture.layers import (
    CORE,
    clock_faults,
    core_layers,
    exported_names,
    front_faults,
    layer_faults,
    library_faults,
)
from tests.architecture.sources import PRODUCT, ROOT, assert_none, module_of, python_files, read

UPPER = ("app.py", "pages", "dashboard", "practice")


def faults_of(files: tuple[str, ...]) -> Iterator[str]:
    for name in files:
        module, source = module_of(name), read(name)
        yield from layer_faults(module, source)
        yield from library_faults(module, source)
        yield from clock_faults(module, source)


def test_imports_go_down_only() -> None:
    files = python_files(*PRODUCT)
    assert files
    assert_none(faults_of(files))


def test_upper_layers_import_only_the_front_of_the_core() -> None:
    exported = exported_names(read(f"{CORE}/__init__.pyi"))
    assert exported
    tests = (name for name in python_files("tests") if name.startswith(("tests/app/", "tests/e2e/")))
    files = (*python_files(*UPPER), *tests)
    faults = [fault for name in files for fault in front_faults(module_of(name), read(name), exported)]
    assert_none(faults)


def test_the_core_works_where_there_is_no_screen_and_no_database() -> None:
    """Import it in a process in which streamlit, plotly and SQLAlchemy cannot be imported."""
    script = (
        "import sys\n"
        "for name in ('streamlit', 'plotly', 'sqlalchemy'): sys.modules[name] = None\n"
        f"import {CORE}\n"
    )  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HEADROOM_KERNELS": "python"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_help_loads_neither_kernels_nor_pandas() -> None:
    """The commands are imported for their texts; what takes a second comes when a command runs."""
    script = (
        "import sys\n"
        f"from {CORE}.cli import run\n"
        "assert run(['--help']) == 0\n"
        "print(sorted({'numba', 'pandas'} & set(sys.modules)))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


def test_the_layers_are_read_from_the_settings() -> None:
    layers = core_layers()
    assert layers.index(("cli",)) < layers.index(("engine",)) < layers.index(("kernels",)) < layers.index(("errors",))
    assert {"policies", "placements", "traces"} < set(next(names for names in layers if "policies" in names))


@pytest.mark.parametrize(
    ("module", "source", "expected"),
    [
        ("scheduler_core.units", "from scheduler_core.engine import run", "lies above"),
        ("scheduler_core.policies.fifo", "import scheduler_core.placements.spread", "neighbour"),
        ("scheduler_core.policies.fifo", "def f():\n    from scheduler_core.api import simulate", "lies above"),
        ("scheduler_core.engine.loop", "from scheduler_core import simulate", "own front"),
        ("scheduler_core.extras", "import numpy", "in no layer"),
        ("scheduler_core.engine.loop", "from . import state", "relative import"),
        ("scheduler_core.api", "from dashboard import charts", "must not import"),
        ("practice.player", "from dashboard import charts", "must not import"),
        ("dashboard.charts", "import pages.start", "must not import"),
        ("pages.start", "from pages import results", "must not import"),
    ],
)
def test_a_planted_upward_import_is_found(module: str, source: str, expected: str) -> None:
    faults = list(layer_faults(module, source))
    assert len(faults) == 1
    assert expected in faults[0]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("scheduler_core.engine.loop", "import numba"),
        ("scheduler_core.policies.fifo", "from numba import njit"),
        ("scheduler_core.metrics.waits", "import pandas as pd"),
        ("practice.player", "import pandas"),
        ("scheduler_core.api", "import streamlit"),
        ("practice.player", "import streamlit as st"),
        ("scheduler_core.result", "from sqlalchemy import select"),
        ("scheduler_core.workload.arrivals", "import random"),
        ("scheduler_core.traces.swf", "from urllib import request"),
        ("scheduler_core.kernels.jitter", "import numba"),
    ],
)
def test_a_planted_library_import_is_found(module: str, source: str) -> None:
    assert len(list(library_faults(module, source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import time",
        "from time import monotonic",
        "from datetime import datetime\nx = datetime.now()",
        "import datetime\nx = datetime.date.today()",
    ],
)
def test_a_planted_look_at_the_clock_is_found(source: str) -> None:
    assert len(list(clock_faults("scheduler_core.result", source))) == 1
    assert list(clock_faults("scheduler_core.cli.progress", source)) == []
    assert list(clock_faults("dashboard.storage", source)) == []


def test_dates_in_logs_are_not_the_clock() -> None:
    source = "from datetime import datetime\nx = datetime.fromisoformat('2026-01-01')"
    assert list(clock_faults("scheduler_core.traces.sacct", source)) == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("scheduler_core.kernels.jit", "import numba"),
        ("scheduler_core.traces.swf", "import pandas"),
        ("dashboard.frames", "import pandas"),
        ("scheduler_core.links.text", "from urllib.parse import parse_qsl"),
        ("scheduler_core.engine.loop", "from scheduler_core.kernels import tables"),
        ("scheduler_core.engine.loop", "from scheduler_core.errors import CoreError"),
        ("scheduler_core.engine.loop", "from scheduler_core.engine import state"),
        ("pages.start", "from dashboard import charts\nfrom scheduler_core import simulate"),
    ],
)
def test_a_rightful_import_is_not_reported(module: str, source: str) -> None:
    assert [*layer_faults(module, source), *library_faults(module, source)] == []


@pytest.mark.parametrize(
    "source",
    [
        "from scheduler_core.engine import run",
        "import scheduler_core.engine",
        "from scheduler_core import engine",
        "from scheduler_core.kernels.tables import CAUSES",
    ],
)
def test_a_planted_reach_past_the_front_is_found(source: str) -> None:
    assert len(list(front_faults("dashboard.charts", source, {"simulate"}))) == 1


def test_exported_names_are_accepted_by_the_front_rule() -> None:
    exported = exported_names('__all__ = ["simulate", "load"]\n')
    assert list(front_faults("pages.start", "import scheduler_core\nfrom scheduler_core import load", exported)) == []
    assert exported_names('__all__: list[str] = ["a"]') == {"a"}
    assert exported_names("x = 1") == set()
