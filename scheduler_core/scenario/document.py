"""The scenario: one document that says what is asked; loading, changing and comparing it."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import ValidationError, field_validator

from scheduler_core.errors import Fault, ScenarioError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import reading
from scheduler_core.scenario.cluster import Cluster
from scheduler_core.scenario.dump import dump
from scheduler_core.scenario.faults import is_text
from scheduler_core.scenario.fields import DOCUMENT, Part, Spec, fault
from scheduler_core.scenario.limits import limit
from scheduler_core.scenario.paths import Tree, merge, set_value, split_path, suggest
from scheduler_core.scenario.policy import Policy
from scheduler_core.scenario.repair import Repair
from scheduler_core.scenario.rules import broken_rules
from scheduler_core.scenario.run import Run
from scheduler_core.scenario.targets import Target
from scheduler_core.scenario.tenants import Tenant
from scheduler_core.scenario.workload import Workload

SCHEMA_VERSION = 1
DEFAULT_CASE = "fenced-research@1"
CASES_FOLDER = Path(__file__).parents[2] / "scenarios" / "cases"


class Scenario(Part):
    """What is asked: a cluster, its tenants and their work, the policy, the run, and what must hold."""

    headroom: Annotated[int, Spec(text={"en": "Version of this document's schema.", "zh": "文档模式的版本。"})] = (
        SCHEMA_VERSION
    )
    name: Annotated[
        str, Spec(text={"en": "Title for people.", "zh": "供人阅读的标题。"}, high=limit("title_characters"))
    ] = "Untitled"
    notes: Annotated[
        str, Spec(text={"en": "Anything worth remembering.", "zh": "备注。"}, high=limit("notes_characters"))
    ] = ""
    case: Annotated[
        str | None,
        Spec(
            text={
                "en": "Named case this started from; the rest of the document is the difference.",
                "zh": "所基于的命名案例；文档其余部分为差异。",
            },
            high=64,
        ),
    ] = None
    cluster: Annotated[Cluster, Spec(text={"en": "What can be allocated.", "zh": "可分配的资源。"})]
    tenants: Annotated[tuple[Tenant, ...], Spec(text={"en": "Who shares it.", "zh": "共享集群的租户。"})]
    workload: Annotated[Workload, Spec(text={"en": "What asks for GPUs.", "zh": "对 GPU 的需求。"})]
    policy: Annotated[Policy, Spec(text={"en": "How the scheduler decides.", "zh": "调度策略。"})] = Policy()
    run: Annotated[Run, Spec(text={"en": "How long and how often.", "zh": "运行时长与次数。"})]
    targets: Annotated[tuple[Target, ...], Spec(text={"en": "What must hold.", "zh": "需要满足的目标。"})] = ()

    @field_validator("headroom")
    @classmethod
    def _check_version(cls, value: int) -> int:
        if value != SCHEMA_VERSION:
            raise fault(
                "",
                problem=Phrase(
                    "{path} is {value}, but this program reads version {schema_version}; a later version of it "
                    "may read the document.",
                    schema_version=SCHEMA_VERSION,
                ),
            )
        return value


def load(source: Path | str | Mapping[str, Any], *, overrides: Mapping[str, object] | None = None) -> Scenario:
    """Read a scenario.

    Parameters
    ----------
    source : Path, str or mapping
        A file (YAML, TOML or JSON), the text of one, the name of a case (``fenced-research@1``), or plain values.
    overrides : mapping, optional
        Path -> value, applied last; text is read as in a link (``"5min"``, ``"0.6"``, ``"{fixed: 1h}"``).

    Returns
    -------
    Scenario
        Complete: the named case below, the document above it, the overrides on top.

    Raises
    ------
    ScenarioError
        With every fault of the document at once.

    Notes
    -----
    Parts that are not available yet are accepted here; `unavailable` lists them and `require_available` refuses them.
    """
    tree, faults = resolve(_tree_of(source))
    faults += _change(tree, overrides or {})
    return build(tree, faults)


def _change(tree: Tree, changes: Mapping[str, object]) -> list[Fault]:
    found = (_change_one(tree, path, value) for path, value in changes.items())
    return [fault for fault in found if fault is not None]


def _change_one(tree: Tree, path: str, value: object) -> Fault | None:
    if path == "case":
        return Fault(path, value, "", Phrase("{path} cannot be changed afterwards; start from that case."))
    return set_value(tree, path, read_change(path, value))


def read_change(path: str, value: object) -> object:
    """Return the plain value of a change.

    Parameters
    ----------
    path : str
        What is changed.
    value : object
        Text is read as in a link, but stays as it is where the document wants text (a title `7`); anything else is
        taken as plain values.

    Returns
    -------
    object
        What a document would hold.
    """
    if not isinstance(value, str):
        return reading.plain(value)
    read = reading.read_value(value)
    return read if read is None or isinstance(read, str) or not is_text(Scenario, split_path(path)) else value


def _tree_of(source: Path | str | Mapping[str, Any]) -> Tree:
    if isinstance(source, Path):
        return reading.read_file(source)
    if not isinstance(source, str):
        return reading.plain_document(source)
    if "\n" not in source and len(source) < 1_000:
        if source in cases():
            return case_tree(source)
        if Path(source).suffix.lower() in reading.FORMATS:
            return reading.read_file(Path(source))
    return reading.read_text(source)


def resolve(tree: Tree) -> tuple[Tree, list[Fault]]:
    """Lay a document over the case it names.

    Parameters
    ----------
    tree : dict
        The document as it was written.

    Returns
    -------
    tuple of dict and list of Fault
        The complete document, and what could not be merged.
    """
    case = tree.get("case")
    if case is None:
        return merge({}, tree)
    if not isinstance(case, str) or case not in cases():
        hint = suggest(case, cases()) if isinstance(case, str) else ""
        known = ", ".join(cases())
        problem = Phrase(
            "case is {value}, which is not a case here{hint} there are {known}.", hint=hint or Phrase(";"), known=known
        )
        base = case_tree(DEFAULT_CASE) if DEFAULT_CASE in cases() else {}
        merged, faults = merge(base, {key: value for key, value in tree.items() if key != "case"})
        return merged, [Fault("case", case, "", problem), *faults]
    return merge(case_tree(case), tree)


def build(tree: Tree, faults: list[Fault] | None = None) -> Scenario:
    """Return the scenario a complete document describes.

    Parameters
    ----------
    tree : dict
        Complete document.
    faults : list of Fault, optional
        What is known to be wrong already.

    Returns
    -------
    Scenario
        Valid in itself and as a whole.

    Raises
    ------
    ScenarioError
        With `faults` and everything else that is wrong.
    """
    if not faults:
        try:
            scenario = Scenario.model_validate(tree, context=DOCUMENT)
        except ValidationError:
            pass
        else:
            broken = broken_rules(scenario)
            if broken:
                raise ScenarioError(broken)
            return scenario
    repaired = Repair(Scenario, tree, _spare(tree)).run()
    found = [*(faults or []), *repaired.faults]
    if repaired.model is not None and not repaired.has_lent_section:
        known = {fault.path for fault in found}
        broken = [fault for fault in broken_rules(repaired.model) if f"{fault.value}" not in repaired.lost_names]
        found += [fault for fault in broken if fault.path not in known]
    raise ScenarioError(found)


def _spare(tree: Tree) -> Tree:
    case = tree.get("case")
    case = case if isinstance(case, str) and case in cases() else DEFAULT_CASE
    return case_tree(case) if case in cases() else {}


@cache
def cases() -> Mapping[str, Path]:
    """Return the named cases.

    Returns
    -------
    mapping of str to Path
        ``slug@version`` -> file, the default case first, then by name.
    """
    names = sorted((path.stem, path) for path in CASES_FOLDER.glob("*@*.yaml"))
    return dict(sorted(names, key=lambda found: found[0] != DEFAULT_CASE))


@cache
def _case_text(name: str) -> Tree:
    return reading.read_file(cases()[name])


def case_tree(name: str) -> Tree:
    """Return the document of a named case as plain values, with `case` set to its name.

    Parameters
    ----------
    name : str
        ``slug@version``, one of `cases`.

    Returns
    -------
    dict
        A copy that may be changed.
    """
    return {**reading.plain_document(_case_text(name)), "case": name}


@cache
def _load_case(name: str) -> Scenario:
    return build(case_tree(name))


def load_case(name: str = DEFAULT_CASE) -> Scenario:
    """Return a named case.

    Parameters
    ----------
    name : str
        ``slug@version``, one of `cases`.

    Returns
    -------
    Scenario
        The frozen case; its `case` is its own name.

    Raises
    ------
    ScenarioError
        If there is no such case.
    """
    if name not in cases():
        problem = Phrase(
            "{name!r} is not a case{hint} there are {cases}.",
            name=name,
            hint=suggest(name, cases()) or Phrase(";"),
            cases=", ".join(cases()),
        )
        raise ScenarioError([Fault("case", name, "", problem)])
    return _load_case(name)


def dump_document(scenario: Scenario, *, is_full: bool = True) -> Tree:
    """Return a scenario as the document a person would write.

    Parameters
    ----------
    scenario : Scenario
        Any scenario.
    is_full : bool
        State every field; otherwise only those that differ from their default.

    Returns
    -------
    dict
        Durations as text, priorities as 0 to 1; it stands alone (no `case`), and `load` reads it to the same hash.
    """
    written: Tree = dump(scenario, is_full=is_full)
    written.pop("case", None)
    return written


def apply(base: Scenario, changes: Mapping[str, object]) -> Scenario:
    """Return a scenario with some values changed.

    Parameters
    ----------
    base : Scenario
        Stays as it is.
    changes : mapping
        Path -> value; text is read as in a link (``"5min"``, ``"0.6"``, ``"{fixed: 1h}"``).

    Returns
    -------
    Scenario
        Complete and valid; it keeps the `case` of `base`.

    Raises
    ------
    ScenarioError
        If a path leads nowhere or the result is not valid; with all faults.
    """
    tree: Tree = dump(base)
    return build(tree, _change(tree, changes))


def nearest(base: Scenario, changes: Mapping[str, object]) -> Scenario:
    """Return the valid scenario closest to a change that is not valid.

    Parameters
    ----------
    base : Scenario
        Where to start.
    changes : mapping
        Path -> value as in `apply`, valid or not.

    Returns
    -------
    Scenario
        Always valid: what is wrong is left out, and `base` where nothing fits together.
    """
    tree: Tree = dump(base)
    for path, value in changes.items():
        try:
            _change_one(tree, path, value)
        except ScenarioError:
            continue
    try:
        repaired = Repair(Scenario, tree, dump(base)).run().model
    except ScenarioError:  # nested or expanded beyond all limits
        return base
    return repaired if isinstance(repaired, Scenario) and not broken_rules(repaired) else base
