"""`plan` on the command line."""

import json
from pathlib import Path

import pytest

from scheduler_core.cli._plan_report import TOPICS
from tests.unit.cli.conftest import Command


def test_all_topics_are_planned_and_each_can_be_asked_for_alone(command: Command) -> None:
    everything = command("plan")
    assert everything.status == 0
    for topic in TOPICS:
        alone = command("plan", topic).out.split("\n\n", 1)[1].rpartition("\n\n")[0]
        assert alone in everything.out, topic
    assert "54 slots (432 GPUs) to keep the mean wait at 35.3 min" in everything.out
    assert "the order is 3.08 months late already" in everything.out


def test_machines_get_numbers_inputs_and_sentences(command: Command) -> None:
    said = command("plan", "spares", "zones", "--set", "covered_share=99.9 %", "--json")
    found = json.loads(said.out)
    assert found["changed"] == ["covered_share:0.999"]
    assert (found["topics"]["spares"]["spares"], found["topics"]["spares"]["nodes"]) == (10, 410)
    assert found["topics"]["zones"]["total_gpus"] == 1689
    assert found["topics"]["spares"]["says"][0].startswith("With 10 spare nodes, 400 keep running")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["zone"], "one of size, pool, classes"),
        (["size", "--set", "wait_limit=soon"], "wait_limit is 'soon'"),
        (["size", "--set", "run_time=12"], "12 has no unit"),
        (["size", "--set", "slots=3"], "one of the table"),
        (["zones", "--set", "zones=1"], "zones is '1'"),
        (["growth", "--set", "growth_share=-1"], "above -1"),
        (["growth", "--set", "lead_weeks=10"], "lead_weeks is 10"),
        (["pool", "--set", "pool_loads=a, b"], "pool_loads is 'a'"),
        (["classes", "--set", "class_slots=9"], "No finite wait"),
        (["--run", "nope"], "nope"),
        (["--log", "x"], "--log goes with --run"),
        (["--link", "x"], "an address of the page Economics or Plan"),
    ],
)
def test_bad_input_ends_with_one_line_and_status_2(command: Command, words: list[str], said: str) -> None:
    found = command("plan", *words)
    assert found.status == 2
    assert found.out == ""
    assert said in found.err
    assert found.err.count("\n") == 1


@pytest.mark.once
def test_the_simulator_stands_beside_the_formula(command: Command) -> None:
    found = command("plan", "size", "zones", "--confirm", "--set", "confirm_seeds=2")
    assert found.status == 0
    for word in ("formula", "mean", "pooled", "separate"):
        assert word in found.out


def test_the_runs_of_a_scenario_feed_the_plan(command: Command) -> None:
    found = json.loads(command("plan", "size", "zones", "--run", "one-pool-poisson", "--json").out)
    inputs, measured = found["inputs"], found["measured"]
    assert (inputs["slots_now"], inputs["job_gpus"], inputs["capacity_now_gpus"]) == (8, 1, 8)
    assert inputs["demand_now_gpus"] == pytest.approx(8 * measured["utilisation_share"]["mean"], rel=1e-3)
    assert inputs["burst_load_gpus"] == pytest.approx(6.4, rel=0.05)  # M/M/8 at 80 %
    assert inputs["run_time_scv"] == pytest.approx(1.0, abs=0.15)
    assert measured["runs"] == 5
    assert measured["wait_ms"]["low"] < measured["wait_ms"]["mean"] < measured["wait_ms"]["high"]
    today = found["confirmed"]["today"]
    assert today["formula"] == pytest.approx(found["topics"]["size"]["now"], rel=0.3)
    assert today["notes"][0]["key"] == "plan.gap.run_near"
    said = command("plan", "size", "--run", "one-pool-poisson", "--set", "slots_now=9").out
    assert "GPUs asked for" in said
    assert "with today's 9 " in said, "what is set by hand stays"


def test_listed_jobs_are_planned_without_an_interval_and_none_at_all_is_refused(command: Command, small: Path) -> None:
    said = command("plan", "growth", "--run", small)
    assert said.status == 0, said.err
    assert "from 1 run " in said.out
    text = small.read_text(encoding="utf-8")
    small.write_text(
        text[: text.index("      - {id: first")] + "      []\n  classes: []\n" + text[text.index("policy:") :]
    )
    assert "the jobs a day of the scenario is 0" in command("plan", "growth", "--run", small).refusal


def test_the_link_reopens_the_page_and_feeds_the_command_again(command: Command) -> None:
    said = command("plan", "growth", "--set", "lead_weeks=40", "--run", "one-pool-poisson")
    link = said.out.splitlines()[-1]
    assert link.startswith("http://localhost:8501/plan?case=one-pool-poisson@1&")
    assert "topic=growth" in link
    assert "assume=lead_weeks:40" in link
    again = command("plan", "growth", "--link", link)
    assert again.out.splitlines()[0] in said.out, "the same inputs"
    with_scenario = command("plan", "growth", "--link", link, "--run", link)
    assert with_scenario.out.splitlines()[-1] == link


@pytest.mark.parametrize("growth", ["0", "-5 %"])
def test_a_demand_that_does_not_grow_needs_no_order(command: Command, growth: str) -> None:
    said = command("plan", "growth", "--set", f"growth_share={growth}")
    assert said.status == 0
    assert "Demand does not grow, so the capacity is never full." in said.out
    assert "never" in next(line for line in said.out.splitlines() if line.startswith("full in"))
