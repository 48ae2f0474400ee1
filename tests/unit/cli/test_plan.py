"""`plan` on the command line."""

import json

import pytest

from scheduler_core.cli._plan_report import TOPICS
from tests.unit.cli.conftest import Command


def test_all_topics_are_planned_and_each_can_be_asked_for_alone(command: Command) -> None:
    everything = command("plan")
    assert everything.status == 0
    for topic in TOPICS:
        alone = command("plan", topic).out.split("\n\n", 1)[1].strip()
        assert alone in everything.out, topic
    assert "54 slots (432 GPUs) keep the mean wait at 35.3 min" in everything.out
    assert "the order is 3.08 months late already" in everything.out


def test_machines_get_numbers_inputs_and_sentences(command: Command) -> None:
    said = command("plan", "spares", "zones", "--set", "covered_share=99.9 %", "--json")
    found = json.loads(said.out)
    assert found["changed"] == ["covered_share:0.999"]
    assert (found["topics"]["spares"]["spares"], found["topics"]["spares"]["nodes"]) == (10, 410)
    assert found["topics"]["zones"]["total_gpus"] == 1689
    assert found["topics"]["spares"]["says"][0].startswith("10 spare nodes keep 400 running")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["zone"], "one of size, pool, classes"),
        (["size", "--set", "wait_limit=soon"], "wait_limit is 'soon'"),
        (["size", "--set", "run_time=12"], "12 has no unit"),
        (["size", "--set", "slots=3"], "in the table"),
        (["zones", "--set", "zones=1"], "zones is '1'"),
        (["growth", "--set", "growth_share=-1"], "above -1"),
        (["growth", "--set", "lead_weeks=10"], "lead_weeks is 10"),
        (["pool", "--set", "pool_loads=a, b"], "pool_loads is 'a'"),
        (["classes", "--set", "class_slots=9"], "No finite wait"),
    ],
)
def test_bad_input_ends_with_one_line_and_status_2(command: Command, words: list[str], said: str) -> None:
    found = command("plan", *words)
    assert found.status == 2
    assert found.out == ""
    assert said in found.err
    assert found.err.count("\n") == 1


def test_the_simulator_stands_beside_the_formula(command: Command) -> None:
    found = command("plan", "size", "zones", "--confirm", "--set", "confirm_seeds=2")
    assert found.status == 0
    for word in ("formula", "mean", "pooled", "separate"):
        assert word in found.out
