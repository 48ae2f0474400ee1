"""Every exercise under every stress: the strong answer's words follow the numbers of the stressed run."""

import re
from collections.abc import Iterator

import pytest

from practice.exercises import Exercise, Setting, Stress, exercises, fill_answer, play, rubric_run, world_of
from practice.rubric import check_claims

SIZES = {
    "s": 1e3, "min": 6e4, "h": 3.6e6, "days": 8.64e7, "ms": 1.0, "%": 1.0, "million": 1e6, "billion": 1e9,
    "\u79d2": 1e3, "\u5206\u949f": 6e4, "\u5c0f\u65f6": 3.6e6, "\u5929": 8.64e7, "\u4e07": 1e4, "\u4ebf": 1e8,
}  # fmt: skip
NUMBER = (
    r"(-?\$?-?[\d,.]*\d)\s?(ms|min|million|billion|days|s|h|%|\u79d2|\u5206\u949f|\u5c0f\u65f6|\u5929|\u4e07|\u4ebf)?"
)
EN = re.compile(rf"(rose|fell) from {NUMBER}[a-zA-Z -]*? to {NUMBER}")
ZH = re.compile(rf"\u4ece {NUMBER}[^\d]*?(\u5347\u5230|\u964d\u5230) {NUMBER}")
RED = re.compile(r"\b(inside|beyond) the red line")
SLOW = {"SC04": ("half", "minus70"), "SC19": ("half", "minus70")}
"""Queues that are drained for weeks: ten seconds and more a setting, so the long tests run them."""

NEAR = {"SC01": ("half",), "SC05": ("double", "minus70")}
"""Where a number, rounded to its digits, once counted as contradicted."""


def stresses() -> Iterator[object]:
    for exercise in exercises().values():
        for stress in (None, *exercise.stress):
            if stress is None or stress.set or stress.scale:
                name = stress.id if stress else "calm"
                marks = [pytest.mark.full] if name in SLOW.get(exercise.id, ()) else []
                yield pytest.param((exercise, stress), id=f"{exercise.id}-{name}", marks=marks)


def told_to_the_digit() -> Iterator[object]:
    """Yield every exercise under stress; the long tests run those whose numbers never stood near a line."""
    for exercise in exercises().values():
        for stress in exercise.stress:
            if stress.set or stress.scale:
                marks = [] if stress.id in NEAR.get(exercise.id, ()) else [pytest.mark.full]
                yield pytest.param((exercise, stress), id=f"{exercise.id}-{stress.id}", marks=marks)


@pytest.fixture(params=stresses())
def stressed(request: pytest.FixtureRequest) -> tuple[Exercise, Setting]:
    exercise: Exercise
    stress: Stress | None
    exercise, stress = request.param
    return exercise, Setting(choices=exercise.strong.choices, stress=(stress.id,) if stress else ())


def size(number: str, unit: str) -> float:
    return float(number.replace("$", "").replace(",", "")) * SIZES.get(unit, 1.0)


def test_fell_is_less_and_rose_is_more_in_both_languages(stressed: tuple[Exercise, Setting]) -> None:
    exercise, setting = stressed
    english = " ".join(fill_answer(exercise, exercise.strong, "en", setting.stress).values())
    for verb, first, first_unit, last, last_unit in EN.findall(english):
        assert (size(last, last_unit) > size(first, first_unit)) is (verb == "rose"), english
    chinese = " ".join(fill_answer(exercise, exercise.strong, "zh", setting.stress).values())
    for first, first_unit, verb, last, last_unit in ZH.findall(chinese):
        assert (size(last, last_unit) > size(first, first_unit)) is (verb == "\u5347\u5230"), chinese
    assert EN.search(english)
    assert ZH.search(chinese)


def test_inside_and_beyond_the_red_line_follow_the_run(stressed: tuple[Exercise, Setting]) -> None:
    exercise, setting = stressed
    first = next(one for one in play(exercise, setting).lines if one.is_red_line)
    told = RED.findall(fill_answer(exercise, exercise.strong, "en", setting.stress)["R"])
    assert told == [{"met": "inside", "missed": "beyond"}[first.state]]


def test_what_the_answer_calls_worse_is_worse(stressed: tuple[Exercise, Setting]) -> None:
    exercise, setting = stressed
    told = fill_answer(exercise, exercise.strong, "en", setting.stress)["R"]
    after = told.partition("However, ")[2]
    assert after
    assert re.search(r"rose from|went only|slower|utilisation fell from", after.split(". ")[0]), told


@pytest.mark.parametrize("told", [*told_to_the_digit()])
def test_no_number_of_the_answer_is_called_contradicted_by_the_run_it_comes_from(told: tuple[Exercise, Stress]) -> None:
    exercise, stress = told
    run = rubric_run(exercise, Setting(choices=exercise.strong.choices, stress=(stress.id,)))
    for language in ("en", "zh"):
        found = check_claims(fill_answer(exercise, exercise.strong, language, (stress.id,)), run)
        assert found.share == 1, [one for one in found.claims if one.grade not in (None, 1.0)]


def test_the_target_is_missed_before_anybody_decides(stressed: tuple[Exercise, Setting]) -> None:
    exercise, setting = stressed
    assert play(exercise, Setting(stress=setting.stress)).lines[0].state == "missed"


@pytest.mark.parametrize("exercise", exercises().values(), ids=lambda one: one.id)
def test_every_stress_makes_a_world_of_its_own(exercise: Exercise) -> None:
    worlds = [world_of(exercise, Setting(stress=(one.id,))) for one in exercise.stress if one.set or one.scale]
    calm = world_of(exercise, Setting())
    assert all(one != calm and worlds.count(one) == 1 for one in worlds)
