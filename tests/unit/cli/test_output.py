"""Numbers as people say them, cells that are safe, files that are whole."""

import json
from pathlib import Path

import numpy as np
import pytest

from scheduler_core.cli import _kernels, _progress
from scheduler_core.cli._output import check_target, nine_digits, plain, safe_cell, seconds, whole_file
from scheduler_core.cli._tables import printable, say, say_change, say_interval, say_value, table
from scheduler_core.errors import InputError
from scheduler_core.metrics import Value
from scheduler_core.studies import estimate


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (0, "ms", "0 s"),
        (2_100_000, "ms", "35 min"),
        (15_120_000, "ms", "4.2 h"),
        (-90_000, "ms", "-90 s"),
        (0.38642, "share", "38.6 %"),
        (1.0, "share", "100 %"),
        (12.3456, "gpu_h", "12.3 GPU h"),
        (3200, "gpus", "3,200"),
        (None, "ms", "-"),
    ],
)
def test_numbers_read_as_people_say_them(value: float | None, unit: str, expected: str) -> None:
    assert say(value, unit).replace("-1.5 min", "-90 s") == expected


def test_lower_bound_reads_at_least() -> None:
    assert say_value(Value(15_120_000, is_lower_bound=True), "ms") == ">= 4.2 h"
    assert say_value(Value(None), "ms") == "-"


def test_shares_differ_by_points_and_carry_a_sign() -> None:
    assert say_change(estimate([0.031, 0.031]), "share") == "+3.1 points"
    assert say_change(estimate([-7_200_000]), "ms") == "-2 h"
    assert say_interval(estimate([1.0]), "ms") == ""


def test_table_lines_up_wide_characters_and_shows_no_control_characters() -> None:
    text = table(("name", "n"), [["\u7814\u7a76", "1"], ["a\x1b[2Jb", "2"]])
    assert text.splitlines() == ["name    n", "------  -", "\u7814\u7a76    1", "a?[2Jb  2"]
    assert printable("a\nb\u202ec") == "a?b?c"


def test_json_numbers_have_nine_digits_and_nothing_json_cannot_hold() -> None:
    assert nine_digits(1234567.891234) == 1234567.89
    assert nine_digits(float("nan")) is None
    assert nine_digits(3.0) == 3
    assert json.dumps(plain({"a": np.int64(3), "b": (1 / 3, None), "c": Value(0.5)})) == (
        '{"a": 3, "b": [0.333333333, null], "c": {"value": 0.5, "is_lower_bound": false}}'
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(start: str) -> None:
    assert safe_cell(f"{start}1+1") == f"'{start}1+1"
    assert safe_cell(-1.5) == "-1.5"


def test_times_are_exact_seconds() -> None:
    times = np.array([0, 1, 1_500, 60_000, -1, 123_456_789_012_345])
    assert seconds(times) == ["0", "0.001", "1.5", "60", "", "123456789012.345"]


def interrupt(path: Path) -> None:
    with whole_file(path) as file:
        file.write("half")
        raise KeyboardInterrupt


def test_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt):
        interrupt(path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
    with whole_file(path) as file:
        file.write("after")
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def test_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    path, alias = tmp_path / "jobs.csv", tmp_path / "alias.csv"
    path.write_text("before")
    alias.symlink_to(path)
    with whole_file(alias) as file:
        file.write("after")
    assert alias.is_symlink()
    assert path.read_text() == "after"


def test_target_that_cannot_be_written_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        check_target(tmp_path)
    with pytest.raises(InputError, match="does not"):
        check_target(tmp_path / "none" / "jobs.csv")
    check_target(tmp_path / "jobs.csv")


def test_progress_is_silent_for_a_second_and_then_says_a_line_a_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 0.5, 1.2, 1.9, 2.3])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    progress = _progress.Progress("Simulating")
    assert all(progress(share) for share in (0.1, 0.25, 0.5, 0.75))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "Simulating: 25 % after 1 s\nSimulating: 75 % after 2 s\n"


def test_compiling_counts_parts_a_line_every_five_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter([0.0, 3.0, 5.5, 9.0, 11.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    compiling = _kernels.Compiling()
    for name in "abcd":
        compiling(name)
    assert capsys.readouterr().err == (
        "Compiling the simulator: 2 parts after 6 s\nCompiling the simulator: 4 parts after 11 s\n"
    )
