"""From an exercise and a setting to what is simulated: the scenario, the money inputs and the exercise's own inputs."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from practice.exercises.known import known
from practice.exercises.model import Difference, Exercise, Setting
from scheduler_core import (
    Assumptions,
    InputError,
    Phrase,
    Scenario,
    apply,
    dump_document,
    join_path,
    load,
    load_case,
    split_path,
)

ECONOMICS, INPUTS = "economics", "inputs"


@dataclass(frozen=True)
class World:
    """Everything that a consequence depends on."""

    scenario: Scenario
    assumptions: Assumptions
    inputs: Mapping[str, float]


@lru_cache(maxsize=64)
def _scenario(document: str) -> Scenario:
    return load(document)


def base_world(exercise: Exercise, *, is_full: bool = False) -> World:
    """Return the world of an exercise before anybody decides.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    is_full : bool
        Take the full case instead of the one for practice; the same where there is none.
    """
    whole = exercise.world
    scenario = load_case(whole.full) if is_full and whole.full else _scenario(json.dumps(dict(whole.scenario)))
    return World(
        scenario=scenario,
        assumptions=Assumptions().change(dict(whole.economics)),
        inputs={name: one.value for name, one in whole.inputs.items()},
    )


def differences_of(exercise: Exercise, setting: Setting) -> Iterator[Difference]:
    """Yield the differences of a setting: stress first, then the choices in the order of the decisions, then the rest.

    Raises
    ------
    InputError
        If a decision, an option or a stress is not one of the exercise.
    """
    toggles = {one.id: one for one in exercise.stress}
    for name in setting.stress:
        yield toggles[known("stress", name, toggles)]
    decisions = {one.id: one for one in exercise.decisions}
    for name in setting.choices:
        known("decision", name, decisions)
    for decision in exercise.decisions:
        if decision.id in setting.choices:
            options = {one.id: one for one in decision.options}
            yield options[known(f"the choice for {decision.id}", setting.choices[decision.id], options)]
    yield setting.change


def world_of(exercise: Exercise, setting: Setting, *, is_full: bool = False) -> World:
    """Return the world that a setting leads to.

    Raises
    ------
    InputError
        If a name is not one of the exercise, or a money input or input is refused.
    ScenarioError
        If the scenario is impossible; with the path.
    """
    world = base_world(exercise, is_full=is_full)
    for difference in differences_of(exercise, setting):
        world = _changed(world, difference)
    return world


def _changed(world: World, difference: Difference) -> World:
    """Return a world with one difference laid over it; values are set first, then multiplied."""
    for changes in (difference.set, _scaled(world, difference.scale)):
        parts: dict[str, dict[str, Any]] = {ECONOMICS: {}, INPUTS: {}, "": {}}
        for path, value in changes.items():
            root, _, rest = path.partition(".")
            parts[root if root in parts else ""][rest if root in parts else path] = value
        for name in parts[INPUTS]:
            known("an input", name, world.inputs)
        world = World(
            scenario=apply(world.scenario, parts[""]) if parts[""] else world.scenario,
            assumptions=world.assumptions.change(parts[ECONOMICS]) if parts[ECONOMICS] else world.assumptions,
            inputs={**world.inputs, **{name: float(value) for name, value in parts[INPUTS].items()}},
        )
    return world


def _scaled(world: World, scale: Mapping[str, float]) -> dict[str, Any]:
    """Return the new value of every path that a pattern with ``*`` names."""
    found: dict[str, Any] = {}
    for pattern, factor in scale.items():
        hits = [(path, value) for path, value in numbers_of(world) if _is_named(path, pattern)]
        if not hits:
            raise InputError(
                Phrase("a path to scale"), pattern, Phrase("the path of a number in the scenario, economics or inputs")
            )
        found |= {path: _times(value, factor) for path, value in hits}
    return found


def _is_named(path: str, pattern: str) -> bool:
    keys, wanted = split_path(path), split_path(pattern)
    return len(keys) == len(wanted) and all(fnmatchcase(*pair) for pair in zip(keys, wanted, strict=True))


def _times(value: float, factor: float) -> float | int:
    """Return a number times a factor; a count stays a whole number of at least one."""
    return max(1, round(value * factor)) if isinstance(value, int) else value * factor


def numbers_of(world: World) -> Iterator[tuple[str, float | int]]:
    """Yield the path and value of every number of a world."""
    yield from _leaves(dump_document(world.scenario), ())
    for slug, value in world.assumptions.values().items():
        if isinstance(value, (int, float)):
            yield f"{ECONOMICS}.{slug}", float(value)
    for name, value in world.inputs.items():
        yield f"{INPUTS}.{name}", value


def _leaves(value: Any, at: tuple[str, ...]) -> Iterator[tuple[str, float | int]]:  # noqa: ANN401
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*at, str(key)))
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict) and "name" in item:
                yield from _leaves(item, (*at, str(item["name"])))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield join_path(at), value
