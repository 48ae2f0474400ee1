"""How many machines, by when, with how many spares, in how many zones: answers with their sentence and warnings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from scheduler_core.economics import burst, checkpoints, growth, spares, zones
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.burst import Burst
from scheduler_core.economics.notes import Note, Param, Share, Time, say, warn
from scheduler_core.economics.owning import own
from scheduler_core.economics.plan_size import FRAGILE_USE
from scheduler_core.economics.zones import ZoneServers
from scheduler_core.units import MS_PER_UNIT, format_number

COVERED_SHARES = (0.9, 0.95, 0.99, 0.999, 0.9999)
_HOUR_MS = MS_PER_UNIT["h"]
_STEPS = 60


@dataclass(frozen=True)
class GrowthPlan:
    """When the capacity is full, by when to order, and what being late costs.

    Attributes
    ----------
    full_months, lead_months, order_months : float
        From today; the order date is negative where it has passed already, infinite without growth.
    needed_gpus : float
        Capacity needed when an order of today arrives.
    late_gpu_months, late_usd : float
        What is missing when the order comes `months_late` too late, and its rent.
    short_share : float
        Chance that it is full before an order of today arrives.
    bridge_usd : tuple of float
        Rent until an order of today arrives: median and what 5 % of the draws exceed.
    months, demand_gpus : tuple of float
        The demand as capacity needed, for a picture.
    notes : tuple of Note
        The answer in a sentence, then warnings.
    """

    full_months: float
    lead_months: float
    order_months: float
    needed_gpus: float
    late_gpu_months: float
    late_usd: float
    short_share: float
    bridge_usd: tuple[float, float]
    months: tuple[float, ...]
    demand_gpus: tuple[float, ...]
    notes: tuple[Note, ...]


def plan_growth(asked: Assumptions) -> GrowthPlan:
    """Return when to order, under the assumptions.

    Raises
    ------
    InputError
        If an input is refused.

    Examples
    --------
    >>> found = plan_growth(Assumptions())
    >>> round(found.order_months, 5), round(found.needed_gpus, 2), round(found.late_usd / 1e6, 2)
    (-3.08344, 3719.51, 9.05)
    """
    number, rent = asked.number, asked.number("on_demand_usd_per_gpu_h")
    fleet = growth.Fleet(number("demand_now_gpus"), number("capacity_now_gpus"), number("busy_share"))
    each_month, lead = number("growth_share"), growth.months_of_weeks(number("lead_weeks"))
    full = growth.months_until_full(fleet.demand, fleet.capacity, fleet.busy_share, each_month)
    triangle = growth.LeadTime(number("lead_low_weeks"), number("lead_weeks"), number("lead_high_weeks"))
    rng = np.random.default_rng(int(number("seed")))
    drawn = growth.sample_growth(fleet, each_month, number("growth_sd_share"), triangle, int(number("draws")), rng)
    bridge = drawn.short_gpu_months * growth.HOURS_PER_MONTH * rent
    late = growth.gpu_months_short(fleet.capacity, each_month, number("months_late"))
    reach = max(lead + number("months_late"), min(max(full, 0.0), 36.0)) * 1.15 + 1
    months = tuple(float(each) for each in np.linspace(0, reach, _STEPS))
    plan = GrowthPlan(
        full_months=full,
        lead_months=lead,
        order_months=full - lead,
        needed_gpus=growth.capacity_after(fleet.demand, fleet.busy_share, each_month, lead),
        late_gpu_months=late,
        late_usd=late * growth.HOURS_PER_MONTH * rent,
        short_share=drawn.short_share,
        bridge_usd=(float(np.median(bridge)), float(np.quantile(bridge, 0.95))),
        months=months,
        demand_gpus=tuple(growth.capacity_after(fleet.demand, fleet.busy_share, each_month, month) for month in months),
        notes=(),
    )
    return replace(plan, notes=(_growth_answer(plan), *_growth_warnings(asked, plan)))


def _growth_answer(plan: GrowthPlan) -> Note:
    if plan.full_months == np.inf:
        return say("plan.growth.never")
    told: dict[str, Param] = {
        "full": plan.full_months,
        "lead": plan.lead_months,
        "needed": f"{plan.needed_gpus:,.0f}",
        "chance": Share(plan.short_share, 0),
    }
    if plan.order_months < 0:
        return say("plan.growth.late", months=-plan.order_months, **told)
    return say("plan.growth.ahead", months=plan.order_months, **told)


def _growth_warnings(asked: Assumptions, plan: GrowthPlan) -> Iterator[Note]:
    if asked.number("busy_share") > FRAGILE_USE:
        yield warn("plan.fragile", use=Share(asked.number("busy_share")), limit=Share(FRAGILE_USE, 0))
    if plan.full_months <= 0:
        yield warn("plan.growth.full")
    if asked.number("growth_sd_share") == 0:
        yield warn("plan.growth.certain")


@dataclass(frozen=True)
class SparesPlan:
    """Spare nodes, and how often to save a long job.

    Attributes
    ----------
    in_repair : float
        Mean nodes in repair.
    spares, nodes : int
        Spare nodes for the wanted cover, and all nodes to buy.
    sellable_gpus : int
        GPUs that can be promised; spares are not among them.
    by_cover : mapping
        Share of time covered -> spare nodes.
    curve : tuple of (spares, share)
        Cover of each number of spares.
    job_mtbf_h : float
        Time between failures that hit the long job.
    interval_h : mapping
        ``young``, ``daly`` and ``best`` interval between two saves.
    runtime_factor, waste : float
        Runtime over that without failures at the best interval; first-order waste at Young's.
    notes : tuple of Note
        The answer in sentences, then warnings.
    """

    in_repair: float
    spares: int
    nodes: int
    sellable_gpus: int
    by_cover: dict[float, int]
    curve: tuple[tuple[int, float], ...]
    job_mtbf_h: float
    interval_h: dict[str, float]
    runtime_factor: float
    waste: float
    notes: tuple[Note, ...]


def plan_spares(asked: Assumptions) -> SparesPlan:
    """Return the spare nodes and the checkpoint interval, under the assumptions.

    Examples
    --------
    >>> found = plan_spares(Assumptions())
    >>> found.spares, found.nodes, found.sellable_gpus, round(found.interval_h["best"], 2)
    (8, 408, 3200, 0.31)
    """
    number = asked.number
    nodes, rate, cover = int(number("spare_nodes_of")), number("failures_per_node_day"), number("covered_share")
    in_repair = spares.mean_in_repair(nodes, rate, number("repair_days"))
    extra = spares.spares_for(in_repair, cover)
    mtbf = spares.job_mtbf_h(int(number("long_job_nodes")), rate)
    save, restart = (asked.duration_ms(slug) / _HOUR_MS for slug in ("save_time", "restart_time"))
    best, young = checkpoints.best_interval(save, mtbf), checkpoints.young(save, mtbf)
    factor = checkpoints.runtime_factor(best, save, restart, mtbf)
    each = int(number("gpus_per_node"))
    notes = [
        say(
            "plan.spares", spares=f"{extra:,}", nodes=f"{nodes:,}", cover=Share(cover, 2),
            in_repair=in_repair, sell=f"{nodes * each:,}", bought=f"{(nodes + extra) * each:,}",
        ),
        say(
            "plan.saves", interval=Time(best * _HOUR_MS), mtbf=Time(mtbf * _HOUR_MS),
            factor=Share(factor - 1),
        ),
    ]  # fmt: skip
    if rate < 0.001:
        notes.append(warn("plan.per_gpu", rate=rate, gpus=each, node=format_number(rate * each)))
    if save >= mtbf:
        notes.append(warn("plan.save_long", save=Time(save * _HOUR_MS)))
    notes.append(say("plan.racks"))
    return SparesPlan(
        in_repair=in_repair,
        spares=extra,
        nodes=nodes + extra,
        sellable_gpus=spares.sellable_gpus(nodes + extra, extra, each),
        by_cover={share: spares.spares_for(in_repair, share) for share in COVERED_SHARES},
        curve=tuple((count, spares.covered_share(count, in_repair)) for count in range(extra + 5)),
        job_mtbf_h=mtbf,
        interval_h={"young": young, "daly": checkpoints.daly(save, mtbf), "best": best},
        runtime_factor=factor,
        waste=checkpoints.first_order_waste(young, save, restart, mtbf),
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class ZonesPlan:
    """Capacity that survives the loss of one zone.

    Attributes
    ----------
    zones : int
        Equal zones.
    total_gpus : int
        GPUs in all of them.
    use : float
        Share of them that is busy while nothing has failed.
    slots : ZoneServers
        Slots for the promise about waiting: no loss, pooled and separate.
    by_zones : mapping
        Number of zones -> GPUs in all of them.
    notes : tuple of Note
        The answer in a sentence.
    """

    zones: int
    total_gpus: int
    use: float
    slots: ZoneServers
    by_zones: dict[int, int]
    notes: tuple[Note, ...]


def plan_zones(asked: Assumptions) -> ZonesPlan:
    """Return the capacity that survives the loss of one zone, under the assumptions.

    Examples
    --------
    >>> found = plan_zones(Assumptions())
    >>> found.total_gpus, round(found.use, 5), found.slots.pooled, found.slots.separate
    (1689, 0.53286, 222, 240)
    """
    number = asked.number
    count, need, busy = int(number("zones")), number("zone_need_gpus"), number("busy_share")
    total = zones.total_for_zone_loss(need, busy, count)
    slots = zones.zone_servers(number("zone_load_jobs"), number("zone_waiting_share"), count)
    use = need / total if total else 0.0
    note = say(
        "plan.zones", zones=f"{count}", total=f"{total:,}", need=f"{need:,.0f}", use=Share(use),
        pooled=f"{slots.pooled:,}", separate=f"{slots.separate:,}", one=f"{slots.one_pool:,}",
    )  # fmt: skip
    by_zones = {each: zones.total_for_zone_loss(need, busy, each) for each in sorted({2, 3, 4, 5, 6, count})}
    return ZonesPlan(count, total, use, slots, by_zones, (note,))


@dataclass(frozen=True)
class BurstPlan:
    """What to own when the rest is rented by the hour.

    Attributes
    ----------
    load, own_usd, rent_usd : float
        Erlangs; cost of an owned GPU hour, busy or not; price of a rented one.
    best : burst.Burst
        At the least cost.
    curve : tuple of (servers, cost)
        Cost of an hour with each number of owned servers.
    notes : tuple of Note
        The answer in a sentence.
    """

    load: float
    own_usd: float
    rent_usd: float
    best: Burst
    curve: tuple[tuple[int, float], ...]
    notes: tuple[Note, ...]


def plan_burst(asked: Assumptions) -> BurstPlan:
    """Return how much to own with a burst to the cloud, under the assumptions.

    Examples
    --------
    >>> plan_burst(Assumptions()).best.servers
    102
    """
    load, rent = asked.number("burst_load_gpus"), asked.number("on_demand_usd_per_gpu_h")
    each = own(asked).usd_per_available_gpu_h
    best = burst.cheapest_split(load, each, rent)
    most = max(best.servers, int(load)) + int(3 * load**0.5) + 2
    step = max(1, most // _STEPS)
    looked = sorted({*range(0, most, step), best.servers})
    curve = tuple((servers, burst.burst_cost(servers, load, each, rent)) for servers in looked)
    note = say(
        "plan.burst", servers=f"{best.servers:,}", cost=best.cost, all=best.rent_all,
        share=Share(best.own_share),
    )  # fmt: skip
    return BurstPlan(load, each, rent, best, curve, (note,))
