"""Everything that has its place in the document and does not work yet."""

from pathlib import Path

import pytest

from scheduler_core.errors import ScenarioError
from scheduler_core.scenario import (
    apply,
    differences,
    load,
    load_case,
    require_available,
    scenario_hash,
    to_yaml,
    unavailable,
)
from tests.unit.scenario.documents import SMALL

SHARED_EXAMPLE = Path(__file__).parents[4] / "shared" / "scenario-example.yaml"
EXAMPLE = Path(__file__).parents[2] / "data" / "scenario-full.yaml"
LATER_PATHS = {
    "cluster.pools.a100.failures",
    "cluster.pools.a100.spare_nodes",
    "cluster.pools.a100.sharing",
    "cluster.pools.a100.speed",
    "tenants.research.nominal_gpus",
    "tenants.research.borrow_gpus",
    "workload.classes.pretrain.checkpoint",
    "workload.classes.pretrain.cpus_per_gpu",
    "workload.classes.pretrain.outcome",
    "workload.classes.inference.service",
    "workload.classes.notebooks.gpus.fraction",
    "workload.backlog_gpu_h",
    "workload.elastic",
    "policy.order.priority.aging_per_h",
    "policy.isolation",
    "policy.reserve",
    "policy.preemption",
    "policy.placement",
    "policy.start_latency",
    "policy.rounds",
    "policy.change",
    "targets.0.metric",
}


def test_a_document_with_every_later_mechanism_is_read_and_each_part_is_listed() -> None:
    scenario = load(EXAMPLE)
    faults = {fault.path: fault.sentence for fault in unavailable(scenario)}
    assert set(faults) == LATER_PATHS
    assert all("not available yet" in sentence for sentence in faults.values())
    assert faults["policy.placement"] == (
        "policy.placement: topology is not available yet; available: best_fit, consolidate, counted, first_fit, spread."
    )
    assert faults["cluster.pools.a100.spare_nodes"] == (
        "cluster.pools.a100.spare_nodes is 4, which is not available yet (spare nodes); leave it at 0."
    )


def test_what_is_not_available_survives_writing_and_reading() -> None:
    scenario = load(EXAMPLE)
    base = load_case("three-zone-a100@1")
    assert scenario_hash(load(to_yaml(scenario))) == scenario_hash(scenario)
    assert apply(base, differences(scenario, base)) == scenario


def test_a_scenario_that_cannot_run_is_refused_with_every_part() -> None:
    with pytest.raises(ScenarioError) as refused:
        require_available(load(EXAMPLE))
    assert len(refused.value.faults) == len(LATER_PATHS)
    require_available(load(SMALL))


@pytest.mark.parametrize(
    "change", [{"policy.change": "[]"}, {"policy.rounds": "{every: 0s}"}, {"policy.reserve": "[]"}]
)
def test_saying_that_a_later_mechanism_is_off_is_not_a_fault(change: dict[str, str]) -> None:
    assert unavailable(apply(load(SMALL), change)) == ()


@pytest.mark.skipif(not SHARED_EXAMPLE.exists(), reason="the shared example is not on this machine")
def test_the_shared_example_is_read_and_what_is_later_is_listed() -> None:
    paths = {fault.path for fault in unavailable(load(SHARED_EXAMPLE))}
    assert {"policy.preemption", "workload.elastic", "tenants.serving.nominal_gpus", "policy.isolation"} <= paths
    assert len(paths) > 20
