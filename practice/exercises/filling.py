"""Texts filled with the numbers of a run: briefs, answers, rationale; a result is never typed by hand."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from practice.exercises.consequence import Consequence, Figure, Row, limit_of, play, swap, unit_of
from practice.exercises.model import SECTIONS, Answer, Exercise, Setting, Text
from practice.exercises.placeholders import FACTS, PATTERN, split_end
from practice.wording import say
from scheduler_core import assumption_rows

_GAP = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
"""A space that a figure leaves between two Chinese characters."""
_SHARES = {"share": "points"}
"""Unit of a value -> unit of a difference between two."""


@dataclass
class Story:
    """What texts are filled from: an exercise at one setting.

    Parameters
    ----------
    exercise : Exercise
        The exercise.
    setting : Setting
        The run that is told.
    later : mapping
        Names that only a player knows (``flip.value``), language -> text.
    """

    exercise: Exercise
    setting: Setting = field(default_factory=Setting)
    later: Mapping[str, Text] = field(default_factory=dict)

    @cached_property
    def run(self) -> Consequence:
        """The evidence of the setting."""
        return play(self.exercise, self.setting)

    @cached_property
    def others(self) -> tuple[str, ...]:
        """The other options of the decision that the evidence is about, in their order."""
        decision = self.exercise.decision(self.exercise.evidence.decision)
        chosen = self.setting.choices.get(decision.id)
        return tuple(one.id for one in decision.options if one.id != chosen)

    def fill(self, text: Text, language: str) -> str:
        """Return a text with every placeholder filled."""
        filled = PATTERN.sub(lambda match: self.value(match[1], language, is_bare=bool(match[2])), text.of(language))
        return _GAP.sub("", filled)

    def value(self, name: str, language: str, *, is_bare: bool = False) -> str:
        """Return what a placeholder stands for."""
        if name in self.later:
            return self.later[name].of(language)
        root, _, rest = name.partition(".")
        return _FILLERS[root](self, rest, language, is_bare)

    def label(self, decision: str, option: str | None, language: str) -> str:
        """Return the label of an option; a dash where nothing was chosen."""
        return self.exercise.decision(decision).option(option).label.of(language) if option else "-"


def fill_answer(exercise: Exercise, answer: Answer, language: str, stress: tuple[str, ...] = ()) -> dict[str, str]:
    """Return a model answer, box by box, with the numbers of its own run in the candidate's world."""
    story = Story(exercise, Setting(choices=answer.choices, stress=stress))
    return {name: story.fill(getattr(answer, name), language) for name in SECTIONS}


def _figure(row: Row, figure: Figure, end: str, language: str, is_bare: bool) -> str:
    value = getattr(figure, end)
    return say(value, row.unit, language, is_lower_bound=figure.is_lower_bound and not is_bare, is_bare=is_bare)


def _measure(side: str) -> "Filler":
    def fill(story: Story, name: str, language: str, is_bare: bool) -> str:
        measure, end = split_end(name)
        row = story.run.rows[measure]
        return _figure(row, getattr(row, side), end, language, is_bare)

    return fill


def _change(story: Story, name: str, language: str, is_bare: bool) -> str:
    row = story.run.rows[split_end(name)[0]]
    size = None if row.change.median is None else abs(row.change.median)
    return say(size, _SHARES.get(row.unit, row.unit), language, is_bare=is_bare)


def _option(story: Story, name: str, language: str, is_bare: bool) -> str:
    option, _, rest = name.partition(".")
    measure, end = split_end(rest)
    row = play(story.exercise, swap(story.exercise, story.setting, option)).rows[measure]
    return _figure(row, row.after, end, language, is_bare)


def _other(place: int) -> "Filler":
    def fill(story: Story, name: str, language: str, is_bare: bool) -> str:
        if place >= len(story.others):
            return "-"
        option = story.others[place]
        if name == "label":
            return story.label(story.exercise.evidence.decision, option, language)
        return _option(story, f"{option}.{name}", language, is_bare)

    return fill


def _article(story: Story, name: str, language: str, is_bare: bool) -> str:
    found = story.exercise.articles[name]
    return say(found.value, found.unit, language, is_bare=is_bare)


def _line(story: Story, name: str, language: str, is_bare: bool) -> str:
    task = story.exercise.task
    bound = next(one for one in (task.target, *task.red_lines) if one.measure == name)
    return say(limit_of(bound)[0], unit_of(story.exercise.measures[name]), language, is_bare=is_bare)


def _money(story: Story, name: str, language: str, is_bare: bool) -> str:
    value = story.run.world.assumptions.number(name)
    return say(value, assumption_rows()[name].unit, language, is_bare=is_bare)


def _known(units: Callable[[Story, str], str]) -> "Filler":
    def fill(story: Story, name: str, language: str, is_bare: bool) -> str:
        return say(story.run.facts[name], units(story, name), language, is_bare=is_bare)

    return fill


Filler = Callable[[Story, str, str, bool], str]
_FILLERS: Mapping[str, Filler] = {
    "base": _measure("before"),
    "run": _measure("after"),
    "change": _change,
    "opt": _option,
    "alt1": _other(0),
    "alt2": _other(1),
    "label": lambda story, name, language, _: story.label(name, story.setting.choices.get(name), language),
    "fact": _known(lambda _, name: FACTS[name]),
    "input": _known(lambda story, name: story.exercise.world.inputs[name].unit),
    "money": _money,
    "article": _article,
    "line": _line,
}
