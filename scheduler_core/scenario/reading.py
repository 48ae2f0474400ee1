"""From the text of a document (YAML 1.2, TOML or JSON) to plain mappings, lists and values.

Bounded in size, depth and expansion. Keys become text, so that `16` and `"16"` are one key; duplicate keys are refused.
In YAML only `true` and `false` are booleans, and there are no dates and no sexagesimal numbers.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from scheduler_core.errors import Fault, ScenarioError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario.limits import limit

FORMATS = {".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".json": "json"}
"""File name ending -> format."""

_PLAIN_WORD = re.compile(r"[A-Za-z_][\w@%/-]*|\d+(?:ms|s|min|h|d|w)", re.ASCII)
_BRACKETS = re.compile(r"[\[\]{}]")
_YAML_11 = re.compile(r"^%YAML +1\.[01]", re.MULTILINE)

Tree = dict[str, Any]


def refuse(problem: Phrase, path: str = "", value: object = None) -> NoReturn:
    """Raise a `ScenarioError` with one fault."""
    raise ScenarioError([Fault(path, value, "", problem)])


def read_file(path: Path) -> Tree:
    """Read the document in a file.

    Parameters
    ----------
    path : Path
        A .yaml, .yml, .toml or .json file; anything else is tried as YAML.

    Returns
    -------
    dict
        The document as plain values.

    Raises
    ------
    ScenarioError
        If the file cannot be read, is too large or is not such a document.
    """
    try:
        if path.stat().st_size > limit("document_bytes"):
            refuse(
                Phrase(
                    "{name} is larger than the {document_bytes:,} bytes a document may have.",
                    name=path.name,
                    document_bytes=limit("document_bytes"),
                )
            )
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise ScenarioError(
            [Fault("", str(path), "", Phrase("{path} cannot be read: {foreign}.", path=path, foreign=reason))]
        ) from error
    return read_text(decode(data), FORMATS.get(path.suffix.lower()))


def decode(data: bytes) -> str:
    """Return the text of a document; refuse what is not UTF-8.

    Parameters
    ----------
    data : bytes
        With or without a byte order mark.

    Returns
    -------
    str
        The text.

    Raises
    ------
    ScenarioError
        If the bytes are not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = Phrase("the document is not UTF-8 text (byte {start}); save it as UTF-8.", start=error.start + 1)
        raise ScenarioError([Fault("", None, "", problem)]) from error


def read_text(text: str, kind: str | None = None) -> Tree:
    """Read a document from text.

    Parameters
    ----------
    text : str
        YAML, TOML or JSON.
    kind : str, optional
        ``yaml``, ``toml`` or ``json``; None finds out.

    Returns
    -------
    dict
        The document as plain values, every key as text.

    Raises
    ------
    ScenarioError
        If the text is too large, broken, or not a mapping.
    """
    if len(text.encode("utf-8", "surrogatepass")) > limit("document_bytes"):
        refuse(
            Phrase(
                "the document is larger than the {document_bytes:,} bytes allowed.",
                document_bytes=limit("document_bytes"),
            )
        )
    if kind is not None:
        return plain_document(_READERS[kind](text))
    kinds: tuple[str, ...]
    if text.lstrip().startswith("{"):
        kinds = ("json", "yaml")
    else:
        kinds = ("toml", "yaml") if _looks_like_toml(text) else ("yaml",)
    refusals: list[ScenarioError] = []
    for attempt in kinds:
        try:
            return plain_document(_READERS[attempt](text))
        except ScenarioError as error:
            refusals.append(error)
    raise refusals[0]  # what the text looks like most


def _looks_like_toml(text: str) -> bool:
    lines = [line.strip() for line in text.splitlines()]
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return first.startswith("[") or ("=" in first and ":" not in first.split("=")[0])


def read_value(text: str) -> Any:  # noqa: ANN401
    """Read one value as it stands in a link or on the command line.

    Parameters
    ----------
    text : str
        A number, a word, ``true``, ``null``, or a list or mapping in braces.

    Returns
    -------
    object
        The plain value; text that is not YAML stays text.
    """
    if _PLAIN_WORD.fullmatch(text) and text.lower() not in {"true", "false", "null"}:
        return text
    try:
        return plain(json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant))
    except (ValueError, RecursionError, ScenarioError):
        pass
    try:
        return plain(_load_yaml(text))
    except ScenarioError:
        return text


def plain_document(value: object) -> Tree:
    """Return the document as plain values, or refuse it if it is not a mapping."""
    tree = plain(value)
    if not isinstance(tree, dict):
        refuse(
            Phrase(
                "the document is not a mapping; it must have keys such as cluster, tenants, workload, policy and run."
            )
        )
    return tree


def plain(value: object) -> Any:  # noqa: ANN401
    """Copy a value, with every key as text.

    Parameters
    ----------
    value : object
        Mappings, lists, text, numbers, true, false and None.

    Returns
    -------
    object
        New dicts and lists.

    Raises
    ------
    ScenarioError
        If it is nested too deeply, expands to too many values, or holds anything else (a date, bytes, a set).
    """
    return _Copy().copy(value, "", 0)


