"""What Trade-offs can vary: the fields that Set up offers, with values to begin with; and the one-click studies."""

import re
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import UnionType
from typing import Any, Final

from pydantic import BaseModel

from dashboard import errors, state, widgets
from dashboard.i18n import clip, has, in_language, plain
from scheduler_core import (
    DISCIPLINES,
    Choice,
    Scenario,
    all_metrics,
    apply,
    find,
    join_path,
    split_path,
    unavailable,
)

MOST_PARTS: Final = 12
"""Of a list of pools, tenants or classes, the first are offered; any other field can be named in a link."""
_NOT_VARIED: Final = {"run.seed", "run.replications"}
_FACTORS: Final = (0.5, 0.75, 1.0, 1.25, 1.5)
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|s|min|h|d)")
_FIRST_WORDS: Final = 3


@dataclass(frozen=True)
class Offer:
    """A field that can be varied.

    Attributes
    ----------
    path : str
        Where in the document.
    label : str
        As Set up calls it, with the name of its pool, tenant or class.
    options : tuple of str
        Every word it may be; empty for numbers and texts.
    start : tuple of str
        Values to begin with.
    names : mapping
        Value -> what a person calls it.
    """

    path: str
    label: str
    options: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, value: str) -> str:
        """Return what a person calls a value."""
        return self.names.get(value) or clip(value, 60)


def offers(scenario: Scenario) -> dict[str, Offer]:
    """Return the fields that can be varied, by path: policy first, then who asks for what, then the machines."""
    found = [
        *_fields(scenario.policy, "policy", "policy"),
        *_named(scenario.tenants, "tenants"),
        *_fields(scenario.workload.arrivals, "workload.arrivals", "workload.arrivals"),
        *_named(scenario.workload.classes, "workload.classes"),
        *_named(scenario.cluster.pools, "cluster.pools"),
        *_fields(scenario.run, "run", "run"),
    ]
    return {offer.path: offer for offer in found if offer.path not in _NOT_VARIED}


def offer_of(path: str, known: Mapping[str, Offer]) -> Offer:
    """Return the offer for a path; a bare one for a field that a link or a study names."""
    key = f"tradeoffs.field.{path}"
    return known.get(path) or Offer(path, plain(key) if has(key) else clip(path, 60))


def _named(parts: Sequence[Any], path: str) -> Iterator[Offer]:
    for part in parts[:MOST_PARTS]:
        yield from _fields(part, join_path((*split_path(path), part.name)), path, owner=part.name)


def _fields(part: BaseModel, path: str, kind: str, *, owner: str = "") -> Iterator[Offer]:
    for item in widgets.fields(part, path, kind):
        if item.path.endswith(".name") or item.path in {"workload.arrivals.log", "workload.arrivals.jobs"}:
            continue
        label = plain("tradeoffs.owner", owner=owner, field=item.label) if owner else item.label
        yield from _offer(item, label)


def _offer(item: widgets.Field, label: str) -> Iterator[Offer]:
    inner = _inner(item.annotation)
    if inner is Choice:
        known = _known(item.kind.rpartition(".")[2])
        words = tuple(known)
        if words:
            names = {word: text for word, (text, _) in known.items()}
            yield Offer(item.path, label, words, _first(words, item.value.slug), names)
            yield from _parameters(item, known[item.value.slug][1] if item.value.slug in known else ())
    elif typing.get_origin(inner) is typing.Literal:
        words = tuple(str(word) for word in typing.get_args(inner))
        texts = {word: f"word.{item.kind}.{word}" for word in words}
        names = {word: plain(key) for word, key in texts.items() if has(key)}
        yield Offer(item.path, label, words, _first(words, str(item.value)), names)
    elif inner is bool:
        names = {"true": plain("tradeoffs.yes"), "false": plain("tradeoffs.no")}
        yield Offer(item.path, label, ("false", "true"), ("false", "true"), names)
    else:
        text = state.document_text(item.path)
        is_whole = inner is not float and "." not in text
        yield Offer(item.path, label, (), _near(text, item.spec.low, item.spec.high, is_whole=is_whole))


def _inner(annotation: Any) -> Any:  # noqa: ANN401
    """Return the type of a field that may also be null."""
    parts = [part for part in typing.get_args(annotation) if part is not type(None)]
    is_optional = typing.get_origin(annotation) in {typing.Union, UnionType} and len(parts) == 1
    return parts[0] if is_optional else annotation


