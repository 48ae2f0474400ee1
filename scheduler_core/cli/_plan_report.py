"""What `plan` prints: a sentence and a table a topic, one document for machines."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from scheduler_core.cli._confirm import told
from scheduler_core.cli._tables import table
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.changes import squeeze
from scheduler_core.economics.notes import written
from scheduler_core.economics.plan_fleet import plan_burst, plan_growth, plan_spares, plan_zones
from scheduler_core.economics.plan_size import plan_classes, plan_pool, plan_size
from scheduler_core.units import MS_PER_UNIT, format_duration, format_number, format_share

HEAD = ("what", "")


def _size(asked: Assumptions) -> list[str]:
    found = plan_size(asked)
    near = [
        (f"{slots:,}", written(found.demand.say(value)))
        for slots, value in found.curve
        if abs(slots - found.slots) <= 4
    ]
    rows = [("average load, slots", format_number(found.demand.load)), ("busy at the peak", format_share(found.use))]
    return [*told(found.notes), table(HEAD, rows), table(("slots", found.demand.measure), near)]


def _classes(asked: Assumptions) -> list[str]:
    found = plan_classes(asked)
    rows = [
        ("urgent", format_number(found.loads[0]), format_duration(found.urgent_ms)),
        ("patient", format_number(found.loads[1]), format_duration(found.patient_ms)),
        ("first come first served", format_number(sum(found.loads)), format_duration(found.fifo_ms)),
    ]
    return [*told(found.notes), table(("class", "load", "mean wait"), rows)]


def _growth(asked: Assumptions) -> list[str]:
    found = plan_growth(asked)
    is_full = math.isfinite(found.full_months)
    rows = [
        ("full in, months", format_number(found.full_months) if is_full else "never"),
        ("delivery takes, months", format_number(found.lead_months)),
        ("order within, months", format_number(found.order_months) if is_full else "none needed"),
        ("GPUs needed at delivery", f"{found.needed_gpus:,.0f}"),
        ("chance to run short", format_share(found.short_share)),
        ("rent until delivery, median, USD", format_number(found.bridge_usd[0])),
        ("rent until delivery, 5 % exceed, USD", format_number(found.bridge_usd[1])),
        ("late order: GPU-months short", format_number(found.late_gpu_months)),
        ("late order: rent, USD", format_number(found.late_usd)),
    ]
    return [*told(found.notes), table(HEAD, rows)]


def _spares(asked: Assumptions) -> list[str]:
    found = plan_spares(asked)
    rows = [(format_share(share, 2), f"{count:,}") for share, count in found.by_cover.items()]
    hours = MS_PER_UNIT["h"]
    saves = [(name, format_duration(each * hours)) for name, each in found.interval_h.items()]
    return [*told(found.notes), table(("time covered", "spare nodes"), rows), table(("save every", ""), saves)]


def _zones(asked: Assumptions) -> list[str]:
    found = plan_zones(asked)
    rows = [(f"{zones}", f"{gpus:,}") for zones, gpus in found.by_zones.items()]
    return [*told(found.notes), table(("zones", "GPUs in all"), rows)]


def _burst(asked: Assumptions) -> list[str]:
    found = plan_burst(asked)
    rows = [("own, USD a GPU hour", format_number(found.own_usd)), ("rent", format_number(found.rent_usd))]
    return [*told(found.notes), table(HEAD, rows)]


def _squeeze(asked: Assumptions) -> list[str]:
    found = squeeze(asked)
    rows = [(step.name, format_number(step.factor), format_number(step.reached, 4)) for step in found.steps]
    needed, shed = format_number(found.needed), format_share(found.shed_share)
    said = f"{needed} times the work for a dollar is needed; {shed} is left to shed or defer."
    return [said, table(("lever", "factor", "reached"), rows)]


TOPICS: dict[str, tuple[Callable[[Assumptions], list[str]], Callable[[Assumptions], object]]] = {
    "size": (_size, plan_size),
    "pool": (lambda asked: told(plan_pool(asked).notes), plan_pool),
    "classes": (_classes, plan_classes),
    "growth": (_growth, plan_growth),
    "spares": (_spares, plan_spares),
    "zones": (_zones, plan_zones),
    "burst": (_burst, plan_burst),
    "squeeze": (_squeeze, squeeze),
}
"""Topic -> its text, its numbers."""


def plan_text(asked: Assumptions, topics: Sequence[str]) -> str:
    """Return the answers for a terminal."""
    changed = ", ".join(asked.texts()) or "nothing"
    parts = [f"Inputs {asked.digest[:8]}; changed: {changed}."]
    parts += ["\n\n".join([f"{topic.upper()}", *TOPICS[topic][0](asked)]) for topic in topics]
    return "\n\n".join(parts)


def plan_document(asked: Assumptions, topics: Sequence[str]) -> dict[str, Any]:
    """Return the answers for machines; times in ms, months and hours as the names say."""
    found: dict[str, Any] = {}
    for topic in topics:
        numbers = dict(vars(TOPICS[topic][1](asked)))
        notes = numbers.pop("notes", ())
        found[topic] = {**numbers, "says": [note.text() for note in notes if not note.is_warning]}
        found[topic]["warnings"] = [note.text() for note in notes if note.is_warning]
    return {"inputs": asked.values(), "changed": asked.texts(), "hash": asked.digest, "topics": found}
