"""What a candidate says a rule got wrong: kept with the attempt, and listed for whoever works on the word lists."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from practice.history.model import Attempt
from practice.history.trends import scored

_KEPT: Final = "disputes"
LONGEST_NOTE: Final = 300


@dataclass(frozen=True)
class Dispute:
    """One objection: the attempt, the rule or penalty, what it gave, what it saw of the text, and what is said of it.

    `given` is the value of a rule (0 to 1), or the points that a penalty took, below zero.
    """

    attempt: Attempt
    rule: str
    given: float
    seen: tuple[str, ...]
    note: str


def with_dispute(attempt: Attempt, rule: str, note: str) -> dict[str, JsonValue]:
    """Return the progress of an attempt with an objection to a rule; another one to the same rule replaces it."""
    return {**attempt.progress, _KEPT: {**_notes(attempt), rule: note.strip()[:LONGEST_NOTE]}}


def _notes(attempt: Attempt) -> dict[str, str]:
    found = attempt.progress.get(_KEPT)
    return {rule: str(note) for rule, note in found.items()} if isinstance(found, dict) else {}


def disputes(attempts: Iterable[Attempt]) -> Iterator[Dispute]:
    """Yield the objections to scored attempts, in the order of their scoring."""
    for one in scored(attempts):
        given = {each.rule: (each.value, each.spans) for each in one.grade.outcomes}
        given |= {each.penalty: (-each.points, each.spans) for each in one.grade.charges}
        for rule, note in _notes(one.attempt).items():
            value, spans = given.get(rule, (0.0, ()))
            yield Dispute(one.attempt, rule, value, tuple(one.grade.text[start:end] for start, end in spans), note)
