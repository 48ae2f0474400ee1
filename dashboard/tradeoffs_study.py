"""What Trade-offs asks: kept in the widgets, in the address, and as one value that names the work."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import quote

import streamlit as st

from dashboard import errors, state
from dashboard.i18n import language, plain
from dashboard.tradeoffs_fields import Offer, OneClick, offer_of
from scheduler_core import Axis, Measure, Scenario, all_metrics, canonical, make_axis, read_measure, split_values

PARAMS: Final = ("vary", "seeds", "x", "y", "by", "w")
FIRST_PATH: Final = "policy.discipline"
_KEPT: Final = "tradeoffs."
MOST_SEEDS: Final = 100
_MOST_VALUES: Final = 40
_MOST_NAMES: Final = 12
_SAFE: Final = ":@,/{}[]. "


def key(name: str) -> str:
    """Return the session key of a widget of this page."""
    return f"{_KEPT}{name}"


@dataclass(frozen=True)
class Study:
    """What is asked.

    Attributes
    ----------
    axes : tuple of Axis
        One or two fields with their values.
    seeds : int
        Replications of each point.
    measures : tuple of Measure
        Horizontal, vertical, and the colour where it is a metric.
    weights : mapping
        Name of a measure -> how much it counts.
    """

    axes: tuple[Axis, ...]
    seeds: int
    measures: tuple[Measure, ...]
    weights: Mapping[str, float]

    def name_of_work(self, scenario: Scenario) -> str:
        """Return the name of the runs it needs; weights and the choice among measured metrics change nothing."""
        kinds = sorted({measure.scope.partition(":")[0] for measure in self.measures})
        text = f"{canonical(scenario)} {self.axes} {self.seeds} {kinds}"
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def query(self) -> str:
        """Return the study as a part of an address that a person can read."""
        parts = [("vary", f"{axis.path}:{','.join(axis.values)}") for axis in self.axes]
        parts += [("seeds", str(self.seeds))]
        parts += list(zip(("x", "y", "by"), (measure.name for measure in self.measures), strict=False))
        parts += [("w", ",".join(f"{weight:g}" for weight in self.weights.values()))]
        return "&".join(f"{name}={quote(value, safe=_SAFE).replace(' ', '+')}" for name, value in parts)


def measure_label(text: str) -> str:
    """Return a measure as a person reads it: ``Mean wait: research``."""
    slug, _, name = text.partition("@")
    if not slug:
        return plain("tradeoffs.no_colour")
    metric = all_metrics().get(slug)
    words = metric.text[language()].name if metric is not None else slug
    return plain("tradeoffs.measure_of", name=words, of=name.partition(":")[2] or name) if name else words


def measure_options(scenario: Scenario) -> list[str]:
    """Return what can stand on an axis: every metric with a better direction, and waits by tenant and class."""
    metrics = {slug: metric for slug, metric in all_metrics().items() if metric.better != "none"}
    found = [slug for slug, metric in metrics.items() if "all" in metric.scopes]
    names = [tenant.name for tenant in scenario.tenants[:_MOST_NAMES]]
    names += [job_class.name for job_class in scenario.workload.classes[:_MOST_NAMES]]
    for slug in ("wait_mean", "wait_p95"):
        found += [f"{slug}@{name}" for name in dict.fromkeys(names) if slug in metrics]
    return found


def prepare(scenario: Scenario, known: Mapping[str, Offer]) -> None:
    """Fill the widgets: with what a link brings, else with a first study; what is there already stays."""
    pairs = [(name, value) for name in PARAMS for value in st.query_params.get_all(name)]
    if pairs and pairs != st.session_state.get("_tradeoffs_seen"):
        st.session_state["_tradeoffs_seen"] = pairs
        _take_link(pairs)
    kept = st.session_state
    if key("path1") not in kept:
        choose(1, offer_of(FIRST_PATH, known))
    kept.setdefault(key("path2"), "")
    kept.setdefault(key("values2"), [])
    kept.setdefault(key("seeds"), min(MOST_SEEDS, max(2, scenario.run.replications)))
    options = measure_options(scenario)
    for name, wanted in (("x", "goodput"), ("y", "wait_mean")):
        if key(name) not in kept or not _is_measure(kept[key(name)], scenario):
            kept[key(name)] = wanted if wanted in options else options[0]
    if key("by") not in kept or (kept[key("by")] and not _is_measure(kept[key("by")], scenario)):
        kept[key("by")] = ""
    for name in ("w1", "w2", "w3"):
        kept.setdefault(key(name), 50)


def _is_measure(text: object, scenario: Scenario) -> bool:
    found, _ = errors.attempt(partial(read_measure, str(text), scenario))
    return found is not None and found.objective is not None


def _take_link(pairs: list[tuple[str, str]]) -> None:
    """Put what a link says into the widgets; what it does not say, or says wrongly, stays as it was."""
    kept = st.session_state
    varied = [value.partition(":") for name, value in pairs if name == "vary"][:2]
    if varied:
        kept[key("path2")], kept[key("values2")] = "", []
    for at, (path, _, values) in enumerate(varied, 1):
        kept[key(f"path{at}")] = path[:200]
        kept[key(f"values{at}")] = [value for value in split_values(values[:4_000]) if value][:_MOST_VALUES]
    others = {name: value[:200] for name, value in pairs if name != "vary"}
    if others.get("seeds", "").isdecimal():
        kept[key("seeds")] = min(MOST_SEEDS, max(1, int(others["seeds"][:4])))
    for name in ("x", "y", "by"):
        if name in others or varied:
            kept[key(name)] = others.get(name, "")
    for at, text in enumerate(others.get("w", "").split(",")[:3], 1):
        if text.isdecimal():
            kept[key(f"w{at}")] = min(100, int(text[:4]))


def choose(at: int, offer: Offer) -> None:
    """Vary another field on axis 1 or 2, with the values it begins with."""
    st.session_state[key(f"path{at}")] = offer.path
    st.session_state[key(f"values{at}")] = list(offer.start)


def take(study: OneClick) -> None:
    """Make a one-click study the current one; what the scenario has to say first is an edit like any other."""
    changes = study.changes(state.current())
    if changes:
        state.edit_all(changes)
    kept = st.session_state
    kept[key("path1")], kept[key("values1")] = study.path, list(study.values)
    kept[key("path2")], kept[key("values2")] = "", []
    kept[key("x")], kept[key("y")] = study.axes()
    kept[key("by")] = ""
    kept[key("asked")] = True


def current(scenario: Scenario) -> Study:
    """Return the study that the widgets hold.

    Raises
    ------
    CoreError
        If a value is empty or a metric does not exist.
    """
    kept = st.session_state
    paths = [(at, kept[key(f"path{at}")]) for at in (1, 2) if kept[key(f"path{at}")]]
    axes = tuple(make_axis(path, [str(value) for value in kept[key(f"values{at}")]]) for at, path in paths)
    texts = [kept[key(name)] for name in ("x", "y", "by") if kept[key(name)]]
    measures = tuple(dict.fromkeys(read_measure(text, scenario) for text in texts))
    wanted = {each.name: float(kept[key(f"w{at}")]) for at, each in enumerate(measures, 1)}
    weights = wanted if any(wanted.values()) else dict.fromkeys(wanted, 1.0)
    return Study(axes, int(kept[key("seeds")] or 1), measures, weights)
