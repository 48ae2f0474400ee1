"""Trials by chance beside the formulas of the plan: they meet where the formula holds, and part where it does not."""

import numpy as np
import pytest

from scheduler_core import Assumptions, InfeasibleError, InputError, read_assumptions
from scheduler_core.economics.chargeback import RULES, Usage
from scheduler_core.economics.delay import Work
from scheduler_core.economics.growth import Fleet, LeadTime, sample_growth, short_chance
from scheduler_core.engine.run import CancelledError
from scheduler_core.studies.delay_order import confirm_delay, order_scenario, run_cost
from scheduler_core.studies.trial_bill import draw_hours, hourly_bill, trial_bill, trial_credit
from scheduler_core.studies.trial_change import confirm_change, draw_cost, draw_saving, trial_speed, trial_squeeze
from scheduler_core.studies.trial_claim import draw_crash, trial_claim
from scheduler_core.studies.trial_deal import draw_varied, trial_volume
from scheduler_core.studies.trial_demand import hourly_cost, short_share, trial_commitment, trial_growth
from scheduler_core.studies.trial_failures import Machines, Saving, fleet, time_with, trial_saves, trial_spares
from scheduler_core.studies.trial_rent import draw_available, trial_owning, trial_spot
from scheduler_core.studies.trial_sharing import draw_losses, trial_evictions, trial_packing
from scheduler_core.studies.trials import BESIDE
from scheduler_core.studies.trials import TRIALS as BY_KIND
from tests.oracle.simulations import CONFIRMED

TRIALS = (
    trial_spares, trial_saves, trial_growth, trial_commitment, trial_evictions, trial_packing, trial_owning, trial_spot,
    trial_volume, trial_speed, trial_squeeze, trial_claim, trial_bill, trial_credit, confirm_delay,
)  # fmt: skip


def test_every_formula_lies_in_the_interval_where_its_assumptions_hold() -> None:
    agrees = {each.label: each.agrees for trial in TRIALS for each in trial(Assumptions())}
    hold = (
        "alone", "half", "young", "double", "steady", "full", "late", "normal", "long", "even", "own_used", "npv_walk",
        "roi_here", "roi_breakeven", "roi_hurdle", "roi_days", "bought_alike", "bought_days", "mfu_by_time", "scaling",
        "levers", "claim_day", "bill_period", "credit_alike", "order_rule", "order_opposite",
    )  # fmt: skip
    part = (
        "racks", "clusters", "whole_racks", "uneven", "full_uneven", "skewed", "short", "uneven_neighbours",
        "own_peaks", "spot", "spot_clusters", "mfu_by_job", "levers_waste", "claim_crash", "bill_hourly",
        "credit_months",
    )  # fmt: skip
    assert {label: agrees[label] for label in hold} == dict.fromkeys(hold, True)
    assert {label: agrees[label] for label in part} == dict.fromkeys(part, False)
    assert len(agrees) == len(hold) + len(part)


@pytest.mark.parametrize("trial", TRIALS)
def test_a_gap_is_explained_and_the_same_seed_draws_the_same(trial) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    found = trial(Assumptions())
    assert found == trial(Assumptions())
    assert found != trial(read_assumptions(["seed:8"]))
    for each in found:
        assert each.notes[0].key.startswith(("plan.gap.", "money.gap."))
        assert all(note.text(language) for note in each.notes for language in ("en", "zh"))


def test_a_few_machines_are_out_as_often_as_binomial_odds_say() -> None:
    rng = np.random.default_rng(3)
    shares = time_with((Machines(3, 1, 0.1),), 2.5, rng)  # each is out 0.25 / 1.25 = one fifth of the time
    assert shares.sum() == pytest.approx(1)
    assert shares == pytest.approx([0.512, 0.384, 0.096, 0.008], abs=0.01)


