"""Economics: what owning, reserving, renting by the hour and spot cost, and how much of each."""

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import assumed, confirmed, economics_chance, economics_view, numbers, panels
from dashboard.i18n import Text, plain, t
from scheduler_core import Assumptions, OwnOrRent, owning_chance, price_owning

if TYPE_CHECKING:
    from dashboard import economics_charts as pictures

MAIN: Final = (
    "gpu", "utilisation_share", "lost_share", "on_demand_usd_per_gpu_h", "reserved_usd_per_gpu_h",
    "spot_usd_per_gpu_h", "server_price_usd", "life_years", "residual_share", "discount_share", "drift_share",
)  # fmt: skip
MORE: Final = (
    "contract_usd_per_gpu_h", "utilisation_kind", "availability_share", "gpus_per_node", "network_share",
    "storage_share", "spares_share", "install_share", "idle_kw", "load_kw", "rated_kw", "pue", "energy_usd_per_kwh",
    "colo_usd_per_kw_month", "colo_power", "staff_usd_per_node_year", "maintenance_share", "software_usd_per_gpu_h",
    "other_usd_per_gpu_h", "spot_save_min", "spot_restart_min", "spot_interval_h", "burst_load_gpus", "demand_gpus",
    "demand_sd_gpus", "demand_skew", "demand_seen_gpus", "correlation", "spread_share", "draws", "seed",
    "confirm_seeds",
)  # fmt: skip
_USED: Final = np.linspace(0.15, 1.0, 200)


def show() -> None:
    """Show what a used hour costs in each way, what moves it, and how much to reserve."""
    asked = assumed.current()
    found = price_owning(asked, assumed.today())
    chance = owning_chance(asked) if found.options.returns is not None else None
    sure = economics_chance.own_line(chance) if chance is not None else t("economics.sure.no_price")
    economics_view.answer(_sentence(found), sure, _rationale(found))
    _curve(asked, found)
    _parts(found)
    confirmed.beside("owning", asked)
    if chance is not None:
        economics_chance.owning(chance)
    _reserve(asked, found)
    _burst(asked, found)
    _spot(asked, found)
    economics_view.notes(found.notes)


def option(slug: str) -> str:
    """Return what a way to get a GPU hour is called."""
    return plain(f"economics.option.{slug}")


def _sentence(found: OwnOrRent) -> Text:
    names = list(found.options.prices)
    costs = [
        t("economics.rent.cost", name=option(name), usd=numbers.usd(usd)) for name, usd in found.options.prices.items()
    ]
    return t(
        "economics.rent.sentence",
        used=numbers.share(found.options.utilisation),
        best=option(names[0]),
        costs=Text(plain("tradeoffs.list").join(costs)),
    )


def _rationale(found: OwnOrRent) -> Text:
    choice = found.options
    if choice.returns is None or choice.breakeven is None:
        return t("economics.rent.say_no_price", own=numbers.usd(choice.own_usd))
    key = {"worth": "own", "not_worth": "rent", "marginal": "marginal"}[choice.returns.verdict]
    return t(
        f"economics.rent.say_{key}",
        breakeven=numbers.share(choice.breakeven),
        used=numbers.share(choice.utilisation),
        npv=numbers.usd(choice.returns.npv_usd),
        drift=numbers.share(assumed.current().number("drift_share")),
        payback=numbers.years(choice.returns.payback_years),
    )


