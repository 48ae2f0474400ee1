"""Small charts: what one job waited for, and what is asked for over time."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard import charts, drawing, palette
from dashboard.i18n import plain


def story(segments: Sequence[tuple[str, float, str]], *, height: int = 150) -> go.Figure:
    """Draw one job from submit to its end: what it waited for, then its run.

    Parameters
    ----------
    segments : sequence of (name, length in ms, colour)
        In the order in which they are drawn.
    height : int
        Pixels.
    """
    unit_ms, unit = charts.time_unit(sum(length for _, length, _ in segments))
    traces = [
        {
            "type": "bar",
            "x": [length / unit_ms],
            "y": [""],
            "orientation": "h",
            "name": charts.label(name),
            "marker": {"color": colour, "line": {"width": 0}},
            "hovertemplate": "%{x:.3~g} " + unit,
        }
        for name, length, colour in segments
    ]
    return drawing.figure(
        traces,
        height,
        x={"title": plain("chart.axis.since_submit", unit=unit)},
        hovermode="closest",
        barmode="stack",
        bargap=0.3,
    )


def demand(hours: charts.Numbers, asked: charts.Numbers, capacity: int, *, height: int = 190) -> go.Figure:
    """Draw the GPUs that would be in use if nobody ever waited, against the capacity."""
    shades = palette.shades()
    step = charts.step_for(len(hours), 1)
    asks = {
        "type": "scatter",
        "x": hours[::step] / 24,
        "y": asked[::step],
        "mode": "lines",
        "fill": "tozeroy",
        "name": plain("chart.asked"),
        "line": {"width": 1, "color": shades.after, "shape": "hv"},
        "fillcolor": palette.faded(shades.after, 0.25),
        "hovertemplate": "%{y:,.0f}",
    }
    return drawing.figure(
        [asks],
        height,
        x={"title": plain("chart.axis.days")},
        y={"title": plain("chart.axis.gpus"), "rangemode": "tozero"},
        legend=False,
        shapes=[drawing.level(capacity, {"color": shades.faint, "width": 1, "dash": "dash"})],
    )
