"""Warnings of `check` about quotas and preemption, with their numbers worked by hand."""

import copy
from typing import Any

import pytest

from scheduler_core.scenario import Priority, check, load
from scheduler_core.scenario.advice import lost_per_eviction_ms, lowest
from scheduler_core.scenario.checkpoint import Checkpoint
from tests.unit.scenario.documents import SMALL

MINUTE_MS = 60_000
SHORT_GRACE = (
    "train: a save takes 2min and the grace is 1min, so an eviction loses on average 3.19 GPU-hours of work "
    "(15.9 min on 12 GPUs); a grace of 2min loses nothing."
)


def warnings(policy: dict[str, Any], **train: object) -> tuple[str, ...]:
    document = copy.deepcopy(SMALL)
    document["workload"]["classes"][0] |= {"checkpoint": {"every": "30min", "cost": "2min"}, **train}
    document["policy"] = policy
    return check(load(document)).warnings


def quotas(*tenants: dict[str, Any], **policy: object) -> tuple[str, ...]:
    document = copy.deepcopy(SMALL)
    document["tenants"], document["policy"] = list(tenants), policy
    return check(load(document)).warnings


def test_work_lost_by_an_average_eviction() -> None:
    # 30 min of work lose 15 on average, 2 min of saving lose all 30: (30 x 15 + 2 x 30) / 32 = 15.9375 min
    lost_ms = lost_per_eviction_ms(Checkpoint(every=30 * MINUTE_MS, cost=2 * MINUTE_MS))
    assert lost_ms == pytest.approx(15.9375 * MINUTE_MS)
    assert lost_per_eviction_ms(Checkpoint(every=10 * MINUTE_MS, cost=0)) == 5 * MINUTE_MS


def test_a_grace_shorter_than_a_save_says_what_it_will_cost() -> None:
    # half the jobs have 8 GPUs, half 16: 12 x 15.9375 min = 3.1875 GPU-hours
    assert warnings({"preemption": {"min_gap": 0.6, "grace": "1min"}}) == (SHORT_GRACE,)
    assert warnings({"preemption": {"min_gap": 0.6, "grace": "2min"}}) == ()


def test_isolation_reclaim_evicts_without_notice_unless_it_is_stated() -> None:
    (sentence,) = warnings({"isolation": "reclaim"})
    assert "the grace is 0s, so an eviction loses on average 3.19 GPU-hours" in sentence
    assert warnings({"isolation": "reclaim", "preemption": {"grace": "5min"}}) == ()
    assert warnings({"isolation": "borrow"}) == ()


@pytest.mark.parametrize(
    "train",
    [
        {"preemptible": False},
        {"checkpoint": None},
        {"checkpoint": {"cost": "1min"}},
        {"priority": 0.8},
        {"priority": {"uniform": [0.8, 0.9]}},
    ],
)
def test_classes_that_lose_nothing_or_are_never_evicted_are_not_warned_of(train: dict[str, Any]) -> None:
    assert warnings({"preemption": {"min_gap": 0.6, "grace": "1min", "protect_at": 0.8}}, **train) == ()


def test_a_later_policy_of_the_run_is_warned_of_once() -> None:
    short = {"preemption": {"min_gap": 0.6, "grace": "1min"}}
    change = [{"at": "12h", "policy": short}, {"at": "1d", "policy": {"order": "priority"}}]
    assert warnings({"change": change}) == (SHORT_GRACE,)


def test_the_lowest_priority_of_a_class() -> None:
    assert lowest(Priority(fixed=300)) == 300
    assert lowest(Priority(uniform=(400, 800))) == 400
    assert lowest(Priority(choice={200: 0.0, 500: 0.5, 700: 0.5})) == 500


def test_nominals_above_what_there_is_are_warned_of() -> None:
    lab, web = {"name": "lab", "nominal_gpus": 30}, {"name": "web", "nominal_gpus": 15}
    (sentence,) = quotas(lab, web, isolation="borrow")  # 24 + 16 + 4 = 44 GPUs
    assert sentence == (
        "tenants: their nominals sum to 45 GPUs, and the cluster has 44; not everybody can get his nominal at once."
    )
    assert quotas(lab, {"name": "web", "nominal_gpus": 14}, isolation="borrow") == ()
    org = {"name": "org"}  # a parent is the sum of those below it and counts once
    assert quotas(org, {**lab, "parent": "org"}, {"name": "web", "nominal_gpus": 14}, isolation="borrow") == ()


def test_quotas_that_nobody_tests_are_named() -> None:
    lab = {"name": "lab", "nominal_gpus": 24, "guarantee_gpus": 8, "cap_gpus": 24, "lend_gpus": 4, "borrow_gpus": 0}
    (sentence,) = quotas(lab, {"name": "web"})
    assert sentence == (
        "tenants.lab.guarantee_gpus, tenants.lab.borrow_gpus, tenants.lab.lend_gpus and 1 more: "
        "policy.isolation is none, so no quota is tested."
    )
    assert quotas({"name": "lab", "nominal_gpus": 24}, {"name": "web"}) == ()  # an entitlement for metrics


@pytest.mark.parametrize("isolation", ["none", "partition"])
def test_a_scope_in_which_nobody_can_be_evicted_is_named(isolation: str) -> None:
    tenants = ({"name": "lab", "nominal_gpus": 24}, {"name": "web", "nominal_gpus": 20})
    (sentence,) = quotas(*tenants, isolation=isolation, preemption={"scope": ["borrowers"]})
    assert sentence == (
        f"policy.preemption.scope lists borrowers, but nobody borrows under isolation {isolation}: "
        "nothing is reclaimed."
    )
    assert quotas(*tenants, isolation="borrow", preemption={"scope": ["borrowers"]}) == ()


def test_an_own_queue_without_a_gap_evicts_nobody() -> None:
    tenants = ({"name": "lab"}, {"name": "web"})
    (sentence,) = quotas(*tenants, preemption={"scope": ["own_queue"]})
    assert sentence == (
        "policy.preemption.scope lists own_queue, but min_gap is null: nobody is evicted for his priority."
    )
    assert quotas(*tenants, preemption={"scope": ["own_queue"], "min_gap": 0}) == ()


def test_a_fair_share_without_an_order_by_shares_evicts_nobody() -> None:
    tenants = ({"name": "lab"}, {"name": "web"})
    (sentence,) = quotas(*tenants, preemption={"scope": ["fair_share"]})
    assert sentence == (
        "policy.preemption.scope lists fair_share, but the order fifo ranks no tenant by its share: "
        "nobody is evicted for it."
    )
    assert quotas(*tenants, order="drf", preemption={"scope": ["fair_share"]}) == ()


def test_suspending_is_named_as_the_trap_it_is() -> None:
    tenants = ({"name": "lab"}, {"name": "web"})
    (sentence,) = quotas(*tenants, preemption={"suspend": True, "min_gap": 0.5})
    assert sentence == (
        "policy.preemption.suspend: suspended jobs keep their GPUs, so whoever had them suspended waits all the same, "
        "and they stand idle meanwhile; suspend: false evicts them."
    )
