"""Plan: growth and the order date, spares, a lost zone, burst to a cloud, and less money for more demand."""

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import assumed, confirmed, economics_change, economics_view, numbers, plan_view
from dashboard.i18n import Text, plain, t
from scheduler_core import (
    GrowthPlan,
    plan_burst,
    plan_growth,
    plan_spares,
    plan_zones,
    price_change,
)

GROWTH: Final = ("demand_now_gpus", "capacity_now_gpus", "busy_share", "growth_share", "lead_weeks", "months_late")
GROWTH_MORE: Final = (
    "growth_sd_share", "growth_noise_share", "lead_low_weeks", "lead_high_weeks", "on_demand_usd_per_gpu_h", "draws",
    "seed", "confirm_seeds",
)  # fmt: skip
SPARES: Final = ("spare_nodes_of", "gpus_per_node", "failures_per_node_day", "repair_days", "covered_share")
SAVES: Final = (
    "long_job_nodes", "save_time", "restart_time", "rack_nodes", "rack_share", "failure_shape", "confirm_seeds", "seed",
)  # fmt: skip
ZONES: Final = ("zones", "zone_need_gpus", "busy_share", "zone_load_jobs", "zone_waiting_share")
BURST: Final = ("burst_load_gpus", "on_demand_usd_per_gpu_h", "server_price_usd", "life_years")
BURST_MORE: Final = (
    "discount_share", "residual_share", "colo_usd_per_kw_month", "availability_share", "confirm_seeds",
)  # fmt: skip
SQUEEZE: Final = ("budget_ratio", "demand_ratio", "used_before_share", "used_after_share")
SQUEEZE_MORE: Final = ("mfu_before_share", "mfu_after_share", "reserve_ratio", "spot_ratio", "spot_work_share")

_HOUR_MS: Final = 3_600_000
_ABOVE_ALL: Final = 1.12
"""Upper end of an axis of shares, so that a line at 100 % leaves the words at the top free."""


def show_growth() -> None:
    """Show when the capacity is full, by when to order, and what being late costs."""
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    asked = assumed.current()
    found = plan_growth(asked)
    sure = t("plan.growth.sure", n=numbers.count(asked.number("draws")))
    plan_view.answer(found.notes, sure, _growth_rationale(found, asked.number("capacity_now_gpus")))
    months = np.array(found.months)
    have = asked.number("capacity_now_gpus")
    figure = pictures.lines(
        [
            pictures.Line(plain("plan.growth.needed"), months, np.array(found.demand_gpus)),
            pictures.Line(plain("plan.growth.have"), months, np.full(months.shape, have)),
        ],
        pictures.Axis(plain("plan.axis.months")),
        pictures.Axis(plain("plan.axis.gpus")),
        pictures.Marks(at=found.lead_months, at_name=plain("plan.growth.delivery")),
    )
    title = t(
        "plan.growth.title",
        late=Text(numbers.digits(asked.number("months_late"))),
        months=numbers.count(found.late_gpu_months),
        usd=numbers.usd(found.late_usd),
        median=numbers.usd(found.bridge_usd[0]),
        high=numbers.usd(found.bridge_usd[1]),
    )

    def table() -> pd.DataFrame:
        return pd.DataFrame({plain("plan.axis.months"): months, plain("plan.growth.needed"): found.demand_gpus})

    plan_view.chart(figure, "growth", title, table)
    plan_view.notes(found.notes)
    confirmed.beside("growth", asked)


def _growth_rationale(found: GrowthPlan, have: float) -> Text:
    key = "never" if np.isinf(found.full_months) else "late" if found.order_months < 0 else "ahead"
    told = {} if key == "never" else {"months": Text(numbers.digits(abs(found.order_months)))}
    return t(
        f"plan.growth.say_{key}",
        **told,
        gpus=numbers.count(max(0.0, found.needed_gpus - have)),
        median=numbers.usd(found.bridge_usd[0]),
        high=numbers.usd(found.bridge_usd[1]),
    )


