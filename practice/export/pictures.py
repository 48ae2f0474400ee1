"""Small pictures of an export as SVG: each option's middle run and the range over the seeds."""

from html import escape
from typing import Final

from practice.export.page import Compared, half_widths
from practice.wording import say

_WIDTH, _ROW, _LABEL, _VALUE = 240, 13, 90, 62
_LONGEST: Final = 21
"""Half-width characters of a label; a Chinese one counts for two."""

_INK, _FAINT, _MINE = "#1B2430", "#9AA7B5", "#1F5FBF"


def picture(shown: Compared, language: str) -> str:
    """Return a picture of one measure: a line from the smallest to the largest run, a dot at the middle one."""
    reach = max((high for _, _, high in shown.figures), default=0.0)
    least = min(0.0, *(low for low, _, _ in shown.figures))
    room = _WIDTH - _LABEL - _VALUE - 8

    def at(value: float) -> float:
        return _LABEL + 4 + room * (value - least) / ((reach - least) or 1.0)

    rows = []
    for place, (name, (low, middle, high)) in enumerate(zip(shown.names, shown.figures, strict=True)):
        y, is_mine = _ROW * place + 8, place == shown.chosen
        colour, weight = (_MINE, "600") if is_mine else (_FAINT, "400")
        rows.append(
            f'<text x="{_LABEL}" y="{y + 3}" text-anchor="end" font-weight="{weight}">{escape(_short(name))}</text>'
            f'<line x1="{at(low):.1f}" x2="{at(high):.1f}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2"/>'
            f'<circle cx="{at(middle):.1f}" cy="{y}" r="{4 if is_mine else 3}" fill="{colour}"/>'
            f'<text x="{_WIDTH - _VALUE + 4}" y="{y + 3}" font-weight="{weight}">'
            f"{escape(say(middle, shown.unit, language))}</text>"
        )
    height = _ROW * len(shown.names) + 4
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(shown.title)}" font-size="8" '
        f'fill="{_INK}" font-family="inherit">{"".join(rows)}</svg>'
    )


def _short(name: str) -> str:
    width = 0
    for at, sign in enumerate(name):
        width += half_widths(sign)
        if width > _LONGEST:
            return f"{name[: max(at - 1, 1)]}\u2026"
    return name
