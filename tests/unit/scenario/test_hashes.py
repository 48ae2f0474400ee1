import copy
import json

import pytest

from scheduler_core.scenario import apply, canonical, load, load_case, run_hash, scenario_hash
from tests.unit.scenario.documents import SMALL


def test_the_canonical_form_has_sorted_keys_and_integers() -> None:
    document = copy.deepcopy(SMALL)
    document["workload"]["classes"][0]["priority"] = 0.6
    text = canonical(load(document))
    tree = json.loads(text)
    train = tree["workload"]["classes"][0]
    assert train["duration"] == {"fixed": 3_600_000}  # ms
    assert train["gpus"] == {"16000": 0.5, "8000": 0.5}  # thousandths of a GPU
    assert train["priority"] == {"fixed": 600}
    assert train["per_day"] == 24
    assert text == json.dumps(tree, sort_keys=True, separators=(",", ":"))
    assert tree["cluster"]["pools"][0]["zones"] == [["a", 2], ["b", 1]]  # their order numbers the nodes


def test_a_default_that_is_stated_changes_nothing() -> None:
    document = copy.deepcopy(SMALL)
    document["policy"] = {"order": "fifo", "discipline": {"strict": None}, "kill_at_limit": False}
    document["run"] = {"days": 2, "warmup_days": 0, "replications": 5}
    assert canonical(load(document)) == canonical(load(SMALL))


@pytest.mark.parametrize(
    ("path", "value", "is_in_scenario_hash", "is_in_run_hash"),
    [
        ("name", "x", False, False),
        ("notes", "x", False, False),
        ("targets", [{"metric": "wait_mean", "at_most": "1h"}], True, False),
        ("run.replications", 9, True, False),
        ("run.seed", 9, True, True),
        ("policy.order", "smallest", True, True),
        ("workload.classes.train.preemptible", False, True, True),
        ("tenants.lab.weight", 2, True, True),
    ],
)
def test_each_hash_covers_what_it_says(
    path: str, value: object, is_in_scenario_hash: bool, is_in_run_hash: bool
) -> None:
    base = load(SMALL)
    changed = apply(base, {path: value})
    assert (scenario_hash(changed) != scenario_hash(base)) is is_in_scenario_hash
    assert (run_hash(changed, "1") != run_hash(base, "1")) is is_in_run_hash


def test_a_run_is_told_apart_by_engine_and_replication() -> None:
    base = load_case("fenced-research@1")
    hashes = {run_hash(base, "1"), run_hash(base, "2"), run_hash(base, "1", 1), scenario_hash(base)}
    assert len(hashes) == 4
    assert all(len(found) == 16 and set(found) <= set("0123456789abcdef") for found in hashes)


def test_the_case_a_scenario_came_from_is_not_part_of_the_question() -> None:
    case = load_case("fenced-research@1")
    assert scenario_hash(case.model_copy(update={"case": None})) == scenario_hash(case)
