"""What differs between two scenarios, as the shortest list of paths and values that leads from one to the other."""

import json
from typing import Any

from scheduler_core.errors import ScenarioError
from scheduler_core.scenario.document import Scenario, build, read_change
from scheduler_core.scenario.dump import dump
from scheduler_core.scenario.paths import NAMED_LISTS, Keys, Tree, is_choice, is_map, join_path, name_of, set_value
from scheduler_core.scenario.words import default_settings, write_setting

Changes = dict[str, Any]
_SCALARS = (str, int, float, bool, type(None))
_NOT_COMPARED = {"case", "headroom"}


def differences(scenario: Scenario, base: Scenario) -> Changes:
    """Return what to change in `base` to get `scenario`.

    Parameters
    ----------
    scenario : Scenario
        What is wanted.
    base : Scenario
        Where to start, usually the case the scenario names.

    Returns
    -------
    dict of str to object
        Path -> plain value as a document writes it, in the order in which `apply` takes them. List items are named
        (`workload.classes.pretrain.per_day`); a new item begins with its `name`, a deleted one says `remove`. Text
        that would be read as something else (a title `null`) is quoted as in JSON.
    """
    wanted, start = _tree(scenario), _tree(base)
    if _spelled(wanted) == _spelled(start):
        return {}
    comparison = _Comparison(scenario)
    for key, value in wanted.items():
        comparison.compare(start[key], value, (key,))
    changes = _whole_where_needed(comparison.changes, scenario, base)
    return {path: _as_text(path, value) for path, value in changes.items()}


def _as_text(path: str, value: object) -> object:
    if path.startswith("policy."):  # words such as true stay words there
        return value
    return json.dumps(value) if isinstance(value, str) and read_change(path, value) != value else value


def _tree(scenario: Scenario) -> Tree:
    return {key: value for key, value in dump(scenario).items() if key not in _NOT_COMPARED}


def _whole_where_needed(changes: Changes, scenario: Scenario, base: Scenario) -> Changes:
    """State a list whole where single changes do not reach it: its items stand in another order."""
    wanted, after = _tree(scenario), _after(changes, base)
    reached = _tree(after) if after is not None else None
    for keys in NAMED_LISTS:
        if reached is not None and _spelled(_at(reached, keys)) == _spelled(_at(wanted, keys)):
            continue
        prefix = f"{join_path(keys)}."
        changes = {path: value for path, value in changes.items() if not path.startswith(prefix)}
        changes[join_path(keys)] = _at(wanted, keys)
    return changes


def _after(changes: Changes, base: Scenario) -> Scenario | None:
    tree: Tree = dump(base)
    for path, value in changes.items():
        set_value(tree, path, _copy(value))
    try:
        return build(tree)
    except ScenarioError:
        return None


def _spelled(value: object) -> str:
    """Return the value as text, in which the order of zones and the type of a number count."""
    return json.dumps(value)


def _at(tree: Any, keys: Keys) -> Any:  # noqa: ANN401
    for key in keys:
        tree = tree[key]
    return tree


def _copy(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _is_same_order(old: Tree, new: Tree) -> bool:
    """Return whether changing single zones leaves them in the order that is wanted."""
    return [key for key in old if key in new] + [key for key in new if key not in old] == list(new)


def _is_section(at: Keys, old: Tree, new: Tree) -> bool:
    """Return whether two mappings have the same fields, so that each can be compared by itself."""
    return set(old) <= set(new) or at[:2] == ("workload", "classes")


class _Comparison:
    """Collects the changes that lead from one document to another."""

    def __init__(self, wanted: Scenario) -> None:
        self.changes: Changes = {}
        compact = dump(wanted, is_full=False)
        lists = ((at, _at(compact, at[:-1]).get(at[-1], ())) for at in NAMED_LISTS)  # an empty list is not written
        self.new_items: Tree = {join_path((*at, item["name"])): item for at, items in lists for item in items}

    def compare(self, old: object, new: object, at: Keys) -> None:
        """Note how `new` differs from `old`, both at `at`."""
        if _spelled(old) == _spelled(new):
            return
        if at in NAMED_LISTS and isinstance(old, list) and isinstance(new, list):
            self._compare_named(old, new, at)
        elif is_choice(at):
            self._compare_choice(old, new, at)
        elif at[-1] == "zones" and isinstance(old, dict) and isinstance(new, dict) and not _is_same_order(old, new):
            self.changes[join_path(at)] = new
        elif isinstance(old, dict) and isinstance(new, dict) and (is_map(at) or _is_section(at, old, new)):
            self._compare_mapping(old, new, at)
        elif is_map(at) and isinstance(new, dict):
            self._leaves(new, at)
        else:
            self.changes[join_path(at)] = new

    def _compare_named(self, old: list[Any], new: list[Any], at: Keys) -> None:
        before = {name_of(item) or "": item for item in old}
        after = {name_of(item) or "": item for item in new}
        for name in before:
            if name not in after:
                self.changes[join_path((*at, name, "remove"))] = True
        for name, item in after.items():
            if name in before:
                self._compare_mapping(before[name], item, (*at, name))
            else:
                self.changes[join_path((*at, name, "name"))] = name
                told = self.new_items[join_path((*at, name))]
                for key, value in told.items():
                    if key != "name":
                        self._leaves(value, (*at, name, key))

    def _compare_mapping(self, old: Tree, new: Tree, at: Keys) -> None:
        for key in old:
            if key not in new:
                self.changes[join_path((*at, key))] = None
        for key, value in new.items():
            self.compare(old.get(key), value, (*at, key))

    def _compare_choice(self, old: object, new: object, at: Keys) -> None:
        """Compare the settings if the word is the same, else state the new word with what is not its default."""
        if isinstance(old, dict) and isinstance(new, dict) and set(old) == set(new):
            for key, inner in new.items():
                if isinstance(inner, dict) and isinstance(old[key], dict):
                    self._compare_mapping(old[key], inner, (*at, key))
                elif inner != old[key]:
                    self.changes[join_path((*at, key))] = inner
            return
        if isinstance(new, dict) and at[0] == "policy":
            word, settings = next(iter(new.items()))
            defaults = default_settings(word)
            usual = {key: write_setting(word, key, value) for key, value in defaults.items()}
            told = {key: value for key, value in settings.items() if value != usual.get(key)}
            new = {word: told} if told else word
        self._leaves(new, at)

    def _leaves(self, value: object, at: Keys) -> None:
        """State a value by its innermost paths; lists and empty mappings are stated whole."""
        if isinstance(value, dict) and value:
            for key, inner in value.items():
                self._leaves(inner, (*at, key))
        else:
            self.changes[join_path(at)] = value
