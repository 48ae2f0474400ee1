"""A verdict over several answers: the lowest dimension decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from practice.rubric.score import level_of
from practice.rubric.table import DIMENSIONS, TEXT

LEAST_ANSWERS = 3
SPIKE_FROM = 90.0
STOPPING = {"borderline", "no"}


class Judged(Protocol):
    """A score, or what was kept of one."""

    @property
    def dimensions(self) -> Mapping[str, float | None]:
        """Return 0 to 100 for each dimension, None where nothing of it was seen."""


@dataclass(frozen=True)
class Verdict:
    """The verdict of a session.

    `dimensions` holds the mean of the two best answers, 0 to 100; `lowest` decides `level`. In a loop `stopped_at` is
    the first round (from 1) whose lowest dimension is borderline or below. `spike` is the dimension that stands out.
    """

    dimensions: Mapping[str, float]
    lowest: str
    level: str
    stopped_at: int | None
    spike: str | None

    def spike_note(self, language: str) -> str:
        """Return the appeal note in a language (`en` or `zh`), empty where nothing stands out."""
        if self.spike is None:
            return ""
        name = DIMENSIONS[self.spike][language]
        return TEXT["spike"][language].format(dimension=name, points=f"{self.dimensions[self.spike]:.0f}")


def _lowest(points: Mapping[str, float]) -> str:
    return min(DIMENSIONS, key=lambda name: points[name])


def _points(score: Judged) -> dict[str, float]:
    return {name: score.dimensions.get(name) or 0.0 for name in DIMENSIONS}


def session_verdict(scores: Sequence[Judged], *, is_loop: bool = False) -> Verdict:
    """Return the verdict over the answers of a session.

    Parameters
    ----------
    scores : sequence of Judged
        At least three answers, or the rounds of a loop in order.
    is_loop : bool
        Whether a weak round stops the session.

    Raises
    ------
    ValueError
        If there are too few answers.
    """
    if len(scores) < (1 if is_loop else LEAST_ANSWERS):
        raise ValueError(
            f"scores has {len(scores)} answers; a verdict needs at least {1 if is_loop else LEAST_ANSWERS}."
        )
    rounds = [_points(one) for one in scores]
    stopped = None
    if is_loop:
        weak = (number for number, one in enumerate(rounds, 1) if level_of(one[_lowest(one)]) in STOPPING)
        stopped = next(weak, None)
    points = {}
    for name in DIMENSIONS:
        best = sorted((one[name] for one in rounds[:stopped]), reverse=True)[:2]
        points[name] = round(sum(best) / len(best), 1)
    lowest = _lowest(points)
    level = level_of(points[lowest])
    if stopped is not None and level not in STOPPING:
        level = level_of(rounds[stopped - 1][_lowest(rounds[stopped - 1])])
    best_name = max(DIMENSIONS, key=lambda name: points[name])
    is_spike = points[best_name] >= SPIKE_FROM and level == "borderline"
    return Verdict(points, lowest, level, stopped, best_name if is_spike else None)
