"""Write the tables of docs/exercises.md anew: ``python -m tests.practice.write_exercises_page``."""

import re
from collections.abc import Iterator
from pathlib import Path

from practice.exercises import Beside, Exercise, beside, beside_words, exercises, fill_answer, play, say
from practice.exercises.sources import SOURCES
from practice.rubric import score_answer

PAGE = Path(__file__).parents[2] / "docs" / "exercises.md"
_MARKED = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def page() -> str:
    """Return the page with its tables as the exercises make them now."""
    tables = {"table": _table, "articles": _articles, "directions": _directions}
    text = PAGE.read_text(encoding="utf-8")
    return _MARKED.sub(lambda match: match[1] + "\n".join(tables[match[2]]()) + "\n" + match[3], text)


def _table() -> Iterator[str]:
    yield "| id | title | \u6807\u9898 | requirements | jobs a run | load | seeds | sources | strong | weak |"
    yield "|---|---|---|---|---:|---:|---:|---|---|---|"
    for one in exercises().values():
        facts = play(one).facts
        sources = [name for name in SOURCES if any(name == each.source for each in one.measures.values())]
        cells = [
            one.id,
            one.title.en,
            one.title.zh,
            ", ".join(one.seed_refs),
            f"{facts['jobs_per_day'] * facts['days']:,.0f}",
            say(facts["offered_share"], "share", "en"),
            str(one.world.seeds),
            ", ".join(sources),
            _scores(one, "strong"),
            _scores(one, "weak"),
        ]
        yield f"| {' | '.join(cells)} |"


def _scores(exercise: Exercise, kind: str) -> str:
    answer = getattr(exercise, kind)
    totals = (score_answer(fill_answer(exercise, answer, language)).total for language in ("en", "zh"))
    return ", ".join(f"{total:g}" for total in totals)


def _articles() -> Iterator[str]:
    yield "| id | figure | R | in the article | computed here | range over the seeds | residual | why |"
    yield "|---|---|---|---:|---:|---|---:|---|"
    for one in exercises().values():
        yield from (_article_row(one, each) for each in beside(one))


def _article_row(exercise: Exercise, row: Beside) -> str:
    text, told, middle, ends, residual, why = beside_words(row, "en")
    cells = [exercise.id, text, row.article.requirement, told, middle or "not computed", ends, residual, why]
    return f"| {' | '.join(cells)} |"


def _directions() -> Iterator[str]:
    yield "| id | must hold on 9 of 10 seeds | expected |"
    yield "|---|---|---|"
    for one in exercises().values():
        for direction in one.directions:
            expected = ", ".join(f"`{name}` {way.replace('_', ' ')}" for name, way in direction.expect.items())
            yield f"| {one.id} | {direction.text.en} | {expected} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
