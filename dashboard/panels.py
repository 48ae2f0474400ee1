"""Parts that pages are made of: a chart with its conclusion, source and table; downloads; safe cells."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from dashboard.i18n import Text, plain, t

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

_STARTS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def heading(text: Text, *, level: int = 2) -> None:
    """Show a heading that carries a conclusion."""
    (st.header if level == 1 else st.subheader)(text, anchor=False)


def chart(
    figure: "go.Figure",
    *,
    key: str,
    title: Text,
    alt: str,
    source: Text,
    table: "Callable[[], pd.DataFrame] | None" = None,
) -> None:
    """Show a picture below its conclusion, with where it comes from and a table of the same numbers.

    Parameters
    ----------
    figure : plotly figure
        The picture.
    key : str
        Constant name of the chart on its page.
    title : Text
        The conclusion.
    alt : str
        The conclusion for somebody who cannot see it.
    source : Text
        Source line with the scenario hash.
    table : callable, optional
        Makes the table; called only when somebody opens it.
    """
    from dashboard.charts import CONFIG  # noqa: PLC0415  plotly is imported with the first picture

    with st.container(key=f"chart_{key}", gap="xsmall"):
        heading(title)
        st.plotly_chart(figure, key=key, config=CONFIG, alt=alt, on_select="ignore")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption(source, width="content")
            if table is not None:
                _table_popover(key, table)


def _table_popover(key: str, make: "Callable[[], pd.DataFrame]") -> None:
    with st.popover(
        t("table.show"), type="tertiary", icon=":material/table:", key=f"table_{key}", on_change="rerun"
    ) as popover:
        if popover.open:
            frame = make()
            show_table(frame, key=f"frame_{key}")
            download(frame, name=f"headroom-{key}", key=f"save_{key}")


def safe_cell(value: Any) -> Any:  # noqa: ANN401
    """Return a cell that a spreadsheet takes as text: a leading formula sign gets an apostrophe."""
    if isinstance(value, str) and value.lstrip(" ").startswith(_STARTS_A_FORMULA):
        return "'" + value
    return value


def guarded(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return a table whose texts and headings no spreadsheet takes for a formula."""
    safe = frame.copy()
    for column in safe.columns:
        if safe[column].dtype.kind not in "iufb":
            safe[column] = safe[column].map(safe_cell)
    safe.columns = [safe_cell(str(column)) for column in safe.columns]
    return safe


def show_table(frame: "pd.DataFrame", *, key: str, **options: Any) -> None:  # noqa: ANN401  options of st.dataframe
    """Show a table; its toolbar saves CSV too, so the cells are guarded on screen as well."""
    st.dataframe(guarded(frame), hide_index=True, key=key, **options)


def csv_bytes(frame: "pd.DataFrame") -> bytes:
    """Return a table as CSV that is safe in a spreadsheet, with a mark that keeps Chinese readable there."""
    return ("\ufeff" + guarded(frame).to_csv(index=False, lineterminator="\n")).encode()


def download(frame: "pd.DataFrame", *, name: str, key: str) -> None:
    """Show a button that saves a table as CSV, made on click."""
    st.download_button(
        t("table.download"),
        data=lambda: csv_bytes(frame),
        file_name=f"{name}.csv",
        mime="text/csv",
        key=key,
        icon=":material/download:",
        on_click="ignore",
    )


def source_line(scenario_hash: str, engine_version: str, runs: Text) -> Text:
    """Return the line under a chart that says where its numbers come from."""
    return t("chart.source", hash=scenario_hash[:8], version=engine_version, runs=runs)


def nothing(key: str) -> str:
    """Return a plain text for a place where there is nothing to show."""
    return plain(key)
