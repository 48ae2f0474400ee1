"""Economics: which input moves the answer most, and how often it holds when all of them move."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from dashboard import assumed, economics_view, numbers
from dashboard.i18n import Text, language, plain, t
from scheduler_core import Chance, Swing, find_assumption

MOST_BARS: Final = 8
_LONG: Final = 10_000
"""From here on an amount is written in thousands, so that it fits beside its bar on a phone."""


def deal_line(chance: Chance, hurdle: float) -> Text:
    """Return how sure the return of a deal is."""
    spread = chance.spread
    only = chance.volume_only or spread
    return t(
        "economics.sure.deal",
        n=numbers.count(spread.n_draws),
        hurdle=numbers.ratio(hurdle),
        reached=numbers.share(spread.hurdle_share),
        above=numbers.share(spread.above_share),
        low=numbers.ratio(spread.p5),
        high=numbers.ratio(spread.p95),
        only=numbers.share(only.hurdle_share),
    )


def own_line(chance: Chance) -> Text:
    """Return how sure the present value of owning is."""
    spread = chance.spread
    return t(
        "economics.sure.own",
        n=numbers.count(spread.n_draws),
        above=numbers.share(spread.above_share),
        low=numbers.usd(spread.p5),
        high=numbers.usd(spread.p95),
    )


def deal(chance: Chance, hurdle: float) -> None:
    """Show what moves the breakeven volume, and the draws of the return."""
    if chance.base is not None:
        title = t("economics.tornado.volume", name=_name(chance.swings[0]))
        _tornado(chance, "volume", title, plain("economics.axis.requests"))
    levels = [(0.0, plain("economics.zero")), (hurdle, plain("economics.hurdle", n=numbers.ratio(hurdle)))]
    title = t(
        "economics.draws.roi",
        share=numbers.share(chance.spread.hurdle_share),
        hurdle=numbers.ratio(hurdle),
        middle=numbers.ratio(chance.spread.p50),
    )
    _histogram(chance, "roi", title, plain("economics.axis.roi"), levels)


def owning(chance: Chance) -> None:
    """Show what moves the present value of owning, and its draws."""
    title = t("economics.tornado.npv", name=_name(chance.swings[0]))
    _tornado(chance, "npv", title, plain("economics.axis.npv"))
    title = t(
        "economics.draws.npv",
        share=numbers.share(chance.spread.above_share),
        middle=numbers.usd(chance.spread.p50),
    )
    _histogram(chance, "npv", title, plain("economics.axis.npv"), [(0.0, plain("economics.zero"))])


def _name(swing: Swing) -> Text:
    return Text(find_assumption(swing.slug).text[language()])


def _end(swing: Swing, value: float) -> str:
    if find_assumption(swing.slug).unit.startswith("share"):
        return str(numbers.share(value))
    return numbers.digits(value) if abs(value) < _LONG else f"{numbers.digits(value / 1_000)}k"


def _tornado(chance: Chance, key: str, title: Text, axis: str) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415  plotly comes with the first picture

    rows = [
        pictures.Ends(str(_name(each)), _end(each, each.low), _end(each, each.high), each.at_low, each.at_high)
        for each in chance.swings[:MOST_BARS]
    ]
    figure = pictures.tornado(rows, chance.base or 0.0, axis)
    economics_view.chart(figure, f"tornado_{key}", title, partial(_tornado_table, chance.swings))


def _tornado_table(swings: Sequence[Swing]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("economics.table.input"): [str(assumed.name(each.slug)).replace("\\", "") for each in swings],
            plain("economics.table.low"): [each.low for each in swings],
            plain("economics.table.high"): [each.high for each in swings],
            plain("economics.table.at_low"): [each.at_low for each in swings],
            plain("economics.table.at_high"): [each.at_high for each in swings],
        }
    )


def _histogram(chance: Chance, key: str, title: Text, axis: str, levels: Sequence[tuple[float, str]]) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    marks = pictures.Marks(levels=levels)
    figure = pictures.histogram(chance.spread.values, axis, plain("economics.axis.draws"), marks)
    economics_view.chart(figure, f"draws_{key}", title)
    seed = numbers.count(assumed.current().number("seed"))
    st.caption(t("economics.draws.note", seed=seed, n=numbers.count(chance.spread.n_draws)))
