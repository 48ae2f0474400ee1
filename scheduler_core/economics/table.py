"""The table of assumptions: every input with its unit, range, date, source and name in two languages.

One row is one input. The files in `defaults/` are read together, so that a topic can have a file of its own. A row may
say other figures for other kinds of GPU (`[row.of.a100]`); what it leaves out there is as in the row.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from scheduler_core.errors import InputError, KernelError
from scheduler_core.units import LONGEST_MS, parse_duration, write_duration

FOLDER = Path(__file__).with_name("defaults")
UNITS = Path(__file__).with_name("units.toml")
CURRENCY = "USD"
"""Every amount is in this currency; another one is refused, because no rate is right for long."""

KINDS = ("price", "number", "whole", "word", "list", "duration")
Value = float | str
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
    """

    default: Value | None
    low: float | None
    high: float | None
    date: date
    source: str


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
    def is_text(self) -> bool:
        """Whether its value is a word, a list or a duration, not a number."""
        return self.kind in {"word", "list", "duration"}

    @property
    def allowed(self) -> str:
        """What is accepted; completes the sentence "it must be ..."."""
        if self.kind == "word":
            return f"one of {', '.join(self.options)}"
        if self.kind == "list":
            return f"a text of at most {LONGEST_LIST} characters"
        if self.kind == "duration":
            ends = [write_duration(int(bound)) for bound in (self.least or 0, self.most or LONGEST_MS)]
            return f"a duration with a unit, such as 45min, from {ends[0]} to {ends[1]}"
        bounds = (("above", self.above), ("at least", self.least), ("below", self.below), ("at most", self.most))
        said = " and ".join(f"{word} {bound:g}" for word, bound in bounds if bound is not None)
        what = "a whole number" if self.kind == "whole" else "a number"
        money = f" in {self.currency}" if self.currency else ""
        return f"{what}{money} {said}".rstrip()

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
        if is_percent:
            text = text[:-1]
        elif self.currency and text[-3:].isalpha() and text[-3:].isascii() and len(text) > 3:
            if text[-3:].upper() != CURRENCY:
                raise InputError(self.slug, value, f"in {CURRENCY} like every other amount; currencies are not mixed")
            text = text[:-3]
        try:
            number = Decimal(text.replace(",", "").strip())
            return float(number / 100 if is_percent else number)  # in decimals: 99.9 % is 0.999
        except ArithmeticError:
            raise InputError(self.slug, value, self.allowed) from None


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
                raise KernelError(f"{slug} stands twice in the table of assumptions.")
            found[slug] = make_row(slug, said)
    return found


@cache
def assumption_units() -> dict[str, dict[str, str]]:
    """Return what units are called: unit -> language -> text."""
    return tomllib.loads(UNITS.read_text(encoding="utf-8"))


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

        near = get_close_matches(slug[:80], assumption_rows(), n=1)
        raise InputError("the name of an input", slug, f"in the table{f'; did you mean {near[0]}?' if near else ''}")
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
        own = {name: rest.pop(name, None) for name in ("default", "low", "high", "date", "source")}
        of = {gpu: _figures({**own, **figures}) for gpu, figures in rest.pop("of", {}).items()}
        unit = rest.pop("unit", "")
        row = Row(slug=slug, text=text, unit=unit, figures=_figures(own), of=of, **rest)
    except (KeyError, TypeError) as error:
        raise KernelError(f"The row {slug} of the table of assumptions lacks or misspells {error}.") from error
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
        raise KernelError(f"The row {row.slug} of the table of assumptions has no known kind, unit or currency.")
    for figures in (row.figures, *row.of.values()):
        if figures.default is not None:
            row.read(figures.default)
