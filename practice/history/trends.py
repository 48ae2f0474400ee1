"""What many attempts show: the course of the scores, how well predictions were judged, which rules fail, readiness."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from practice.history.model import Attempt, Grade, Prediction
from practice.rubric import RULES, VERSION, Verdict, session_verdict

LEAST_SUBJECTS: Final = 3
"""Different exercises or stories that a readiness needs; the same one again would only show rehearsal."""

_SURE_FROM: Final = (0.0, 0.5, 0.65, 0.8, 0.95)


@dataclass(frozen=True)
class Scored:
    """An attempt that was scored, with its score."""

    attempt: Attempt
    grade: Grade
    at: datetime


def scored(attempts: Iterable[Attempt]) -> tuple[Scored, ...]:
    """Return the attempts that were scored, in the order of their scoring."""
    found = [
        Scored(one, one.grade, one.finished_at)
        for one in attempts
        if one.grade is not None and one.finished_at is not None
    ]
    return tuple(sorted(found, key=lambda one: (one.at, one.attempt.id)))


def passed_rules(attempts: Iterable[Attempt]) -> frozenset[str]:
    """Return the rules that passed in full in any of these attempts."""
    return frozenset(rule.rule for one in scored(attempts) for rule in one.grade.outcomes if rule.value >= 1)


@dataclass(frozen=True)
class Trend:
    """How the totals moved: the mean of the earlier and the later half of the attempts, 0 to 100."""

    points: tuple[Scored, ...]
    before: float | None
    after: float | None


def trend(attempts: Iterable[Attempt]) -> Trend:
    """Return the course of the totals; two halves once there are four attempts."""
    points = scored(attempts)
    half = len(points) // 2
    if half < 2:
        return Trend(points, None, None)
    return Trend(points, _mean(points[:half]), _mean(points[-half:]))


def _mean(points: Sequence[Scored]) -> float:
    return sum(one.grade.total for one in points) / len(points)


@dataclass(frozen=True)
class Bin:
    """Predictions made about equally surely."""

    n: int
    sure_share: float
    right_share: float


@dataclass(frozen=True)
class Calibration:
    """How often predictions came true, over all and by how sure the candidate was.

    `gap_share` is the mean sureness less the share that came true: above 0 is too sure. It and `bins` need predictions
    that said how sure; `by_measure` holds (right, all) for each subject and measure.
    """

    n: int
    right_share: float
    gap_share: float | None
    bins: tuple[Bin, ...]
    by_measure: Mapping[tuple[str, str], tuple[int, int]]


def calibration(attempts: Iterable[Attempt]) -> Calibration | None:
    """Return how the predictions compare with what came; None where there are none to compare."""
    told = [(each.subject, one) for each in attempts for one in each.predictions if one.came is not None]
    if not told:
        return None
    by_measure: dict[tuple[str, str], tuple[int, int]] = {}
    for subject, one in told:
        right, n = by_measure.get((subject, one.measure), (0, 0))
        by_measure[subject, one.measure] = (right + _is_right(one), n + 1)
    known = [one for _, one in told]
    sure = [one for one in known if one.sure_share is not None]
    gap = _sureness(sure) - _right_share(sure) if sure else None
    return Calibration(len(known), _right_share(known), gap, tuple(_bins(sure)), dict(sorted(by_measure.items())))


def _is_right(one: Prediction) -> bool:
    return one.said == one.came


def _right_share(predictions: Sequence[Prediction]) -> float:
    return sum(_is_right(one) for one in predictions) / len(predictions)


def _sureness(predictions: Sequence[Prediction]) -> float:
    return sum(one.sure_share or 0.0 for one in predictions) / len(predictions)


def _bins(sure: Sequence[Prediction]) -> Iterable[Bin]:
    for low, high in zip(_SURE_FROM, (*_SURE_FROM[1:], 2.0), strict=True):
        inside = [one for one in sure if low <= (one.sure_share or 0.0) < high]
        if inside:
            yield Bin(len(inside), _sureness(inside), _right_share(inside))


@dataclass(frozen=True)
class HeatMap:
    """The value of every rule in the latest attempts: `values[rule]` has one value, 0 to 1, for each of `columns`."""

    columns: tuple[Scored, ...]
    values: Mapping[str, tuple[float, ...]]

    @property
    def weakest(self) -> str | None:
        """Return the rule with the lowest mean; of equal ones, the heavier."""
        if not self.columns:
            return None
        weight = {rule.id: rule.weight for rule in RULES}
        return min(self.values, key=lambda name: (sum(self.values[name]), -weight[name]))


def heat_map(attempts: Iterable[Attempt], most: int = 20) -> HeatMap:
    """Return the rules of the latest attempts, at most `most` of them."""
    columns = scored(attempts)[-most:]
    return HeatMap(columns, {rule.id: tuple(one.grade.value(rule.id) for one in columns) for rule in RULES})


@dataclass(frozen=True)
class Readiness:
    """How ready the candidate is. `verdict` is there once `n_subjects` reaches `LEAST_SUBJECTS`.

    `n_other_rules` counts attempts that were scored by another version of the rules, which are left out.
    """

    verdict: Verdict | None
    n_subjects: int
    n_other_rules: int


def readiness(attempts: Iterable[Attempt]) -> Readiness:
    """Return the readiness by the weakest dimension, over the latest attempt at each exercise and story."""
    points = scored(attempts)
    latest = {one.attempt.subject: one.grade for one in points if one.grade.rubric_version == VERSION}
    others = sum(one.grade.rubric_version != VERSION for one in points)
    is_enough = len(latest) >= LEAST_SUBJECTS
    return Readiness(session_verdict(list(latest.values())) if is_enough else None, len(latest), others)
