"""Paths such as `workload.classes.pretrain.per_day`, and how documents are laid over each other.

Lists of named items (pools, tenants, classes) merge by name, sections field by field; every other list, mapping and
choice is replaced whole. A path reaches inside mappings and choices too, so that a link can say the smallest change.
A name that is not a plain word is quoted in a path: `tenants."R&D team".weight`.
"""

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any

from scheduler_core.errors import Fault
from scheduler_core.phrases import Phrase, Wording

Tree = dict[str, Any]
Keys = tuple[str, ...]

NAMED_LISTS: tuple[Keys, ...] = (("cluster", "pools"), ("tenants",), ("workload", "classes"))
"""Lists whose items are told apart by `name`."""

SECTIONS: tuple[Keys, ...] = (("cluster",), ("workload",), ("policy",), ("run",))
"""Mappings that merge field by field."""

ARRIVALS: Keys = ("workload", "arrivals")
CHOICES = (
    re.compile(r"policy\.(order|discipline|placement|gang)"),
    re.compile(r"workload\.classes\.\*\.(duration|limit|priority)"),
    re.compile(r"workload\.classes\.\*\.duration\.by_gpus\.[^.]+"),
)
"""Where a value is one key with its settings, so that another key replaces it whole."""

MAPS = (
    re.compile(r"cluster\.pools\.\*\.zones"),
    re.compile(r"workload\.classes\.\*\.(gpus|priority\.choice|duration\.by_gpus)"),
)
"""Where keys are the user's own and null deletes one."""

_SEGMENT = re.compile(r'"([^"\\]+)"(?:\.|$)|([^."]+)(?:\.|$)')
_DEEPEST = 12
_WORD = re.compile(r"[\w-]+")


def split_path(path: str) -> Keys:
    """Return the keys of a path.

    Parameters
    ----------
    path : str
        Keys joined by dots; a key in double quotes may hold any character.

    Returns
    -------
    tuple of str
        The keys; empty if the path is not well formed.

    Examples
    --------
    >>> split_path('tenants."R&D team".weight')
    ('tenants', 'R&D team', 'weight')
    """
    keys: list[str] = []
    at = 0
    while at < len(path):
        found = _SEGMENT.match(path, at)
        if found is None:
            return ()
        keys.append(found[1] or found[2])
        at = found.end()
    return tuple(keys) if not path.endswith(".") else ()


def join_path(keys: Iterable[object]) -> str:
    """Return the path of keys, quoting what is not a plain word.

    Examples
    --------
    >>> join_path(("tenants", "R&D team", "weight"))
    'tenants."R&D team".weight'
    """
    words = (f"{key}" for key in keys)
    return ".".join(word if _WORD.fullmatch(word) else f'"{word}"' for word in words)


def pattern(keys: Keys) -> str:
    """Return the path with a star for the name of a list item, as `CHOICES` and `MAPS` write it."""
    for named in NAMED_LISTS:
        if keys[: len(named)] == named and len(keys) > len(named):
            keys = (*named, "*", *keys[len(named) + 1 :])
    return ".".join(keys)


def is_choice(keys: Keys) -> bool:
    """Return whether the value at `keys` is one key with its settings."""
    return any(found.fullmatch(pattern(keys)) for found in CHOICES)


def is_map(keys: Keys) -> bool:
    """Return whether the keys of the value at `keys` are the user's own."""
    return any(found.fullmatch(pattern(keys)) for found in MAPS)


def name_of(item: object) -> str | None:
    """Return the name of a list item, None if it has none."""
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


def meant(word: str) -> Phrase:
    """Return the question whether a known word was meant."""
    return Phrase("; did you mean {word}?", word=word)