class _Copy:
    """Copies a tree and counts what it copies."""

    def __init__(self) -> None:
        self.values = 0

    def copy(self, value: object, path: str, depth: int) -> object:
        """Return a copy of `value`, which stands at `path`."""
        self.values += 1
        if self.values > limit("document_values"):
            refuse(
                Phrase(
                    "the document has more than the {document_values:,} values allowed.",
                    document_values=limit("document_values"),
                )
            )
        if depth > limit("document_depth"):
            refuse(
                Phrase(
                    "the document is nested more than the {document_depth} levels allowed.",
                    document_depth=limit("document_depth"),
                )
            )
        if isinstance(value, Mapping):
            return self._copy_mapping(value, path, depth)
        if isinstance(value, (list, tuple)):
            return [self.copy(item, f"{path}.{row}", depth + 1) for row, item in enumerate(value)]
        if value is None or isinstance(value, (str, bool, int, float)):
            return _plain_scalar(value)
        refuse(
            Phrase(
                "{path} is {value!s}; a document holds text, numbers, true, false, null, lists and mappings.",
                path=path.lstrip("."),
                value=value,
            ),
            path.lstrip("."),
            value,
        )

    def _copy_mapping(self, value: Mapping[Any, object], path: str, depth: int) -> Tree:
        copied: Tree = {}
        for key, item in value.items():
            word = key_text(key)
            if word in copied:
                refuse(
                    Phrase(
                        "{where} has the key {word} twice.",
                        where=path.lstrip(".") or Phrase("the document"),
                        word=word,
                    ),
                    path.lstrip("."),
                )
            copied[word] = self.copy(item, f"{path}.{word}", depth + 1)
        return copied


def _plain_scalar(value: str | float | None) -> str | bool | int | float | None:
    """Return the value without the reader's own subclasses of int and float."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    return int(value) if isinstance(value, int) else float(value)


def key_text(key: object) -> str:
    """Return a key as text, as the document would write it."""
    if isinstance(key, bool):
        return "true" if key else "false"
    if key is None:
        return "null"
    return f"{key}"


def _load_yaml(text: str) -> object:
    if _YAML_11.search(text):
        refuse(
            Phrase("the document asks for YAML 1.1; a scenario is YAML 1.2, where only true and false are booleans.")
        )
    if len(text) > limit("yaml_bytes"):
        size = f"{limit('yaml_bytes'):,}"
        refuse(
            Phrase(
                "the document is larger than the {size} bytes allowed in YAML; write it as JSON, or its jobs "
                "as jobs_csv.",
                size=size,
            )
        )
    if _bracket_depth(text) > 2 * limit("document_depth"):
        refuse(
            Phrase(
                "the document is nested more than the {document_depth} levels allowed.",
                document_depth=limit("document_depth"),
            )
        )
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 2)
    for resolvers in yaml.resolver.versioned_resolver.values():
        resolvers[:] = [found for found in resolvers if not found[0].endswith(":timestamp")]
    try:
        return yaml.load(StringIO(text))
    except DuplicateKeyError as error:
        raise ScenarioError([Fault("", None, "", _marked(Phrase("a key stands twice ({foreign})"), error))]) from error
    except MarkedYAMLError as error:
        raise ScenarioError([Fault("", None, "", _marked(Phrase("not YAML: {foreign}"), error))]) from error
    except (YAMLError, ValueError, RecursionError, OverflowError, TypeError) as error:
        reason = " ".join(str(error).split())[:160] or "nested too deeply"
        raise ScenarioError(
            [Fault("", None, "", Phrase("the document is not YAML: {foreign}.", foreign=reason))]
        ) from error


def _bracket_depth(text: str) -> int:
    """Return how deep brackets are opened, text in quotes included: reading deep nesting takes quadratic time."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(text):
        depth = max(0, depth + (1 if bracket in "[{" else -1))
        deepest = max(deepest, depth)
    return deepest


def _marked(problem: Phrase, error: MarkedYAMLError) -> Phrase:
    mark = error.problem_mark
    where = (
        Phrase("line {line}, column {column}", line=mark.line + 1, column=mark.column + 1)
        if mark is not None
        else Phrase("the document")
    )
    words = " ".join(f"{error.problem}".split())
    return Phrase("{where}: {problem}.", where=where, problem=problem.filled(foreign=words))


def _load_toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ScenarioError(
            [Fault("", None, "", Phrase("the document is not TOML: {foreign}.", foreign=error))]
        ) from error


def _load_json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        problem = Phrase(
            "line {line}, column {column}: not JSON: {foreign}.",
            line=error.lineno,
            column=error.colno,
            foreign=error.msg,
        )
        raise ScenarioError([Fault("", None, "", problem)]) from error
    except (ValueError, RecursionError) as error:
        raise ScenarioError(
            [Fault("", None, "", Phrase("the document is not JSON: {foreign}.", foreign=error))]
        ) from error


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            refuse(Phrase("the key {key} stands twice in one mapping.", key=key), key)
        found[key] = value
    return found


def _no_constant(word: str) -> NoReturn:
    refuse(Phrase("{word} is not a number a document may hold.", word=word), "", word)


_READERS = {"yaml": _load_yaml, "toml": _load_toml, "json": _load_json}
