"""`sweep` on the command line."""

import csv
import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.cli.sweep import cache_folder
from tests.unit.cli.conftest import Command

ROOT = Path(__file__).parents[3]
BASE = ("priority-clash", "--set", "run.days=1", "--set", "run.warmup_days=0", "--replications", "2")
VARY = ("--vary", "policy.order=fifo,smallest,priority")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADROOM_CACHE", str(tmp_path / "cache"))


def document(command: Command, *words: object) -> Any:  # noqa: ANN401
    said = command("sweep", *words, "--json")
    assert said.status == 0, said.err
    return json.loads(said.out)


def test_each_point_says_what_simulate_says(command: Command) -> None:
    found = document(command, *BASE, *VARY, "--metrics", "wait_mean,wait_p95@urgent")
    assert [point["settings"]["policy.order"] for point in found["points"]] == ["fifo", "smallest", "priority"]
    for point in found["points"]:
        order = point["settings"]["policy.order"]
        alone = json.loads(command("simulate", *BASE, "--set", f"policy.order={order}", "--json").out)
        assert point["run_hashes"] == alone["run_hashes"]
        assert point["scenario_hash"] == alone["provenance"]["scenario_hash"]
        for name, slug, scope in (("wait_mean", "wait_mean", "all"), ("wait_p95@urgent", "wait_p95", "class:urgent")):
            same = alone["metrics"][slug]["scopes"][scope]
            assert {key: point["measures"][name][key] for key in same} == same


def test_differences_are_those_of_compare(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "base.yaml"
    file.write_text(command("scenario", "show", *BASE, "--plain").out)
    found = document(command, file, *VARY)
    assert found["baseline"] == 0
    pair = json.loads(command("compare", file, "--set", "policy.order=smallest", "--json").out)
    row = next(r for r in pair["differences"] if (r["slug"], r["scope"]) == ("wait_mean", "all"))
    mine = found["points"][1]["measures"]["wait_mean"]
    assert mine["difference"] == row["difference"]
    assert mine["change"] == row["change"]


def test_runs_are_kept_for_the_next_time(command: Command, tmp_path: Path) -> None:
    first = document(command, *BASE, *VARY)
    again = document(command, *BASE, *VARY)
    assert (first.pop("kept_runs"), again.pop("kept_runs")) == (0, 6)
    assert again == first
    assert document(command, *BASE, *VARY, "--no-cache")["kept_runs"] == 0
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 6


def test_text_has_the_table_the_front_and_the_recommendation(command: Command) -> None:
    said = command("sweep", *BASE, *VARY, "--baseline", "policy.order=priority")
    assert said.status == 0
    assert "3 points of policy.order, 2 replications each, the same jobs in all; compared with priority." in said.out
    assert "difference [95 %]" in said.out
    assert "On the front (wait_mean lower, goodput higher, fairness higher):" in said.out
    assert "With the weights wait_mean 0.333, goodput 0.333, fairness 0.333, the best is " in said.out
    assert "of all weights (on a grid with steps of 0.02)" in said.out


def test_two_metrics_have_exact_weights_and_weights_decide(command: Command) -> None:
    metrics = "wait_mean@normal,wait_mean@bulk"
    words = (*BASE, "--set", "run.days=2", "--vary", "policy.order=fifo,smallest,shortest", "--metrics", metrics)
    normal = document(command, *words, "--weight", "wait_mean@normal=1")["recommendation"]
    bulk = document(command, *words, "--weight", "wait_mean@bulk=2")["recommendation"]
    assert bulk["weights"] == {"wait_mean@normal": 0, "wait_mean@bulk": 1}
    assert (normal["winner"], bulk["winner"]) == (2, 1)  # shortest serves normal jobs best, smallest the small ones
    assert normal["region"]["step"] == bulk["region"]["step"] == 0
    # the two between them cover all weights and meet in one
    edge = normal["region"]["ranges"]["wait_mean@normal"][0]
    assert normal["region"]["ranges"]["wait_mean@normal"] == [edge, 1]
    assert bulk["region"]["ranges"]["wait_mean@normal"] == pytest.approx([0, edge])
    assert 0 < edge < 1


def test_csv_has_one_line_for_each_point_and_metric(command: Command) -> None:
    said = command("sweep", *BASE, *VARY, "--metrics", "wait_mean,goodput", "--csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert [(row["point"], row["metric"]) for row in rows[:3]] == [
        ("fifo", "wait_mean"), ("fifo", "goodput"), ("smallest", "wait_mean"),
    ]  # fmt: skip
    assert len(rows) == 6
    assert float(rows[2]["difference"]) == pytest.approx(float(rows[2]["mean"]) - float(rows[0]["mean"]))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "--vary"),
        (("--vary", "policy.order"), "PATH=V1,V2"),
        (("--vary", "policy.order=fifo,lifo"), "did you mean fifo?"),
        (("--vary", "policy.odrer=fifo,lifo"), "policy.odrer"),
        (("--vary", "run.seed=1,2"), "all points see the same draws"),
        (("--vary", "cluster.pools.main.speed=1,2"), "not available yet"),
        ((*VARY, "--metrics", "wait_men"), "such as wait_mean"),
        ((*VARY, "--baseline", "policy.order=shortest"), "one of the points that are run"),
        ((*VARY, "--baseline", "policy.order"), "must be name=value"),
        ((*VARY, "--weight", "wait_mean=x"), "a number of at least 0"),
        ((*VARY, "--weight", "wait_p50=1"), "for one of wait_mean, goodput, fairness"),
        ((*VARY, "--weight", "wait_mean=0"), "not all 0"),
        ((*VARY, "--json", "--csv"), "exclude each other"),
    ],
)
def test_bad_input_is_refused_in_one_line(command: Command, words: tuple[str, ...], sentence: str) -> None:
    assert sentence in command("sweep", *BASE, *words).refusal


def test_cache_lies_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("HEADROOM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "headroom"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "headroom"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_ends_with_130_and_no_process_stays() -> None:
    words = ["sweep", "three-zone-a100", "--set", "run.days=8", "--replications", "50", "--workers", "2",
             "--vary", "policy.discipline=strict,easy"]  # fmt: skip
    program = [sys.executable, "-m", "scheduler_core", *words]
    with subprocess.Popen(program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        first = run.stderr.readline()
        while first.startswith("Compil"):
            first = run.stderr.readline()
        assert first.startswith("Sweeping: ")
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)  # ends only when no worker holds the pipes any more
    assert run.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "Interrupted."
    assert "Traceback" not in err
