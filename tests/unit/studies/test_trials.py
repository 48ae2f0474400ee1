"""Trials by chance beside the formulas of the plan: they meet where the formula holds, and part where it does not."""

import numpy as np
import pytest

from scheduler_core import Assumptions, InputError, read_assumptions
from scheduler_core.economics.growth import Fleet, LeadTime, sample_growth, short_chance
from scheduler_core.engine.run import CancelledError
from scheduler_core.studies.trial_demand import hourly_cost, short_share, trial_commitment, trial_growth
from scheduler_core.studies.trial_failures import Machines, Saving, fleet, time_with, trial_saves, trial_spares
from scheduler_core.studies.trial_sharing import draw_losses, trial_evictions, trial_packing

TRIALS = (trial_spares, trial_saves, trial_growth, trial_commitment, trial_evictions, trial_packing)


def test_every_formula_lies_in_the_interval_where_its_assumptions_hold() -> None:
    agrees = {each.label: each.agrees for trial in TRIALS for each in trial(Assumptions())}
    hold = ("alone", "half", "young", "double", "steady", "normal", "long", "even")
    part = ("racks", "clusters", "whole_racks", "uneven", "skewed", "short", "uneven_neighbours")
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
