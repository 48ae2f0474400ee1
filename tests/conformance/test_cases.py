"""Every shipped case: frozen, complete, available, and it runs."""

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scheduler_core import registry
from scheduler_core.engine.run import run
from scheduler_core.kernels.tables import STATES, Outcome
from scheduler_core.scenario import (
    CASES_FOLDER,
    DEFAULT_CASE,
    Scenario,
    apply,
    cases,
    check,
    dump_document,
    json_schema,
    load_case,
    scenario_hash,
    unavailable,
)
from scheduler_core.scenario.reading import read_file
from scheduler_core.workload import build

ROOT = Path(__file__).parents[2]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "cases.json").read_text(encoding="utf-8"))
SOURCES = tomllib.loads((CASES_FOLDER.parent / "sources.toml").read_text(encoding="utf-8"))
CASES = list(cases())


def test_the_default_cases_are_there_and_the_first_is_the_default() -> None:
    assert CASES[0] == DEFAULT_CASE == "fenced-research@1"
    assert "three-zone-a100@1" in CASES
    assert all(re.fullmatch(r"[a-z0-9-]+@[1-9]\d*", name) for name in CASES)


def test_no_case_is_missing_from_the_golden_file_or_was_deleted() -> None:
    assert sorted(GOLDEN) == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_frozen(name: str) -> None:
    golden = GOLDEN[name]
    assert scenario_hash(load_case(name)) == golden["scenario_hash"]
    assert hashlib.sha256(cases()[name].read_bytes()).hexdigest() == golden["file_sha256"]


@pytest.mark.parametrize("name", CASES)
def test_a_case_states_every_field_of_its_schema(name: str) -> None:
    stated = read_file(cases()[name])
    assert stated == dump_document(load_case(name))
    schema = json_schema()
    sections: list[tuple[str, dict[str, Any]]] = [
        ("Cluster", stated["cluster"]),
        ("Workload", stated["workload"]),
        ("Arrivals", stated["workload"]["arrivals"]),
        ("Policy", stated["policy"]),
        ("Run", stated["run"]),
        *(("Pool", pool) for pool in stated["cluster"]["pools"]),
        *(("Tenant", tenant) for tenant in stated["tenants"]),
        *(("JobClass", job_class) for job_class in stated["workload"]["classes"]),
    ]
    for model, section in sections:
        fields = set(schema["$defs"][model]["properties"]) - {"remove", "fraction"}  # written inside gpus
        assert set(section) == fields, model
    assert set(stated) == set(schema["properties"]) - {"case"}


@pytest.mark.parametrize("name", CASES)
def test_a_case_can_run_and_every_job_in_it_can_start(name: str) -> None:
    scenario = load_case(name)
    assert unavailable(scenario) == ()
    report = check(scenario)
    assert report.unschedulable == ()
    assert report.warnings == ()
    assert all(0 < load.load < 0.95 for load in report.pools)


@pytest.mark.parametrize("name", CASES)
def test_a_case_names_itself_and_says_what_to_look_at(name: str) -> None:
    scenario = load_case(name)
    assert scenario.case == name
    assert 5 < len(scenario.name) <= 40
    assert scenario.notes.endswith((".", "?"))
    comments = [line for line in cases()[name].read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    assert comments[0] == "# Frozen: this file never changes; a correction is a new version beside it."


def _days(scenario: Scenario, days: float) -> Scenario:
    """Return the scenario shortened; its changes of policy come at the same part of the run."""
    changes = [
        {**change, "at": f"{round(step.at * days / scenario.run.days)}ms"}
        for change, step in zip(dump_document(scenario)["policy"]["change"], scenario.policy.change, strict=True)
    ]
    return apply(scenario, {"policy.change": changes, "run.warmup_days": 0, "run.days": days})


def _accounted(scenario: Scenario) -> Outcome:
    """Run a scenario, and check that every job of it is accounted for: its causes sum to what it waited, in all."""
    table = build(scenario)
    outcome = run(scenario, table)
    assert table.n_jobs > 0
    assert outcome.state.shape == (table.n_jobs,)
    assert STATES.index("unschedulable") not in outcome.state
    end_ms = np.where(outcome.start_ms >= 0, outcome.start_ms, outcome.end_ms)
    again_ms = 0 if outcome.requeue_wait_ms is None else outcome.requeue_wait_ms
    assert np.array_equal(outcome.cause_ms.sum(axis=1), end_ms - table.jobs.submit_ms + again_ms)
    return outcome


@pytest.mark.parametrize("name", CASES)
def test_the_engine_runs_a_day_of_each_case_and_accounts_for_every_job(name: str) -> None:
    _accounted(_days(load_case(name), 0.5))


def test_a_case_with_evictions_accounts_for_what_was_waited_after_them() -> None:
    evicting = {"policy.order": "priority", "policy.discipline": "best_effort"}
    outcome = _accounted(
        apply(_days(load_case("priority-clash@1"), 2), evicting | {"policy.preemption": "{min_gap: 0.1, grace: 5min}"})
    )
    assert outcome.ledger is not None
    assert len(outcome.ledger.time_ms) > 0
    assert outcome.requeue_wait_ms is not None
    assert outcome.requeue_wait_ms.sum() > 0


@pytest.mark.parametrize("name", CASES)
def test_what_is_drawn_asks_for_what_the_formulas_say(name: str) -> None:
    scenario = apply(load_case(name), {"workload.elastic": None})  # work that may not come is in no formula
    by_formula, by_table = check(scenario), check(scenario, build(scenario))
    for formula, counted in zip(by_formula.pools, by_table.pools, strict=True):
        assert counted.load == pytest.approx(formula.load, rel=0.25)


def test_every_source_that_is_named_is_listed() -> None:
    named = {source for path in CASES_FOLDER.glob("*.yaml") for source in _sources_in(path)}
    named |= {
        getattr(item, "source", "") for kind in ("policies", "placements") for item in registry.find(kind).values()
    }
    schema = json.dumps(json_schema())
    named |= set(re.findall(r'"source": "([^"]+)"', schema))
    assert sorted(named - set(SOURCES) - {""}) == []


def _sources_in(path: Path) -> list[str]:
    comments = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    return re.findall(r"\b(?:article-\w+(?:-\w+)*|[a-z]+-\d{4}(?:-[\w.]+)*)\b", "\n".join(comments))


def test_every_source_says_what_it_is_and_which_figures_come_from_it() -> None:
    for about in SOURCES.values():
        assert about["title"]
        assert about["figures"]
