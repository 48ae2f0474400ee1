"""Scripted STAR-L exercises whose consequences are simulated: the format, and how a choice gets its consequence.

`exercises` reads `scenarios/exercises`, `play` gives the evidence of a setting over common seeds, `rubric_run` what the
rubric holds an answer to, and `Story` fills the texts. docs/exercises.md shows how to add one.
"""

from practice.exercises.ahead import play_ahead, settings_ahead
from practice.exercises.articles import Beside, beside, beside_words
from practice.exercises.checking import (
    DIRECTION_SEEDS,
    NEEDED_SHARE,
    direction_shares,
    find_faults,
    literal_faults,
    settings_to_try,
)
from practice.exercises.consequence import Consequence, Figure, Line, Row, better_of, play, rubric_run, swap, unit_of
from practice.exercises.defence import Defence, defend
from practice.exercises.filling import Story, fill_answer, told_of
from practice.exercises.known import known
from practice.exercises.model import (
    KINDS,
    MOST_JOBS,
    SECTIONS,
    Answer,
    Article,
    Bound,
    Decision,
    Difference,
    Direction,
    Exercise,
    Lever,
    Measure,
    Option,
    Probe,
    Setting,
    Stress,
    Text,
)
from practice.exercises.names import choice_titles, measure_title, movement_title, option_title, question_title
from practice.exercises.reading import ExerciseError, exercises, find_exercise, read_exercise
from practice.exercises.regret import Regret, regret
from practice.exercises.world import World, numbers_of, world_of
from practice.wording import say

__all__ = [
    "DIRECTION_SEEDS",
    "KINDS",
    "MOST_JOBS",
    "NEEDED_SHARE",
    "SECTIONS",
    "Answer",
    "Article",
    "Beside",
    "Bound",
    "Consequence",
    "Decision",
    "Defence",
    "Difference",
    "Direction",
    "Exercise",
    "ExerciseError",
    "Figure",
    "Lever",
    "Line",
    "Measure",
    "Option",
    "Probe",
    "Regret",
    "Row",
    "Setting",
    "Story",
    "Stress",
    "Text",
    "World",
    "beside",
    "beside_words",
    "better_of",
    "choice_titles",
    "defend",
    "direction_shares",
    "exercises",
    "fill_answer",
    "find_exercise",
    "find_faults",
    "known",
    "literal_faults",
    "measure_title",
    "movement_title",
    "numbers_of",
    "option_title",
    "play",
    "play_ahead",
    "question_title",
    "read_exercise",
    "regret",
    "rubric_run",
    "say",
    "settings_ahead",
    "settings_to_try",
    "swap",
    "told_of",
    "unit_of",
    "world_of",
]
