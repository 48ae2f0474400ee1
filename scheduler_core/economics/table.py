"""The table of assumptions: every input with its unit, range, date, source and name in two languages.

One row is one input. The files in `defaults/` are read together, so that a topic can have a file of its own. A row may
say other figures for other kinds of GPU (`[row.of.a100]`); what it leaves out there is as in the row.
"""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from scheduler_core.errors import InputError, KernelError
from scheduler_core.phrases import Phrase
from scheduler_core.units import LONGEST_MS, parse_duration, write_duration

FOLDER = Path(__file__).with_name("defaults")
UNITS = Path(__file__).with_name("units.toml")
_BOUNDS = {
    "above": Phrase("above {bound}"),
    "least": Phrase("at least {bound}"),
    "below": Phrase("below {bound}"),
    "most": Phrase("at most {bound}"),
}
SOURCES = Path(__file__).with_name("sources.toml")
CURRENCY = "USD"
"""Every amount is in this currency; another one is refused, because no rate is right for long."""

KINDS = ("price", "number", "whole", "word", "list", "duration")
Value = float | str
QUOTES = ("list", "street", "contract", "assumed")
"""What a price is: on a public list, what buyers are told to pay, in a contract that was seen, or nobody's."""
PERIODS_H = {"h": 1, "day": 24, "month": 730, "year": 8_760}
"""Hours of the periods that an amount of money may be said for: ``2160/year`` is 180 a month."""
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
"""Thousands set off by commas."""
_PERIOD = re.compile(r"\s*(?:/\s*|\bper\s+|\ban?\s+)(h|hour|day|month|year)\s*", re.IGNORECASE)
_QUOTES_SINCE = 4
_NEAR = 0.75
"""How alike a name must be to be taken for a slip of the pen."""
LONGEST_LIST = 2_000
"""Characters of an input that is a list."""


@dataclass(frozen=True)
class Figures:
    """What a row says for one kind of GPU.

    Attributes
    ----------
    low, default, high : float or str, optional
        Range of what is plausible, and what is taken; no default means that the user has to say it.
    date : datetime.date
        When it was looked up.
    source : str
        Where it comes from; "assumption" where nobody publishes it.
    quote : str, optional
        Of a price: one of `QUOTES`.
    """

    default: Value | None
    low: float | None
    high: float | None
    date: date
    source: str
    quote: str | None = None

    def source_in(self, language: str) -> str:
        """Return the source in ``en`` or ``zh``."""
        return self.source if language == "en" else str(_read(SOURCES)[self.source])


