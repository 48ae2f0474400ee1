"""How far apart tenants are held while they want more, and whether they hold their due."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.metrics import Value, summarize
from scheduler_core.metrics._due import received_gpu_ms
from scheduler_core.metrics._view import Shared
from scheduler_core.metrics.sharing import BINS, held
from tests.unit.metrics.hand import DAY, Job, S, hand_result

DAY_S = DAY // S  # a bin of the day has 216 s, so quarters of the day are borders of bins
NOON = DAY_S / 2


def waiting(tenant: str, gpus: int, until: float | None = None, since: float = 0) -> Job:
    return Job(since, until, None, gpus=gpus, tenant=tenant, job_class=tenant, runtime=DAY_S)


def running(tenant: str, gpus: int, until: float = DAY_S) -> Job:
    return Job(0, 0, until, gpus=gpus, tenant=tenant, job_class=tenant)


def test_gap_is_the_largest_less_the_smallest_share_of_those_who_want_more() -> None:
    # 16 GPUs: a holds 10, b 4, c 2. a and b want more all day, c has nobody in line: (10 - 4) / 16.
    jobs = [running("a", 10), running("b", 4), running("c", 2), waiting("a", 8), waiting("b", 8)]
    assert summarize(hand_result(jobs)).value("drf_gap") == Value(6 / 16)


def test_gap_covers_the_time_in_which_two_want_more() -> None:
    # Until noon only a waits. After it a (12) and b (0, since its job ended at noon) wait: 12 / 16.
    jobs = [running("a", 12), running("b", 4, NOON), waiting("a", 8), waiting("b", 8, since=NOON)]
    assert summarize(hand_result(jobs)).value("drf_gap") == Value(12 / 16)


def test_without_two_who_want_more_there_is_no_gap() -> None:
    assert summarize(hand_result([running("a", 12), running("b", 4), waiting("a", 8)])).value("drf_gap") == Value(None)
    assert summarize(hand_result([])).value("drf_gap") == Value(None)


def test_gap_of_a_pool_is_among_its_own_tenants_and_a_share_of_its_own_gpus() -> None:
    pools = [{"name": "own", "nodes": 1}, {"name": "rest", "nodes": 2}]
    tenants: list[dict[str, Any]] = [{"name": "lab", "pool": "own"}, {"name": "a"}, {"name": "b"}]
    jobs = [running("lab", 8), running("a", 10), running("b", 6), *(waiting(name, 8) for name in ("lab", "a", "b"))]
    summary = summarize(hand_result(jobs, pools=pools, tenants=tenants))
    assert summary.value("drf_gap", "pool:rest") == Value(4 / 16)  # (10 - 6) / 16
    assert summary.value("drf_gap", "pool:own") == Value(None)  # one tenant
    assert summary.value("drf_gap") == Value(4 / 24)  # (10 - 6) / 24; lab lies between


def test_a_wait_of_less_than_a_gpu_on_average_is_no_unmet_demand() -> None:
    # One GPU asked for 100 s of a bin of 216 s.
    jobs = [running("a", 12), running("b", 4), waiting("a", 1, until=100), waiting("b", 1, until=100)]
    assert summarize(hand_result(jobs)).value("drf_gap") == Value(None)


def test_due_is_held_for_part_of_the_time() -> None:
    # Due: 8 each. a holds 8 all day; b holds 8 until noon and then 7, which is under 90 % of 8 = 7.2.
    jobs = [running("a", 8), running("b", 7), running("b", 1, NOON), waiting("a", 8), waiting("b", 8)]
    summary = summarize(hand_result(jobs))
    assert summary.value("sharing_incentive", "tenant:a") == Value(1.0)
    assert summary.value("sharing_incentive", "tenant:b") == Value(0.5)
    assert summary.value("sharing_incentive") == Value(0.75)


def test_ninety_percent_of_the_due_is_enough() -> None:
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 10}, {"name": "b", "nominal_gpus": 6}]
    jobs = [running("a", 9), running("b", 5), waiting("a", 8), waiting("b", 8)]
    summary = summarize(hand_result(jobs, tenants=tenants))
    assert summary.value("sharing_incentive", "tenant:a") == Value(1.0)  # 9 of 10
    assert summary.value("sharing_incentive", "tenant:b") == Value(0.0)  # 5 of 6 is under 5.4


def test_who_never_waits_or_is_due_nothing_is_not_asked() -> None:
    tenants: list[dict[str, Any]] = [{"name": "a", "nominal_gpus": 16}, {"name": "b"}]
    jobs = [running("a", 8), running("b", 8), waiting("b", 8)]
    summary = summarize(hand_result(jobs, tenants=tenants))
    assert summary.value("sharing_incentive") == Value(None)


JOBS = st.lists(
    st.tuples(st.integers(0, 80_000), st.integers(0, 40_000), st.integers(1, 40_000), st.integers(1, 8)),
    max_size=15,
)


def jobs_of(rows: Sequence[tuple[int, int, int, int]]) -> list[Job]:
    return [
        Job(submit, submit + wait, submit + wait + run, gpus, tenant=f"t{at % 3}", job_class=f"t{at % 3}")
        for at, (submit, wait, run, gpus) in enumerate(rows)
    ]


@given(JOBS)
def test_bins_add_up_to_what_was_received(rows: list[tuple[int, int, int, int]]) -> None:
    shared = Shared(hand_result(jobs_of(rows)))
    found = held(shared)
    assert found.width_ms.sum() == DAY
    if found.wants_more.any():
        assert found.held_gpu_ms.sum(axis=1).tolist() == received_gpu_ms(shared).tolist()


@given(JOBS)
def test_gap_equals_a_loop_over_bins(rows: list[tuple[int, int, int, int]]) -> None:
    jobs = jobs_of(rows)
    total, count = 0.0, 0
    for at in range(BINS):
        low, high = at * 216, (at + 1) * 216
        inside: dict[str, list[int]] = {}
        for job in jobs:
            sums = inside.setdefault(job.tenant, [0, 0])
            for begin, end, kind in ((job.start, job.finish, 0), (job.submit, job.start, 1)):
                assert begin is not None
                assert end is not None
                sums[kind] += job.gpus * int(max(min(end, high) - max(begin, low), 0))
        wants = [held_s for held_s, queued_s in inside.values() if queued_s >= 216]
        if len(wants) >= 2:
            total, count = total + (max(wants) - min(wants)) / (16 * 216), count + 1
    value = summarize(hand_result(jobs)).value("drf_gap").value
    assert value == (pytest.approx(total / count, abs=1e-12) if count else None)
    assert np.isfinite(total)
