"""Show a scored text with its spans marked, as HTML: by line style as well as by colour. Everything is escaped."""

from collections.abc import Iterator
from html import escape
from typing import Final

from practice.history import Grade
from practice.rubric import Seen, cut

_LINE: Final = "color:inherit;text-underline-offset:3px;text-decoration:underline 2px "
STYLES: Final = {
    "passed": _LINE + "solid #009E73;background:rgba(0,158,115,.12)",
    "half": _LINE + "dotted #B07900;background:rgba(230,159,0,.16)",
    "claimed": _LINE + "double #0072B2;background:rgba(0,114,178,.12)",
    "charged": _LINE + "wavy #D55E00;background:rgba(213,94,0,.14)",
}
"""Why a stretch of an answer is marked -> how, on every page and in every export; the weakest first."""


def marked_html(grade: Grade, end: int | None = None) -> str:
    """Return the scored text, or its beginning, as a paragraph of HTML; hovering a mark names its rules."""
    pieces, left = [], len(grade.text) if end is None else end
    for part in cut(grade.text, _spans(grade), tuple(STYLES)):
        text = escape(part.text[: max(left, 0)]).replace("\n", "<br>")
        left -= len(part.text)
        title = escape(" ".join((*part.weaker, *part.reasons)))
        if text:
            pieces.append(f'<span style="{STYLES[part.kind]}" title="{title}">{text}</span>' if part.kind else text)
    return f'<p style="line-height:1.7;overflow-wrap:anywhere">{"".join(pieces)}</p>'


def _spans(grade: Grade) -> Iterator[Seen]:
    for one in grade.outcomes:
        if one.value > 0:
            for start, end in one.spans:
                yield start, end, "passed" if one.value >= 1 else "half", one.rule
    for charge in grade.charges:
        for start, end in charge.spans:
            yield start, end, "charged", charge.penalty
