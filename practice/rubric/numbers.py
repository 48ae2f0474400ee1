"""Numbers with their units, in digits and in words, in both languages."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from practice.rubric.lexicon import LEXICON
from practice.rubric.patterns import alternation, glance
from practice.rubric.text import Span

_UNITS = LEXICON.units
_NUMBER = _UNITS["number"]
_VALUES: Mapping[str, float] = _UNITS["values"]
_WORDS: Mapping[str, float] = _UNITS["words"]
_CHINESE: Mapping[str, float] = _UNITS["chinese"]
_UNIT = {kind: re.compile(pattern, re.ASCII) for kind, pattern in _UNITS["unit"].items()}
_FRACTION = re.compile(alternation([_UNITS["fraction"]["pattern"]]), re.ASCII)
_GLANCE = glance([_UNITS["prefix"]["money"], *(_NUMBER[name] for name in ("digits", "word", "chinese"))])
_START = re.compile(
    rf"{_GLANCE}(?P<money>{_UNITS['prefix']['money']})?(?:(?<![a-z0-9_.])(?P<digits>{_NUMBER['digits']})"
    rf"(?P<scale>{_NUMBER['scale']})?|(?<![a-z0-9-])(?P<word>{_NUMBER['word']})|(?P<chinese>{_NUMBER['chinese']}))",
    re.ASCII,
)
_NO_COUNT = frozenset(LEXICON.marks["no_count"])
_WHOLE = {"gpu", "scale", "rate", "count"}
"""Kinds that are counted: 0.7 in "0.7 on job logs" is none of them."""
_SHARED = {"percent", "duration", "gpu"}
_JOINED = re.compile(_UNITS["number"]["joined"], re.ASCII)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SECONDS = {name: value for names, value in _UNITS["seconds"].items() for name in names.split("|")}
_GPU_MARK = re.compile(_UNITS["unit"]["gpu_ahead"], re.ASCII)


@dataclass(frozen=True)
class Quantity:
    """One number with its kind.

    `kind` is money, percent, duration (value in seconds), gpu, scale (jobs, requests, nodes), rate, count, multiple,
    fraction, ratio or plain. `value` is NaN for a fraction told in words. `step` is what its last digit counts, in
    the unit of `value`: 0.1 h of "2.3 h" are 360 s, "3 days" are told to the day.
    """

    kind: str
    value: float
    span: Span
    step: float = 0.0

    def is_rounded_from(self, exact: float) -> bool:
        """Say whether `exact`, rounded to the digits that were told, is this number."""
        return abs(self.value - exact) <= self.step / 2 * (1 + 1e-9)


def chinese_value(text: str) -> float:
    """Return the value of a Chinese numeral, with or without a decimal part."""
    total, group, digit = 0.0, 0.0, 0.0
    whole, _, rest = text.partition(LEXICON.marks["point"])
    if rest:
        decimals = rest.rstrip(LEXICON.marks["powers"])
        value = chinese_value(whole) + sum(_CHINESE[one] / 10**place for place, one in enumerate(decimals, 1))
        return float(value * (chinese_value(rest[len(decimals) :]) or 1.0))
    for character in text:
        value = _CHINESE.get(character, 0.0)
        if value >= 10_000:
            total, group, digit = (total + group + digit or 1) * value, 0.0, 0.0
        elif value >= 10:
            group, digit = group + (digit or 1) * value, 0.0
        else:
            digit = value
    return total + group + digit


def _value(match: re.Match[str]) -> float:
    if match["digits"]:
        plain = re.sub(r"[,'_ ]", "", match["digits"])
        return float(plain) * _VALUES.get((match["scale"] or "").strip(" -"), 1.0)
    if match["word"]:
        return _word_value(match["word"])
    return chinese_value(match["chinese"])


def _step(match: re.Match[str]) -> float:
    """Return what the last digit of a number counts; a whole number in words counts ones."""
    if match["digits"]:
        decimals = len(match["digits"].partition(".")[2])
        return _VALUES.get((match["scale"] or "").strip(" -"), 1.0) / 10.0**decimals
    rest = (match["chinese"] or "").partition(LEXICON.marks["point"])[2]
    decimals = len(rest.rstrip(LEXICON.marks["powers"]))
    return (chinese_value(rest[decimals:]) or 1.0) / 10.0**decimals


def _word_value(text: str) -> float:
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith("half a "):
        return 0.5 * _VALUES.get(text.split()[-1], 1.0)
    total, group = 0.0, 0.0
    for part in re.split(r"[\s-]+", text):
        if part in {"thousand", "million", "billion"}:
            total, group = total + (group or 1) * _VALUES[part], 0.0
        elif part == "hundred":
            group = (group or 1) * 100
        else:
            group += _WORDS.get(part, 0.0)
    return total + group


def quantities(text: str, span: Span) -> tuple[Quantity, ...]:
    """Return the quantities between two positions of a normalised text, in order; "4 to 6 h" are 4 h and 6 h."""
    found = list(_scan(text, span))
    for number in range(len(found) - 2, -1, -1):
        found[number] = _like_next(text, found[number], found[number + 1])
    return tuple(found)


def _like_next(text: str, one: Quantity, following: Quantity) -> Quantity:
    """Give a bare number the unit of the one it is joined to."""
    if one.kind != "plain" or following.kind not in _SHARED:
        return one
    if not _JOINED.fullmatch(text, one.span.end, following.span.start):
        return one
    match = _START.match(text, following.span.start)
    raw = _value(match) if match else 0.0
    return _scaled(one, following.kind, following.value / raw) if raw else one


def _scaled(one: Quantity, kind: str, factor: float) -> Quantity:
    return Quantity(kind, one.value * factor, one.span, one.step * factor)


def _scan(text: str, span: Span) -> Iterator[Quantity]:
    at = span.start
    fractions = [_fraction(one) for one in _FRACTION.finditer(text, *_ends(span))]
    yield from fractions
    while match := _START.search(text, at, span.end):
        found = _with_unit(text, match, span.end)
        at = match.end()
        if found and not found.span.begins_in(one.span for one in fractions):
            at = max(at, found.span.end)
            yield found


def _fraction(match: re.Match[str]) -> Quantity:
    """Return a share told in words; a percentage told in words has its value."""
    _, is_percent, said = match[0].partition(LEXICON.marks["percent_of"])
    if not is_percent:
        return Quantity("fraction", float("nan"), Span(*match.span()))
    value = float(said) if said[0].isdecimal() else chinese_value(said)
    return Quantity("percent", value, Span(*match.span()), 1.0)


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _with_unit(text: str, match: re.Match[str], end: int) -> Quantity | None:
    """Return the quantity that begins at `match`, or None where it is no quantity (a year, a lone "one")."""
    value, step = _value(match), _step(match)
    if match["money"]:
        return Quantity("money", value, Span(match.start(), match.end()), step)
    for kind, pattern in _UNIT.items():
        unit = pattern.match(text, match.end(), end)
        if unit and kind != "gpu_ahead" and not (kind in _WHOLE and 0 < value < 1):
            if kind == "count" and match["chinese"] in _NO_COUNT:
                return None
            return _measured(Quantity(kind, value, Span(match.start(), unit.end()), step), text, unit[0])
    is_written = match["digits"] or LEXICON.marks["point"] in (match["chinese"] or "")
    if not is_written or (_YEAR.fullmatch(match["digits"] or "") and not match["scale"]):
        return None
    kind = "ratio" if 0 < value < 1 else "plain"
    return Quantity(kind, value, Span(match.start(), match.end()), step)


def _measured(one: Quantity, text: str, unit: str) -> Quantity:
    """Return a number in the unit that `value` is kept in."""
    if one.kind == "percent" and text[one.span.start : one.span.end].endswith(LEXICON.marks["tenth"]):
        return _scaled(one, one.kind, 10.0)
    if one.kind == "duration":
        return _scaled(one, one.kind, _SECONDS.get(unit.strip(" -").lstrip(LEXICON.marks["filler"]), 1.0))
    return one


def has_gpu_mark(text: str, span: Span) -> bool:
    """Say whether hardware is named in a stretch of text (A100, GPU, card)."""
    return _GPU_MARK.search(text, span.start, span.end) is not None
