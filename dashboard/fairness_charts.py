"""Charts by tenant: GPU-hours received, asked for and entitled to; waits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from dashboard import charts, drawing, palette
from dashboard.i18n import plain


@dataclass(frozen=True)
class GpuHours:
    """GPU-hours of each tenant."""

    received: Sequence[float]
    asked: Sequence[float]
    entitled: Sequence[float]


def got(names: Sequence[str], colours: Sequence[str], hours: GpuHours) -> go.Figure:
    """Draw for each tenant a wide pale bar for what it asked for, a narrow one for what it got, a line for its due.

    Parameters
    ----------
    names, colours : sequence of str
        Tenants, first on top.
    hours : GpuHours
        In the same order.
    """
    shades = palette.shades()
    shown = [charts.label(name) for name in names]
    unit = plain("fair.unit")
    hover = "%{x:,.0f} " + unit
    faint = shades.faint
    traces = [
        _key(shown[0], plain("fair.asked"), palette.faded(faint, 0.32)),
        _key(shown[0], plain("fair.received"), faint),
    ]
    pale = [palette.faded(colour, 0.32) for colour in colours]
    for values, name, colour, width in (
        (hours.asked, plain("fair.asked"), pale, 0.62),
        (hours.received, plain("fair.received"), list(colours), 0.3),
    ):
        traces.append(_bar(shown, values, name, colour) | {"width": width, "hovertemplate": hover})
    traces.append(
        {
            "type": "scatter",
            "y": shown,
            "x": list(hours.entitled),
            "name": plain("fair.entitled"),
            "mode": "markers",
            "cliponaxis": False,
            "marker": {"symbol": "line-ns", "size": 30, "line": {"width": 3, "color": shades.ink}},
            "hovertemplate": hover,
        }
    )
    return _by_tenant(traces, len(names), plain("fair.axis.hours"), tickformat="~s")


def pays(names: Sequence[str], colours: Sequence[str], mean_ms: Sequence[float], p95_ms: Sequence[float]) -> go.Figure:
    """Draw the mean wait of each tenant as a bar and the 95th percentile as a diamond.

    Parameters
    ----------
    names, colours : sequence of str
        Tenants, first on top.
    mean_ms, p95_ms : sequence of float
        In the same order.
    """
    shades = palette.shades()
    shown = [charts.label(name) for name in names]
    unit_ms, unit = charts.time_unit(max([*mean_ms, *p95_ms], default=0))
    hover = "%{x:.3~g} " + unit
    mean = [value / unit_ms for value in mean_ms]
    traces = [
        _key(shown[0], plain("fair.mean"), shades.faint),
        _bar(shown, mean, plain("fair.mean"), list(colours)) | {"width": 0.4, "hovertemplate": hover},
        {
            "type": "scatter",
            "y": shown,
            "x": [value / unit_ms for value in p95_ms],
            "name": plain("fair.p95"),
            "mode": "markers",
            "cliponaxis": False,
            "marker": {"symbol": "diamond-open", "size": 11, "line": {"width": 2}, "color": shades.ink},
            "hovertemplate": hover,
        },
    ]
    return _by_tenant(traces, len(names), plain("fair.axis.wait", unit=unit))


def _bar(tenants: Sequence[str], values: Sequence[float], name: str, colours: list[str]) -> drawing.Options:
    """Return a bar a tenant, which the legend does not name."""
    return {
        "type": "bar",
        "y": tenants,
        "x": list(values),
        "orientation": "h",
        "name": name,
        "showlegend": False,
        "marker": {"color": colours, "line": {"width": 0}},
    }


def _key(tenant: str, name: str, colour: str) -> drawing.Options:
    """Return an entry of the legend in a colour that is no tenant's: a bar without a length."""
    return {
        "type": "bar",
        "y": [tenant],
        "x": [None],
        "orientation": "h",
        "hoverinfo": "skip",
        "name": name,
        "marker": {"color": colour, "line": {"width": 0}},
    }


def _by_tenant(
    traces: Sequence[drawing.Options],
    n_tenants: int,
    axis: str,
    **options: Any,  # noqa: ANN401
) -> go.Figure:
    return drawing.figure(
        traces,
        120 + 48 * max(1, n_tenants),
        x={"title": axis, "standoff": 12, "rangemode": "tozero", "has_grid": True, **options},
        y=drawing.NAMES_DOWN,
        hovermode="y unified",
        barmode="overlay",
        margin={"l": 8, "r": 8, "t": 30, "b": 44},
    )
