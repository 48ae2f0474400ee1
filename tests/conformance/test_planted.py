"""A stranger adds one file: a good one is found, loaded and run; each bad one is caught by the suites here.

The files go into a copy of the core, where the suites over policies and placements run in a process of their own,
uncompiled, because new sources would otherwise compile everything anew.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scheduler_core import ENGINE_VERSION, STATES, Result, Scenario
from scheduler_core.engine.run import run as run_engine
from scheduler_core.result import Provenance
from tests.conformance.checks import NODE_GPUS, asked, broken_promises, random_table

ROOT = Path(__file__).parents[2]
COPIED = ("scheduler_core", "scenarios")
COPIED_TESTS = ("__init__.py", "builders.py", "conftest.py", "server.py", "conformance/checks.py")
SUITES = ("tests/conformance/test_policies.py", "tests/conformance/test_placements.py")
HELPERS = ("tests/unit/kernels/clusters.py", "tests/unit/kernels/entries.py")

POLICY = '''"""Largest first: the waiting job that asks for the most GPUs starts first.

Source: planted by a test.
"""

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.jit import kernel
from scheduler_core.kernels.state import RANK_SIGNATURE
from scheduler_core.kernels.tables import Jobs
from scheduler_core.policies._base import Policy


@kernel(RANK_SIGNATURE)
def rank(jobs: Jobs, params: NDArray[np.float64], row: int) -> float:
    """Return the sort key of job `row`; the smallest key starts first."""
    return -float(jobs.gpus[row])


POLICY = Policy(
    slug="SLUG",
    source="gu-2019-tiresias",
    rank=rank,
    within_group="submit",
    preemptive=False,
    params=(),
    name={"en": "Largest first", "zh": "\\u5927\\u4f5c\\u4e1a\\u4f18\\u5148"},
    text={
        "en": "Helps wide gangs, which never wait for small ones. Hurts everybody else.",
        "zh": "\\u5927\\u4f5c\\u4e1a\\u53d7\\u76ca\\u3002\\u5176\\u4ed6\\u4f5c\\u4e1a\\u53d7\\u5bb3\\u3002",
    },
)
'''

PLACEMENT = '''"""Last fit: the highest-numbered node with room.

