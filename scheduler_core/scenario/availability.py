"""Which parts of a scenario ask for what the engine cannot do yet."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from scheduler_core import registry, units
from scheduler_core.errors import Fault, ScenarioError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.dump import dump, spec_of
from scheduler_core.scenario.fields import document_key
from scheduler_core.scenario.later import LATER_METRICS, LATER_SETTINGS, is_later, sentence
from scheduler_core.scenario.paths import Keys, join_path
from scheduler_core.scenario.policy import Change, Choice
from scheduler_core.scenario.policy_rules import LATER_TOGETHER, clashes, kept_all_run, planning_after_preemption, steps
from scheduler_core.scenario.words import all_words, known_words

if TYPE_CHECKING:
    from scheduler_core.scenario.document import Scenario


def unavailable_parts(model: BaseModel, at: Keys = (), names: Iterable[str] | None = None) -> Iterator[Fault]:
    """Yield one fault for each part of a scenario that is not available yet.

    Parameters
    ----------
    model : BaseModel
        The scenario or a part of it.
    at : tuple of str
        Where it stands.
    names : iterable of str, optional
        Which of its fields to look at; all by default.

    Yields
    ------
    Fault
        In the order of the document.
    """
    for name in type(model).model_fields if names is None else names:
        yield from _part(model, name, (*at, document_key(name)))


def _part(model: BaseModel, name: str, keys: Keys) -> Iterator[Fault]:
    value, default, spec = getattr(model, name), type(model).model_fields[name].default, spec_of(type(model), name)
    if spec is not None and spec.later:
        if value != default and not _is_same(value, default):
            yield _fault(keys, model, name, spec.later, default)
    elif isinstance(value, Choice):
        yield from _choice_faults(value, keys)
    elif isinstance(value, BaseModel):
        yield from unavailable_parts(value, keys, model.stated if isinstance(model, Change) else None)
    elif isinstance(value, str):
        yield from _word_faults((value,), keys)
    elif isinstance(value, tuple):
        yield from _word_faults(value, keys)
        for row, item in enumerate(value):
            if isinstance(item, BaseModel):
                yield from unavailable_parts(item, (*keys, f"{getattr(item, 'name', row)}"))


def _home(keys: Keys) -> str:
    """Return the path by which the tables of later.py know a setting; inside a change it is that of the policy."""
    inside = max((row for row, key in enumerate(keys) if key == "policy"), default=0)
    return join_path(keys[inside:])


def _word_faults(words: tuple[object, ...], keys: Keys) -> Iterator[Fault]:
    for word in words:
        if isinstance(word, str) and is_later(_home(keys), word):
            yield Fault(join_path(keys), word, "", Phrase("{path}: {word} is not available yet.", word=word))


def _is_same(value: object, default: object) -> bool:
    """Return whether an empty list, mapping or null says the same as the default."""
    return value in (None, [], {}, ()) and default in (None, [], {}, ())


def _fault(keys: Keys, model: BaseModel, name: str, mechanism: str, default: Any) -> Fault:  # noqa: ANN401
    shown = dump(model)
    if name == "fraction":
        keys = (*keys[:-1], "gpus", "fraction")
    value = shown.get(document_key(name), getattr(model, name)) if isinstance(shown, dict) else getattr(model, name)
    words = "null" if default is None or default == () else _written(default)
    words = "0s" if name == "start_latency" else words
    return Fault(join_path(keys), value, "", sentence(mechanism, words))


def _written(default: Any) -> str:  # noqa: ANN401
    return f"{units.shortest(default) if isinstance(default, float) else default}".lower()


def _choice_faults(choice: Choice, keys: Keys) -> Iterator[Fault]:
    path = join_path(keys)
    known = known_words(keys[-1])
    if choice.slug not in known:
        available = ", ".join(known)
        yield Fault(
            path,
            choice.slug,
            "",
            Phrase(
                "{path}: {slug} is not available yet; available: {available}.", slug=choice.slug, available=available
            ),
        )
    settings = {param.slug for param in all_words(keys[-1]).get(choice.slug, ())}
    for setting, mechanism in LATER_SETTINGS.get((_home(keys), choice.slug), {}).items():
        if choice.params.get(setting) and setting not in settings:
            where = join_path((*keys, choice.slug, setting))
            yield Fault(where, choice.params[setting], "", sentence(mechanism, "0"))


def _together_faults(scenario: "Scenario") -> Iterator[Fault]:
    for policy, stated, at in steps(scenario):
        yield from clashes(policy, stated, at, LATER_TOGETHER)
    yield from planning_after_preemption(scenario)
    yield from kept_all_run(scenario)


def _metric_faults(scenario: "Scenario") -> Iterator[Fault]:
    known = registry.find("metrics")
    for row, target in enumerate(scenario.targets):
        if target.metric in LATER_METRICS and target.metric not in known:
            problem = Phrase("{path}: the metric {value} is not available yet; leave the target out.")
            yield Fault(f"targets.{row}.metric", target.metric, "", problem)


def unavailable(scenario: "Scenario") -> tuple[Fault, ...]:
    """Return every part of a scenario that asks for something the engine cannot do yet.

    Parameters
    ----------
    scenario : Scenario
        Any scenario.

    Returns
    -------
    tuple of Fault
        One sentence each, in the order of the document; empty if it can run.
    """
    return (*unavailable_parts(scenario), *_together_faults(scenario), *_metric_faults(scenario))


def require_available(scenario: "Scenario") -> None:
    """Refuse a scenario that cannot run yet.

    Parameters
    ----------
    scenario : Scenario
        Any scenario.

    Raises
    ------
    ScenarioError
        With every part that is not available yet.
    """
    faults = unavailable(scenario)
    if faults:
        raise ScenarioError(faults)
