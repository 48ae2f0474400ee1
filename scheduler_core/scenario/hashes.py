"""The canonical form of a scenario, and the two hashes made from it.

Canonical: one line of JSON, keys sorted, durations in ms, priorities in thousandths, GPUs in thousandths, shortest
numbers, what equals its default left out. Defaults never change their meaning, so a field that is added later leaves
old hashes as they are. Names and notes are in neither hash.
"""

import hashlib
import json
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from scheduler_core import units
from scheduler_core.scenario.dump import spec_of
from scheduler_core.scenario.fields import OneOf, document_key
from scheduler_core.scenario.policy import Change, Choice
from scheduler_core.scenario.words import is_silent

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario

SHOWN_DIGITS = 16
"""Hexadecimal digits of a hash that are shown and stored."""

_ALWAYS = {"per_day", "gpus", "duration"}  # what makes a class; a document has to state them

RUN_PARTS = ("cluster", "tenants", "workload", "policy", "run")
"""What decides what happens; targets only judge it."""


def canonical(scenario: "Scenario") -> str:
    """Return the one spelling of a scenario.

    Parameters
    ----------
    scenario : Scenario
        Any scenario.

    Returns
    -------
    str
        JSON that is equal for two scenarios exactly if they ask the same.
    """
    return _json({part: _plain(getattr(scenario, part)) for part in (*RUN_PARTS, "targets")})


def scenario_hash(scenario: "Scenario") -> str:
    """Return the name of the question: 16 hexadecimal digits.

    Parameters
    ----------
    scenario : Scenario
        Any scenario; its name, notes and case do not count.

    Returns
    -------
    str
        Equal for two scenarios exactly if they ask the same.
    """
    return _digest(canonical(scenario))


def run_hash(scenario: "Scenario", engine_version: str, replication: int = 0) -> str:
    """Return the name of one run: 16 hexadecimal digits.

    Parameters
    ----------
    scenario : Scenario
        Any scenario; its targets do not count either.
    engine_version : str
        Version of the engine that runs it.
    replication : int
        Which repetition, from 0.

    Returns
    -------
    str
        Equal for two runs exactly if they give the same job table.
    """
    parts = {part: _plain(getattr(scenario, part)) for part in RUN_PARTS}
    parts["run"] = {key: value for key, value in parts["run"].items() if key != "replications"}
    return _digest(_json({**parts, "engine_version": engine_version, "replication": replication}))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=SHOWN_DIGITS // 2).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def _plain(value: object, *, is_gpu: bool = False) -> Any:  # noqa: ANN401
    if isinstance(value, OneOf):
        return {document_key(value.kind): _field(value, value.kind)}
    if isinstance(value, Change):  # what it states counts, also where that is a default
        return {"at": value.at, "policy": {document_key(name): _field(value.policy, name) for name in value.stated}}
    if isinstance(value, Choice):
        params = {name: item for name, item in value.params.items() if not is_silent(value.slug, name, item)}
        return {"slug": value.slug} | ({"params": _plain(params)} if params else {})
    if isinstance(value, BaseModel):
        return {
            document_key(name): _field(value, name)
            for name, info in type(value).model_fields.items()
            if info.is_required() or name in _ALWAYS or getattr(value, name) != info.default
        }
    if isinstance(value, dict):
        return _mapping(value, is_gpu=is_gpu)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if is_gpu and isinstance(value, (int, float)) and not isinstance(value, bool):
        return units.to_milli(value)
    return units.shortest(value) if isinstance(value, float) else value


def _mapping(value: dict[Any, Any], *, is_gpu: bool) -> dict[str, Any]:
    """Sizes are GPUs too: their keys become thousandths."""
    return {f"{key * units.MILLI}" if is_gpu else f"{key}": _plain(item) for key, item in value.items()}


def _field(model: BaseModel, name: str) -> Any:  # noqa: ANN401
    value, spec = getattr(model, name), spec_of(type(model), name)
    if name == "zones":  # their order numbers the nodes, and JSON with sorted keys would lose it
        return [[zone, nodes] for zone, nodes in value.items()]
    return _plain(value, is_gpu=spec is not None and spec.unit == "gpu")
