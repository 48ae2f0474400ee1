"""Each tenant alone on its quota: who waits longer because of the others, and how the pools are cut."""

from typing import Any

import pytest

from scheduler_core.api import simulate
from scheduler_core.errors import KernelError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import Value
from scheduler_core.result import Result
from scheduler_core.scenario import Scenario
from scheduler_core.studies import Progress
from scheduler_core.studies.isolation import alone_scenario, alone_table, compare_alone, isolation
from tests.builders import job, pool, scenario
from tests.unit.metrics.hand import Job, S, hand_result

SHARED = [
    Job(0, 0, 100, tenant="a"),
    Job(1, 100, 400, tenant="a", gpus=2),
    Job(2, 50, 150, tenant="b", job_class="x"),
    Job(3, None, None, tenant="a", gpus=99),
]


def alone(*jobs: Job) -> Result:
    return hand_result(jobs, end_s=500)


def test_jobs_that_waited_over_a_minute_longer_are_counted() -> None:
    # Alone: the first finishes at 50 instead of 100, the second starts at 40 instead of 100 (60 s: not over a minute).
    found = compare_alone(
        hand_result(SHARED[:3], end_s=500), alone(Job(0, 0, 50, tenant="a"), Job(1, 40, 101, tenant="a", gpus=2)), "a"
    )
    assert (found.n_jobs, found.n_longer, found.n_undecided, found.n_too_large) == (2, 0, 0, 0)
    assert found.rho.tolist() == [2.0, 3.99]  # (100 - 0) / 50; (400 - 1) / (101 - 1)
    later = compare_alone(
        hand_result(SHARED[:3], end_s=500), alone(Job(0, 0, 50, tenant="a"), Job(1, 39, 101, tenant="a", gpus=2)), "a"
    )
    assert later.n_longer == 1  # 99 s against 38 s


def test_job_too_large_for_the_quota_is_not_worse_off() -> None:
    too_large = Job(3, None, None, tenant="a", gpus=99, is_unschedulable=True)
    run = alone(Job(0, 0, 100, tenant="a"), Job(1, 1, 301, tenant="a", gpus=2), too_large)
    found = compare_alone(hand_result(SHARED, end_s=500), run, "a")
    assert (found.n_jobs, found.n_too_large, found.n_longer, found.n_undecided) == (3, 1, 1, 0)
    assert found.rho.tolist() == [1.0, 1.33]


def test_job_that_still_waits_is_a_lower_bound_or_worse_off_already() -> None:
    shared = hand_result([Job(0, None, None), Job(400, None, None), Job(0, 9, None)], end_s=500)
    run = alone(Job(0, 0, 100), Job(0, 9, 100), Job(400, 460, 490))
    found = compare_alone(shared, run, "team")
    # 500 s against 0 s: longer. 100 s so far against 60 s: cannot tell. The third started at the same time.
    assert (found.n_longer, found.n_undecided) == (1, 1)
    # rho so far: 500 / 100, 500 / 100, 100 / 90
    assert found.rho.tolist() == pytest.approx([100 / 90, 5, 5])
    assert found.is_open.all()


def test_other_jobs_are_refused() -> None:
    with pytest.raises(KernelError, match="other jobs"):
        compare_alone(hand_result(SHARED, end_s=500), alone(Job(0, 0, 100, tenant="a")), "a")


def test_study_adds_the_tenants_up_and_gives_each_its_quota() -> None:
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 11}, {"name": "b"}]
    shared = hand_result(SHARED[:3], tenants=tenants, end_s=500)
    seen: list[tuple[str, int]] = []

    def run(asked: Scenario, table: JobTable, replication: int, progress: Progress | None) -> Result:
        assert replication == 0
        assert progress is None
        seen.append((asked.tenants[0].name, asked.cluster.gpus))
        if table.tenants == ("a",):
            return alone(Job(0, 0, 100, tenant="a"), Job(1, 1, 301, tenant="a", gpus=2))
        return alone(Job(2, 2, 102, tenant="b", job_class="x"))

    found = isolation(shared, run=run)
    assert seen == [("a", 11), ("b", 5)]  # 16 GPUs: 11 stated, 5 left
    assert [each.tenant for each in found.tenants] == ["a", "b"]
    assert found.tenants[0].sharing_anomaly_share == Value(0.5)  # 99 s against 0 s, and 0 against 0
    assert found.tenants[1].isolation == Value(1.0)  # 48 s against 0 s
    assert found.everybody.n_jobs == 3
    assert found.everybody.isolation.value == pytest.approx(2 / 3)
    assert found.everybody.finish_time_fairness_max == Value(148 / 100)  # b: (150 - 2) / 100; a: 399 / 300
    assert found.everybody.finish_time_unfair_share.value == pytest.approx(2 / 3)


def test_pools_are_cut_in_proportion_with_a_smaller_node_for_the_rest() -> None:
    asked = scenario([job(0, 10)], pool({"east": 3, "west": 1}), pool(2, name="old", gpu="V100"))
    cut = alone_scenario(asked, "all", 27).cluster.pools  # 48 GPUs: 18 of 32 and 9 of 16
    assert [(p.name, dict(p.zones), p.gpus_per_node) for p in cut] == [
        ("main", {"east": 2}, 8),
        ("main rest", {"east": 1}, 2),
        ("old", {"z": 1}, 8),
        ("old rest", {"z": 1}, 1),
    ]
    assert alone_scenario(asked, "all", 999).cluster.gpus == 48


def test_table_of_one_tenant_keeps_order_classes_and_names() -> None:
    table = alone_table(hand_result(SHARED, end_s=500).table, "a")
    assert table.tenants == ("a",)
    assert table.jobs.submit_ms.tolist() == [0, S, 3 * S]
    assert table.jobs.tenant.tolist() == [0, 0, 0]
    assert table.classes == ("train", "x")


def listed(fences: dict[str, str | None]) -> Scenario:
    jobs = [
        *(job(at, 500, 8, tenant="a", job_class="a") for at in range(3)),
        *(job(at, 40, 4, tenant="b", job_class="b") for at in range(2, 9)),
    ]
    return scenario(jobs, pool(1, name="own"), pool(1, name="rest"), fences=fences)


def test_behind_fences_of_their_own_tenants_lose_nothing_by_sharing() -> None:
    found = isolation(simulate(listed({"a": "own", "b": "rest"})))
    assert found.everybody.isolation == Value(1.0)
    assert found.everybody.finish_time_fairness_max == Value(1.0)
    assert found.everybody.finish_time_unfair_share == Value(0.0)


def test_without_fences_the_small_jobs_wait_behind_the_large_ones() -> None:
    found = {each.tenant: each for each in isolation(simulate(listed({"a": None, "b": None}))).tenants}
    # Strict FIFO on 16 GPUs: a, a, then a (at 2 s) holds the line until 500 s; b waits behind it, alone it has 8 GPUs.
    assert found["b"].isolation == Value(0.0)
    assert found["a"].isolation == Value(1.0)