Source: planted by a test.
"""

from scheduler_core.kernels.jit import INT, INTS, kernel
from scheduler_core.kernels.levels import emptiest_node, first_at, lowest_node
from scheduler_core.kernels.state import BLOCK_SIZE, FREE, LIVE, NUMBER, SCOPE_BLOCK, SCOPE_BLOCKS, SKIP, TOTAL
from scheduler_core.kernels.tables import Int64
from scheduler_core.placements._base import Placement

PICKS = (lowest_node, emptiest_node)


@kernel(INT(INTS, INT, INT, INT))
def last_node(m: Int64, which: int, scope: int, need: int) -> int:
    """Return the lowest node of the last block that has one with `need` GPUs free, or -1."""
    best = -1
    for entry in range(m[m[SCOPE_BLOCKS] + scope], m[m[SCOPE_BLOCKS] + scope + 1]):
        block = m[m[SCOPE_BLOCK] + entry]
        size = m[m[BLOCK_SIZE] + block]
        for free in range(need, size + 1):
            node = first_at(m, which, block, free, size)
            if node >= 0:
                best = node
                break
    return best


PLACEMENT = Placement(
    slug="SLUG",
    source="gu-2019-tiresias",
    pick_node=last_node,
    pick_rest=last_node,
    name={"en": "Last fit", "zh": "\\u672b\\u6b21\\u9002\\u914d"},
    text={
        "en": "Helps nobody in particular. Hurts those who like low numbers.",
        "zh": "\\u65e0\\u4eba\\u53d7\\u76ca\\u3002\\u5c0f\\u7f16\\u53f7\\u53d7\\u5bb3\\u3002",
    },
)
'''

NAMED = "test_its_file_has_the_name_by_which_documents_call_it"
SOURCED = "test_its_source_is_listed"
SAID = "test_its_file_says_what_it_is_and_where_it_comes_from"
TEXTS = "test_its_texts_say_whom_it_helps_and_whom_it_hurts_in_both_languages"
ORDERED = "test_it_says_truly_whether_jobs_of_one_shape_keep_their_order"
PURE = "test_its_keys_are_numbers_and_reading_them_changes_nothing"
FITS = "test_it_places_exactly_the_gangs_that_fit_and_whole_nodes_first"
SAME = "test_it_only_answers_where_and_always_the_same"

KEY = "    return -float(jobs.gpus[row])\n"
BAD_POLICIES = {
    "misnamed": ('slug="misnamed"', 'slug="another"', NAMED),
    "unsourced": ("gu-2019-tiresias", "hearsay", SOURCED),
    "silent": ("Source: planted by a test.", "", SAID),
    "one_sided": (" Hurts everybody else.", "", TEXTS),
    "one_tongue": ('        "zh": ', '        "fr": ', TEXTS),
    "boastful": (KEY, "    return float(jobs.runtime_ms[row])\n", ORDERED),
    "modest": ('"submit"', '"static"', ORDERED),
    "nameless": (KEY, "    return float('nan')\n", PURE),
    "meddling": (KEY, f"    jobs.priority[row] += 1\n{KEY}", PURE),
    "fickle": (
        KEY,
        "    CALLS.append(row)\n    return float(len(CALLS))\n\n\nCALLS: list[int] = []\n",
        PURE,
    ),
}  # fmt: skip
"""Module -> what is replaced in the good file, by what, and the test that must catch it."""

BEST = "    best = -1\n"
RETURN = "    return best\n"
BAD_PLACEMENTS = {
    "displaced": ('slug="displaced"', 'slug="elsewhere"', NAMED),
    "rumoured": ("gu-2019-tiresias", "hearsay", SOURCED),
    "one_eyed": (" Hurts those who like low numbers.", "", TEXTS),
    "choosy": (BEST, f"    if need == 2:\n        return -1\n{BEST}", FITS),
    "stubborn": (BEST, f"    if need > 0:\n        return 0\n{BEST}", FITS),
    "careless": ("m[m[BLOCK_SIZE] + block]\n", "m[m[BLOCK_SIZE] + block]\n        m[m[SKIP] + block] = 0\n", FITS),
    "grabbing": (RETURN, f"    m[m[TOTAL + which]] += 1\n{RETURN}", SAME),
    "dicing": (
        RETURN,
        "    CALLS.append(best)\n    return PICKS[len(CALLS) % 2](m, which, scope, need)\n\n\nCALLS = []\n",
        SAME,
    ),
}  # fmt: skip

SELECTED = "(not test_it_runs and not test_on_one_node and not test_the_engine) or largest or last_fit"
"""The tests that run the engine are for the good files; the bad ones have other faults."""

NO_SHRINKING = """
from hypothesis import Phase

settings.register_profile("first failure", _COMMON, derandomize=True, database=None, phases=[Phase.generate])
settings.load_profile("first failure")
"""
"""Appended to the copy's conftest.py: that a fault is found is enough."""

Outcome = dict[str, dict[str, set[bool]]]
"""Module -> test -> whether it passed, in each of its forms."""


