"""What each tenant received, asked for and is entitled to; use of quotas."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.metrics import Value, summarize
from scheduler_core.metrics._due import demanded_gpu_ms, entitled_gpu_ms, entitled_gpus, jain, received_gpu_ms
from scheduler_core.metrics._view import Shared
from scheduler_core.result import Result
from scheduler_core.scenario import apply
from tests.unit.metrics.hand import DAY, Job, S, hand_result

DAY_S = DAY // S


def asking(*names: str) -> list[Job]:
    """One job of one GPU over the whole day for each tenant."""
    return [Job(0, 0, DAY_S, tenant=name, job_class=name) for name in names]


def due(result: Result) -> dict[str, float]:
    takes_part = np.ones(len(result.tenants), bool)
    return dict(zip(result.tenants, entitled_gpus(result, takes_part).tolist(), strict=True))


def test_stated_nominal_is_due_and_the_others_divide_the_rest_by_weight() -> None:
    # 16 GPUs: a is due 4; 12 are left for b (weight 1) and c (weight 2).
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 4}, {"name": "b"}, {"name": "c", "weight": 2}]
    assert due(hand_result(asking("a", "b", "c"), tenants=tenants)) == {"a": 4, "b": 4, "c": 8}


def test_nominals_above_the_cluster_leave_nothing_to_divide() -> None:
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 20}, {"name": "b"}]
    assert due(hand_result(asking("a", "b"), tenants=tenants)) == {"a": 20, "b": 0}


def test_nominal_of_the_tenant_above_is_divided_among_those_below() -> None:
    # org has 8: x states 2, y and z divide 6 by weight 1 : 2; solo has what is left of 16.
    tenants: list[dict[str, Any]] = [
        {"name": "org", "nominal_gpus": 8},
        {"name": "x", "parent": "org", "nominal_gpus": 2},
        {"name": "y", "parent": "org"},
        {"name": "z", "parent": "org", "weight": 2},
        {"name": "solo"},
    ]
    assert due(hand_result(asking("x", "y", "z", "solo"), tenants=tenants)) == {"x": 2, "y": 2, "z": 4, "solo": 8}


def test_what_is_due_is_the_mean_over_the_policies_of_the_window() -> None:
    # Without a test of quotas b is due what a's nominal leaves of 16: 12. From 06:00 on quotas are tested, and it has
    # none: 12 x 6/24.
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 4}, {"name": "b"}]
    result = hand_result(asking("a", "b"), tenants=tenants)
    changed = apply(result.scenario, {"policy.change": "[{at: 6h, policy: {isolation: borrow}}]"})
    assert due(replace(result, scenario=changed)) == {"a": 4, "b": 3}


def test_weights_divide_level_by_level() -> None:
    # org (weight 3) is due 12 of 16, which x and y halve; solo (weight 1) is due 4.
    tenants: list[dict[str, Any]] = [
        {"name": "org", "weight": 3},
        {"name": "x", "parent": "org", "weight": 5},
        {"name": "y", "parent": "org", "weight": 5},
        {"name": "solo"},
    ]
    assert due(hand_result(asking("x", "y", "solo"), tenants=tenants)) == {"x": 6, "y": 6, "solo": 4}


def test_each_fence_is_divided_among_its_own_tenants() -> None:
    pools = [{"name": "own", "nodes": 1}, {"name": "rest", "nodes": 2}]
    tenants: list[dict[str, Any]] = [{"name": "lab", "pool": "own"}, {"name": "a", "nominal_gpus": 6}, {"name": "b"}]
    assert due(hand_result(asking("lab", "a", "b"), pools=pools, tenants=tenants)) == {"lab": 8, "a": 6, "b": 10}


def test_what_no_nominal_takes_belongs_to_nobody_where_quotas_are_tested() -> None:
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 4}, {"name": "b"}]
    result = hand_result(asking("a", "b"), tenants=tenants)
    policy = result.scenario.policy.model_copy(update={"isolation": "borrow"})
    scenario = result.scenario.model_copy(update={"policy": policy})
    assert due(Result(scenario, result.table, result.outcome, result.provenance)) == {"a": 4, "b": 0}


def test_demand_is_what_runs_would_fill_had_they_never_waited() -> None:
    hour = 3_600
    jobs = [
        Job(0, 2 * hour, 5 * hour, gpus=4),  # 3 h x 4 = 12, received in full
        Job(22 * hour, None, None, gpus=2, runtime=9 * hour),  # only 2 h of the day are left: 2 x 2 = 4, received 0
    ]
    summary = summarize(hand_result(jobs))
    assert summary.value("received_gpu_h", "tenant:team") == Value(12.0)
    assert summary.value("demanded_gpu_h", "tenant:team") == Value(16.0)
    assert summary.value("entitled_gpu_h", "tenant:team") == Value(16 * 24.0)


def test_use_of_quotas_is_used_over_nominal_and_over_one_is_borrowed() -> None:
    # a uses 6 of 4, b 2 of 8, c has no nominal: (6 + 2) / 12
    jobs = [Job(0, 0, DAY_S, gpus=gpus, tenant=name, job_class=name) for name, gpus in (("a", 6), ("b", 2), ("c", 1))]
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 4}, {"name": "b", "nominal_gpus": 8}, {"name": "c"}]
    summary = summarize(hand_result(jobs, tenants=tenants))
    assert summary.value("quota_efficiency", "tenant:a") == Value(1.5)
    assert summary.value("quota_efficiency", "tenant:b") == Value(0.25)
    assert summary.value("quota_efficiency", "tenant:c") == Value(None)
    assert summary.value("quota_efficiency").value == pytest.approx(8 / 12)


def test_a_nominal_above_its_children_is_not_counted_twice() -> None:
    tenants: list[dict[str, Any]] = [
        {"name": "org", "nominal_gpus": 8},
        {"name": "x", "parent": "org", "nominal_gpus": 4},
    ]
    assert summarize(hand_result(asking("x"), tenants=tenants)).value("quota_efficiency") == Value(0.25)


POSITIVE = st.lists(st.floats(0, 1e9), min_size=1, max_size=12)


@given(POSITIVE, st.floats(0.001, 1000))
def test_jain_lies_between_one_over_n_and_one_and_knows_no_scale(shares: list[float], factor: float) -> None:
    found = jain(np.array(shares))
    if found is None:
        assert sum(share**2 for share in shares) == 0
        return
    assert 1 / len(shares) - 1e-9 <= found <= 1 + 1e-9
    if max(shares) > 1e-100:
        assert jain(np.array(shares) * factor) == pytest.approx(found)


JOBS = st.lists(
    st.tuples(
        st.integers(0, DAY_S - 1), st.integers(0, 20_000), st.integers(1, 60_000), st.integers(1, 8), st.integers(0, 3)
    ),
    min_size=1,
    max_size=20,
)


@given(JOBS, st.lists(st.integers(1, 9), min_size=4, max_size=4))
def test_entitlements_add_up_to_the_cluster_and_nobody_receives_more_than_he_asked_for(
    rows: list[tuple[int, int, int, int, int]], weights: list[int]
) -> None:
    jobs = [
        Job(submit, submit + wait, submit + wait + run, gpus, tenant=f"t{at}", job_class=f"t{at}")
        for submit, wait, run, gpus, at in rows
    ]
    tenants: list[dict[str, Any]] = [{"name": f"t{at}", "weight": weight} for at, weight in enumerate(weights)]
    result = hand_result(jobs, tenants=tenants)
    shared = Shared(result)
    assert entitled_gpu_ms(shared).sum() == pytest.approx(16 * DAY)
    assert (received_gpu_ms(shared) <= demanded_gpu_ms(shared)).all()
    assert received_gpu_ms(shared).sum() == sum(result.books.values())
