"""Read exercises from their files; what is wrong is said by file, key and reason, and all of it at once."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from practice.exercises.model import Exercise
from practice.exercises.references import reference_faults
from scheduler_core import CoreError, Phrase

FOLDER = Path(__file__).parents[2] / "scenarios" / "exercises"
_REASONS: Mapping[str, Phrase] = {
    "missing": Phrase("{key} is missing."),
    "extra_forbidden": Phrase("{key} is not a key of an exercise."),
}


class ExerciseError(CoreError):
    """An exercise file is refused.

    Attributes
    ----------
    file : str
        Its name.
    problems : tuple of Phrase
        One sentence each: the key, what stands there, what would be right.
    """

    code = "exercise"

    def __init__(self, file: str, problems: tuple[Phrase, ...]) -> None:
        self.file, self.problems = file, problems
        super().__init__(*(Phrase("{file}: {problem}", file=file, problem=problem) for problem in problems))


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
        raise ExerciseError(path.name, (Phrase("the file cannot be read: {foreign}.", foreign=error),)) from error
    try:
        exercise = Exercise.model_validate({**tree, "slug": path.stem})
    except ValidationError as error:
        raise ExerciseError(path.name, tuple(_sentences(error))) from error
    faults = tuple(reference_faults(exercise))
    if faults:
        raise ExerciseError(path.name, faults)
    return exercise


def _sentences(error: ValidationError) -> Iterator[Phrase]:
    for one in error.errors():
        key = ".".join(str(part) for part in one["loc"]) or Phrase("the file")
        wrong = Phrase("{key} is {value!r}: {foreign}.", value=str(one["input"])[:60], foreign=one["msg"])
        yield _REASONS.get(one["type"], wrong).filled(key=key)


def _taken(exercise_id: str, slug: str) -> Phrase:
    return Phrase("id is {id!r}, which {slug}.toml has.", id=exercise_id, slug=slug)


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
            raise ExerciseError(path.name, (_taken(exercise.id, found[exercise.id].slug),))
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
        raise ExerciseError(
            name[:40], (Phrase("there is no such exercise; there are {names}.", names=", ".join(known)),)
        )
    return known[name]
