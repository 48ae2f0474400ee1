"""How money answers must move with their inputs, and random cases against other methods."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm, triang

from scheduler_core.economics import chance, returns
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.chargeback import RULES, Usage, share_cost
from scheduler_core.economics.commitment import commit_normal, commit_seen
from scheduler_core.economics.dedicated import SEED_CASES, deal_readings, terms_of
from scheduler_core.economics.delay import Work, best_order, delay_cost
from scheduler_core.economics.isolation_cost import isolation_premium, year_test
from scheduler_core.economics.owning import own
from scheduler_core.economics.price import deal_chance, own_npv, owning_chance
from scheduler_core.economics.renting import breakeven_interval_h, spot_usd, spot_waste
from tests.conftest import examples

FEW = settings(max_examples=examples(60, 20, 5_000))
MONEY = st.floats(1.0, 1e6)
SHARE = st.floats(0.05, 0.95)


def cost(**changes: object) -> float:
    return own(Assumptions().change(changes)).usd_per_available_gpu_h


@pytest.mark.parametrize(
    ("slug", "low", "high"),  # the table of section 2.2: the cost of an available hour at both ends
    [
        ("life_years", 2.924, 2.036), ("server_price_usd", 1.869, 2.555), ("maintenance_share", 2.059, 2.467),
        ("discount_share", 2.035, 2.441), ("residual_share", 2.379, 2.087), ("network_share", 2.131, 2.333),
        ("staff_usd_per_node_year", 2.183, 2.383), ("colo_usd_per_kw_month", 2.136, 2.278),
        ("energy_usd_per_kwh", 2.172, 2.281), ("availability_share", 2.282, 2.179), ("pue", 2.202, 2.228),
    ],
)  # fmt: skip
def test_each_input_moves_the_cost_of_an_hour_as_worked_out(slug: str, low: float, high: float) -> None:
    ends = chance.table_ends(Assumptions(), [slug])
    (swing,) = chance.tornado(lambda asked: own(asked).usd_per_available_gpu_h, Assumptions(), ends)
    assert swing.at_low == pytest.approx(low, abs=6e-4)
    assert swing.at_high == pytest.approx(high, abs=6e-4)


def test_the_tornado_is_sorted_and_an_end_that_contradicts_another_input_has_no_bar() -> None:
    asked = Assumptions()
    swings = chance.tornado(own_npv, asked, chance.table_ends(asked, ["pue", "on_demand_usd_per_gpu_h", "life_years"]))
    assert swings[0].slug == "on_demand_usd_per_gpu_h"
    assert [swing.width for swing in swings] == sorted((swing.width for swing in swings), reverse=True)
    (broken,) = chance.tornado(own_npv, asked, {"rated_kw": (5.0, 11.0)})  # below the busy power
    assert broken.at_low is None
    assert broken.at_high is not None
    assert broken.width == 0


@FEW
@given(st.floats(0.01, 0.2), st.floats(1.0, 1.6), st.floats(0.02, 0.3), st.floats(3, 6), st.floats(0, 0.4))
def test_an_owned_hour_costs_more_with_dearer_money_power_and_building_less_with_life_and_residual(
    rate: float, pue: float, energy: float, life: float, residual: float
) -> None:
    base: dict[str, Any] = {
        "discount_share": rate, "pue": pue, "energy_usd_per_kwh": energy, "life_years": life,
        "residual_share": residual,
    }  # fmt: skip
    here = cost(**base)
    for slug, more in (("discount_share", 0.01), ("pue", 0.1), ("energy_usd_per_kwh", 0.01)):
        assert cost(**{**base, slug: base[slug] + more}) > here
    for slug, more in (("life_years", 0.5), ("residual_share", 0.05)):
        assert cost(**{**base, slug: base[slug] + more}) < here


@FEW
@given(st.lists(st.floats(10, 500), min_size=2, max_size=8), st.floats(100, 2_000), st.floats(0.01, 0.3))
def test_present_value_falls_with_the_rate_and_scales_with_money_while_rates_of_return_stay(
    incomes: list[float], outlay: float, rate: float
) -> None:
    cash = [-outlay, *incomes]
    here = returns.npv(rate, cash)
    assert returns.npv(rate + 0.01, cash) < here
    scaled = [1_000 * flow for flow in cash]
    assert returns.npv(rate, scaled) == pytest.approx(1_000 * here)
    assert returns.irr_all(scaled) == pytest.approx(returns.irr_all(cash), rel=1e-6)
    assert returns.payback_years(scaled) == pytest.approx(returns.payback_years(cash))
    assert returns.npv(0.0, cash) == pytest.approx(sum(cash))


@FEW
@given(st.lists(st.integers(-500, 500), min_size=2, max_size=7))
def test_every_rate_of_return_is_a_zero_and_every_zero_is_found(cash: list[int]) -> None:
    found = returns.irr_all(cash)
    size = sum(abs(flow) for flow in cash) or 1
    for rate in found:
        weight = sum(abs(flow) * (1 + rate) ** -at for at, flow in enumerate(cash))
        assert abs(sum(flow * (1 + rate) ** -at for at, flow in enumerate(cash))) < 1e-5 * max(weight, size)

    def value(rate: float) -> float:
        return float(sum(flow * (1 + rate) ** (len(cash) - 1 - at) for at, flow in enumerate(cash)))

    grid = np.concatenate([np.linspace(-0.95, 1, 79), np.linspace(1.05, 20, 200)])
    for low, high in itertools.pairwise(grid):
        if value(low) * value(high) < 0:
            root = brentq(value, low, high)
            assert any(abs(rate - root) < 1e-3 * (1 + abs(root)) for rate in found)


@FEW
@given(st.floats(10, 2_000), st.floats(1, 300), st.floats(0.1, 0.9))
def test_what_to_reserve_is_the_minimum_of_the_cost(mean: float, sd: float, price: float) -> None:
    found = commit_normal(mean, sd, price, 1.0)

    def total(level: float) -> float:
        z = (level - mean) / sd
        return price * level + sd * (norm.pdf(z) - z * norm.sf(z))

    assert found.usd_per_h <= min(total(max(0.0, found.gpus + step)) for step in (-sd / 3, sd / 3)) + 1e-9
    best = minimize_scalar(total, bounds=(0, mean + 6 * sd), method="bounded", options={"xatol": 1e-6})
    assert found.usd_per_h <= best.fun + 1e-4 * sd


@FEW
@given(st.lists(st.integers(0, 200), min_size=1, max_size=30), st.floats(0.05, 0.95))
def test_what_to_reserve_for_observed_hours_beats_every_other_amount(demand: list[int], price: float) -> None:
    found = commit_seen(demand, price, 1.0)
    for level in range(201):
        cost_there = price * level + sum(max(0, each - level) for each in demand) / len(demand)
        assert found.usd_per_h <= cost_there + 1e-9


@FEW
@given(st.lists(st.tuples(MONEY, st.floats(0.5, 30)), min_size=1, max_size=6))
def test_no_permutation_costs_less_delay(items: list[tuple[float, float]]) -> None:
    work = [Work(str(at), *pair) for at, pair in enumerate(items)]
    found = best_order(work)
    least = min(delay_cost(order) for order in itertools.permutations(work))
    assert found.usd == pytest.approx(least)


@FEW
@given(st.floats(0.5, 5), st.floats(1.02, 3), st.floats(0.001, 0.2), st.floats(0, 0.5))
def test_at_the_breakeven_interval_spot_costs_as_much_as_the_alternative(
    price: float, factor: float, save: float, restart: float
) -> None:
    interval = breakeven_interval_h(price, price * factor, save, restart)
    assert interval is not None
    assert spot_usd(price, spot_waste(save, restart, interval)) == pytest.approx(price * factor)
    assert breakeven_interval_h(price, price, save, restart) is None


@FEW
@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 200)), min_size=1, max_size=6), MONEY, st.sampled_from(RULES))
def test_bills_sum_to_the_cost_and_splitting_a_tenant_changes_nothing(
    used: list[tuple[float, float]], usd: float, rule: str
) -> None:
    tenants = [Usage(str(at), *pair) for at, pair in enumerate(used)]
    bill = share_cost(usd, 1_000, tenants, rule)
    assert sum(bill.total_usd.values()) == pytest.approx(usd)
    assert min(bill.total_usd.values()) >= 0
    first, *others = tenants
    halves = [Usage(name, first.allocated_gpu_h / 2, first.quota_gpu_h / 2) for name in ("left", "right")]
    split = share_cost(usd, 1_000, [*halves, *others], rule)
    if bill.rule != "uniform":
        whole = split.total_usd["left"] + split.total_usd["right"]
        assert whole == pytest.approx(bill.total_usd[first.name], abs=1e-6)


@FEW
@given(MONEY, SHARE, st.floats(1.1, 3), st.floats(0.1, 60))
def test_a_deal_scales_with_money_and_its_ceiling_is_a_ratio_of_utilisations(
    price: float, margin: float, premium: float, seconds: float
) -> None:
    values = {
        "list_usd_per_request": price / 1e6, "premium_ratio": premium, "request_gpu_s": seconds,
        "variable_usd_per_request": (1 - margin) * price / 1e6, "dedicated_usd_per_gpu_h": 2.0,
        "person_usd_per_year": 1e5,
    }  # fmt: skip
    deal = terms_of(Assumptions().change(values))
    money = [slug for slug in values if "usd" in slug]
    scaled = terms_of(Assumptions().change({**values, **{slug: 3 * values[slug] for slug in money}}))
    even = deal.volume(0)
    assert even is not None
    assert scaled.volume(0) == pytest.approx(even)
    assert scaled.roi(even * 2) == pytest.approx(deal.roi(even * 2))
    assert deal.volume(3) == pytest.approx(4 * even)
    assert deal.roi_max == pytest.approx(deal.usable_share / deal.utilisation(even) - 1)
    if even <= deal.cap_per_day:
        assert deal.roi(even) == pytest.approx(0, abs=1e-9)


def test_more_gpus_do_not_lift_the_ceiling_but_a_price_does() -> None:
    heavy = deal_readings(Assumptions())[3]
    assert not heavy.is_reachable
    more = deal_readings(Assumptions().change({"dedicated_gpus": 640, "dedicated_staff": 2.0}))[3]
    assert more.terms.roi_max == pytest.approx(heavy.terms.roi_max)
    price = heavy.needed_price_usd
    lifted = deal_readings(Assumptions().change({"list_usd_per_request": price / 2}))[3]
    assert lifted.terms.roi_max == pytest.approx(3)
    seconds = heavy.needed_request_gpu_s
    assert seconds is not None
    lighter = deal_readings(Assumptions().change({"heavy_request_gpu_s": seconds * 0.999}))[3]
    assert lighter.is_reachable


def test_standing_apart_never_takes_less_and_the_shared_pool_is_never_free() -> None:
    for per_day in (1_000, 20_000, 80_000, 120_000):
        asked = Assumptions().change({**SEED_CASES["hurdle"], "requests_per_day": per_day})
        found = isolation_premium(asked)
        assert found.premium_gpus >= 0
        assert found.shared_marginal_gpus > 0, "the queue of the pool has a price"
        assert year_test(asked, found).capacity_usd >= 0


def test_a_hundred_thousand_draws_repeat_with_their_seed() -> None:
    asked = Assumptions().change({"draws": 100_000})
    first = owning_chance(asked)
    assert np.array_equal(first.spread.values, owning_chance(asked).spread.values)
    other = owning_chance(asked.change({"seed": 8}))
    assert not np.array_equal(first.spread.values, other.spread.values)
    assert other.spread.above_share == pytest.approx(first.spread.above_share, abs=0.01)
    assert deal_chance(asked).spread.n_draws == 100_000


def test_draws_have_the_shapes_and_the_correlation_they_promise() -> None:
    uniform = np.random.default_rng(1).random((2, 200_000))
    drawn = chance.triangular(uniform[0], 1.0, 2.0, 5.0)
    assert np.quantile(drawn, [0.1, 0.5, 0.9]) == pytest.approx(triang.ppf([0.1, 0.5, 0.9], 0.25, 1, 4), rel=0.01)
    prices = chance.lognormal(uniform[0], 4.0, 2.7, 6.9)
    assert np.median(prices) == pytest.approx(4.0, rel=0.01)
    assert np.quantile(prices, 0.95) / np.quantile(prices, 0.05) == pytest.approx(6.9 / 2.7, rel=0.02)
    together = chance.correlated(uniform[0], uniform[1], 0.7)
    assert np.corrcoef(norm.ppf(uniform[0]), norm.ppf(together))[0, 1] == pytest.approx(0.7, abs=0.01)
    assert np.quantile(together, [0.25, 0.75]) == pytest.approx([0.25, 0.75], abs=0.01)


def test_draws_without_spread_give_the_flows_worked_year_by_year(monkeypatch: pytest.MonkeyPatch) -> None:
    def still(asked: Assumptions, slug: str, uniform: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.full_like(uniform, asked.number(slug))

    monkeypatch.setattr(chance, "_triangular_of", still)
    monkeypatch.setattr(chance, "_around", still)
    monkeypatch.setattr(chance, "lognormal", lambda uniform, median, _low, _high: np.full_like(uniform, median))
    for changes in ({}, {"drift_share": 0.1}, {"lost_share": 0.05, "life_years": 4}, {"other_usd_per_gpu_h": 0.5}):
        asked = Assumptions().change(changes)
        drawn = chance.draw_own_npv(asked, np.random.default_rng(0))
        assert drawn.mean == pytest.approx(own_npv(asked), rel=1e-9)
