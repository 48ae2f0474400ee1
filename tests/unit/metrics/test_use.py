"""Utilisation, goodput, queues, and GPUs idle outside a fence."""

import numpy as np
import pytest

from scheduler_core.metrics import Value, summarize, views
from scheduler_core.metrics.use import idle_outside
from tests.unit.metrics.hand import DAY, Job, S, hand_result

DAY_S = DAY // S
FENCED = [{"name": "own", "nodes": 1}, {"name": "rest", "nodes": 2}]
FENCED_TENANTS = [{"name": "lab", "pool": "own"}, {"name": "ops"}]


def test_utilisation_is_allocated_over_schedulable_gpu_time_in_the_window() -> None:
    # 16 GPUs, one day. 8 GPUs for half a day, and 4 for a quarter that is killed: 4 + 1 of 16 GPU-days.
    jobs = [Job(0, 0, DAY_S / 2, gpus=8), Job(0, 0, DAY_S / 4, gpus=4, limit=DAY_S / 4, runtime=DAY_S, is_killed=True)]
    summary = summarize(hand_result(jobs, kill_at_limit=True))
    assert summary.value("utilisation") == Value(5 / 16)
    assert summary.value("goodput") == Value(4 / 16)
    assert summary.value("lost_limit_gpu_h") == Value(24.0)  # 4 GPUs x 6 h
    assert summary.value("killed_share") == Value(0.5)


def test_utilisation_counts_what_ran_in_the_window_whenever_it_was_submitted() -> None:
    summary = summarize(hand_result([Job(0, 0, 2 * DAY_S, gpus=8)], days=2, warmup_days=1))
    assert summary.value("utilisation") == Value(0.5)
    assert summary.jobs["all"] == 0


def test_pools_have_a_utilisation_of_their_own() -> None:
    jobs = [Job(0, 0, DAY_S, gpus=8, tenant="lab"), Job(0, 0, DAY_S, gpus=4, tenant="ops", job_class="x")]
    summary = summarize(hand_result(jobs, pools=FENCED, tenants=FENCED_TENANTS))
    assert summary.value("utilisation", "pool:own") == Value(1.0)
    assert summary.value("utilisation", "pool:rest") == Value(0.25)
    assert summary.value("utilisation", "tenant:lab") == Value(8 / 24)  # of the whole cluster


def test_idle_outside_is_averaged_over_the_time_in_which_somebody_waits_inside() -> None:
    jobs = [
        Job(0, 0, 200, gpus=8, tenant="lab"),
        Job(50, 200, 300, gpus=8, tenant="lab"),  # waits 50..200
        Job(100, 200, 300, gpus=8, tenant="lab"),  # waits 100..200: no more waiting time of the fence
        Job(0, 0, 100, gpus=12, tenant="ops", job_class="x"),
        Job(0, 150, 400, gpus=16, tenant="ops", job_class="x"),
    ]
    summary = summarize(hand_result(jobs, pools=FENCED, tenants=FENCED_TENANTS))
    # Outside are 16 GPUs: 4 idle in 50..100, 16 in 100..150, 0 in 150..200 -> (4 + 16 + 0) x 50 / 150
    assert summary.value("idle_outside_gpus", "pool:own").value == pytest.approx(20 / 3)


def test_without_a_fence_nothing_is_outside() -> None:
    summary = summarize(hand_result([Job(0, 50, 60)]))
    assert summary.value("idle_outside_gpus", "pool:main") == Value(None)


def test_mean_queue_is_waiting_time_over_the_window() -> None:
    jobs = [Job(0, DAY_S / 2, DAY_S, gpus=8), Job(0, None, None, gpus=16)]
    summary = summarize(hand_result(jobs))
    assert summary.value("queue_jobs_mean") == Value(1.5)
    assert summary.value("queue_gpus_mean") == Value(8 * 0.5 + 16)


def test_idle_outside_equals_brute_force_on_random_jobs() -> None:
    rng = np.random.default_rng(5)
    jobs = []
    for _ in range(60):
        tenant = "lab" if rng.random() < 0.5 else "ops"
        submit = int(rng.integers(0, 300))
        start = submit + int(rng.integers(0, 80)) * int(rng.random() < 0.4)
        jobs.append(Job(submit, start, start + int(rng.integers(1, 50)), int(rng.integers(1, 4)), tenant, tenant))
    result = hand_result(jobs, pools=FENCED, tenants=FENCED_TENANTS)
    view = next(view for view in views(result, ("pool",)) if view.scope.name == "own")
    idle, waited = 0, 0
    for second in range(600):
        if any(job.tenant == "lab" and job.submit <= second < job.start for job in jobs):  # type: ignore[operator]
            running = (job for job in jobs if job.tenant == "ops" and job.start <= second < job.finish)  # type: ignore[operator]
            idle += 16 - sum(job.gpus for job in running)
            waited += 1
    assert idle_outside(view).value == pytest.approx(idle / waited, rel=1e-12)


@pytest.mark.parametrize("is_alone", [True, False])
def test_pool_has_the_jobs_of_its_tenants_whether_one_or_several(is_alone: bool) -> None:
    tenants = FENCED_TENANTS if is_alone else [*FENCED_TENANTS, {"name": "lab2", "pool": "own"}]
    jobs = [Job(0, 10, 20, gpus=8, tenant="lab"), Job(0, 30, 50, gpus=4, tenant="ops", job_class="x")]
    if not is_alone:
        jobs.append(Job(0, 20, 30, gpus=8, tenant="lab2", job_class="y"))
    summary = summarize(hand_result(jobs, pools=FENCED, tenants=tenants))
    assert summary.jobs["pool:own"] == (1 if is_alone else 2)
    assert summary.value("wait_mean", "pool:own") == Value((10.0 if is_alone else 15.0) * S)
    assert summary.value("wait_mean", "pool:rest") == Value(30.0 * S)
    assert summary.value("utilisation", "pool:rest").value == pytest.approx(4 * 20 / (16 * DAY_S))
    assert summary.jobs["pool:rest"] == 1
