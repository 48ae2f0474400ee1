"""Evictions and neighbours by trial: what single tasks lose, where the formulas take the mean.

Evictions strike running tasks at random, so a task is hit at any moment of its run; its last checkpoint is as old as
its age since then. Neighbours: the formula slows every task by the same share; the second trial draws the slowdown of
each task (exponential, same mean).
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics import losses
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.notes import Note, Share, say
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, step

Floats = NDArray[np.float64]
_TASKS = 20_000
_LONG_INTERVALS = 1_000
"""A task of so many checkpoints is hit at any moment between two of them alike."""


def trial_evictions(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw evictions, and return what a task loses in GPU hours, beside the formula.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        ``long``: tasks of many checkpoints. ``short``: tasks of the run time asked for (exponential).
    """
    number = asked.number
    gpus, interval, restart = number("preempt_gpus"), number("preempt_interval_h"), number("preempt_restart_h")
    formula = losses.eviction_loss_gpu_h(gpus, interval, restart)
    breakeven = losses.threshold(asked).breakeven_gpu_h
    found = []
    for at, name in enumerate(("long", "short")):
        mean_h = None if name == "long" else number("task_h")
        drawn = each_seed(asked, partial(draw_losses, gpus, interval, restart, mean_h), step(progress, at, 2))
        lost = estimate([float(each.mean()) for each in drawn])
        above = None if breakeven is None else float(np.mean([(each > breakeven).mean() for each in drawn]))
        notes = _eviction_notes(name, asked, lost, formula, above)
        found.append(Confirmation(name, "gpu_h", formula, None, lost, notes))
    return tuple(found)


def draw_losses(
    gpus: float, interval_h: float, restart_h: float, mean_h: float | None, rng: np.random.Generator
) -> Floats:
    """Return what evicted tasks lose in GPU hours.

    Parameters
    ----------
    gpus : float
        Of a task.
    interval_h, restart_h : float
        Hours between checkpoints, and to start again.
    mean_h : float, optional
        Mean run time; None for tasks of very many checkpoints. The age at which an exponential task is hit is
        exponential with the same mean, because longer tasks are hit more often.
    rng : numpy.random.Generator
        Source of the draws.
    """
    age = rng.uniform(0, _LONG_INTERVALS * interval_h, _TASKS) if mean_h is None else rng.exponential(mean_h, _TASKS)
    return gpus * (np.mod(age, interval_h) + restart_h)


def _eviction_notes(
    name: str, asked: Assumptions, lost: Estimate, formula: float, above: float | None
) -> tuple[Note, ...]:
    if lost.holds(formula) or name == "long":
        notes = list(gap_notes(formula, lost))
    else:
        notes = [say("money.gap.young_tasks", hours=asked.number("task_h"), found=lost.mean or 0.0, formula=formula)]
    if above is not None:
        notes.append(say("money.gap.above", share=Share(above)))
    return tuple(notes)


def trial_packing(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw shared GPUs and their slowdowns, and return the real gain, beside the formula.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        ``even``: every task is slowed alike. ``uneven_neighbours``: each by its own neighbours.
    """
    number = asked.number
    shares = number("packed_before_share"), number("packed_after_share")
    slowdown = number("slowdown_share")
    formula = losses.packing_gain(*shares, slowdown)
    found = []
    for at, name in enumerate(("even", "uneven_neighbours")):
        draw = partial(draw_gain, shares, slowdown, name == "uneven_neighbours")
        gain = estimate(each_seed(asked, draw, step(progress, at, 2)))
        if name == "even" or gain.holds(formula):
            notes = gap_notes(formula, gain)
        else:
            worst = Share(-slowdown * float(np.log(0.05)))
            notes = (say("money.gap.neighbours", worst=worst, found=Share(gain.mean or 0.0)),)
        found.append(Confirmation(name, "share", formula, None, gain, notes))
    return tuple(found)


def draw_gain(shares: tuple[float, float], slowdown: float, is_uneven: bool, rng: np.random.Generator) -> float:
    """Return the gain in work done over GPUs that are not shared.

    Parameters
    ----------
    shares : tuple of float
        Utilisation before and after.
    slowdown : float
        Mean slowdown of a task with neighbours.
    is_uneven : bool
        Whether every task has a slowdown of its own.
    rng : numpy.random.Generator
        Source of the draws.
    """
    before, after = shares
    slowed = rng.exponential(slowdown, _TASKS) if is_uneven and slowdown > 0 else np.full(_TASKS, slowdown)
    is_busy = rng.random(_TASKS) < after
    return float((is_busy / (1 + slowed)).mean() / before - 1)
