"""What trials by chance share: one draw a replication, decided by the seed and the replication alone."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.engine.run import CancelledError
from scheduler_core.phrases import Phrase
from scheduler_core.studies.replicate import Progress

Drawn = TypeVar("Drawn")


def each_seed(
    asked: Assumptions, draw: Callable[[np.random.Generator], Drawn], progress: Progress | None = None
) -> list[Drawn]:
    """Return what each replication draws.

    Parameters
    ----------
    asked : Assumptions
        Says the seed and how many replications (`confirm_seeds`).
    draw : callable
        Makes one replication from its source of draws.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Raises
    ------
    CancelledError
        If `progress` asks for it.
    """
    found, seeds = [], int(asked.number("confirm_seeds"))
    for at in range(seeds):
        found.append(draw(np.random.default_rng([int(asked.number("seed")), at])))
        if progress is not None and not progress((at + 1) / seeds):
            raise CancelledError(Phrase("The trial was cancelled."))
    return found
