"""Read exercises from their files; what is wrong is said by file, key and reason, and all of it at once."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from practice.exercises.model import Exercise
from practice.exercises.references import reference_faults
from scheduler_core import CoreError

FOLDER = Path(__file__).parents[2] / "scenarios" / "exercises"
_REASONS: Mapping[str, str] = {
    "missing": "is missing",
    "extra_forbidden": "is not a key of an exercise",
}


class ExerciseError(CoreError):
    """An exercise file is refused.

    Attributes
    ----------
    file : str
        Its name.
    problems : tuple of str
        One sentence each: the key, what stands there, what would be right.
    """

    code = "exercise"

    def __init__(self, file: str, problems: tuple[str, ...]) -> None:
        self.file, self.problems = file, problems
        super().__init__("\n".join(f"{file}: {problem}" for problem in problems))


def read_exercise(path: Path) -> Exercise:
    """Read one file.

    Parameters
    ----------
    path : Path
        ``scNN-slug.toml``; the name gives the slug.

    Returns
    -------
    Exercise
        Valid in itself: every name it uses is there. That its scenarios can run is what `find_faults` tells.

    Raises
    ------
    ExerciseError
        With every fault of the file.
    """
    try:
        tree: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ExerciseError(path.name, (f"the file cannot be read: {error}.",)) from error
    try:
        exercise = Exercise.model_validate({**tree, "slug": path.stem})
    except ValidationError as error:
        raise ExerciseError(path.name, tuple(_sentences(error))) from error
    faults = tuple(reference_faults(exercise))
    if faults:
        raise ExerciseError(path.name, faults)
    return exercise


def _sentences(error: ValidationError) -> Iterator[str]:
    for one in error.errors():
        key = ".".join(str(part) for part in one["loc"]) or "the file"
        reason = _REASONS.get(one["type"])
        yield f"{key} {reason}." if reason else f"{key} is {str(one['input'])[:60]!r}: {one['msg']}."


@cache
def exercises() -> Mapping[str, Exercise]:
    """Return every exercise by its id, in their order.

    Raises
    ------
    ExerciseError
        If a file is refused, or two have one id.
    """
    found: dict[str, Exercise] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        exercise = read_exercise(path)
        if exercise.id in found:
            raise ExerciseError(path.name, (f"id is {exercise.id!r}, which {found[exercise.id].slug}.toml has.",))
        found[exercise.id] = exercise
    return found


def find_exercise(name: str) -> Exercise:
    """Return an exercise by its id.

    Raises
    ------
    ExerciseError
        If there is none.
    """
    known = exercises()
    if name not in known:
        raise ExerciseError(name[:40], (f"there is no such exercise; there are {', '.join(known)}.",))
    return known[name]
