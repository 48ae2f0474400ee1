"""Front, knee and weights by hand: every number can be checked with a pencil."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.errors import InputError
from scheduler_core.studies.sweep_front import Objective, front, grid, knee, recommend, region, scores

WAIT, USE = Objective("wait", "lower"), Objective("use", "higher")
BOTH = [WAIT, USE]
FAIR = Objective("fair", "higher")


def rows(*pairs: tuple[float | None, float | None]) -> list[dict[str, float | None]]:
    return [{"wait": wait, "use": use} for wait, use in pairs]


# wait 0..10, use 0..1: a bend at (2, 0.9), a hollow at (6, 0.92), and one point that (2, 0.9) beats in both
CURVE = rows((0, 0.0), (2, 0.9), (6, 0.92), (10, 1.0), (3, 0.5))


def test_front_leaves_out_what_another_point_beats_and_starts_with_the_best_of_the_first_objective() -> None:
    assert front(CURVE, BOTH) == (0, 1, 2, 3)
    assert front(CURVE, [USE, WAIT]) == (3, 2, 1, 0)


def test_equal_points_and_points_equal_in_one_objective() -> None:
    assert front(rows((1, 1), (1, 1)), BOTH) == (0, 1)  # neither is better in something
    assert front(rows((1, 1), (1, 2)), BOTH) == (1,)


def test_a_point_without_a_number_takes_no_part() -> None:
    assert front(rows((None, 1), (5, 0.5)), BOTH) == (1,)
    assert front(rows((None, None)), BOTH) == ()
    assert recommend(rows((None, 1)), BOTH) is None


def test_standing_is_0_for_the_worst_and_1_for_the_best() -> None:
    taken, standing = scores(CURVE, BOTH)
    assert taken == (0, 1, 2, 3, 4)
    assert standing[:, 0].tolist() == pytest.approx([1, 0.8, 0.4, 0, 0.7])
    assert standing[:, 1].tolist() == pytest.approx([0, 0.9, 0.92, 1, 0.5])


def test_what_is_equal_everywhere_does_not_matter() -> None:
    best = recommend(rows((1, 0.5), (2, 0.5)), BOTH)
    assert best is not None
    assert best.winner == 0


def test_knee_is_farthest_above_the_line_between_the_ends() -> None:
    assert knee(CURVE, BOTH) == 1  # 0.8 + 0.9 - 1 = 0.7; the other: 0.4 + 0.92 - 1 = 0.32


def test_no_knee_on_a_line_or_in_a_hollow_or_between_two() -> None:
    assert knee(rows((0, 0), (1, 1)), BOTH) is None
    assert knee(rows((0, 0), (1, 0.5), (2, 1)), BOTH) is None
    assert knee(rows((0, 0), (1, 0.4), (2, 1)), BOTH) is None  # efficient, but below the line
    assert knee(CURVE, [WAIT]) is None


def test_two_objectives_have_the_exact_interval_of_weights() -> None:
    # point 1 against 0: 0.8 w + 0.9 (1 - w) >= w  <=>  w <= 0.9 / 1.1; against 3: 0.8 w + 0.9 (1 - w) >= 1 - w
    # <=>  w >= 0.1 / 0.9; point 4 is beaten
    best = recommend(CURVE, BOTH)
    assert best is not None
    assert (best.winner, best.keeps_targets) == (1, True)
    assert best.region.step == 0
    assert best.region.ranges["wait"] == pytest.approx((1 / 9, 9 / 11))
    assert best.region.ranges["use"] == pytest.approx((2 / 11, 8 / 9))
    assert best.region.share == pytest.approx(9 / 11 - 1 / 9)
    assert best.scores[1] == pytest.approx(0.85)


def test_an_efficient_point_in_a_hollow_wins_for_no_weights() -> None:
    everybody = range(len(CURVE))
    assert 2 in front(CURVE, BOTH)
    assert region(CURVE, BOTH, 2, everybody) is None
    assert region(CURVE, BOTH, 4, everybody) is None


def test_weights_decide_and_are_scaled() -> None:
    best = recommend(CURVE, BOTH, {"wait": 19, "use": 1})
    assert best is not None
    assert best.winner == 0
    assert best.weights == {"wait": 0.95, "use": 0.05}
    low, high = best.region.ranges["wait"]
    assert low <= 0.95 <= high == 1


def test_only_points_that_keep_the_targets_compete_where_there_is_one() -> None:
    best = recommend(CURVE, BOTH, None, [True, False, False, True, True])
    assert best is not None
    assert (best.winner, best.keeps_targets) == (4, True)  # 0.7 + 0.5 beats 1 + 0
    nobody = recommend(CURVE, BOTH, None, [False] * 5)
    assert nobody is not None
    assert (nobody.winner, nobody.keeps_targets) == (1, False)


def test_ties_go_to_the_first() -> None:
    best = recommend(rows((1, 0), (0, 0), (0, 0)), BOTH)
    assert best is not None
    assert best.winner == 1


def test_three_objectives_are_tried_on_a_grid_that_says_its_step() -> None:
    three = [{"wait": 0.0, "use": 0.0, "fair": 0.0}, {"wait": 1.0, "use": 1.0, "fair": 0.0},
             {"wait": 1.0, "use": 0.0, "fair": 1.0}]  # fmt: skip
    best = recommend(three, [WAIT, USE, FAIR], {"wait": 2, "use": 1, "fair": 1})
    assert best is not None
    assert best.winner == 0  # each is best in one thing
    assert best.region.step == 0.02
    assert best.region.ranges["wait"][1] == 1
    assert best.region.ranges["wait"][0] == pytest.approx(0.34)  # the smallest step above 1/3
    assert best.region.share == pytest.approx(1 / 3, abs=0.03)  # by symmetry a third, ties count


def test_grid_has_every_weight_once() -> None:
    found = grid(3)
    assert found.shape == (51 * 52 // 2, 3)
    assert found.sum(axis=1) == pytest.approx(1.0)
    assert grid(1).tolist() == [[1.0]]


@pytest.mark.parametrize(
    "weights", [{"wait": 0.0, "use": 0.0}, {"wait": -1.0, "use": 2.0}, {"speed": 1.0}, {"wait": float("inf")}]
)
def test_weights_that_make_no_sense_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"must be"):
        recommend(CURVE, BOTH, weights)


def test_no_or_too_many_objectives_are_refused() -> None:
    for objectives in ([], [WAIT, USE, FAIR, Objective("d", "lower")]):
        with pytest.raises(InputError, match="1 to 3"):
            recommend(CURVE, objectives)


NUMBERS = st.integers(0, 6).map(float)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12))
def test_front_is_what_the_definition_says_and_the_winners_share_all_weights(pairs: list[tuple[float, float]]) -> None:
    found = rows(*pairs)
    on_front = front(found, BOTH)
    for at, (wait, use) in enumerate(pairs):
        beaten = any(w <= wait and u >= use and (w, u) != (wait, use) for w, u in pairs)
        assert (at in on_front) is not beaten
    everybody = range(len(pairs))
    parts = [region(found, BOTH, at, everybody) for at in everybody]
    assert {at for at in everybody if parts[at] is not None and parts[at].share > 1e-9} <= set(on_front)  # type: ignore[union-attr]
    ranges = sorted({part.ranges["wait"] for part in parts if part is not None})
    assert ranges[0][0] == 0
    assert max(high for _, high in ranges) == 1
    assert all(second[0] <= first[1] + 1e-9 for first, second in pairwise(ranges)), "the winners leave no gap"


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12), st.integers(0, 20))
def test_the_recommended_point_wins_inside_its_region_and_nowhere_else(
    pairs: list[tuple[float, float]], twentieths: int
) -> None:
    weight = twentieths / 20
    best = recommend(rows(*pairs), BOTH, {"wait": weight, "use": 1 - weight})
    assert best is not None
    low, high = best.region.ranges["wait"]
    assert low - 1e-9 <= weight <= high + 1e-9
    assert best.scores[best.winner] == pytest.approx(max(score for score in best.scores if score is not None))
