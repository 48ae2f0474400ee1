"""Mistakes that calculators of waits and failures make: each is refused or warned about."""

from collections.abc import Callable
from typing import Any

import pytest

from scheduler_core import (
    Assumptions,
    InfeasibleError,
    InputError,
    plan_classes,
    plan_growth,
    plan_size,
    plan_spares,
    plan_zones,
)
from scheduler_core.economics.spares import job_mtbf_h, sellable_gpus

Plan = Callable[[Assumptions], Any]


def warnings(plan: Plan, **changes: object) -> set[str]:
    return {note.key for note in plan(Assumptions().change(changes)).notes if note.is_warning}


@pytest.mark.parametrize(
    ("plan", "changes", "key"),
    [
        (plan_size, {"peak_ratio": 1}, "plan.no_peak"),
        (plan_size, {"slots_now": 40}, "plan.overload"),
        (plan_size, {"wait_limit": "8h"}, "plan.fragile"),
        (plan_size, {"arrival_scv": 3}, "plan.spread"),
        (plan_size, {"run_time_scv": 4, "wait_measure": "p99"}, "plan.spread_tail"),
        (plan_classes, {"patient_per_day": 160}, "plan.fragile"),
        (plan_growth, {"busy_share": 0.97}, "plan.fragile"),
        (plan_growth, {"demand_now_gpus": 3000}, "plan.growth.full"),
        (plan_growth, {"growth_sd_share": 0}, "plan.growth.certain"),
        (plan_spares, {"failures_per_node_day": 0.00047}, "plan.per_gpu"),
        (plan_spares, {"save_time": "5h"}, "plan.save_long"),
    ],
)
def test_a_mistake_is_warned_about_and_only_then(plan: Plan, changes: dict[str, object], key: str) -> None:
    assert key in warnings(plan, **changes)
    right: dict[str, object] = {"peak_ratio": 1.5, "slots_now": 100, "wait_limit": "45min"}
    assert key not in warnings(plan, **right)


def test_overload_is_no_number_anywhere() -> None:
    found = plan_size(Assumptions().change({"slots_now": 40}))
    assert found.now is None
    assert found.one_less is not None
    assert "no wait is finite (-)" in found.notes[0].text()
    with pytest.raises(InfeasibleError, match="No finite wait"):
        plan_classes(Assumptions().change({"class_slots": 9}))


def test_the_peak_and_not_the_average_decides() -> None:
    calm, busy = plan_size(Assumptions()), plan_size(Assumptions().change({"peak_ratio": 2}))
    assert busy.slots > 1.8 * calm.slots
    assert busy.demand.load == calm.demand.load


def test_failures_are_those_of_nodes_and_spares_are_not_sold() -> None:
    assert job_mtbf_h(100, 0.004) == 24 / 0.4  # not divided by the GPUs of the nodes
    found = plan_spares(Assumptions())
    assert found.sellable_gpus == 400 * 8
    assert found.nodes == 408
    assert sellable_gpus(10, 10, 8) == 0
    with pytest.raises(InputError, match="from 0 to the 10 nodes"):
        sellable_gpus(10, 11, 8)


def test_every_sentence_can_be_said_in_both_languages() -> None:
    for plan in (plan_size, plan_classes, plan_growth, plan_spares, plan_zones):
        for note in plan(Assumptions().change({"run_time_scv": 4, "slots_now": 40})).notes:
            assert "{" not in note.text("en") + note.text("zh")
            assert note.text("en") != note.text("zh")


@pytest.mark.parametrize(
    ("slug", "value", "said"),
    [
        ("run_time", "12", "12 has no unit"),
        ("run_time", "2 fortnights", "fortnights is not a unit"),
        ("run_time", "0s", "from 1ms to"),
        ("save_time", "2d", "from 1ms to"),
        ("wait_measure", "p42", "one of mean, p95, p99, any"),
    ],
)
def test_a_duration_or_word_that_cannot_be_read_is_refused(slug: str, value: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        Assumptions().change({slug: value})
    assert said in str(caught.value)
    assert slug in str(caught.value)
