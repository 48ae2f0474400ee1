"""Show a scored text with its spans marked, as HTML: by line style as well as by colour. Everything is escaped."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Final

from practice.history import Grade

STYLES: Final = {
    "pass": "text-decoration:underline solid #009E73 2px;background:rgba(0,158,115,.13)",
    "half": "text-decoration:underline dotted #B07900 2px;background:rgba(230,159,0,.16)",
    "penalty": "text-decoration:underline wavy #C0392B 2px;background:rgba(192,57,43,.13)",
}


def marked_html(grade: Grade) -> str:
    """Return the scored text as paragraphs of HTML; hovering a mark names its rules."""
    spans = sorted(_spans(grade), key=lambda one: list(STYLES).index(one[2]))
    kinds: list[str] = [""] * len(grade.text)
    rules: list[tuple[str, ...]] = [()] * len(grade.text)
    for start, end, kind, rule in spans:
        for at in range(max(0, start), min(end, len(grade.text))):
            kinds[at] = kind
            if rule not in rules[at]:
                rules[at] = (*rules[at], rule)
    pieces = []
    for (kind, named), part in groupby(range(len(grade.text)), key=lambda at: (kinds[at], rules[at])):
        text = escape("".join(grade.text[at] for at in part)).replace("\n", "<br>")
        pieces.append(f'<span style="{STYLES[kind]}" title="{escape(" ".join(named))}">{text}</span>' if kind else text)
    return f'<p style="line-height:1.7;overflow-wrap:anywhere">{"".join(pieces)}</p>'


def _spans(grade: Grade) -> Iterator[tuple[int, int, str, str]]:
    for one in grade.outcomes:
        if one.value > 0:
            for start, end in one.spans:
                yield start, end, "pass" if one.value >= 1 else "half", one.rule
    for charge in grade.charges:
        for start, end in charge.spans:
            yield start, end, "penalty", charge.penalty
