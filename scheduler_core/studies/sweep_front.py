"""Which points are worth having: the Pareto front, its knee, and the weights for which a point wins.

Pure arithmetic over numbers that were measured. A point without a number in one of the objectives takes no part.

Several points may be efficient at once, so "the optimum" does not exist without weights: `recommend` says for which
weights its answer holds. A point that is efficient but lies in a hollow of the front wins for no weights at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase

Row: TypeAlias = Mapping[str, float | None]
"""Objective -> number of one point."""
Floats: TypeAlias = NDArray[np.float64]

MOST_OBJECTIVES = 3
GRID_STEPS = 50
"""With three objectives the weights are tried on a grid with steps of 1 / 50."""
_SAME = 1e-12


@dataclass(frozen=True)
class Objective:
    """What is wanted.

    Attributes
    ----------
    name : str
        Key in the rows.
    better : str
        ``lower`` or ``higher``.
    """

    name: str
    better: Literal["lower", "higher"]


@dataclass(frozen=True)
class Region:
    """The weights for which a point has the best score.

    Attributes
    ----------
    share : float
        Part of all weights, 0 to 1.
    ranges : mapping
        Objective -> smallest and largest weight with which the point wins.
    step : float
        0 where the region is exact (one or two objectives), else the step of the grid.
    """

    share: float
    ranges: Mapping[str, tuple[float, float]]
    step: float


@dataclass(frozen=True)
class Recommendation:
    """The point with the best weighted score.

    Attributes
    ----------
    winner : int
        Its place; ties go to the first.
    weights : mapping
        Objective -> weight, summing to 1.
    scores : tuple of float or None
        Score of each point, 0 (worst in everything) to 1 (best in everything).
    keeps_targets : bool
        Whether the winner keeps all targets; where no point does, all of them compete.
    region : Region
        The weights for which it wins among the same points.
    """

    winner: int
    weights: Mapping[str, float]
    scores: tuple[float | None, ...]
    keeps_targets: bool
    region: Region


def scores(rows: Sequence[Row], objectives: Sequence[Objective]) -> tuple[tuple[int, ...], Floats]:
    """Return each point's standing in each objective: 0 for the worst of all points, 1 for the best.

    Parameters
    ----------
    rows : sequence of mapping
        The numbers of each point.
    objectives : sequence of Objective
        What is wanted.

    Returns
    -------
    tuple of int
        Places of the points that have all numbers.
    float64, shape (n_points, n_objectives)
        Their standing; 1 where all points are equal.
    """
    taken, found = [], []
    for at, row in enumerate(rows):
        values = [row.get(objective.name) for objective in objectives]
        if None not in values:
            taken.append(at)
            found.append([float(value or 0.0) for value in values])
    values_of = np.array(found, dtype=np.float64).reshape(len(taken), len(objectives))
    signs = np.array([1.0 if objective.better == "higher" else -1.0 for objective in objectives])
    signed = values_of * signs
    if not taken:
        return (), signed
    low, high = signed.min(axis=0), signed.max(axis=0)
    span = high - low
    return tuple(taken), np.where(span > 0, (signed - low) / np.where(span > 0, span, 1.0), 1.0)


def front(rows: Sequence[Row], objectives: Sequence[Objective]) -> tuple[int, ...]:
    """Return the points that no other point beats: none is as good in everything and better in something.

    Parameters
    ----------
    rows : sequence of mapping
        The numbers of each point.
    objectives : sequence of Objective
        What is wanted.

    Returns
    -------
    tuple of int
        Places, best in the first objective first; equal points all stay.

    Examples
    --------
    >>> want = [Objective("wait", "lower"), Objective("use", "higher")]
    >>> front([{"wait": 1, "use": 0.5}, {"wait": 2, "use": 0.9}, {"wait": 3, "use": 0.8}], want)
    (0, 1)
    """
    taken, standing = scores(rows, objectives)
    kept = [
        row
        for row in range(len(taken))
        if not ((standing >= standing[row]).all(axis=1) & (standing > standing[row]).any(axis=1)).any()
    ]
    kept.sort(key=lambda row: (*(-standing[row]).tolist(), taken[row]))
    return tuple(taken[row] for row in kept)


def knee(rows: Sequence[Row], objectives: Sequence[Objective]) -> int | None:
    """Return the point of the front after which a gain in one objective costs much of the other.

    Parameters
    ----------
    rows : sequence of mapping
        The numbers of each point.
    objectives : sequence of Objective
        Two.

    Returns
    -------
    int, optional
        The point of the front farthest above the line between its two ends, both axes scaled to the span of the
        front; None where no point lies above it.
    """
    if len(objectives) != 2:
        return None
    on_front = front(rows, objectives)
    _, standing = scores([rows[at] for at in on_front], objectives)
    if len(on_front) < 3:
        return None
    # The ends stand at (1, 0) and (0, 1); a point's distance from their line is (a + b - 1) / sqrt(2).
    above = standing.sum(axis=1) - 1.0
    best = int(above.argmax())
    return on_front[best] if above[best] > _SAME else None


def region(rows: Sequence[Row], objectives: Sequence[Objective], point: int, among: Sequence[int]) -> Region | None:
    """Return the weights for which a point has the best score.

    Parameters
    ----------
    rows : sequence of mapping
        The numbers of all points; they set the scale.
    objectives : sequence of Objective
        One to three.
    point : int
        Place of the point.
    among : sequence of int
        Places of the points that compete.

    Returns
    -------
    Region, optional
        None where it wins for no weights; ties count as winning.
    """
    taken, standing = scores(rows, objectives)
    if point not in taken:
        return None
    lead = standing[taken.index(point)] - standing[[row for row, at in enumerate(taken) if at in among]]
    if len(objectives) <= 2:
        return _exact(lead, objectives)
    weights = grid(len(objectives))
    is_won = (weights @ lead.T >= -_SAME).all(axis=1)
    if not is_won.any():
        return None
    won = weights[is_won]
    ranges = {each.name: (float(won[:, at].min()), float(won[:, at].max())) for at, each in enumerate(objectives)}
    return Region(float(is_won.mean()), ranges, 1 / GRID_STEPS)


def _exact(lead: Floats, objectives: Sequence[Objective]) -> Region | None:
    """Cut the weights of the first objective, [0, 1], where w x first + (1 - w) x second leads no longer."""
    if len(objectives) == 1:
        name = objectives[0].name
        return Region(1.0, {name: (1.0, 1.0)}, 0.0) if (lead >= -_SAME).all() else None
    low, high = 0.0, 1.0
    for first, second in lead.tolist():
        slope = first - second
        if abs(slope) <= _SAME:
            if second < -_SAME:
                return None
        elif slope > 0:
            low = max(low, -second / slope)
        else:
            high = min(high, second / -slope)
    if low > high + _SAME:
        return None
    high = max(high, low)
    ranges = {objectives[0].name: (low, high), objectives[1].name: (1 - high, 1 - low)}
    return Region(high - low, ranges, 0.0)


def grid(n_objectives: int) -> Floats:
    """Return all weights in steps of 1 / `GRID_STEPS` that sum to 1, shape (n, n_objectives)."""
    free = product(range(GRID_STEPS + 1), repeat=n_objectives - 1)
    rows = [(*parts, GRID_STEPS - sum(parts)) for parts in free if sum(parts) <= GRID_STEPS]
    return np.array(rows, dtype=np.float64) / GRID_STEPS


def recommend(
    rows: Sequence[Row],
    objectives: Sequence[Objective],
    weights: Mapping[str, float] | None = None,
    keeps: Sequence[bool] | None = None,
) -> Recommendation | None:
    """Return the point with the best weighted score, and the weights for which it stays the best.

    Parameters
    ----------
    rows : sequence of mapping
        The numbers of each point.
    objectives : sequence of Objective
        One to three.
    weights : mapping, optional
        Objective -> weight, at least 0; scaled to sum to 1. Equal weights if left out.
    keeps : sequence of bool, optional
        Whether each point keeps all targets; only those that do compete, where there is one.

    Returns
    -------
    Recommendation, optional
        None where no point has all numbers.

    Raises
    ------
    InputError
        If there are no or too many objectives, or the weights make no sense.

    Notes
    -----
    The score is the weighted mean of the standing of the point (`scores`): the worst measured value of an objective
    counts 0, the best 1.
    """
    if not 1 <= len(objectives) <= MOST_OBJECTIVES:
        raise InputError(
            Phrase("the number of objectives"),
            len(objectives),
            Phrase("1 to {most_objectives}", most_objectives=MOST_OBJECTIVES),
        )
    shares = _scaled(objectives, weights)
    taken, standing = scores(rows, objectives)
    if not taken:
        return None
    total = standing @ np.array(list(shares.values()))
    able = [at for at in taken if keeps is None or keeps[at]]
    among = able or list(taken)
    score_of = dict(zip(taken, total.tolist(), strict=True))
    best = max(score_of[at] for at in among)
    winner = next(at for at in among if score_of[at] >= best - _SAME)
    won = region(rows, objectives, winner, among) or Region(0.0, {name: (w, w) for name, w in shares.items()}, 0.0)
    return Recommendation(winner, shares, tuple(score_of.get(at) for at in range(len(rows))), bool(able), won)


def total_weight(weights: Mapping[str, float]) -> float:
    """Return the sum of weights.

    Raises
    ------
    InputError
        If one is below 0, or all are 0, or they have no finite sum.
    """
    total = sum(weights.values())
    if not (0 < total < float("inf")) or min(weights.values()) < 0:
        raise InputError(Phrase("the weights"), dict(weights), Phrase("numbers of at least 0, not all 0"))
    return total


def _scaled(objectives: Sequence[Objective], weights: Mapping[str, float] | None) -> dict[str, float]:
    names = [objective.name for objective in objectives]
    given = dict.fromkeys(names, 1.0) if weights is None else {name: float(weights.get(name, 0.0)) for name in names}
    unknown = sorted(set(weights or ()) - set(names))
    if unknown:
        raise InputError(
            Phrase("a weight"), unknown[0], Phrase("for one of the objectives {names}", names=", ".join(names))
        )
    total = total_weight(given)
    return {name: weight / total for name, weight in given.items()}
