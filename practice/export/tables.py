"""What many attempts gave, as tables for a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Final

from practice.history import Attempt, disputes, scored

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def rules_csv(attempts: Iterable[Attempt], names: Mapping[str, str]) -> str:
    """Return the outcome of every rule of every scored attempt as a table; `names` holds the names of subjects."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["attempt", "subject", "scored_at", "rubric_version", "total", "rule", "value", "points", "weight"])
    for number, one in enumerate(scored(attempts), 1):
        subject = _cell(names.get(one.attempt.subject, one.attempt.subject))
        start = [number, subject, one.at.isoformat(timespec="seconds"), one.grade.rubric_version, one.grade.total]
        for rule in one.grade.outcomes:
            writer.writerow([*start, rule.rule, rule.value, round(rule.points, 3), round(rule.weight, 3)])
    return out.getvalue()


def disputes_csv(attempts: Iterable[Attempt], names: Mapping[str, str]) -> str:
    """Return what was objected to as a table: the rule, what it gave, the words that it saw, and what is said of it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["subject", "scored_at", "rubric_version", "rule", "given", "seen", "objection"])
    for one in disputes(attempts):
        attempt, grade = one.attempt, one.attempt.grade
        at = attempt.finished_at.isoformat(timespec="seconds") if attempt.finished_at else ""
        writer.writerow([
            _cell(names.get(attempt.subject, attempt.subject)), at, grade.rubric_version if grade else "", one.rule,
            one.given, _cell(" ... ".join(one.seen)), _cell(one.note),
        ])  # fmt: skip
    return out.getvalue()


def _cell(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
