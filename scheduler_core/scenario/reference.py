"""The tables of docs/scenario.md, written from the models: fields, limits, and what is not available yet."""

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel

from scheduler_core.registry import Param
from scheduler_core.scenario.checkpoint import Checkpoint, JobShape
from scheduler_core.scenario.cluster import Cluster, Pool
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.dump import dump, spec_of
from scheduler_core.scenario.durations import Duration, Exponential, LimitRule, Lognormal, Priority, Uniform
from scheduler_core.scenario.faults import models_in
from scheduler_core.scenario.fields import OneOf, Shape, Spec, document_key
from scheduler_core.scenario.later import LATER_METRICS, LATER_SETTINGS, LATER_WORDS
from scheduler_core.scenario.limits import LIMITS, limit
from scheduler_core.scenario.policy import Change, Choice, Policy, Rounds
from scheduler_core.scenario.preemption import SCOPES, Preemption
from scheduler_core.scenario.reserve import Reserve, ReserveFor
from scheduler_core.scenario.run import Run
from scheduler_core.scenario.schema import json_schema
from scheduler_core.scenario.show import flow
from scheduler_core.scenario.targets import Target
from scheduler_core.scenario.tenants import Tenant
from scheduler_core.scenario.words import allowed_setting, known_words, word_text, write_setting
from scheduler_core.scenario.workload import Arrivals, JobClass, JobRow, LogRef, Workload

DOCUMENT_PATH = Path(__file__).parents[2] / "docs" / "scenario.md"

TABLES: dict[str, tuple[type[BaseModel], ...]] = {
    "top": (Scenario,),
    "cluster": (Cluster, Pool),
    "tenants": (Tenant,),
    "workload": (Workload, Arrivals, JobClass),
    "durations": (Duration, Exponential, Lognormal, Uniform, LimitRule, Priority),
    "listed": (JobRow, LogRef),
    "saving": (Checkpoint, JobShape),
    "policy": (Policy,),
    "preemption": (Preemption,),
    "reserve": (Reserve, ReserveFor),
    "changes": (Rounds, Change),
    "run": (Run,),
    "targets": (Target,),
}
"""Name of a table -> the models it describes."""

_PLACES: dict[type[BaseModel], str] = {
    Scenario: "",
    Cluster: "cluster.",
    Pool: "cluster.pools.NAME.",
    Tenant: "tenants.NAME.",
    Workload: "workload.",
    Arrivals: "workload.arrivals.",
    JobClass: "workload.classes.NAME.",
    JobRow: "workload.arrivals.jobs[].",
    LogRef: "workload.arrivals.log.",
    Exponential: "exponential.",
    Lognormal: "lognormal.",
    Uniform: "uniform.",
    LimitRule: "limit.",
    Priority: "priority.",
    Duration: "duration.",
    Checkpoint: "workload.classes.NAME.checkpoint.",
    JobShape: "workload.classes.NAME.shape.",
    Policy: "policy.",
    Preemption: "policy.preemption.",
    Reserve: "policy.reserve[].",
    ReserveFor: "policy.reserve[].for.",
    Rounds: "policy.rounds.",
    Change: "policy.change[].",
    Run: "run.",
    Target: "targets[].",
}


def generated() -> dict[str, str]:
    """Return every generated part of the page by its name.

    Returns
    -------
    dict of str to str
        Markdown without a line break at its ends.
    """
    parts = {name: "\n".join(_fields(models)) for name, models in TABLES.items()}
    return parts | {"limits": "\n".join(_limits()), "words": "\n".join(_words()), "later": "\n".join(_later())}


def updated(text: str) -> str:
    """Return the page with its generated parts made anew.

    Parameters
    ----------
    text : str
        The page; each part stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``.

    Returns
    -------
    str
        The page as it should be.
    """
    parts = generated()

    def replaced(found: re.Match[str]) -> str:
        return f"<!-- generated: {found[1]} -->\n{parts[found[1]]}\n<!-- end -->"

    return re.sub(r"<!-- generated: (\w+) -->.*?<!-- end -->", replaced, text, flags=re.DOTALL)


def update(path: Path = DOCUMENT_PATH) -> None:
    """Write the generated parts of the page anew."""
    path.write_text(updated(path.read_text(encoding="utf-8")), encoding="utf-8")


def _fields(models: tuple[type[BaseModel], ...]) -> Iterator[str]:
    yield "| field | what it is | allowed | default |"
    yield "|---|---|---|---|"
    defaults = json_schema()
    for model in models:
        properties = defaults if model is Scenario else defaults["$defs"].get(model.__name__, {})
        properties = next((part for part in properties.get("anyOf", ()) if "properties" in part), properties)
        for name in model.model_fields:
            spec = spec_of(model, name)
            if spec is not None and not spec.later:
                yield _row(model, name, spec, properties["properties"].get(document_key(name), {}))


