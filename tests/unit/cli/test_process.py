"""The program as a process: exit status, one line, Ctrl-C, a reader that goes away."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, "-m", "scheduler_core"]
PIPES: dict[str, Any] = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}


def call(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )


def test_answer_goes_to_stdout_and_status_is_0(small: Path) -> None:
    found = call("simulate", small)
    assert found.returncode == 0
    assert "Tenant ops" in found.stdout
    assert "Traceback" not in found.stderr


def test_bad_input_is_status_2_and_one_line() -> None:
    found = call("simulate", "nowhere.yaml")
    assert found.returncode == 2
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1
    assert "nowhere.yaml" in found.stderr


def test_same_question_gives_the_same_bytes(small: Path) -> None:
    assert call("simulate", small, "--json").stdout == call("simulate", small, "--json").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_ends_with_130_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    target = tmp_path / "jobs.csv"
    target.write_text("before")
    words = ["simulate", "three-zone-a100", "--set", "run.days=8", "--replications", "50", "--jobs", str(target)]
    with subprocess.Popen([*PROGRAM, *words], **PIPES) as run:
        assert run.stderr is not None
        first = run.stderr.readline()
        while first.startswith("Compil"):
            first = run.stderr.readline()
        assert first.startswith("Simulating: ")  # it takes over a second, so it says so
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=120)
    assert run.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "Interrupted."
    assert "Traceback" not in err
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes close differently on Windows")
def test_reader_that_goes_away_is_no_error() -> None:
    with subprocess.Popen([*PROGRAM, "scenario", "schema"], **PIPES) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.read(1)
        run.stdout.close()
        err = run.stderr.read()
        run.wait(timeout=60)
    assert err == ""
    assert run.returncode in {0, 1, 141}