def suggest(word: str, known: Iterable[str]) -> Wording:
    """Return "; did you mean X?" if a known word is close, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return meant(close[0]) if close else ""


def unknown(path: str, name: str, known: Iterable[str], what: Phrase) -> Fault:
    """Return the fault of a name that is not listed.

    Parameters
    ----------
    path : str
        Where the name stands.
    name : str
        The name.
    known : iterable of str
        What could have been meant.
    what : Phrase
        How the list of those begins, such as "tenants are".

    Returns
    -------
    Fault
        With the closest known name.
    """
    names = list(known)
    shown = ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")
    return Fault(
        path,
        name,
        "",
        Phrase(
            "{path} is {value}{hint} {what}: {shown}.", hint=suggest(name, names) or Phrase(";"), what=what, shown=shown
        ),
    )


def merge(base: Tree, over: Tree) -> tuple[Tree, list[Fault]]:
    """Lay one document over another.

    Parameters
    ----------
    base : dict
        The complete document below.
    over : dict
        The difference.

    Returns
    -------
    tuple of dict and list of Fault
        The merged document, and what could not be merged.
    """
    faults: list[Fault] = []
    return _merge_section(base, over, (), faults), faults


def _merge_section(base: Tree, over: Tree, at: Keys, faults: list[Fault]) -> Tree:
    merged = dict(base)
    for key, value in over.items():
        merged[key] = _merge_value(base.get(key), value, (*at, key), faults)
    return merged


def _merge_value(base: object, value: object, at: Keys, faults: list[Fault]) -> object:
    if at in NAMED_LISTS and isinstance(value, list):
        return _merge_named(base if isinstance(base, list) else [], value, at, faults)
    if at in SECTIONS and isinstance(value, dict):
        return _merge_section(base if isinstance(base, dict) else {}, value, at, faults)
    if at == ARRIVALS and isinstance(base, dict) and isinstance(value, dict) and _is_process(base, value):
        return base | value
    return value


def _is_process(base: Tree, value: Tree) -> bool:
    """Return whether both generate their arrivals, so that one can refine the other."""
    sources = ("log", "jobs", "jobs_csv")
    return all(part.get(source) is None for part in (base, value) for source in sources)


def _merge_named(base: list[Any], over: list[Any], at: Keys, faults: list[Fault]) -> list[Any]:
    merged = list(base)
    seen: set[str] = set()
    for item in over:
        name = name_of(item)
        if name is None:
            merged.append(item)
            continue
        path = join_path((*at, name))
        if name in seen:
            faults.append(Fault(path, name, "", Phrase("{path} stands twice; a name may be used once.")))
            continue
        seen.add(name)
        row = next((row for row, below in enumerate(merged) if name_of(below) == name), None)
        if item.get("remove") is True:
            if row is None:
                hint = suggest(name, [known for known in map(name_of, base) if known])
                faults.append(
                    Fault(
                        path,
                        name,
                        "",
                        Phrase("{path} cannot be removed, because it is not there{hint}", hint=hint or Phrase(".")),
                    )
                )
            else:
                merged[row] = None
                merged = [kept for kept in merged if kept is not None]
        elif row is None:
            merged.append(item)
        else:
            merged[row] = {**merged[row], **item}
    return merged


def set_value(tree: Tree, path: str, value: object) -> Fault | None:
    """Change one value of a document in place.

    Parameters
    ----------
    tree : dict
        A complete document, as `dump` writes it.
    path : str
        Where. `tenants.new.name` adds an item, `tenants.old.remove` deletes one.
    value : object
        The plain value.

    Returns
    -------
    Fault or None
        What was wrong with the path; the document is then unchanged.
    """
    keys = split_path(path)
    if not keys or len(keys) > _DEEPEST:
        return Fault(
            path[:80],
            path,
            "",
            Phrase("{path!r} is not a path; write keys joined by dots, such as run.days.", path=path[:80]),
        )
    return _set(tree, keys, 0, value)


def _set(node: Any, keys: Keys, at: int, value: object) -> Fault | None:  # noqa: ANN401
    """Set the value below `node`, which stands at `keys[:at]`."""
    key, here = keys[at], keys[:at]
    if isinstance(node, list):
        return _set_in_list(node, keys, at, value)
    if at == len(keys) - 1:
        if value is None and is_map(here):
            node.pop(key, None)
        else:
            _make_room(node, key, here)
            node[key] = value
        return None
    _make_room(node, key, here)
    child = node.get(key)
    if not isinstance(child, (dict, list)):
        child = [] if (*here, key) in NAMED_LISTS else _opened(child, (*here, key))
        node[key] = child
    return _set(child, keys, at + 1, value)


def _make_room(node: Tree, key: str, here: Keys) -> None:
    """Drop the other key of a choice, because a choice has one."""
    if is_choice(here) and key not in node:
        node.clear()


def _opened(child: object, here: Keys) -> Tree:
    """Return a mapping in place of a single word or number, keeping what it said where that is possible."""
    if is_choice(here) and isinstance(child, str) and here[0] == "policy":
        return {child: {}}
    return {}


def _set_in_list(node: list[Any], keys: Keys, at: int, value: object) -> Fault | None:
    key, here, rest = keys[at], keys[:at], keys[at + 1 :]
    row = _row_of(node, key, is_named=here in NAMED_LISTS)
    if rest == ("remove",) and value is True and row is not None:
        del node[row]
        return None
    if row is None and here in NAMED_LISTS and rest == ("name",) and value == key:
        node.append({"name": key})
        return None
    if row is None:
        known = [name for name in map(name_of, node) if name] if here in NAMED_LISTS else []
        there = Phrase(" {path} has {names}.", path=join_path(here), names=", ".join(known[:8])) if known else ""
        hint = suggest(key, known)
        return Fault(
            join_path(keys),
            value,
            "",
            Phrase(
                "{join_path} is not there{hint}{there}",
                join_path=join_path((*here, key)),
                hint=hint or Phrase("."),
                there=there,
            ),
        )
    if not rest and here in NAMED_LISTS and not isinstance(value, dict):
        return Fault(join_path(keys), value, Phrase("a mapping with the fields of the item, or a path to one of them"))
    if not rest:
        node[row] = {**value, "name": key} if here in NAMED_LISTS and isinstance(value, dict) else value
        return None
    if not isinstance(node[row], (dict, list)):
        return Fault(
            join_path(keys), value, "", Phrase("{join_path} has nothing inside it.", join_path=join_path((*here, key)))
        )
    return _set(node[row], keys, at + 1, value)


def _row_of(node: Sequence[Any], key: str, *, is_named: bool) -> int | None:
    if is_named:
        return next((row for row, item in enumerate(node) if name_of(item) == key), None)
    return int(key) if key.isascii() and key.isdigit() and len(key) < 7 and int(key) < len(node) else None
