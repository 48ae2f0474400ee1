"""Every sentence of a refusal or warning has a Chinese one with the same placeholders."""

import ast
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from pydantic import BaseModel

from scheduler_core.errors import ScenarioError
from scheduler_core.phrases import Phrase
from scheduler_core.registry import find
from scheduler_core.scenario import Scenario, load
from scheduler_core.scenario.dump import spec_of
from scheduler_core.scenario.faults import models_in
from scheduler_core.scenario.fields import Shape
from scheduler_core.scenario.words import all_words
from tests.unit.scenario.test_policy_refusals import changed

ROOT = Path(__file__).parents[2]
SOURCES = ("scheduler_core", "practice", "dashboard", "pages")
TERMINAL = ROOT / "scheduler_core" / "cli"
"""Said in a terminal only, in English."""
FOREIGN = "foreign"
"""The placeholder for words that exist in English only; the Chinese may leave it out."""


def tables() -> dict[str, str]:
    """Return every Chinese template, and refuse one that stands twice."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "dashboard" / "phrases").glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        assert not set(table) & set(found), path.name
        found |= table
    return found


def written(argument: ast.expr) -> Iterator[str | None]:
    """Yield the templates that an argument writes out, None for one that it does not."""
    if isinstance(argument, ast.IfExp):
        yield from written(argument.body)
        yield from written(argument.orelse)
    else:
        yield argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def templates_in(source: str) -> Iterator[tuple[int, str | None]]:
    """Yield line and template of each phrase that a source makes."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Phrase":
            yield from ((node.lineno, template) for template in written(node.args[0]))


def phrases_of_sources() -> Iterator[tuple[str, str | None]]:
    """Yield where a phrase is made, and its template."""
    for path in (path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))):
        if path.name != "phrases.py" and TERMINAL not in path.parents:
            yield from ((f"{path.name}:{line}", said) for line, said in templates_in(path.read_text(encoding="utf-8")))


def fields(template: str) -> set[tuple[str, str, str | None]]:
    """Return the placeholders of a template, each with how its value is written."""
    return {(name, spec or "", how) for _, name, spec, how in Formatter().parse(template) if name is not None}


def words_of_tables() -> Iterator[Phrase]:
    """Yield what settings accept: their units and the mechanisms they wait for stand in tables, not in calls."""
    seen: set[object] = set()
    models: list[type[BaseModel]] = [Scenario]
    for model in models:
        for name, info in model.model_fields.items():
            spec = spec_of(model, name)
            if spec is not None and Shape.of(info.annotation, spec).kind != "other":
                yield Shape.of(info.annotation, spec).allowed
            if spec is not None and spec.later:
                yield Phrase(spec.later)
            models += [inner for inner in models_in(info.annotation) if inner not in seen]
            seen.update(models)
    for field in ("order", "discipline", "placement", "gang"):
        yield from (param.allowed for params in all_words(field).values() for param in params)
    for metric in find("metrics").values():
        yield Phrase(getattr(metric, "unit", ""))


def test_every_phrase_is_written_out_where_it_is_made() -> None:
    assert [place for place, template in phrases_of_sources() if template is None] == []
    assert [said for _, said in templates_in("Phrase(f'{a} is wrong', a=1)\nPhrase('x' if a else 'y')")] == [
        None, "x", "y",
    ]  # fmt: skip


def test_every_phrase_has_a_chinese_one_with_the_same_placeholders() -> None:
    chinese = tables()
    said = {template: place for place, template in phrases_of_sources() if template is not None}
    assert len(said) > 400
    missing = [f"{place}: {template}" for template, place in said.items() if template not in chinese]
    missing += [
        template for phrase in words_of_tables() for template in phrase.templates() if template not in {"", *chinese}
    ]
    assert missing == []
    differing = []
    for english, text in chinese.items():
        left_out = {field for field in fields(english) - fields(text) if field[0] != FOREIGN}
        if left_out or fields(text) - fields(english):
            differing.append(english)
    assert differing == []


def test_no_chinese_phrase_is_left_over() -> None:
    said = {template for _, template in phrases_of_sources()}
    said |= {template for phrase in words_of_tables() for template in phrase.templates()}
    assert sorted(set(tables()) - said) == []


def test_a_phrase_keeps_its_values_in_another_language() -> None:
    inner = Phrase("{path} has {n:,} jobs", n=1234)
    outer = Phrase("{problem}; {hint}", problem=inner, hint="a {brace}").filled(path="workload")
    assert outer == "workload has 1,234 jobs; a {brace}"
    chinese = {"{path} has {n:,} jobs": "{n:,} @ {path}", "{problem}; {hint}": "{hint} | {problem}"}
    assert outer.translated(lambda template: chinese[template]) == "a {brace} | 1,234 @ workload"


def recorded() -> Iterator[dict[str, object]]:
    """Yield the changes of the recorded refusals."""
    for name in ("refusals.jsonl", "refusals_policy.jsonl"):
        for line in (ROOT / "tests" / "unit" / "scenario" / name).read_text().splitlines():
            first, *rest = json.loads(line)
            yield first if isinstance(first, dict) else {first: rest[0]}


def test_every_recorded_refusal_of_a_document_is_wholly_chinese() -> None:
    chinese = tables()
    n_refused = 0
    for changes in recorded():
        try:
            load(changed(changes))
        except ScenarioError as error:
            n_refused += 1
            for phrase in error.phrases:
                assert [template for template in phrase.templates() if template not in chinese] == [], phrase
    assert n_refused > 60
