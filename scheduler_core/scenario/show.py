"""Write a scenario as YAML that a person can read and edit, with a line of explanation for each field."""

import json
import re
from typing import Any

from pydantic import BaseModel

from scheduler_core.scenario.document import Scenario, dump_document
from scheduler_core.scenario.dump import spec_of
from scheduler_core.scenario.faults import models_in
from scheduler_core.scenario.fields import DURATION_PATTERN, Shape, Spec, document_key, field_name
from scheduler_core.scenario.paths import Tree

WIDTH = 120
"""Lines are kept below this where it is possible."""

NOT_YET = {"en": "not available yet", "zh": "尚不可用"}
"""What is said of a field whose mechanism is not there yet, by language."""

_PLAIN = re.compile(r"[A-Za-z_](?:[\w+/@%. -]*[\w+/@%])?", re.ASCII)
_DIGITS = re.compile(r"\d+(\.\d+)?", re.ASCII)
_READ_AS_OTHERS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}

Line = tuple[str, str]
"""A line and the comment that explains it."""


def to_yaml(scenario: Scenario, *, is_full: bool = True, is_commented: bool = False, language: str = "en") -> str:
    """Write a scenario as a YAML document.

    Parameters
    ----------
    scenario : Scenario
        Any scenario.
    is_full : bool
        State every field; otherwise only those that differ from their default.
    is_commented : bool
        Explain each field on its first appearance.
    language : str
        Language of the explanations, ``en`` or ``zh``.

    Returns
    -------
    str
        Stands alone (no `case`); `load` reads it to the same hash.
    """
    tree = dump_document(scenario, is_full=is_full)
    lines = _Writer(language if is_commented else "").section(tree, Scenario, "")
    width = max((len(line) for line, comment in lines if comment and len(line) < 60), default=0) + 2
    return "\n".join(_joined(line, comment, width) for line, comment in lines) + "\n"


def _joined(line: str, comment: str, width: int) -> str:
    if not comment:
        return line
    beside = f"{line:<{width}}# {comment}" if len(line) < width else f"{line}  # {comment}"
    indent = re.match(r"[\s-]*", line)
    return beside if len(beside) <= WIDTH else f"{' ' * len(indent[0] if indent else '')}# {comment}\n{line}"


class _Writer:
    """Writes sections as blocks, list items as blocks, and everything inside a field on one line if it fits."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.explained: set[tuple[str, str]] = set()

    def section(self, tree: Tree, model: type[BaseModel], indent: str) -> list[Line]:
        """Return the lines of a mapping that `model` reads."""
        lines: list[Line] = []
        for key, value in tree.items():
            name = field_name(key)
            lines += self._field(key, value, model, name, indent)
        return lines

    def _field(self, key: str, value: Any, model: type[BaseModel], name: str, indent: str) -> list[Line]:  # noqa: ANN401
        comment = self._comment(model, name)
        inner = next(models_in(model.model_fields[name].annotation), None) if name in model.model_fields else None
        head = f"{indent}{scalar(key)}:"
        if isinstance(value, str) and "\n" in value:
            return [(head + _block(value, indent), comment)]
        if isinstance(value, dict) and value and inner is not None and _is_record(inner):
            return [(head, comment), *self.section(value, inner, f"{indent}  ")]
        if isinstance(value, list) and value and isinstance(value[0], dict) and inner is not None:
            items = [line for item in value for line in self._item(item, inner, f"{indent}  ")]
            return [(head, comment), *items]
        return [(f"{head} {flow(value)}", comment)]

    def _item(self, item: Tree, model: type[BaseModel], indent: str) -> list[Line]:
        short = f"{indent}- {flow(item)}"
        if not self.language and len(short) <= WIDTH and len(item) < 8:
            return [(short, "")]
        lines = self.section(item, model, f"{indent}  ")
        first, comment = lines[0]
        return [(f"{indent}- {first.lstrip()}", comment), *lines[1:]]

    def _comment(self, model: type[BaseModel], name: str) -> str:
        if not self.language or (model.__name__, name) in self.explained or name not in model.model_fields:
            return ""
        self.explained.add((model.__name__, name))
        spec = spec_of(model, name)
        return explain(model, name, spec, self.language) if spec is not None else ""


def _is_record(model: type[BaseModel]) -> bool:
    """Return whether a model is written as a block: a section, not a choice on one line."""
    return model.__name__ in {"Cluster", "Workload", "Policy", "Preemption", "Run", "Arrivals", "LogRef"}


def explain(model: type[BaseModel], name: str, spec: Spec, language: str) -> str:
    """Return one line about a field: what it is, what is allowed, and whether it works already.

    Parameters
    ----------
    model : type
        The model that has the field.
    name : str
        The field.
    spec : Spec
        What is known about it.
    language : str
        ``en`` or ``zh``.

    Returns
    -------
    str
        One line without a line break.
    """
    shape = Shape.of(model.model_fields[name].annotation, spec)
    said = spec.text.get(language, spec.text["en"])
    if spec.later:
        return f"{said} ({NOT_YET.get(language, NOT_YET['en'])})"
    if shape.kind == "word":
        return f"{said} ({' | '.join(shape.words)})"
    return f"{said} {shape.range_text}".rstrip() if shape.kind in {"whole", "number"} else said


def document_keys(model: type[BaseModel]) -> list[str]:
    """Return the keys a document may state for a model."""
    return [document_key(name) for name in model.model_fields]


def scalar(value: object) -> str:
    """Write a single value as YAML.

    Examples
    --------
    >>> scalar("3h"), scalar("no"), scalar(None)
    ('3h', '"no"', 'null')
    """
    if not isinstance(value, str):
        return json.dumps(value)
    is_plain = _PLAIN.fullmatch(value) and value.lower() not in _READ_AS_OTHERS
    is_duration = re.fullmatch(DURATION_PATTERN, value) and value == value.strip()
    return value if is_plain or is_duration else _quoted(value)


def _quoted(text: str) -> str:
    """Return text in double quotes; what is not printable, or breaks lines in YAML, is escaped."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(character if character.isprintable() else f"\\U{ord(character):08x}" for character in written)


def flow(value: object) -> str:
    """Write any value on one line.

    Examples
    --------
    >>> flow({"easy": {"depth": 50}})
    '{easy: {depth: 50}}'
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def _key(key: str) -> str:
    return key if _DIGITS.fullmatch(key) and key == f"{float(key):.15g}" else scalar(key)


def _block(text: str, indent: str) -> str:
    """Return several lines of text as a literal block, or quoted where a block would change them."""
    lines = text.split("\n")
    is_odd = any(line != line.rstrip() or not line.isprintable() for line in lines) or lines[0][:1] in {" ", ""}
    if is_odd or text.endswith("\n\n"):
        return f" {_quoted(text)}"
    mark, body = ("|", lines[:-1]) if text.endswith("\n") else ("|-", lines)
    return "\n".join([f" {mark}", *(f"{indent}  {line}" if line else "" for line in body)])
