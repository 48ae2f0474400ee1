"""What many attempts show, each number worked by hand from the attempts above it."""

from datetime import date, timedelta

import pytest
from fsrs import Rating

from practice.history import (
    MOST_A_DAY,
    Prediction,
    calibration,
    difference,
    heat_map,
    plan,
    rating_of,
    readiness,
    trend,
)
from practice.history.due import longest_interval_days
from tests.practice.history.builders import MEDIUM, START, STRONG, WEAK, attempt, grade


def said(direction: str, came: str | None, sure: float | None = None, measure: str = "wait") -> Prediction:
    given = {"option": "high", "measure": measure, "said": direction, "came": came, "sure_share": sure}
    return Prediction.model_validate(given)


def test_the_trend_compares_the_earlier_half_with_the_later() -> None:
    weak, medium, strong = grade(WEAK).total, grade(MEDIUM).total, grade(STRONG).total
    found = trend([attempt(STRONG, day=3), attempt(WEAK), attempt(MEDIUM, day=1), attempt(STRONG, day=2)])
    assert [one.grade.total for one in found.points] == [weak, medium, strong, strong]
    assert (found.before, found.after) == ((weak + medium) / 2, strong)


def test_three_attempts_are_no_trend_and_unscored_ones_do_not_count() -> None:
    unfinished = attempt(STRONG, day=9, grade=None, finished_at=None)
    found = trend([attempt(WEAK), attempt(MEDIUM, day=1), attempt(STRONG, day=2), unfinished])
    assert len(found.points) == 3
    assert found.after is None


def test_calibration_counts_what_came_true_and_how_sure_it_was() -> None:
    told = (said("up", "up", 0.9), said("up", "down", 0.9), said("down", "down", 0.6, "use"), said("up", None, 0.9))
    found = calibration([attempt(WEAK, predictions=told)])
    assert found is not None
    assert (found.n, found.right_share) == (3, 2 / 3)
    assert found.gap_share == pytest.approx((0.9 + 0.9 + 0.6) / 3 - 2 / 3)
    assert [(one.n, one.right_share) for one in found.bins] == [(1, 1.0), (2, 0.5)]
    assert found.by_measure == {("sc04", "use"): (1, 1), ("sc04", "wait"): (1, 2)}
    assert calibration([attempt(WEAK)]) is None


def test_the_heat_map_has_every_rule_and_names_the_weakest() -> None:
    found = heat_map([attempt(MEDIUM), attempt(MEDIUM, day=1)])
    assert len(found.columns) == 2
    assert found.values["S1"] == (1.0, 1.0)
    assert found.values["O3"] == (0.0, 0.0)
    weakest = found.weakest
    assert weakest is not None
    assert found.values[weakest] == (0.0, 0.0)


def test_readiness_needs_three_different_exercises_and_takes_the_lowest_dimension() -> None:
    same = [attempt(STRONG, day=day) for day in range(4)]
    assert readiness(same).verdict is None
    assert readiness(same).n_subjects == 1
    found = readiness([attempt(STRONG, subject="a"), attempt(MEDIUM, subject="b"), attempt(MEDIUM, subject="c")])
    assert found.verdict is not None
    points = found.verdict.dimensions
    assert found.verdict.lowest == min(points, key=lambda name: points[name])
    strong, medium = grade(STRONG).dimensions, grade(MEDIUM).dimensions
    assert points["TJ"] == pytest.approx(((strong["TJ"] or 0) + (medium["TJ"] or 0)) / 2, abs=0.05)


def test_scores_of_other_rules_are_left_out_and_counted() -> None:
    old = attempt(STRONG, grade=grade(STRONG).model_copy(update={"rubric_version": "0"}))
    assert readiness([old]).n_other_rules == 1
    assert plan([old], START + timedelta(days=400)).today == ()


def test_a_difference_names_points_rules_and_words() -> None:
    found = difference(attempt(WEAK, choices={"d": "low"}), attempt(STRONG, choices={"d": "high"}))
    assert found.total == round(grade(STRONG).total - grade(WEAK).total, 1)
    assert found.rules["S1"] == (0.0, 1.0)
    assert found.choices == {"d": ("low", "high")}
    parts = found.texts["A"]
    assert "".join(text for kind, text in parts if kind != "new") == attempt(WEAK).texts()["A"]
    assert "".join(text for kind, text in parts if kind != "gone") == attempt(STRONG).texts()["A"]


@pytest.mark.parametrize(
    ("score", "rating"),
    [(0, 1), (44.9, 1), (45, 2), (59.9, 2), (60, 3), (84.9, 3), (85, 4), (100, 4)],
)
def test_a_rating_follows_from_the_score(score: float, rating: int) -> None:
    assert rating_of(score) == Rating(rating)


def test_nothing_is_due_right_after_an_attempt_and_at_most_ten_later() -> None:
    done = [attempt(WEAK), attempt(WEAK, subject="sc01")]
    assert plan(done, START).today == ()
    assert plan(done, START).next_at is not None
    later = plan(done, START + timedelta(days=60))
    assert len(later.today) == MOST_A_DAY
    assert [one.score for one in later.today] == sorted(one.score for one in later.today)


def test_what_was_failed_is_due_before_what_was_passed() -> None:
    after_a_day = plan([attempt(MEDIUM)], START + timedelta(days=1))
    rules = {one.rule for one in after_a_day.today}
    assert "O3" in rules  # failed: 0 and a medium total give less than 45, again
    assert "S1" not in rules  # passed: 100 and a medium total give more than 60, good


def test_after_four_lapses_the_exercise_is_to_be_redone_until_it_goes_better() -> None:
    failing = [attempt(WEAK, day=day) for day in range(5)]  # the first is no lapse: nothing was known yet
    found = plan(failing, START + timedelta(days=30))
    assert found.redo == ("sc04",)
    assert all(one.rule != "O3" for one in found.today)
    assert plan(failing[:4], START + timedelta(days=30)).redo == ()
    better = plan([*failing, attempt(STRONG, day=6)], START + timedelta(days=400))
    assert better.redo == ()


def test_an_interval_is_at_most_half_the_days_to_the_interview() -> None:
    soon = date(2027, 1, 14)  # ten days after START
    assert longest_interval_days(START, soon) == 5
    assert longest_interval_days(START, date(2027, 1, 5)) == 1
    assert longest_interval_days(START, date(2027, 1, 1)) == 365  # over already
    done = [attempt(STRONG)]
    capped = plan(done, START + timedelta(days=5), soon)
    assert len(capped.today) == MOST_A_DAY
    free = plan(done, START + timedelta(days=5))
    assert [one.rule for one in free.today] == ["A5"]  # half seen: good, two days; the others were easy, eight days


def test_the_same_attempts_give_the_same_plan() -> None:
    done = [attempt(WEAK), attempt(MEDIUM, day=2, subject="sc01"), attempt(STRONG, day=4)]
    first = plan(done, START + timedelta(days=30))
    assert all(plan(done, START + timedelta(days=30)) == first for _ in range(5))
