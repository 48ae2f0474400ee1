"""Text lookup: every visible sentence in English and Chinese, and names that cannot become markup.

`t` gives Markdown that is safe to show: words of the product are trusted, whatever came from a link
or a log is escaped. `plain` gives the same sentence for places that show text as it is (options of
a select box, cells of a table, alternative texts).
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import streamlit as st

from scheduler_core import Phrase

LANGUAGES: Final = ("en", "zh")
LANGUAGE_NAMES: Final = {"en": "lang.en", "zh": "lang.zh"}
LANGUAGE_KEY: Final = "lang"
_CATALOGUE: Final = Path(__file__).with_name("strings.toml")
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]()#+!|<>~$&^=:@/])")
_LEADING: Final = re.compile(r"^(\s*\d*)([-+>.)])")
_JOINER: Final = "\u2060"
_BREAKS: Final = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_PHRASES: Final = Path(__file__).with_name("phrases")
LONGEST_NAME: Final = 80
"""Characters of a foreign name that are shown; a longer one ends in an ellipsis."""
LONGEST_SENTENCE: Final = 600


class Text(str):
    """Markdown that is safe to show: written by us, or escaped already."""

    __slots__ = ()


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return all texts: key -> language -> text."""
    with _CATALOGUE.open("rb") as file:
        loaded: dict[str, dict[str, str]] = tomllib.load(file)
    return loaded


def language() -> str:
    """Return the language of this session, "en" or "zh"."""
    chosen = st.session_state.get(LANGUAGE_KEY)
    return chosen if chosen in LANGUAGES else "en"


def preferred_language() -> str:
    """Return the language the browser asks for, when we speak it."""
    return "zh" if str(st.context.locale or "").lower().startswith("zh") else "en"


def escape(text: object, longest: int = LONGEST_NAME) -> Text:
    """Return `text` so that it reads the same in Markdown and is never markup.

    Control and direction characters are dropped, a long text is cut. A word joiner (no width) after
    a colon, a slash or an at sign keeps short codes, addresses and directives from being recognised.
    """
    if isinstance(text, Text):
        return text
    shown = _MARKUP.sub(r"\\\1", clip(text, longest))
    shown = _LEADING.sub(r"\1\\\2", shown)
    for sign in (":", "@", "/"):
        shown = shown.replace(f"\\{sign}", f"\\{sign}{_JOINER}")
    return Text(re.sub(r"(?i)www\.", f"www{_JOINER}.", shown))


def clip(text: object, longest: int = LONGEST_NAME) -> str:
    """Return `text` on one line without control characters, at most `longest` characters."""
    line = _BREAKS.sub(" ", str(text)).strip()
    return line if len(line) <= longest else line[: longest - 1] + "\u2026"


def _look_up(key: str) -> str:
    texts = catalogue()[key]
    return texts[language()]


def in_language(text: Mapping[str, str]) -> str:
    """Return a text that came with its own translations, in the language of the session."""
    return text.get(language()) or text["en"]


def has(key: str) -> bool:
    """Tell whether the catalogue holds `key`."""
    return key in catalogue()


def t(key: str, **params: object) -> Text:
    """Return the text of `key` in the language of the session, as safe Markdown.

    Parameters
    ----------
    key : str
        Key in `strings.toml`.
    **params : object
        Values of the named placeholders; a str that is not `Text` is escaped.
    """
    return Text(_look_up(key).format(**{name: escape(value) for name, value in params.items()}))


def plain(key: str, **params: object) -> str:
    """Return the text of `key` for a place that shows no Markdown; values are only clipped."""
    return _look_up(key).format(**{name: _unescaped(value) for name, value in params.items()})


def _unescaped(value: object) -> str:
    return str(value) if isinstance(value, Text) else clip(value)


def told(sentence: str) -> Text:
    """Return what the library says, in the language of the session and safe as Markdown."""
    return escape(in_words(sentence), LONGEST_SENTENCE)


def in_words(sentence: str) -> str:
    """Return what the library says in the language of the session; a name or a number stays as it is."""
    if not isinstance(sentence, Phrase) or language() == "en":
        return sentence
    return sentence.translated(lambda template: phrases().get(template, template))


@cache
def phrases() -> dict[str, str]:
    """Return the Chinese of what the library says: English template -> Chinese template."""
    found: dict[str, str] = {}
    for path in sorted(_PHRASES.glob("*.toml")):
        found |= tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def labels(prefix: str) -> Callable[[Any], str]:
    """Return a `format_func`: the text of `<prefix>.<option>`, or the option when there is none."""

    def label(option: Any) -> str:  # noqa: ANN401
        key = f"{prefix}.{option}"
        return plain(key) if has(key) else clip(option)

    return label
