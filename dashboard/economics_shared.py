"""Economics: which work first, who pays for what is shared, and what evictions, neighbours and outages cost."""

from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from dashboard import assumed, confirmed, economics_view, numbers, panels
from dashboard.i18n import Text, escape, plain, t
from scheduler_core import Bill, Ordering, Sharing, price_delay, price_sharing

DELAY_MAIN: Final = ("delay_work", "rescue_gpus", "gpu", "on_demand_usd_per_gpu_h")
DELAY_MORE: Final = (
    "preempt_gpus", "preempt_interval_h", "preempt_save_h", "preempt_restart_h", "preempt_before_share",
    "preempt_after_share", "preempt_used_share", "tasks_per_day", "task_h", "fleet_gpus", "used_after_share",
    "confirm_seeds", "seed",
)  # fmt: skip
BILL_MAIN: Final = ("bill_tenants", "bill_usd", "bill_gpu_h", "idle_rule")
BILL_MORE: Final = (
    "active_share", "mfu_before_share",
    "packed_before_share", "packed_after_share", "slowdown_share", "slo_fee_usd", "slo_outage_min", "slo_period_min",
    "confirm_seeds", "seed",
)  # fmt: skip


def show_delay() -> None:
    """Show which work comes first and when that would change, and what renting for it would cost."""
    found, rescue = price_delay(assumed.current())
    first = escape(found.order[0].name)
    others = found.worst_usd - found.usd
    sentence = t("economics.delay.sentence", first=first, usd=numbers.usd(found.usd), saved=numbers.usd(others))
    flips = found.flips_below_usd_per_day
    sure = (
        t("economics.delay.alone")
        if flips is None
        else t("economics.delay.sure", first=first, flips=numbers.usd(flips), share=_of_claim(found))
    )
    if rescue is None or rescue.share_of_delay is None:
        rationale = t("economics.delay.say_only", first=first)
    else:
        rationale = t(
            "economics.delay.say_rent" if rescue.share_of_delay < 1 else "economics.delay.say_wait",
            first=first,
            usd=numbers.usd(rescue.usd_per_day),
            share=numbers.share(rescue.share_of_delay),
        )
    economics_view.answer(sentence, sure, rationale)
    _orders(found)
    confirmed.beside("delay", assumed.current())
    _threshold(price_sharing(assumed.current()))


def _of_claim(found: Ordering) -> Text:
    first = found.order[0].usd_per_day
    return numbers.share((found.flips_below_usd_per_day or 0.0) / first, 3) if first else t("value.none")


def _orders(found: Ordering) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415  plotly comes with the first picture

    arrow = " \u2192 "
    rows = {
        arrow.join(work.name for work in found.order): found.usd,
        arrow.join(work.name for work in found.order[::-1]): found.worst_usd,
    }
    title = t("economics.delay.bars", first=escape(found.order[0].name))
    figure = pictures.bars(rows, plain("economics.axis.usd"), strong=list(rows)[:1])
    economics_view.chart(figure, "delay", title, partial(_work_table, found))


def _work_table(found: Ordering) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("economics.table.work"): [work.name for work in found.order],
            plain("economics.table.per_day"): [work.usd_per_day for work in found.order],
            plain("economics.table.days"): [work.days for work in found.order],
            plain("economics.table.weight"): [work.weight for work in found.order],
        }
    )


def _threshold(sharing: Sharing) -> None:
    found = sharing.threshold
    if found.breakeven_gpu_h is None:
        panels.heading(t("economics.threshold.none"))
        return
    key = "economics.threshold.pays" if found.pays else "economics.threshold.not"
    panels.heading(t(key, loss=numbers.ratio(found.loss_gpu_h), breakeven=numbers.ratio(found.breakeven_gpu_h)))
    st.markdown(
        t(
            "economics.threshold.note",
            breakeven=numbers.ratio(found.breakeven_gpu_h),
            mean=numbers.ratio(found.mean_task_gpu_h),
            loss=numbers.ratio(found.loss_gpu_h),
            grace=numbers.ratio(found.grace_loss_gpu_h),
        )
    )
    confirmed.beside("evictions", assumed.current())


# ---- bills ------------------------------------------------------------------------------------------------------


def show_bill() -> None:
    """Show what each tenant pays, and what sharing loses."""
    asked = assumed.current()
    found = price_sharing(asked)
    rule = asked.word("idle_rule")
    bill = found.bills[rule]
    idle = bill.idle_usd / asked.number("bill_usd") if asked.number("bill_usd") else 0.0
    most = max(bill.share_of_idle_usd, key=lambda name: bill.share_of_idle_usd[name])
    sentence = t(
        "economics.bill.sentence",
        rate=numbers.usd(bill.rate_usd),
        idle=numbers.usd(bill.idle_usd),
        share=numbers.share(idle),
        most=escape(most),
        usd=numbers.usd(bill.share_of_idle_usd[most]),
    )
    rationale = t("economics.bill.say", idle=numbers.share(idle), most=escape(most))
    economics_view.answer(sentence, t("economics.bill.sure"), rationale)
    _bars(bill)
    st.dataframe(_bill_table(found), hide_index=True, key="economics_bills")
    confirmed.beside("bill", asked)
    st.markdown(
        t(
            "economics.bill.effective",
            allocated=numbers.share(found.allocated_share, 3),
            effective=numbers.share(found.effective_share, 3),
            active=numbers.share(asked.number("active_share")),
            mfu=numbers.share(asked.number("mfu_before_share")),
        )
    )
    _sharing(found)
    economics_view.notes(found.notes)


def _bars(bill: Bill) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    names = list(bill.direct_usd)
    parts = {
        plain("economics.bill.direct"): [bill.direct_usd[name] for name in names],
        plain("economics.bill.idle"): [bill.share_of_idle_usd[name] for name in names],
    }
    rule = t(f"assume.idle_rule.{bill.rule}")
    figure = pictures.stacked(names, parts, plain("economics.axis.usd"))
    economics_view.chart(figure, "bill", t("economics.bill.bars", rule=rule))


def _bill_table(found: Sharing) -> pd.DataFrame:
    first = next(iter(found.bills.values()))
    table: dict[str, list[str]] = {
        plain("table.tenant"): [panels.safe_cell(name) for name in first.direct_usd],
        plain("economics.bill.direct"): [str(numbers.usd(usd)) for usd in first.direct_usd.values()],
    }
    for rule, bill in found.bills.items():
        table[plain(f"assume.idle_rule.{rule}")] = [str(numbers.usd(usd)) for usd in bill.total_usd.values()]
    return pd.DataFrame(table)


def _sharing(found: Sharing) -> None:
    asked = assumed.current()
    before, after = (numbers.share(asked.number(f"packed_{when}_share")) for when in ("before", "after"))
    panels.heading(
        t(
            "economics.packing.title",
            gain=numbers.share(found.packing_gain, 3),
            slowdown=numbers.share(asked.number("slowdown_share")),
        )
    )
    st.markdown(
        t("economics.packing.note", before=before, after=after, most=numbers.share(found.breakeven_slowdown, 3))
    )
    confirmed.beside("packing", asked)
    st.markdown(
        t(
            "economics.slo.note",
            outage=numbers.ratio(asked.number("slo_outage_min")),
            credit=numbers.usd(found.credit_usd),
            allowed=numbers.ratio(found.allowed_min),
        )
    )
    confirmed.beside("credit", asked)
