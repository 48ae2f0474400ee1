"""Rank keys of a whole table."""

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.jit import FLOATS, INT, kernel
from scheduler_core.kernels.state import JOBS, RANK_FUNCTION
from scheduler_core.kernels.tables import Jobs


@kernel(INT(RANK_FUNCTION, JOBS, FLOATS, FLOATS))
def rank_all(rank: object, jobs: Jobs, params: NDArray[np.float64], keys: NDArray[np.float64]) -> int:
    """Write the key of every job to `keys`; return 1 if they are all equal, else 0."""
    is_constant = 1
    for row in range(keys.shape[0]):
        keys[row] = rank(jobs, params, row)  # type: ignore[operator]
        if keys[row] != keys[0]:
            is_constant = 0
    return is_constant
