"""Patterns that pass over most of a text find what the plain ones find."""

import re

import pytest

from practice.rubric import lexicon
from practice.rubric.lexicon import Lexicon
from practice.rubric.patterns import alternation, first_of
from practice.rubric.text import document_of
from tests.practice.answers import labelled, of_round, rounds

TEXTS = [
    document_of(one.text).text
    for answers in (labelled("public.toml"), labelled("heldout.toml"), *(of_round(one["number"]) for one in rounds()))
    for one in answers
]


def plain(parts: list[str]) -> str:
    """Return the alternatives as they stand."""
    return f"(?:{'|'.join(parts)})"


def families(found: Lexicon) -> dict[str, re.Pattern[str]]:
    """Return every pattern of a lexicon by name."""
    metrics = {f"metric {one.name}": one.pattern for one in found.metrics}
    return {**{name: found.family(name) for name in found._families}, **metrics, **dict(found._mechanisms)}


def test_every_family_finds_the_same_places_fast_and_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = families(Lexicon())
    monkeypatch.setattr(lexicon, "alternation", plain)
    slow = families(Lexicon())
    assert any(fast[name].pattern != slow[name].pattern for name in fast)
    for name, pattern in fast.items():
        for text in TEXTS:
            for start in (0, len(text) // 3):  # a stretch that begins and ends anywhere, inside a word too
                end = len(text) - start
                found = [one.span() for one in pattern.finditer(text, start, end)]
                assert found == [one.span() for one in slow[name].finditer(text, start, end)], name


def test_metrics_and_mechanisms_are_found_as_by_each_pattern_alone() -> None:
    found = Lexicon()
    for text in TEXTS:
        alone = {(one.name, *hit.span()) for one in found.metrics for hit in one.pattern.finditer(text)}
        assert {(one.name, *place) for one, *place in found.metrics_named(text, 0, len(text))} == alone
        firsts = [(name, *hit.span()) for name, pattern in found._mechanisms if (hit := pattern.search(text))]
        assert list(found.mechanisms(text, 0, len(text))) == firsts


@pytest.mark.parametrize(
    ("pattern", "beginnings"),
    [
        ("rose|fell", "rf"),
        ("(?:a )?lower", "al"),
        (r"\d{1,9}(?:k|m)?", r"\d"),
        (r"[$]?\d", r"$\d"),
        ("(?<!x)[abc]?d", "abcd"),
        (r"\$5", r"\$"),
        ("a*", None),  # may be empty
        ("[^a]b", None),
        (".x", None),
        (r"\bword", None),
    ],
)
def test_the_beginnings_of_a_pattern_are_read_from_it(pattern: str, beginnings: str | None) -> None:
    assert first_of(pattern) == beginnings


def test_alternatives_of_one_beginning_keep_their_order() -> None:
    for parts in (["rose", "ro", "fell", "rosette", "[rf]x", "felt"], ["ro", "rose"]):
        for text in ("rose rosette ro rx fx felt fell", "rosero"):
            assert re.findall(alternation(parts), text) == re.findall(plain(parts), text)
