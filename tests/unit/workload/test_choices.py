"""Values from lists and ranges have their shares."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.workload import choices
from scheduler_core.workload.streams import Streams

N = 200_000
U = Streams(1).uniform("gpus", "class:a", N)


def test_weighted_values_have_their_shares() -> None:
    shares = {1: 0.9, 2: 0.06, 8: 0.04}
    found = choices.weighted(U, shares)
    for value, share in shares.items():
        assert abs((found == value).mean() - share) < 4 * math.sqrt(share * (1 - share) / N)


def test_the_order_of_a_mapping_does_not_matter() -> None:
    assert (choices.weighted(U, {8: 0.25, 1: 0.75}) == choices.weighted(U, {1: 0.75, 8: 0.25})).all()


@given(
    st.dictionaries(st.integers(1, 100), st.floats(0, 1), min_size=1, max_size=8).filter(
        lambda s: sum(s.values()) > 0.01
    )
)
def test_a_value_with_share_zero_never_comes(shares: dict[int, float]) -> None:
    total = sum(shares.values())
    found = set(choices.weighted(U[:5_000], shares).tolist())
    assert found <= {value for value, share in shares.items() if share / total > 0}


@given(st.integers(-5, 1_000), st.integers(0, 1_000), st.floats(2**-53, 1 - 2**-53))
def test_between_stays_inside(low: int, width: int, u: float) -> None:
    assert low <= choices.between(np.array([u]), low, low + width)[0] <= low + width


def test_between_is_uniform_with_both_ends() -> None:
    counts = np.bincount(choices.between(U, 400, 404) - 400, minlength=5)
    assert np.abs(counts - N / 5).max() < 4 * math.sqrt(N * 0.16)
