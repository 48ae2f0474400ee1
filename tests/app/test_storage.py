"""Storage: logs by their content, short links, and clear words when something is not there."""

from pathlib import Path

import pytest

from dashboard import storage
from scheduler_core import ENGINE_VERSION, LinkError, load_case, scenario_hash


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("HEADROOM_DATA", str(tmp_path / "data"))


def test_a_log_comes_back_by_the_hash_of_its_content() -> None:
    sha256 = storage.save_log(b"JobID|User\n1|ada\n", "log.psv")
    assert storage.load_log(sha256) == b"JobID|User\n1|ada\n"


def test_storing_the_same_log_twice_keeps_one() -> None:
    assert storage.save_log(b"x", "a") == storage.save_log(b"x", "b")


def test_a_log_that_nobody_uploaded_is_named_as_missing() -> None:
    with pytest.raises(storage.MissingLogError):
        storage.load_log("0" * 64)


def test_a_log_over_the_limit_is_refused_with_both_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "LARGEST_LOG_BYTES", 10)
    with pytest.raises(storage.StorageError, match=r"11 bytes.*10"):
        storage.save_log(b"x" * 11, "big")


def test_a_short_link_gives_the_same_scenario() -> None:
    scenario = load_case()
    link_id = storage.save_link(scenario, ENGINE_VERSION)
    assert len(link_id) == 12
    assert scenario_hash(storage.open_link(link_id).scenario) == scenario_hash(scenario)


@pytest.mark.parametrize("link_id", ["abcdefabcdef", "' OR 1=1 --", "", "x" * 5_000])
def test_a_short_link_that_is_not_here_says_so_and_offers_a_valid_scenario(link_id: str) -> None:
    with pytest.raises(LinkError) as raised:
        storage.open_link(link_id)
    assert raised.value.nearest is not None
