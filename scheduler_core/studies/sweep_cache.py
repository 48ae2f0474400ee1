"""Runs that were made before, kept by their hash, so that a sweep with one more value runs only what is new.

A cache is anything with `get` and `put`. `FolderCache` keeps one small JSON file a run, in a folder named after the
code that made it: an edit anywhere in the library starts a new folder, so that no number outlives what computed it.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from scheduler_core.metrics import ScopeKind, Summary, Value
from scheduler_core.result import Provenance

PACKAGE = Path(__file__).resolve().parents[1]
KEPT_VERSIONS = 3
"""Folders of older code that are kept."""
MOST_FILES = 20_000
"""When a folder holds more, the older half goes."""


class RunCache(Protocol):
    """Where summaries of runs are kept."""

    def get(self, key: str, kinds: Iterable[ScopeKind]) -> Summary | None:
        """Return the summary of a run if it is there and covers these kinds of scope."""

    def put(self, key: str, kinds: Iterable[ScopeKind], summary: Summary) -> None:
        """Keep the summary of a run."""


class MemoryCache:
    """Keeps summaries for as long as it lives."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[frozenset[ScopeKind], Summary]] = {}

    def get(self, key: str, kinds: Iterable[ScopeKind]) -> Summary | None:
        """Return the summary of a run if it is there and covers these kinds of scope."""
        known, summary = self._kept.get(key, (frozenset(), None))
        return summary if known.issuperset(kinds) else None

    def put(self, key: str, kinds: Iterable[ScopeKind], summary: Summary) -> None:
        """Keep the summary of a run."""
        self._kept[key] = (frozenset(kinds), summary)


@cache
def code_hash() -> str:
    """Return a hash of every source file of the library, 12 hexadecimal characters."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


class FolderCache:
    """Keeps summaries in files; what cannot be read or written counts as not there.

    Parameters
    ----------
    folder : Path
        Made if need be.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / code_hash()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._tidy()
        except OSError:
            return

    def _tidy(self) -> None:
        """Remove the folders of old code, and the older half of a folder that has grown too large."""
        versions = sorted(_folders(self.folder.parent), key=_age)
        for old in versions[: -KEPT_VERSIONS - 1]:
            if old != self.folder:
                shutil.rmtree(old, ignore_errors=True)
        files = list(self.folder.glob("*.json"))
        if len(files) > MOST_FILES:
            for path in sorted(files, key=_age)[: len(files) // 2]:
                path.unlink(missing_ok=True)

    def get(self, key: str, kinds: Iterable[ScopeKind]) -> Summary | None:
        """Return the summary of a run if it is there, whole, and covers these kinds of scope."""
        try:
            stored = json.loads((self.folder / f"{key}.json").read_bytes())
            return read_summary(stored["summary"]) if set(stored["kinds"]).issuperset(kinds) else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def put(self, key: str, kinds: Iterable[ScopeKind], summary: Summary) -> None:
        """Keep the summary of a run; the file appears when it is complete."""
        part = self.folder / f".{key}.{os.getpid()}.part"
        try:
            part.write_text(json.dumps({"kinds": list(kinds), "summary": write_summary(summary)}), encoding="ascii")
            part.replace(self.folder / f"{key}.json")
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _folders(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.is_dir()]


def _age(path: Path) -> float:
    return path.stat().st_mtime


def write_summary(summary: Summary) -> dict[str, Any]:
    """Return a summary as plain values; numbers keep every bit."""
    found = {field.name: getattr(summary, field.name) for field in fields(summary)}
    values = {
        slug: {scope: [value.value, value.is_lower_bound] for scope, value in by_scope.items()}
        for slug, by_scope in summary.values.items()
    }
    return found | {"provenance": vars(summary.provenance), "values": values}


def read_summary(stored: dict[str, Any]) -> Summary:
    """Return the summary that `write_summary` wrote.

    Raises
    ------
    KeyError, TypeError, AttributeError
        If something is missing or of another kind.
    """
    begin, end = stored["window_ms"]
    values = {
        slug: {scope: Value(value, bool(is_bound)) for scope, (value, is_bound) in by_scope.items()}
        for slug, by_scope in stored["values"].items()
    }
    given = {
        "provenance": Provenance(**stored["provenance"]),
        "window_ms": (int(begin), int(end)),
        "values": values,
    }
    return Summary(**{**stored, **given})
