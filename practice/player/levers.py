"""How much depends on one number: elasticities, and the value at which another option wins."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from practice.exercises import Difference, Exercise, Lever, Setting, Text, numbers_of, play, say, swap, world_of
from practice.player.modes import DATA

STEP = 0.1
"""How far a lever is moved, each way, for its elasticity."""

_LOOKS, _HALVINGS = 3, 5
"""Values tried on each side before bisection, and its rounds: the flip is known to 1/100 of a side."""


@dataclass(frozen=True)
class Slope:
    """What a tenth more and less of a lever does to the headline of an exercise.

    Attributes
    ----------
    lever : Lever
        What was moved, from `low` to `high`.
    first, last : float
        The headline there.
    elasticity : float
        Change of the headline in parts of its mean, over the change of the lever in parts of its mean.
    """

    lever: Lever
    low: float
    high: float
    first: float
    last: float
    elasticity: float


@dataclass(frozen=True)
class Flip:
    """Where another option wins: below or above `at`, `after` takes the place of `before`."""

    lever: Lever
    at: float
    before: str
    after: str
    is_above: bool


def moved(setting: Setting, lever: Lever, at: float) -> Setting:
    """Return a setting with a lever at a value."""
    change = Difference(scale={lever.path: at}) if lever.is_factor else Difference(set={lever.path: at})
    return setting.model_copy(update={"change": change})


def value_now(exercise: Exercise, setting: Setting, lever: Lever) -> float | None:
    """Return where a lever stands, None where this setting has no such number."""
    if lever.is_factor:
        return 1.0
    return next((value for path, value in numbers_of(world_of(exercise, setting)) if path == lever.path), None)


def slopes(exercise: Exercise, setting: Setting) -> tuple[Slope, ...]:
    """Return the elasticity of the headline to each lever, the largest size first."""
    found = [one for lever in exercise.levers if (one := _slope(exercise, setting, lever))]
    return tuple(sorted(found, key=lambda one: -abs(one.elasticity)))


def _slope(exercise: Exercise, setting: Setting, lever: Lever) -> Slope | None:
    now = value_now(exercise, setting, lever)
    if now is None or now <= 0:
        return None
    low, high = max(lever.low, now * (1 - STEP)), min(lever.high, now * (1 + STEP))
    first, last = (_headline(exercise, moved(setting, lever, at)) for at in (low, high))
    if first is None or last is None or low >= high or first + last == 0:
        return None
    elasticity = ((last - first) / ((last + first) / 2)) / ((high - low) / ((high + low) / 2))
    return Slope(lever, low, high, first, last, elasticity)


def _headline(exercise: Exercise, setting: Setting) -> float | None:
    return play(exercise, setting).rows[exercise.evidence.headline].after.median


def winner(exercise: Exercise, setting: Setting) -> str:
    """Return the option that breaks the fewest lines of the task, then has the best headline, then comes first."""
    decision = exercise.decision(exercise.evidence.decision)
    return min((one.id for one in decision.options), key=lambda name: _loss(exercise, swap(exercise, setting, name)))


def _loss(exercise: Exercise, setting: Setting) -> tuple[int, float]:
    found = play(exercise, setting)
    row = found.rows[exercise.evidence.headline]
    size = math.inf if row.after.median is None else row.after.median
    broken = sum(line.state != "met" for line in found.lines)
    return broken, -size if row.better == "higher" and math.isfinite(size) else size


def flip_point(exercise: Exercise, setting: Setting) -> Flip | None:
    """Return the nearest value of a lever at which another option wins, by bisection; None where none does.

    All levers are moved a third of a side, then two thirds, then to the end: what flips nearer needs no further look.
    """
    sides = list(_sides(exercise, setting))
    before = winner(exercise, setting) if sides else ""
    for look in range(1, _LOOKS + 1):
        found = [
            flip for lever, now, end in sides if (flip := _flip(exercise, setting, lever, before, (now, end, look)))
        ]
        if found:
            return min(found, key=lambda pair: pair[0])[1]
    return None


def _sides(exercise: Exercise, setting: Setting) -> Iterator[tuple[Lever, float, float]]:
    """Yield each lever that can decide, where it stands, and either end of its range."""
    for lever in exercise.levers:
        now = value_now(exercise, setting, lever)
        if now is not None and _separates(exercise, setting, lever, now):
            yield from ((lever, now, end) for end in (lever.low, lever.high) if end != now)


def _flip(exercise: Exercise, setting: Setting, lever: Lever, before: str,
          look: tuple[float, float, int]) -> tuple[float, Flip] | None:  # fmt: skip
    """Return the flip between one look and the one before it, with its distance in parts of the side."""
    now, end, place = look
    near, far = (now + (end - now) * at / _LOOKS for at in (place - 1, place))
    after = winner(exercise, moved(setting, lever, far))
    if after == before:
        return None
    at, after = _bisect(exercise, setting, lever, before, (near, far, after))
    return abs(at - now) / abs(end - now), Flip(lever, at, before, after, at > now)


def _bisect(exercise: Exercise, setting: Setting, lever: Lever, before: str,
            ends: tuple[float, float, str]) -> tuple[float, str]:  # fmt: skip
    near, far, after = ends
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        found = winner(exercise, moved(setting, lever, middle))
        if found == before:
            near = middle
        else:
            far, after = middle, found
    return (near + far) / 2, after


def _separates(exercise: Exercise, setting: Setting, lever: Lever, at: float) -> bool:
    """Return whether the options stay different with the lever set; they do not where they set it themselves."""
    options = exercise.decision(exercise.evidence.decision).options
    worlds = [world_of(exercise, moved(swap(exercise, setting, one.id), lever, at)) for one in options]
    return lever.low < lever.high and any(one != worlds[0] for one in worlds[1:])


def lever_text(value: float, lever: Lever, language: str) -> str:
    """Return the value of a lever with its unit."""
    return say(value, "number" if lever.unit == "ratio" else lever.unit, language)


def later_texts(exercise: Exercise, flip: Flip | None, *, is_known: bool = True) -> dict[str, Text]:
    """Return what a rationale may say about the flip point; where none was found, between which values.

    With `is_known` false it is still looked for, and the text says that.
    """
    lever = flip.lever if flip else exercise.levers[-1]
    value = {language: lever_text(flip.at, lever, language) if flip else
             _not_found(lever, language) if is_known else str(DATA["flip"]["looking"][language])
             for language in ("en", "zh")}  # fmt: skip
    found = {"flip.lever": lever.name, "flip.value": Text(**value)}
    if flip:
        found["flip.option"] = exercise.decision(exercise.evidence.decision).option(flip.after).label
    return found


def _not_found(lever: Lever, language: str) -> str:
    ends = {"low": lever_text(lever.low, lever, language), "high": lever_text(lever.high, lever, language)}
    return str(DATA["flip"]["none"][language].format(**ends))
