"""Plan: slots for a promise about waiting, where waiting comes from, and the urgent before the patient."""

from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import assumed, confirmed, economics_view, numbers, plan_view, service, state
from dashboard.i18n import Text, plain, t
from scheduler_core import (
    AddedSlots,
    CauseStudy,
    ClassStudy,
    SizePlan,
    add_slots,
    attribute_wait,
    plan_classes,
    plan_pool,
    plan_size,
    study_classes,
)

MAIN: Final = (
    "slots_now", "job_gpus", "jobs_per_day", "run_time", "peak_ratio", "wait_measure", "wait_limit", "waiting_share",
)  # fmt: skip
MORE: Final = (
    "run_time_scv", "arrival_scv", "tail_scv", "gang_slots", "fences", "pool_loads", "confirm_seeds",
)  # fmt: skip
CLASSES: Final = ("class_slots", "urgent_per_day", "patient_per_day", "class_run_time")
_HOUR_MS: Final = 3_600_000


def show() -> None:
    """Show how many slots keep the promise, what simulation adds, and what pooling saves."""
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    asked = assumed.current()
    found = plan_size(asked)
    plan_view.answer(found.notes, t("plan.size.sure"), _size_rationale(found))
    is_share = found.demand.measure == "any"
    scale = 1.0 if is_share else 1 / _HOUR_MS
    x = np.array([slots for slots, _ in found.curve], dtype=np.float64)
    y = np.array([value * scale for _, value in found.curve])
    target = found.demand.target * scale
    measure = plain(f"assume.wait_measure.{found.demand.measure}")
    marks = pictures.Marks(
        at=float(found.slots), at_name=plain("plan.size.here", slots=found.slots),
        levels=[(target, plain("plan.size.target"))], top=max(4 * target, 1e-6),
    )  # fmt: skip
    figure = pictures.lines(
        [pictures.Line(measure, x, y)],
        pictures.Axis(plain("plan.axis.slots")),
        pictures.Axis(measure if is_share else plain("plan.axis.hours", name=measure), is_share),
        marks,
    )
    title = t(
        "plan.size.title",
        slots=found.slots,
        less=found.slots - 1,
        reached=_said(found, found.reached),
        below=_said(found, found.one_less),
        use=numbers.share(found.use),
    )
    plan_view.chart(figure, "size", title, partial(_size_table, found))
    plan_view.take_into_scenario(found.gpus)
    plan_view.notes(found.notes)
    for each in confirmed.found("size", asked):
        confirmed.confirmation(each)
    added = confirmed.simulated("added", asked.digest, lambda note: add_slots(asked, progress=note))
    if added is not None:
        _added(added)
    st.markdown(assumed.say(plan_pool(asked).notes[0]))
    for each in confirmed.found("pool", asked):
        st.markdown(t("plan.pool.slots", n=each.label))
        confirmed.confirmation(each)


def _size_rationale(found: SizePlan) -> Text:
    extra = found.slots - found.slots_now
    return t(
        "plan.size.say_more" if extra > 0 else "plan.size.say_enough",
        slots=numbers.count(found.slots),
        gpus=numbers.count(found.gpus),
        extra=numbers.count(abs(extra)),
        use=numbers.share(found.use),
        below=_said(found, found.one_less),
    )


def _said(found: SizePlan, value: float | None) -> Text:
    return confirmed.value_text("share" if found.demand.measure == "any" else "ms", value)


def _size_table(found: SizePlan) -> pd.DataFrame:
    name = plain(f"assume.wait_measure.{found.demand.measure}")
    unit = "" if found.demand.measure == "any" else " (ms)"
    slots, values = zip(*found.curve, strict=True)
    return pd.DataFrame({plain("plan.axis.slots"): slots, f"{name}{unit}": values})


def _added(found: tuple[AddedSlots, ...]) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    rows = {plain(f"plan.added.{each.stage}"): float(each.slots) for each in found}
    figure = pictures.bars(rows, plain("plan.axis.slots"), strong=[plain(f"plan.added.{found[-1].stage}")])
    extra = sum(each.added_gpus for each in found)
    title = t("plan.added.title", gpus=numbers.count(extra), first=found[0].slots, last=found[-1].slots)

    def table() -> pd.DataFrame:
        return pd.DataFrame(
            {
                plain("plan.table.what"): list(rows),
                plain("plan.axis.slots"): [each.slots for each in found],
                plain("plan.table.added"): [each.added_gpus for each in found],
            }
        )

    plan_view.chart(figure, "added", title, table)


# ---- where waiting comes from -----------------------------------------------------------------------------------


