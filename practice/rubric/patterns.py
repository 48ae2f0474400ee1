"""Patterns of many alternatives, put so that most places of a text are passed over by their first character.

What matches stays the same: alternatives that begin with one character keep their order, and others never meet.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

_QUANTIFIER = re.compile(r"(?:[?*+]|\{\d*,?\d*\})\??")
_SPECIAL = frozenset("\\[](){}.^$|?*+")
_NO_CHARACTER = {"(?=", "(?!", "(?<"}


def alternation(parts: Sequence[str]) -> str:
    """Return a pattern that matches what `parts`, tried in order, match; nothing is tried where none can begin."""
    return f"{glance(parts)}(?:{'|'.join(_grouped(parts))})"


def glance(parts: Sequence[str]) -> str:
    """Return a look at one character that tells most places where none of `parts` begins; empty where none can."""
    beginnings = _joined_heads(parts)
    return "" if beginnings is None else f"(?=[{beginnings}])"


def _grouped(parts: Iterable[str]) -> Iterator[str]:
    """Yield the alternatives with those of one first character together."""
    run: dict[str, list[str]] = {}
    for part in parts:
        if _begins_plainly(part):
            run.setdefault(part[0], []).append(part[1:])
        else:
            yield from _told(run)
            run = {}
            yield part
    yield from _told(run)


def _told(run: dict[str, list[str]]) -> Iterator[str]:
    for character, rests in run.items():
        yield character + (rests[0] if len(rests) == 1 else f"(?:{'|'.join(rests)})")


def _begins_plainly(part: str) -> bool:
    is_plain = bool(part) and part[0] not in _SPECIAL and not _QUANTIFIER.match(part, 1)
    return is_plain and len(_alternatives(part)) == 1


def first_of(pattern: str) -> str | None:
    """Return what a match begins with, as the inside of a character class; None where a glance cannot tell."""
    alternatives = _alternatives(pattern)
    return _joined_heads(alternatives) if len(alternatives) > 1 else _first_of_one(pattern)


def _joined_heads(parts: Sequence[str]) -> str | None:
    heads = [first_of(one) for one in parts]
    known = [one for one in heads if one is not None]
    return "".join(dict.fromkeys(known)) if len(known) == len(heads) else None


def _first_of_one(pattern: str) -> str | None:
    """Return the beginnings of a pattern that has no alternatives of its own; what may be left out adds the next."""
    at, seen = 0, ""
    while at < len(pattern):
        end = _end_of(pattern, at)
        is_condition = pattern[at : at + 3] in _NO_CHARACTER
        head = "" if is_condition else _head(pattern[at:end])
        if head is None:
            return None
        seen += head
        quantifier = _QUANTIFIER.match(pattern, end)
        is_optional = quantifier is not None and quantifier[0].startswith(("?", "*", "{0", "{,"))
        if not is_condition and not is_optional:
            return seen
        at = quantifier.end() if quantifier else end
    return None


def _head(atom: str) -> str | None:
    """Return the beginnings of one atom: a character, a class, a group."""
    if atom[0] == "(":
        return first_of(atom[3:-1] if atom.startswith("(?:") else atom[1:-1])
    if atom[0] == "[":
        return None if atom[1] == "^" else atom[1:-1]
    if atom[0] == "\\":
        return atom if atom[1] in "ds" or not atom[1].isalnum() else None
    return None if atom in _SPECIAL else re.escape(atom)


def _end_of(pattern: str, at: int) -> int:
    """Return where the atom that begins at `at` ends."""
    if pattern[at] == "\\":
        return at + 2
    if pattern[at] == "[":
        closing = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]").match(pattern, at)
        return closing.end() if closing else len(pattern)
    if pattern[at] != "(":
        return at + 1
    end = at + 1
    while pattern[end] != ")":
        end = _end_of(pattern, end)
    return end + 1


def _alternatives(pattern: str) -> list[str]:
    """Return the parts between the bars that stand outside every group and class."""
    parts, start, at = [], 0, 0
    while at < len(pattern):
        if pattern[at] == "|":
            parts.append(pattern[start:at])
            start = at = at + 1
        else:
            at = _end_of(pattern, at)
    return [*parts, pattern[start:]]
