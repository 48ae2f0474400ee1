"""Economics: whether a customer should get a cluster of its own."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from dashboard import assumed, confirmed, economics_chance, economics_view, numbers, panels
from dashboard import verdict as words
from dashboard.i18n import Text, plain, t
from scheduler_core import (
    SEED_CASES,
    Assumptions,
    Deal,
    Reading,
    assumption_rows,
    deal_chance,
    deal_readings,
    price_deal,
)

MAIN: Final = (
    "counterfactual", "denominator", "requests_per_day", "premium_ratio", "list_usd_per_request",
    "variable_usd_per_request", "request_gpu_s", "dedicated_gpus", "dedicated_usd_per_gpu_h", "hurdle_roi",
)  # fmt: skip
MORE: Final = (
    "dedicated_staff", "person_usd_per_year", "usable_share", "peak_factor", "wait_limit_s", "late_usd_per_request",
    "shared_load_gpus", "next_best_usd_per_gpu_h", "wait_usd_per_h",
    "shared_utilisation_share", "heavy_request_gpu_s", "slo_avoided_usd_per_year", "noise_avoided_usd_per_year",
    "buy_capex_usd", "buy_opex_usd_per_year", "buy_residual_usd", "buy_requests_per_day", "discount_share",
    "volume_sd_share", "spread_share", "draws", "seed", "confirm_seeds",
)  # fmt: skip
_POINTS: Final = 400


def show() -> None:
    """Show the answer, the curve, what isolation costs, and how sure it is."""
    asked = assumed.current()
    deal = price_deal(asked, assumed.today())
    chance = deal_chance(asked)
    economics_view.answer(_sentence(deal), economics_chance.deal_line(chance, deal.chosen.hurdle), _rationale(deal))
    _cases()
    _curve(asked, deal)
    st.dataframe(_readings_table(deal.readings), hide_index=True, key="economics_readings")
    confirmed.beside("volume", asked)
    _isolation(deal)
    confirmed.beside("promise", asked)
    confirmed.beside("isolation", asked)
    panels.heading(_purchase(deal))
    economics_chance.deal(chance, deal.chosen.hurdle)
    economics_view.notes(deal.notes)
    _both_cases()


# ---- words ------------------------------------------------------------------------------------------------------


def volume(per_day: float | None) -> Text:
    """Return requests a day, or that no volume does."""
    return t("economics.no_volume") if per_day is None else t("economics.per_day", n=numbers.count(per_day))


def _sentence(deal: Deal) -> Text:
    found = deal.chosen
    key = "economics.deal.reached" if found.is_reachable else "economics.deal.unreachable"
    return t(
        key,
        volume=volume(assumed.current().number("requests_per_day")),
        roi=numbers.ratio(found.roi),
        denominator=t(f"economics.denominator.{found.terms.denominator}"),
        hurdle=numbers.ratio(found.hurdle),
        needed=volume(found.hurdle_per_day),
        breakeven=volume(found.breakeven_per_day),
        most=numbers.ratio(found.terms.roi_max),
        fixed=numbers.usd(found.terms.fixed_usd),
    )


def _rationale(deal: Deal) -> Text:
    """Return what one would say in the review: the gate, on what it depends, the price of isolation, the lever."""
    first, moved = deal.readings[0], deal.readings[1]
    return t(
        "economics.deal.say_yes" if first.is_reachable else "economics.deal.say_no",
        breakeven=volume(first.breakeven_per_day),
        needed=volume(first.hurdle_per_day),
        hurdle=numbers.ratio(first.hurdle),
        fixed=numbers.usd(first.terms.fixed_usd),
        floor=_share(first.floor_share),
        moved=volume(moved.breakeven_per_day),
        moved_most=numbers.ratio(moved.terms.roi_max),
        most=numbers.ratio(first.terms.roi_max),
        premium=numbers.count(deal.isolation.premium_gpus),
        premium_usd=numbers.usd(deal.isolation.premium_usd_per_day),
        price=numbers.usd(first.needed_price_usd),
    )


def _share(value: float | None) -> Text:
    return t("value.none") if value is None else numbers.share(value, 3)


def name(reading: Reading) -> str:
    """Return what a reading is called."""
    key = reading.name.replace("'", "p").lower()
    return plain(f"economics.reading.{key}")


# ---- pictures ---------------------------------------------------------------------------------------------------


def _curve(asked: Assumptions, deal: Deal) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415  plotly comes with the first picture

    here = asked.number("requests_per_day")
    marks = [each.hurdle_per_day for each in deal.readings if each.hurdle_per_day is not None]
    caps = [each.terms.cap_per_day for each in deal.readings]
    most = 1.25 * max(here, min(max(marks, default=here), max(caps)))
    x = np.linspace(0.0, most, _POINTS)
    hurdle = deal.chosen.hurdle
    lines = [pictures.Line(name(each), x, each.terms.roi_curve(x)) for each in deal.readings]
    figure = pictures.lines(
        lines,
        pictures.Axis(plain("economics.axis.requests")),
        pictures.Axis(plain("economics.axis.roi")),
        pictures.Marks(
            here,
            plain("economics.here"),
            [(hurdle, plain("economics.hurdle", n=numbers.ratio(hurdle))), (0.0, plain("economics.zero"))],
            top=1.4 * max(hurdle, deal.chosen.roi, 1.0),
        ),
    )
    reached = [each for each in deal.readings if each.is_reachable]
    title = t(
        "economics.deal.curve" if reached else "economics.deal.curve_none",
        n=len(reached),
        all=len(deal.readings),
        hurdle=numbers.ratio(hurdle),
        best=volume(min((each.hurdle_per_day or 0.0 for each in reached), default=None)),
    )
    economics_view.chart(figure, "curve", title, partial(_curve_table, x, deal))


def _curve_table(x: NDArray[np.float64], deal: Deal) -> pd.DataFrame:
    table = {plain("economics.axis.requests"): x[::20]}
    return pd.DataFrame(table | {name(each): each.terms.roi_curve(x[::20]) for each in deal.readings})


def _readings_table(readings: tuple[Reading, ...]) -> pd.DataFrame:
    rows = []
    for each in readings:
        at_hurdle = None if each.hurdle_per_day is None else each.terms.utilisation(each.hurdle_per_day)
        rows.append(
            {
                plain("economics.table.reading"): name(each),
                plain("economics.table.verdict"): plain(
                    "economics.reachable" if each.is_reachable else "economics.out_of_reach"
                ),
                plain("economics.table.margin"): numbers.usd(each.terms.margin_usd),
                plain("economics.table.breakeven"): volume(each.breakeven_per_day),
                plain("economics.table.floor"): _share(each.floor_share),
                plain("economics.table.hurdle", n=numbers.ratio(each.hurdle)): volume(each.hurdle_per_day),
                plain("economics.table.at_hurdle"): _share(at_hurdle),
                plain("economics.table.cap"): volume(each.terms.cap_per_day),
                plain("economics.table.most"): numbers.ratio(each.terms.roi_max),
            }
        )
    return pd.DataFrame(rows).map(str)


def _isolation(deal: Deal) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    found = deal.isolation
    rows = {
        plain("economics.pool.own"): float(found.own_gpus),
        plain("economics.pool.marginal"): float(found.shared_marginal_gpus),
    }
    title = t(
        "economics.deal.pool",
        premium=numbers.count(found.premium_gpus),
        share=numbers.share(found.premium_share),
        usd=numbers.usd(found.premium_usd_per_day),
    )
    figure = pictures.bars(rows, plain("economics.axis.gpus"), strong=list(rows)[:1])
    economics_view.chart(figure, "pool", title)
    st.markdown(_others(deal))
    st.markdown(assumed.say(deal.opportunity.note))
    year = deal.year
    st.markdown(
        t(
            "economics.deal.year",
            value=numbers.usd(year.value_usd),
            cost=numbers.usd(year.cost_usd),
            net=numbers.usd(year.net_usd),
        )
    )
    if deal.late_usd_per_day:
        st.markdown(t("economics.deal.late", usd=numbers.usd(deal.late_usd_per_day)))
    if deal.unit is not None:
        unit = deal.unit
        own, shared, ratio = numbers.usd(unit.dedicated_usd), numbers.usd(unit.shared_usd), numbers.ratio(unit.ratio)
        st.markdown(t("economics.deal.unit", own=own, shared=shared, ratio=ratio))


def _others(deal: Deal) -> Text:
    """Return what becomes of the other tenants if the GPUs are taken out of the common pool."""
    found, gpus = deal.isolation, deal.chosen.terms.gpus
    left = found.together_gpus - gpus
    late_s = found.others_p99_s
    wait = Text("") if late_s is None else words.value_text("ms", 1_000 * late_s)
    return t(
        "economics.deal.others_never" if late_s is None else "economics.deal.others",
        together=numbers.count(found.together_gpus),
        gpus=numbers.count(gpus),
        left=numbers.count(left),
        needed=numbers.count(found.shared_gpus),
        wait=wait,
    )


def _purchase(deal: Deal) -> Text:
    found = deal.purchase
    rates = [numbers.share(rate, 3) for rate in found.irr]
    return t(
        f"economics.purchase.{found.verdict}",
        npv=numbers.usd(found.npv_usd),
        rate=numbers.share(found.rate),
        irr=Text(plain("list.and").join(rates)) if rates else t("value.none"),
        payback=numbers.years(found.payback_years),
        discounted=numbers.years(found.discounted_payback_years),
    )


# ---- the interview case -----------------------------------------------------------------------------------------


def _cases() -> None:
    """Offer the interview case in its two readings, one click away."""
    group = {slug: None for slug, row in assumption_rows().items() if row.group == "dedicated"}
    st.caption(t("economics.cases"))
    with st.container(horizontal=True, gap="xsmall", key="economics_cases"):
        for case, values in SEED_CASES.items():
            st.button(
                t(f"economics.case.{case}"),
                key=f"economics_case_{case}",
                help=t(f"economics.case.{case}.help"),
                on_click=economics_view.take({**group, **values}),
            )


def _both_cases() -> None:
    """Show what the two readings of the case imply, side by side, whatever the inputs are."""
    panels.heading(t("economics.cases_title"))
    tables = []
    for case, values in SEED_CASES.items():
        table = _readings_table(_distinct(values))
        table.insert(0, plain("economics.table.case"), plain(f"economics.case.{case}"))
        tables.append(table)
    st.dataframe(pd.concat(tables), hide_index=True, key="economics_both")
    st.caption(t("economics.cases_implied"))


def _distinct(values: Mapping[str, object]) -> tuple[Reading, ...]:
    """Return the readings of a case; heavier requests only where they are heavier."""
    found = deal_readings(Assumptions().change(values))
    return tuple(each for each in found if each is found[0] or each.terms != found[0].terms)
