"""Every order that is found keeps the promises of an order."""

from typing import Any

import numpy as np
import pytest

from scheduler_core import ENGINE_VERSION, Result, load, registry, scenario_hash
from scheduler_core.engine.ordering import FACTS
from scheduler_core.engine.run import run
from scheduler_core.engine.setup import prepare
from scheduler_core.errors import ScenarioError
from scheduler_core.kernels import state
from scheduler_core.kernels.tables import Jobs, JobTable
from scheduler_core.result import Provenance
from scheduler_core.scenario import dump_document
from scheduler_core.scenario.availability import require_available
from tests.conformance.checks import (
    DISCIPLINE_CHOICES,
    NODE_GPUS,
    SOURCES,
    asked,
    broken_promises,
    random_table,
    settings_of,
    text_faults,
    written,
)

pytestmark = pytest.mark.both_modes
MODULES = {module.__name__.rpartition(".")[2]: module for module in registry.modules("policies")}
POLICIES: dict[str, Any] = dict(registry.find("policies"))
SEEDS = range(5)


@pytest.fixture(params=POLICIES)
def policy(request: pytest.FixtureRequest) -> Any:  # noqa: ANN401 - what a stranger's file exports
    return POLICIES[request.param]


def keys_of(policy: Any, table: JobTable, settings: dict[str, Any]) -> list[float]:  # noqa: ANN401
    """Return the key of every row that its file ranks by; without a rank, submit time alone decides."""
    jobs = table.jobs
    if policy.column is not None:
        return list(policy.column({name: FACTS[name](asked(), table) for name in policy.reads}, settings).tolist())
    if policy.rank is None:
        return [0.0] * len(jobs.gpus)
    params = policy.numbers(settings)
    return [float(policy.rank(jobs, params, row)) for row in range(len(jobs.gpus))]


def as_bytes(jobs: Jobs) -> list[bytes]:
    return [np.asarray(column).tobytes() for column in jobs]


def test_the_orders_of_the_first_slice_are_found() -> None:
    assert {"fifo", "priority", "shortest", "smallest"} <= set(POLICIES)


@pytest.mark.parametrize("name", MODULES)
def test_its_file_has_the_name_by_which_documents_call_it(name: str) -> None:
    assert MODULES[name].POLICY.slug == name
    assert POLICIES[name] is MODULES[name].POLICY


@pytest.mark.parametrize("name", MODULES)
def test_its_file_says_what_it_is_and_where_it_comes_from(name: str) -> None:
    said = MODULES[name].__doc__ or ""
    assert said.split("\n")[0].endswith(".")
    assert "Source: " in said


def test_its_source_is_listed(policy: Any) -> None:  # noqa: ANN401
    assert policy.source in SOURCES


def test_its_texts_say_whom_it_helps_and_whom_it_hurts_in_both_languages(policy: Any) -> None:  # noqa: ANN401
    assert text_faults(policy.name, policy.text) == []
    for param in policy.params:
        assert set(param.text) == {"en", "zh"}
        assert all(param.text.values())


def test_documents_accept_it_with_every_setting_and_show_it_again(policy: Any) -> None:  # noqa: ANN401
    for settings in settings_of(policy.params):
        scenario = asked(order=written(policy.slug, settings))
        assert scenario.policy.order.slug == policy.slug
        assert load(dump_document(scenario)) == scenario


@pytest.mark.parametrize("seed", SEEDS)
def test_its_keys_are_numbers_and_reading_them_changes_nothing(policy: Any, seed: int) -> None:  # noqa: ANN401
    table = random_table(seed)
    before = as_bytes(table.jobs)
    for settings in settings_of(policy.params):
        keys = keys_of(policy, table, settings)
        assert np.isfinite(keys).all()
        assert keys_of(policy, table, settings) == keys
    assert as_bytes(table.jobs) == before


