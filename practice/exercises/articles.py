"""Figures of the articles beside what is computed here, with what is left between them."""

from collections.abc import Iterator
from dataclasses import dataclass

from practice.exercises.consequence import Figure, play
from practice.exercises.model import Article, Exercise
from practice.wording import say, sentence

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Beside:
    """One figure in the article and computed here.

    Attributes
    ----------
    article : Article
        What the article says.
    computed : Figure, optional
        The same over the seeds; None where this exercise computes no such thing.
    residual : float, optional
        Computed less article, in the unit of the article.
    is_inside : bool
        Whether the range over the seeds holds the article's figure.
    """

    article: Article
    computed: Figure | None
    residual: float | None
    is_inside: bool


def beside(exercise: Exercise) -> Iterator[Beside]:
    """Yield every figure of the articles that an exercise declares, with the run that computes the same."""
    for article in exercise.articles.values():
        if article.measure is None:
            yield Beside(article, None, None, is_inside=False)
            continue
        figure = _computed(exercise, article, article.measure)
        middle, low, high = figure.median, figure.low, figure.high
        slack = _ROUNDING * abs(article.value)
        is_inside = low is not None and high is not None and low - slack <= article.value <= high + slack
        yield Beside(article, figure, None if middle is None else middle - article.value, is_inside=is_inside)


def beside_words(row: Beside, language: str) -> tuple[str, str, str, str, str, str]:
    """Return a figure in words: what it is, in the article, computed here, its range, the residual, and why."""
    article, computed = row.article, row.computed
    why = article.why.of(language) if article.why else ""
    told = say(article.value, article.unit, language)
    if computed is None or row.residual is None:
        return article.text.of(language), told, "", "", "", why
    middle, low, high = (say(one, article.unit, language) for one in (computed.median, computed.low, computed.high))
    unit = "points" if article.unit == "share" else article.unit
    return (
        article.text.of(language), told, middle, sentence("range", language, low=low, high=high),
        say(row.residual, unit, language), why,
    )  # fmt: skip


def _computed(exercise: Exercise, article: Article, measure: str) -> Figure:
    """Return the measure at the setting of a figure, or its change where the figure is one."""
    found = play(exercise, article.setting).rows[measure].after
    if article.against is None:
        return found
    start = play(exercise, article.against).rows[measure].after
    pairs = zip(start.values, found.values, strict=True)
    return Figure(tuple(None if old is None or new is None else new - old for old, new in pairs))
