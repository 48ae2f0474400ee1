"""Texts filled with the numbers of a run: briefs, answers, rationale; a result is never typed by hand."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from practice.exercises.consequence import Consequence, Figure, Row, limit_of, play, swap, unit_of
from practice.exercises.model import SECTIONS, Answer, Exercise, Setting, Text
from practice.exercises.placeholders import CHOICE, COMPARISONS, FACTS, PATTERN, split_end
from practice.exercises.regret import regret
from practice.wording import close_up, say, sentence
from scheduler_core import assumption_rows

_SHARES = {"share": "points"}
"""Unit of a value -> unit of a difference between two."""


@dataclass(frozen=True)
class Number:
    """A number that a text names, with its unit; the truth may be larger where it is a lower bound."""

    value: float | None
    unit: str
    is_lower_bound: bool = False

    def said(self, language: str, *, is_bare: bool = False) -> str:
        """Return it as people say it."""
        is_bound = self.is_lower_bound and not is_bare
        return say(self.value, self.unit, language, is_lower_bound=is_bound, is_bare=is_bare)


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
        """Return a text with its words chosen by the numbers and every placeholder filled."""
        chosen = CHOICE.sub(self._choose, text.of(language))
        filled = PATTERN.sub(lambda match: self.value(match[1], language, is_bare=bool(match[2])), chosen)
        return close_up(filled)

    def value(self, name: str, language: str, *, is_bare: bool = False) -> str:
        """Return what a placeholder stands for."""
        if name in self.later:
            return self.later[name].of(language)
        root, _, rest = name.partition(".")
        if root in _WORDS:
            return _WORDS[root](self, rest, language)
        return self.number(name).said(language, is_bare=is_bare)

    def number(self, name: str) -> "Number":
        """Return the number that a placeholder stands for."""
        root, _, rest = name.partition(".")
        return _NUMBERS[root](self, rest)

    def _choose(self, match: re.Match[str]) -> str:
        """Return the first text of a choice where its comparison holds, else the second."""
        one, other = (self.number(match[at]).value for at in ("one", "other"))
        holds = one is not None and other is not None and COMPARISONS[match["sign"]](one, other)
        return match["yes"] if holds else match["no"]

    def label(self, decision: str, option: str | None, language: str) -> str:
        """Return the label of an option; a dash where nothing was chosen."""
        return self.exercise.decision(decision).option(option).label.of(language) if option else "-"


def fill_answer(exercise: Exercise, answer: Answer, language: str, stress: tuple[str, ...] = ()) -> dict[str, str]:
    """Return a model answer, box by box, with the numbers of what it chose itself, in the candidate's world."""
    return told_of(exercise, answer, language, Setting(choices=answer.choices, stress=stress))


def told_of(exercise: Exercise, answer: Answer, language: str, setting: Setting) -> dict[str, str]:
    """Return an answer, box by box, told of a run: what is not decided there is as the answer has it."""
    choices = {**answer.choices, **setting.choices}
    story = Story(exercise, setting.model_copy(update={"choices": choices}))
    return {name: story.fill(getattr(answer, name), language) for name in SECTIONS}


def _of_row(row: Row, figure: Figure, end: str) -> Number:
    return Number(getattr(figure, end), row.unit, figure.is_lower_bound)


def _measure(side: str) -> "Finder":
    def find(story: Story, name: str) -> Number:
        measure, end = split_end(name)
        row = story.run.rows[measure]
        return _of_row(row, getattr(row, side), end)

    return find


def _change(story: Story, name: str) -> Number:
    row = story.run.rows[split_end(name)[0]]
    size = None if row.change.median is None else abs(row.change.median)
    return Number(size, _SHARES.get(row.unit, row.unit))


def _option(story: Story, name: str) -> Number:
    option, _, rest = name.partition(".")
    measure, end = split_end(rest)
    row = play(story.exercise, swap(story.exercise, story.setting, option)).rows[measure]
    return _of_row(row, row.after, end)


def _article(story: Story, name: str) -> Number:
    found = story.exercise.articles[name]
    return Number(found.value, found.unit)


def _line(story: Story, name: str) -> Number:
    task = story.exercise.task
    bound = next(one for one in (task.target, *task.red_lines) if one.measure == name)
    return Number(limit_of(bound)[0], unit_of(story.exercise.measures[name]))


def _money(story: Story, name: str) -> Number:
    return Number(story.run.world.assumptions.number(name), assumption_rows()[name].unit)


def _fact(story: Story, name: str) -> Number:
    return Number(story.run.facts[name], FACTS[name])


def _input(story: Story, name: str) -> Number:
    return Number(story.run.facts[name], story.exercise.world.inputs[name].unit)


def _regret(story: Story, _: str) -> Number:
    found = regret(story.exercise, story.setting)
    return Number(found.amount.median, found.unit) if found else Number(None, "number")


def _best(story: Story, _: str, language: str) -> str:
    found = regret(story.exercise, story.setting)
    return story.label(story.exercise.evidence.decision, found.best if found else None, language)


def _label(story: Story, name: str, language: str) -> str:
    return story.label(name, story.setting.choices.get(name), language)


def _other(place: int) -> "Writer":
    def write(story: Story, name: str, language: str) -> str:
        if place >= len(story.others):
            return "-"
        option = story.others[place]
        if name == "label":
            return story.label(story.exercise.evidence.decision, option, language)
        return _option(story, f"{option}.{name}").said(language)

    return write


def _moved(story: Story, name: str, language: str) -> str:
    """Say that a measure rose, fell or stayed; what reads the same before and after has stayed."""
    before, after = (_measure(side)(story, name) for side in ("before", "after"))
    values = {"before": before.said(language), "after": after.said(language)}
    if values["before"] == values["after"] or before.value is None or after.value is None:
        return sentence("stayed", language, **values)
    return sentence("rose" if after.value > before.value else "fell", language, **values)


Finder = Callable[[Story, str], Number]
Writer = Callable[[Story, str, str], str]
_NUMBERS: Mapping[str, Finder] = {
    "base": _measure("before"), "run": _measure("after"), "change": _change, "opt": _option, "fact": _fact,
    "input": _input, "money": _money, "article": _article, "line": _line,
    "regret": _regret,
}  # fmt: skip
_WORDS: Mapping[str, Writer] = {"alt1": _other(0), "alt2": _other(1), "label": _label, "best": _best, "moved": _moved}
