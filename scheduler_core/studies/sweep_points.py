"""The points of a sweep: one or two fields of the document with their values, and a whole scenario for each pair.

Everything is checked here, before anything runs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from scheduler_core.errors import Fault, InputError, ScenarioError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario, apply, flow, require_available, run_hash

MOST_AXES = 2
MOST_POINTS = 400

_NO_FIELDS = {
    "case": Phrase("start from that case instead"),
    "run.seed": Phrase("all points see the same draws; --replications says how many"),
    "run.replications": Phrase("say it with --replications"),
}
"""Fields that cannot be varied, and what to do instead."""

_OPENING, _CLOSING, _QUOTES = "[{(", "]})", "\"'"


@dataclass(frozen=True)
class Axis:
    """A field and the values it takes.

    Attributes
    ----------
    path : str
        Where in the document: ``policy.preemption.min_gap``.
    values : tuple of str
        As a document writes them on one line: ``0.5``, ``easy``, ``{easy: {depth: 50}}``.
    """

    path: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Point:
    """One scenario of a sweep.

    Attributes
    ----------
    settings : tuple of (path, value)
        What makes it this point, in the order of the axes.
    scenario : Scenario
        Valid, and everything in it is available.
    """

    settings: tuple[tuple[str, str], ...]
    scenario: Scenario

    @property
    def label(self) -> str:
        """The values, as a person writes them: ``0.6, easy``."""
        return ", ".join(value for _, value in self.settings)


def split_values(text: str) -> tuple[str, ...]:
    """Return the values of a list written without its brackets; commas inside brackets and quotes do not count.

    Examples
    --------
    >>> split_values("strict, {easy: {depth: 5, candidates: order}}, 0.5")
    ('strict', '{easy: {depth: 5, candidates: order}}', '0.5')
    """
    found, begin, depth, quote = [], 0, 0, ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in _QUOTES:
            quote = sign
        elif sign == "," and not depth:
            found.append(text[begin:at])
            begin = at + 1
        else:
            depth = max(0, depth + (sign in _OPENING) - (sign in _CLOSING))
    return tuple(value.strip() for value in (*found, text[begin:]))


def read_axis(text: str) -> Axis:
    """Return the axis that ``PATH=V1,V2`` describes.

    Parameters
    ----------
    text : str
        A path, an equals sign, and values separated by commas.

    Returns
    -------
    Axis
        Not yet held against a scenario.

    Raises
    ------
    InputError
        If there is no path, or a value is missing.
    """
    path, equals, values = text.partition("=")
    if not equals or not path.strip():
        raise InputError(Phrase("what to vary"), text, Phrase("PATH=V1,V2, such as policy.discipline=strict,easy"))
    return make_axis(path.strip(), split_values(values))


def make_axis(path: str, values: Sequence[object]) -> Axis:
    """Return an axis of plain values; a text stands for what it means in a document.

    Raises
    ------
    InputError
        If a value is empty, or there is none.
    """
    texts = tuple(value.strip() if isinstance(value, str) else flow(value) for value in values)
    if not texts or not all(texts):
        raise InputError(
            Phrase("the values of {path}", path=path),
            ",".join(texts),
            Phrase("at least one, separated by commas, none empty"),
        )
    return Axis(path, texts)


def make_points(base: Scenario, axes: Sequence[Axis]) -> tuple[Point, ...]:
    """Return every combination of the values, as whole scenarios.

    Parameters
    ----------
    base : Scenario
        What is the same in all of them.
    axes : sequence of Axis
        One or two.

    Returns
    -------
    tuple of Point
        The last axis runs fastest.

    Raises
    ------
    InputError
        If there are too many, a field cannot be varied, or two points ask the same.
    ScenarioError
        If a path leads nowhere, a value is not valid, or a point uses what is not available yet.
    """
    _check_axes(axes)
    points = tuple(_points(base, axes))
    seen: dict[str, Point] = {}
    for point in points:
        twin = seen.setdefault(run_hash(point.scenario, ""), point)
        if twin is not point:
            raise InputError(
                Phrase("the values of {what}", what=" and ".join(axis.path for axis in axes)),
                point.label,
                Phrase("different from {label} in what happens in the cluster: the two ask the same", label=twin.label),
            )
    return points


def _check_axes(axes: Sequence[Axis]) -> None:
    paths = [axis.path for axis in axes]
    if not 1 <= len(axes) <= MOST_AXES or len(set(paths)) < len(paths):
        raise InputError(Phrase("what to vary"), ", ".join(paths) or None, Phrase("one field, or two different ones"))
    for path in paths:
        if path in _NO_FIELDS:
            raise InputError(
                Phrase("what to vary"), path, Phrase("another field: {no_fields}", no_fields=_NO_FIELDS[path])
            )
    n_points = 1
    for axis in axes:
        n_points *= len(axis.values)
    if n_points > MOST_POINTS:
        raise InputError(
            Phrase("the number of points"), n_points, Phrase("at most {most_points:,}", most_points=MOST_POINTS)
        )


def _points(base: Scenario, axes: Sequence[Axis]) -> Iterator[Point]:
    for values in product(*(axis.values for axis in axes)):
        settings = tuple((axis.path, value) for axis, value in zip(axes, values, strict=True))
        try:
            scenario = apply(base, dict(settings))
            require_available(scenario)
        except ScenarioError as error:
            raise ScenarioError(_told(fault, settings) for fault in error.faults) from error
        yield Point(settings, scenario)


def _told(fault: Fault, settings: tuple[tuple[str, str], ...]) -> Fault:
    """Return a fault that names the point where its own path does not."""
    if any(fault.path.startswith(path) for path, _ in settings):
        return fault
    point = ", ".join(f"{path} = {value}" for path, value in settings)
    return Fault(fault.path, fault.value, "", Phrase("With {point}: {sentence}", point=point, sentence=fault.sentence))


def find_baseline(base: Scenario, points: Sequence[Point], wanted: Mapping[str, str] | None = None) -> int:
    """Return the point that the others are compared with.

    Parameters
    ----------
    base : Scenario
        Where the sweep starts from.
    points : sequence of Point
        All points.
    wanted : mapping, optional
        Path -> value of the point; paths that are left out may have any value.

    Returns
    -------
    int
        The first that has the wanted values; without any wanted, the one that asks the same as `base`, else the first.

    Raises
    ------
    InputError
        If no point has the wanted values.
    """
    if not wanted:
        own = run_hash(base, "")
        return next((at for at, point in enumerate(points) if run_hash(point.scenario, "") == own), 0)
    asked = run_hash(apply(points[0].scenario, dict(wanted)), "")
    for at, point in enumerate(points):
        has_words = all(dict(point.settings).get(path) == value for path, value in wanted.items())
        if has_words or run_hash(point.scenario, "") == asked:
            return at
    raise InputError(
        Phrase("the baseline"),
        ", ".join(f"{path}={value}" for path, value in wanted.items()),
        Phrase("one of the points that are run"),
    )
