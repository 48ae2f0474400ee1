"""From the models back to a document a person can edit: durations with units, priorities as 0 to 1."""

from functools import cache
from typing import Any

from pydantic import BaseModel

from scheduler_core import units
from scheduler_core.scenario.durations import Duration, LimitRule, Priority
from scheduler_core.scenario.fields import OneOf, Spec, document_key
from scheduler_core.scenario.policy import Change, Choice
from scheduler_core.scenario.reserve import Reserve
from scheduler_core.scenario.targets import Target
from scheduler_core.scenario.words import default_settings, write_setting
from scheduler_core.scenario.workload import JobClass, JobRow


@cache
def spec_of(model: type[BaseModel], name: str) -> Spec | None:
    """Return the `Spec` of a field, None if it has none."""
    return next((found for found in model.model_fields[name].metadata if isinstance(found, Spec)), None)


def dump(value: object, *, is_full: bool = True) -> Any:  # noqa: ANN401
    """Write a model as plain values.

    Parameters
    ----------
    value : object
        A model of the scenario, or a value inside one.
    is_full : bool
        State every field; otherwise only those that differ from their default.

    Returns
    -------
    object
        What a document would say.
    """
    special = _SPECIAL.get(type(value))
    if special is not None:
        return special(value, is_full)
    if isinstance(value, OneOf):
        return {document_key(value.kind): _field(value, value.kind, is_full=False)}
    if isinstance(value, BaseModel):
        return _fields(value, is_full=is_full)
    if isinstance(value, dict):
        return {f"{key}": dump(item, is_full=is_full) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [dump(item, is_full=is_full) for item in value]
    return units.shortest(value) if isinstance(value, float) else value


@cache
def _defaults(model: type[BaseModel]) -> dict[str, tuple[bool, object]]:
    """Return for each field whether it is required, and its default."""
    return {name: (info.is_required(), info.default) for name, info in model.model_fields.items()}


def _fields(model: BaseModel, *, is_full: bool) -> dict[str, Any]:
    written: dict[str, Any] = {}
    for name, (is_required, default) in _defaults(type(model)).items():
        if is_full or is_required or getattr(model, name) != default:
            written[document_key(name)] = _field(model, name, is_full=is_full)
    return written


def _field(model: BaseModel, name: str, *, is_full: bool) -> Any:  # noqa: ANN401
    value = getattr(model, name)
    spec = spec_of(type(model), name)
    if spec is not None and isinstance(value, int) and not isinstance(value, bool):
        if spec.unit == "duration":
            return units.write_duration(value)
        if spec.unit == "priority":
            return units.from_milli(value)
    return dump(value, is_full=is_full)


def _choice(choice: Choice, is_full: bool) -> Any:  # noqa: ANN401
    defaults = {} if is_full else default_settings(choice.slug)
    params = {
        key: dump(write_setting(choice.slug, key, value))
        for key, value in choice.params.items()
        if is_full or value != defaults.get(key)
    }
    return {choice.slug: params} if params else choice.slug


def _limit(rule: LimitRule, is_full: bool) -> Any:  # noqa: ANN401, ARG001
    return "exact" if rule.exact else {rule.kind: _field(rule, rule.kind, is_full=False)}


def _priority(priority: Priority, is_full: bool) -> Any:  # noqa: ANN401, ARG001
    if priority.fixed is not None:
        return units.from_milli(priority.fixed)
    if priority.uniform is not None:
        return {"uniform": [units.from_milli(bound) for bound in priority.uniform]}
    shares = priority.choice or {}
    return {"choice": {f"{units.from_milli(key)}": units.shortest(share) for key, share in shares.items()}}


def _duration(duration: Duration, is_full: bool) -> Any:  # noqa: ANN401, ARG001
    if duration.by_gpus is not None:
        return {"by_gpus": {f"{key}": dump(inner) for key, inner in duration.by_gpus.items()}}
    return {duration.kind: _field(duration, duration.kind, is_full=False)}


def _job_class(job_class: JobClass, is_full: bool) -> Any:  # noqa: ANN401
    written = _fields(job_class, is_full=is_full)
    fraction = written.pop("fraction", None)
    for name in ("per_day", "duration"):
        if not job_class.service:
            written.setdefault(name, _field(job_class, name, is_full=is_full))
    sizes = {f"{size}": units.shortest(share) for size, share in job_class.gpus.items()}
    written["gpus"] = next(iter(job_class.gpus)) if len(sizes) == 1 else sizes
    if job_class.shape is not None:
        del written["gpus"]  # the shape says it
    if fraction is not None:
        written["gpus"] = {"fraction": fraction}
    return written


def _change(change: Change, is_full: bool) -> Any:  # noqa: ANN401
    stated = {document_key(name): _field(change.policy, name, is_full=is_full) for name in change.stated}
    return {"at": _field(change, "at", is_full=is_full), "policy": stated}


def _reserve(reserve: Reserve, is_full: bool) -> Any:  # noqa: ANN401, ARG001
    return _fields(reserve, is_full=False)


def _target(target: Target, is_full: bool) -> Any:  # noqa: ANN401
    written = _fields(target, is_full=is_full)
    for name in ("at_most", "at_least"):
        bound = getattr(target, name)
        if bound is None:
            written.pop(name, None)
        else:
            written[name] = units.write_duration(bound) if isinstance(bound, int) else units.shortest(bound)
    return written


def _job_row(row: JobRow, is_full: bool) -> Any:  # noqa: ANN401, ARG001
    return _fields(row, is_full=False)


_SPECIAL: dict[type, Any] = {
    Choice: _choice,
    LimitRule: _limit,
    Priority: _priority,
    Duration: _duration,
    JobClass: _job_class,
    Target: _target,
    JobRow: _job_row,
    Change: _change,
    Reserve: _reserve,
}
