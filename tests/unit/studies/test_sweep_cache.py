"""Kept runs come back to the last bit, or not at all."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from scheduler_core.metrics import SCOPE_KINDS, Summary, Value, summarize
from scheduler_core.studies import sweep_cache
from scheduler_core.studies.sweep_cache import (
    FolderCache,
    MemoryCache,
    RunCache,
    code_hash,
    read_summary,
    write_summary,
)
from tests.unit.metrics.hand import Job, hand_result


def summary() -> Summary:
    jobs = [Job(0, 10, 70, gpus=3, tenant="a", causes={"order": 10}), Job(1, None, None, tenant="b")]
    found = summarize(hand_result(jobs))
    return replace(found, values={**found.values, "odd": {"all": Value(1 / 3, True), "tenant:a": Value(None)}})


def test_a_summary_survives_json_to_the_last_bit() -> None:
    first = summary()
    assert read_summary(json.loads(json.dumps(write_summary(first)))) == first
    assert {field.name for field in fields(first)} == set(write_summary(first))


@pytest.fixture(params=["folder", "memory"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> RunCache:
    return FolderCache(tmp_path) if request.param == "folder" else MemoryCache()


def test_what_was_put_is_there_and_covers_fewer_kinds(cache: RunCache) -> None:
    assert cache.get("k", ("all",)) is None
    cache.put("k", ("all", "tenant"), summary())
    assert cache.get("k", ("all",)) == summary()
    assert cache.get("k", ("tenant", "all")) == summary()
    assert cache.get("k", ("all", "class")) is None  # not measured then
    assert cache.get("other", ("all",)) is None


def test_another_process_finds_it_and_other_code_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FolderCache(tmp_path).put("k", SCOPE_KINDS, summary())
    assert FolderCache(tmp_path).get("k", SCOPE_KINDS) == summary()
    monkeypatch.setattr(sweep_cache, "code_hash", lambda: "other")
    assert FolderCache(tmp_path).get("k", SCOPE_KINDS) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"7", b'{"kinds": ["all"], "summary": {}}', b"\xff\xfe"])
def test_a_damaged_file_counts_as_not_there(tmp_path: Path, damage: bytes) -> None:
    cache = FolderCache(tmp_path)
    cache.put("k", ("all",), summary())
    (cache.folder / "k.json").write_bytes(damage)
    assert cache.get("k", ("all",)) is None


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    cache = FolderCache(blocked)
    cache.put("k", ("all",), summary())
    assert cache.get("k", ("all",)) is None
    assert blocked.read_text() == "not a folder"


def test_old_code_and_too_many_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(6):
        old = tmp_path / f"old-{at}"
        old.mkdir()
        (old / "k.json").write_text("{}")
    monkeypatch.setattr(sweep_cache, "MOST_FILES", 4)
    cache = FolderCache(tmp_path)
    assert len(list(tmp_path.iterdir())) == sweep_cache.KEPT_VERSIONS + 1
    for at in range(5):
        cache.put(f"{at}", ("all",), summary())
    FolderCache(tmp_path)
    assert len(list(cache.folder.glob("*.json"))) == 3  # 5 // 2 = 2 went
    assert not list(cache.folder.glob(".*")), "nothing half-written stays"


def test_the_name_of_the_code_is_stable_and_short() -> None:
    assert code_hash() == code_hash()
    assert len(code_hash()) == 12
