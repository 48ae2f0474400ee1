"""Pictures of history: the course of the scores, and the map of the rules."""

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from dashboard import palette
from dashboard.charts import label
from dashboard.drawing import NAMES_DOWN, figure
from dashboard.i18n import plain
from dashboard.score_view import dimension_name
from practice.history import HeatMap, Scored
from practice.rubric import DIMENSIONS

_DASHES: Final = ("dot", "dash", "dashdot", "longdash")
_ROW_PX: Final = 19


def course(points: Sequence[Scored]) -> go.Figure:
    """Return the totals and the dimensions, one after the other; dimensions differ by dash as well as by colour."""
    rows = list(range(1, len(points) + 1))
    traces = [
        {"type": "scatter", "name": plain("score.total"), "x": rows, "y": [one.grade.total for one in points],
         "mode": "lines+markers", "line": {"color": palette.shades().after, "width": 3}}
    ]  # fmt: skip
    traces += [
        {"type": "scatter", "name": label(dimension_name(name)), "x": rows,
         "y": [one.grade.dimensions.get(name) for one in points], "mode": "lines+markers",
         "line": {"color": palette.tenant(row), "width": 1.5, "dash": _DASHES[row % len(_DASHES)]},
         "marker": {"size": 5}}
        for row, name in enumerate(DIMENSIONS)
    ]  # fmt: skip
    x = {"title": plain("history.axis.attempt"), "dtick": max(1, len(rows) // 10)}
    return figure(traces, 300, x=x, y={"title": plain("history.axis.points"), "range": [0, 102]})


def rules(found: HeatMap, columns: Sequence[str]) -> go.Figure:
    """Return one cell for each rule and attempt: dark where it passed, its value written in it."""
    ink = palette.shades()
    values = [list(row) for row in found.values.values()]
    trace = {
        "type": "heatmap", "x": [label(one) for one in columns], "y": list(found.values), "z": values,
        "zmin": 0, "zmax": 1, "xgap": 2, "ygap": 2, "showscale": False, "text": values, "texttemplate": "%{text:g}",
        "colorscale": [[0, palette.faded(palette.TENANTS[5], 0.55)], [0.5, palette.faded(palette.TENANTS[1], 0.35)],
                       [1, palette.faded(palette.TENANTS[2], 0.55)]],
        "textfont": {"color": ink.ink, "size": 11}, "hovertemplate": "%{y}, %{x}: %{z}<extra></extra>",
    }  # fmt: skip
    height = 60 + _ROW_PX * len(values)
    return figure([trace], height, legend=False, x={"type": "category"}, y=NAMES_DOWN, hovermode="closest")
