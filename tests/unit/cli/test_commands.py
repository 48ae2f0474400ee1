"""Each command once, on three jobs whose answer is known."""

import csv
import io
import json
from pathlib import Path

import pytest

from scheduler_core.cli._output import JOB_COLUMNS
from scheduler_core.kernels.tables import CAUSES
from tests.unit.cli.conftest import Command

# first runs 0..60 on all 8 GPUs; the two others wait for it: 60 - 10 = 50 s and 60 - 20 = 40 s.
WAITS = {"first": "0", "'=cmd()": "50", "third": "40"}


def test_simulate_says_who_waits_and_whether_targets_hold(command: Command, small: Path) -> None:
    said = command("simulate", small)
    assert said.status == 0
    assert said.err == ""
    assert "Three jobs on one node" in said.out
    assert "Tenant ops: the mean wait is 45 s" in said.out  # (50 + 40) / 2
    assert "100 % capacity" in said.out
    rows = [" ".join(line.split()) for line in said.out.splitlines()]
    assert "wait_mean of tenant ops at most 60 s 45 s 15 s pass" in rows
    assert any(row.startswith("utilisation of all jobs at least 50 %") and row.endswith("fail") for row in rows)


def test_simulate_json_has_full_precision(command: Command, small: Path) -> None:
    found = json.loads(command("simulate", small, "--json").out)
    assert found["metrics"]["wait_mean"]["scopes"]["all"]["mean"] == 30_000  # (0 + 50 + 40) / 3 s
    # 8 x 60 + 4 x 30 + 4 x 90.5 GPU-s of 8 x 86,400
    assert found["metrics"]["utilisation"]["scopes"]["all"]["mean"] == pytest.approx(962 / 691_200, rel=1e-8)
    assert [target["state"] for target in found["targets"]] == ["pass", "fail"]
    assert found["verdict"]["scope"] == "tenant:ops"
    assert found["causes"]["all"]["capacity"] + found["causes"]["all"]["order"] == 1
    assert {"scenario_hash", "run_hash", "engine_version", "seed", "replications"} <= set(found["provenance"])


def test_simulate_csv_holds_every_metric_of_every_scope(command: Command, small: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(command("simulate", small, "--csv").out)))
    found = {(row["scope"], row["metric"]): row for row in rows}
    assert found["tenant:ops", "wait_mean"]["mean"] == "45000"
    assert found["all", "wait_mean"]["is_lower_bound"] == "false"
    assert len(found) == len(rows) > 100


