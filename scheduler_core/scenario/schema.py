"""The JSON schema of a scenario document, with unit, range, step, default and source of every field."""

import math
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from scheduler_core import units
from scheduler_core.registry import Param, TextParam
from scheduler_core.scenario.document import SCHEMA_VERSION, Scenario
from scheduler_core.scenario.dump import dump, spec_of
from scheduler_core.scenario.durations import Duration, LimitRule, Priority
from scheduler_core.scenario.faults import models_in
from scheduler_core.scenario.fields import DURATION_PATTERN, OneOf, Shape, Spec, document_key
from scheduler_core.scenario.policy import Choice, Policy
from scheduler_core.scenario.preemption import SCOPES, Preemption
from scheduler_core.scenario.reserve import Reserve
from scheduler_core.scenario.tenants import Tenant
from scheduler_core.scenario.words import known_words, write_setting
from scheduler_core.scenario.workload import JobClass

Json = dict[str, Any]

_TYPES = {"whole": "integer", "number": "number", "flag": "boolean", "text": "string", "word": "string"}
_SHARES: Json = {"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}}
_PRIORITY: Json = {"type": "number", "minimum": 0, "maximum": 1}
_LISTS: dict[tuple[type[BaseModel], str], Json] = {
    (Tenant, "borrow_gpus"): {"anyOf": [{"type": "integer", "minimum": 0}, {"enum": ["unlimited", None]}]},
    (Preemption, "scope"): {
        "type": ["array", "null"],
        "items": {"enum": list(SCOPES)},
        "uniqueItems": True,
        "minItems": 1,
    },
    (Reserve, "nodes"): {"type": ["array", "null"], "items": {"type": "integer", "minimum": 0}, "uniqueItems": True},
}
"""Fields that hold a list of plain values, or a word beside numbers."""
_DURATION: Json = {"anyOf": [{"type": "string", "pattern": DURATION_PATTERN}, {"const": 0}]}


def json_schema() -> Json:
    """Return the schema of a scenario document.

    Returns
    -------
    dict
        JSON Schema 2020-12. Beside the standard words each field has `description` and `description_zh`, and where
        they say something `unit`, `step`, `source` and `later` (the mechanism that is not available yet).

    Notes
    -----
    A document that names a `case` may leave out everything, so nothing but names is required there.
    """
    definitions: dict[str, Json] = {}
    root = _model(Scenario, definitions)
    complete = [document_key(name) for name, info in Scenario.model_fields.items() if info.is_required()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Headroom scenario, version {SCHEMA_VERSION}",
        **root,
        "anyOf": [{"required": ["case"]}, {"required": complete}],
        "$defs": dict(sorted(definitions.items())),
    }


def _model(model: type[BaseModel], definitions: dict[str, Json]) -> Json:
    properties = {document_key(name): _field(model, name, definitions) for name in model.model_fields}
    schema: Json = {"type": "object", "properties": properties, "additionalProperties": False}
    if "name" in properties and model is not Scenario:
        properties["remove"] = {"const": True, "description": "Delete the item of this name that the case has."}
        schema["required"] = ["name"]
    if issubclass(model, OneOf):
        schema |= {"minProperties": 1, "maxProperties": 1}
    return schema


def _reference(model: type[BaseModel], definitions: dict[str, Json]) -> Json:
    if model.__name__ not in definitions:
        definitions[model.__name__] = {}
        found = _model(model, definitions)
        if model is Priority:
            found["properties"] |= {"uniform": {"type": "array", "items": _PRIORITY, "minItems": 2, "maxItems": 2}}
            found = {"anyOf": [_PRIORITY, found]}
        elif model is LimitRule:
            found = {"anyOf": [{"const": "exact"}, found]}
        definitions[model.__name__] = found
    return {"$ref": f"#/$defs/{model.__name__}"}


def _field(model: type[BaseModel], name: str, definitions: dict[str, Json]) -> Json:
    info, spec = model.model_fields[name], spec_of(model, name)
    schema = _special(model, name, definitions) or _typed(info.annotation, spec, definitions)
    if spec is not None:
        schema = {**schema, **_described(spec)}
    if not info.is_required():
        schema["default"] = _default(model, name)
    return schema


def _described(spec: Spec) -> Json:
    said = {"unit": spec.unit, "step": spec.step, "source": spec.source, "later": spec.later}
    if spec.unit == "priority" and spec.step is not None:
        said["step"] = spec.step / units.MILLI
    if spec.unit == "duration" and spec.step is not None:
        said["step"] = units.write_duration(int(spec.step))
    described = {"description": spec.text["en"], "description_zh": spec.text.get("zh", "")}
    return described | {key: value for key, value in said.items() if value}


def _default(model: type[BaseModel], name: str) -> Any:  # noqa: ANN401
    default, spec = model.model_fields[name].default, spec_of(model, name)
    if spec is not None and isinstance(default, int) and not isinstance(default, bool):
        if spec.unit == "duration":
            return units.write_duration(default)
        if spec.unit == "priority":
            return units.from_milli(default)
    return dump(default, is_full=False)


def _special(model: type[BaseModel], name: str, definitions: dict[str, Json]) -> Json | None:
    if model is JobClass and name == "gpus":
        fraction: Json = {"type": "object", "properties": {"fraction": {"type": "number"}}, "required": ["fraction"]}
        return {"anyOf": [{"type": "integer", "minimum": 1}, _SHARES, fraction]}
    if (model, name) in _LISTS:
        return dict(_LISTS[model, name])
    if model is Policy and model.model_fields[name].annotation is Choice:
        return _choice(name)
    if name in {"at_most", "at_least"}:
        return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": DURATION_PATTERN}]}
    if model is Duration and name == "by_gpus":
        return {"type": "object", "required": ["default"], "additionalProperties": _reference(Duration, definitions)}
    if name == "choice":
        return _SHARES
    return None


def _choice(field: str) -> Json:
    """Return the schema of a choice; words that are not available yet are accepted as text."""
    words = known_words(field)
    settings = {word: _settings(word, params) for word, params in words.items() if params}
    one = {"type": "object", "properties": settings, "minProperties": 1, "maxProperties": 1}
    return {"anyOf": [{"enum": list(words)}, one, {"type": "string"}]}


def _settings(word: str, params: tuple[Param, ...]) -> Json:
    return {
        "type": "object",
        "properties": {param.slug: _param(param, word) for param in params},
        "additionalProperties": False,
    }


def _param(param: Param, word: str) -> Json:
    schema: Json = {"default": write_setting(word, param.slug, param.default)}
    schema |= {"description": param.text.get("en", ""), "description_zh": param.text.get("zh", "")}
    if param.unit == "duration":
        return schema | _DURATION
    if isinstance(param, TextParam):
        return schema | {"type": "string"}
    if param.options:
        extra = [word == "true" for word in param.options if word in {"true", "false"}]
        return schema | {"enum": [*param.options, *extra]}
    kind = "integer" if param.is_whole else "number"
    schema["type"] = [kind, "null"] if param.none_means else kind
    return schema | _range(param.low, param.high, is_above=False)


def _typed(annotation: object, spec: Spec | None, definitions: dict[str, Json]) -> Json:
    shape = Shape.of(annotation, spec or Spec(text={}))
    if shape.kind in _TYPES:
        return _single(shape)
    inner = next(models_in(annotation), None)
    is_list = tuple in {get_origin(part) for part in (annotation, *get_args(annotation))}
    if inner is not None:
        found = _reference(inner, definitions)
        found = {"type": "array", "items": found} if is_list else found
        return {"anyOf": [found, {"type": "null"}]} if shape.is_optional else found
    if is_list:
        return {"type": ["array", "null"] if shape.is_optional else "array"}
    return {"type": "object"} if get_origin(annotation) is dict else {}


def _single(shape: Shape) -> Json:
    spec = shape.spec
    if spec.unit == "duration":
        return {"anyOf": [*_DURATION["anyOf"], {"type": "null"}]} if shape.is_optional else dict(_DURATION)
    if spec.unit == "priority":
        return {**_PRIORITY, "type": ["number", "null"] if shape.is_optional else "number"}
    kind = _TYPES[shape.kind]
    schema: Json = {"type": [kind, "null"] if shape.is_optional else kind}
    if shape.kind == "word":
        return {"enum": [*shape.words, None]} if shape.is_optional else {"enum": list(shape.words)}
    if shape.kind == "text":
        return schema | ({"maxLength": int(spec.high)} if math.isfinite(spec.high) else {})
    return schema | _range(spec.low, spec.high, is_above=spec.is_above)


def _range(low: float, high: float, *, is_above: bool) -> Json:
    found: Json = {}
    if math.isfinite(low):
        found["exclusiveMinimum" if is_above else "minimum"] = units.shortest(low)
    if math.isfinite(high):
        found["maximum"] = units.shortest(high)
    return found
