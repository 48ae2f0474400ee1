"""Quotas in force and the test of a job alone, against numbers worked by hand (docs/model.md, section 13)."""

import copy
from typing import Any

import pytest

from scheduler_core.scenario import ROOT, UNLIMITED, Quota, QuotaTree, Scenario, check, effective_quotas, load
from scheduler_core.scenario.quotas import bottom_up, leaves_below
from tests.unit.scenario.documents import SMALL


def scenario(isolation: str, *tenants: dict[str, Any], owner: str = "lab", gpus: object = 1) -> Scenario:
    document = copy.deepcopy(SMALL)
    document["tenants"] = list(tenants)
    document["workload"]["classes"] = [{**document["workload"]["classes"][0], "tenant": owner, "gpus": gpus}]
    document["policy"] = {"isolation": isolation}
    return load(document)


def numbers(quota: Quota) -> tuple[int, ...]:
    return (quota.nominal, quota.guarantee, quota.borrow, quota.lend, quota.cap, quota.keep)


def test_partition_gives_everybody_his_nominal_and_nothing_else() -> None:
    lab, web = effective_quotas(
        scenario("partition", {"name": "lab", "nominal_gpus": 24}, {"name": "web", "nominal_gpus": 8})
    )
    assert numbers(lab) == (24, 24, 0, 0, 24, 24)
    assert numbers(web) == (8, 8, 0, 0, 8, 8)
    assert lab.by_hand == web.by_hand == ()


@pytest.mark.parametrize("isolation", ["borrow", "reclaim"])
def test_borrowing_is_unlimited_and_all_that_is_not_guaranteed_is_lent(isolation: str) -> None:
    lab, web = effective_quotas(
        scenario(isolation, {"name": "lab", "nominal_gpus": 24, "guarantee_gpus": 10}, {"name": "web"})
    )
    assert numbers(lab) == (24, 10, UNLIMITED, UNLIMITED, UNLIMITED, 10)  # keeps 24 - (24 - 10)
    assert numbers(web) == (0, 0, UNLIMITED, UNLIMITED, UNLIMITED, 0)
    assert lab.by_hand == ("guarantee_gpus",)


def test_fields_set_by_hand_win_and_are_listed_against_the_preset() -> None:
    found = scenario(
        "reclaim",
        {"name": "lab", "nominal_gpus": 24, "lend_gpus": 4, "borrow_gpus": 8, "cap_gpus": 30},
        {"name": "web", "borrow_gpus": "unlimited", "guarantee_gpus": 0},
    )
    lab, web = effective_quotas(found)
    assert numbers(lab) == (24, 0, 8, 4, 30, 20)  # keeps 24 - min(24, 4)
    assert lab.by_hand == ("borrow_gpus", "lend_gpus", "cap_gpus")
    assert web.by_hand == ()  # stated, and what reclaim says anyway
    assert check(found).by_hand == (
        "tenants.lab.borrow_gpus: 8 (reclaim: unlimited)",
        "tenants.lab.lend_gpus: 4 (reclaim: unlimited)",
        "tenants.lab.cap_gpus: 30 (reclaim: unlimited)",
    )
    assert effective_quotas(found, "partition")[0].by_hand == ("borrow_gpus", "lend_gpus", "cap_gpus")


def test_a_parent_without_nominal_has_what_stands_below_it() -> None:
    found = scenario(
        "borrow",
        {"name": "org"},
        {"name": "lab", "parent": "org", "nominal_gpus": 8},
        {"name": "team", "parent": "org", "nominal_gpus": 10},
        {"name": "web", "parent": "team", "nominal_gpus": 4},
    )
    org, lab, team, web = effective_quotas(found)
    assert [quota.parent for quota in (org, lab, team, web)] == [ROOT, 0, 0, 2]
    assert [quota.nominal for quota in (org, lab, team, web)] == [18, 8, 10, 4]  # 8 + 10, and 10 was stated


def test_trees_are_walked_from_below_and_leaves_are_those_with_nobody_below() -> None:
    parents = [ROOT, 0, 0, 2, ROOT]
    order = bottom_up(parents)
    assert all(order.index(row) < order.index(parent) for row, parent in enumerate(parents) if parent != ROOT)
    assert leaves_below(parents, 0) == (1, 3)
    assert leaves_below(parents, 4) == (4,)