def test_jobs_file_has_one_safe_line_a_job(command: Command, small: Path, tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    assert command("simulate", small, "--jobs", path).status == 0
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    assert tuple(reader.fieldnames or ()) == JOB_COLUMNS
    assert {row["job_id"]: row["wait_s"] for row in rows} == WAITS
    assert [row["finish_s"] for row in rows] == ["60", "90", "150.5"]
    assert {row["state"] for row in rows} == {"finished"}
    for row in rows:
        assert sum(float(row[f"{cause}_s"]) for cause in CAUSES) == float(row["wait_s"]) + float(row["requeue_wait_s"])


def test_ledger_file_of_a_run_in_which_nobody_may_be_evicted_has_its_header_only(
    command: Command, small: Path, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.csv"
    assert command("simulate", small, "--ledger", path).status == 0
    assert path.read_text(encoding="utf-8") == "time_s,victim,evictor,reason,lost_gpu_s\n"


def test_set_changes_the_scenario(command: Command, small: Path) -> None:
    said = command("simulate", small, "--set", "cluster.pools.node.zones.a=2", "--json")
    assert json.loads(said.out)["metrics"]["wait_mean"]["scopes"]["all"]["mean"] == 0


def test_compare_shows_paired_differences_and_who_lost(command: Command, small: Path) -> None:
    said = command("compare", small, "--set", "policy.order=smallest", "--set", "policy.discipline=best_effort")
    assert said.status == 0
    assert "policy.order: smallest" in said.out
    found = json.loads(command("compare", small, "--set", "cluster.pools.node.zones.a=2", "--json").out)
    row = next(r for r in found["differences"] if (r["slug"], r["scope"]) == ("wait_mean", "tenant:ops"))
    assert (row["before"]["mean"], row["after"]["mean"], row["difference"]["mean"]) == (45_000, 0, -45_000)
    assert found["jobs"]["n_jobs"] == 3
    assert found["jobs"]["sooner_share"] == pytest.approx(2 / 3)
    # completion after / before: 60 / 60, 30 / 80, 90.5 / 130.5
    assert found["jobs"]["jct_ratio_median"] == pytest.approx(90.5 / 130.5)
    assert found["losers"] == []
    assert found["is_paired"] is True


def test_compare_csv_has_one_row_for_each_metric_and_scope(command: Command, small: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(command("compare", small, small, "--csv").out)))
    assert {row["change"] for row in rows if row["difference"] == "0"} == {"same"}
    assert len({(row["scope"], row["metric"]) for row in rows}) == len(rows)


def test_replay_holds_the_log_against_the_simulation(command: Command, swf: Path, tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    said = command("replay", swf, "--jobs", path)
    assert said.status == 0
    assert "3 jobs" in said.out
    assert "recorded median" in said.out
    assert "8 processors" in said.out
    found = json.loads(command("replay", swf, "--json").out)
    whole = found["comparison"][0]
    assert (whole["size"], whole["jobs"], whole["recorded_median_ms"]) == ("all", 3, 30_000)
    # 8 processors, strict: 1 at 0..100, 2 (8 wide) waits 90 s for it, 3 waits until 2 is done at 150: 130 s
    assert whole["simulated_median_ms"] == 90_000
    assert found["recorded"]["metrics"]["wait_mean"]["scopes"]["all"]["mean"] == 40_000  # (30 + 90 + 0) / 3
    assert len(path.read_text().splitlines()) == 4


def test_replay_takes_a_cluster_from_flags_or_files(command: Command, swf: Path, small: Path, tmp_path: Path) -> None:
    nodes = tmp_path / "nodes.csv"
    nodes.write_text("name,gpus,gpu_type\nn1,8,a100\nn2,8,a100\n")
    for option in (("--gpus", 16), ("--cluster", nodes)):
        found = json.loads(command("replay", swf, *option, "--json").out)
        assert found["simulated"]["healthy_gpus"] == 16
    assert json.loads(command("replay", swf, "--cluster", small, "--json").out)["simulated"]["healthy_gpus"] == 8
    found = json.loads(command("replay", swf, "--procs-per-gpu", 4, "--json").out)
    assert found["simulated"]["healthy_gpus"] == 2


def test_log_without_a_job_to_replay_is_a_report_not_an_error(command: Command, tmp_path: Path) -> None:
    log = tmp_path / "never.swf"
    log.write_text("; MaxProcs: 8\n1 0 -1 -1 -1 -1 -1 4 200 -1 0 1 1 -1 1 -1 -1 -1\n")
    said = command("replay", log)
    assert said.status == 0
    assert "1 job" in said.out
    assert json.loads(command("replay", log, "--json").out)["simulated"] is None


def test_scenario_list_show_check_schema(command: Command, small: Path) -> None:
    assert "fenced-research@1" in command("scenario", "list").out
    assert "fenced-research@1" in json.loads(command("scenario", "list", "--json").out)
    assert command("scenario", "show", "fenced-research").out.startswith("headroom: 1")
    assert json.loads(command("scenario", "show", small, "--json").out)["name"] == "Three jobs on one node"
    assert "Nothing stands in the way" in command("scenario", "check", small).out
    assert json.loads(command("scenario", "check", small, "--json").out)["faults"] == []
    assert "properties" in json.loads(command("scenario", "schema").out)


def test_shown_scenario_is_the_same_question(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "shown.yaml"
    path.write_text(command("scenario", "show", "fenced-research").out, encoding="utf-8")
    hashes = {
        json.loads(command("scenario", "check", source, "--json").out)["scenario_hash"]
        for source in (path, "fenced-research@1")
    }
    assert len(hashes) == 1


def test_check_lists_every_fault_and_refuses(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text("case: fenced-research@1\nrun: {days: -1}\npolicy: {order: nope}\n")
    said = command("scenario", "check", path)
    assert said.status == 2
    assert "run.days" in said.out
    assert "policy.order" in said.out
    assert said.err == f"{path} has 2 faults.\n"
    said = command("simulate", path)
    assert "(1 more; `scenario check` lists all)" in said.refusal


def test_check_lists_what_is_not_available_yet_and_simulate_refuses_it(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "later.yaml"
    path.write_text("case: fenced-research@1\npolicy: {placement: pack}\n")
    said = command("scenario", "check", path)
    assert said.status == 0
    assert "Not available yet:\n  policy.placement" in said.out
    assert "not available yet" in command("simulate", path).refusal


def test_link_round_trip(command: Command) -> None:
    address = command("link", "fenced-research", "--set", "policy.order=priority").out.strip()
    assert address.startswith("http://localhost:8501/?case=fenced-research@1&set=policy.order:priority")
    said = command("link", address)
    assert said.out.splitlines()[-1] == address
    assert "policy.order: priority" in said.out
    first = json.loads(command("scenario", "check", address, "--json").out)["scenario_hash"]
    changed = command("scenario", "check", "fenced-research", "--set", "policy.order=priority", "--json")
    assert first == json.loads(changed.out)["scenario_hash"]


def test_scenario_can_come_from_the_standard_input(
    command: Command, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(small.read_bytes()), encoding="utf-8"))
    assert "Three jobs on one node" in command("simulate", "-").out
