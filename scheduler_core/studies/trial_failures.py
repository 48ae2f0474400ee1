"""Spare nodes and checkpoint intervals by trial: nodes that fail and are repaired, a job that starts over.

The engine has no failures yet, so the formulas are held against drawn failures alone. Spares: every node, the spare
ones too, alternates between running and repair. Checkpoints: a job as large as all its nodes is interrupted again and
again. Both are drawn once as the formulas assume it, and once with what they leave out: racks that fail as a whole,
and failures that come in clusters. Sources: alternating renewal (Ross, "Stochastic Processes", 2nd ed., section 3.4);
Weibull times between failures (Schroeder and Gibson, DSN 2006).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import gamma

from scheduler_core.economics import checkpoints, spares
from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.notes import Note, Share, say
from scheduler_core.economics.plan_fleet import SparesPlan, plan_spares
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, step
from scheduler_core.units import MS_PER_UNIT

Floats = NDArray[np.float64]
_FAILURES = 20_000
"""Drawn a replication: enough that one in a thousand is seen twenty times."""
_MOST_CELLS = 5_000_000
_LEAST_REPAIR_DAYS = 1e-6
_HOUR_MS = MS_PER_UNIT["h"]


@dataclass(frozen=True)
class Machines:
    """Machines that fail alone.

    Attributes
    ----------
    count : int
        Machines.
    weight : int
        Nodes that one takes along.
    per_day : float
        Failures of one while it runs.
    """

    count: int
    weight: int
    per_day: float


def time_with(machines: tuple[Machines, ...], repair_days: float, rng: np.random.Generator) -> Floats:
    """Return the share of time with each number of nodes out of service.

    Parameters
    ----------
    machines : tuple of Machines
        Independent of each other.
    repair_days : float
        Mean time out of service, above 0; exponential.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    float64, shape (most nodes out + 1,)
        Sums to 1. A node whose rack fails while it is in repair counts twice, which is rare.
    """
    days = _days(machines, repair_days)
    starts, ends, weights = [], [], []
    for each in machines:
        down_from, down_to = _outages(each, repair_days, days, rng)
        starts.append(down_from)
        ends.append(down_to)
        weights.append(np.full(down_from.shape, each.weight))
    begin, end, weight = np.concatenate(starts), np.concatenate(ends), np.concatenate(weights)
    moments = np.concatenate([begin, end])
    order = np.argsort(moments, kind="stable")
    out = np.cumsum(np.concatenate([weight, -weight])[order])
    moments = moments[order]
    first = int(np.searchsorted(moments, 10 * repair_days))  # all run at the start; that is forgotten by then
    lasting = np.diff(np.append(moments[first:], days))
    shares: Floats = np.bincount(out[first:], weights=np.maximum(lasting, 0.0)) / max(lasting.sum(), 1e-12)
    return shares


def _days(machines: tuple[Machines, ...], repair_days: float) -> float:
    """Return how many days are drawn."""
    return _FAILURES / sum(each.count * each.per_day for each in machines) + 20 * repair_days


def _cycles(each: Machines, repair_days: float, days: float) -> int:
    """Return how many times a machine runs and is repaired, at the very most, in so many days."""
    cycles = days / (1 / each.per_day + repair_days)
    return int(cycles + 8 * cycles**0.5 + 8)


def _outages(each: Machines, repair_days: float, days: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return begin and end of every outage until `days`."""
    shape = (each.count, _cycles(each, repair_days, days))
    running, repair = rng.exponential(1 / each.per_day, shape), rng.exponential(repair_days, shape)
    begin = np.cumsum(running + repair, axis=1) - repair
    is_seen = begin < days
    return begin[is_seen], np.minimum(begin + repair, days)[is_seen]


