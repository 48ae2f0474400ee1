"""Show a scored text with its spans marked, as HTML: by line style as well as by colour. Everything is escaped."""

from collections.abc import Iterator
from html import escape
from typing import Final

from practice.history import Grade
from practice.rubric import Seen, cut

STYLES: Final = {
    "pass": "text-decoration:underline solid #009E73 2px;background:rgba(0,158,115,.13)",
    "half": "text-decoration:underline dotted #B07900 2px;background:rgba(230,159,0,.16)",
    "penalty": "text-decoration:underline wavy #C0392B 2px;background:rgba(192,57,43,.13)",
}


def marked_html(grade: Grade) -> str:
    """Return the scored text as paragraphs of HTML; hovering a mark names its rules."""
    pieces = []
    for part in cut(grade.text, _spans(grade), tuple(STYLES)):
        text = escape(part.text).replace("\n", "<br>")
        title = escape(" ".join((*part.weaker, *part.reasons)))
        pieces.append(f'<span style="{STYLES[part.kind]}" title="{title}">{text}</span>' if part.kind else text)
    return f'<p style="line-height:1.7;overflow-wrap:anywhere">{"".join(pieces)}</p>'


def _spans(grade: Grade) -> Iterator[Seen]:
    for one in grade.outcomes:
        if one.value > 0:
            for start, end in one.spans:
                yield start, end, "pass" if one.value >= 1 else "half", one.rule
    for charge in grade.charges:
        for start, end in charge.spans:
            yield start, end, "penalty", charge.penalty
