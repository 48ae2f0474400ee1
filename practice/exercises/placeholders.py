"""Placeholders of the texts: what may stand in braces, and every text of an exercise that may hold them.

``base.M`` a measure before anybody decided; ``run.M`` the run that is told; ``change.M`` the size of the difference;
``opt.OPTION.M`` with another option of the evidence's decision; each with ``.low`` and ``.high`` for the ends over the
seeds. ``label.DECISION`` what was chosen; ``fact.F``, ``input.I``, ``money.A`` what is known without a run;
``article.A`` a figure of an article; ``line.M`` a bound of the task. ``:n`` leaves out the unit.

Where words depend on the numbers: ``moved.M`` says that a measure rose, fell or stayed, with its values, and
``regret.amount`` and ``best.label`` are what the choice costs beyond the best one in the world of the regret.
``{if run.M > line.M}one text{else}another{end}`` takes the first text where the comparison holds.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping

from pydantic import BaseModel

from practice.exercises.model import Exercise, Text
from scheduler_core import Phrase, assumption_rows

PATTERN = re.compile(r"\{([a-z0-9_]+(?:\.[a-z0-9_]+)*)(:n)?\}")
CHOICE = re.compile(
    r"\{if (?P<one>[a-z0-9_.]+) (?P<sign><=|>=|<|>) (?P<other>[a-z0-9_.]+)\}(?P<yes>[^{}]*(?:\{(?!else|end|if )[^{}]*\}"
    r"[^{}]*)*)\{else\}(?P<no>[^{}]*(?:\{(?!else|end|if )[^{}]*\}[^{}]*)*)\{end\}"
)
COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
BRACES = re.compile(r"[{}]")
ENDS = ("low", "high")
FACTS: Mapping[str, str] = {
    "gpus": "gpus", "nodes": "nodes", "jobs_per_day": "jobs_per_day", "offered_share": "share", "days": "days",
    "measured_days": "days", "seeds": "number",
}  # fmt: skip
"""Facts that a text may name, with their units."""
LATER = ("flip.lever", "flip.value", "flip.option", "alt1.label", "alt2.label")
"""Names that a rationale may hold and that only the player can fill: where another option wins, and the others."""


def texts_of(exercise: Exercise) -> Iterator[tuple[str, Text]]:
    """Yield every text of an exercise with its key, in the order of the model."""
    yield from _texts(exercise, "")


def _texts(value: object, key: str) -> Iterator[tuple[str, Text]]:
    if isinstance(value, Text):
        yield key, value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _texts(getattr(value, name), f"{key}.{name}".lstrip("."))
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts(inner, f"{key}.{name}")
    elif isinstance(value, tuple):
        for at, inner in enumerate(value):
            yield from _texts(inner, f"{key}.{getattr(inner, 'id', at)}")


def problem_of(exercise: Exercise, text: str) -> Iterator[Phrase]:
    """Yield what is wrong with the placeholders of a text."""
    for match in CHOICE.finditer(text):
        for name in (match["one"], match["other"]):
            if name.partition(".")[0] in _WORDS_ONLY or not is_known(exercise, name):
                yield Phrase("{{if}} compares {name}, which is no number of this exercise.", name=name)
    text = both_sides(text)
    for match in PATTERN.finditer(text):
        if not is_known(exercise, match[1]):
            yield Phrase("{{{match}}} is not a placeholder that this exercise can fill.", match=match[1])
    left = BRACES.search(PATTERN.sub("", text))
    if left:
        yield Phrase("a brace stands alone near {text!r}.", text=text[max(0, left.start() - 15) :][:30])


def both_sides(text: str) -> str:
    """Return a text with both texts of every choice in it, and nothing of the comparison."""
    return CHOICE.sub(lambda match: f"{match['yes']} {match['no']}", text)


def is_known(exercise: Exercise, name: str) -> bool:
    """Return whether a placeholder can be filled."""
    root, _, rest = name.partition(".")
    if name in LATER:
        return True
    if root in {"alt1", "alt2"}:
        root = "run"
    return root in _KNOWN and _KNOWN[root](exercise, rest)


def split_end(name: str) -> tuple[str, str]:
    """Return a measure and ``low``, ``high`` or ``median``."""
    measure, _, end = name.rpartition(".")
    return (measure, end) if end in ENDS else (name, "median")


def _is_measure(exercise: Exercise, name: str) -> bool:
    return split_end(name)[0] in exercise.measures


def _is_option(exercise: Exercise, name: str) -> bool:
    option, _, measure = name.partition(".")
    options = [one.id for one in exercise.decision(exercise.evidence.decision).options]
    return option in options and _is_measure(exercise, measure)


_WORDS_ONLY = ("label", "best", "moved", "flip", "alt1", "alt2")
_KNOWN: Mapping[str, Callable[[Exercise, str], bool]] = {
    "base": _is_measure,
    "run": _is_measure,
    "change": _is_measure,
    "moved": lambda exercise, name: name in exercise.measures,
    "opt": _is_option,
    "regret": lambda exercise, name: exercise.evidence.regret is not None and name == "amount",
    "best": lambda exercise, name: exercise.evidence.regret is not None and name == "label",
    "label": lambda exercise, name: name in {one.id for one in exercise.decisions},
    "fact": lambda _, name: name in FACTS,
    "input": lambda exercise, name: name in exercise.world.inputs,
    "money": lambda _, name: name in assumption_rows(),
    "article": lambda exercise, name: name in exercise.articles,
    "line": lambda exercise, name: name in {
        one.measure for one in (exercise.task.target, *exercise.task.red_lines)
    },
}  # fmt: skip
