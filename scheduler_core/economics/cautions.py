"""What is often wrong with calculations like these, as warnings about the present assumptions.

Values that cannot be right are refused by the table and by the formulas; what is here may be right and often is not.
The list was collected from published calculators, vendors' pages and bug trackers; docs/economics.md tells which.
"""

from collections.abc import Iterator
from datetime import date

from scheduler_core.economics import changes
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.commitment import Commitment
from scheduler_core.economics.dedicated import Reading, terms_of
from scheduler_core.economics.isolation_cost import FRAGILE_LOAD, Isolation
from scheduler_core.economics.notes import Note, say, warn
from scheduler_core.economics.owning import Owning
from scheduler_core.economics.renting import Options
from scheduler_core.units import format_share

LARGE_GPUS = ("h100", "h200", "b200")
RENT_USD = (1.0, 13.0)
SERVER_USD_PER_GPU = (15_000.0, 80_000.0)
MOST_POWER_SHARE = 0.15
OWNING = (
    "server_price_usd", "life_years", "residual_share", "discount_share", "pue", "energy_usd_per_kwh",
    "colo_usd_per_kw_month", "utilisation_share", "availability_share", "on_demand_usd_per_gpu_h",
    "reserved_usd_per_gpu_h", "contract_usd_per_gpu_h", "spot_usd_per_gpu_h",
)  # fmt: skip
"""Inputs that owning and renting look at."""
DEAL = ("dedicated_usd_per_gpu_h", "usable_share", "premium_ratio")


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
        *_verdict(options),
    ]


def _prices(asked: Assumptions) -> Iterator[Note]:
    if asked.word("gpu") not in LARGE_GPUS:
        return
    each = asked.number("server_price_usd") / asked.number("gpus_per_node")
    if not SERVER_USD_PER_GPU[0] <= each <= SERVER_USD_PER_GPU[1]:
        yield warn("money.server_price", each=each, low=SERVER_USD_PER_GPU[0], high=SERVER_USD_PER_GPU[1])
    for slug in ("on_demand", "reserved", "contract", "spot"):
        usd = asked.values()[f"{slug}_usd_per_gpu_h"]
        if usd is not None and not RENT_USD[0] <= float(usd) <= RENT_USD[1]:
            name = f"{slug}_usd_per_gpu_h"
            yield warn("money.node_price", slug=name, value=float(usd), low=RENT_USD[0], high=RENT_USD[1])


def _power(asked: Assumptions, found: Owning) -> Iterator[Note]:
    share = found.energy_usd / found.total_usd
    if share > MOST_POWER_SHARE:
        yield warn("money.power_share", share=format_share(share))
    if asked.number("load_kw") == asked.number("rated_kw"):
        yield warn("money.rated_power")
    if asked.word("colo_power") == "included":
        yield say("money.colo_included")


def _left_out(asked: Assumptions) -> Iterator[Note]:
    missing = [
        slug
        for slug in ("network_share", "storage_share", "spares_share", "staff_usd_per_node_year")
        if asked.number(slug) == 0
    ]
    if missing:
        yield warn("money.left_out", slugs=", ".join(missing))
    if asked.number("other_usd_per_gpu_h") == 0:
        yield say("money.egress")


def _life(asked: Assumptions, options: Options) -> Iterator[Note]:
    years, residual = asked.number("life_years"), asked.number("residual_share")
    if years >= 6 or residual == 0:
        yield warn("money.life", years=years, residual=format_share(residual, 0))
    if asked.word("utilisation_kind") == "active":
        yield warn("money.active")
    if asked.word("utilisation_kind") == "effective":
        yield warn("money.effective")
    if options.returns is not None and options.returns.payback_years is None:
        yield warn("money.payback", years=years)


def _verdict(options: Options) -> Iterator[Note]:
    if options.returns is None:
        return
    if options.returns.verdict == "marginal":
        yield warn("money.marginal", npv=options.returns.npv_usd)
    if len(options.returns.irr) > 1:
        yield warn("money.irr", rates=", ".join(format_share(rate) for rate in options.returns.irr))


def deal_cautions(asked: Assumptions, found: Reading, sizes: Isolation, today: date) -> list[Note]:
    """Return warnings about the deal of a dedicated cluster.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    found : Reading
        The deal under the chosen counterfactual.
    sizes : Isolation
        GPUs for the same promise, apart and together.
    today : datetime.date
        The day of the reader.
    """
    return [*asked.notes(today, DEAL), *_hurdle(found), *_size(asked, sizes)]


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
        yield warn("money.fragile", load=format_share(load))
    if asked.number("peak_factor") == 1:
        yield warn("money.no_peak")
    if asked.number("requests_per_day") > terms_of(asked).cap_per_day:
        yield warn("money.above_cap", cap=terms_of(asked).cap_per_day)


def commitment_cautions(found: Commitment, median_gpus: float) -> list[Note]:
    """Return warnings about a reservation."""
    if found.gpus > median_gpus * (1 + 1e-9):
        return [warn("money.commitment", gpus=found.gpus, median=median_gpus)]
    return []


def claim_cautions(asked: Assumptions, found: changes.Audit) -> list[Note]:
    """Return warnings about claims: points taken for percent, prices of whole nodes."""
    gain = changes.mfu_gain(
        asked.number("mfu_before_share"), asked.number("mfu_after_share"), 0.0, asked.number("fleet_usd_per_gpu_h")
    )
    notes = []
    if gain.saved_share > 0:
        notes.append(say("money.points", points=format_share(gain.points), ratio=format_share(gain.saved_share)))
    if found.gap_usd_per_gpu_h > RENT_USD[1]:
        notes.append(warn("money.claim_price", usd=found.gap_usd_per_gpu_h, most=RENT_USD[1]))
    return notes
