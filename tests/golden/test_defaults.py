"""Defaults never change: hashes leave out what equals its default, and old documents rely on what they do not say."""

import json
from pathlib import Path
from typing import Any

from scheduler_core.scenario import json_schema

DEFAULTS = Path(__file__).with_name("defaults.json")


def defaults() -> dict[str, Any]:
    """Return the default of every field that has one, by model and field."""
    schema = json_schema()
    models = {"Scenario": schema, **schema["$defs"]}
    return {
        f"{model}.{field}": about["default"]
        for model, found in models.items()
        for field, about in found.get("properties", {}).items()
        if "default" in about
    }


def test_no_default_ever_changes() -> None:
    kept = json.loads(DEFAULTS.read_text(encoding="utf-8"))
    now = defaults()
    assert {path: now.get(path) for path in kept} == kept
    assert sorted(set(now) - set(kept)) == []  # a new field adds its default here, and reproduces the old behaviour
