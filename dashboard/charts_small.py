"""Small charts: what one job waited for, and what is asked for over time."""

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard import charts, palette
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
    figure = go.Figure()
    for name, length, colour in segments:
        figure.add_trace(
            go.Bar(
                x=[length / unit_ms],
                y=[""],
                orientation="h",
                name=charts.label(name),
                marker={"color": colour, "line": {"width": 0}},
                hovertemplate="%{x:.3~g} " + unit,
            )
        )
    figure.update_layout(barmode="stack", bargap=0.3)
    figure.update_xaxes(title_text=plain("chart.axis.since_submit", unit=unit))
    figure = charts.layout(figure, height)
    figure.update_layout(hovermode="closest")
    return figure


def demand(hours: charts.Numbers, asked: charts.Numbers, capacity: int, *, height: int = 190) -> go.Figure:
    """Draw the GPUs that would be in use if nobody ever waited, against the capacity."""
    shades = palette.shades()
    step = charts.step_for(len(hours), 1)
    figure = go.Figure(
        go.Scatter(
            x=hours[::step] / 24,
            y=asked[::step],
            mode="lines",
            fill="tozeroy",
            name=plain("chart.asked"),
            line={"width": 1, "color": shades.after, "shape": "hv"},
            fillcolor=palette.faded(shades.after, 0.25),
            hovertemplate="%{y:,.0f}",
        )
    )
    figure.add_hline(y=capacity, line={"color": shades.faint, "width": 1, "dash": "dash"})
    figure.update_yaxes(title_text=plain("chart.axis.gpus"), rangemode="tozero")
    figure.update_xaxes(title_text=plain("chart.axis.days"))
    return charts.layout(figure, height, legend=False)
