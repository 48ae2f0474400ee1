"""What calculators like these get wrong, one test each: refused, warned about, or impossible here."""

import math
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from scheduler_core import InfeasibleError, InputError
from scheduler_core.economics import returns
from scheduler_core.economics.assumptions import Assumptions, read_assumptions
from scheduler_core.economics.changes import mfu_gain, utilisation_gain
from scheduler_core.economics.chargeback import Bill, Usage, effective_utilisation, share_cost
from scheduler_core.economics.commitment import commit_normal
from scheduler_core.economics.dedicated import SEED_CASES
from scheduler_core.economics.notes import FOLDER, Note, catalogue
from scheduler_core.economics.owning import own, own_by_life
from scheduler_core.economics.plan_fleet import plan_spares
from scheduler_core.economics.price import price_change, price_claim, price_deal, price_owning, price_sharing
from scheduler_core.economics.queueing import erlang_c, mean_wait
from scheduler_core.economics.renting import options, own_instead_of_rent
from scheduler_core.economics.table import assumption_rows
from scheduler_core.studies.plan_causes import read_sizes
from tests.oracle.mistakes import MISTAKES, Mistake

TODAY = date(2026, 12, 2)


def warned(**changes: object) -> set[str]:
    """Return the keys of the notes about owning and about the deal."""
    asked = Assumptions().change(changes)
    return {note.key for note in (*price_owning(asked, TODAY).notes, *price_deal(asked, TODAY).notes)}


def test_1_capital_is_counted_once_so_payback_uses_cash_only() -> None:
    cash = own_instead_of_rent(Assumptions().change({"drift_share": 0}))
    found = own(Assumptions())
    assert cash[0] == -found.investment_usd
    saved = cash[1] + found.cash_usd
    right = found.investment_usd / (saved - found.cash_usd)
    twice = found.investment_usd / (saved - found.total_usd)
    assert returns.payback_years(cash) == pytest.approx(right)
    assert twice > 1.3 * right, "with amortisation in it the verdict would be another one"
    notes = {note.key: note for note in price_owning(Assumptions().change({"drift_share": 0}), TODAY).notes}
    assert dict(notes["money.cash_only"].params)["right"] == pytest.approx(right)
    assert dict(notes["money.cash_only"].params)["wrong"] == pytest.approx(twice, rel=0.15)  # the residual comes last
    assert "money.cash_never" in warned()


def test_2_the_verdict_is_the_present_value_and_near_zero_there_is_none() -> None:
    console = [-1_920_000, *[602_725.75] * 4]
    assert sum(console) > 0, "undiscounted it looks like a gain"
    assert returns.judge(console, 0.10).verdict == "marginal"  # -9,440 of 1.92 million
    assert returns.judge(console, 0.15).verdict == "not_worth"
    assert returns.judge(console, 0.05).verdict == "worth"
    assert "money.undiscounted" in warned()  # the default node: a gain of 55,291 in all, a present value of -55,635
    assert "money.undiscounted" not in warned(on_demand_usd_per_gpu_h=5)
    asked = Assumptions().change({"on_demand_usd_per_gpu_h": 4.4})
    assert returns.judge(own_instead_of_rent(asked), 0.10).verdict == "marginal"
    assert "money.marginal" in warned(on_demand_usd_per_gpu_h=4.4)


def test_3_one_utilisation_serves_every_option() -> None:
    low, high = (options(Assumptions().change({"utilisation_share": used})) for used in (0.4, 0.8))
    assert low.own_usd > 1.9 * high.own_usd
    assert low.reserved_usd == pytest.approx(2 * (high.reserved_usd or 0.0))
    assert low.on_demand_usd == high.on_demand_usd
    assert "money.one_use" in warned()


def test_4_the_price_of_a_node_is_not_taken_for_that_of_a_gpu() -> None:
    assert "money.node_price" in warned(on_demand_usd_per_gpu_h=31.9)
    assert "money.server_price" in warned(server_price_usd=44_000)
    assert "money.node_price" in warned(dedicated_usd_per_gpu_h=14)
    asked = Assumptions().change({"fleet_usd_per_gpu_h": 31.9, "claim_usd_per_gpu_h": 31.9})
    assert "money.node_price" in {note.key for note in price_change(asked).notes}
    assert "money.node_price" in {note.key for note in price_claim(asked)[1]}
    assert not {"money.node_price", "money.server_price"} & warned()


