"""What the library says to a person: an English sentence that remembers how it was made.

The sentence is the text itself, so a terminal prints it as it is. Its template is the key under which a page finds the
sentence of another language and fills in the same values (docs/decisions/0011-phrases.md).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, Self


class _Open(dict[str, object]):
    """Values by name; a placeholder without a value stays as it is, to be filled in later."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


class Phrase(str):
    """A sentence or a part of one.

    Attributes
    ----------
    template : str
        The English with its placeholders, as `str.format` reads it; written out where the phrase is made.
    values : mapping of str to object
        What the placeholders stand for: names, numbers and other phrases.

    Examples
    --------
    >>> Phrase("at most {most:,} zones", most=1200)
    'at most 1,200 zones'
    >>> Phrase("{path} stands twice.").filled(path="tenants")
    'tenants stands twice.'
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Form the sentence; a name without a value stays in its braces."""
        phrase = super().__new__(cls, template.format_map(_Open(values)))
        phrase.template, phrase.values = template, values
        return phrase

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Copy and pickle by template and values."""
        return (self.template,), dict(self.values)

    def filled(self, **values: object) -> "Phrase":
        """Return the phrase with more of its placeholders filled in."""
        inner = {
            name: value.filled(**values) if isinstance(value, Phrase) else value for name, value in self.values.items()
        }
        return Phrase(self.template, **{**values, **inner})

    def translated(self, find: Callable[[str], str]) -> str:
        """Return the phrase in another language.

        Parameters
        ----------
        find : callable
            Gives the template of that language for an English one, with the same placeholders.

        Returns
        -------
        str
            The sentence, with every phrase inside it in that language too.
        """
        values = {name: in_language(value, find) for name, value in self.values.items()}
        return find(self.template).format_map(_Open(values))

    def templates(self) -> Iterator[str]:
        """Yield the template of this phrase and of every phrase inside it."""
        yield self.template
        for value in self.values.values():
            if isinstance(value, Phrase):
                yield from value.templates()


Wording = Phrase | Literal[""]
"""A phrase, or nothing."""


def word(text: str) -> Phrase:
    """Return words that stand in a table, such as the unit of a setting, as a phrase without values."""
    return Phrase(text.replace("{", "{{").replace("}", "}}"))


def in_language(value: object, find: Callable[[str], str]) -> object:
    """Return a phrase in another language; anything else is a name or a number and stays as it is."""
    return value.translated(find) if isinstance(value, Phrase) else value
