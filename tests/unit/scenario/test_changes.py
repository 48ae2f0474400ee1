"""Differences and their application: any scenario can be reached from any other."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.errors import ScenarioError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import (
    apply,
    canonical,
    differences,
    dump_document,
    flow,
    load,
    load_case,
    nearest,
    scenario_hash,
)
from scheduler_core.scenario.reading import read_value
from tests.unit.scenario.documents import SMALL, documents


@given(documents(), documents())
def test_differences_lead_from_any_scenario_to_any_other(wanted: dict[str, Any], start: dict[str, Any]) -> None:
    scenario, base = load(wanted), load(start)
    changes = differences(scenario, base)
    assert apply(base, changes) == scenario
    as_text = {path: value if isinstance(value, str) else flow(value) for path, value in changes.items()}
    assert apply(base, as_text) == scenario


def test_another_order_of_a_list_alone_is_a_difference() -> None:
    start = load(SMALL)
    wanted = load({**SMALL, "tenants": SMALL["tenants"][::-1]})
    changes = differences(wanted, start)
    assert set(changes) == {"tenants"}
    assert apply(start, changes) == wanted
    assert differences(start, start) == {}


@given(documents())
def test_a_dumped_document_reads_back_to_the_same_scenario(document: dict[str, Any]) -> None:
    scenario = load(document)
    assert load(dump_document(scenario)) == scenario
    assert load(dump_document(scenario, is_full=False)) == scenario
    assert load(json.dumps(dump_document(scenario))) == scenario


@given(documents())
def test_equal_hashes_mean_equal_questions(document: dict[str, Any]) -> None:
    scenario = load(document)
    renamed = apply(scenario, {"name": "another", "notes": "another"})
    assert scenario_hash(renamed) == scenario_hash(scenario)
    other = apply(scenario, {"run.seed": scenario.run.seed // 2 + 1, "run.days": scenario.run.days + 1})
    assert scenario_hash(other) != scenario_hash(scenario)
    assert canonical(load(flow(turned(dump_document(scenario))))) == canonical(scenario)


def turned(value: object, key: str = "") -> object:
    """Return the document with the keys of every mapping turned round, where their order means nothing."""
    if isinstance(value, dict):
        pairs = value.items() if key == "zones" else reversed(value.items())
        return {name: turned(item, name) for name, item in pairs}
    return [turned(item, key) for item in value] if isinstance(value, list) else value


def test_nothing_differs_from_itself() -> None:
    assert differences(load(SMALL), load(SMALL)) == {}


def test_differences_are_the_smallest_readable_change() -> None:
    base = load_case("fenced-research@1")
    changes = {
        "tenants.research.pool": "null",
        "workload.classes.pretrain.per_day": "40",
        "workload.classes.short.gpus.8": "null",
        "workload.classes.short.gpus.4": "0.04",
        "workload.classes.finetune.duration.lognormal.mean": "3h",
        "workload.classes.experiment.duration.fixed": "1h",
        "policy.discipline.easy.depth": "50",
        "cluster.pools.shared.zones.d": "10",
    }
    assert differences(apply(base, changes), base) == {
        "cluster.pools.shared.zones.d": 10,
        "tenants.research.pool": None,
        "workload.classes.pretrain.per_day": 40,
        "workload.classes.finetune.duration.lognormal.mean": "3h",
        "workload.classes.experiment.duration.fixed": "1h",
        "workload.classes.short.gpus.8": None,
        "workload.classes.short.gpus.4": 0.04,
        "policy.discipline.easy.depth": 50,
    }


def test_a_new_and_a_removed_item_are_named() -> None:
    base = load(SMALL)
    changed = apply(
        base,
        {
            "workload.classes.serve.remove": "true",
            "workload.classes.night.name": "night",
            "workload.classes.night.tenant": "web",
            "workload.classes.night.per_day": "3",
            "workload.classes.night.gpus": "1",
            "workload.classes.night.duration.fixed": "5min",
        },
    )
    assert differences(changed, base) == {
        "workload.classes.serve.remove": True,
        "workload.classes.night.name": "night",
        "workload.classes.night.tenant": "web",
        "workload.classes.night.per_day": 3,
        "workload.classes.night.gpus": 1,
        "workload.classes.night.duration.fixed": "5min",
    }


def test_another_order_of_items_or_zones_is_a_difference() -> None:
    base = load(SMALL)
    document = dump_document(base)
    document["tenants"].reverse()
    document["cluster"]["pools"][0]["zones"] = {"b": 1, "a": 2}
    turned_round = load(document)
    assert list(differences(turned_round, base)) == ["cluster.pools.own.zones", "tenants"]
    assert scenario_hash(turned_round) != scenario_hash(base)


def test_the_same_setting_of_the_same_word_merges_and_another_word_replaces() -> None:
    base = apply(load(SMALL), {"policy.discipline.easy.depth": "7"})
    kept = apply(base, {"policy.discipline.easy.candidates": "shortest"})
    assert kept.policy.discipline.params == {"depth": 7, "candidates": "shortest"}
    replaced = apply(base, {"policy.discipline.conservative.slots": "recomputed"})
    assert replaced.policy.discipline.params == {"depth": 100, "slots": "recomputed"}


def test_a_damaged_change_leaves_what_can_be_kept() -> None:
    base = load(SMALL)
    found = nearest(
        base, {"run.days": "-1", "run.seed": "9", "policy.order": "lifo", "workload.classes.train.gpus": "4"}
    )
    assert found == apply(base, {"run.seed": "9", "workload.classes.train.gpus": "4"})


def test_a_change_that_fits_nothing_leaves_the_base() -> None:
    base = load(SMALL)
    assert nearest(base, {"workload.classes.train.gpus": "1000"}) == base


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
TRAIN = "workload.classes.train"
places = st.sampled_from(
    [
        "run",
        "run.days",
        "tenants",
        "tenants.lab",
        "cluster",
        "cluster.pools",
        "cluster.pools.own.zones",
        "policy",
        "targets",
    ]
    + ["policy.order", "workload", "workload.arrivals", "workload.classes"]
    + [f"{TRAIN}.{key}" for key in ("gpus", "duration", "priority", "limit")]
)


@given(values, places)
def test_any_value_anywhere_is_accepted_or_refused_with_sentences(value: object, path: str) -> None:
    base = load(SMALL)
    try:
        scenario = apply(base, {path: value})
    except ScenarioError as error:
        sentences = [fault.sentence for fault in error.faults]
        kept = nearest(base, {path: value})
    else:
        sentences, kept = [Phrase("fine.")], scenario
    assert sentences
    assert all(sentence.endswith((".", "?")) and "\n" not in sentence for sentence in sentences)
    assert load(dump_document(kept)) == kept.model_copy(update={"case": None})


@pytest.mark.parametrize(
    "value", [{"easy": {"depth": 50}}, [1, "x y", None], "3h", "yes", 0.5, 1e-7, "a: b", "#x", "", "-"]
)
def test_values_written_on_one_line_read_back(value: object) -> None:
    assert read_value(flow(value)) == value
