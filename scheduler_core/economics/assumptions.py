"""The document of assumptions: what a user changed in the table; everything else is the table's default.

It is what the pages, the commands and links hold: frozen, with one canonical text and hash. A link carries only what
differs (`changes`), each as ``slug:value``.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, quote

from pydantic import BaseModel, ConfigDict

from scheduler_core.economics.notes import Input, Note, say, warn
from scheduler_core.economics.table import Figures, Row, Value, assumption_rows, find_assumption
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.units import parse_duration, shortest

ASSUME_PARAM, HASH_PARAM = "assume", "ah"
"""Parameters of an address: one `ASSUME_PARAM` for each input that differs, and the start of the hash."""
HASH_DIGITS = 8
MOST_FIELDS = 1_000
STALE_DAYS = 90
"""A price older than this is warned about."""
_GPU = "gpu"


class _Missing:
    """Stands in a refusal where there is no value."""

    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()


class Assumptions(BaseModel):
    """Every input of the money and capacity formulas.

    Attributes
    ----------
    changes : tuple of (slug, value)
        What differs from the defaults of the chosen kind of GPU, in the order of the table.

    Examples
    --------
    >>> asked = read_assumptions(["gpu:a100", "utilisation_share:70 %"])
    >>> asked.number("utilisation_share"), asked.number("server_price_usd"), asked.texts()
    (0.7, 120000.0, ('gpu:a100', 'utilisation_share:0.7'))
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    changes: tuple[tuple[str, Value], ...] = ()

    def model_post_init(self, context: Any, /) -> None:  # noqa: ANN401, ARG002  (signature of pydantic)
        """Keep each change once, read by its row, and only where it differs from the default."""
        read = {slug: find_assumption(slug).read(value) for slug, value in self.changes}
        gpu = str(read.get(_GPU, assumption_rows()[_GPU].figures.default))
        kept = [
            (slug, read[slug])
            for slug, row in assumption_rows().items()
            if slug in read and read[slug] != figures_of(row, gpu).default
        ]
        object.__setattr__(self, "changes", tuple(kept))

    def number(self, slug: str) -> float:
        """Return an input as a number.

        Raises
        ------
        InputError
            If it has no default and nobody said it.
        """
        return float(self._value(slug))

    def word(self, slug: str) -> str:
        """Return an input that is a word or a list."""
        return str(self._value(slug))

    def duration_ms(self, slug: str) -> int:
        """Return an input that is a duration, in ms."""
        return parse_duration(self._value(slug), slug)

    def figures(self, slug: str) -> Figures:
        """Return what the table says about an input for the chosen kind of GPU."""
        return figures_of(find_assumption(slug), self._gpu)

    def values(self) -> dict[str, Value | None]:
        """Return every input; None where nobody said it and there is no default."""
        said = dict(self.changes)
        return {slug: said.get(slug, figures_of(row, self._gpu).default) for slug, row in assumption_rows().items()}

    def change(self, values: Mapping[str, object]) -> "Assumptions":
        """Return the document with other values.

        Parameters
        ----------
        values : mapping
            Slug -> number, or text as a person writes it; None goes back to the default.

        Returns
        -------
        Assumptions
            A new document.

        Raises
        ------
        InputError
            With the field, the value and what would be right.
        """
        said: dict[str, Any] = dict(self.changes)
        for slug, value in values.items():
            find_assumption(slug)
            said.pop(slug, None)
            if value is not None:
                said[slug] = value
        return Assumptions.read_each(said)

    @classmethod
    def read_each(cls, said: Mapping[str, object]) -> "Assumptions":
        """Return the document of some values, each read by its row."""
        return cls(changes=tuple((slug, find_assumption(slug).read(value)) for slug, value in said.items()))

    def texts(self) -> tuple[str, ...]:
        """Return what differs from the default as a link says it: ``slug:value``."""
        return tuple(f"{slug}:{write_value(value)}" for slug, value in self.changes)

    def query(self) -> str:
        """Return what an address has to hold: nothing where everything is as in the table.

        Examples
        --------
        >>> read_assumptions(["bill_tenants:a b, 1, 2"]).query().partition("&")[0]
        'assume=bill_tenants:a%20b,%201,%202'
        """
        texts = [f"{ASSUME_PARAM}={quote(text, safe=':,.')}" for text in self.texts()]
        return "&".join([*texts, f"{HASH_PARAM}={self.digest[:HASH_DIGITS]}"]) if texts else ""

    def canonical(self, table: int | None = None) -> str:
        """Return the one text of the document: every value, so that a new default is another document.

        Parameters
        ----------
        table : int, optional
            Leave out rows that came later than this table; by default none is left out.
        """
        rows = assumption_rows()
        values = {
            slug: value if isinstance(value, str) else _exact(value)
            for slug, value in self.values().items()
            if table is None or rows[slug].since <= table
        }
        return json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @property
    def digest(self) -> str:
        """Hash of the canonical text, 64 hexadecimal digits."""
        return _hash(self.canonical())

    def is_same_as(self, promised: str) -> bool:
        """Return whether a link that promised the start of a hash still means the same values.

        A link knew the rows of its day only, so it is held against every table so far: rows that were added since do
        not count, a default that moved does.
        """
        tables = sorted({row.since for row in assumption_rows().values()}, reverse=True)
        return any(_hash(self.canonical(table)).startswith(promised) for table in tables)

    def notes(self, today: date, slugs: Iterable[str] | None = None) -> list[Note]:
        """Return warnings about inputs: old prices and values outside what is usual.

        Parameters
        ----------
        today : datetime.date
            The day of the reader; the core has no clock.
        slugs : iterable of str, optional
            Inputs to look at; all by default.

        Returns
        -------
        list of Note
            In the order of the table; one for all old prices.
        """
        looked = set(assumption_rows() if slugs is None else slugs)
        found = [note for slug, row in assumption_rows().items() if slug in looked for note in self._unusual(row)]
        changed = dict(self.changes)
        old = [
            (slug, self.figures(slug).date)
            for slug, row in assumption_rows().items()
            if slug in looked and row.kind == "price" and slug not in changed
        ]
        stale = [(slug, day) for slug, day in old if (today - day).days > STALE_DAYS]
        if stale:
            oldest = min(stale, key=lambda pair: pair[1])
            found.append(
                warn("prices.stale", n=len(stale), days=STALE_DAYS, slug=Input(oldest[0]), date=oldest[1].isoformat())
            )
        return found

    def _unusual(self, row: Row) -> Iterator[Note]:
        value = self.values()[row.slug]
        if not isinstance(value, (int, float)):
            return
        for bound, key in ((row.warn_above, "input.above"), (row.warn_below, "input.below")):
            is_beyond = bound is not None and (value > bound if key == "input.above" else value < bound)
            if bound is not None and is_beyond:
                yield warn(key, slug=Input(row.slug), value=value, bound=bound)
        figures = self.figures(row.slug)
        is_known = figures.low is not None and figures.high is not None and row.slug in dict(self.changes)
        if is_known and not (figures.low or 0.0) <= value <= (figures.high or 0.0):
            ends = {"low": figures.low or 0.0, "high": figures.high or 0.0}
            yield say("input.range", slug=Input(row.slug), value=value, **ends)

    @property
    def _gpu(self) -> str:
        return str(dict(self.changes).get(_GPU, assumption_rows()[_GPU].figures.default))

    def _value(self, slug: str) -> Value:
        said = dict(self.changes)
        if slug in said:
            return said[slug]
        found = figures_of(find_assumption(slug), self._gpu).default
        if found is None:
            raise InputError(slug, MISSING, Phrase("given, because the table has no figure for {gpu}", gpu=self._gpu))
        return found


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def figures_of(row: Row, gpu: str) -> Figures:
    """Return what a row says for a kind of GPU."""
    return row.of.get(gpu, row.figures)


