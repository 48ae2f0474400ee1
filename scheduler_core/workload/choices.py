"""Draws from short lists and whole ranges: sizes of jobs, priorities, factors."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]

_PLACES = 9  # shares are rounded to 1e-9 before use


def weighted(u: Float64, shares: Mapping[int, float]) -> Int64:
    """Draw values with given shares.

    Parameters
    ----------
    u : float64, shape (n,)
        Uniform numbers between 0 and 1.
    shares : mapping of int to float
        Share of each value; scaled to sum to 1. The order of the mapping does not matter.

    Returns
    -------
    int64, shape (n,)
    """
    values = np.array(sorted(shares), np.int64)
    if values.size == 1:
        return np.full(u.shape[0], values[0])
    total = np.cumsum([shares[int(value)] for value in values])
    bounds = np.round(total / total[-1], _PLACES)[:-1]
    return values[np.searchsorted(bounds, u, side="right")]


def between(u: Float64, low: int, high: int) -> Int64:
    """Draw whole numbers from `low` to `high`, both included and all equally likely.

    Parameters
    ----------
    u : float64, shape (n,)
        Uniform numbers between 0 and 1.
    low, high : int
        Bounds, low <= high.

    Returns
    -------
    int64, shape (n,)
    """
    return np.minimum(low + np.floor(u * (high - low + 1)).astype(np.int64), high)