def show_causes() -> None:
    """Show where the waiting of the scenario comes from, once it is asked for."""
    scenario = state.current()
    load = service.offered_share(scenario) or 0.0
    key = service.key_of(scenario)
    slot = st.container()
    found = confirmed.simulated("causes", key, lambda note: attribute_wait(scenario, progress=note))
    with slot:
        if found is None:
            told = {"load": numbers.share(load)}
            economics_view.answer(t("plan.causes.ask", **told), t("plan.causes.sure"), t("plan.causes.say_ask", **told))
        else:
            _causes(found)


def _causes(found: CauseStudy) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    last = found.steps[-1].wait.mean or 0.0
    told = {"load": numbers.share(found.load_share), "wait": numbers.duration(last)}
    if last > 0:
        main = found.main.stage
        told |= {"added": numbers.duration(found.main.added_ms), "cause": Text(plain(f"plan.causes.{main}"))}
        sentence, kind = t("plan.causes.answer", **told), "capacity" if main == "capacity" else "rule"
    else:
        sentence, kind = t("plan.causes.nobody", **told), "nobody"
    formula = t("plan.no_value") if found.formula_ms is None else numbers.duration(found.formula_ms)
    economics_view.answer(sentence, t("plan.causes.formula", wait=formula), t(f"plan.causes.say_{kind}", **told))
    rows = {plain(f"plan.causes.{each.stage}"): (each.wait.mean or 0.0) / _HOUR_MS for each in found.steps}
    figure = pictures.bars(rows, plain("plan.axis.wait_h"), strong=[plain(f"plan.causes.{found.main.stage}")])
    title = t("plan.causes.title", first=numbers.duration(found.steps[0].wait.mean or 0.0), last=numbers.duration(last))

    def table() -> pd.DataFrame:
        return pd.DataFrame(
            {
                plain("plan.table.what"): list(rows),
                plain("plan.table.wait"): [each.wait.mean for each in found.steps],
                plain("plan.table.added_ms"): [each.added_ms for each in found.steps],
            }
        )

    plan_view.chart(figure, "causes", title, table)


# ---- urgent and patient -----------------------------------------------------------------------------------------


def show_classes() -> None:
    """Show who waits how long when the urgent go first, and what reserving slots for the patient does."""
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    asked = assumed.current()
    found = plan_classes(asked)
    told = {"urgent": numbers.duration(found.urgent_ms), "patient": numbers.duration(found.patient_ms)}
    fifo = numbers.duration(found.fifo_ms)
    plan_view.answer(found.notes, t("plan.classes.sure"), t("plan.classes.say", fifo=fifo, **told))
    waits = {"urgent": found.urgent_ms, "patient": found.patient_ms, "fifo": found.fifo_ms}
    rows = {plain(f"plan.classes.{name}"): wait / _HOUR_MS for name, wait in waits.items()}
    ratio = found.patient_ms / found.urgent_ms if found.urgent_ms else 0.0
    figure = pictures.bars(rows, plain("plan.axis.wait_h"), strong=[plain("plan.classes.patient")])
    plan_view.chart(figure, "classes", t("plan.classes.title", ratio=Text(numbers.digits(ratio))))
    plan_view.notes(found.notes)
    study = confirmed.simulated("classes", asked.digest, lambda note: study_classes(asked, progress=note))
    if study is not None:
        for each in study.confirmations:
            st.markdown(t(f"plan.classes.{each.label}"))
            confirmed.confirmation(each)
        _reserved(study)


def _reserved(study: ClassStudy) -> None:
    from dashboard import economics_charts as pictures  # noqa: PLC0415

    x = np.array([each.share for each in study.reserved])
    lines = [
        pictures.Line(
            plain(f"plan.classes.{name}"),
            x,
            np.array([(getattr(each, name).mean or 0.0) / _HOUR_MS for each in study.reserved]),
        )
        for name in ("urgent", "patient")
    ]
    figure = pictures.lines(
        lines, pictures.Axis(plain("plan.axis.reserved"), is_share=True), pictures.Axis(plain("plan.axis.wait_h")),
        pictures.Marks(),
    )  # fmt: skip
    first, last = study.reserved[0], study.reserved[-1]
    title = t(
        "plan.classes.reserved",
        share=numbers.share(last.share),
        before=numbers.duration(first.patient.mean or 0.0),
        after=numbers.duration(last.patient.mean or 0.0),
        cost=numbers.duration(last.urgent.mean or 0.0),
        was=numbers.duration(first.urgent.mean or 0.0),
    )

    def table() -> pd.DataFrame:
        return pd.DataFrame(
            {
                plain("plan.axis.reserved"): [each.share for each in study.reserved],
                plain("plan.classes.urgent"): [each.urgent.mean for each in study.reserved],
                plain("plan.classes.patient"): [each.patient.mean for each in study.reserved],
            }
        )

    plan_view.chart(figure, "reserved", title, table)
