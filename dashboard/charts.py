"""Charts from plain arrays: plotly as SVG, at most 2,000 points, no title inside, axes with units.

The conclusion stands above a chart as a heading of the page (`panels.py`); here is only the picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dashboard import drawing, palette
from dashboard.i18n import clip, plain

MOST_POINTS: Final = 2_000
_HOUR_MS: Final = 3_600_000
_TICKS_MS: Final = (1_000, 10_000, 60_000, 600_000, _HOUR_MS, 6 * _HOUR_MS, 24 * _HOUR_MS, 168 * _HOUR_MS)
Numbers = NDArray[np.float64] | NDArray[np.int64]


def label(text: object) -> str:
    """Return a name for a chart: plotly reads a little HTML, a foreign name must not become any."""
    return clip(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@dataclass(frozen=True)
class Use:
    """GPUs over time, one entry a bin.

    Attributes
    ----------
    edges_ms : int64, shape (n_bins + 1,)
        Borders of the bins.
    tenants : sequence of str
        Names, in the order of the scenario.
    allocated : float64, shape (n_tenants, n_bins)
        Mean allocated GPUs.
    useful, queued : float64, shape (n_bins,)
        Mean GPUs whose work is kept, and mean GPUs asked for in line, over all tenants.
    elastic : float64, shape (n_tenants, n_bins), or None
        The part of the allocated that elastic demand added; None without such demand.
    capacity : int
        Schedulable GPUs.
    """

    edges_ms: Numbers
    tenants: Sequence[str]
    allocated: Numbers
    useful: Numbers
    queued: Numbers
    elastic: Numbers | None
    capacity: int

    @property
    def days(self) -> Numbers:
        """Middles of the bins in days."""
        return (self.edges_ms[:-1] + self.edges_ms[1:]) / 2 / (24 * _HOUR_MS)


def gpus_over_time(use: Use, *, height: int = 320) -> go.Figure:
    """Draw the queue above and the GPUs below: allocated by tenant, added by elastic demand, useful, idle.

    The bands lie on each other up to the capacity; what elastic demand added is in its own and in no tenant's.
    """
    shades = palette.shades()
    step = step_for(len(use.days), len(use.tenants) + 4)
    asked = use.allocated if use.elastic is None else use.allocated - use.elastic
    line: drawing.Options = {
        "type": "scatter",
        "x": use.days[::step],
        "mode": "lines",
        "hovertemplate": "%{y:,.0f}",
    }
    below = line | {"xaxis": "x2", "yaxis": "y2"}
    traces = [
        line
        | {
            "y": use.queued[::step],
            "name": plain("chart.queued"),
            "fill": "tozeroy",
            "line": {"width": 1, "color": shades.queue, "shape": "linear"},
            "fillcolor": palette.faded(palette.CAUSES["order"], 0.35),
        }
    ]
    for index, name in enumerate(use.tenants):
        colour = palette.tenant(index)
        traces.append(
            below
            | {
                "y": asked[index][::step],
                "name": label(name),
                "stackgroup": "gpus",
                "line": {"width": 0.8, "color": colour},
                "fillcolor": palette.faded(colour, 0.5),
            }
        )
    if use.elastic is not None:
        traces.append(
            below
            | {
                "y": use.elastic.sum(axis=0)[::step],
                "name": plain("chart.elastic"),
                "stackgroup": "gpus",
                "line": {"width": 0.8, "color": shades.ink, "dash": "dot"},
                "fillcolor": palette.faded(shades.ink, 0.18),
            }
        )
    total = use.allocated.sum(axis=0)[::step]
    traces.append(
        below
        | {
            "y": np.maximum(use.capacity - total, 0),
            "name": plain("chart.idle"),
            "stackgroup": "gpus",
            "line": {"width": 0},
            "fillcolor": shades.idle,
        }
    )
    useful = use.useful[::step]
    if float(np.abs(total - useful).max(initial=0)) > 0.002 * max(use.capacity, 1):
        look = {"width": 1.5, "color": shades.ink, "dash": "dot"}
        traces.append(below | {"y": useful, "name": plain("chart.useful"), "line": look})
    return drawing.figure(
        traces,
        height,
        x={"anchor": "y", "matches": "x2", "showticklabels": False},
        y={
            "title": plain("chart.axis.queued"),
            "anchor": "x",
            "domain": [0.76, 1],
            "rangemode": "tozero",
            "nticks": 4,
        },
        xaxis2=drawing.x_axis(plain("chart.axis.days"), anchor="y2"),
        yaxis2=drawing.y_axis(plain("chart.axis.gpus"), anchor="x2", domain=[0, 0.7], range=[0, use.capacity * 1.04]),
        shapes=[drawing.level(use.capacity, {"color": shades.faint, "width": 1, "dash": "dash"}, number="2")],
    )


def step_for(n_points: int, n_traces: int) -> int:
    """Return which share of the points to draw, so that all traces together stay under the limit."""
    return max(1, -(-n_points * n_traces // MOST_POINTS))


def causes(
    names: Sequence[str],
    direct_ms: Mapping[str, Sequence[float]],
    behind_ms: Mapping[str, Sequence[float]],
    *,
    height: int | None = None,
) -> go.Figure:
    """Draw the mean wait of each class, split by what the job itself lacked and what the line ahead lacked.

    Parameters
    ----------
    names : sequence of str
        Classes, first on top.
    direct_ms, behind_ms : mapping
        Cause -> mean wait in ms for each class; `behind_ms` is time in line behind a job stopped by the cause.
    height : int, optional
        Pixels; by default it grows with the number of classes.
    """
    unit_ms, unit = time_unit(
        max((sum(v[i] for v in [*direct_ms.values(), *behind_ms.values()]) for i in range(len(names))), default=0)
    )
    shown = [label(name) for name in names]
    traces = []
    for kind, table in (("cause", direct_ms), ("behind", behind_ms)):
        for cause, values in table.items():
            if max(values, default=0) <= 0:
                continue
            colour = palette.CAUSES[cause]
            pattern = {
                "shape": "/",
                "fgcolor": colour,
                "bgcolor": palette.faded(colour, 0.25),
                "size": 5,
                "solidity": 0.35,
            }
            traces.append(
                {
                    "type": "bar",
                    "y": shown,
                    "x": [value / unit_ms for value in values],
                    "orientation": "h",
                    "name": plain(f"{kind}.{cause}"),
                    "marker": {"color": colour, "pattern": pattern if kind == "behind" else {}, "line": {"width": 0}},
                    "hovertemplate": "%{x:.3~g} " + unit,
                }
            )
    return drawing.figure(
        traces,
        height or 120 + 38 * max(1, len(names)),
        x={"title": plain("chart.axis.mean_wait", unit=unit), "rangemode": "tozero", "has_grid": True},
        y=drawing.NAMES_DOWN,
        hovermode="y unified",
        barmode="stack",
        bargap=0.35,
    )


def time_unit(largest_ms: float) -> tuple[int, str]:
    """Return the unit for an axis that reaches `largest_ms`: its length in ms and its name."""
    if largest_ms >= 2 * _HOUR_MS:
        return _HOUR_MS, plain("unit.name.h")
    if largest_ms >= 120_000:
        return 60_000, plain("unit.name.min")
    return 1_000, plain("unit.name.s")


@dataclass(frozen=True)
class Curve:
    """Waits of one group: `wait_ms[k]` is the wait not exceeded by the share `shares[k]` of its jobs."""

    name: str
    wait_ms: Numbers
    shares: Numbers
    colour: str
    dash: str = "solid"


def waits(curves: Sequence[Curve], targets: Sequence[tuple[str, float, bool]] = (), *, height: int = 260) -> go.Figure:
    """Draw which share of the jobs has started after which wait, with a dashed line for each target.

    Parameters
    ----------
    curves : sequence of Curve
        One for each class.
    targets : sequence of (name, wait in ms, whether it is broken)
        Lines to draw.
    height : int
        Pixels.
    """
    shades = palette.shades()
    traces = []
    for curve in curves:
        step = step_for(len(curve.shares), len(curves))
        traces.append(
            {
                "type": "scatter",
                "x": np.maximum(curve.wait_ms[::step], 1_000),
                "y": curve.shares[::step],
                "name": label(curve.name),
                "mode": "lines",
                "line": {"width": 2, "color": curve.colour, "dash": curve.dash},
                "hovertemplate": "%{y:.0%}",
            }
        )
    longest = max((float(curve.wait_ms[-1]) for curve in curves if len(curve.wait_ms)), default=0.0)
    longest = max([longest, 60_000.0, *(1.2 * at for _, at, _ in targets)])
    lines, notes = [], []
    for name, at_ms, is_broken in targets:
        colour = shades.broken if is_broken else shades.faint
        lines.append(drawing.upright(max(at_ms, 1_000), {"color": colour, "width": 1.5, "dash": "dash"}))
        notes.append(
            {
                "x": float(np.log10(max(at_ms, 1_000))),
                "y": 0.04,
                "yref": "paper",
                "text": label(name),
                "showarrow": False,
                "xanchor": "right",
                "font": {"size": 11, "color": colour},
            }
        )
    ticks = [tick for tick in _TICKS_MS if tick <= longest * 1.5]
    return drawing.figure(
        traces,
        height,
        x={
            "title": plain("chart.axis.wait"),
            "type": "log",
            "tickvals": ticks,
            "ticktext": [plain(f"tick.{tick}") for tick in ticks],
            "range": [3.0, float(np.log10(longest)) + 0.05],
            "hoverformat": ",.0f",
            "unifiedhovertitle": {"text": ""},
        },
        y={"title": plain("chart.axis.started"), "tickformat": ".0%", "range": [0, 1.02]},
        shapes=lines,
        annotations=notes,
    )


def pairs(
    names: Sequence[str],
    before_ms: Sequence[float],
    after_ms: Sequence[float],
    legend: tuple[str, str],
    *,
    height: int | None = None,
) -> go.Figure:
    """Draw two waits for each group as two dots joined by a line: before and after, or recorded and simulated."""
    shades = palette.shades()
    unit_ms, unit = time_unit(max([*before_ms, *after_ms], default=0))
    shown = [label(name) for name in names]
    traces: list[drawing.Options] = [
        {
            "type": "scatter",
            "x": [low / unit_ms, high / unit_ms],
            "y": [name, name],
            "mode": "lines",
            "showlegend": False,
            "hoverinfo": "skip",
            "line": {"color": shades.grid, "width": 5},
        }
        for name, low, high in zip(shown, before_ms, after_ms, strict=True)
    ]
    for values, title, colour, symbol in (
        (before_ms, legend[0], shades.before, "circle-open"),
        (after_ms, legend[1], shades.after, "circle"),
    ):
        traces.append(
            {
                "type": "scatter",
                "x": [value / unit_ms for value in values],
                "y": shown,
                "name": label(title),
                "mode": "markers",
                "cliponaxis": False,
                "marker": {"size": 11, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}},
                "hovertemplate": "%{x:.3~g} " + unit,
            }
        )
    return drawing.figure(
        traces,
        height or 120 + 34 * max(1, len(names)),
        x={"title": plain("chart.axis.mean_wait", unit=unit), "rangemode": "tozero", "has_grid": True},
        y=drawing.NAMES_DOWN,
        hovermode="y unified",
    )


CONFIG: Final[dict[str, Any]] = {"displayModeBar": False, "displaylogo": False, "responsive": True}
