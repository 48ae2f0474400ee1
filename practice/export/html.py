"""An attempt as one HTML file without anything from outside: a sheet that prints on one page, and below it the rest.

A browser cannot be asked how much fits, so the sheet is measured in lines of its own small print: an answer that is
longer ends with a sentence that says how much is left out and where it stands.
"""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Final

from practice.export import page as told
from practice.export.marks import marked_html
from practice.export.page import DOT, STAR, Page, half_widths
from practice.export.pictures import picture
from practice.rubric import TRUNCATED

_STYLE: Final = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
_LINE: Final = 150
"""Half-width characters of a printed line; a Chinese one counts for two."""

_LINES: Final = 26
"""Lines of the answer that one A4 page has room for beside everything else; a browser test measures it."""


def to_html(page: Page) -> str:
    """Return an attempt as one HTML file; the browser prints it on one page."""
    lang = "zh-CN" if page.language == "zh" else "en"
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{escape(page.title)}</title><style>{_STYLE}</style></head>'
        f"<body><main>{''.join(_sheet(page))}</main>{''.join(_rest(page))}</body></html>"
    )


def _sheet(page: Page) -> Iterator[str]:
    yield f"<h1>{escape(page.title)}</h1>"
    yield f'<p class="faint">{DOT.join(escape(one) for one in told.made(page))}</p>'
    yield from _score(page)
    yield from _decided(page)
    yield from _charts(page)
    yield f"<h2>{escape(page.word('answer'))}</h2>"
    yield from _answer(page, most=_LINES)
    yield from _rules_short(page)
    assumed = " ".join(escape(one) for one in told.assumptions(page))
    if assumed:
        yield f'<p class="faint">{assumed}</p>'
    if page.link:
        yield f'<p class="link"><b>{escape(page.word("link"))}</b> {escape(page.link)}</p>'
    yield f'<p class="faint print">{escape(page.word("more"))}</p>'


def _score(page: Page) -> Iterator[str]:
    if page.attempt.grade is not None:
        cells = (f"<div><small>{escape(name)}</small><br>{escape(said)}</div>" for name, said in told.dimensions(page))
        yield f'<div class="score"><div><b>{escape(told.total(page))}</b></div>{"".join(cells)}</div>'


def _decided(page: Page) -> Iterator[str]:
    rows = list(told.choices(page))
    came = [*told.lines(page), *filter(None, [told.predicted(page)])]
    if rows or came:
        said = "".join(f"<tr><td>{escape(asked)}</td><th>{escape(chosen)}</th></tr>" for asked, chosen in rows)
        yield f'<div class="two"><table>{said}</table><p>{"<br>".join(map(escape, came))}</p></div>'


def _charts(page: Page) -> Iterator[str]:
    shown = list(told.compared(page))
    if shown:
        figures = (
            f"<figure><figcaption>{escape(one.title if place else f'{STAR} {one.title}')}</figcaption>"
            f"{picture(one, page.language)}</figure>"
            for place, one in enumerate(shown)
        )
        yield f'<div class="charts">{"".join(figures)}</div>'


def _answer(page: Page, most: int | None = None) -> Iterator[str]:
    """Yield the answer, marked where it was scored; with `most`, no more lines than that and what is left out."""
    if not page.has_answer:
        yield f"<p>{escape(page.word('withheld'))}</p>"
        return
    grade = page.attempt.grade
    text = grade.text if grade else "\n".join(f"{name}: {said}" for name, said in told.answer(page).items())
    end = len(text) if most is None else _fits(text, most)
    yield marked_html(grade, end) if grade else f"<p>{_broken(text[:end])}</p>"
    left = max(len(text), sum(map(len, told.answer(page).values()))) - end
    if end < len(text):
        yield f'<p class="cut">{escape(page.word("cut", n=f"{left:,}"))}</p>'
    if grade:
        yield f'<p class="faint">{escape(page.word("legend"))}</p>'


def _fits(text: str, most: int) -> int:
    """Return how many characters of a text fit into a number of printed lines."""
    left = most * _LINE
    for at, sign in enumerate(text):
        left -= (left - 1) % _LINE + 1 if sign == "\n" else half_widths(sign)
        if left < 0:
            return at
    return len(text)


def _rules_short(page: Page) -> Iterator[str]:
    grade = page.attempt.grade
    if grade is None:
        return
    parts = [f"<b>{escape(page.word(name))}</b> {' '.join(found)}"
             for name, found in told.outcomes(page).items() if found]  # fmt: skip
    parts += [f"<b>{escape(page.word('penalties'))}</b> "
              + " ".join(f"{one.penalty} -{one.points:g}" for one in grade.charges)] * bool(grade.charges)  # fmt: skip
    hints = " ".join(told.hints(page))
    parts += [f"<b>{escape(page.word('first'))}</b> {escape(hints)}"] * bool(hints)
    yield f'<p class="rules">{DOT.join(parts)}</p>'


def _rest(page: Page) -> Iterator[str]:
    """Yield what is on screen only: the whole answer where the sheet cuts it, replies, predictions, every rule."""
    parts = [*_whole_answer(page), *_replies(page)]
    heads = ("option", "measure", "said", "came"), ("rule", "value", "asks")
    for name, head, rows in zip(
        ("predictions", "rules"), heads, (told.predictions(page), told.rules(page)), strict=True
    ):
        found = list(rows)
        if found:
            parts.append(f"<h2>{escape(page.word(name))}</h2>{_table(map(page.word, head), found)}")
    if parts:
        yield f'<section class="screen">{"".join(parts)}</section>'


def _whole_answer(page: Page) -> Iterator[str]:
    whole = list(_answer(page))
    if page.has_answer and whole != list(_answer(page, most=_LINES)):
        yield f"<h2>{escape(page.word('whole'))}</h2>{''.join(whole)}"
    if page.has_answer and page.attempt.grade and TRUNCATED in page.attempt.grade.notes:
        yield f"<h2>{escape(page.word('unread'))}</h2>"
        yield from (f"<p><b>{escape(name)}</b><br>{_broken(text)}</p>" for name, text in told.answer(page).items())


def _replies(page: Page) -> Iterator[str]:
    replied = list(told.replies(page)) if page.has_answer else []
    if replied:
        yield f"<h2>{escape(page.word('replies'))}</h2>"
    for asked, text in replied:
        yield f"<p><b>{escape(asked)}</b><br>{_broken(text)}</p>"


def _broken(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _table(head: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    def line(row: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{_broken(cell)}</{tag}>" for cell in row) + "</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"
