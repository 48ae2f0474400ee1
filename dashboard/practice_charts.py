"""Three small charts of a choice: each option over the seeds, with its range, and the table beneath."""

from collections.abc import Collection
from typing import TYPE_CHECKING

import streamlit as st

from dashboard import drawing, palette, panels
from dashboard.i18n import clip, language, plain, t
from dashboard.practice_steps import told
from practice.exercises import Exercise, Row, Setting, movement_title, play, say, swap
from practice.wording import time_unit
from scheduler_core import ENGINE_VERSION, scenario_hash

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

MOST = 3
_ROW_PX = 26
_LONGEST = 22
"""Characters of an option in a picture; the table beneath has all of them."""


def show(exercise: Exercise, setting: Setting) -> None:
    """Show the first three measures of the evidence for every option of its decision."""
    decision = exercise.decision(exercise.evidence.decision)
    played = {one.id: play(exercise, swap(exercise, setting, one.id)) for one in decision.options}
    labels = {one.id: one.label.of(language()) for one in decision.options}
    chosen = setting.choices[decision.id]
    names = [
        exercise.evidence.headline,
        *(one for one in exercise.evidence.measures if one != exercise.evidence.headline),
    ]
    source = panels.source_line(
        scenario_hash(played[chosen].world.scenario), ENGINE_VERSION, t("practice.runs", n=exercise.world.seeds)
    )
    for column, name in zip(st.columns(MOST), names[:MOST], strict=False):
        rows = {option: one.rows[name] for option, one in played.items()}
        with column:
            title = told(movement_title(exercise, rows[chosen], language()))
            panels.chart(
                _figure(rows, labels, chosen), key=f"practice_{name}", title=title, alt=str(title), source=source,
                table=lambda rows=rows: _table(rows, labels),  # type: ignore[misc]
            )  # fmt: skip


def _scale(rows: Collection[Row]) -> tuple[float, str]:
    """Return what values are multiplied by on their axis, and its unit: the one in which people say the largest."""
    kind = next(iter(rows)).unit
    if kind != "ms":
        return (100.0, "%") if kind == "share" else (1.0, "")
    unit, unit_ms = time_unit(max(figure.high or 0.0 for row in rows for figure in (row.before, row.after)))
    return 1 / unit_ms, plain(f"unit.{unit}", n="").strip()


def _figure(rows: dict[str, Row], labels: dict[str, str], chosen: str) -> "go.Figure":
    factor, unit = _scale(rows.values())
    shades = palette.shades()
    names = [plain("practice.before"), *(clip(labels[one], _LONGEST) for one in rows)]
    figures = [next(iter(rows.values())).before, *(row.after for row in rows.values())]
    points = [(name, one) for name, one in zip(names, figures, strict=True) if one.median is not None]
    middles = [factor * (one.median or 0) for _, one in points]
    error = {
        "color": shades.faint,
        "type": "data", "symmetric": False, "thickness": 1.5, "width": 5,
        "array": [factor * (one.high or 0) - at for (_, one), at in zip(points, middles, strict=True)],
        "arrayminus": [at - factor * (one.low or 0) for (_, one), at in zip(points, middles, strict=True)],
    }  # fmt: skip
    mine = clip(labels[chosen], _LONGEST)
    colours = [shades.after if name == mine else shades.before for name, _ in points]
    trace = {
        "type": "scatter", "mode": "markers", "x": middles, "y": [name for name, _ in points], "error_x": error,
        "marker": {"size": [12 if name == mine else 8 for name, _ in points], "color": colours},
        "hovertemplate": "%{x:.4~g} " + unit + "<extra></extra>",
    }  # fmt: skip
    return drawing.figure(
        [trace], 60 + _ROW_PX * len(points), x={"title": unit, "rangemode": "tozero"}, y=drawing.NAMES_DOWN,
        legend=False, hovermode="closest",
    )  # fmt: skip


def _table(rows: dict[str, Row], labels: dict[str, str]) -> "pd.DataFrame":
    import pandas as pd  # noqa: PLC0415

    def cells(name: str, row: Row, side: str) -> list[str]:
        figure = getattr(row, side)
        return [name, *(say(getattr(figure, end), row.unit, language()) for end in ("median", "low", "high"))]

    first = next(iter(rows.values()))
    lines = [cells(plain("practice.before"), first, "before")]
    lines += [cells(labels[option], row, "after") for option, row in rows.items()]
    heads = [plain(f"practice.col.{one}") for one in ("option", "median", "low", "high")]
    return pd.DataFrame(lines, columns=heads)
