"""Draws depend on seed, replication, purpose, entity and index, and on nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.workload.streams import Streams


def test_a_stream_gives_the_numbers_it_gave_when_it_was_written() -> None:
    # Philox with the key blake2b-128('[1, 0, "gap", "class:a"]'); a change here changes every generated table.
    assert Streams(1).uniform("gap", "class:a", 3).tolist() == RECORDED


RECORDED = [0.12745952516099102, 0.011988353101795801, 0.9162310833456851]


@given(st.integers(0, 200), st.integers(0, 200))
def test_a_longer_draw_begins_with_the_shorter_one(first: int, second: int) -> None:
    stream = Streams(7, 2).open("gap", "class:a")
    pieces = np.concatenate([stream.uniform(first), stream.uniform(second)])
    assert pieces.tolist() == Streams(7, 2).uniform("gap", "class:a", first + second).tolist()


def test_every_part_of_the_name_changes_the_draw() -> None:
    first = [
        Streams(*key[:2]).uniform(key[2], key[3], 1)[0]
        for key in [
            (1, 0, "gap", "class:a"),
            (2, 0, "gap", "class:a"),
            (1, 1, "gap", "class:a"),
            (1, 0, "gpus", "class:a"),
            (1, 0, "gap", "class:b"),
            (0, 1, "gap", "class:a"),  # seed and replication are not simply added
            (1, 0, 'gap", "class', "a"),  # nor can names run into each other
        ]
    ]
    assert len(set(first)) == len(first)


def test_names_in_any_script_have_streams() -> None:
    assert Streams(1).uniform("gap", "class:训练", 1)[0] != Streams(1).uniform("gap", "class:推理", 1)[0]


def test_numbers_lie_strictly_between_0_and_1_and_are_uniform() -> None:
    u = Streams(3).uniform("gap", "class:a", 1_000_000)
    assert 0 < u.min() < u.max() < 1
    # Standard errors: mean sqrt(1/12/n) = 0.00029; share below 0.1: sqrt(0.09/n) = 0.0003; lag-1 correlation 0.001.
    assert abs(u.mean() - 0.5) < 4 * 0.00029
    assert abs((u < 0.1).mean() - 0.1) < 4 * 0.0003
    assert abs(np.corrcoef(u[1:], u[:-1])[0, 1]) < 4 * 0.001
