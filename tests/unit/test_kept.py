"""The store that all sessions share: one computation for each key, nothing kept of a failure."""

import threading

import pytest

from scheduler_core.kept import Kept


def test_a_value_is_computed_once_for_callers_at_the_same_time() -> None:
    kept: Kept[int] = Kept(5)
    calls: list[int] = []
    gate = threading.Event()

    def make() -> int:
        calls.append(1)
        gate.wait(5)
        return 7

    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(kept.get("a", make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert found == [7, 7, 7, 7]
    assert len(calls) == 1


def test_a_failure_is_not_kept_and_blocks_nobody() -> None:
    kept: Kept[int] = Kept(5)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 // 0)
    assert kept.get("a", lambda: 3) == 3


def test_the_value_used_longest_ago_is_dropped() -> None:
    kept: Kept[int] = Kept(2)
    for key in ("a", "b"):
        kept.get(key, lambda: 1)
    kept.get("a", lambda: 2)
    kept.get("c", lambda: 1)
    assert kept.get("a", lambda: 9) == 1
    assert kept.get("b", lambda: 9) == 9


def test_what_is_kept_is_found_without_making_it() -> None:
    kept: Kept[int] = Kept(2)
    assert kept.find("a") is None
    kept.get("a", lambda: 4)
    assert kept.find("a") == 4
