"""The picture of Trade-offs: points with their intervals, the front, its knee, and the targets as cut lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from dashboard import charts, drawing, palette
from dashboard.i18n import plain

MOST_LABELS = 6
"""With more points only those that stand out are named; the others are read by pointing at them."""


@dataclass(frozen=True)
class Scale:
    """One axis: its title, how a value becomes a number on it, and where targets cut it.

    Attributes
    ----------
    title : str
        With the unit.
    divisor : float
        What a value is divided by.
    is_share : bool
        Whether ticks are percent.
    cuts : sequence of (value, name, whether it is broken)
        Targets.
    """

    title: str
    divisor: float = 1.0
    is_share: bool = False
    cuts: Sequence[tuple[float, str, bool]] = ()


@dataclass(frozen=True)
class Dot:
    """One point.

    Attributes
    ----------
    name : str
        Its values.
    at : tuple of float
        Horizontal and vertical value.
    spread : tuple of (below, above) or None
        How far the intervals reach, for both axes.
    hover : sequence of str
        Lines that are read when somebody points at it.
    group : str
        Points of one group have one colour.
    shade : float, optional
        Value of the metric that colours it.
    """

    name: str
    at: tuple[float, float]
    spread: tuple[tuple[float, float] | None, tuple[float, float] | None]
    hover: Sequence[str]
    group: str = ""
    shade: float | None = None


@dataclass(frozen=True)
class Marks:
    """Which points stand out: the baseline, the recommended one, the knee, and the front from end to end."""

    baseline: int
    best: int | None = None
    knee: int | None = None
    front: Sequence[int] = field(default_factory=tuple)
    shade_title: str = ""


def scatter(dots: Sequence[Dot], x: Scale, y: Scale, marks: Marks, *, height: int = 420) -> go.Figure:
    """Draw the points of a sweep."""
    shades = palette.shades()
    traces = []
    if len(marks.front) > 1:
        line = sorted(marks.front, key=lambda at: dots[at].at)
        traces.append(
            {
                "type": "scatter",
                "x": [dots[at].at[0] / x.divisor for at in line],
                "y": [dots[at].at[1] / y.divisor for at in line],
                "mode": "lines",
                "name": plain("tradeoffs.front"),
                "hoverinfo": "skip",
                "line": {"color": shades.faint, "width": 1.5, "dash": "dash"},
            }
        )
    named = _named(dots, marks)
    groups = list(dict.fromkeys(dot.group for dot in dots))
    colours = {
        group: shades.after if len(groups) == 1 else palette.tenant(number) for number, group in enumerate(groups)
    }
    for group, colour in colours.items():
        rows = [at for at, dot in enumerate(dots) if dot.group == group and at != marks.baseline]
        if rows:
            name = group or plain("tradeoffs.points")
            traces.append(_points(dots, rows, (x, y), named, (name, colour, marks.shade_title)))
    if 0 <= marks.baseline < len(dots):
        group = dots[marks.baseline].group
        look = (plain("tradeoffs.baseline"), colours[group], "")
        traces.append(_points(dots, [marks.baseline], (x, y), named, look, symbol="diamond-open"))
    if marks.best is not None:
        traces.append(_ring(dots[marks.best], (x, y)))
    across, upward = _cuts(x, is_x=True), _cuts(y, is_x=False)
    knee = [] if marks.knee is None else [_knee(dots[marks.knee], (x, y))]
    return drawing.figure(
        traces,
        height,
        x={"title": charts.label(x.title), "has_grid": True} | _ticks(x),
        y={"title": charts.label(y.title)} | _ticks(y),
        hovermode="closest",
        shapes=[line for line, _ in [*across, *upward]],
        annotations=[*knee, *(note for _, note in [*across, *upward])],
    )


def _ticks(scale: Scale) -> dict[str, Any]:
    return {"tickformat": ".3~p"} if scale.is_share else {"tickformat": ",.4~g"}


def _named(dots: Sequence[Dot], marks: Marks) -> dict[int, str]:
    """Return where the name of a point stands: away from its nearest neighbour, and inside the picture."""
    ends = [*marks.front[:1], *marks.front[-1:]]
    wanted = {at for at in (marks.baseline, marks.best, marks.knee, *ends) if at is not None and at >= 0}
    rows = range(len(dots)) if len(dots) <= MOST_LABELS else sorted(wanted)
    lows = [min(dot.at[axis] for dot in dots) for axis in (0, 1)]
    spans = [max(dot.at[axis] for dot in dots) - lows[axis] or 1.0 for axis in (0, 1)]
    place = {at: tuple((dots[at].at[axis] - lows[axis]) / spans[axis] for axis in (0, 1)) for at in rows}
    found = {}
    for at, (x, y) in place.items():
        others = [other for key, other in place.items() if key != at]
        near = min(others, key=lambda other: abs(other[0] - x) + abs(other[1] - y), default=(x, y))
        found[at] = f"{'bottom' if y < near[1] else 'top'} {'left' if x > 0.75 else 'right'}"
    return found


def _points(
    dots: Sequence[Dot],
    rows: Sequence[int],
    scales: tuple[Scale, Scale],
    named: Mapping[int, str],
    look: tuple[str, str, str],
    *,
    symbol: str = "circle",
) -> drawing.Options:
    """Draw some of the points; `look` is their name, their colour, and the title of the scale that shades them."""
    shades = palette.shades()
    name, colour, shade_title = look
    shown = [dots[at] for at in rows]
    marker: dict[str, Any] = {"size": 11, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}}
    if shade_title:
        marker |= {"color": [dot.shade for dot in shown], "colorscale": "Cividis", "line": {"width": 0}}
        marker |= {"colorbar": {"title": {"text": charts.label(shade_title)}, "thickness": 12}}
    return {
        "type": "scatter",
        "x": [dot.at[0] / scales[0].divisor for dot in shown],
        "y": [dot.at[1] / scales[1].divisor for dot in shown],
        "error_x": _bars([dot.spread[0] for dot in shown], scales[0].divisor, colour),
        "error_y": _bars([dot.spread[1] for dot in shown], scales[1].divisor, colour),
        "mode": "markers+text",
        "text": [charts.label(dots[at].name) if at in named else "" for at in rows],
        "textposition": [named.get(at, "top right") for at in rows],
        "textfont": {"size": 11, "color": shades.ink},
        "name": charts.label(name),
        "cliponaxis": False,
        "marker": marker,
        "customdata": ["<br>".join(charts.label(line) for line in dot.hover) for dot in shown],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _bars(spreads: Sequence[tuple[float, float] | None], divisor: float, colour: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [0.0 if spread is None else spread[1] / divisor for spread in spreads],
        "arrayminus": [0.0 if spread is None else spread[0] / divisor for spread in spreads],
        "color": palette.faded(colour, 0.45),
        "thickness": 1.2,
        "width": 3,
    }


def _ring(dot: Dot, scales: tuple[Scale, Scale]) -> drawing.Options:
    """Return a ring around the recommended point."""
    return {
        "type": "scatter",
        "x": [dot.at[0] / scales[0].divisor],
        "y": [dot.at[1] / scales[1].divisor],
        "mode": "markers",
        "name": plain("tradeoffs.best"),
        "hoverinfo": "skip",
        "cliponaxis": False,
        "marker": {"size": 22, "symbol": "circle-open", "color": palette.shades().ink, "line": {"width": 2}},
    }


def _knee(dot: Dot, scales: tuple[Scale, Scale]) -> drawing.Options:
    """Return an arrow that says where the knee is."""
    shades = palette.shades()
    return {
        "x": dot.at[0] / scales[0].divisor,
        "y": dot.at[1] / scales[1].divisor,
        "text": plain("tradeoffs.knee"),
        "showarrow": True,
        "arrowcolor": shades.faint,
        "arrowwidth": 1.2,
        "ax": -34,
        "ay": 34,
        "font": {"size": 11, "color": shades.ink},
    }


def _cuts(scale: Scale, *, is_x: bool) -> list[tuple[drawing.Options, drawing.Options]]:
    """Return a line and its name for each target on this axis."""
    shades = palette.shades()
    found = []
    for value, name, is_broken in scale.cuts:
        colour = shades.broken if is_broken else shades.faint
        at, text = value / scale.divisor, charts.label(name)
        line, font = {"color": colour, "width": 1.5, "dash": "dot"}, {"size": 11, "color": colour}
        if is_x:
            found.append((drawing.upright(at, line), drawing.upright_note(at, text, font, is_right=False)))
        else:
            found.append((drawing.level(at, line), drawing.level_note(at, text, font, is_above=False)))
    return found
