"""`price` on the command line."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.cli._price_report import INPUT_HEADER, TOPICS
from scheduler_core.economics.assumptions import read_assumptions
from scheduler_core.economics.queueing import share_above
from scheduler_core.economics.table import assumption_rows
from scheduler_core.scenario import load_case
from tests.unit.cli.conftest import Command

DAY = ("--today", "2026-12-02")


def document(command: Command, *words: str) -> Any:  # noqa: ANN401
    said = command("price", *words, *DAY, "--json")
    assert said.status == 0, said.err
    return json.loads(said.out)


def test_all_topics_are_priced_and_each_can_be_asked_for_alone(command: Command) -> None:
    everything = command("price", *DAY)
    assert everything.status == 0
    alone = [command("price", topic, *DAY).out for topic in TOPICS]
    assert all(text.split("\n\n", 1)[1].rpartition("\n\n")[0] in everything.out for text in alone)
    found = document(command)
    assert set(TOPICS) <= set(found)
    assert found["rent"]["usd_per_useful_gpu_h"] == pytest.approx(3.56758, rel=1e-5)
    assert found["currency"] == "USD"
    assert set(found["inputs"]) == set(assumption_rows())


def test_the_two_readings_of_the_interview_case_are_one_word_away(command: Command) -> None:
    literal, hurdle = (document(command, "deal", "--case", case)["deal"] for case in ("literal", "hurdle"))
    assert [round(literal["readings"][0][f"{name}_per_day"]) for name in ("breakeven", "hurdle")] == [80_000, 320_000]
    assert [round(hurdle["readings"][0][f"{name}_per_day"]) for name in ("breakeven", "hurdle")] == [20_000, 80_000]
    assert [each["is_reachable"] for each in literal["readings"]] == [True, False, False, False]
    assert (hurdle["premium_gpus"], hurdle["isolation"]["own_gpus"]) == (8, 64)


def test_any_input_can_be_set_and_a_link_brings_its_own(command: Command) -> None:
    found = document(command, "rent", "--set", "utilisation_share=38 %", "--set", "pue=1.5")
    assert found["changed"] == {"pue": 1.5, "utilisation_share": 0.38}
    link = "http://localhost/economics?topic=rent&assume=pue:1.4&assume=life_years:4&lang=en"
    linked = document(command, "rent", "--link", link, "--set", "pue=1.6")
    assert linked["changed"] == {"pue": 1.6, "life_years": 4}
    assert linked["inputs_hash"] == read_assumptions(["pue:1.6", "life_years:4"]).digest


def test_the_runs_of_a_scenario_give_use_and_loss_with_their_intervals(command: Command) -> None:
    found = document(command, "rent", "--run", "one-pool-poisson")
    measured = found["measured"]
    used, price = measured["utilisation_share"], measured["own_usd_per_kept_gpu_h"]
    assert 0.7 < found["changed"]["utilisation_share"] < 0.9
    assert measured["runs"] == used["n"] == load_case("one-pool-poisson@1").run.replications > 1
    assert found["changed"]["utilisation_share"] == round(used["mean"], 3)
    assert used["low"] < used["mean"] < used["high"]
    assert price["low"] < price["mean"] < price["high"]
    assert price["mean"] == pytest.approx(found["rent"]["usd_per_useful_gpu_h"], rel=0.01)
    waiting = measured["wait_usd_per_day"]
    assert waiting["low"] < waiting["mean"] < waiting["high"]
    dearer = document(command, "rent", "--run", "one-pool-poisson", "--set", "wait_usd_per_h=3")["measured"]
    assert dearer["wait_usd_per_day"]["mean"] == pytest.approx(3 * waiting["mean"])  # 1 USD an hour in the table
    jobs_per_day = 153.6  # of the case
    assert waiting["mean"] == pytest.approx(jobs_per_day * measured["wait_s"]["mean"] / 3_600, rel=0.1)


def test_jobs_that_miss_the_promised_wait_cost_their_penalty(command: Command) -> None:
    asked = ("--set", "wait_limit_s=600", "--set", "late_usd_per_request=2")
    measured = document(command, "rent", "--run", "one-pool-poisson", *asked)["measured"]
    late, penalty = measured["late_share"], measured["late_usd_per_day"]
    slots, load, run_s = 8, 6.4, 3_600  # M/M/8, so the share above a limit has a formula
    assert late["low"] < share_above(slots, load, run_s, 600) < late["high"]
    assert penalty["mean"] == pytest.approx(2 * 153.6 * late["mean"], rel=0.05)  # jobs a day of the case
    free = document(command, "rent", "--run", "one-pool-poisson")["measured"]
    assert free["late_usd_per_day"]["mean"] == 0  # no penalty in the table


def test_listed_jobs_are_run_once_and_have_no_interval(command: Command, small: Path) -> None:
    said = command("price", "rent", "--run", small, *DAY)
    assert said.status == 0, said.err
    head, _, *rows = said.out.split("\n\n", 1)[0].splitlines()
    assert head.startswith("from 1 run ")
    assert len(rows) == 7
    assert all(row.endswith(" -") for row in rows)


def test_a_scenario_that_replays_a_log_is_priced_with_the_log(command: Command, swf: Path, tmp_path: Path) -> None:
    made = json.loads(command("replay", swf, "--json").out)["scenario"]
    path = tmp_path / "replayed.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    found = document(command, "rent", "--run", str(path), "--log", str(swf))
    assert found["measured"]["runs"] == 1
    assert found["changed"]["utilisation_share"] == round(found["measured"]["utilisation_share"]["mean"], 3)
    assert "given with --log FILE" in command("price", "--run", path).refusal
    assert "does not replay a log" in command("price", "--run", "one-pool-poisson", "--log", swf).refusal
    assert "--log goes with --run" in command("price", "--log", swf).refusal


def test_the_link_at_the_end_opens_the_page_with_the_same_values(command: Command) -> None:
    said = command("price", "rent", "--set", "pue=1.5", "--run", "one-pool-poisson", "--base", "http://me/x/", *DAY)
    link = said.out.splitlines()[-1]
    assert link.startswith("http://me/x/economics?case=one-pool-poisson@1&")
    assert "topic=rent" in link
    again = document(command, "rent", "--link", link)
    assert (
        again["inputs_hash"]
        == document(command, "rent", "--set", "pue=1.5", "--run", "one-pool-poisson")["inputs_hash"]
    )
    assert again["link"].startswith(
        "http://localhost:8501/economics?topic=rent&assume=pue:1.5&assume=utilisation_share:"
    )
    assert command("price", *DAY).out.splitlines()[-1] == "http://localhost:8501/economics?topic=deal"


def test_what_is_set_by_hand_is_not_taken_from_the_runs(command: Command) -> None:
    found = document(command, "rent", "--run", "one-pool-poisson", "--set", "utilisation_share=0.5")
    assert found["changed"]["utilisation_share"] == 0.5
    assert found["measured"]["utilisation_share"]["mean"] > 0.7


def test_formulas_stand_beside_draws(command: Command) -> None:
    said = command("price", "delay", "bill", "--confirm", "--set", "confirm_seeds=2", *DAY)
    assert said.status == 0, said.err
    for word in ("formula", "simulated", "long", "short", "even", "uneven neighbours"):
        assert word in said.out
    labels = {"bill_period", "bill_hourly", "even", "uneven_neighbours", "credit_alike", "credit_months"}
    assert set(document(command, "bill", "--confirm")["confirmed"]) == labels


@pytest.mark.once
def test_what_has_no_answer_is_told_and_the_others_are_confirmed(command: Command) -> None:
    found = document(command, "deal", "--confirm", "--set", "requests_per_day=900000", "--set", "confirm_seeds=2")
    assert list(found["not_confirmed"]) == ["promise"]
    assert {"together", "roi_days"} <= set(found["confirmed"])


def test_old_prices_warn_by_the_day_that_is_said(command: Command) -> None:
    assert "prices are older than 90 days" in command("price", "rent", "--today", "2027-06-01").out
    assert "prices are older" not in command("price", "rent", "--today", "2025-01-01").out


def test_the_inputs_are_listed_with_range_and_source(command: Command) -> None:
    rows = list(csv.reader(io.StringIO(command("price", "--inputs", "--csv").out)))
    assert tuple(rows[0]) == INPUT_HEADER
    assert [row[0] for row in rows[1:]] == list(assumption_rows())
    listed = document(command, "--inputs")
    assert len(listed["table"]) == len(assumption_rows())
    assert "server_price_usd" in command("price", "--inputs").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nope"], "one of deal, rent, change, claim, delay, bill"),
        (["--set", "pue=0.5"], "pue is '0.5'; it must be a number at least 1"),
        (["--set", "pue"], "written as name=value"),
        (["--set", "puue=2"], "did you mean pue?"),
        (["--set", "on_demand_usd_per_gpu_h=2 CNY"], "currencies are not mixed"),
        (["--case", "third"], "--case"),
        (["--link", "nothing"], "an address of the page Economics or Plan"),
        (["--confirm", "--inputs"], "exclude each other"),
        (["--link", "?topic=rent&assume=pue:x"], "pue is 'x'"),
        (["--today", "tomorrow"], "a day such as"),
        (["--csv"], "--csv goes with --inputs"),
        (["--json", "--csv"], "exclude each other"),
        (["--run", "nope"], "nope"),
        (["bill", "--set", "bill_tenants=a,1"], "bill_tenants"),
        (["delay", "--set", "delay_work=a,1,0"], "the days of work is 0.0"),
    ],
)
def test_bad_input_is_refused_in_one_line(command: Command, words: list[str], told: str) -> None:
    assert told in command("price", *words).refusal
