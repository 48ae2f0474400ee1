"""The reference answers about money: E12 to E19b, E23, E24, E27 to E31, and the worked questions of the case."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scheduler_core.economics import changes, chargeback, delay, losses, owning, renting, returns
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.burst import cheapest_split, overflow
from scheduler_core.economics.chance import draw_roi
from scheduler_core.economics.commitment import commit_normal, commit_seen
from scheduler_core.economics.dedicated import SEED_CASES, Reading, deal_readings, purchase_flows, terms_of, unit_cost
from scheduler_core.economics.isolation_cost import isolation_premium
from scheduler_core.economics.opportunity import opportunity, shadow_price
from scheduler_core.economics.owning import HOURS_PER_YEAR, own
from tests.oracle.answers import Answer, Figures

LITERAL = Assumptions().change(SEED_CASES["literal"])
HURDLE = Assumptions().change(SEED_CASES["hurdle"])
TODAY_FLOWS = (-1_000, 300, 400, 500, 200)
CONSOLE = (-1_920_000, *[3_139_584 / 4 - 728_681 / 4] * 4)


def rent_flows() -> list[float]:
    """Return the flows of the default node that replaces its used hours at 3.99, all hours of the year counted."""
    found = own(Assumptions())
    saved = 3.99 * 8 * HOURS_PER_YEAR * 0.62 - found.cash_usd
    return [-found.investment_usd, *[saved] * 4, saved + 70_000]


def measures(cash: Sequence[float], rate: float) -> Figures:
    """Return present value, first rate of return, payback and discounted payback."""
    found = returns.judge(list(cash), rate)
    return found.npv_usd, found.irr[0], found.payback_years, found.discounted_payback_years


def default_hours() -> Figures:
    """Return the cost of an hour of the default node, and at 38 %."""
    found, low = own(Assumptions()), own(Assumptions().change({"utilisation_share": 0.38}))
    return (
        found.usd_per_available_gpu_h, found.usd_per_useful_gpu_h,
        low.usd_per_available_gpu_h, low.usd_per_useful_gpu_h,
    )  # fmt: skip


def elsewhere() -> Figures:
    """Return the line without the GPUs of the case, their shadow price, their worth and the breakeven at that price."""
    found = opportunity(HURDLE)
    return found.after, found.shadow_usd, found.usd_per_gpu_h, found.breakeven_per_day


def preset(asked: Assumptions) -> Figures:
    """Return fixed cost, both volumes, both utilisations, the cap and the highest return."""
    deal = terms_of(asked)
    volumes = [deal.volume(roi) or math.nan for roi in (0, 3)]
    return deal.fixed_usd, *volumes, *[deal.utilisation(each) for each in volumes], deal.cap_per_day, deal.roi_max


def bills() -> Figures:
    """Return rate, idle cost, and the bills of three tenants by two rules."""
    found = chargeback.bill(Assumptions())
    by_rule = [found[rule].total_usd.values() for rule in ("pro_rata", "unused_quota")]
    return found["pro_rata"].rate_usd, found["pro_rata"].idle_usd, *by_rule[0], *by_rule[1]


def spot() -> Figures:
    """Return waste, effective price and breakeven time between interruptions."""
    waste = renting.spot_waste(1 / 60, 8 / 60, 6)
    return waste, renting.spot_usd(2.46, waste), renting.breakeven_interval_h(2.46, 2.72, 1 / 60, 8 / 60)


def burst() -> Figures:
    """Return overflow, best own servers and cost."""
    found = cheapest_split(100, 2.21, 3.99)
    return overflow(110, 100), found.servers, found.cost


def exact_roi() -> Figures:
    """Return the closed form of E31: a normal volume, cut off at the cap."""
    from scipy.special import ndtr

    deal = terms_of(HURDLE)
    mean, sd = 80_000.0, 20_000.0
    z = (deal.cap_per_day - mean) / sd
    above = sd * (math.exp(-z * z / 2) / math.sqrt(2 * math.pi) - z * float(1 - ndtr(z)))
    served = mean - above
    chances = [float(1 - ndtr(((deal.volume(roi) or 0.0) - mean) / sd)) for roi in (0, 3)]
    return *chances, served, (served * deal.margin_usd - deal.fixed_usd) / deal.fixed_usd


def drawn_roi() -> Figures:
    """Return the same from 400,000 draws."""
    found = draw_roi(HURDLE.change({"draws": 400_000}), np.random.default_rng(7))
    return found.above_share, found.hurdle_share, found.mean


def wsjf() -> Figures:
    """Return the order as places in A, B, C, and its cost."""
    items = [delay.Work("A", 2e6, 3), delay.Work("B", 3e5 / 7, 10), delay.Work("C", 4e5, 2)]
    found = delay.best_order(items)
    return *[items.index(work) for work in found.order], found.usd


def newsvendor() -> Figures:
    """Return ratio, amount, shortfall, cost, and cost at the mean."""
    found = commit_normal(1000, 200, 0.65, 1)
    return found.ratio, found.gpus, found.short_gpus, found.usd_per_h, found.at_mean_usd_per_h


def seen() -> Figures:
    """Return amount, cost and cost of all on demand."""
    found = commit_seen([40, 44, 52, 60, 61, 66, 70, 75, 90, 142], 0.65, 1)
    return found.gpus, found.usd_per_h, found.on_demand_usd_per_h


def literal_preset() -> Figures:
    """Return the literal reading with the GPUs its promise needs at 320,000 a day."""
    return *preset(LITERAL)[1:], isolation_premium(LITERAL.change({"requests_per_day": 320_000})).own_gpus


def by_name(asked: Assumptions, name: str) -> Reading:
    """Return one of the four readings."""
    return next(each for each in deal_readings(asked) if each.name == name)


def four(asked: Assumptions, name: str) -> Figures:
    """Return breakeven, volume for 3, both utilisations and the ceiling of one reading."""
    found = by_name(asked, name)
    volumes = found.breakeven_per_day or math.nan, found.hurdle_per_day or math.nan
    return *volumes, *[found.terms.utilisation(each) for each in volumes], int(found.is_reachable)


def moved_ceiling(asked: Assumptions) -> float:
    """Return the highest return if the customer would have stayed."""
    return replace(terms_of(asked), counterfactual="moved").roi_max


def pooling() -> Figures:
    """Return GPUs alone, together, for the others, the difference, the premium and its price a day."""
    found = isolation_premium(HURDLE)
    return (
        found.own_gpus, found.together_gpus, found.shared_gpus,
        found.shared_marginal_gpus, found.premium_gpus, found.premium_usd_per_day,
    )  # fmt: skip


def units() -> Figures:
    """Return the cost of a request dedicated, shared, and their ratio."""
    found = unit_cost(HURDLE)
    assert found is not None
    return found.dedicated_usd, found.shared_usd, found.ratio


def bought() -> Figures:
    """Return the measures of buying the cluster."""
    return measures(purchase_flows(HURDLE, (20_000, 50_000, 80_000, 80_000)), 0.10)


def urgent() -> Figures:
    """Return the case of two teams, and what renting for the first costs."""
    found, rescue = delay.delays(Assumptions().change({"gpu": "a100"}))
    assert rescue is not None
    assert rescue.share_of_delay is not None
    assert found.flips_below_usd_per_day is not None
    claim = found.flips_below_usd_per_day / found.order[0].usd_per_day
    return found.usd, found.worst_usd, found.flips_below_usd_per_day, claim, rescue.usd_per_day


def fleet(gpus: float, before: float, after: float) -> Figures:
    """Return GPUs of work more, GPUs avoided, and both a year in USD at 1.75."""
    found = changes.utilisation_gain(gpus, before, after, 1.75)
    return found.extra_gpus, found.avoided_gpus, found.extra_usd, found.avoided_usd


def useful_of_a100() -> Figures:
    """Return the cost of a useful hour at 1.75 before and after, and how much it falls."""
    before, after = 1.75 / 0.38, 1.75 / 0.62
    return before, after, 1 - after / before


def mfu() -> Figures:
    """Return the share saved, the spending implied, GPUs of two kinds, the classic error, and work more."""
    low, high = (changes.mfu_gain(0.45, 0.58, 3e6, price) for price in (1.75, 3.99))
    return (
        low.saved_share, low.implied_usd_per_year, low.implied_gpus,
        high.implied_gpus, low.wrong_usd_per_year, low.more_work_share,
    )  # fmt: skip


def claim() -> Figures:
    """Return price if all is lost, what the gap explains, price of the crash and its bound."""
    found = changes.audit(Assumptions())
    return (
        found.all_lost_usd_per_gpu_h, found.explained_usd_per_day,
        found.crash_usd_per_gpu_h, found.crash_bound_usd, found.gap_usd_per_gpu_h,
    )  # fmt: skip


def levers() -> Figures:
    """Return what is needed, the levers so far, and what is left to shed."""
    found = changes.squeeze(Assumptions())
    return found.needed, found.steps[2].reached, found.steps[3].reached, found.shed_share


DEAL_NAMES = "F; N*; N(ROI 3); U at N*; U at N(ROI 3); cap; ROI_max"
FOUR_NAMES = "N*; N(ROI 3); U at N*; U at N(ROI 3); reachable"

ORACLES = (
    Answer("E12", "overflow, a = 100: k = 110; best k at 2.21 against 3.99; cost an hour",
           "overflow; servers; USD/h", (2.74634, 102, 250.950), burst),
    Answer("E13", "-1000, 300, 400, 500, 200 at 10 %", "NPV; IRR; payback; discounted payback; MIRR",
           (115.566, 0.153221, 2.6, 3.15400, 0.130489),
           lambda: (*measures(TODAY_FLOWS, 0.10), returns.mirr(TODAY_FLOWS, 0.10, 0.10))),
    Answer("E14", "every IRR of -50, -100, 600, 300, -100", "lower; upper", (-0.768895, 1.85442),
           lambda: returns.irr_all([-50, -100, 600, 300, -100])),
    Answer("E15", "-1.92M, then four times 602,726 at 10 %", "NPV; payback; IRR", (-9_440.0, 3.18553, 0.0977266),
           lambda: (returns.npv(0.10, CONSOLE), returns.payback_years(CONSOLE), returns.irr_all(CONSOLE)[0]), 1.1e-4),
    Answer("E16", "10 %, 5 years; 423,500 with 70,000 left", "CRF; EAC", (0.263797, 100_252.0),
           lambda: (owning.capital_recovery(0.10, 5), owning.equivalent_annual_usd(423_500, 70_000, 0.10, 5))),
    Answer("E17", "the default node; at U = 0.38",
           "c_avail; c_useful; c_avail at 0.38; c_useful at 0.38", (2.21190, 3.56758, 2.18898, 5.76047), default_hours),
    Answer("E18", "the default node against renting its hours at 3.99", "NPV; IRR; payback; discounted payback",
           (81_328.0, 0.167885, 3.47968, 4.31677), lambda: measures(rent_flows(), 0.10)),
    Answer("E19", "the case, hurdle reading", DEAL_NAMES,
           (2_800.0, 20_000.0, 80_000.0, 0.108507, 0.434028, 129_024.0, 5.45120), lambda: preset(HURDLE)),
    Answer("E19b", "the case, literal reading; GPUs for p99 wait at most 8 s at 320,000 a day, peak 2",
           f"{DEAL_NAMES.removeprefix('F; ')}; GPUs", (80_000.0, 320_000.0, 0.115741, 0.462963, 483_840.0, 5.04800, 64),
           literal_preset),
    Answer("O1", "opportunity by hand: a = 1, 2 USD an hour of waiting, 1 of 3 GPUs taken; Lq is 1/3 on 2, 1/22 on 3",
           "USD a GPU-h", (19 / 33,), lambda: (shadow_price(3, 1, 1.0, 2.0),)),
    Answer("O2", "opportunity of the case, hurdle reading: 64 of 266 GPUs, the others at 200 Erlangs, 1 USD an hour; "
           "Erlang C in exact fractions",
           "line after; shadow price; worth elsewhere; breakeven a day",
           (83.6887, 1.30764, 1.36, 15_721.14), elsewhere),
    Answer("E23", "newsvendor, N(1000, 200), 0.65 against 1",
           "ratio; amount; shortfall; cost; cost at the mean", (0.35, 922.936, 124.171, 724.080, 729.788), newsvendor),
    Answer("E24", "newsvendor, ten observed hours, 0.65 against 1", "amount; cost; all on demand", (60.0, 53.4, 70.0),
           seen),
    Answer("E27", "three tenants share 151,909.782 USD",
           "rate; idle; pro rata A; pro rata B; pro rata C; by quota A; by quota B; by quota C",
           (2.21190, 50_162.4, 99_071.6, 39_628.6, 13_209.5, 94_225.0, 37_690.0, 19_994.8), bills),
    Answer("E28", "fee 100,000, outage of 50, 600, 2,500 of 43,200 min", "credit 1; 2; 3",
           (10_000.0, 30_000.0, 100_000.0),
           lambda: [losses.credit_usd(100_000, outage, 43_200) for outage in (50, 600, 2_500)]),
    Answer("E29", "spot 2.46, C 1 min, R 8 min, M 6 h; against 2.72", "waste; effective price; breakeven M in h",
           (0.0967578, 2.72352, 6.11995), spot),
    Answer("E30", "A (2M a day, 3 d), B (300k a week, 10 d), C (400k a day, 2 d)",
           "first (A 0, B 1, C 2); second; third; cost",
           (0, 2, 1, 8_642_857.0), wsjf),
    Answer("E31", "volume N(80,000, 20,000), hurdle reading: closed form",
           "P(ROI > 0); P(ROI >= 3); E[served]; E[ROI]", (0.998650, 0.5, 79_953.4, 2.99767), exact_roi),
)  # fmt: skip
"""To the digits of the reference table."""

DRAWN = Answer(
    "E31", "the same by 400,000 draws", "P(ROI > 0); P(ROI >= 3); E[ROI]", (0.998650, 0.5, 2.99767), drawn_roi, 4e-3
)

WORKED = (
    Answer("a", "literal, R1", FOUR_NAMES, (80_000.0, 320_000.0, 0.116, 0.463, 1), lambda: four(LITERAL, "R1"), 5e-3),
    Answer("a", "literal, R2", FOUR_NAMES, (140_000.0, 560_000.0, 0.203, 0.810, 0), lambda: four(LITERAL, "R2"), 5e-3),
    Answer("a", "literal, R2'", FOUR_NAMES, (80_000.0, 560_000.0, 0.116, 0.810, 0), lambda: four(LITERAL, "R2'"), 5e-3),
    Answer("a", "literal, R2'' (30 GPU-s)", FOUR_NAMES, (80_000.0, 320_000.0, 0.434, 1.74, 0),
           lambda: four(LITERAL, "R2''"), 5e-3),
    Answer("a", "hurdle, R1", FOUR_NAMES, (20_000.0, 80_000.0, 0.109, 0.434, 1), lambda: four(HURDLE, "R1"), 5e-3),
    Answer("a", "hurdle, R2", FOUR_NAMES, (37_333.3, 149_333.0, 0.203, 0.810, 0), lambda: four(HURDLE, "R2"), 5e-3),
    Answer("a", "hurdle, R2'", FOUR_NAMES, (20_000.0, 101_818.0, 0.109, 0.552, 1), lambda: four(HURDLE, "R2'"), 5e-3),
    Answer("a", "highest return if the customer moved; literal at 30 GPU-s", "literal; hurdle; heavy",
           (2.46, 2.46, 0.61),
           lambda: (moved_ceiling(LITERAL), moved_ceiling(HURDLE), by_name(LITERAL, "R2''").terms.roi_max), 5e-3),
    Answer("a", "hurdle: cost of a request", "dedicated; shared; ratio", (0.045, 0.0335, 1.34), units, 3e-3),
    Answer("a", "hurdle: GPUs for the promise", "alone; together; others; marginal; premium; USD a day",
           (64, 266, 210, 56, 8, 336.0), pooling),
    Answer("a", "hurdle, bought: volumes 20k, 50k, 80k, 80k", "NPV; IRR; payback; discounted payback",
           (5_660_290.0, 1.073, 1.45261, 1.56676), bought, 5e-4),
    Answer("b", "100 A100 urgent or the training", "urgent first; other order; flips below; of the claim; rent a day",
           (6_557_143.0, 26_428_571.0, 12_857.0, 0.00643, 4_296.0), urgent, 5e-4),
    Answer("c", "38 to 62 % on 3,200 A100 at 1.75", "GPUs of work; GPUs avoided; USD a year as work; as machines",
           (768.0, 2_021.0, 11.8e6, 31.0e6), lambda: fleet(3200, 0.38, 0.62), 3e-3),
    Answer("c", "cost of a useful hour at 1.75", "before; after; fall", (4.605, 2.823, 0.387), useful_of_a100, 5e-4),
    Answer("c", "45 to 78 % on 10,000 GPUs", "GPUs of work; GPUs avoided", (3_300.0, 7_333.3),
           lambda: fleet(10_000, 0.45, 0.78)[:2]),
    Answer("c", "15 points are 2M a year at 1.75", "GPUs", (870.0,),
           lambda: (changes.implied_gpus(2e6, 0.15, 1.75),), 1e-3),
    Answer("d", "MFU 45 to 58 % saves 3M a year",
           "saved; spending; A100 at 1.75; H100 at 3.99; from points; work more",
           (0.2241, 13.385e6, 873.0, 383.0, 23.1e6, 0.289), mfu, 1.5e-3),
    Answer("e", "1.2M a day, 10,000 GPUs; a crash of 48 h for 3M",
           "USD/GPU-h if all is lost; a day for 33 points; USD/GPU-h of the crash; bound; USD/GPU-h for 33 points",
           (5.00, 316_000.0, 6.25, 40_000.0, 15.15), claim, 4e-3),
    Answer("f", "half the budget, twice the demand", "needed; first three levers; with spot; left to shed",
           (4.0, 3.093, 3.682, 0.0796), levers, 1e-3),
    Answer("g", "scaling 0.85 to 0.92 on 10,000 GPUs", "output more; ideal GPUs; GPUs at the old efficiency",
           (0.0824, 700.0, 824.0), lambda: changes.scaling_gain(10_000, 0.85, 0.92), 1e-3),
)  # fmt: skip
"""The questions of the interview case, worked out by hand to the digits given."""