def write_value(value: Value) -> str:
    """Return a value as a link writes it."""
    return value if isinstance(value, str) else f"{shortest(value)}"


def _exact(value: float | None) -> float | int | None:
    return None if value is None else shortest(value)


def read_assumptions(texts: Iterable[str]) -> Assumptions:
    """Return the document that a link or a command line says.

    Parameters
    ----------
    texts : iterable of str
        Each ``slug:value`` or ``slug=value``; a later one wins.

    Returns
    -------
    Assumptions
        The document.

    Raises
    ------
    InputError
        If a name or a value is refused.
    """
    said: dict[str, object] = {}
    for text in texts:
        at = min((place for place in (text.find(":"), text.find("=")) if place > 0), default=-1)
        if at < 0:
            raise InputError(Phrase("an assumption"), text, Phrase("written as name=value"))
        said[text[:at].strip()] = text[at + 1 :]
    return Assumptions().change(said)


def read_address(text: str) -> list[str] | None:
    """Return the assumptions that an address of the dashboard says, each ``slug:value``; None if it is no such address.

    Parameters
    ----------
    text : str
        A whole address or its query.

    Examples
    --------
    >>> read_address("http://me/plan?topic=size&assume=pue:1.4"), read_address("?topic=rent"), read_address("x")
    (['pue:1.4'], [], None)
    """
    query = (text.partition("?")[2] or text).partition("#")[0]
    pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    found = [value for name, value in pairs if name == ASSUME_PARAM]
    return found if found or any(name == "topic" for name, _ in pairs) else None