def _known(name: str) -> dict[str, tuple[str, Sequence[Any]]]:
    """Return word -> (its name in the language of the session, its parameters) of a choice of the policy."""
    if name == "discipline":
        return {slug: (plain(f"discipline.{slug}"), params) for slug, params in DISCIPLINES.items()}
    kinds = {"order": "policies", "placement": "placements"}
    found: Mapping[str, Any] = find(kinds[name]) if name in kinds else {}
    return {slug: (in_language(each.name), getattr(each, "params", ())) for slug, each in found.items()}


def _parameters(item: widgets.Field, params: Iterable[Any]) -> Iterator[Offer]:
    chosen: Choice = item.value
    for param in params:
        path = f"{item.path}.{chosen.slug}.{param.slug}"
        key = f"param.{param.slug}"
        label = plain("tradeoffs.owner", owner=item.label, field=plain(key) if has(key) else param.slug)
        words = tuple(param.options)
        names = {word: plain(f"{key}.{word}") for word in words if has(f"{key}.{word}")}
        value = chosen.params.get(param.slug, param.default)
        start = words or _near(widgets.text_of(value), param.low, param.high, is_whole=param.is_whole)
        yield Offer(path, label, words, start, names)


def _first(words: Sequence[str], now: str) -> tuple[str, ...]:
    """Return a few words to begin with: the one in force among them."""
    kept = list(words[:_FIRST_WORDS])
    if now in words and now not in kept:
        kept[-1] = now
    return tuple(kept)


def _near(text: str, low: float, high: float, *, is_whole: bool) -> tuple[str, ...]:
    """Return numbers or times around the one in force, within its range; the text itself where it is neither."""
    time = _DURATION.fullmatch(text)
    try:
        value = float(time[1] if time else text)
    except ValueError:
        return (text,)
    if not value:
        return (text,)
    unit = time[2] if time else ""
    near = [value * factor for factor in _FACTORS]
    kept = near if unit else [each for each in near if low <= each <= high]
    texts = [f"{round(each) if is_whole and not unit else each:.6g}{unit}" for each in kept]
    return tuple(dict.fromkeys([*texts, text])) if text not in texts else tuple(dict.fromkeys(texts))


@dataclass(frozen=True)
class OneClick:
    """A study that is one click away.

    Attributes
    ----------
    key : str
        Of its texts.
    base : mapping
        Path -> text: what the scenario must say for the study to make sense, where it says nothing.
    path : str
        What is varied.
    values : tuple of str
        How.
    metrics : tuple of tuple of str
        For each axis of the picture, the metrics in order of preference; the first that exists is taken.
    """

    key: str
    base: Mapping[str, str]
    path: str
    values: tuple[str, ...]
    metrics: tuple[tuple[str, ...], tuple[str, ...]]

    def changes(self, scenario: Scenario) -> dict[str, str]:
        """Return what has to be said first; nothing where the field is there already."""
        return {} if errors.attempt(partial(apply, scenario, {self.path: self.values[0]}))[0] else dict(self.base)

    def is_available(self, scenario: Scenario) -> bool:
        """Return whether the simulator can do what the study varies, in this scenario."""
        for value in self.values:
            asked, _ = errors.attempt(partial(apply, scenario, {**self.changes(scenario), self.path: value}))
            if asked is None or unavailable(asked):
                return False
        return True

    def axes(self) -> tuple[str, str]:
        """Return the two metrics of the picture."""
        known = all_metrics()
        first, second = (next((slug for slug in wanted if slug in known), "wait_mean") for wanted in self.metrics)
        return first, second


ONE_CLICKS: Final = (
    OneClick(
        "threshold",
        {"policy.preemption": "{min_gap: 0.6}"},
        "policy.preemption.min_gap",
        ("0.5", "0.6", "0.7"),
        (("goodput",), ("preempted_share", "wait_mean")),
    ),
    OneClick(
        "reservation",
        {"policy.reserve": "[{for: {priority_below: 0.4}, share: 0.2}]"},
        "policy.reserve.0.share",
        ("0", "0.1", "0.2", "0.3", "0.4"),
        (("goodput",), ("wait_p99", "wait_mean")),
    ),
)
"""The threshold study and the reservation study."""


def one_clicks(scenario: Scenario) -> list[OneClick]:
    """Return the studies that can be run for a scenario; one whose mechanism comes later is not shown."""
    return [each for each in ONE_CLICKS if each.is_available(scenario)]
