import copy
from typing import Any

import pytest
from hypothesis import given, settings

from scheduler_core.scenario import apply, cases, dump_document, json_schema, load, load_case, scenario_hash, to_yaml
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.dump import spec_of
from scheduler_core.scenario.faults import models_in
from tests.unit.scenario.documents import SMALL, documents


@settings(max_examples=max(10, settings().max_examples // 5))  # YAML is read slowly
@given(documents())
def test_a_shown_document_reads_back_to_the_same_question(document: dict[str, Any]) -> None:
    scenario = load(document)
    assert load(to_yaml(scenario)) == scenario
    assert load(to_yaml(scenario, is_full=False, is_commented=True)) == scenario


@pytest.mark.parametrize("case", cases())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_case_is_shown_with_comments_and_reads_back(case: str, language: str) -> None:
    scenario = load_case(case)
    text = to_yaml(scenario, is_commented=True, language=language)
    assert scenario_hash(load(text)) == scenario_hash(scenario)
    assert max(len(line) for line in text.splitlines() if not line.startswith("notes:")) <= 130


def test_each_field_is_explained_once_with_its_range() -> None:
    text = to_yaml(load_case("fenced-research@1"), is_commented=True)
    assert text.count("# GPUs on each node. [1 .. 1,000,000]") == 1
    assert "ties: finish_first" in text
    assert "(finish_first | submit_first)" in text
    assert "# Nodes kept ready to replace failed ones. (not available yet)" in text


def test_long_text_is_shown_as_a_block() -> None:
    scenario = apply(load(SMALL), {"notes": "first line\n\nthird: line # with signs\n"})
    text = to_yaml(scenario)
    assert "notes: |\n  first line\n\n  third: line # with signs\n" in text
    assert load(text) == scenario


@pytest.mark.parametrize(
    "notes", ["a\n ", " a\nb", "a\tb\nc", "\n", "a\n\n", "a\u2028b\nc", "a\r\nb", "---\nx", "a\u0085\nb"]
)
def test_odd_text_survives(notes: str) -> None:
    scenario = load(copy.deepcopy(SMALL) | {"notes": notes})
    assert load(to_yaml(scenario)).notes == notes


def test_every_field_has_a_unit_range_and_both_explanations() -> None:
    seen = set()
    waiting: list[Any] = [Scenario]
    while waiting:
        model = waiting.pop()
        if model in seen or model.__name__ == "Choice":
            continue
        seen.add(model)
        for name, info in model.model_fields.items():
            spec = spec_of(model, name)
            assert spec is not None, f"{model.__name__}.{name}"
            assert spec.text["en"].endswith(".")
            assert not spec.text["zh"].isascii()
            waiting += models_in(info.annotation)
    assert len(seen) > 15


def test_the_schema_describes_every_field_with_unit_range_default_and_source() -> None:
    schema = json_schema()
    pool = schema["$defs"]["Pool"]["properties"]
    assert pool["gpus_per_node"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 1_000_000,
        "description": "GPUs on each node.",
        "description_zh": pool["gpus_per_node"]["description_zh"],
        "unit": "gpu",
        "step": 1,
        "source": "article-000",
        "default": 8,
    }
    assert schema["$defs"]["JobRow"]["properties"]["class"]["default"] is None
    assert schema["$defs"]["Policy"]["properties"]["start_latency"]["default"] == "0s"
    assert schema["$defs"]["JobClass"]["properties"]["priority"]["default"] == 0.5
    assert schema["$defs"]["Pool"]["properties"]["spare_nodes"]["later"] == "spare nodes"


def test_the_schema_accepts_what_load_accepts() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema())
    jsonschema.Draft202012Validator.check_schema(json_schema())
    document = copy.deepcopy(SMALL)
    document["workload"]["classes"][0] |= {"limit": "exact", "priority": {"uniform": [0.1, 0.2]}}
    document["policy"] = {"discipline": {"easy": {"depth": None}}, "order": {"shortest": {"by": True}}}
    document["targets"] = [{"metric": "wait_mean", "at_most": "45min"}]
    for good in (document, {"case": "fenced-research@1", "tenants": [{"name": "research", "remove": True}]}):
        assert [error.message for error in validator.iter_errors(good)] == []
    document["workload"]["classes"][0]["duration"] = {"fixed": 5}
    document["run"]["dayz"] = 1
    del document["cluster"]
    assert len(list(validator.iter_errors(document))) == 3


@settings(max_examples=max(10, settings().max_examples // 5))
@given(documents())
def test_the_schema_accepts_every_document_and_what_is_dumped_of_it(document: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema())
    for good in (document, dump_document(load(document))):
        assert [error.message for error in validator.iter_errors(good)] == []