def fleet(nodes: int, per_day: float, rack_share: float, rack_nodes: int) -> tuple[Machines, ...]:
    """Return nodes and racks so that each node fails as often as before, a share of it with its rack.

    Examples
    --------
    >>> fleet(8, 0.01, 0.25, 4)
    (Machines(count=8, weight=1, per_day=0.0075), Machines(count=2, weight=4, per_day=0.0025))
    """
    alone = Machines(nodes, 1, per_day * (1 - rack_share))
    racks = Machines(-(-nodes // rack_nodes), rack_nodes, per_day * rack_share)
    return tuple(each for each in (alone, racks) if each.per_day > 0)


def trial_spares(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw failures and repairs, and return the share of time with too few nodes, beside the formula.

    Parameters
    ----------
    asked : Assumptions
        The inputs of the plan.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        ``alone``: every failure takes one node. ``racks``: some take a rack.

    Raises
    ------
    InputError
        If there are too many nodes to draw.
    """
    number, plan = asked.number, plan_spares(asked)
    rate, repair = number("failures_per_node_day"), max(number("repair_days"), _LEAST_REPAIR_DAYS)
    formula = 1 - spares.covered_share(plan.spares, plan.in_repair)
    cases = {
        "alone": fleet(plan.nodes, rate, 0.0, 1),
        "racks": fleet(plan.nodes, rate, number("rack_share"), int(number("rack_nodes"))),
    }
    cells = (
        each.count * _cycles(each, repair, _days(machines, repair)) for machines in cases.values() for each in machines
    )
    if max(cells) > _MOST_CELLS:
        raise InputError(
            "spare_nodes_of", int(number("spare_nodes_of")), Phrase("at most about 300,000 nodes for a trial")
        )
    found = []
    for at, (name, machines) in enumerate(cases.items()):
        drawn = each_seed(asked, partial(time_with, machines, repair), step(progress, at, len(cases)))
        short = estimate([float(each[plan.spares + 1 :].sum()) for each in drawn]).within(0.0, 1.0)
        is_alone = name == "alone"
        notes = (
            _alone_notes(plan, formula, short, drawn) if is_alone else _rack_notes(asked, plan, formula, short, drawn)
        )
        found.append(Confirmation(name, "share", formula, None, short, notes))
    return tuple(found)


def _alone_notes(plan: SparesPlan, formula: float, short: Estimate, drawn: Sequence[Floats]) -> tuple[Note, ...]:
    if short.holds(formula):
        return (say("plan.gap.agrees"),)
    out = float(np.mean([np.arange(each.size) @ each for each in drawn]))
    return (say("plan.gap.spares_fail", formula=plan.in_repair, out=out, nodes=f"{plan.nodes:,}"),)


def _rack_notes(
    asked: Assumptions, plan: SparesPlan, formula: float, short: Estimate, drawn: Sequence[Floats]
) -> tuple[Note, ...]:
    """Return how much longer nodes are short with racks, and how many spares would do."""
    most = max(each.size for each in drawn)
    shares = np.mean([np.pad(each, (0, most - each.size)) for each in drawn], axis=0)
    wanted = asked.number("covered_share")
    needed = int(np.searchsorted(np.cumsum(shares), wanted - 1e-12))
    return (
        say(
            "plan.gap.racks", share=Share(asked.number("rack_share")), nodes=f"{asked.number('rack_nodes'):g}",
            short=Share(short.mean or 0.0), formula=Share(formula), cover=Share(wanted, 2),
            needed=f"{min(needed, most - 1):,}", spares=f"{plan.spares:,}",
        ),
    )  # fmt: skip


# ---- checkpoints ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Saving:
    """How a job is saved, in one unit of time.

    Attributes
    ----------
    interval, save, restart : float
        Useful work between two saves; time of a save and of a restart.
    """

    interval: float
    save: float
    restart: float

    def useful_share(self, gaps: Floats) -> float:
        """Return the share of the time that is work which is kept.

        Parameters
        ----------
        gaps : float64, shape (n_failures,)
            Times between failures. After each the job restarts, then works and saves until the next one strikes, which
            may be during a restart or a save; what was not saved is lost.

        Examples
        --------
        >>> Saving(1.0, 0.25, 0.5).useful_share(np.array([3.0, 0.4, 1.6]))
        0.4
        """
        kept = np.floor(np.maximum(gaps - self.restart, 0.0) / (self.interval + self.save))
        return float(kept.sum() * self.interval / gaps.sum())


def draw_gaps(mean: float, shape: float, rng: np.random.Generator) -> Floats:
    """Return times between failures: Weibull with a mean and a shape; 1 is exponential."""
    return mean / gamma(1 + 1 / shape) * rng.weibull(shape, _FAILURES)


def trial_saves(asked: Assumptions, *, progress: Progress | None = None) -> tuple[Confirmation, ...]:
    """Draw the failures of the long job, and return the share of useful time, beside the formula.

    Parameters
    ----------
    asked : Assumptions
        The inputs of the plan.
    progress : callable, optional
        Called with the share done; returning False cancels.

    Returns
    -------
    tuple of Confirmation
        ``half``, ``young``, ``double``: Young's interval, half of it and twice, as the formula assumes the failures.
        ``clusters`` and ``whole_racks``: Young's interval with failures that cluster, and with racks.
    """
    number, plan = asked.number, plan_spares(asked)
    save, restart = (asked.duration_ms(slug) / _HOUR_MS for slug in ("save_time", "restart_time"))
    mtbf, young = plan.job_mtbf_h, plan.interval_h["young"]
    racked = mtbf / (1 - number("rack_share") * (1 - 1 / number("rack_nodes")))
    cases = {
        "half": (young / 2, mtbf, 1.0),
        "young": (young, mtbf, 1.0),
        "double": (2 * young, mtbf, 1.0),
        "clusters": (young, mtbf, number("failure_shape")),
        "whole_racks": (young, racked, 1.0),
    }
    found: dict[str, Confirmation] = {}
    for at, (name, (interval, mean, shape)) in enumerate(cases.items()):
        saving = Saving(interval, save, restart)
        drawn = each_seed(
            asked,
            lambda rng, saving=saving, mean=mean, shape=shape: saving.useful_share(draw_gaps(mean, shape, rng)),  # type: ignore[misc]
            step(progress, at, len(cases)),
        )
        formula = 1 / checkpoints.runtime_factor(interval, save, restart, mtbf)
        useful = estimate(drawn).within(0.0, 1.0)
        found[name] = Confirmation(name, "share", formula, None, useful, _saves_notes(name, asked, formula, useful))
    return tuple(found.values())


def _saves_notes(name: str, asked: Assumptions, formula: float, found: Estimate) -> tuple[Note, ...]:
    if found.holds(formula):
        return (say("plan.gap.agrees"),)
    told = {"found": Share(found.mean or 0.0), "formula": Share(formula)}
    if name == "clusters":
        is_better = (found.mean or 0.0) > formula
        return (
            say(f"plan.gap.{'clusters' if is_better else 'even_gaps'}", shape=asked.number("failure_shape"), **told),
        )
    if name == "whole_racks":
        return (say("plan.gap.fewer_stops", nodes=f"{asked.number('rack_nodes'):g}", **told),)
    return gap_notes(formula, found)
