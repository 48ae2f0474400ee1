"""What people call the parts of an exercise: its measures, decisions and options, and which way a measure went."""

from collections.abc import Iterator, Mapping

from practice.exercises.consequence import Row
from practice.exercises.model import Exercise
from practice.wording import say, sentence
from scheduler_core import all_metrics


def measure_title(exercise: Exercise, measure: str, language: str) -> str:
    """Return what people call a measure: its own name, else that of its metric; the id where there is none."""
    found = exercise.measures.get(measure)
    if found is None:
        return measure
    return found.name.of(language) if found.name else str(all_metrics()[found.key].text[language].name)


def option_title(exercise: Exercise, decision: str, option: str, language: str) -> str:
    """Return the label of an option; the id where an older version of the exercise had it."""
    labels = {one.id: one.label for each in exercise.decisions if each.id == decision for one in each.options}
    return labels[option].of(language) if option in labels else option


def question_title(exercise: Exercise, decision: str, language: str) -> str:
    """Return the question of a decision; the id where an older version of the exercise had it."""
    return next((one.question.of(language) for one in exercise.decisions if one.id == decision), decision)


def choice_titles(exercise: Exercise, choices: Mapping[str, str], language: str) -> Iterator[tuple[str, str]]:
    """Yield every question with what was chosen, in the order of the exercise."""
    order = [*(one.id for one in exercise.decisions), *choices]
    for decision in sorted(choices, key=order.index):
        option = option_title(exercise, decision, choices[decision], language)
        yield question_title(exercise, decision, language), option


def movement_title(exercise: Exercise, row: Row, language: str) -> str:
    """Return what happened to a measure as a conclusion: a verb, the value before and the value after."""
    values = {side: say(getattr(row, side).median, row.unit, language) for side in ("before", "after")}
    return sentence(f"goes_{row.movement}", language, name=measure_title(exercise, row.measure, language), **values)