def plant(folder: Path, good: str, good_name: str, bad: dict[str, tuple[str, str, str]]) -> None:
    """Write the good file, and each bad one, which differs from it in one place."""
    (folder / f"{good_name}.py").write_text(good.replace("SLUG", good_name), encoding="utf-8")
    for name, (old, new, _) in bad.items():
        text = good.replace("SLUG", name)
        assert text.count(old) == 1, name
        (folder / f"{name}.py").write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Run both suites over a copy with the planted files."""
    copy = tmp_path_factory.mktemp("stranger")
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", *(f"tests/{name}" for name in COPIED_TESTS), *SUITES, *HELPERS):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy / name)
    with (copy / "tests" / "conftest.py").open("a", encoding="utf-8") as conftest:
        conftest.write(NO_SHRINKING)
    plant(copy / "scheduler_core" / "policies", POLICY, "largest", BAD_POLICIES)
    plant(copy / "scheduler_core" / "placements", PLACEMENT, "last_fit", BAD_PLACEMENTS)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HEADROOM_", "PYTEST_"))}
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            *SUITES,
            "-q",
            "--tb=line",
            "-p",
            "no:cacheprovider",
            "--junitxml=said.xml",
            "-k",
            SELECTED,
        ],
        cwd=copy,
        env={**environment, "HEADROOM_KERNELS": "python"},
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert run.returncode == 1, run.stdout + run.stderr  # some tests failed, and nothing worse
    return read(copy / "said.xml")


def read(path: Path) -> Outcome:
    """Read a report of pytest; the forms of a test are named by module, seed and discipline."""
    said: Outcome = {}
    for case in ET.parse(path).iter("testcase"):  # noqa: S314 - written by our own process
        test, _, form = case.attrib["name"].partition("[")
        for word in re.split(r"[-\]]", form):
            said.setdefault(word, {}).setdefault(test, set()).add(len(case) == 0)
    return said


@pytest.mark.parametrize(("kind", "name"), [("policies", "largest"), ("placements", "last_fit")])
def test_one_good_file_is_found_and_keeps_every_promise(outcome: Outcome, kind: str, name: str) -> None:
    suite = (ROOT / "tests" / "conformance" / f"test_{kind}.py").read_text(encoding="utf-8")
    per_file = {test for test in re.findall(r"def (test_\w+)\(", suite) if not test.endswith("_are_found")}
    assert len(per_file) >= 7
    assert outcome[name] == {test: {True} for test in per_file}


@pytest.mark.parametrize("name", ["fifo", "shortest", "best_fit", "counted"])
def test_the_files_beside_it_still_keep_theirs(outcome: Outcome, name: str) -> None:
    assert all(passed == {True} for passed in outcome[name].values())


@pytest.mark.parametrize("name", [*BAD_POLICIES, *BAD_PLACEMENTS])
def test_a_bad_file_is_caught_by_the_test_for_its_fault(outcome: Outcome, name: str) -> None:
    expected = {**BAD_POLICIES, **BAD_PLACEMENTS}[name][2]
    assert False in outcome[name][expected]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("none", []),
        ("one more millisecond", ["causes do not sum to waits"]),
        ("a wait below nothing", ["causes do not sum to waits"]),
        ("half a gang", ["a gang has not started whole"]),
        ("the whole on one node", ["node 3 is used twice"]),
        ("still waiting", ["a job has not ended"]),
    ],
)
def test_a_run_that_breaks_a_promise_is_noticed(fault: str, said: list[str]) -> None:
    scenario = asked(placement="best_fit")
    result = simulated(scenario)
    out, placements = result.outcome, result.outcome.placements
    assert placements is not None
    if fault == "one more millisecond":
        out.cause_ms[5, 0] += 1
    elif fault == "a wait below nothing":
        out.cause_ms[5, 0] -= 1_000_000
    elif fault == "half a gang":
        placements.gpus[placements.gpus > 1] -= 1
    elif fault == "the whole on one node":
        placements.node[:] = 3
    elif fault == "still waiting":
        out.state[3] = STATES.index("pending")
    assert broken_promises(result, dict(enumerate(NODE_GPUS))) == said


def simulated(scenario: Scenario) -> Result:
    """Run a random table in a scenario."""
    table = random_table(0)
    outcome = run_engine(scenario, table, record_placements=True)
    return Result(scenario, table, outcome, Provenance("", "", ENGINE_VERSION, 0, 0))
