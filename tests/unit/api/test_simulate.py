"""The front door of the engine: what it refuses, and what it gives back with a run."""

import numpy as np
import pytest

from scheduler_core import CancelledError, InputError, Scenario, ScenarioError, apply, load, simulate
from scheduler_core.api import ENGINE_VERSION
from scheduler_core.scenario import run_hash, scenario_hash
from tests.builders import job, scenario

GENERATED = """
headroom: 1
name: a little of everything
cluster: {pools: [{name: p, gpu: A100, zones: {z: 1}}]}
tenants: [{name: t}]
workload:
  arrivals: {process: poisson}
  classes: [{name: c, tenant: t, per_day: 60, gpus: {1: 0.5, 4: 0.5}, duration: {exponential: {mean: 1h}}}]
policy: {order: fifo, discipline: strict, placement: best_fit}
run: {days: 1, seed: 3}
"""


@pytest.fixture
def drawn() -> Scenario:
    return load(GENERATED)


@pytest.mark.parametrize("replication", [-1, -10])
def test_a_negative_replication_is_refused(replication: int, drawn: Scenario) -> None:
    with pytest.raises(InputError, match=rf"replication is {replication}; it must be a whole number from 0\."):
        simulate(drawn, replication=replication)


@pytest.mark.parametrize(
    ("path", "text", "named"),
    [
        ("policy.placement", "pack", "pack"),
        ("tenants.t.weight", "2", None),  # a weight is stated, not later
        ("cluster.pools.p.spare_nodes", "1", "spare nodes"),
    ],
)
def test_what_is_not_available_yet_is_refused_by_name(path: str, text: str, named: str | None, drawn: Scenario) -> None:
    asked = apply(drawn, {path: text})
    if named is None:
        assert simulate(asked).n_jobs > 0
        return
    with pytest.raises(ScenarioError, match="not available yet") as caught:
        simulate(asked)
    assert path in str(caught.value)
    assert named in str(caught.value)


def test_nothing_runs_when_something_is_not_available(monkeypatch: pytest.MonkeyPatch, drawn: Scenario) -> None:
    from scheduler_core import api

    def fail(*_: object, **__: object) -> None:
        pytest.fail("the engine was called")

    monkeypatch.setattr(api, "run", fail)
    with pytest.raises(ScenarioError):
        simulate(apply(drawn, {"policy.placement": "pack"}))


def test_progress_can_cancel(drawn: Scenario) -> None:
    shares: list[float] = []

    def stop(share: float) -> bool:
        shares.append(share)
        return False

    with pytest.raises(CancelledError):
        simulate(drawn, progress=stop)
    assert shares == [0.0]


def test_a_replication_is_another_draw_and_the_first_is_the_seed_itself(drawn: Scenario) -> None:
    first, again, other = simulate(drawn), simulate(drawn, replication=0), simulate(drawn, replication=1)
    assert np.array_equal(first.table.jobs.submit_ms, again.table.jobs.submit_ms)
    assert np.array_equal(first.outcome.start_ms, again.outcome.start_ms)
    assert first.table.jobs.submit_ms.tolist() != other.table.jobs.submit_ms.tolist()


def test_a_result_says_what_it_answers(drawn: Scenario) -> None:
    origin = simulate(drawn, replication=2).provenance
    assert origin.scenario_hash == scenario_hash(drawn)
    assert origin.run_hash == run_hash(drawn, ENGINE_VERSION, 2)
    assert origin.run_hash != simulate(drawn).provenance.run_hash
    assert (origin.engine_version, origin.seed, origin.replication) == (ENGINE_VERSION, 3, 2)


def test_placements_come_on_request() -> None:
    asked = scenario([job(0, 10, 4), job(1, 10, 8)])
    assert simulate(asked).outcome.placements is None
    placements = simulate(asked, record_placements=True).outcome.placements
    assert placements is not None
    assert (placements.row.tolist(), placements.gpus.tolist()) == ([0, 1], [4, 8])
