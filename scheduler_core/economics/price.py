"""Everything that is known about the present assumptions, topic by topic: what the pages and `price` show.

Nothing is computed here; the formulas stand in the modules of their topics.
"""

from dataclasses import dataclass
from datetime import date

import numpy as np

from scheduler_core.economics import cautions
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.burst import Burst, cheapest_split
from scheduler_core.economics.chance import (
    Spread,
    Swing,
    draw_heavy_roi,
    draw_own_npv,
    draw_roi,
    relative_ends,
    table_ends,
    tornado,
)
from scheduler_core.economics.changes import (
    Audit,
    Gain,
    MfuGain,
    Squeeze,
    audit,
    mfu_gain,
    scaling_gain,
    squeeze,
    utilisation_gain,
)
from scheduler_core.economics.chargeback import Bill, bill, effective_utilisation
from scheduler_core.economics.commitment import Commitment, commit_normal, commit_seen
from scheduler_core.economics.dedicated import (
    Reading,
    UnitCost,
    chosen,
    deal_readings,
    purchase_flows,
    terms_of,
    unit_cost,
)
from scheduler_core.economics.delay import Ordering, Rescue, delays
from scheduler_core.economics.isolation_cost import Isolation, YearTest, isolation_premium, year_test
from scheduler_core.economics.lists import read_numbers
from scheduler_core.economics.losses import (
    Threshold,
    allowed_outage_min,
    breakeven_slowdown,
    credit_usd,
    late_penalty_usd,
    packing_gain,
    threshold,
)
from scheduler_core.economics.notes import Note
from scheduler_core.economics.opportunity import Opportunity, opportunity
from scheduler_core.economics.owning import Owning, own, own_by_life
from scheduler_core.economics.renting import Options, options, own_instead_of_rent
from scheduler_core.economics.returns import Returns, judge, npv

NPV_INPUTS = (
    "server_price_usd", "network_share", "life_years", "residual_share", "discount_share", "maintenance_share",
    "colo_usd_per_kw_month", "energy_usd_per_kwh", "pue", "availability_share", "utilisation_share",
    "on_demand_usd_per_gpu_h", "drift_share", "lost_share",
)  # fmt: skip
"""Inputs that the tornado of owning moves."""
VOLUME_INPUTS = (
    "dedicated_usd_per_gpu_h", "dedicated_staff", "list_usd_per_request", "premium_ratio", "variable_usd_per_request",
)  # fmt: skip
"""Inputs that the tornado of the breakeven volume moves."""


@dataclass(frozen=True)
class OwnOrRent:
    """Own, reserve, rent or spot.

    Attributes
    ----------
    owning : Owning
        Yearly cost of a node.
    by_life : mapping
        Life in years -> cost of an available GPU hour in USD.
    options : Options
        Cost of a used GPU hour in each way.
    burst : Burst, optional
        Own servers with overflow to the cloud; None without a cloud price.
    normal, seen : Commitment, optional
        What to reserve for a normal demand, and for the observed one; None without both prices.
    notes : tuple of Note
        Warnings.
    """

    owning: Owning
    by_life: dict[float, float]
    options: Options
    burst: Burst | None
    normal: Commitment | None
    seen: Commitment | None
    notes: tuple[Note, ...]


