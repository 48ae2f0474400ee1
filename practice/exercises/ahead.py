"""Simulate ahead what a candidate may choose next, while he is still reading, so that a decision answers at once."""

from collections.abc import Iterator

from practice.exercises.consequence import BASE, Progress, play
from practice.exercises.model import Exercise, Setting


def settings_ahead(exercise: Exercise, setting: Setting = BASE) -> Iterator[Setting]:
    """Yield every setting that one more decision, or another option of one, leads to.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    setting : Setting
        What was chosen so far.
    """
    for decision in exercise.decisions:
        for option in decision.options:
            yield setting.model_copy(update={"choices": {**setting.choices, decision.id: option.id}})


def play_ahead(exercise: Exercise, setting: Setting = BASE, progress: Progress | None = None) -> int:
    """Simulate them, and return how many settings are ready.

    Parameters
    ----------
    exercise, setting : Exercise, Setting
        As for `settings_ahead`.
    progress : callable, optional
        Called with the share done; returning False cancels, and what is ready stays.
    """
    found = list(settings_ahead(exercise, setting))
    for at, one in enumerate(found):
        play(exercise, one)
        if progress is not None and not progress((at + 1) / len(found)):
            return at + 1
    return len(found)