def test_racks_keep_the_failures_of_a_node_and_take_several_at_once() -> None:
    assert fleet(8, 0.01, 1.0, 4) == (Machines(2, 4, 0.01),)
    shares = time_with(fleet(8, 0.02, 1.0, 4), 1.0, np.random.default_rng(1))
    assert shares[1] == shares[2] == shares[3] == 0
    assert shares[4] == pytest.approx(2 * 0.02 / 1.02**2, rel=0.1)


def test_racks_need_more_spares_and_stop_a_job_less_often() -> None:
    asked = Assumptions()
    alone, racks = trial_spares(asked)
    assert (racks.found.mean or 0) > 2 * (alone.found.mean or 1)
    by_label = {each.label: each.found.mean or 0 for each in trial_saves(asked)}
    assert by_label["young"] > max(by_label["half"], by_label["double"])
    assert by_label["whole_racks"] > by_label["young"]


def test_only_what_was_saved_counts_as_useful() -> None:
    assert Saving(1.0, 0.5, 1.0).useful_share(np.array([0.9, 2.4, 2.6, 5.6])) == pytest.approx(4 / 11.5)


def test_the_chance_to_run_short_is_that_of_the_draws() -> None:
    fleet_now, lead = Fleet(1984, 3200, 0.8), LeadTime(16, 30, 52)
    drawn = sample_growth(fleet_now, 0.05, 0.02, lead, 200_000, np.random.default_rng(5)).short_share
    assert short_chance(fleet_now, 0.05, 0.02, lead) == pytest.approx(drawn, abs=0.005)
    full = Fleet(3000, 3200, 0.8)
    assert short_chance(full, 0.05, 0.02, lead) == 1
    assert short_share(full, (0.05, 0.02, 0.05), lead, np.random.default_rng(5)) == 1


def test_the_reservation_of_the_formula_is_the_cheapest_of_normal_hours() -> None:
    demand = np.random.default_rng(2).normal(1000, 200, 200_000)
    costs = {gpus: hourly_cost(gpus, demand, (0.65, 1.0)) for gpus in (800, 923, 1050)}
    assert min(costs, key=lambda gpus: costs[gpus]) == 923
    assert costs[923] == pytest.approx(724.08, rel=2e-3)


def test_an_eviction_loses_what_is_younger_than_the_last_checkpoint() -> None:
    lost = draw_losses(8, 1.0, 0.25, None, np.random.default_rng(1))
    assert 2.0 <= lost.min() < lost.max() <= 10.0
    assert lost.mean() == pytest.approx(8 * 0.75, rel=0.02)


def test_a_trial_can_be_cancelled_and_refuses_what_is_too_large() -> None:
    with pytest.raises(CancelledError):
        trial_saves(Assumptions(), progress=lambda _: False)
    with pytest.raises(InputError, match="300,000 nodes"):
        trial_spares(read_assumptions(["spare_nodes_of:1000000"]))
    (none, _) = trial_spares(read_assumptions(["repair_days:0"]))
    assert none.formula == 0
    assert (none.found.mean or 0) < 1e-5


# ---- money ------------------------------------------------------------------------------------------------------


def test_every_kind_of_trial_belongs_to_a_topic_and_to_the_page_of_answers() -> None:
    used = {kind for topics in BESIDE.values() for kinds in topics.values() for kind in kinds}
    assert used == set(BY_KIND)
    told = {(each.page, each.topic, each.kind) for each in CONFIRMED if each.kind}
    assert told == {(page, topic, kind) for page, at in BESIDE.items() for topic, kinds in at.items() for kind in kinds}


def test_spot_has_the_exact_price_beside_the_first_order_one_and_none_without_a_price() -> None:
    random, _ = trial_spot(Assumptions())
    assert random.better is not None
    assert random.found.holds(random.better)
    assert random.formula == pytest.approx(2.72352, rel=1e-5)
    assert trial_spot(read_assumptions(["gpu:h200"])) == ()
    assert trial_spot(read_assumptions(["spot_interval_h:0.01"])) == (), "nothing useful is left"
    assert trial_commitment(read_assumptions(["gpu:l40s"])) == ()
    assert [each.label for each in trial_owning(read_assumptions(["gpu:ascend_910b"]))] == ["own_used"]


