"""How a figure is made: its traces and its layout as plain mappings, handed to plotly once.

Plotly checks what it gets when a figure is made and again at every later change; made at once, a figure
costs a quarter of what adding traces and changing axes one after the other costs.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import plotly.graph_objects as go

from dashboard import palette

Options = dict[str, Any]
"""What plotly calls a trace, an axis or a shape: names of its reference, and values."""


NAMES_DOWN: Final[Options] = {"type": "category", "autorange": "reversed", "has_grid": False}
"""A vertical axis of names, first on top; a name that reads as a number stays a name."""


def figure(
    traces: Sequence[Options],
    height: int,
    *,
    x: Mapping[str, Any] | None = None,
    y: Mapping[str, Any] | None = None,
    legend: bool = True,
    **layout: Any,  # noqa: ANN401  options of plotly's layout
) -> go.Figure:
    """Return a figure with what all of ours share: no title, a legend above, thin margins, colours of the theme.

    Parameters
    ----------
    traces : sequence of dict
        Each with its `type`.
    height : int
        Pixels.
    x, y : mapping, optional
        What the axes have beyond `x_axis` and `y_axis`.
    legend : bool
        Whether there is one.
    **layout
        Everything else; what is named here wins.
    """
    own: Options = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 30 if legend else 8, "b": 8},
        "showlegend": legend,
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1.0,
            "yanchor": "bottom",
            "traceorder": "normal",
            "font": {"size": 12},
        },
        "hovermode": "x unified",
        "uirevision": "kept",
        "dragmode": False,
        "font": {"color": palette.shades().ink},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "xaxis": x_axis(**(x or {})),
        "yaxis": y_axis(**(y or {})),
    }
    return go.Figure(list(traces), own | layout)


def x_axis(title: str = "", *, standoff: int = 6, has_grid: bool = False, **own: Any) -> Options:  # noqa: ANN401
    """Return a horizontal axis: without grid unless asked for; `own` wins."""
    return _axis(title, standoff, has_grid=has_grid) | own


def y_axis(title: str = "", *, standoff: int = 6, has_grid: bool = True, **own: Any) -> Options:  # noqa: ANN401
    """Return a vertical axis: with grid unless it is one of names; `own` wins."""
    return _axis(title, standoff, has_grid=has_grid) | own


def _axis(title: str, standoff: int, *, has_grid: bool) -> Options:
    return {
        "title": {"text": title, "font": {"size": 12}, "standoff": standoff},
        "showgrid": has_grid,
        "gridcolor": palette.shades().grid,
        "zeroline": False,
        "automargin": True,
        "fixedrange": True,
    }


def level(at: float, line: Mapping[str, Any], *, number: str = "") -> Options:
    """Return a horizontal line over the whole width, on the axes with this number ("" is the first pair)."""
    ends = {"x0": 0, "x1": 1, "xref": f"x{number} domain", "y0": at, "y1": at, "yref": f"y{number}"}
    return {"type": "line", "line": dict(line), **ends}


def upright(at: float, line: Mapping[str, Any]) -> Options:
    """Return a vertical line over the whole height."""
    ends = {"x0": at, "x1": at, "xref": "x", "y0": 0, "y1": 1, "yref": "y domain"}
    return {"type": "line", "line": dict(line), **ends}


def level_note(at: float, text: str, font: Mapping[str, Any], *, is_above: bool = True) -> Options:
    """Return the name of a level: at its right end, above or below."""
    place = {"x": 1, "xref": "x domain", "xanchor": "right", "y": at, "yanchor": "bottom" if is_above else "top"}
    return {"text": text, "font": dict(font), "showarrow": False, **place}


def upright_note(at: float, text: str, font: Mapping[str, Any], *, is_right: bool = True) -> Options:
    """Return the name of a vertical line: at its upper end, right or left of it."""
    place = {"x": at, "xanchor": "left" if is_right else "right", "y": 1, "yref": "y domain", "yanchor": "top"}
    return {"text": text, "font": dict(font), "showarrow": False, **place}