def test_it_says_truly_whether_jobs_of_one_shape_keep_their_order(policy: Any) -> None:  # noqa: ANN401
    assert policy.within_group in {"submit", "static", "dynamic"}
    if policy.within_group == "dynamic":
        # What changes is a key of the job or of its tenant, and there is exactly one of the two.
        assert (policy.key is None) != (policy.share is None)
        assert all(policy.changes(settings) for settings in settings_of(policy.params))
        return
    spread = []
    for seed in SEEDS:
        table = random_table(seed, n_jobs=100)
        jobs = table.jobs
        for settings in settings_of(policy.params):
            by_shape: dict[tuple[int, ...], set[float]] = {}
            by_shape_and_priority: dict[tuple[int, ...], set[float]] = {}
            for row, key in enumerate(keys_of(policy, table, settings)):
                shape = (int(jobs.tenant[row]), int(jobs.type_set[row]), int(jobs.gpus[row]))
                by_shape.setdefault(shape, set()).add(key)
                by_shape_and_priority.setdefault((*shape, int(jobs.priority[row])), set()).add(key)
            if policy.within_group == "submit":
                assert all(len(keys) == 1 for keys in by_shape_and_priority.values())
            spread.append(max(len(keys) for keys in by_shape.values()))
    assert (max(spread) > 1) == (policy.within_group == "static")


@pytest.mark.parametrize("discipline", ["strict", "easy"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_engine_ranks_by_key_then_submit_then_row(policy: Any, seed: int, discipline: str) -> None:  # noqa: ANN401
    table = random_table(seed)
    submit = table.jobs.submit_ms.tolist()
    for settings in settings_of(policy.params):
        if policy.changes(settings):
            continue  # judged by the twin, at every pass: tests/properties/test_tenancy_equality.py
        if policy.preemptive and discipline == "easy":
            continue  # refused: test_it_runs_under_every_discipline_and_breaks_no_promise
        keys = keys_of(policy, table, settings)
        expected = [row for *_, row in sorted(zip(keys, submit, range(table.n_jobs), strict=True))]
        ready = prepare(asked(order=written(policy.slug, settings), discipline=discipline), table)
        place = ready.memory.column(state.RANK)
        if discipline == "strict":
            assert place[expected].tolist() == list(range(table.n_jobs))
            continue
        # Two fences: each line is a run of its own, in the same order.
        in_line = [[row for row in expected if table.jobs.tenant[row] == tenant] for tenant in (0, 1)]
        assert all(np.all(np.diff(place[rows]) > 0) for rows in in_line)


@pytest.mark.parametrize("discipline", DISCIPLINE_CHOICES)
def test_it_runs_under_every_discipline_and_breaks_no_promise(policy: Any, discipline: str) -> None:  # noqa: ANN401
    for settings in settings_of(policy.params):
        order = written(policy.slug, settings)
        if policy.preemptive and discipline.startswith(("easy", "conservative")):
            with pytest.raises(ScenarioError, match="evicts them before"):
                asked(order=order, discipline=DISCIPLINE_CHOICES[discipline])
            continue
        if policy.changes(settings) and discipline.startswith(("easy", "conservative")):
            with pytest.raises(ScenarioError, match="change while jobs"):
                require_available(asked(order=order, discipline=DISCIPLINE_CHOICES[discipline], placement="best_fit"))
            continue
        scenario = asked(order=order, discipline=DISCIPLINE_CHOICES[discipline], placement="best_fit")
        for seed in (0, 1):
            table = random_table(seed)
            outcome = run(scenario, table, record_placements=True)
            origin = Provenance(scenario_hash(scenario), "", ENGINE_VERSION, seed, 0)
            assert broken_promises(Result(scenario, table, outcome, origin), dict(enumerate(NODE_GPUS))) == []
            fewest = 2 if policy.preemptive else 5  # an order that evicts lets few wait, each several times
            assert (outcome.cause_ms.sum(axis=1) > 0).sum() > fewest  # a line, or nothing was ranked
