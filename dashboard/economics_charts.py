"""Pictures of Economics: lines over a volume or a utilisation, bars, tornado, histogram, staircase."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard import charts, drawing, palette

Float64 = NDArray[np.float64]
HEIGHT = 320
BINS = 60
_SHORTENED = 1_000


@dataclass(frozen=True)
class Line:
    """One line: its name and its points."""

    name: str
    x: Float64
    y: Float64


@dataclass(frozen=True)
class Axis:
    """One axis: title with unit, and whether its values are shares."""

    title: str
    is_share: bool = False


@dataclass(frozen=True)
class Marks:
    """What a picture marks: a place across with its name, and levels with theirs."""

    at: float | None = None
    at_name: str = ""
    levels: Sequence[tuple[float, str]] = ()
    top: float | None = None


def lines(shown: Sequence[Line], x: Axis, y: Axis, marks: Marks) -> go.Figure:
    """Draw lines, the place where we are, and levels to reach."""
    shades = palette.shades()
    traces = [
        {
            "type": "scatter",
            "x": line.x,
            "y": line.y,
            "mode": "lines",
            "name": charts.label(line.name),
            "line": {"color": palette.tenant(at), "width": 2},
            "hovertemplate": "%{y:,.3~g}",
        }
        for at, line in enumerate(shown)
    ]
    font = {"size": 11, "color": shades.faint}
    rule = {"color": shades.faint, "width": 1.2, "dash": "dot"}
    shapes = [drawing.level(level, rule) for level, _ in marks.levels]
    notes = [drawing.level_note(level, charts.label(name), font) for level, name in marks.levels]
    if marks.at is not None:
        shapes.append(drawing.upright(marks.at, rule))
        notes.append(drawing.upright_note(marks.at, charts.label(marks.at_name), font))
    ends = {}
    if marks.top is not None:
        ends["range"] = [min(0.0, *(float(line.y.min()) for line in shown)), marks.top]
    return drawing.figure(
        traces,
        HEIGHT,
        x={"title": charts.label(x.title), "tickformat": ".0%" if x.is_share else ",.3~s"},
        y={"title": charts.label(y.title), "tickformat": ".0%" if y.is_share else ",.3~r"} | ends,
        shapes=shapes,
        annotations=notes,
    )


def bars(rows: Mapping[str, float], title: str, *, strong: Sequence[str] = (), height: int = 0) -> go.Figure:
    """Draw one bar a row, the strong ones in the colour of the answer."""
    shades = palette.shades()
    names = list(rows)[::-1]
    shown = {
        "type": "bar",
        "x": [rows[name] for name in names],
        "y": [charts.label(name) for name in names],
        "orientation": "h",
        "marker": {"color": [shades.after if name in strong else shades.before for name in names]},
        "hovertemplate": "%{x:,.4~g}<extra></extra>",
    }
    axis = _amounts(title, max(rows.values(), default=0.0))
    return drawing.figure([shown], height or 90 + 34 * len(names), x=axis, legend=False, hovermode="closest")


def _ticks(largest: float) -> str:
    """Return how amounts are written: 1.5M, but 0.2 and not 200m, which would be read as millions."""
    return ",.3~s" if largest >= _SHORTENED else ",.3~g"


def _amounts(title: str, largest: float) -> drawing.Options:
    """Return an axis of amounts."""
    return {"title": charts.label(title), "tickformat": _ticks(largest)}


def stacked(rows: Sequence[str], parts: Mapping[str, Sequence[float]], title: str) -> go.Figure:
    """Draw bars that are made of parts; each part has one value a row."""
    traces = [
        {
            "type": "bar",
            "x": list(values)[::-1],
            "y": [charts.label(row) for row in rows][::-1],
            "orientation": "h",
            "name": charts.label(name),
            "marker": {"color": palette.tenant(at), "line": {"width": 0}},
            "hovertemplate": "%{x:,.4~g}",
        }
        for at, (name, values) in enumerate(parts.items())
    ]
    largest = max((sum(values[at] for values in parts.values()) for at in range(len(rows))), default=0.0)
    axis = _amounts(title, largest)
    return drawing.figure(traces, 120 + 34 * len(rows), x=axis, hovermode="closest", barmode="stack")


@dataclass(frozen=True)
class Ends:
    """One bar of a tornado: its name, what the ends are called, and the results there."""

    name: str
    low_name: str
    high_name: str
    at_low: float | None
    at_high: float | None


def tornado(rows: Sequence[Ends], base: float, title: str) -> go.Figure:
    """Draw how far each input moves a result from its base, the widest on top."""
    shades = palette.shades()
    traces = []
    for key, colour in (("low", shades.before), ("high", shades.after)):
        shown = [(row, getattr(row, f"at_{key}"), getattr(row, f"{key}_name")) for row in rows]
        shown = [each for each in shown if each[1] is not None][::-1]
        traces.append(
            {
                "type": "bar",
                "x": [value - base for _, value, _ in shown],
                "base": base,
                "y": [charts.label(row.name) for row, _, _ in shown],
                "orientation": "h",
                "marker": {"color": colour},
                "text": [charts.label(end) for _, _, end in shown],
                "textposition": "auto",
                "textangle": 0,
                "textfont": {"size": 10},
                "cliponaxis": False,
                "customdata": [value for _, value, _ in shown],
                "hovertemplate": "%{text}: %{customdata:,.4~s}<extra></extra>",
            }
        )
    return drawing.figure(
        traces,
        90 + 28 * len(rows),
        x=_amounts(title, max(abs(end) for row in rows for end in (base, row.at_low, row.at_high) if end is not None)),
        legend=False,
        hovermode="closest",
        barmode="overlay",
        bargap=0.25,
        shapes=[drawing.upright(base, {"color": shades.ink, "width": 1})],
    )


def histogram(values: Float64, title: str, share_title: str, marks: Marks) -> go.Figure:
    """Draw how often a result comes out where; the outermost half percent on both sides is left out."""
    numbers = _ticks(float(np.abs(values).max()))
    shades = palette.shades()
    low, high = np.quantile(values, (0.005, 0.995))
    counts, edges = np.histogram(values, bins=BINS, range=(low, high if high > low else low + 1.0))
    shown = {
        "type": "bar",
        "x": (edges[:-1] + edges[1:]) / 2,
        "y": counts / values.size,
        "marker": {"color": palette.faded(shades.after, 0.55), "line": {"width": 0}},
        "hovertemplate": f"%{{x:{numbers}}}: %{{y:.2%}}<extra></extra>",
    }
    seen = [(level, name) for level, name in marks.levels if low <= level <= high]
    rule = {"color": shades.ink, "width": 1.2, "dash": "dot"}
    font = {"size": 11, "color": shades.faint}
    return drawing.figure(
        [shown],
        240,
        x={"title": charts.label(title), "tickformat": numbers},
        y={"title": charts.label(share_title), "tickformat": ".0%"},
        legend=False,
        hovermode="closest",
        bargap=0.02,
        shapes=[drawing.upright(level, rule) for level, _ in seen],
        annotations=[drawing.upright_note(level, charts.label(name), font) for level, name in seen],
    )


def staircase(steps: Sequence[tuple[str, float]], needed: float, needed_name: str, title: str) -> go.Figure:
    """Draw how far each lever lifts from one, and the level that is needed."""
    shades = palette.shades()
    bottoms = [1.0, *[reached for _, reached in steps[:-1]]]
    shown = {
        "type": "bar",
        "x": [charts.label(name) for name, _ in steps],
        "y": [reached - bottom for (_, reached), bottom in zip(steps, bottoms, strict=True)],
        "base": bottoms,
        "marker": {"color": shades.after},
        "customdata": [reached for _, reached in steps],
        "text": [f"{reached:.2f}" for _, reached in steps],
        "textposition": "outside",
        "hovertemplate": "%{customdata:.3f}<extra></extra>",
    }
    return drawing.figure(
        [shown],
        300,
        y={"title": charts.label(title), "range": [0.9, max(needed, steps[-1][1]) * 1.12]},
        legend=False,
        hovermode="closest",
        shapes=[drawing.level(needed, {"color": shades.ink, "width": 1.2, "dash": "dot"})],
        annotations=[drawing.level_note(needed, charts.label(needed_name), {"size": 11})],
    )
