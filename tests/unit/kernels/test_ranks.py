from typing import Any

import numpy as np
import pytest

from scheduler_core import registry
from scheduler_core.kernels.ranks import rank_all
from tests import builders
from tests.builders import job


def keys_of(slug: str, gpus: list[int]) -> tuple[list[float], int]:
    """Return the keys of jobs of these sizes under an order, and whether they count as equal."""
    jobs = builders.table(builders.scenario([job(0, 10, size) for size in gpus])).jobs
    policy: Any = registry.find("policies")[slug]
    keys = np.full(len(gpus), np.nan)
    is_constant = rank_all(policy.rank, jobs, policy.numbers({}), keys)
    return keys.tolist(), is_constant


@pytest.mark.parametrize(
    ("gpus", "is_constant"), [([2, 2, 2], 1), ([2, 2, 3], 0), ([3, 2, 2], 0), ([2, 3, 2], 0), ([5], 1)]
)
def test_every_key_is_written_and_equal_keys_are_noticed(gpus: list[int], is_constant: int) -> None:
    assert keys_of("smallest", gpus) == (gpus, is_constant)


def test_no_jobs_have_equal_keys() -> None:
    assert keys_of("smallest", []) == ([], 1)
