"""Economics: the promised wait of a dedicated cluster, by formula and as the simulator finds it."""

import time
from typing import Final

import streamlit as st

from dashboard import assumed, numbers
from dashboard import verdict as words
from dashboard.i18n import Text, t
from scheduler_core import DealWait, Estimate, Kept, confirm_deal

_ASKED: Final = "economics.confirm"
_INPUTS: Final = ("dedicated_gpus", "request_gpu_s", "requests_per_day", "peak_factor", "wait_limit_s")
_FOUND: Final[Kept[DealWait]] = Kept(50)
_SHOW_AFTER_S: Final = 1.0


def section() -> None:
    """Offer to run the promise, and show formula and simulation side by side with the gap in words."""
    asked = assumed.current()
    key = ":".join(f"{asked.number(slug):g}" for slug in _INPUTS)
    if st.session_state.get(_ASKED) != key:
        st.button(
            t("economics.confirm.button"),
            key="economics_confirm",
            icon=":material/play_arrow:",
            help=t("economics.confirm.help"),
            on_click=_ask,
            args=(key,),
        )
        return
    slot = st.empty()
    started_s = time.monotonic()

    def progress(share: float) -> bool:
        if time.monotonic() - started_s > _SHOW_AFTER_S:
            slot.progress(min(share, 1.0), text=t("progress.run", percent=f"{100 * share:.0f}"))
        return True

    found = _FOUND.get(key, lambda: confirm_deal(asked, progress=progress))
    slot.empty()
    _show(found)


def _ask(key: str) -> None:
    st.session_state[_ASKED] = key


def _show(found: DealWait) -> None:
    columns = st.columns(3)
    shown = (
        ("formula", words.value_text("ms", 1_000 * found.formula_s)),
        ("run", _mean(found.run_s)),
        ("equal", _mean(found.equal_s)),
    )
    for column, (name, value) in zip(columns, shown, strict=True):
        column.metric(t(f"economics.confirm.{name}"), value, border=True)
    key = "economics.confirm.agree" if found.is_confirmed else "economics.confirm.differ"
    st.markdown(
        t(
            key,
            formula=shown[0][1],
            run=shown[1][1],
            interval=_interval(found.run_s),
            equal=shown[2][1],
            limit=words.value_text("ms", 1_000 * found.limit_s),
        )
    )


def _mean(found: Estimate) -> Text:
    mean = None if found.mean is None else 1_000 * found.mean
    return words.value_text("ms", mean, is_bound=found.is_lower_bound)


def _interval(found: Estimate) -> Text:
    if found.mean is None or found.low is None or found.high is None:
        return Text("")
    return numbers.interval(1_000 * found.mean, 1_000 * found.low, 1_000 * found.high)