def test_5_colocation_has_its_unit_in_its_name_and_warns_when_it_is_that_of_a_year() -> None:
    for usd in (450, 450 / 12):
        asked = Assumptions().change({"colo_usd_per_kw_month": usd})
        (note,) = [note for note in price_owning(asked, TODAY).notes if note.key == "money.colo_unit"]
        assert f"it is {usd / 12:.3g} a month" in note.text()
    assert "money.colo_unit" not in warned()


def test_6_old_prices_warn() -> None:
    assert "prices.stale" in warned()
    assert all(row.figures.source for row in assumption_rows().values() if row.kind == "price")


def test_7_one_utilisation_not_three_and_active_is_not_mfu() -> None:
    assert effective_utilisation(0.75, 0.67, 0.40) == pytest.approx(0.201)
    found = price_sharing(Assumptions())
    assert found.allocated_share == pytest.approx(46_000 / 68_678.4)
    assert found.effective_share == pytest.approx(found.allocated_share * 0.67 * 0.45)
    assert "money.active" in warned(utilisation_kind="active")
    assert "money.effective" in warned(utilisation_kind="effective")


def test_8_points_and_percent_stand_side_by_side() -> None:
    found = mfu_gain(0.45, 0.58, 3e6, 1.75)
    assert (round(found.points, 2), round(found.saved_share, 4)) == (0.13, 0.2241)
    gain = utilisation_gain(100, 0.5, 0.75, 1.0)
    assert (gain.points, gain.ratio) == (0.25, 0.5)
    assert "money.points" in {note.key for note in price_claim(Assumptions())[1]}


def bill_of(*used: tuple[float, float], rule: str) -> Bill:
    return share_cost(100.0, 10.0, [Usage(f"t{at}", *pair) for at, pair in enumerate(used)], rule)


def test_9_idle_cost_never_vanishes_and_nothing_is_negative() -> None:
    for rule in ("pro_rata", "unused_quota", "uniform"):
        nobody = bill_of((0, 0), (0, 0), rule=rule)
        assert nobody.idle_usd == 100
        assert list(nobody.total_usd.values()) == [50, 50]
        assert nobody.rule == "uniform"
    over = bill_of((6, 2), (1, 1), rule="unused_quota")  # above its quota: no weight, not a negative one
    assert over.rule == "pro_rata"
    nothing_left = Assumptions().change({"bill_tenants": "a, 10, 5; b, 20, 20"})
    (note,) = price_sharing(nothing_left).notes
    assert (note.key, dict(note.params)["used"]) == ("money.bill_rule", Note("rule.pro_rata"))
    assert not price_sharing(Assumptions()).notes
    assert bill_of((0.5, 1), (0.25, 1), rule="pro_rata").direct_usd == {"t0": 5.0, "t1": 2.5}, "parts of a GPU"
    with pytest.raises(InputError, match=r"at most the 10 available"):
        bill_of((6, 6), (5, 5), rule="pro_rata")


def test_10_todays_flow_is_not_discounted_all_rates_are_told_and_a_month_is_no_twelfth() -> None:
    assert returns.npv(0.10, [100, 0]) == 100
    assert len(returns.irr_all([-50, -100, 600, 300, -100])) == 2
    assert returns.irr_all([-1, -1]) == ()
    assert returns.payback_years([-10, 1, 1]) is None
    assert (1 + returns.monthly_rate(0.10)) ** 12 == pytest.approx(1.10)
    assert returns.mirr([1, 2], 0.1, 0.1) is None
    assert "money.nominal" in warned()
    several = "money.irr"
    assert several in warned(buy_capex_usd=8e5, buy_opex_usd_per_year=1.5e6, buy_requests_per_day="300000, 0",
                             buy_residual_usd=0, discount_share=0.1)  # fmt: skip
    assert several not in warned()
    with pytest.raises(InputError, match="at least two"):
        returns.npv(0.1, [1])


