"""What to practise next: spaced repetition of one rule in one exercise, by FSRS.

Nothing is stored for it: the memory of every unit is worked out anew from the attempts, so an import or a deletion
cannot leave it wrong. A unit is an exercise (or story) with a rule. Its score in an attempt is the mean of the rule's
value (0 to 100) and the attempt's total: a rule that was met in a poor answer is not yet known well.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from fsrs import Card, Rating, Scheduler, State

from practice.history.model import Attempt
from practice.history.trends import Scored, scored
from practice.rubric import RULES, VERSION

MOST_A_DAY: Final = 10
MOST_LAPSES: Final = 4
"""Times a unit may be forgotten; then it is set aside until the whole exercise goes better."""

_LONGEST_DAYS: Final = 365


@dataclass
class _Memory:
    card: Card = field(default_factory=lambda: Card(card_id=1))
    lapses: int = 0
    score: float = 0.0


@dataclass(frozen=True)
class Due:
    """One thing to practise: a rule in an exercise, since when it is due, and its score of last time, 0 to 100."""

    subject: str
    rule: str
    due_at: datetime
    score: float
    lapses: int


@dataclass(frozen=True)
class Plan:
    """What to practise today, at most `MOST_A_DAY`; and the exercises to do anew from the start.

    `next_at` is when the next thing will be due, where nothing is now.
    """

    today: tuple[Due, ...]
    redo: tuple[str, ...]
    next_at: datetime | None


def rating_of(score: float) -> Rating:
    """Return the rating for 0 to 100 points."""
    if score < 45:
        return Rating.Again
    if score < 60:
        return Rating.Hard
    return Rating.Good if score < 85 else Rating.Easy


def longest_interval_days(at: datetime, interview_on: date | None) -> int:
    """Return the longest interval that begins at `at`: half the days to the interview, at least one."""
    days = (interview_on - at.date()).days if interview_on else 0
    return max(1, days // 2) if days > 0 else _LONGEST_DAYS


def plan(attempts: Iterable[Attempt], now: datetime, interview_on: date | None = None) -> Plan:
    """Return what to practise at `now`.

    Parameters
    ----------
    attempts : iterable of Attempt
        All attempts of a notebook; those scored by other rules than today's are left out.
    now : datetime
        With its zone.
    interview_on : date, optional
        Day of the interview.
    """
    memories: dict[tuple[str, str], _Memory] = {}
    for one in scored(attempts):
        if one.grade.rubric_version == VERSION:
            _review(memories, one, interview_on)
    active = [(key, one) for key, one in memories.items() if one.lapses < MOST_LAPSES]
    weight = {rule.id: rule.weight for rule in RULES}
    units = [Due(key[0], key[1], one.card.due, one.score, one.lapses) for key, one in active]
    due = sorted(
        (one for one in units if one.due_at <= now),
        key=lambda one: (one.score, -weight[one.rule], one.due_at, one.subject, one.rule),
    )
    later = [one.due_at for one in units if one.due_at > now]
    redo = sorted({key[0] for key, one in memories.items() if one.lapses >= MOST_LAPSES})
    return Plan(tuple(due[:MOST_A_DAY]), tuple(redo), min(later, default=None))


def _review(memories: dict[tuple[str, str], _Memory], one: Scored, interview_on: date | None) -> None:
    longest = longest_interval_days(one.at, interview_on)
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), maximum_interval=longest, enable_fuzzing=False)
    for outcome in one.grade.outcomes:
        memory = memories.setdefault((one.attempt.subject, outcome.rule), _Memory())
        memory.score = (100 * outcome.value + one.grade.total) / 2
        rating = rating_of(memory.score)
        is_known = memory.card.state is State.Review and memory.card.last_review is not None
        if rating is Rating.Again and is_known:
            memory.lapses += 1
        elif rating >= Rating.Good:
            memory.lapses = 0 if memory.lapses >= MOST_LAPSES else memory.lapses
        memory.card, _ = scheduler.review_card(memory.card, rating, one.at)
