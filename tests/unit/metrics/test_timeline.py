"""GPUs over time: exact per bin, against a loop over milliseconds and against the totals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.errors import InputError
from scheduler_core.metrics import timeline
from scheduler_core.metrics._timeline import bin_edges, integrate
from tests.unit.metrics.hand import DAY, Job, S, hand_result

STEPS = st.lists(st.tuples(st.integers(-5, 50), st.integers(0, 40), st.integers(1, 9), st.integers(0, 2)), max_size=12)


@given(STEPS, st.integers(1, 45), st.integers(1, 60))
def test_integrals_equal_a_loop_over_milliseconds(steps: list[tuple[int, int, int, int]], end: int, bins: int) -> None:
    edges = bin_edges(0, end, bins)
    columns = [np.array([step[at] for step in steps], np.int64) for at in range(4)]
    found = integrate(edges, columns[0], columns[0] + columns[1], columns[2], (columns[3], 3))
    expected = np.zeros((3, edges.shape[0] - 1), np.int64)
    for begin, length, height, row in steps:
        for time in range(max(begin, 0), min(begin + length, end)):
            expected[row, np.searchsorted(edges, time, side="right") - 1] += height
    assert found.tolist() == expected.tolist()


def test_edges_are_whole_milliseconds_and_cover_everything() -> None:
    assert bin_edges(0, 10, 4).tolist() == [0, 2, 5, 7, 10]
    assert bin_edges(0, 3, 2_000).tolist() == [0, 1, 2, 3]
    with pytest.raises(InputError, match="2000"):
        bin_edges(0, 10, 2_001)


def test_bins_of_any_number_add_up_to_the_books() -> None:
    jobs = [
        Job(0, 100, 50_000, gpus=3),
        Job(7, 900, None, gpus=5, tenant="ops", job_class="x"),
        Job(9, 400, 700, limit=300, runtime=999, is_killed=True),
        Job(10, None, None, gpus=8),
    ]
    result = hand_result(jobs, kill_at_limit=True)
    day = DAY // S
    for bins in (1, 7, 400, 2_000):
        found = timeline(result, bins)
        assert found.bin_edges_ms[0] == 0
        assert found.bin_edges_ms[-1] == DAY
        assert found.allocated_gpu_ms.sum() == sum(result.books.values())
        assert found.useful_gpu_ms.sum() == result.books["useful"]
        # by tenant: 3 x 49,900 + 300; 5 x (86,400 - 900)
        assert found.allocated_gpu_ms.sum(axis=1).tolist() == [(3 * 49_900 + 300) * S, 5 * (day - 900) * S]
        # queued: 3 x 100 + 391 + 8 x (86,400 - 10); 5 x 893
        assert found.queued_gpu_ms.sum(axis=1).tolist() == [(300 + 391 + 8 * (day - 10)) * S, 5 * 893 * S]
    assert found.tenants == ("team", "ops")


def test_timeline_of_nothing_is_flat() -> None:
    found = timeline(hand_result([]), 10)
    assert found.allocated_gpu_ms.tolist() == [[0] * 10]