def _row(model: type[BaseModel], name: str, spec: Spec, about: dict[str, object]) -> str:
    shape = Shape.of(model.model_fields[name].annotation, spec)
    allowed = shape.allowed if shape.kind != "other" else _container(model, name)
    is_stated = OneOf in model.__mro__ or name in _ALWAYS_STATED or about.get("default") == {}
    default = "" if is_stated or "default" not in about else f"`{flow(about['default'])}`"
    cells = (f"`{_PLACES[model]}{document_key(name)}`", spec.text["en"], allowed.removesuffix(", or null"), default)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _container(model: type[BaseModel], name: str) -> str:
    annotation = model.model_fields[name].annotation
    if annotation is Choice:
        words = list(known_words(name))
        return f"one of {', '.join(words)}" if len(words) > 1 else words[0]
    inner = next(models_in(annotation), None)
    if name in _CONTAINERS and inner not in {Exponential, Lognormal, Uniform}:
        return _CONTAINERS[name]
    return f"a mapping with {', '.join(document_key(key) for key in inner.model_fields)}" if inner else "text"


_ALWAYS_STATED = {"per_day", "duration", "gpus"}
"""Fields of a class whose default only stands in where a later mechanism replaces them."""

_CONTAINERS = {
    "zones": "zone: whole number of nodes",
    "gpus": "a whole number, or size: share with sum 1",
    "gpu_types": "a list of types",
    "priority": "0 to 1, or one of uniform, choice",
    "choice": "priority: share with sum 1",
    "uniform": "two values, the smaller first",
    "factors": "a list of factors from 0.001 to 10,000",
    "limit": "exact, or one of factor, factors, fixed, over_ask",
    "duration": "one of fixed, exponential, lognormal, uniform, by_gpus",
    "by_gpus": "default: and sizes: a duration each",
    "at_most": "a number, or a duration where the metric is a time",
    "at_least": "a number, or a duration where the metric is a time",
    "options": "a mapping",
    "pools": "a list of pools",
    "tenants": "a list of tenants",
    "classes": "a list of classes",
    "targets": "a list of targets",
    "borrow_gpus": f"unlimited, or a whole number from 0 to {limit('gpus'):,} (gpu)",
    "scope": f"a list with some of {', '.join(SCOPES)}",
    "reserve": "a list of reservations",
    "change": "a list of changes",
    "nodes": "a list of node numbers",
    "who": "one of priority_below, tenant, class",
    "jobs": "a list of jobs",
}


def _limits() -> Iterator[str]:
    yield "| at most | because |"
    yield "|---|---|"
    for bound in LIMITS.values():
        yield f"| {bound.value:,} {bound.what} | {bound.reason} |"


def _words() -> Iterator[str]:
    yield "| choice | word | settings |"
    yield "|---|---|---|"
    for field in ("order", "discipline", "placement", "gang"):
        for word, params in known_words(field).items():
            said = [_setting(word, param) for param in params]
            about = f" ({word_text(word)['en'].partition('.')[0].lower()})" if field in {"discipline", "gang"} else ""
            yield f"| `policy.{field}` | `{word}`{about} | {'; '.join(said)} |"


def _setting(word: str, param: Param) -> str:
    default = dump(write_setting(word, param.slug, param.default))
    return f"`{param.slug}`: {allowed_setting(param)}, default `{flow(default)}`"


def _later() -> Iterator[str]:
    yield "| place | mechanism |"
    yield "|---|---|"
    for model, place in _PLACES.items():
        for name in model.model_fields:
            spec = spec_of(model, name)
            if spec is not None and spec.later:
                key = "gpus.fraction" if name == "fraction" else document_key(name)
                yield f"| `{place}{key}` | {spec.later} |"
    for path, words in LATER_WORDS.items():
        field = path.removeprefix("policy.")
        known = known_words(field) if field in {"order", "placement"} else {}
        missing = ", ".join(f"`{word}`" for word in words if word not in known)
        yield from [f"| `{path}` | {missing} |"] if missing else []
    for (path, word), settings in LATER_SETTINGS.items():
        for setting, mechanism in settings.items():
            yield f"| `{path}.{word}.{setting}` | {mechanism} |"
    yield f"| `targets[].metric` | {', '.join(f'`{metric}`' for metric in LATER_METRICS)} |"