def test_11_lives_stand_side_by_side_and_a_long_one_warns() -> None:
    found = own_by_life(Assumptions())
    assert list(found) == [3, 4, 5, 6]
    assert found[3] / found[5] == pytest.approx(1.32, abs=0.01)
    assert {"money.life"} <= warned(life_years=6)
    assert {"money.life"} <= warned(residual_share=0)


def test_12_power_is_drawn_not_rated_and_what_a_cluster_needs_is_counted() -> None:
    assert "money.rated_power" in warned(load_kw=10.2)
    assert "money.power_share" in warned(energy_usd_per_kwh=1.0)
    assert {"money.left_out"} <= warned(network_share=0, spares_share=0)
    included = own(Assumptions().change({"colo_power": "included", "pue": 1.5}))
    assert included.energy_usd == 0
    assert "money.colo_included" in warned(colo_power="included")
    assert "money.pue_one" in warned(pue=1)
    assert "money.pue_one" not in warned(pue=1, colo_power="included")
    with pytest.raises(InputError, match=r"rated_kw is 5\.0; it must be at least load_kw"):
        own(Assumptions().change({"rated_kw": 5.0}))
    with pytest.raises(InputError, match=r"load_kw is 1\.0; it must be at least idle_kw"):
        own(Assumptions().change({"load_kw": 1.0}))


def test_13_a_reservation_above_the_median_demand_warns_and_needs_a_discount() -> None:
    assert "money.commitment" in warned(reserved_usd_per_gpu_h=1.2)
    assert "money.commitment" not in warned()
    assert "money.demand_flat" in warned(demand_sd_gpus=0)
    assert "money.demand_flat" not in warned()
    with pytest.raises(InputError, match="below the on-demand price"):
        commit_normal(100, 10, 1.0, 1.0)


def test_14_overload_has_no_wait_and_sizing_for_the_mean_warns() -> None:
    with pytest.raises(InfeasibleError, match="No finite wait"):
        mean_wait(10, 10.0, 1.0)
    assert "money.overload" in warned(requests_per_day=400_000)
    assert "money.no_peak" in warned(peak_factor=1)
    assert "money.fragile" in warned(requests_per_day=330_000, wait_limit_s=1_000)
    assert "money.too_small" in warned(requests_per_day=330_000)
    late = Assumptions().change({"requests_per_day": 330_000, "late_usd_per_request": 0.01})
    load = 330_000 * 8 * 2 / 86_400  # requests of 8 s at twice the mean
    share = erlang_c(64, load) * math.exp(-(64 - load) * 8 / 8)  # that wait over 8 s
    assert price_deal(late, TODAY).late_usd_per_day == pytest.approx(0.01 * 330_000 * share)
    assert "money.above_cap" in warned(requests_per_day=500_000)


def test_15_moved_revenue_is_not_new_and_the_shared_pool_costs_something() -> None:
    deal = price_deal(Assumptions().change(SEED_CASES["hurdle"]), TODAY)
    new, moved = deal.readings[:2]
    assert moved.terms.margin_usd < new.terms.margin_usd
    assert deal.isolation.shared_marginal_gpus == 56
    assert "money.new_revenue" in warned()
    assert "money.new_revenue" not in warned(counterfactual="moved")
    assert "money.queue_free" in warned(**SEED_CASES["hurdle"], wait_usd_per_h=0)
    assert "money.undervalued" in warned(**SEED_CASES["hurdle"], wait_usd_per_h=10)
    assert "money.equal_use" in warned(shared_utilisation_share=80_000 * 8 / 86_400 / 64)
    assert not {"money.queue_free", "money.undervalued", "money.equal_use"} & warned(**SEED_CASES["hurdle"])


def test_16_a_return_that_no_volume_reaches_is_called_so_and_names_the_lever() -> None:
    found = price_deal(Assumptions().change({"counterfactual": "moved"}), TODAY)
    (note,) = [note for note in found.notes if note.key == "money.unreachable"]
    assert not found.chosen.is_reachable
    assert "unreachable at any volume" in note.text()
    assert "a price of" in note.text()
    assert all(
        volume is None for volume in (deal_without_margin().breakeven_per_day, deal_without_margin().hurdle_per_day)
    )


def deal_without_margin() -> Any:  # noqa: ANN401
    return price_deal(Assumptions().change({"premium_ratio": 0.25}), TODAY).chosen