@dataclass(frozen=True)
class Row:
    """One input.

    Attributes
    ----------
    slug : str
        Its name; ends in its unit as everywhere.
    group : str
        The topic it belongs to.
    kind : str
        ``price`` (goes stale), ``number``, ``whole``, ``word`` (one of `options`), ``list`` (text with a form) or
        ``duration`` (text with a unit, such as 45min; its bounds are in ms).
    unit : str
        Key in units.toml; empty for words and lists.
    text : mapping
        What a person calls it: language -> text.
    figures : Figures
        For every kind of GPU that `of` does not name.
    of : mapping
        Kind of GPU -> its own figures.
    least, most, above, below : float, optional
        What is accepted; `above` and `below` leave out the bound itself.
    warn_below, warn_above : float, optional
        Beyond these the value is taken, with a warning.
    options : tuple of str
        What a word may be.
    since : int
        Table with which the row came: 1 for the first; a later row raises it, so that older links keep their hash.
    """

    slug: str
    group: str
    kind: str
    unit: str
    text: Mapping[str, str]
    figures: Figures
    of: Mapping[str, Figures] = field(default_factory=dict)
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    warn_below: float | None = None
    warn_above: float | None = None
    options: tuple[str, ...] = ()
    since: int = 1

    @property
    def currency(self) -> str | None:
        """Currency of an amount of money, else None."""
        return CURRENCY if self.unit.startswith(CURRENCY.lower()) else None

    @property
    def period(self) -> str | None:
        """Key in `PERIODS_H` of an amount of money for a time, else None."""
        return next((name for name in PERIODS_H if self.currency and self.unit.endswith(f"_{name}")), None)

    @property
    def quote_slug(self) -> str | None:
        """Name of the input that says what a price is; None where the row is no price."""
        return f"{self.slug}_quote" if self.kind == "price" else None

    @property
    def is_text(self) -> bool:
        """Whether its value is a word, a list or a duration, not a number."""
        return self.kind in {"word", "list", "duration"}

    @property
    def allowed(self) -> Phrase:
        """What is accepted; completes the sentence "it must be ..."."""
        if self.kind == "word":
            return Phrase("one of {names}", names=", ".join(self.options))
        if self.kind == "list":
            return Phrase("a text of at most {most} characters", most=LONGEST_LIST)
        if self.kind == "duration":
            least, most = (write_duration(int(bound)) for bound in (self.least or 0, self.most or LONGEST_MS))
            return Phrase("a duration with a unit, such as 45min, from {least} to {most}", least=least, most=most)
        return self._allowed_number()

    def _allowed_number(self) -> Phrase:
        number = Phrase("a whole number") if self.kind == "whole" else Phrase("a number")
        if self.currency:
            number = Phrase("{number} in {currency}", number=number, currency=CURRENCY)
        bounds = [words.filled(bound=f"{getattr(self, name):,.12g}") for name, words in _BOUNDS.items()
                  if getattr(self, name) is not None]  # fmt: skip
        if not bounds:
            return number
        both = Phrase("{low} and {high}", low=bounds[0], high=bounds[1]) if len(bounds) > 1 else bounds[0]
        return Phrase("{number} {bounds}", number=number, bounds=both)

    def read(self, value: object) -> Value:
        """Return a value as the model keeps it.

        Parameters
        ----------
        value : object
            A number, or text as a person writes it: ``0.62``, ``62 %``, ``350,000``, ``2.35 USD``, ``h100``.

        Returns
        -------
        float or str
            The number, word or list.

        Raises
        ------
        InputError
            If it is none, out of range, or an amount in another currency.
        """
        if self.is_text:
            return self._read_text(value)
        number = self._number(value)
        is_inside = (
            math.isfinite(number)
            and (self.least is None or number >= self.least)
            and (self.most is None or number <= self.most)
            and (self.above is None or number > self.above)
            and (self.below is None or number < self.below)
            and (self.kind != "whole" or number == int(number))
        )
        if not is_inside:
            raise InputError(self.slug, value, self.allowed)
        return number

    def _read_text(self, value: object) -> str:
        text = str(value).strip()
        if self.kind == "word" and text not in self.options:
            raise InputError(self.slug, value, self.allowed)
        if self.kind == "list" and (len(text) > LONGEST_LIST or not text.isprintable()):
            raise InputError(self.slug, value, self.allowed)
        return self._read_duration(text) if self.kind == "duration" else text

    def _read_duration(self, text: str) -> str:
        time_ms = parse_duration(text, self.slug)
        if not (self.least or 0) <= time_ms <= (self.most or LONGEST_MS):
            raise InputError(self.slug, text, self.allowed)
        return write_duration(time_ms)

    def _number(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise InputError(self.slug, value, self.allowed)
        text = str(value).strip()
        is_percent = text.endswith("%")
        text, times = self._without_period(text[:-1] if is_percent else text)
        if not is_percent and self.currency and text[-3:].isalpha() and text[-3:].isascii() and len(text) > 3:
            if text[-3:].upper() != CURRENCY:
                raise InputError(
                    self.slug,
                    value,
                    Phrase("in {currency} like every other amount; currencies are not mixed", currency=CURRENCY),
                )
            text = text[:-3]
        if "," in text and not _GROUPED.fullmatch(text.strip()):  # 3,99 is not 399
            raise InputError(self.slug, value, self.allowed)
        try:
            number = Decimal(text.replace(",", "").strip())
            return float(times * number / 100 if is_percent else times * number)  # in decimals: 99.9 % is 0.999
        except ArithmeticError:
            raise InputError(self.slug, value, self.allowed) from None

    def _without_period(self, text: str) -> tuple[str, Decimal]:
        """Return an amount without the period it is said for, and what it has to be multiplied with."""
        found = _PERIOD.search(text)
        if self.currency is None or (found is None and "/" not in text):
            return text, Decimal(1)
        if self.period is None:
            raise InputError(self.slug, text, Phrase("an amount for no time: {allowed}", allowed=self.allowed))
        if found is None or found.end() != len(text):
            raise InputError(
                self.slug,
                text,
                Phrase("for one of the periods {periods_h}, such as 12/year", periods_h=", ".join(PERIODS_H)),
            )
        said = {"hour": "h"}.get(found[1].lower(), found[1].lower())
        return text[: found.start()], Decimal(PERIODS_H[self.period]) / PERIODS_H[said]


@cache
def assumption_rows() -> dict[str, Row]:
    """Return every input by its slug, in the order of the files.

    Raises
    ------
    KernelError
        If the table contradicts itself.
    """
    found: dict[str, Row] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        for slug, said in tomllib.loads(file.read_text(encoding="utf-8")).items():
            if slug in found:
                raise KernelError(Phrase("{slug} stands twice in the table of assumptions.", slug=slug))
            row = found[slug] = make_row(slug, said)
            if row.quote_slug is not None:
                found[row.quote_slug] = _quote_row(row, row.quote_slug)
    return found


def _quote_row(row: Row, slug: str) -> Row:
    """Return the input that says what a price is: dated and sourced as the price."""
    return Row(
        slug=slug,
        group=row.group,
        kind="word",
        unit="",
        text={"en": f"{row.text['en']}: kind of price", "zh": f"{row.text['zh']}：价格类型"},
        figures=_quote_figures(row.figures),
        of={gpu: _quote_figures(figures) for gpu, figures in row.of.items()},
        options=QUOTES,
        since=max(row.since, _QUOTES_SINCE),
    )


def _quote_figures(price: Figures) -> Figures:
    return replace(price, default=price.quote, low=None, high=None, quote=None)


@cache
def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def assumption_units() -> dict[str, dict[str, str]]:
    """Return what units are called: unit -> language -> text."""
    return _read(UNITS)


def find_assumption(slug: str) -> Row:
    """Return one input.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    row = assumption_rows().get(slug)
    if row is None:
        from difflib import get_close_matches  # noqa: PLC0415  (needed for refusals only)

        near = get_close_matches(slug[:80], assumption_rows(), n=1, cutoff=_NEAR)
        hint = Phrase(" (did you mean {near}?)", near=near[0]) if near else ""
        raise InputError(
            Phrase("the name of an input"),
            slug,
            Phrase("one of the table, as price --inputs lists them{hint}", hint=hint),
        )
    return row


def make_row(slug: str, said: Mapping[str, Any]) -> Row:
    """Return a row from what a file says.

    Parameters
    ----------
    slug : str
        Its name.
    said : mapping
        The table of the file.

    Returns
    -------
    Row
        The row, with figures for other kinds of GPU filled up from its own.

    Raises
    ------
    KernelError
        If a word is missing or unknown, or a default is not accepted.
    """
    rest = dict(said)
    try:
        text = {language: rest.pop(language) for language in ("en", "zh")}
        own = {name: rest.pop(name, None) for name in ("default", "low", "high", "date", "source", "quote")}
        of = {gpu: _figures({**own, **figures}) for gpu, figures in rest.pop("of", {}).items()}
        unit = rest.pop("unit", "")
        row = Row(slug=slug, text=text, unit=unit, figures=_figures(own), of=of, **rest)
    except (KeyError, TypeError) as error:
        raise KernelError(
            Phrase("The row {slug} of the table of assumptions lacks or misspells {error}.", slug=slug, error=error)
        ) from error
    _check(row)
    return row


def _figures(said: Mapping[str, Any]) -> Figures:
    """Return figures; an empty default is none at all."""
    if not isinstance(said["date"], date) or not said["source"]:
        raise TypeError("its date or its source")
    return Figures(**{**said, "default": None if said["default"] == "" else said["default"]})


def _check(row: Row) -> None:
    is_known = row.kind in KINDS and (row.is_text or row.unit in assumption_units())
    if not is_known or (row.kind == "price" and row.currency is None):
        raise KernelError(
            Phrase("The row {slug} of the table of assumptions has no known kind, unit or currency.", slug=row.slug)
        )
    for figures in (row.figures, *row.of.values()):
        if figures.source not in _read(SOURCES):
            raise KernelError(Phrase("The source of {slug} in the table of assumptions has no Chinese.", slug=row.slug))
        if (figures.quote in QUOTES) != (row.kind == "price"):
            raise KernelError(
                Phrase("The row {slug} of the table of assumptions has no known kind of price.", slug=row.slug)
            )
        if figures.default is not None:
            row.read(figures.default)