def _curve(asked: Assumptions, found: OwnOrRent) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415  plotly comes with the first picture

    choice, other = found.options, asked.number("other_usd_per_gpu_h")
    scaled = {"own": choice.own_usd, "reserved": choice.reserved_usd, "contract": choice.contract_usd}
    lines = [
        pictures.Line(option(name), _USED, usd * choice.utilisation / _USED)
        for name, usd in scaled.items()
        if usd is not None
    ]
    flat = {"on_demand": choice.on_demand_usd, "spot": choice.spot_usd}
    lines += [pictures.Line(option(name), _USED, np.full_like(_USED, usd)) for name, usd in flat.items() if usd]
    known = [usd for usd in (*scaled.values(), *flat.values()) if usd is not None]
    figure = pictures.lines(
        lines,
        pictures.Axis(plain("economics.axis.used"), is_share=True),
        pictures.Axis(plain("economics.axis.usd_per_h")),
        pictures.Marks(choice.utilisation, plain("economics.here"), top=1.6 * max(known) + other),
    )
    key = "economics.rent.curve"
    if choice.breakeven is None:
        title = t(f"{key}_none", own=numbers.usd(choice.own_usd))
    elif choice.breakeven > 1:
        title = t(f"{key}_never", rent=numbers.usd(choice.on_demand_usd or 0.0))
    else:
        title = t(key, breakeven=numbers.share(choice.breakeven))
    economics_view.chart(figure, "cost", title, partial(_curve_table, lines))


def _curve_table(lines: "list[pictures.Line]") -> pd.DataFrame:
    return pd.DataFrame({plain("economics.axis.used"): _USED[::10]} | {line.name: line.y[::10] for line in lines})


def _parts(found: OwnOrRent) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    owning = found.owning
    named = {plain(f"economics.part.{name}"): usd for name, usd in owning.parts.items() if usd > 0}
    title = t(
        "economics.rent.parts",
        total=numbers.usd(owning.total_usd),
        capital=numbers.share(owning.capital_usd / owning.total_usd),
        power=numbers.share(owning.energy_usd / owning.total_usd),
    )
    figure = pictures.bars(named, plain("economics.axis.usd_per_year"), strong=list(named)[:1])
    economics_view.chart(figure, "parts", title)
    lives = [
        t("economics.rent.life", years=numbers.ratio(years), usd=numbers.usd(usd))
        for years, usd in found.by_life.items()
    ]
    st.markdown(t("economics.rent.lives", lives=Text(plain("tradeoffs.list").join(lives))))
    books = numbers.usd(owning.accounting_usd_per_available_gpu_h)
    st.caption(t("economics.rent.books", books=books, own=numbers.usd(owning.usd_per_available_gpu_h)))


def _reserve(asked: Assumptions, found: OwnOrRent) -> None:
    if found.normal is None or found.seen is None:
        return
    panels.heading(
        t("economics.rent.reserve", gpus=numbers.count(found.normal.gpus), share=numbers.share(found.normal.ratio))
    )
    for key, each in (("normal", found.normal), ("seen", found.seen)):
        st.markdown(
            t(
                f"economics.rent.{key}",
                gpus=numbers.count(each.gpus),
                usd=numbers.usd(each.usd_per_h),
                on_demand=numbers.usd(each.on_demand_usd_per_h),
                at_mean=numbers.usd(each.at_mean_usd_per_h),
            )
        )
    confirmed.beside("commitment", asked)


def _burst(asked: Assumptions, found: OwnOrRent) -> None:
    if found.burst is None:
        return
    st.markdown(
        t(
            "economics.rent.burst",
            load=numbers.gpus(asked.number("burst_load_gpus")),
            servers=numbers.count(found.burst.servers),
            overflow=numbers.ratio((1 - found.burst.own_share) * asked.number("burst_load_gpus")),
            usd=numbers.usd(found.burst.cost),
            cloud=numbers.usd(found.burst.rent_all),
        )
    )
    confirmed.beside("burst", asked)


def _spot(asked: Assumptions, found: OwnOrRent) -> None:
    choice = found.options
    if choice.spot_usd is None:
        return
    hours = t("value.none") if choice.spot_interval_h is None else numbers.ratio(choice.spot_interval_h)
    usd = numbers.usd(choice.spot_usd)
    st.markdown(t("economics.rent.spot", waste=numbers.share(choice.spot_waste), usd=usd, hours=hours))
    confirmed.beside("spot", asked)
