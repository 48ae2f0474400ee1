"""What a claimed loss comes to, by trial: GPU hours lost by chance, and crashes between two checkpoints."""

from functools import partial

import numpy as np

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.changes import HOURS_PER_DAY, audit
from scheduler_core.economics.notes import say
from scheduler_core.studies._estimate import estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, step
from scheduler_core.units import MS_PER_UNIT

_CRASHES = 20_000


def trial_claim(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw the hours of a day and the moments of crashes, and return what they lose, beside the audit.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        USD: ``claim_day``, GPU hours lost one by one; ``claim_crash``, work since the last checkpoint and a restart,
        of which the audit gives the upper bound without restart.
    """
    found, price, gpus = audit(asked), asked.number("claim_usd_per_gpu_h"), asked.number("claim_gpus")
    hours, gap = round(gpus * HOURS_PER_DAY), asked.number("claim_gap_share")
    restart = asked.duration_ms("restart_time") / MS_PER_UNIT["h"]
    day = estimate(each_seed(asked, lambda rng: price * float(rng.binomial(hours, gap)), step(progress, 0, 2)))
    draw = partial(draw_crash, asked.number("crash_save_h"), restart)
    crash = estimate([gpus * price * each for each in each_seed(asked, draw, step(progress, 1, 2))])
    explained, bound = found.explained_usd_per_day, found.crash_bound_usd
    restarted = gpus * price * restart
    told = say("money.gap.crash", found=crash.mean or 0.0, bound=bound, restart=restarted)
    return (
        Confirmation("claim_day", "usd", explained, None, day, gap_notes(explained, day)),
        Confirmation("claim_crash", "usd", bound, bound / 2 + restarted, crash, (told,)),
    )


def draw_crash(save_h: float, restart_h: float, rng: np.random.Generator) -> float:
    """Return the hours a crash loses on average: it strikes at any moment between two checkpoints alike."""
    return float(rng.uniform(0.0, save_h, _CRASHES).mean()) + restart_h
