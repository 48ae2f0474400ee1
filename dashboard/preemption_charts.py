"""Charts of preemption: who was evicted for whom, and what was lost."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard import charts, drawing, palette
from dashboard.i18n import plain

_ROW_PX = 34
_COLOUR = palette.CAUSES["grace"]


def pairs(
    names: Sequence[str], count: NDArray[np.int64], lost_gpu_h: NDArray[np.float64], kind: str = "evict"
) -> go.Figure:
    """Draw a square of counts: rows are victims, columns are those for whom they left.

    Parameters
    ----------
    names : sequence of str
        Of rows and columns, first on top and to the left.
    count : int64, shape (n_names, n_names)
        Evictions.
    lost_gpu_h : float64, shape (n_names, n_names)
        GPU-hours of work they threw away.
    kind : str
        `evict`, or `suspend` where victims keep their GPUs.
    """
    shades = palette.shades()
    shown = [charts.label(name) for name in names]
    hours = plain("column.lost_gpu_h")
    shown_counts = {
        "type": "heatmap",
        "x": shown,
        "y": shown,
        "z": count,
        "customdata": lost_gpu_h,
        "text": [[f"{cell:,}" if cell else "" for cell in line] for line in count.tolist()],
        "texttemplate": "%{text}",
        "textfont": {"color": shades.ink},
        "colorscale": [[0, palette.faded(_COLOUR, 0.04)], [1, palette.faded(_COLOUR, 0.75)]],
        "zmin": 0,
        "showscale": False,
        "xgap": 2,
        "ygap": 2,
        "hovertemplate": "%{y} \u2192 %{x}: %{z:,}<br>" + hours + ": %{customdata:,.1f}<extra></extra>",
    }
    return drawing.figure(
        [shown_counts],
        110 + _ROW_PX * max(len(names), 2),
        x={"title": plain(f"{kind}.axis.evictor"), "type": "category", "side": "bottom"},
        y={"title": plain(f"{kind}.axis.victim"), **drawing.NAMES_DOWN},
        legend=False,
        hovermode="closest",
    )


def lost(causes: Sequence[str], gpu_h: Sequence[float]) -> go.Figure:
    """Draw lost GPU-hours as one bar a cause.

    Parameters
    ----------
    causes : sequence of str
        Names, first on top.
    gpu_h : sequence of float
        In the same order.
    """
    bars = {
        "type": "bar",
        "y": [charts.label(cause) for cause in causes],
        "x": list(gpu_h),
        "orientation": "h",
        "width": 0.5,
        "marker": {"color": _COLOUR, "line": {"width": 0}},
        "hovertemplate": "%{x:,.1f} " + plain("fair.unit") + "<extra></extra>",
    }
    return drawing.figure(
        [bars],
        90 + _ROW_PX * max(len(causes), 2),
        x={"title": plain("evict.axis.lost"), "rangemode": "tozero", "has_grid": True},
        y=drawing.NAMES_DOWN,
        legend=False,
        hovermode="closest",
    )