def largest(isolation: str, owner: str, *tenants: dict[str, Any]) -> int:
    found = scenario(isolation, *tenants, owner=owner)
    row = [tenant.name for tenant in found.tenants].index(owner)
    return QuotaTree(effective_quotas(found)).largest_alone(row)


@pytest.mark.parametrize(
    ("lab", "web", "gpus"),
    [
        ({}, {}, 21),  # 9 + 12, as in the documentation of Kueue
        ({"borrow_gpus": 1}, {}, 10),  # 9 + 1
        ({}, {"lend_gpus": 1}, 10),  # web keeps 11 of 21
        ({}, {"guarantee_gpus": 4}, 17),  # web keeps 4 of 21
        ({"cap_gpus": 15}, {}, 15),
        ({"borrow_gpus": 0}, {}, 9),
    ],
)
def test_the_largest_job_of_two_tenants_that_borrow(lab: dict[str, Any], web: dict[str, Any], gpus: int) -> None:
    tenants = ({"name": "lab", "nominal_gpus": 9, **lab}, {"name": "web", "nominal_gpus": 12, **web})
    assert largest("borrow", "lab", *tenants) == gpus


def test_under_partition_no_job_is_larger_than_the_nominal() -> None:
    assert largest("partition", "lab", {"name": "lab", "nominal_gpus": 5}, {"name": "web", "nominal_gpus": 5}) == 5


@pytest.mark.parametrize(
    ("org", "x", "gpus"),
    [
        ({}, {}, 12),  # x keeps its guarantee of 4 of the 16
        ({}, {"guarantee_gpus": 0}, 16),
        ({"borrow_gpus": 0}, {}, 4),  # want(org) = 4 of x + g <= 8
        ({"borrow_gpus": 1}, {}, 5),
        ({"cap_gpus": 10}, {}, 10),
        ({"lend_gpus": 0}, {}, 12),  # org lends nothing to others, and lab stands below it
    ],
)
def test_the_largest_job_in_a_tree(org: dict[str, Any], x: dict[str, Any], gpus: int) -> None:
    tenants = (
        {"name": "org", **org},
        {"name": "x", "parent": "org", "nominal_gpus": 4, "guarantee_gpus": 4, **x},
        {"name": "lab", "parent": "org", "nominal_gpus": 4},
        {"name": "z", "nominal_gpus": 8},
    )
    assert largest("borrow", "lab", *tenants) == gpus


def test_what_a_neighbour_does_not_lend_is_kept_through_its_parent() -> None:
    tenants = (
        {"name": "org"},
        {"name": "x", "parent": "org", "nominal_gpus": 4, "guarantee_gpus": 4},
        {"name": "y", "parent": "org", "nominal_gpus": 4},
        {"name": "lab", "nominal_gpus": 8},
    )
    # want(org) = 4 + 0 although org itself guarantees nothing: 16 - 4
    assert largest("borrow", "lab", *tenants) == 12


def test_jobs_that_no_quota_ever_lets_run_are_listed() -> None:
    tenants = ({"name": "lab", "nominal_gpus": 8, "borrow_gpus": 4}, {"name": "web", "nominal_gpus": 8})
    report = check(scenario("reclaim", *tenants, gpus={"12": 0.5, "13": 0.5}))
    (found,) = report.unschedulable
    assert found.sentence == (
        "train: jobs of 13 GPUs can never start: quotas let lab use at most 12, borrowed ones included."
    )
    assert found.jobs == 12.0  # half of 24 a day
    assert check(scenario("none", *tenants, gpus={"12": 0.5, "13": 0.5})).unschedulable == ()


def test_a_job_that_some_policy_of_the_run_lets_run_is_not_listed() -> None:
    document = copy.deepcopy(SMALL)
    document["tenants"] = [{"name": "lab", "nominal_gpus": 8}, {"name": "web", "nominal_gpus": 8}]
    document["policy"] = {"isolation": "partition"}
    assert [found.gpus for found in check(load(document)).unschedulable] == [16]
    document["policy"]["change"] = [{"at": "1d", "policy": {"isolation": "borrow"}}]
    assert check(load(document)).unschedulable == ()