def test_nodes_are_up_as_often_as_said() -> None:
    rng = np.random.default_rng(1)
    assert np.mean([draw_available(0.9, rng) for _ in range(50)]) == pytest.approx(0.9, abs=0.005)
    assert draw_available(1.0, rng) == 1


def test_days_beyond_the_cap_are_not_made_up_for() -> None:
    by_label = {each.label: each for each in trial_volume(read_assumptions(["requests_per_day:460000"]))}
    assert by_label["roi_here"].agrees
    varied = by_label["roi_days"]
    assert (varied.found.mean or 0.0) < 0.95 * varied.formula
    assert varied.notes[0].key == "money.gap.capped"
    assert draw_varied(0.25, 80_000, np.random.default_rng(1)).mean() == pytest.approx(80_000, rel=0.03)
    assert "roi_hurdle" not in {each.label for each in trial_volume(read_assumptions(["request_gpu_s:30"]))}


def test_the_mean_speed_of_jobs_saves_less_than_that_of_all_time() -> None:
    rng = np.random.default_rng(1)
    assert draw_saving((0.4, 0.8), 0.0, True, rng) == pytest.approx(0.5)
    assert draw_saving((0.4, 0.8), 0.5, True, rng) == pytest.approx(1 - 0.5 * np.log(3), abs=0.01)  # E[1/x], 0.5 to 1.5
    assert draw_saving((0.4, 0.8), 0.5, False, rng) == pytest.approx(0.5, abs=0.01)
    assert draw_cost(1.0, 0.6, 0.25, rng) == pytest.approx(0.8)  # 0.6 / (1 - 0.25)


@pytest.mark.once
def test_both_fleets_are_as_busy_as_the_readings_say() -> None:
    small = read_assumptions(["fleet_gpus:50"])
    fleet, other = confirm_change(small)
    assert (fleet.formula, other.formula) == pytest.approx((0.62, 31 / 82))  # 31 GPUs of work; 31 / 0.38 is 82 GPUs
    assert fleet.agrees
    assert other.agrees
    with pytest.raises(InfeasibleError, match="below 100 %"):
        confirm_change(read_assumptions(["used_after_share:1"]))


def test_a_crash_loses_half_an_interval_and_a_restart() -> None:
    assert draw_crash(1.0, 0.25, np.random.default_rng(1)) == pytest.approx(0.75, abs=0.01)


def test_the_simulator_finishes_the_work_in_its_order() -> None:
    from scheduler_core.api import simulate

    order = [Work("a", 10.0, 3.0), Work("b", 1.0, 2.0)]
    assert order_scenario(order).name == "order"
    assert run_cost(order, simulate) == pytest.approx(35.0)  # 10 x 3 + 1 x 5
    assert run_cost(order[::-1], simulate) == pytest.approx(52.0)  # 1 x 2 + 10 x 5


def test_hour_by_hour_the_bill_sums_to_the_cost_and_nobody_pays_for_more_than_there_is() -> None:
    tenants = (Usage("a", 30_000, 40_000), Usage("b", 30_000, 30_000))
    hours = draw_hours(tenants, np.random.default_rng(1))
    for rule in RULES:
        paid = hourly_bill(100.0, 61_000.0, hours, np.array([40_000.0, 30_000.0]), rule)
        assert paid.sum() == pytest.approx(100.0)
        assert (paid > 0).all()


def test_spot_that_is_always_interrupted_is_no_lever() -> None:
    only, *rest = trial_squeeze(Assumptions().change({"spot_interval_h": 0.01}))
    assert (only.label, rest) == ("levers", [])
    assert only.notes[-1].key == "money.gap.no_spot"
    assert only.notes[-1].is_warning
