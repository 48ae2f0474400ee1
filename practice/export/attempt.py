"""One attempt on one page: as Markdown, and as HTML that stands alone and prints."""

import csv
import io
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from practice.export.marks import marked_html
from practice.history import Attempt, scored
from practice.rubric import DIMENSIONS, PENALTIES, PERSONAS, RULES

_WORDS: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~&])")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_STYLE: Final = (
    "body{font:15px/1.5 system-ui,'Noto Sans SC','Microsoft YaHei',sans-serif;max-width:46rem;margin:2rem auto;"
    "padding:0 1rem;color:#1B2430;background:#fff}h1{font-size:1.4rem}h2{font-size:1.05rem;margin:1.1rem 0 .3rem}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;border-bottom:1px solid #DDE3EA;"
    "padding:.15rem .5rem .15rem 0;vertical-align:top}@media print{@page{size:A4;margin:12mm}"
    "body{font-size:9pt;line-height:1.3;margin:0;max-width:none}h2{margin:.5rem 0 .15rem}td,th{padding:0 .4rem 0 0}"
    "span{print-color-adjust:exact;-webkit-print-color-adjust:exact}}"
)


@dataclass(frozen=True)
class _Block:
    """A heading with what stands under it: lines, a table, or the marked answer."""

    heading: str
    lines: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    html: str = ""


@dataclass(frozen=True)
class Page:
    """What an export of an attempt needs: the attempt, its name, the language, and whether the answer goes along."""

    attempt: Attempt
    subject: str
    language: str
    has_answer: bool = False

    def word(self, key: str, **params: object) -> str:
        """Return a word in the language of the page."""
        return _WORDS[key][self.language].format(**params)

    @property
    def title(self) -> str:
        """Return the heading of the page."""
        return self.word("title", subject=self.subject)


def to_markdown(page: Page) -> str:
    """Return an attempt as Markdown; words of the candidate are escaped."""
    parts = [f"# {_plain(page.title)}"]
    for block in _blocks(page):
        parts += [f"## {_plain(block.heading)}"] if block.heading else []
        parts += [_plain(line) for line in block.lines]
        parts += ["\n".join(_markdown_table(block.rows))] if block.rows else []
    return "\n\n".join(parts) + "\n"


def to_html(page: Page) -> str:
    """Return an attempt as one HTML file without anything from outside; the browser prints it on one page."""
    body = [f"<h1>{escape(page.title)}</h1>"]
    for block in _blocks(page):
        body += [f"<h2>{escape(block.heading)}</h2>"] if block.heading else []
        body += [block.html] if block.html else [f"<p>{_broken(line)}</p>" for line in block.lines]
        body += [_html_table(block.rows)] if block.rows else []
    lang = "zh-CN" if page.language == "zh" else "en"
    return (
        f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{escape(page.title)}</title><style>{_STYLE}</style></head>'
        f"<body>{''.join(body)}</body></html>"
    )


def rules_csv(attempts: Iterable[Attempt], names: Mapping[str, str]) -> str:
    """Return the outcome of every rule of every scored attempt as a table; `names` holds the names of subjects."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["attempt", "subject", "scored_at", "rubric_version", "total", "rule", "value", "points", "weight"])
    for number, one in enumerate(scored(attempts), 1):
        subject = _cell(names.get(one.attempt.subject, one.attempt.subject))
        start = [number, subject, one.at.isoformat(timespec="seconds"), one.grade.rubric_version, one.grade.total]
        for rule in one.grade.outcomes:
            writer.writerow([*start, rule.rule, rule.value, round(rule.points, 3), round(rule.weight, 3)])
    return out.getvalue()


def _cell(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _blocks(page: Page) -> Iterator[_Block]:
    attempt, grade, word = page.attempt, page.attempt.grade, page.word
    run = (word("run", hash=attempt.run_hash[:12]),) if attempt.run_hash else ()
    if grade is None:
        yield _Block("", (word("unscored", at=_day(attempt), seed=attempt.seed), *run))
    else:
        persona = PERSONAS.get(grade.persona, {}).get(page.language, grade.persona)
        made = word("made", at=_day(attempt), version=grade.rubric_version, persona=persona, seed=attempt.seed)
        yield _Block("", (made, *run))
        share = grade.evidence_share
        agreed = () if share is None else (word("evidence", share=f"{100 * share:.0f}"),)
        yield _Block(word("total", total=f"{grade.total:g}"), agreed, tuple(_dimensions(page)))
    if attempt.choices:
        yield _Block(word("choices"), rows=((word("decision"), word("option")), *attempt.choices.items()))
    if attempt.predictions:
        yield _Block(word("predictions"), rows=tuple(_predictions(page)))
    yield from _answer(page)
    if grade is not None:
        yield _Block(word("rules"), rows=tuple(_rules(page)))


def _day(attempt: Attempt) -> str:
    return (attempt.finished_at or attempt.created_at).strftime("%Y-%m-%d %H:%M UTC")


def _dimensions(page: Page) -> Iterator[tuple[str, ...]]:
    yield page.word("dimension"), page.word("points")
    for name, points in (page.attempt.grade.dimensions if page.attempt.grade else {}).items():
        shown = page.word("not_seen") if points is None else f"{points:g}"
        yield DIMENSIONS.get(name, {}).get(page.language, name), shown


def _predictions(page: Page) -> Iterator[tuple[str, ...]]:
    yield page.word("option"), page.word("measure"), page.word("said"), page.word("came")
    for one in page.attempt.predictions:
        yield one.option, one.measure, page.word(one.said), page.word(one.came or "open")


def _rules(page: Page) -> Iterator[tuple[str, ...]]:
    grade = page.attempt.grade
    asks = {rule.id: rule.passes[page.language] for rule in RULES}
    asks |= {penalty.id: penalty.passes[page.language] for penalty in PENALTIES}
    yield page.word("rule"), page.word("value"), page.word("asks")
    for one in grade.outcomes if grade else ():
        yield one.rule, f"{one.value:g}", asks.get(one.rule, "")
    for charge in grade.charges if grade else ():
        yield charge.penalty, f"-{charge.points:g}", asks.get(charge.penalty, "")


def _answer(page: Page) -> Iterator[_Block]:
    texts = {name: text for name, text in page.attempt.texts().items() if text.strip()}
    if not page.has_answer:
        yield _Block(page.word("answer"), (page.word("withheld"),))
        return
    names = [*(name for name in "STARL" if name in texts), *(name for name in texts if name not in "STARL")]
    lines = tuple(f"{page.word(name) if name in _WORDS else name}: {texts[name]}" for name in names)
    html = "".join(f"<p>{_broken(line)}</p>" for line in lines)
    if page.attempt.grade is not None:
        html = f"{marked_html(page.attempt.grade)}<p><small>{escape(page.word('legend'))}</small></p>"
    yield _Block(page.word("answer"), lines, html=html)


def _plain(text: str) -> str:
    return "\n".join(_MARKUP.sub(r"\\\1", line) for line in text.splitlines())


def _markdown_table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    for number, row in enumerate(rows):
        yield "| " + " | ".join(_plain(cell).replace("\n", " ") for cell in row) + " |"
        if not number:
            yield "|" + "---|" * len(row)


def _broken(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _html_table(rows: Sequence[tuple[str, ...]]) -> str:
    def line(row: tuple[str, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{_broken(cell)}</{tag}>" for cell in row) + "</tr>"

    return f"<table>{line(rows[0], 'th')}{''.join(line(row, 'td') for row in rows[1:])}</table>"
