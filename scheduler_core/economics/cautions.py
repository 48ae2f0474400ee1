"""What is often wrong with calculations like these, as warnings about the present assumptions.

Values that cannot be right are refused by the table and by the formulas; what is here may be right and often is not.
The list was collected from published calculators, vendors' pages and bug trackers; docs/economics.md tells which.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from scheduler_core.economics import changes
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.chargeback import Bill
from scheduler_core.economics.commitment import Commitment
from scheduler_core.economics.dedicated import Reading, terms_of
from scheduler_core.economics.isolation_cost import FRAGILE_LOAD, Isolation
from scheduler_core.economics.notes import Input, Note, Share, say, warn
from scheduler_core.economics.opportunity import Opportunity
from scheduler_core.economics.owning import Owning
from scheduler_core.economics.renting import Options
from scheduler_core.economics.returns import Returns
from scheduler_core.economics.table import find_assumption

LARGE_GPUS = ("h100", "h200", "b200")
RENT_USD = (1.0, 13.0)
SERVER_USD_PER_GPU = (15_000.0, 80_000.0)
MOST_POWER_SHARE = 0.15
COLO_USD = (80.0, 400.0)
"""USD a kW and month; a price outside is often that of a year."""
SAME_USE = 0.005
WAITING = 0.5
"""A mean line of this many is a queue."""
HOURLY = ("dedicated_usd_per_gpu_h", "fleet_usd_per_gpu_h", "claim_usd_per_gpu_h")
"""Prices of a GPU hour that are said for any kind of GPU."""
OWNING = (
    "server_price_usd", "life_years", "residual_share", "discount_share", "pue", "energy_usd_per_kwh",
    "colo_usd_per_kw_month", "utilisation_share", "availability_share", "on_demand_usd_per_gpu_h",
    "reserved_usd_per_gpu_h", "contract_usd_per_gpu_h", "spot_usd_per_gpu_h",
)  # fmt: skip
"""Inputs that owning and renting look at."""
PRICES = (
    "server_price_usd", "colo_usd_per_kw_month", "on_demand_usd_per_gpu_h", "reserved_usd_per_gpu_h",
    "contract_usd_per_gpu_h", "spot_usd_per_gpu_h",
)  # fmt: skip
"""Prices that owning and renting compare."""
DEAL = ("dedicated_usd_per_gpu_h", "next_best_usd_per_gpu_h", "usable_share", "premium_ratio", "wait_usd_per_h")


def owning_cautions(asked: Assumptions, found: Owning, options: Options, today: date) -> list[Note]:
    """Return warnings about owning and renting.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    found : Owning
        What a machine costs under them.
    options : Options
        What an hour costs in each way.
    today : datetime.date
        The day of the reader.
    """
    return [
        *asked.notes(today, OWNING),
        *_prices(asked),
        *_power(asked, found),
        *_left_out(asked),
        *_life(asked, options),
        *_verdict(options.returns),
        *_cash(found, options.returns),
        say("money.quotes", prices=quoted(asked, PRICES)),
        say("money.one_use", used=Share(options.utilisation)),
        say("money.nominal", rate=Share(asked.number("discount_share"))),
    ]


def quoted(asked: Assumptions, slugs: Iterable[str]) -> tuple[Note, ...]:
    """Return for each price what kind of price it is; prices that nobody gives are left out."""
    rows = [find_assumption(slug) for slug in slugs if asked.values()[slug] is not None]
    return tuple(
        say(f"quote.{asked.word(row.quote_slug)}", slug=Input(row.slug, has_slug=False))
        for row in rows
        if row.quote_slug
    )


def _hourly(asked: Assumptions, slugs: Iterable[str]) -> Iterator[Note]:
    """Warn about prices of an hour that look like those of a whole node."""
    for slug in slugs:
        if asked.number(slug) > RENT_USD[1]:
            yield _node_price(slug, asked.number(slug))


def _node_price(slug: str, usd: float) -> Note:
    return warn("money.node_price", slug=Input(slug), value=usd, low=RENT_USD[0], high=RENT_USD[1])


def _prices(asked: Assumptions) -> Iterator[Note]:
    colo = asked.number("colo_usd_per_kw_month")
    if not COLO_USD[0] <= colo <= COLO_USD[1]:
        yield warn("money.colo_unit", usd=colo, low=COLO_USD[0], high=COLO_USD[1], month=colo / 12)
    if asked.word("gpu") not in LARGE_GPUS:
        return
    each = asked.number("server_price_usd") / asked.number("gpus_per_node")
    if not SERVER_USD_PER_GPU[0] <= each <= SERVER_USD_PER_GPU[1]:
        yield warn("money.server_price", each=each, low=SERVER_USD_PER_GPU[0], high=SERVER_USD_PER_GPU[1])
    for slug in ("on_demand", "reserved", "contract", "spot"):
        usd = asked.values()[f"{slug}_usd_per_gpu_h"]
        if usd is not None and not RENT_USD[0] <= float(usd) <= RENT_USD[1]:
            yield _node_price(f"{slug}_usd_per_gpu_h", float(usd))


def _power(asked: Assumptions, found: Owning) -> Iterator[Note]:
    share = found.energy_usd / found.total_usd
    if share > MOST_POWER_SHARE:
        yield warn("money.power_share", share=Share(share))
    if asked.number("load_kw") == asked.number("rated_kw"):
        yield warn("money.rated_power")
    if asked.word("colo_power") == "included":
        yield say("money.colo_included")
    elif asked.number("pue") == 1:
        yield warn("money.pue_one")


def _left_out(asked: Assumptions) -> Iterator[Note]:
    missing = [
        slug
        for slug in ("network_share", "storage_share", "spares_share", "staff_usd_per_node_year")
        if asked.number(slug) == 0
    ]
    if missing:
        yield warn("money.left_out", slugs=tuple(Input(slug) for slug in missing))
    if asked.number("other_usd_per_gpu_h") == 0:
        yield say("money.egress")


def _life(asked: Assumptions, options: Options) -> Iterator[Note]:
    years, residual = asked.number("life_years"), asked.number("residual_share")
    if years >= 6 or residual == 0:
        yield warn("money.life", years=years, residual=Share(residual, 0))
    if asked.word("utilisation_kind") == "active":
        yield warn("money.active")
    if asked.word("utilisation_kind") == "effective":
        yield warn("money.effective")
    if options.returns is not None and options.returns.payback_years is None:
        yield warn("money.payback", years=years)
    if asked.number("lost_share") == 0:
        yield say("money.nothing_lost")


def _verdict(found: Returns | None) -> Iterator[Note]:
    if found is None:
        return
    if found.verdict == "marginal":
        yield warn("money.marginal", npv=found.npv_usd)
    if found.npv_usd < 0 < found.sum_usd:
        yield warn("money.undiscounted", sum=found.sum_usd, npv=found.npv_usd, rate=Share(found.rate))
    if len(found.irr) > 1:
        yield warn("money.irr", rates=tuple(Share(rate) for rate in found.irr))


def _cash(found: Owning, returns: Returns | None) -> Iterator[Note]:
    """Tell what the payback would be if the investment were among the yearly costs as well."""
    if returns is None or not returns.payback_years:
        return
    left = found.investment_usd / returns.payback_years - found.capital_usd
    if left > 0:
        yield say("money.cash_only", right=returns.payback_years, wrong=found.investment_usd / left)
    else:
        yield say("money.cash_never", right=returns.payback_years)


def deal_cautions(
    asked: Assumptions, found: Reading, sizes: Isolation, elsewhere: Opportunity, bought: Returns, today: date
) -> list[Note]:
    """Return warnings about the deal of a dedicated cluster.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    found : Reading
        The deal under the chosen counterfactual.
    sizes : Isolation
        GPUs for the same promise, apart and together.
    elsewhere : Opportunity
        What the GPUs are worth elsewhere.
    bought : Returns
        Of buying instead of renting.
    today : datetime.date
        The day of the reader.
    """
    return [
        *asked.notes(today, DEAL),
        *_hourly(asked, HOURLY[:1]),
        *_hurdle(found),
        *_size(asked, sizes),
        *_elsewhere(asked, elsewhere),
        *_verdict(bought),
    ]


def _elsewhere(asked: Assumptions, found: Opportunity) -> Iterator[Note]:
    line, price = found.after if found.after is not None else found.before, found.usd_per_gpu_h
    counted, terms = asked.number("dedicated_usd_per_gpu_h"), terms_of(asked)
    if asked.number("wait_usd_per_h") == 0 and (line or 0.0) > WAITING:
        yield warn("money.queue_free", waiting=line or 0.0)
    if price is not None and price > counted:
        yield warn("money.undervalued", counted=counted, price=price)
    used, shared = terms.utilisation(asked.number("requests_per_day")), asked.number("shared_utilisation_share")
    if abs(used - shared) < SAME_USE:
        yield warn("money.equal_use", used=Share(used))


def _hurdle(found: Reading) -> Iterator[Note]:
    terms = found.terms
    if not found.is_reachable:
        yield warn(
            "money.unreachable",
            hurdle=found.hurdle,
            most=terms.roi_max,
            price=found.needed_price_usd,
            now=terms.price_usd,
        )
    if terms.counterfactual == "new" and terms.premium > 1:
        yield say("money.new_revenue")


def _size(asked: Assumptions, sizes: Isolation) -> Iterator[Note]:
    gpus = asked.number("dedicated_gpus")
    load = sizes.own_load / gpus
    if sizes.own_p99_s is None:
        yield warn("money.overload", load=sizes.own_load, gpus=gpus)
    elif sizes.own_gpus > gpus:
        yield warn("money.too_small", needed=sizes.own_gpus, gpus=gpus)
    elif load > FRAGILE_LOAD:
        yield warn("money.fragile", load=Share(load))
    if asked.number("peak_factor") == 1:
        yield warn("money.no_peak")
    if asked.number("requests_per_day") > terms_of(asked).cap_per_day:
        yield warn("money.above_cap", cap=terms_of(asked).cap_per_day)


def commitment_cautions(asked: Assumptions, found: Commitment, median_gpus: float) -> list[Note]:
    """Return warnings about a reservation: above the median demand, or with a demand that never varies."""
    notes = []
    if found.gpus > median_gpus * (1 + 1e-9):
        notes.append(warn("money.commitment", gpus=found.gpus, median=median_gpus))
    if asked.number("demand_sd_gpus") == 0:
        notes.append(warn("money.demand_flat", gpus=asked.number("demand_gpus")))
    return notes


def bill_cautions(asked: Assumptions, bills: Mapping[str, Bill]) -> list[Note]:
    """Return warnings about a bill: a rule that tells nobody apart, so that idle cost would have vanished."""
    rule = asked.word("idle_rule")
    used = bills[rule].rule
    return [] if used == rule else [warn("money.bill_rule", rule=say(f"rule.{rule}"), used=say(f"rule.{used}"))]


def change_cautions(asked: Assumptions, gain: changes.MfuGain) -> list[Note]:
    """Return warnings about what a change is worth: points taken for percent, prices of whole nodes."""
    return [*_hourly(asked, HOURLY[1:2]), *_points(gain)]


def _points(gain: changes.MfuGain) -> Iterator[Note]:
    if gain.saved_share > 0:
        yield say("money.points", points=100 * gain.points, ratio=Share(gain.saved_share))


def claim_cautions(asked: Assumptions, found: changes.Audit) -> list[Note]:
    """Return warnings about claims: points taken for percent, prices of whole nodes."""
    gain = changes.mfu_gain(
        asked.number("mfu_before_share"), asked.number("mfu_after_share"), 0.0, asked.number("fleet_usd_per_gpu_h")
    )
    notes = [*_points(gain), *_hourly(asked, HOURLY[2:])]
    if found.gap_usd_per_gpu_h > RENT_USD[1]:
        notes.append(warn("money.claim_price", usd=found.gap_usd_per_gpu_h, most=RENT_USD[1]))
    return notes