def show_spares() -> None:
    """Show how many spare nodes keep the others running, and how often to save."""
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    asked = assumed.current()
    found = plan_spares(asked)
    told = {"spares": numbers.count(found.spares), "gpus": numbers.count(found.sellable_gpus)}
    cover = numbers.share(asked.number("covered_share"), 4)
    save = numbers.duration(_HOUR_MS * found.interval_h["best"])
    plan_view.answer(found.notes, t("plan.spares.sure"), t("plan.spares.say", cover=cover, save=save, **told))
    counts, shares = (np.array(part, dtype=np.float64) for part in zip(*found.curve, strict=True))
    figure = pictures.lines(
        [pictures.Line(plain("plan.spares.cover"), counts, shares)],
        pictures.Axis(plain("plan.axis.spares")),
        pictures.Axis(plain("plan.spares.cover"), is_share=True),
        pictures.Marks(at=float(found.spares), at_name=plain("plan.spares.here", spares=found.spares), top=_ABOVE_ALL),
    )
    steps = [t("plan.spares.step", share=numbers.share(share, 4), n=count) for share, count in found.by_cover.items()]
    plan_view.chart(figure, "spares", t("plan.spares.title", steps=Text(plain("tradeoffs.list").join(steps))))
    plan_view.notes(found.notes)
    rows = {name: numbers.duration(hours * _HOUR_MS, 3) for name, hours in found.interval_h.items()}
    confirmed.beside("spares", asked)
    st.markdown(t("plan.spares.intervals", waste=numbers.share(found.waste, 3), **rows))
    saved = confirmed.found("saves", asked)
    if saved:
        best = max(saved[:3], key=lambda each: each.found.mean or 0.0)
        st.markdown(
            t("plan.saves.best", name=t(f"plan.trial.{best.label}"), share=numbers.share(best.found.mean or 0.0, 3))
        )
        confirmed.confirmations(saved)


def show_zones() -> None:
    """Show what survives the loss of a zone."""
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    asked = assumed.current()
    found = plan_zones(asked)
    need, servers = asked.number("zone_need_gpus"), found.slots
    extra = {"extra": numbers.count(found.total_gpus - need), "apart": numbers.count(servers.separate - servers.pooled)}
    total = numbers.count(found.total_gpus)
    plan_view.answer(found.notes, t("plan.zones.sure"), t("plan.zones.say", n=found.zones, total=total, **extra))
    rows = {plain("plan.zones.n", n=count): float(gpus) for count, gpus in found.by_zones.items()}
    figure = pictures.bars(rows, plain("plan.axis.gpus"), strong=[plain("plan.zones.n", n=found.zones)])
    first, last = next(iter(found.by_zones.items())), list(found.by_zones.items())[-1]
    title = t(
        "plan.zones.title", few=first[0], few_gpus=numbers.count(first[1]), many=last[0],
        many_gpus=numbers.count(last[1]),
    )  # fmt: skip
    plan_view.chart(figure, "zones", title)
    for each in confirmed.found("zones", asked):
        st.markdown(t(f"plan.zones.{each.label}"))
        confirmed.confirmation(each)


def show_burst() -> None:
    """Show how much to own when the rest is rented by the hour."""
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    asked = assumed.current()
    found = plan_burst(asked)
    told = {"n": numbers.count(found.best.servers), "cost": numbers.usd(found.best.cost)}
    rent_all = numbers.usd(found.best.rent_all)
    plan_view.answer(found.notes, t("plan.burst.sure"), t("plan.burst.say", all=rent_all, **told))
    owned, cost = (np.array(part, dtype=np.float64) for part in zip(*found.curve, strict=True))
    figure = pictures.lines(
        [pictures.Line(plain("plan.burst.cost"), owned, cost)],
        pictures.Axis(plain("plan.axis.owned")),
        pictures.Axis(plain("plan.burst.cost")),
        pictures.Marks(at=float(found.best.servers), at_name=plain("plan.burst.here", n=found.best.servers)),
    )
    saved = 1 - found.best.cost / found.best.rent_all
    title = t(
        "plan.burst.title",
        saved=numbers.share(saved),
        own=Text(numbers.digits(found.own_usd)),
        rent=Text(numbers.digits(found.rent_usd)),
    )

    def table() -> pd.DataFrame:
        return pd.DataFrame({plain("plan.axis.owned"): owned, plain("plan.burst.cost"): cost})

    plan_view.chart(figure, "burst", title, table)
    for each in confirmed.found("burst", asked):
        st.markdown(t("plan.burst.rented"))
        confirmed.confirmation(each)


def show_squeeze() -> None:
    """Show how far the levers reach when the budget falls and the demand grows."""
    found = price_change(assumed.current())
    squeeze = found.squeeze
    shed = numbers.share(squeeze.shed_share, 3)
    key = "plan.squeeze.short" if squeeze.shed_share > 0 else "plan.squeeze.enough"
    reached = Text(numbers.digits(squeeze.steps[-1].reached))
    told = {"needed": Text(numbers.digits(squeeze.needed)), "reached": reached, "shed": shed}
    say = f"plan.squeeze.say_{'short' if squeeze.shed_share > 0 else 'enough'}"
    economics_view.answer(t(key, **told), t("plan.squeeze.sure"), t(say, **told))
    economics_change.staircase(found)
