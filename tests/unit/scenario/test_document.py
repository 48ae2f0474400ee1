"""Loading, merging and refusing documents."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.errors import ScenarioError
from scheduler_core.scenario import JobRow, apply, load, load_case, scenario_hash
from scheduler_core.scenario.paths import set_value, split_path
from tests.unit.scenario.documents import SMALL

REFUSALS = Path(__file__).with_name("refusals.jsonl")
"""One refusal a line: path, value, and the sentence that a person reads."""


def changed(path: str, value: object) -> dict[str, Any]:
    tree = copy.deepcopy(SMALL)
    fault = set_value(tree, path, value)
    assert fault is None
    return tree


def said(document: object) -> list[str]:
    with pytest.raises(ScenarioError) as refused:
        load(document)  # type: ignore[arg-type]
    return [fault.sentence for fault in refused.value.faults]


def test_a_document_is_read_with_units_made_integers() -> None:
    tree = changed("workload.classes.train.priority", {"uniform": [0.4, 0.8]})
    train = load(tree).workload.classes[0]
    assert train.duration.fixed == 3_600_000
    assert train.gpus == {8: 0.5, 16: 0.5}
    assert train.priority.uniform == (400, 800)
    assert load(tree).cluster.gpus == 3 * 8 + 4 * 4 + 1 * 4


@pytest.mark.parametrize(
    ("path", "value", "sentence"), [json.loads(line) for line in REFUSALS.read_text().splitlines()]
)
def test_every_fault_is_one_sentence_with_path_value_and_what_is_allowed(
    path: str, value: object, sentence: str
) -> None:
    assert said(changed(path, value)) == [sentence]


def test_all_faults_are_told_at_once_also_behind_the_first_ones() -> None:
    tree = changed("run.days", 1)
    tree["run"]["warmup_days"] = 3  # a rule across fields
    tree["runn"] = {}  # an unknown key
    tree["workload"]["classes"][0]["duration"] = {"fixed": 5}  # a missing unit
    tree["workload"]["classes"][1]["gpus"] = 4096  # larger than its pools
    assert [sentence.split(" ")[0] for sentence in said(tree)] == [
        "workload.classes.train.duration.fixed",
        "runn",
        "workload.classes.serve.gpus",
        "run.warmup_days",
    ]


def test_what_follows_from_a_fault_is_not_a_second_fault() -> None:
    tree = changed("cluster.pools.own.zones", {"a": "many"})
    assert len(said(tree)) == 1


def test_an_empty_document_asks_for_each_section() -> None:
    assert [sentence.split(" ")[0] for sentence in said({})] == ["cluster", "tenants", "workload", "run"]


def test_missing_parts_of_a_class_are_asked_for_with_an_example() -> None:
    tree = copy.deepcopy(SMALL)
    tree["workload"]["classes"] = [{"name": "x", "tenant": "lab"}]
    assert len(said(tree)) == 3
    assert said(tree)[0] == (
        "workload.classes.x.per_day is missing; state how many jobs come a day, for example per_day: 40."
    )


@pytest.mark.parametrize("where", ["cluster.pools", "tenants", "workload.classes"])
def test_a_name_may_be_used_once(where: str) -> None:
    tree = copy.deepcopy(SMALL)
    items: Any = tree
    for key in where.split("."):
        items = items[key]
    items.append(copy.deepcopy(items[0]))
    assert any("stands twice; a name may be used once." in sentence for sentence in said(tree))


def test_a_tenant_needs_a_pool_that_nobody_else_fenced() -> None:
    tree = copy.deepcopy(SMALL)
    tree["tenants"] = [{"name": "lab", "pool": "own"}, {"name": "web"}]
    tree["cluster"]["pools"] = tree["cluster"]["pools"][:1]
    assert said(tree) == ["tenants.web.pool is null, but every pool is fenced for somebody else; name a pool."]


def test_a_document_over_a_case_states_only_what_differs() -> None:
    scenario = load(
        """
        case: fenced-research@1
        tenants: [{name: research, pool: null}, {name: newcomer}]
        workload:
          arrivals: {day: flat}
          classes:
            - {name: pretrain, per_day: 40}
            - {name: short, remove: true}
        policy: {discipline: easy}
        """
    )
    base = load_case("fenced-research@1")
    assert [tenant.name for tenant in scenario.tenants] == ["research", "platform", "newcomer"]
    assert [job_class.name for job_class in scenario.workload.classes] == ["pretrain", "finetune", "experiment"]
    assert scenario.workload.classes[0].gpus == base.workload.classes[0].gpus
    assert scenario.workload.arrivals.process == "poisson"
    assert scenario.cluster == base.cluster
    assert scenario.case == "fenced-research@1"


def test_a_choice_and_a_mapping_are_replaced_whole() -> None:
    scenario = load(
        {
            "case": "fenced-research@1",
            "cluster": {"pools": [{"name": "research", "zones": {"x": 10}}]},
            "workload": {"classes": [{"name": "pretrain", "gpus": {8: 1}, "duration": {"fixed": "1h"}}]},
        }
    )
    assert scenario.cluster.pools[0].zones == {"x": 10}
    assert scenario.workload.classes[0].gpus == {8: 1.0}
    assert scenario.workload.classes[0].duration.kind == "fixed"


def test_removing_what_is_not_there_is_a_fault() -> None:
    assert said({"case": "fenced-research@1", "tenants": [{"name": "platfrom", "remove": True}]}) == [
        "tenants.platfrom cannot be removed, because it is not there; did you mean platform?"
    ]


def test_an_unknown_case_names_the_known_ones() -> None:
    (sentence,) = said({"case": "fenced-research@9"})
    assert sentence.startswith("case is 'fenced-research@9', which is not a case here; did you mean fenced-research@1?")


def test_yaml_json_and_mappings_give_the_same_scenario() -> None:
    from_mapping = load(SMALL)
    assert load(json.dumps(SMALL)) == from_mapping
    assert scenario_hash(load(json.dumps(SMALL, indent=1))) == scenario_hash(from_mapping)


def test_overrides_come_last_and_are_read_as_text() -> None:
    scenario = load(SMALL, overrides={"run.days": "9", "policy.discipline.easy.depth": "null", "name": "7"})
    assert scenario.run.days == 9
    assert scenario.policy.discipline.params == {"depth": None, "candidates": "order"}
    assert scenario.name == "7"


@pytest.mark.parametrize(
    ("path", "said_of_it"),
    [
        ("workload.classes.trian.per_day", "workload.classes.trian is not there; did you mean train?"),
        ("run..days", "'run..days' is not a path"),
        ("run.days.", "'run.days.' is not a path"),
        ("case", "case cannot be changed afterwards"),
        ("run.dayz", "run.dayz is not a known key; did you mean days?"),
        ("tenants.0.weight", "tenants.0 is not there"),
    ],
)
def test_a_path_that_leads_nowhere_is_a_fault(path: str, said_of_it: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        apply(load(SMALL), {path: "3"})
    assert str(refused.value).startswith(said_of_it)


def test_paths_with_quotes_reach_any_name() -> None:
    assert split_path('tenants."R&D: a.b".weight') == ("tenants", "R&D: a.b", "weight")
    scenario = apply(load(SMALL), {'tenants."R&D: a.b".name': "R&D: a.b", 'tenants."R&D: a.b".weight': "3"})
    assert scenario.tenants[-1].weight == 3


def test_models_are_frozen() -> None:
    scenario = load(SMALL)
    with pytest.raises(ValueError, match="frozen"):
        scenario.run.days = 9  # type: ignore[misc]


def test_from_python_integers_are_milliseconds_and_thousandths() -> None:
    row = JobRow(id="a", tenant="t", submit=0, duration=1500, gpus=1, priority=250)
    assert (row.duration, row.priority) == (1500, 250)
    assert JobRow(id="a", tenant="t", submit="1s", duration="1min", gpus=1, priority=0.25).priority == 250
