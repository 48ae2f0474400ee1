"""Everything that has its place in the document and does not work yet."""

from pathlib import Path

import pytest

from scheduler_core import registry
from scheduler_core.errors import ScenarioError
from scheduler_core.scenario import (
    apply,
    differences,
    known_words,
    load,
    load_case,
    require_available,
    scenario_hash,
    to_yaml,
    unavailable,
)
from scheduler_core.scenario.later import LATER_METRICS, PENDING
from tests.unit.scenario.documents import SMALL

SHARED_EXAMPLE = Path(__file__).parents[4] / "shared" / "scenario-example.yaml"
EXAMPLE = Path(__file__).parents[2] / "data" / "scenario-full.yaml"
LATER_PATHS = {
    "cluster.pools.a100.failures",
    "cluster.pools.a100.spare_nodes",
    "cluster.pools.a100.sharing",
    "cluster.pools.a100.speed",
    "workload.classes.pretrain.outcome",
    "workload.classes.inference.service",
    "workload.classes.notebooks.gpus.fraction",
    "policy.discipline",
    "policy.placement",
    "policy.start_latency",
    "targets.0.metric",
}
PENDING_PATHS = {
    "tenants.research.nominal_gpus": "quotas",
    "tenants.research.borrow_gpus": "quotas",
    "workload.classes.pretrain.checkpoint": "checkpoints",
    "workload.classes.pretrain.cpus_per_gpu": "CPU cores of jobs",
    "policy.reserve": "reserved shares",
    "policy.preemption": "preemption",
    "policy.rounds": "scheduling rounds",
    "policy.change": "policy changes",
}
"""Path -> mechanism; the path is refused while the mechanism is pending."""


def later_paths() -> set[str]:
    found = LATER_PATHS | {path for path, mechanism in PENDING_PATHS.items() if mechanism in PENDING}
    ages = "aging_per_h" in {param.slug for param in known_words("order")["priority"]}
    return found if ages else found | {"policy.order.priority.aging_per_h"}


def test_a_document_with_every_later_mechanism_is_read_and_each_part_is_listed() -> None:
    scenario = load(EXAMPLE)
    faults = {fault.path: fault.sentence for fault in unavailable(scenario)}
    inside = tuple(f"{path}." for path in ("policy.change", "policy.reserve", "policy.preemption"))
    assert {path for path in faults if not path.startswith(inside)} == later_paths()
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
    assert len(refused.value.faults) >= len(later_paths())
    require_available(load(SMALL))


@pytest.mark.parametrize(
    "change", [{"policy.change": "[]"}, {"policy.rounds": "{every: 0s}"}, {"policy.reserve": "[]"}]
)
def test_saying_that_a_later_mechanism_is_off_is_not_a_fault(change: dict[str, str]) -> None:
    assert unavailable(apply(load(SMALL), change)) == ()


@pytest.mark.skipif(not SHARED_EXAMPLE.exists(), reason="the shared example is not on this machine")
def test_the_shared_example_is_read_and_what_is_later_is_listed() -> None:
    paths = {fault.path for fault in unavailable(load(SHARED_EXAMPLE))}
    assert {"cluster.pools.a100.failures", "policy.placement"} <= paths


def test_a_metric_that_works_is_not_listed_as_later() -> None:
    assert set(LATER_METRICS) & set(registry.find("metrics")) == set()