def price_owning(asked: Assumptions, today: date) -> OwnOrRent:
    """Return what owning, reserving, renting and spot cost.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    today : datetime.date
        The day of the reader, for the age of prices.
    """
    owning, choice, said = own(asked), options(asked), asked.values()
    rent, reserved = said["on_demand_usd_per_gpu_h"], said["reserved_usd_per_gpu_h"]
    notes = cautions.owning_cautions(asked, owning, choice, today)
    normal = seen = None
    if rent is not None and reserved is not None and float(reserved) < float(rent):
        prices = float(reserved), float(rent)
        normal = commit_normal(asked.number("demand_gpus"), asked.number("demand_sd_gpus"), *prices)
        observed = read_numbers("demand_seen_gpus", asked.word("demand_seen_gpus"))
        seen = commit_seen(observed, *prices)
        notes += cautions.commitment_cautions(asked, seen, float(np.median(observed)))
    return OwnOrRent(
        owning=owning,
        by_life=own_by_life(asked),
        options=choice,
        burst=None
        if rent is None
        else cheapest_split(asked.number("burst_load_gpus"), owning.usd_per_available_gpu_h, float(rent)),
        normal=normal,
        seen=seen,
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class Deal:
    """A cluster for one customer.

    Attributes
    ----------
    chosen : Reading
        Under the chosen counterfactual and denominator.
    readings : tuple of Reading
        The four that are always shown.
    unit : UnitCost, optional
        Cost of a request.
    isolation : Isolation
        GPUs for the same promise, apart and together.
    year : YearTest
        What standing apart brings and costs over sharing.
    opportunity : Opportunity
        What its GPUs are worth elsewhere.
    late_usd_per_day : float, optional
        Penalties for requests that wait longer than promised, as often as at the peak; None where the wait has no
        bound.
    purchase : Returns
        Of buying instead of renting.
    notes : tuple of Note
        Warnings.
    """

    chosen: Reading
    readings: tuple[Reading, ...]
    unit: UnitCost | None
    isolation: Isolation
    year: YearTest
    opportunity: Opportunity
    late_usd_per_day: float | None
    purchase: Returns
    notes: tuple[Note, ...]


def price_deal(asked: Assumptions, today: date) -> Deal:
    """Return whether a customer should get a cluster of its own.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    today : datetime.date
        The day of the reader, for the age of prices.
    """
    found, sizes = chosen(asked), isolation_premium(asked)
    elsewhere = opportunity(asked, sizes)
    volumes = read_numbers("buy_requests_per_day", asked.word("buy_requests_per_day"))
    bought = judge(purchase_flows(asked, volumes), asked.number("discount_share"))
    return Deal(
        chosen=found,
        readings=deal_readings(asked),
        unit=unit_cost(asked),
        isolation=sizes,
        year=year_test(asked, sizes),
        opportunity=elsewhere,
        late_usd_per_day=None
        if sizes.late_share is None
        else late_penalty_usd(asked.number("late_usd_per_request"), asked.number("requests_per_day"), sizes.late_share),
        purchase=bought,
        notes=tuple(cautions.deal_cautions(asked, found, sizes, elsewhere, bought, today)),
    )


@dataclass(frozen=True)
class Change:
    """What better utilisation, MFU and scaling are worth, and how far they carry.

    Attributes
    ----------
    utilisation : Gain
        In both readings.
    mfu : MfuGain
        Saving, and what a claim implies.
    scaling : tuple of float
        Output more as a share; ideal GPUs; GPUs at the old efficiency.
    squeeze : Squeeze
        Less money and more demand.
    notes : tuple of Note
        Warnings.
    """

    utilisation: Gain
    mfu: MfuGain
    scaling: tuple[float, float, float]
    squeeze: Squeeze
    notes: tuple[Note, ...]


def price_change(asked: Assumptions) -> Change:
    """Return what a change of utilisation, MFU or scaling is worth."""
    number = asked.number
    price = number("fleet_usd_per_gpu_h")
    before, after = number("used_before_share"), number("used_after_share")
    mfu = number("mfu_before_share"), number("mfu_after_share"), number("mfu_saving_usd_per_year")
    faster = mfu_gain(*mfu, price)
    return Change(
        utilisation=utilisation_gain(number("fleet_gpus"), before, after, price),
        mfu=faster,
        scaling=scaling_gain(number("scaling_gpus"), number("scaling_before_share"), number("scaling_after_share")),
        squeeze=squeeze(asked),
        notes=tuple(cautions.change_cautions(asked, faster)),
    )


def price_claim(asked: Assumptions) -> tuple[Audit, tuple[Note, ...]]:
    """Return what would have to be true for a claimed loss, with warnings."""
    found = audit(asked)
    return found, tuple(cautions.claim_cautions(asked, found))


def price_delay(asked: Assumptions) -> tuple[Ordering, Rescue | None]:
    """Return which work comes first, and what renting for it would cost."""
    return delays(asked)


@dataclass(frozen=True)
class Sharing:
    """Who pays for what is shared, and what sharing loses.

    Attributes
    ----------
    bills : mapping
        Rule for idle capacity -> bill.
    allocated_share, effective_share : float
        Of the available GPU time: what was allocated, and what did arithmetic (allocated, active, at full speed).
    threshold : Threshold
        Whether protecting tasks from eviction pays.
    packing_gain, breakeven_slowdown : float
        Real gain of GPUs that several share, and the slowdown at which it is gone.
    credit_usd : float
        Service credit for the outage.
    allowed_min : float
        Minutes that 99.9 % leaves.
    notes : tuple of Note
        Warnings.
    """

    bills: dict[str, Bill]
    allocated_share: float
    effective_share: float
    threshold: Threshold
    packing_gain: float
    breakeven_slowdown: float
    credit_usd: float
    allowed_min: float
    notes: tuple[Note, ...]


def price_sharing(asked: Assumptions) -> Sharing:
    """Return the bills, and what evictions, neighbours and outages cost."""
    number = asked.number
    before, after = number("packed_before_share"), number("packed_after_share")
    bills = bill(asked)
    first = next(iter(bills.values()))
    allocated = 1 - first.idle_usd / number("bill_usd") if number("bill_usd") else 0.0
    return Sharing(
        bills=bills,
        allocated_share=allocated,
        effective_share=effective_utilisation(allocated, number("active_share"), number("mfu_before_share")),
        threshold=threshold(asked),
        packing_gain=packing_gain(before, after, number("slowdown_share")),
        breakeven_slowdown=breakeven_slowdown(before, after),
        credit_usd=credit_usd(number("slo_fee_usd"), number("slo_outage_min"), number("slo_period_min")),
        allowed_min=allowed_outage_min(0.999, number("slo_period_min")),
        notes=tuple(cautions.bill_cautions(asked, bills)),
    )


# ---- chance -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chance:
    """How sure a result is.

    Attributes
    ----------
    swings : tuple of Swing
        One input at a time, the widest first.
    spread : Spread
        All of them at once.
    base : float, optional
        The result with the inputs as they are.
    volume_only : Spread, optional
        Of the deal: only the volume moves.
    """

    swings: tuple[Swing, ...]
    spread: Spread
    base: float | None
    volume_only: Spread | None = None


def own_npv(asked: Assumptions) -> float:
    """Return the net present value of owning a node instead of renting its used hours, in USD."""
    return npv(asked.number("discount_share"), own_instead_of_rent(asked))


def breakeven_volume(asked: Assumptions) -> float | None:
    """Return the requests a day at which the deal returns its fixed cost; None where none does."""
    return terms_of(asked).volume(0.0)


def owning_chance(asked: Assumptions) -> Chance:
    """Return what moves the net present value of owning, and how often it is above zero."""
    generator = np.random.default_rng(int(asked.number("seed")))
    swings = tornado(own_npv, asked, table_ends(asked, NPV_INPUTS))
    return Chance(swings, draw_own_npv(asked, generator), own_npv(asked))


def deal_chance(asked: Assumptions) -> Chance:
    """Return what moves the breakeven volume, and how often the return reaches the hurdle."""
    generator = np.random.default_rng(int(asked.number("seed")))
    swings = tornado(breakeven_volume, asked, relative_ends(asked, VOLUME_INPUTS))
    only = draw_roi(asked, generator)
    return Chance(swings, draw_heavy_roi(asked, generator), breakeven_volume(asked), only)
