"""What `price` prints: tables for people, one document for machines."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from scheduler_core.cli._output import Cell
from scheduler_core.cli._tables import table
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.chance import Spread
from scheduler_core.economics.notes import Note
from scheduler_core.economics.price import (
    deal_chance,
    owning_chance,
    price_change,
    price_claim,
    price_deal,
    price_delay,
    price_owning,
    price_sharing,
)
from scheduler_core.economics.table import assumption_rows, assumption_units
from scheduler_core.units import format_number, format_share

TOPICS = ("deal", "rent", "change", "claim", "delay", "bill")
INPUT_HEADER = ("input", "value", "default", "low", "high", "unit", "date", "source", "what it is")
NEVER = "never"
Lines = list[str]


def _usd(value: float | None) -> str:
    return "-" if value is None else f"{format_number(value)} USD"


def _years(value: float | None) -> str:
    return NEVER if value is None else f"{format_number(value)} years"


def _volume(value: float | None) -> str:
    return NEVER if value is None else f"{value:,.0f}"


def _pairs(*pairs: tuple[str, str]) -> str:
    return table(("what it implies", ""), pairs)


def _said(notes: Sequence[Note]) -> Lines:
    return [f"{'Warning' if note.is_warning else 'Note'}: {note.text()}" for note in notes]


def _spread(spread: Spread, hurdle: float | None = None) -> str:
    low, middle, high = (format_number(each) for each in (spread.p5, spread.p50, spread.p95))
    reached = "" if hurdle is None else f", at least {format_number(hurdle)} in {format_share(spread.hurdle_share)}"
    return (
        f"{spread.n_draws:,} draws: above 0 in {format_share(spread.above_share)}{reached}; "
        f"5, 50, 95 %: {low}, {middle}, {high}."
    )


def _deal(asked: Assumptions, today: date) -> Lines:
    found, chance = price_deal(asked, today), deal_chance(asked)
    hurdle = found.chosen.hurdle
    rows = [
        (
            each.name,
            _volume(each.breakeven_per_day),
            _volume(each.hurdle_per_day),
            _volume(each.terms.cap_per_day),
            format_number(each.terms.roi_max),
            "reachable" if each.is_reachable else "out of reach",
        )
        for each in found.readings
    ]
    sizes, year, bought = found.isolation, found.year, found.purchase
    head = ("reading", "breakeven a day", f"ROI {format_number(hurdle)} a day", "most a day", "highest ROI", "")
    terms = found.chosen.terms
    return [
        (
            f"A dedicated cluster: ROI {format_number(round(found.chosen.roi, 6))} on {terms.denominator} cost at "
            f"{asked.number('requests_per_day'):,.0f} requests a day; fixed cost {_usd(terms.fixed_usd)} a day."
        ),
        table(head, rows),
        "R1 new revenue on fixed cost, R2 the customer moved, R2' on total cost, R2'' heavier requests.",
        (
            f"For the same waits: {sizes.own_gpus} GPUs alone, {sizes.shared_marginal_gpus} more in the shared pool; "
            f"standing apart costs {_usd(sizes.premium_usd_per_day)} a day."
        ),
        found.opportunity.note.text(),
        f"A year against sharing: {_usd(year.value_usd)} more, {_usd(year.cost_usd)} dearer, net {_usd(year.net_usd)}.",
        (
            f"Bought instead: NPV {_usd(bought.npv_usd)}, payback {_years(bought.payback_years)}, discounted "
            f"{_years(bought.discounted_payback_years)}, IRR {', '.join(map(format_share, bought.irr)) or 'none'}."
        ),
        _spread(chance.spread, hurdle),
        *_said(found.notes),
    ]


def _rent(asked: Assumptions, today: date) -> Lines:
    found = price_owning(asked, today)
    choice, owning = found.options, found.owning
    lives = ", ".join(f"{years:g}: {_usd(usd)}" for years, usd in found.by_life.items())
    lines = [
        f"A used GPU hour at {format_share(choice.utilisation)} use, the cheapest first:",
        table(
            ("option", "USD", "price"),
            [(name, format_number(usd), _kind(asked, name)) for name, usd in choice.prices.items()],
        ),
        (
            f"A node costs {_usd(owning.total_usd)} a year; an available GPU hour "
            f"{_usd(owning.usd_per_available_gpu_h)} "
            f"({_usd(owning.accounting_usd_per_available_gpu_h)} in the books, straight line)."
        ),
        f"An available GPU hour by life in years: {lives}.",
    ]
    if choice.breakeven is not None and choice.returns is not None:
        lines += [
            (
                f"Owning beats on demand from {format_share(choice.breakeven)} use on; instead of renting, a node has "
                f"an NPV of {_usd(choice.returns.npv_usd)} ({choice.returns.verdict.replace('_', ' ')}), payback "
                f"{_years(choice.returns.payback_years)}."
            ),
            _spread(owning_chance(asked).spread),
        ]
    if found.normal is not None and found.burst is not None:
        lines += [
            (
                f"Reserve {found.normal.gpus:,.0f} GPUs of {asked.number('demand_gpus'):,.0f}: "
                f"{_usd(found.normal.usd_per_h)} an hour, all on demand {_usd(found.normal.on_demand_usd_per_h)}."
            ),
            (
                f"Bursts: own {found.burst.servers:,} for {_usd(found.burst.cost)} an hour, all in the cloud "
                f"{_usd(found.burst.rent_all)}."
            ),
        ]
    return [*lines, *_said(found.notes)]


def _kind(asked: Assumptions, option: str) -> str:
    """Return what kind of price an option is bought at; owning has several."""
    slug = "server_price_usd" if option == "own" else f"{option}_usd_per_gpu_h"
    return asked.word(f"{slug}_quote")


def _change(asked: Assumptions, _: date) -> Lines:
    found = price_change(asked)
    gain, mfu = found.utilisation, found.mfu
    steps = [(step.name, format_number(step.factor), format_number(step.reached)) for step in found.squeeze.steps]
    return [
        (
            f"Utilisation {format_share(asked.number('used_before_share'))} to "
            f"{format_share(asked.number('used_after_share'))}: two readings of one gain."
        ),
        table(
            ("reading", "GPUs", "USD a year"),
            [
                ("as more work", f"{gain.extra_gpus:,.0f}", format_number(gain.extra_usd)),
                ("as machines not bought", f"{gain.avoided_gpus:,.0f}", format_number(gain.avoided_usd)),
            ],
        ),
        (
            f"MFU: {format_share(mfu.saved_share)} of the spending is saved (not {format_share(mfu.points)}); the "
            f"claimed saving implies {_usd(mfu.implied_usd_per_year)} a year."
        ),
        f"Scaling: {format_share(found.scaling[0])} more output, {found.scaling[2]:,.0f} GPUs at the old efficiency.",
        f"Less money, more demand: {format_number(found.squeeze.needed)} times the work for a dollar.",
        table(("lever", "factor", "reached"), steps),
        f"Left to shed or defer: {format_share(found.squeeze.shed_share, 2)}.",
        *_said(found.notes),
    ]


def _claim(asked: Assumptions, _: date) -> Lines:
    found, notes = price_claim(asked)
    return [
        f"{_usd(asked.number('claim_usd_per_day'))} a day claimed: {format_share(found.explained_share)} explained.",
        _pairs(
            ("the lost utilisation is worth, a day", _usd(found.explained_usd_per_day)),
            ("price of a GPU hour if everything is lost", _usd(found.all_lost_usd_per_gpu_h)),
            ("price of a GPU hour for the lost part", _usd(found.gap_usd_per_gpu_h)),
            ("GPUs that would explain it", f"{found.gap_gpus:,.0f}"),
            ("price of a GPU hour implied by the crash", _usd(found.crash_usd_per_gpu_h)),
            ("what the crash loses at most with checkpoints", _usd(found.crash_bound_usd)),
        ),
        *_said(notes),
    ]


def _delay(asked: Assumptions, _: date) -> Lines:
    found, rescue = price_delay(asked)
    rows = [
        (work.name, format_number(work.usd_per_day), format_number(work.days), format_number(work.weight))
        for work in found.order
    ]
    lines = [
        f"In this order all delay costs {_usd(found.usd)}; in the opposite one {_usd(found.worst_usd)}.",
        table(("work", "USD a day", "days", "USD a day for a day of work"), rows),
    ]
    if found.flips_below_usd_per_day is not None:
        lines.append(f"The first stays first unless a day of it is worth under {_usd(found.flips_below_usd_per_day)}.")
    if rescue is not None:
        lines.append(f"Renting for it costs {_usd(rescue.usd_per_day)} a day.")
    return lines


def _bill(asked: Assumptions, _: date) -> Lines:
    found = price_sharing(asked)
    first = next(iter(found.bills.values()))
    rows = [
        (name, format_number(direct), *(format_number(bill.total_usd[name]) for bill in found.bills.values()))
        for name, direct in first.direct_usd.items()
    ]
    limit = found.threshold.breakeven_gpu_h
    return [
        f"An available GPU hour costs {_usd(first.rate_usd)}; idle: {_usd(first.idle_usd)}.",
        table(("tenant", "direct", *(rule.replace("_", " ") for rule in found.bills)), rows),
        (
            f"Protecting a task from eviction pays from {'-' if limit is None else format_number(limit)} GPU hours on; "
            f"one loses {format_number(found.threshold.loss_gpu_h)}, with grace "
            f"{format_number(found.threshold.grace_loss_gpu_h)}."
        ),
        (
            f"Shared GPUs gain {format_share(found.packing_gain)}; nothing from a slowdown of "
            f"{format_share(found.breakeven_slowdown)} on."
        ),
        f"Service credit for the outage: {_usd(found.credit_usd)}.",
        *_said(found.notes),
    ]


TEXTS: dict[str, Callable[[Assumptions, date], Lines]] = {
    "deal": _deal, "rent": _rent, "change": _change, "claim": _claim, "delay": _delay, "bill": _bill,
}  # fmt: skip


def price_text(asked: Assumptions, topics: Sequence[str], today: date, *, is_inputs: bool = False) -> str:
    """Return the answer for people."""
    if is_inputs:
        cells = [[str(cell) for cell in row] for row in input_rows(asked)]
        return table(INPUT_HEADER, cells)
    changed = ", ".join(asked.texts()) or "none"
    parts = [f"Inputs {asked.digest[:8]}; changed: {changed}."]
    parts += ["\n".join(TEXTS[topic](asked, today)) for topic in topics]
    return "\n\n".join(parts)


def input_rows(asked: Assumptions) -> Iterator[tuple[Cell, ...]]:
    """Yield one row an input, in the order of `INPUT_HEADER`."""
    for slug, value in asked.values().items():
        row, figures = assumption_rows()[slug], asked.figures(slug)
        unit = assumption_units()[row.unit]["en"] if row.unit else "; ".join(row.options)
        cells = [_cell(each) for each in (value, figures.default, figures.low, figures.high)]
        yield slug, *cells, unit, figures.date.isoformat(), figures.source, row.text["en"]


def _cell(value: float | str | None) -> Cell:
    return "-" if value is None else value if isinstance(value, str) else f"{value:g}"


# ---- JSON -------------------------------------------------------------------------------------------------------


def price_document(
    asked: Assumptions, topics: Sequence[str], today: date, *, is_inputs: bool = False
) -> dict[str, object]:
    """Return the answer for machines: the inputs, and every number of the topics."""
    found: dict[str, object] = {
        "inputs_hash": asked.digest,
        "changed": dict(asked.changes),
        "inputs": asked.values(),
        "currency": "USD",
        "today": today.isoformat(),
    }
    if is_inputs:
        found["table"] = [dict(zip(INPUT_HEADER, row, strict=True)) for row in input_rows(asked)]
        return found
    return found | {topic: _document(topic, asked, today) for topic in topics}


def _document(topic: str, asked: Assumptions, today: date) -> dict[str, object]:
    if topic == "deal":
        deal = price_deal(asked, today)
        body = asdict(deal) | {"premium_gpus": deal.isolation.premium_gpus}
        body["opportunity"] |= {"usd_per_gpu_h": deal.opportunity.usd_per_gpu_h}
        for each, shown in zip(deal.readings, body["readings"], strict=True):
            shown |= {"is_reachable": each.is_reachable, "roi_max": each.terms.roi_max, "cap": each.terms.cap_per_day}
        return _noted(body, deal.notes) | {"chance": _chance(deal_chance(asked))}
    if topic == "rent":
        owning = price_owning(asked, today)
        body = asdict(owning) | {
            "usd_per_available_gpu_h": owning.owning.usd_per_available_gpu_h,
            "usd_per_useful_gpu_h": owning.owning.usd_per_useful_gpu_h,
        }
        has_rent = owning.options.returns is not None
        return _noted(body, owning.notes) | {"chance": _chance(owning_chance(asked)) if has_rent else None}
    if topic == "claim":
        claim, notes = price_claim(asked)
        return _noted(asdict(claim), notes)
    if topic == "delay":
        ordering, rescue = price_delay(asked)
        return asdict(ordering) | {"rescue": None if rescue is None else asdict(rescue)}
    found = price_change(asked) if topic == "change" else price_sharing(asked)
    return _noted(asdict(found), found.notes)


def _noted(body: dict[str, Any], notes: Sequence[Note]) -> dict[str, object]:
    said = [{"key": note.key, "is_warning": note.is_warning, "text": note.text()} for note in notes]
    return body | {"notes": said}


def _chance(chance: Any) -> dict[str, object]:  # noqa: ANN401  (a report of either topic)
    body = asdict(chance)
    for name in ("spread", "volume_only"):
        if body[name] is not None:
            del body[name]["values"]
    return dict(body)
