"""What a change is worth, by trial: a fleet at two utilisations, jobs at two speeds, levers that lose something.

Utilisation is run in the simulator: the same jobs on the fleet, and on the fleet that would do them at the old
utilisation. Speed, scaling and levers are drawn: once as the formula takes them, once with what it leaves out.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from scheduler_core.economics import renting
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.changes import scaling_gain, squeeze
from scheduler_core.economics.notes import Note, Share, Time, say, warn
from scheduler_core.errors import InfeasibleError
from scheduler_core.phrases import Phrase
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes, job_classes, slots_scenario
from scheduler_core.studies.replicate import Progress, Simulate, replicate, step

Floats = NDArray[np.float64]
_JOBS = 20_000
_RUN_JOBS = 100_000.0
_MOST_GPUS = 400
"""GPUs that are run; only the ratio of load and GPUs counts here."""


def confirm_change(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> tuple[Confirmation, ...]:
    """Run the work of the better utilisation on the fleet, and on the larger one that would be needed without it.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one replication; `api.simulate` by default.

    Returns
    -------
    tuple of Confirmation
        Utilisation: ``fleet_after`` of the fleet, ``fleet_before`` of the larger or smaller one.

    Raises
    ------
    InfeasibleError
        If one of the utilisations leaves no GPU free, so that the line grows for ever.
    """
    before, after = asked.number("used_before_share"), asked.number("used_after_share")
    if max(before, after) >= 1:
        raise InfeasibleError(Phrase("A fleet that is never free has no finite wait; take a utilisation below 100 %."))
    gpus, seeds = min(_MOST_GPUS, int(asked.number("fleet_gpus"))), int(asked.number("confirm_seeds"))
    load = after * gpus
    found = []
    for at, (name, count) in enumerate((("fleet_after", gpus), ("fleet_before", max(1, round(load / before))))):
        scenario = slots_scenario(count, job_classes(load, 1.0), _RUN_JOBS)
        runs = replicate(scenario, seeds, progress=step(progress, at, 2), simulate=simulate, scopes=("all",))
        used, formula = runs.estimate("utilisation"), load / count
        wait_ms = round(runs.estimate("wait_mean").mean or 0.0)
        said = (
            say("money.gap.fleet", gpus=count, wait=Time(wait_ms))
            if wait_ms
            else say("money.gap.fleet_idle", gpus=count)
        )
        notes = (*gap_notes(formula, used), said)
        found.append(Confirmation(name, "share", formula, None, used, notes))
    return tuple(found)


def trial_speed(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw jobs at two speeds, and return what is saved, beside the formula.

    Parameters
    ----------
    asked : Assumptions
        The inputs; `spread_share` is how far the MFU of a job may be from what is said.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        Share of the spending that is saved: ``mfu_by_time`` with the MFU of all GPU time, ``mfu_by_job`` with the plain
        mean of the jobs; ``scaling``: share of output more of one job.
    """
    number = asked.number
    speeds, spread = (number("mfu_before_share"), number("mfu_after_share")), number("spread_share")
    formula = 1 - speeds[0] / speeds[1]
    found = []
    for at, (name, is_by_job) in enumerate((("mfu_by_time", False), ("mfu_by_job", True))):
        draw = partial(draw_saving, speeds, spread, is_by_job)
        saved = estimate(each_seed(asked, draw, step(progress, at, 3)))
        notes = _speed_notes(name, formula, saved)
        found.append(Confirmation(name, "share", formula, None, saved, notes))
    scales = number("scaling_before_share"), number("scaling_after_share")
    right = scaling_gain(number("scaling_gpus"), *scales)[0]
    output = estimate(each_seed(asked, partial(_steps, scales, spread), step(progress, 2, 3)))
    return (*found, Confirmation("scaling", "share", right, None, output, gap_notes(right, output)))


def draw_saving(speeds: tuple[float, float], spread: float, is_by_job: bool, rng: np.random.Generator) -> float:
    """Return the share of the spending that the same work no longer needs.

    Parameters
    ----------
    speeds : tuple of float
        MFU before and after.
    spread : float
        How far a job may be from it, as a share.
    is_by_job : bool
        Whether the MFU after is the plain mean of the jobs instead of that of all GPU time.
    rng : numpy.random.Generator
        Source of the draws.
    """
    before, after = speeds
    work, off = rng.exponential(1.0, _JOBS), 1 + spread * rng.uniform(-1, 1, _JOBS)
    needed = work / (after * off) if is_by_job else work / after * off
    return 1 - float(needed.sum() / (work / before).sum())


def _speed_notes(name: str, formula: float, found: Estimate) -> tuple[Note, ...]:
    if name == "mfu_by_time" or found.holds(formula):
        return gap_notes(formula, found)
    return (say("money.gap.mfu_mean", found=Share(found.mean or 0.0), formula=Share(formula)),)


def _steps(scales: tuple[float, float], spread: float, rng: np.random.Generator) -> float:
    """Return the share of output more, from steps whose times vary; an ideal step takes 1."""
    before, after = (float(np.mean((1 + spread * rng.uniform(-1, 1, _JOBS)) / each)) for each in scales)
    return before / after - 1


def trial_squeeze(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw jobs that run reserved or on spot, and return the work for the same money, beside the staircase.

    Parameters
    ----------
    asked : Assumptions
        The inputs.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        ``levers``: every hour on spot is useful, as the staircase takes it. ``levers_waste``: those that are
        interrupted lose what the spot inputs say; it is left out where they leave nothing useful.
    """
    number, plan = asked.number, squeeze(asked)
    before_spot, formula = plan.steps[-2].reached, plan.steps[-1].reached
    waste = renting.spot_waste(*renting.spot_times(asked))
    cases = {"levers": 0.0} | ({"levers_waste": waste} if waste < 1 else {})
    found = []
    for at, (name, lost) in enumerate(cases.items()):
        draw = partial(draw_cost, number("spot_work_share"), number("spot_ratio"), lost)
        reached = estimate([before_spot / each for each in each_seed(asked, draw, step(progress, at, len(cases)))])
        notes = gap_notes(formula, reached)
        if waste >= 1:
            notes = (*notes, warn("money.gap.no_spot"))
        if lost and not reached.holds(formula):
            shed = max(0.0, 1 - (reached.mean or 0.0) / plan.needed)
            notes = (say("money.gap.levers", waste=Share(lost), shed=Share(shed)),)
        found.append(Confirmation(name, "ratio", formula, None, reached, notes))
    return tuple(found)


def draw_cost(spot_share: float, ratio: float, lost: float, rng: np.random.Generator) -> float:
    """Return the cost of drawn jobs over that of running them all reserved.

    Parameters
    ----------
    spot_share, ratio : float
        Share of the jobs that can run on spot, and its price over the reserved one.
    lost : float
        Share of the spot time that is lost.
    rng : numpy.random.Generator
        Source of the draws.
    """
    hours = rng.exponential(1.0, _JOBS)
    price = np.where(rng.random(_JOBS) < spot_share, ratio / (1 - lost), 1.0)
    return float((hours * price).sum() / hours.sum())
