"""Modes, the name of the cache, and who compiles."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from scheduler_core.kernels import jit
from scheduler_core.kernels.tables import Jobs

ROOT = Path(__file__).parents[3]
PLANTED = "tests.unit.kernels.planted"


# ---- the variable -------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["compiled", "checked", "python"])
def test_the_variable_names_the_mode(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADROOM_KERNELS", mode)
    assert jit.read_mode() == mode


def test_compiled_is_the_mode_when_the_variable_is_unset_or_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADROOM_KERNELS", "")
    assert jit.read_mode() == "compiled"
    monkeypatch.delenv("HEADROOM_KERNELS")
    assert jit.read_mode() == "compiled"


@pytest.mark.parametrize("word", ["Compiled", "debug", "python ", "1"])
def test_another_word_is_refused_in_one_sentence(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADROOM_KERNELS", word)
    sentence = f"HEADROOM_KERNELS is {word!r}; it must be one of compiled, checked, python."
    with pytest.raises(ValueError, match=rf"^{re.escape(sentence)}$"):
        jit.read_mode()


# ---- the name of the folder ---------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a copy of the core's sources, which the hash is then made from."""
    package = tmp_path / "scheduler_core"
    shutil.copytree(jit.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "PACKAGE", package)
    return package


def test_the_hash_is_made_from_the_sources_alone(copy: Path) -> None:
    by_copy = jit.source_hash()
    assert re.fullmatch(r"[0-9a-f]{12}", by_copy)
    (copy / "kernels" / "notes.txt").write_text("no source")
    (copy / "metrics" / "new.py").write_text("nothing compiled lies here")
    assert jit.source_hash() == by_copy


@pytest.mark.parametrize("folder", jit.KERNEL_FOLDERS)
def test_the_hash_changes_with_every_folder_that_can_hold_a_kernel(folder: str, copy: Path) -> None:
    seen = {jit.source_hash()}
    file = min((copy / folder).glob("[a-z]*.py"))
    file.write_bytes(file.read_bytes() + b"\n")
    seen.add(jit.source_hash())
    file.rename(file.with_name("renamed.py"))
    seen.add(jit.source_hash())
    (copy / folder / "new.py").write_bytes(b"")
    seen.add(jit.source_hash())
    assert len(seen) == 4


def test_mode_processor_and_sources_name_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADROOM_KERNEL_CACHE", str(tmp_path))
    compiled, checked = jit.cache_folder("compiled"), jit.cache_folder("checked")
    assert {path.name for path in tmp_path.iterdir()} == {compiled.name, checked.name}
    assert compiled.name.removeprefix("compiled-") == checked.name.removeprefix("checked-")
    assert re.fullmatch(rf"compiled-[\w-]+-{jit.source_hash()}", compiled.name)


def test_a_cache_that_cannot_be_written_moves_to_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("HEADROOM_KERNEL_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    found = jit.cache_folder("compiled")
    assert found.parent == tmp_path / "temporary" / "headroom-kernels"
    assert found.is_dir()


# ---- types --------------------------------------------------------------------------------------


class Two(NamedTuple):
    """Equal columns under another name."""

    first: NDArray[np.int64]
    second: NDArray[np.float64]


class OtherTwo(NamedTuple):
    """The second of them is a table."""

    first: NDArray[np.int64]
    second: Two


def test_a_table_has_the_types_of_its_columns_in_order() -> None:
    two = jit.table_type(Two)
    assert list(two.types) == [jit.INTS, jit.FLOATS]
    assert list(jit.table_type(OtherTwo).types) == [jit.INTS, two]
    assert len(jit.table_type(Jobs).types) == len(Jobs._fields)


def test_a_table_with_another_kind_of_column_is_refused() -> None:
    class Wrong(NamedTuple):
        names: NDArray[np.complex128]

    with pytest.raises(KeyError, match="complex128"):
        jit.table_type(Wrong)


# ---- what other processes see -------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """What processes with the planted kernel reported, by mode, and the cache they shared."""

    compiled: list[dict[str, Any]]
    checked: dict[str, Any]
    python: dict[str, Any]
    cache: Path


def start(cache: Path, meeting: Path, mode: str, n_processes: int = 1) -> "subprocess.Popen[str]":
    """Start a process with the planted kernel."""
    meeting.mkdir(exist_ok=True)
    environment: Mapping[str, str] = {**os.environ, "HEADROOM_KERNELS": mode, "HEADROOM_KERNEL_CACHE": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", PLANTED, str(meeting), str(n_processes)],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def report(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """Return what a process said."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    said: dict[str, Any] = json.loads(out)
    return said


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Run two compiled processes at once, then a checked one on the warm cache, then an uncompiled one."""
    folder = tmp_path_factory.mktemp("planted")
    cache = folder / "cache"
    both = [start(cache, folder / "both", "compiled", 2) for _ in range(2)]
    compiled = [report(process) for process in both]
    checked = report(start(cache, folder / "checked", "checked"))
    nowhere = folder / "nowhere"
    python = report(start(nowhere, folder / "python", "python"))
    assert not nowhere.exists(), "an uncompiled process keeps no cache"
    return Seen(compiled, checked, python, cache)


def test_of_two_processes_one_compiles_and_the_other_waits_and_reads(seen: Seen) -> None:
    assert sorted(said["misses"] for said in seen.compiled) == [0, 1]
    assert sorted(said["hits"] for said in seen.compiled) == [0, 1]
    # The one that found the kernel in the cache has compiled no step.
    assert sorted(said["names"] for said in seen.compiled) == [["look"], ["read", "look"]]


def test_a_read_outside_an_array_is_silent_compiled_and_an_error_checked(seen: Seen) -> None:
    for said in (*seen.compiled, seen.checked, seen.python):
        assert said["inside"] == 3  # the view holds 1, 2, 3
    assert [said["behind"] for said in seen.compiled] == [7, 7]  # what lies in the memory behind
    assert seen.checked["behind"] == "index is out of bounds"
    assert "index 6 is out of bounds" in seen.python["behind"]


def test_kernels_do_not_count_from_the_end_of_an_array(seen: Seen) -> None:
    assert [said["before"] for said in seen.compiled] == [0, 0]  # what lies in the memory before
    assert seen.checked["before"] == "index is out of bounds"
    assert seen.python["before"] == 3  # Python does; only the checked mode notices such a slip


def test_checked_code_never_comes_from_the_cache_of_compiled_code(seen: Seen) -> None:
    assert (seen.checked["hits"], seen.checked["misses"]) == (0, 1)
    folders = sorted(path.name for path in seen.cache.iterdir())
    assert [name.split("-")[0] for name in folders] == ["checked", "compiled"]
    assert all(any((seen.cache / name).rglob("*.nbc")) for name in folders)


def test_in_python_mode_nothing_is_compiled(seen: Seen) -> None:
    assert seen.python["mode"] == "python"
    assert (seen.python["names"], seen.python["n_kernels"], seen.python["n_warm"]) == ([], 0, 0)
    assert seen.python["is_plain"]
