"""Jain's index against entitlement and against what was asked for."""

import pytest

from scheduler_core.metrics import Value, summarize
from tests.unit.metrics.hand import DAY, Job, S, hand_result

DAY_S = DAY // S


def test_equal_parts_give_one_and_one_tenant_with_everything_gives_one_over_n() -> None:
    equal = [Job(0, 0, DAY_S, gpus=4, tenant=name, job_class=name) for name in ("a", "b")]
    assert summarize(hand_result(equal)).value("jain_index") == Value(1.0)
    # b asked for 4 GPUs all day and got nothing: (1 + 0)^2 / (2 x (1 + 0)) = 1/2
    alone = [equal[0], Job(0, None, None, gpus=4, tenant="b", job_class="b", runtime=DAY_S)]
    assert summarize(hand_result(alone)).value("jain_index").value == pytest.approx(0.5)


def test_entitlement_follows_weight_inside_a_fence() -> None:
    # 16 GPUs: a (weight 3) is due 12 and gets 6; b (weight 1) is due 4 and gets 2: both 1/2.
    jobs = [Job(0, 0, DAY_S, gpus=6, tenant="a", job_class="a"), Job(0, 0, DAY_S, gpus=2, tenant="b", job_class="b")]
    result = hand_result(jobs, tenants=[{"name": "a", "weight": 3}, {"name": "b"}])
    assert summarize(result).value("jain_index") == Value(1.0)


def test_tenant_that_asked_for_little_and_got_it_counts_as_served() -> None:
    # a is due 8 of 16 and got 8; b asked for 1 and got 1: received / min(demanded, entitled) = 1 for both.
    jobs = [Job(0, 0, DAY_S, gpus=8, tenant="a", job_class="a"), Job(0, 0, DAY_S, gpus=1, tenant="b", job_class="b")]
    summary = summarize(hand_result(jobs))
    assert summary.value("fairness") == Value(1.0)
    # against entitlement: x = 1, 1/8 -> (9/8)^2 / (2 x (1 + 1/64)) = 81/130
    assert summary.value("jain_index").value == pytest.approx(81 / 130)


def test_half_served_tenant_lowers_fairness() -> None:
    # a gets what it asked for; b asked for 8 GPUs all day and ran half of it: x = 1, 1/2 -> 2.25 / (2 x 1.25)
    jobs = [
        Job(0, 0, DAY_S, gpus=8, tenant="a", job_class="a"),
        Job(0, DAY_S / 2, None, gpus=8, tenant="b", job_class="b", runtime=DAY_S),
    ]
    assert summarize(hand_result(jobs)).value("fairness").value == pytest.approx(0.9)


def test_tenants_that_asked_for_nothing_are_left_out() -> None:
    result = hand_result([Job(0, 0, 60, tenant="a")], tenants=[{"name": "a"}, {"name": "idle"}])
    assert summarize(result).value("jain_index") == Value(1.0)
    assert summarize(hand_result([])).value("fairness") == Value(None)
