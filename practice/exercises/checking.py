"""What can be wrong with an exercise that reads well: an impossible option, too many jobs, a result typed by hand.

`find_faults` is asked by the tests for every file, so that a candidate never meets one of these.
"""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from practice.exercises.consequence import play
from practice.exercises.model import MOST_JOBS, Direction, Exercise, Setting
from practice.exercises.placeholders import PATTERN, both_sides, texts_of
from practice.exercises.references import differences_named
from practice.exercises.world import world_of
from scheduler_core import CoreError, check, require_available

NEEDED_SHARE = 0.9
"""Share of the seeds on which a direction must hold."""
DIRECTION_SEEDS = 10
_DIGITS = re.compile(r"(?<![A-Za-z0-9.])\d[\d,]*(?:\.\d+)?")
_INSIDE = re.compile(r"\d+(?:\.\d+)?")
_WORDS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|double|twice)\b"
    "|[\u4e00\u4e8c\u4e24\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e\u5343\u4e07]+"
    "(?:\u4e2a\u56e2\u961f|\u4e2a\u5c0f\u7ec4|\u5c0f\u65f6|\u5206\u949f|\u5929|\u5468|\u500d|\u6210|\u5f20\u5de5\u5355)",
    re.IGNORECASE,
)
"""Numbers in words; in Chinese before teams, groups, hours, minutes, days, weeks, times, tenths and tickets."""


def find_faults(exercise: Exercise) -> Iterator[str]:
    """Yield one sentence for each option that cannot be simulated and each number that nobody computed."""
    impossible = list(_impossible(exercise))
    yield from impossible or _unreadable(exercise)
    yield from literal_faults(exercise)


def settings_to_try(exercise: Exercise) -> Iterator[tuple[str, Setting]]:
    """Yield every combination of options, and every option under every stress."""
    names = [decision.id for decision in exercise.decisions]
    for options in product(*([option.id for option in decision.options] for decision in exercise.decisions)):
        choices = dict(zip(names, options, strict=True))
        yield ", ".join(f"{name} = {option}" for name, option in choices.items()), Setting(choices=choices)
    for stress in exercise.stress:
        for decision in exercise.decisions:
            for option in decision.options:
                setting = Setting(choices={decision.id: option.id}, stress=(stress.id,))
                yield f"{decision.id} = {option.id} under {stress.id}", setting


def _impossible(exercise: Exercise) -> Iterator[str]:
    for name, setting in settings_to_try(exercise):
        try:
            scenario = world_of(exercise, setting).scenario
            require_available(scenario)
        except CoreError as error:
            yield f"{name}: {error}"
            continue
        report = check(scenario)
        yield from (f"{name}: {one.sentence}" for one in report.unschedulable)
        jobs = sum(pool.jobs_per_day for pool in report.pools) * scenario.run.days
        if jobs > MOST_JOBS and not setting.stress:
            yield f"{name}: {jobs:,.0f} jobs in a run; practice allows {MOST_JOBS:,}."


def _unreadable(exercise: Exercise) -> Iterator[str]:
    """Yield the measures that have no figure: a formula that is none, a scope that no job is in."""
    try:
        rows = play(exercise, Setting(choices=exercise.strong.choices), seeds=1).rows
    except CoreError as error:
        yield str(error)
        return
    yield from (f"measures.{name} has no figure after the strong answer's choices; say what stands for it (absent)."
                for name, row in rows.items() if row.after.median is None)  # fmt: skip


def literal_faults(exercise: Exercise) -> Iterator[str]:
    """Yield the numbers of texts that are no parameter, no figure of an article and no placeholder."""
    allowed = set(_allowed(exercise))
    for key, text in texts_of(exercise):
        for language in ("en", "zh"):
            rest = PATTERN.sub("", both_sides(text.of(language)))
            for match in _DIGITS.finditer(rest):
                if float(match[0].replace(",", "").rstrip(".") or 0) not in allowed:
                    yield f"{key}.{language} types {match[0]} by hand; use a placeholder or declare a figure."
            if key in {"weak.R", "strong.R"} and (word := _WORDS.search(rest)):
                yield f"{key}.{language} types {word[0]!r} by hand; a result is computed."


def _allowed(exercise: Exercise) -> Iterator[float]:
    """Yield every number that the exercise sets: as written, and as a percentage."""
    parts: list[Any] = [exercise.world.model_dump(), exercise.task.model_dump(exclude={"text", "deadline", "watchers"})]
    parts += [{"set": dict(one.set), "scale": dict(one.scale)} for _, one in differences_named(exercise)]
    parts += [one.of for one in exercise.measures.values()]
    parts += [(one.low, one.high) for one in exercise.levers]
    numbers = [*_numbers(parts), *(one.value for one in exercise.articles.values()), *_deadlines(exercise)]
    for number in numbers:
        yield number
        yield round(number * 100, 9)
        yield round((number - 1) * 100, 9)  # 1.2 times is 20 % more
        yield round((1 - number) * 100, 9)  # 0.3 times is 70 % less


def _deadlines(exercise: Exercise) -> Iterator[float]:
    """Yield the numbers of the deadline, which the task itself sets."""
    yield from (float(one) for one in _INSIDE.findall(exercise.task.deadline.en))


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _numbers(key)
            yield from _numbers(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _numbers(inner)
    elif isinstance(value, str):
        yield from (float(one) for one in _INSIDE.findall(value))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def direction_shares(
    exercise: Exercise, direction: Direction, *, seeds: int = DIRECTION_SEEDS, is_full: bool = False
) -> dict[str, float]:
    """Return on which share of the seeds each expected movement of a direction holds.

    Parameters
    ----------
    exercise, direction : Exercise, Direction
        What is tested.
    seeds : int
        Number of runs of each side.
    is_full : bool
        Take the full case.
    """
    before, after = (
        play(exercise, setting, seeds=seeds, is_full=is_full) for setting in (direction.before, direction.after)
    )
    found = {}
    for name, expected in direction.expect.items():
        same = exercise.measures[name].same_share
        pairs = zip(before.rows[name].after.values, after.rows[name].after.values, strict=True)
        held = [_holds(expected, old, new, same) for old, new in pairs]
        found[name] = sum(held) / len(held)
    return found


def _holds(expected: str, old: float | None, new: float | None, same_share: float) -> bool:
    if old is None or new is None:
        return False
    is_same = abs(new - old) <= same_share * max(abs(old), abs(new))
    moved = "same" if is_same else "up" if new > old else "down"
    return moved == expected or (expected.startswith("not_") and moved != expected.removeprefix("not_"))
