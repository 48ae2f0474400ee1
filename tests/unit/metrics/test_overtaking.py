"""Who was overtaken: the fast sum against the plain double loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.metrics import Value, summarize
from scheduler_core.metrics.overtaking import later_before
from tests.unit.metrics.hand import Job, hand_result


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10**12)), max_size=70))
def test_fast_sum_equals_the_double_loop(pairs: list[tuple[int, int]]) -> None:
    start = np.array([pair[0] for pair in pairs], np.int64)
    weight = np.array([pair[1] for pair in pairs], np.int64)
    rank = np.empty(len(pairs), np.int64)
    rank[np.argsort(start, kind="stable")] = np.arange(len(pairs))
    expected = [sum(int(weight[j]) for j in range(i + 1, len(pairs)) if start[j] < start[i]) for i in range(len(pairs))]
    assert later_before(rank, weight).tolist() == expected


def test_overtaking_counts_gpu_hours_submitted_later_and_started_earlier() -> None:
    hour = 3_600
    jobs = [
        Job(0, 5 * hour, 6 * hour, gpus=8),  # overtaken by the second (2 GPU-h) and the third (4 GPU-h)
        Job(1, 10, 10 + hour, gpus=2),
        Job(2, hour, 3 * hour, gpus=2),
        Job(3, 5 * hour, 6 * hour, gpus=8),  # starts at the same instant as the first: overtakes nobody
    ]
    summary = summarize(hand_result(jobs))
    assert summary.value("overtaken_gpu_h") == Value(6 / 4)
    assert summary.value("overtaken_gpu_h", "size:8-15") == Value(3.0)


def test_pending_job_is_overtaken_by_all_that_started() -> None:
    jobs = [Job(0, None, None, gpus=16), Job(1, 1, 3_601, gpus=3)]
    value = summarize(hand_result(jobs)).value("overtaken_in_line_gpu_h", "size:16-31")
    assert value.value == pytest.approx(3.0)
    assert value.is_lower_bound


def test_jobs_of_another_fence_overtake_but_not_in_the_line() -> None:
    jobs = [Job(0, 7_200, 7_300, tenant="lab"), Job(1, 1, 3_601, gpus=3, tenant="ops", job_class="x")]
    pools = [{"name": "own", "nodes": 1}, {"name": "rest", "nodes": 1}]
    summary = summarize(hand_result(jobs, pools=pools, tenants=[{"name": "lab", "pool": "own"}, {"name": "ops"}]))
    assert summary.value("overtaken_gpu_h", "tenant:lab") == Value(3.0)
    assert summary.value("overtaken_in_line_gpu_h", "tenant:lab") == Value(0.0)
