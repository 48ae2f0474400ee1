"""Economics: what a change is worth, how far levers carry, and what would have to be true for a claim."""

from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from dashboard import assumed, confirmed, economics_view, numbers, panels
from dashboard.i18n import Text, plain, t
from scheduler_core import Audit, Change, price_change, price_claim

MAIN: Final = (
    "fleet_gpus", "fleet_usd_per_gpu_h", "used_before_share", "used_after_share", "mfu_before_share",
    "mfu_after_share", "mfu_saving_usd_per_year", "budget_ratio", "demand_ratio",
)  # fmt: skip
MORE: Final = (
    "scaling_gpus", "scaling_before_share", "scaling_after_share", "reserve_ratio", "spot_ratio", "spot_work_share",
)  # fmt: skip
CLAIM_MAIN: Final = ("claim_usd_per_day", "claim_gpus", "claim_gap_share", "claim_usd_per_gpu_h")
CLAIM_MORE: Final = ("crash_usd", "crash_h", "crash_save_h", "mfu_before_share", "mfu_after_share")


def show() -> None:
    """Show what better utilisation, MFU and scaling are worth, in both readings, and the staircase of levers."""
    asked = assumed.current()
    found = price_change(asked)
    gain = found.utilisation
    before, after = (numbers.share(asked.number(f"used_{when}_share")) for when in ("before", "after"))
    sentence = t(
        "economics.change.sentence",
        before=before,
        after=after,
        extra=numbers.usd(gain.extra_usd),
        avoided=numbers.usd(gain.avoided_usd),
    )
    sure = t("economics.change.sure", points=numbers.points(gain.points), ratio=numbers.share(gain.ratio, 3))
    economics_view.answer(sentence, sure, _rationale(found))
    _both(found)
    confirmed.beside("change", asked)
    _mfu(found)
    _scaling(found)
    confirmed.beside("speed", asked)
    staircase(found)
    economics_view.notes(found.notes)


def _rationale(found: Change) -> Text:
    gain = found.utilisation
    key = "economics.change.say" if gain.points > 0 else "economics.change.say_less"
    return t(
        key,
        extra_gpus=numbers.count(gain.extra_gpus),
        avoided_gpus=numbers.count(gain.avoided_gpus),
        extra=numbers.usd(gain.extra_usd),
        avoided=numbers.usd(gain.avoided_usd),
    )


def _both(found: Change) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415  plotly comes with the first picture

    gain = found.utilisation
    rows = {plain("economics.change.as_work"): gain.extra_usd, plain("economics.change.as_fleet"): gain.avoided_usd}
    title = t(
        "economics.change.both",
        extra=numbers.count(gain.extra_gpus),
        avoided=numbers.count(gain.avoided_gpus),
    )
    figure = pictures.bars(rows, plain("economics.axis.usd_per_year"), strong=list(rows)[:1])
    economics_view.chart(figure, "readings", title)


def _mfu(found: Change) -> None:
    asked, gain = assumed.current(), found.mfu
    panels.heading(t("economics.change.mfu", saved=numbers.share(gain.saved_share, 3)))
    claim = numbers.usd(asked.number("mfu_saving_usd_per_year"))
    if gain.implied_usd_per_year is None or gain.implied_gpus is None or gain.wrong_usd_per_year is None:
        st.markdown(t("economics.change.mfu_none"))
        return
    st.markdown(
        t(
            "economics.change.mfu_implied",
            claim=claim,
            spending=numbers.usd(gain.implied_usd_per_year),
            gpus=numbers.count(gain.implied_gpus),
            wrong=numbers.usd(gain.wrong_usd_per_year),
            points=numbers.points(gain.points),
            more=numbers.share(gain.more_work_share, 3),
        )
    )


def _scaling(found: Change) -> None:
    output, ideal, old = found.scaling
    st.markdown(
        t(
            "economics.change.scaling",
            output=numbers.share(output, 3),
            ideal=numbers.count(ideal),
            old=numbers.count(old),
        )
    )


def staircase(found: Change) -> None:
    """Show how far the levers reach when the budget falls and the demand grows."""
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    squeeze = found.squeeze
    steps = [(plain(f"economics.lever.{step.name}"), step.reached) for step in squeeze.steps]
    reached = numbers.ratio(squeeze.steps[-1].reached)
    key = "economics.squeeze.short" if squeeze.shed_share > 0 else "economics.squeeze.enough"
    title = t(key, needed=numbers.ratio(squeeze.needed), reached=reached, shed=numbers.share(squeeze.shed_share, 3))
    figure = pictures.staircase(steps, squeeze.needed, plain("economics.squeeze.needed"), plain("economics.axis.work"))
    economics_view.chart(figure, "squeeze", title, partial(_squeeze_table, found))
    confirmed.beside("squeeze", assumed.current())


def _squeeze_table(found: Change) -> pd.DataFrame:
    return pd.DataFrame(
        {
            plain("economics.table.lever"): [plain(f"economics.lever.{step.name}") for step in found.squeeze.steps],
            plain("economics.table.factor"): [step.factor for step in found.squeeze.steps],
            plain("economics.table.reached"): [step.reached for step in found.squeeze.steps],
        }
    )


# ---- claims -----------------------------------------------------------------------------------------------------


def show_claim() -> None:
    """Show what would have to be true for the claimed loss."""
    asked = assumed.current()
    found, notes = price_claim(asked)
    claim = asked.number("claim_usd_per_day")
    sentence = t(
        "economics.claim.plausible" if found.is_plausible else "economics.claim.sentence",
        claim=numbers.usd(claim),
        explained=numbers.usd(found.explained_usd_per_day),
        share=numbers.share(found.explained_share),
        price=numbers.usd(asked.number("claim_usd_per_gpu_h")),
    )
    sure = t(
        "economics.claim.sure",
        all=numbers.usd(found.all_lost_usd_per_gpu_h),
        gap=numbers.usd(found.gap_usd_per_gpu_h),
        gpus=numbers.count(found.gap_gpus),
    )
    economics_view.answer(sentence, sure, _claim_rationale(found, claim))
    _claim_bars(found, claim)
    panels.heading(
        t(
            "economics.claim.crash",
            claim=numbers.usd(asked.number("crash_usd")),
            price=numbers.usd(found.crash_usd_per_gpu_h),
            bound=numbers.usd(found.crash_bound_usd),
        )
    )
    st.caption(t("economics.claim.crash_note"))
    confirmed.beside("claim", asked)
    economics_view.notes(notes)


def _claim_rationale(found: Audit, claim: float) -> Text:
    key = "economics.claim.say_yes" if found.is_plausible else "economics.claim.say"
    return t(
        key,
        claim=numbers.usd(claim),
        explained=numbers.usd(found.explained_usd_per_day),
        all=numbers.usd(found.all_lost_usd_per_gpu_h),
        gap=numbers.usd(found.gap_usd_per_gpu_h),
    )


def _claim_bars(found: Audit, claim: float) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    rows = {
        plain("economics.claim.claimed"): claim,
        plain("economics.claim.explained"): found.explained_usd_per_day,
    }
    title = t("economics.claim.bars", share=numbers.share(found.explained_share))
    figure = pictures.bars(rows, plain("economics.axis.usd_per_day"), strong=list(rows)[1:])
    economics_view.chart(figure, "claim", title)