def test_17_work_that_was_lost_is_not_useful_and_failures_are_those_of_nodes() -> None:
    clean, lossy = (own(Assumptions().change({"lost_share": lost})) for lost in (0.0, 0.1))
    assert lossy.usd_per_useful_gpu_h == pytest.approx(clean.usd_per_useful_gpu_h / 0.9)
    assert lossy.usd_per_available_gpu_h == clean.usd_per_available_gpu_h
    assert "money.nothing_lost" in warned()
    assert "money.nothing_lost" not in warned(lost_share=0.02)
    of_a_gpu = plan_spares(Assumptions().change({"failures_per_node_day": 0.00379 / 8}))
    assert "plan.per_gpu" in {note.key for note in of_a_gpu.notes}
    assert of_a_gpu.sellable_gpus == 400 * 8, "spares are not sold"


def test_18_currencies_are_not_mixed_and_what_is_left_out_is_said() -> None:
    with pytest.raises(InputError, match="currencies are not mixed"):
        Assumptions().change({"on_demand_usd_per_gpu_h": "2.4 CNY"})
    assert "money.egress" in warned()
    assert "money.egress" not in warned(other_usd_per_gpu_h=0.5)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("on_demand_usd_per_gpu_h:-1", "above 0"),
        ("utilisation_share:1.2", "at most 1"),
        ("utilisation_share:-0.1", "above 0"),
        ("life_years:0", "above 0"),
        ("pue:0.9", "at least 1"),
        ("availability_share:1.01", "at most 1"),
        ("discount_share:1", "below 1"),
        ("growth_share:-1", "above -1"),
        ("server_price_usd:nan", "a number in USD"),
        ("server_price_usd:inf", "a number in USD"),
        ("server_price_usd:100 EUR", "currencies are not mixed"),
    ],
)
def test_19_what_cannot_be_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_assumptions([text])
    assert told in str(caught.value)
    assert text.partition(":")[0] in str(caught.value)


def test_19_impossible_values_are_refused_and_unusual_ones_warn() -> None:
    with pytest.raises(InputError, match=r"gang_slots is .*shares that add up to 1"):
        read_sizes("1, 0.8; 4, 0.3")
    unusual = {"discount_share": 0.3, "life_years": 7, "utilisation_share": 0.95, "energy_usd_per_kwh": 0.4,
               "residual_share": 0.6, "premium_ratio": 3.5}  # fmt: skip
    for slug, value in unusual.items():
        assert "input.above" in warned(**{slug: value}), slug
    assert "input.above" not in warned()
    assert "money.payback" in warned(on_demand_usd_per_gpu_h=1.5)
    assert "money.claim_price" in {note.key for note in price_claim(Assumptions())[1]}
    fair = Assumptions().change({"claim_usd_per_day": 100_000})
    assert "money.claim_price" not in {note.key for note in price_claim(fair)[1]}


# ---- the table of docs/economics.md -----------------------------------------------------------------------------


def faults(mistake: Mistake) -> list[str]:
    """Return what a row of the table claims and is not so."""
    missing = [key for key in mistake.sentences if not all(catalogue().get(key, {}).get(lang) for lang in ("en", "zh"))]
    here = Path(__file__).read_text(encoding="utf-8")
    told = here + Path(__file__).with_name("test_plan_warnings.py").read_text(encoding="utf-8")
    untested = [key for key in mistake.sentences if key not in told + TESTED_ELSEWHERE]
    is_there = f"def {mistake.test}(" in here
    return [*missing, *untested, *([] if is_there else [mistake.test])]


TESTED_ELSEWHERE = "input.below input.range plan.spares"
"""Said in test_assumptions.py and test_plan_warnings.py by their words."""


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.test.split("_")[1])
def test_each_mistake_has_its_sentences_in_both_languages_and_its_test(mistake: Mistake) -> None:
    assert faults(mistake) == []
    assert (FOLDER.parent / f"{mistake.where}.py").exists()


def test_there_are_nineteen_and_a_false_row_is_found() -> None:
    assert len(MISTAKES) == 19
    assert faults(Mistake("x", "y", "z", "test_x_nobody_wrote", ("money.nothing_of_this",))) != []
