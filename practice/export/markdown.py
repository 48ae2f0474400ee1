"""An attempt as Markdown, whole; words of the candidate are escaped."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from practice.export import page as told
from practice.export.page import STAR, Compared, Page
from practice.wording import say

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&])")


def to_markdown(page: Page) -> str:
    """Return an attempt as Markdown."""
    return "\n\n".join([f"# {_plain(page.title)}", *_parts(page)]) + "\n"


def _parts(page: Page) -> Iterator[str]:
    yield from map(_plain, told.made(page))
    if page.link:
        yield f"[{_plain(page.word('link'))}](<{page.link}>)"
    if page.attempt.grade is not None:
        yield _heading(told.total(page))
        yield _table((page.word("dimension"), page.word("points")), told.dimensions(page))
    yield from _section(page, "choices", ("decision", "option"), told.choices(page))
    yield from _evidence(page)
    yield from _answer(page)
    yield from _section(page, "predictions", ("option", "measure", "said", "came"), told.predictions(page))
    yield from _section(page, "rules", ("rule", "value", "asks"), told.rules(page))
    assumed = [f"- {_plain(one)}" for one in told.assumptions(page)]
    if assumed:
        yield _heading(page.word("assumptions"))
        yield "\n".join(assumed)


def _evidence(page: Page) -> Iterator[str]:
    shown = list(told.compared(page))
    if not shown:
        return
    yield _heading(page.word("evidence_title"))
    yield "\n".join(f"- {_plain(one)}" for one in told.lines(page))
    for place, one in enumerate(shown):
        yield _heading(one.title if place else f"{STAR} {one.title} ({page.word('star')})", "###")
        yield _table((page.word("option"), page.word("median"), page.word("low"), page.word("high")), _rows(page, one))


def _rows(page: Page, shown: Compared) -> Iterator[tuple[str, ...]]:
    for name, (low, middle, high) in zip(shown.names, shown.figures, strict=True):
        yield name, *(say(one, shown.unit, page.language) for one in (middle, low, high))


def _answer(page: Page) -> Iterator[str]:
    yield _heading(page.word("answer"))
    if not page.has_answer:
        yield _plain(page.word("withheld"))
        return
    for name, text in told.answer(page).items():
        yield _heading(name, "###")
        yield _plain(text)
    replied = list(told.replies(page))
    if replied:
        yield _heading(page.word("replies"))
    for asked, text in replied:
        yield _heading(asked, "###")
        yield _plain(text)


def _section(page: Page, name: str, heads: Sequence[str], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    found = list(rows)
    if found:
        yield _heading(page.word(name))
        yield _table(tuple(map(page.word, heads)), found)


def _heading(text: str, level: str = "##") -> str:
    return f"{level} {_plain(text)}"


def _plain(text: str) -> str:
    return "\n".join(_MARKUP.sub(r"\\\1", line) for line in text.splitlines())


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    found = [" | ".join(_plain(cell).replace("\n", " ") for cell in row) for row in (head, *rows)]
    found.insert(1, "|".join(["---"] * len(head)))
    return "\n".join(f"| {one} |" for one in found)
