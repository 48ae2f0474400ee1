"""Messages about logs: a key with parameters, and its sentence in English and Chinese (texts.toml)."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

Param = str | int | float


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return every text: key -> language -> sentence with named placeholders."""
    with Path(__file__).with_name("texts.toml").open("rb") as file:
        return tomllib.load(file)


def render(key: str, params: Mapping[str, Param], language: str = "en") -> str:
    """Return one text with its parameters filled in.

    Parameters
    ----------
    key : str
        Key in texts.toml.
    params : mapping
        Values of the placeholders.
    language : str
        ``en`` or ``zh``.

    Returns
    -------
    str
        The sentence.
    """
    return catalogue()[key][language].format(**params)


def texts(key: str, **params: Param) -> dict[str, str]:
    """Return one text in every language, with its parameters filled in."""
    return {language: render(key, params, language) for language in catalogue()[key]}


@dataclass(frozen=True)
class Message:
    """Something to say, in no language yet.

    Attributes
    ----------
    key : str
        Key in texts.toml.
    params : tuple of pairs
        Names and values of the placeholders.
    """

    key: str
    params: tuple[tuple[str, Param], ...] = ()

    def text(self, language: str = "en") -> str:
        """Return the sentence in ``en`` or ``zh``."""
        return render(self.key, dict(self.params), language)

    def as_dict(self) -> dict[str, object]:
        """Return key, parameters and both sentences, in plain types."""
        return {"key": self.key, "params": dict(self.params), "text": texts(self.key, **dict(self.params))}


def message(key: str, **params: Param) -> Message:
    """Return a message.

    Examples
    --------
    >>> message("swf.no_gpus").key
    'swf.no_gpus'
    """
    return Message(key, tuple(params.items()))
