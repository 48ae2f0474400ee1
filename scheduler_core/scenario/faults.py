"""From what the models refuse to sentences a person can act on, with named paths."""

from collections.abc import Iterator, Mapping
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from scheduler_core.errors import Fault
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.dump import spec_of
from scheduler_core.scenario.fields import Shape, document_key
from scheduler_core.scenario.paths import NAMED_LISTS, Keys, join_path, meant, name_of, suggest

Loc = tuple[int | str, ...]


def faults_of(error: ValidationError, tree: object, root: type[BaseModel]) -> list[tuple[Loc, Fault]]:
    """Return what is wrong, with where it stands in the tree.

    Parameters
    ----------
    error : ValidationError
        What the models refused.
    tree : object
        The document they read.
    root : type
        The model of the whole document.

    Returns
    -------
    list of (tuple, Fault)
        In the order in which the models found them; the tuple leads to the value inside `tree`.
    """
    return [_one(found, tree, root) for found in error.errors(include_url=False)]


def _one(found: Mapping[str, Any], tree: object, root: type[BaseModel]) -> tuple[Loc, Fault]:
    loc: Loc = tuple(found["loc"])
    context = found.get("ctx", {})
    if context.get("at"):
        loc = (*loc, *context["at"].split("."))
    loc = tuple(document_key(part) if isinstance(part, str) else part for part in loc)
    path, value = named_path(loc, tree), _value_at(tree, loc)
    if found["type"] == "fault":
        return loc, Fault(path, context.get("shown", value), context["allowed"], context["problem"])
    if found["type"] == "extra_forbidden":
        return loc, Fault(path, value, "", _unknown_key(loc, tree, root))
    allowed = allowed_at(root, loc)
    if found["type"] == "missing":
        return loc, Fault(path, None, allowed, Phrase("{path} is missing; it must be {allowed}.", allowed=allowed))
    return loc, Fault(path, value, allowed)


def named_path(loc: Loc, tree: object) -> str:
    """Return the path a person would write: list items by their names."""
    words: list[object] = []
    node = tree
    for part in loc:
        if isinstance(node, list) and isinstance(part, int) and part < len(node):
            node = node[part]
            words.append(name_of(node) or part)
        else:
            node = node.get(f"{part}") if isinstance(node, dict) else None
            words.append(part)
    return join_path(words)


def _value_at(tree: object, loc: Loc) -> object:
    node = tree
    for part in loc:
        if isinstance(node, dict):
            node = node.get(f"{part}")
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            node = node[part]
        else:
            return None
    return node


def models_in(annotation: object) -> Iterator[type[BaseModel]]:
    """Yield the models that an annotation mentions."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from models_in(part)


def model_at(root: type[BaseModel], loc: Loc) -> type[BaseModel] | None:
    """Return the model that reads the mapping at `loc`, None where there is none."""
    model: type[BaseModel] | None = root
    for part in loc:
        if model is None:
            return None
        field = _field_of(model, part)
        if field is not None:
            model = next(models_in(model.model_fields[field].annotation), None)
        # a row of a list, or a key of a mapping, is read by the same model
    return model


def _field_of(model: type[BaseModel], part: int | str) -> str | None:
    return next((name for name in model.model_fields if document_key(name) == part), None)


def is_text(root: type[BaseModel], keys: Keys) -> bool:
    """Return whether the document wants text at a path, so that a number there is a word."""
    for named in NAMED_LISTS:
        if keys[: len(named)] == named and len(keys) > len(named):
            keys = (*named, "0", *keys[len(named) + 1 :])
    parent = model_at(root, keys[:-1])
    field = _field_of(parent, keys[-1]) if parent is not None and keys else None
    spec = spec_of(parent, field) if parent is not None and field is not None else None
    if parent is None or field is None or spec is None:
        return False
    return Shape.of(parent.model_fields[field].annotation, spec).kind in {"text", "word"}


def allowed_at(root: type[BaseModel], loc: Loc) -> Phrase:
    """Return what may stand at `loc`; completes "it must be ..."."""
    parent = model_at(root, loc[:-1])
    field = _field_of(parent, loc[-1]) if parent is not None and loc else None
    if parent is None or field is None:
        model = model_at(root, loc)
        keys = [document_key(name) for name in model.model_fields] if model is not None else []
        return _with_keys(keys[:5]) if keys else Phrase("something else")
    annotation = parent.model_fields[field].annotation
    spec = spec_of(parent, field)
    shape = Shape.of(annotation, spec) if spec is not None else None
    if shape is not None and shape.kind != "other":
        return shape.allowed
    return _shape_of_container(annotation)


def _with_keys(keys: list[str]) -> Phrase:
    return Phrase("a mapping with keys such as {keys}", keys=", ".join(keys))


def _shape_of_container(annotation: object) -> Phrase:
    inner = next(models_in(annotation), None)
    origins = {get_origin(part) for part in ([annotation, *get_args(annotation)])} - {Union}
    if tuple in origins:
        keys = ", ".join(_keys(inner)) if inner is not None else ""
        return Phrase("a list of mappings with keys such as {keys}", keys=keys) if keys else Phrase("a list")
    return Phrase("a mapping") if inner is None else _with_keys(_keys(inner))


def _keys(model: type[BaseModel]) -> list[str]:
    return [document_key(name) for name in list(model.model_fields)[:4]]


def _unknown_key(loc: Loc, tree: object, root: type[BaseModel]) -> Phrase:
    model = model_at(root, loc[:-1])
    known = [document_key(name) for name in model.model_fields] if model is not None else []
    word = f"{loc[-1]}"
    hint = suggest(word, known)
    if hint:
        return Phrase("{path} is not a known key{hint}", hint=hint)
    homes = [home for home in _homes(root, word, ()) if home != named_path(loc, tree)]
    if homes:
        return Phrase("{path} is not a known key{hint}", hint=meant(homes[0]))
    where = named_path(loc[:-1], tree) or Phrase("a scenario")
    return Phrase("{path} is not a known key; {where} has {known}.", where=where, known=", ".join(known))


def _homes(model: type[BaseModel], word: str, at: tuple[str, ...]) -> Iterator[str]:
    """Yield the paths of sections in which `word` is a key."""
    for name, info in model.model_fields.items():
        if name == word:
            yield ".".join((*at, name))
        annotation = info.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel) and len(at) < 2:
            yield from _homes(annotation, word, (*at, name))
