"""The result: waits, windows, attempts, books, fences."""

from dataclasses import replace

import numpy as np

from scheduler_core.books import BOOKS
from scheduler_core.kernels.tables import ATTEMPT_ENDS
from scheduler_core.scenario import apply
from tests.unit.metrics.hand import DAY, HOUR, Job, S, hand_result


def test_wait_runs_from_submit_to_start_and_to_the_end_for_pending_jobs() -> None:
    result = hand_result([Job(10, 40, 100), Job(20, None, None)], end_s=500, days=1)
    assert result.wait_ms.tolist() == [30 * S, 480 * S]  # 40 - 10; 500 - 20
    assert result.requeue_wait_ms.tolist() == [0, 0]


def test_unschedulable_job_neither_waits_nor_counts() -> None:
    result = hand_result([Job(10, None, None, gpus=99, is_unschedulable=True), Job(10, 10, 20)])
    assert result.wait_ms.tolist() == [0, 0]
    assert result.is_counted.tolist() == [False, True]
    assert result.in_window.tolist() == [True, True]


def test_window_takes_submits_from_warm_up_up_to_but_not_at_the_end() -> None:
    day = DAY // S
    result = hand_result(
        [Job(day - 1, day, day + 1), Job(day, day, day + 1), Job(2 * day, None, None)], days=2, warmup_days=1
    )
    assert result.window_ms == (DAY, 2 * DAY)
    assert result.in_window.tolist() == [False, True, False]


def test_attempts_say_who_held_gpus_and_how_it_ended() -> None:
    jobs = [
        Job(0, 0, 60),
        Job(0, 10, 40, limit=30, runtime=90, is_killed=True),
        Job(5, 50, None, runtime=900),
        Job(6, None, None),
    ]
    attempts = hand_result(jobs, end_s=100, kill_at_limit=True).attempts
    assert attempts.row.tolist() == [0, 1, 2]
    assert attempts.start_ms.tolist() == [0, 10 * S, 50 * S]
    assert attempts.end_ms.tolist() == [60 * S, 40 * S, 100 * S]  # the third is cut by the end of the run
    assert attempts.saved_ms.tolist() == [60 * S, 0, 0]  # the run time if it finished; nobody saves on the way
    assert [ATTEMPT_ENDS[end] for end in attempts.end] == ["finished", "killed", "running"]


def test_books_sum_to_the_allocated_gpu_time_of_the_window() -> None:
    day = DAY // S
    jobs = [
        Job(0, day - 100, day + 50, gpus=4),  # 50 s x 4 inside the window = 200
        Job(day, day + 10, day + 40, gpus=2, limit=30, runtime=99, is_killed=True),  # 30 s x 2 lost = 60
        Job(day, 2 * day - 5, None, gpus=8, runtime=100),  # 5 s x 8 = 40
    ]
    result = hand_result(jobs, days=2, warmup_days=1, kill_at_limit=True)
    assert tuple(result.books) == BOOKS
    assert result.books["useful"] == (200 + 40) * S
    assert result.books["lost"] == 60 * S
    spent = result.gpu_ms_in(0, 2 * DAY)
    assert spent["useful"].tolist() == [150 * 4 * S, 0, 40 * S]
    assert spent["lost"].tolist() == [0, 60 * S, 0]


def test_fences_are_one_per_named_pool_and_one_for_the_rest() -> None:
    result = hand_result(
        [Job(0, 0, 1, tenant="lab"), Job(0, 0, 1, tenant="ops", job_class="x")],
        pools=[{"name": "big", "nodes": 3}, {"name": "own", "nodes": 2}, {"name": "old", "nodes": 1}],
        tenants=[{"name": "ops"}, {"name": "lab", "pool": "own"}],
    )
    assert result.fences.names == ("big + old", "own")
    assert result.fences.gpus.tolist() == [32, 16]
    assert result.fences.of_tenant.tolist() == [1, 0]  # lab, ops: the order of the job table
    assert result.healthy_gpus == 48


def test_columns_name_every_job_and_hold_every_cause() -> None:
    result = hand_result([Job(0, 0, HOUR / S), Job(1, 3, 9, causes={"order": 2})])
    columns = result.columns()
    assert columns["job_id"] == ["train-0", "train-1"] == [result.job_id(0), result.job_id(1)]
    assert np.asarray(columns["order_ms"]).tolist() == [0, 2 * S]
    assert list(columns["state"]) == ["finished", "finished"]
    assert np.asarray(columns["preemptions"]).tolist() == [0, 0]


def test_run_time_is_cut_at_the_limit_by_the_policy_in_force_at_the_start() -> None:
    # Limits of 30 and runs of 90. Killing begins at 100: not for who started before, for who starts then and for who
    # still waits at the end.
    jobs = [Job(0, 50, None, limit=30, runtime=90), Job(0, 100, None, limit=30, runtime=90)]
    result = hand_result([*jobs, Job(0, None, None, limit=30, runtime=90)], end_s=200)
    changed = apply(result.scenario, {"policy.change": "[{at: 100s, policy: {kill_at_limit: true}}]"})
    assert replace(result, scenario=changed).run_ms.tolist() == [90 * S, 30 * S, 30 * S]
    assert result.run_ms.tolist() == [90 * S, 90 * S, 90 * S]
