"""The order by cost of delay, run: one team, the work one after the other, in the simulator.

Each replication draws how long every piece of work really takes, around what was said. It runs in the order of the rule
and in the opposite one; by the linearity of the cost, both formulas hold on average whatever the spread. Beside it:
whether any other order would be cheaper (all are tried, up to eight pieces), and what knowing the true durations first
would save.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.delay import Ordering, Work, best_order, delay_cost, delays
from scheduler_core.economics.notes import Note, say
from scheduler_core.kernels.tables import DAY_MS
from scheduler_core.scenario import Scenario, load
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies._trial import each_seed
from scheduler_core.studies.plan_confirm import Confirmation, gap_notes
from scheduler_core.studies.replicate import Progress, Simulate

_WEEKS = 20
"""Rounds a replication."""
_MOST_PERMUTED = 8


def confirm_delay(
    asked: Assumptions, *, progress: Progress | None = None, simulate: Simulate | None = None
) -> tuple[Confirmation, ...]:
    """Run the work in the order of the rule and in the opposite one, and return what all delay costs.

    Parameters
    ----------
    asked : Assumptions
        The inputs; `spread_share` is how far a piece of work may be from the days that are said.
    progress : callable, optional
        Called with the share done; returning False cancels.
    simulate : callable, optional
        Runs one scenario; `api.simulate` by default.

    Returns
    -------
    tuple of Confirmation
        USD: ``order_rule`` and ``order_opposite``.
    """
    from scheduler_core.api import simulate as run  # noqa: PLC0415  (loads the kernels)

    plan, spread, simulate = delays(asked)[0], asked.number("spread_share"), simulate or run

    def draw(rng: np.random.Generator) -> tuple[float, float, float]:
        rounds = []
        for _ in range(_WEEKS):
            true = [Work(w.name, w.usd_per_day, w.days * (1 + spread * rng.uniform(-1, 1))) for w in plan.order]
            costs = [run_cost(order, simulate) for order in (true, true[::-1])]
            rounds.append((*costs, best_order(true).usd))
        rule, opposite, known = np.mean(rounds, axis=0)
        return float(rule), float(opposite), float(known)

    drawn = each_seed(asked, draw, progress)
    rule, opposite, known = (estimate([each[at] for each in drawn]) for at in range(3))
    notes = (*gap_notes(plan.usd, rule), *_beside(plan, rule, known))
    return (
        Confirmation("order_rule", "usd", plan.usd, None, rule, notes),
        Confirmation("order_opposite", "usd", plan.worst_usd, None, opposite,
                     gap_notes(plan.worst_usd, opposite)),
    )  # fmt: skip


def _beside(plan: Ordering, rule: Estimate, known: Estimate) -> Iterator[Note]:
    if 1 < len(plan.order) <= _MOST_PERMUTED:
        costs = [delay_cost(order) for order in permutations(plan.order)]
        yield say("money.gap.permuted", n=len(costs), best=min(costs), usd=plan.usd)
    yield say("money.gap.known", saved=round(max(0.0, (rule.mean or 0.0) - (known.mean or 0.0)), 2))


def run_cost(order: Sequence[Work], simulate: Simulate) -> float:
    """Return the cost of all delay in USD, from the times at which the simulator finishes the work.

    Parameters
    ----------
    order : sequence of Work
        First to last; all is there from the start.
    simulate : callable
        Runs a scenario.
    """
    found = simulate(order_scenario(order))
    finish = found.outcome.finish_ms
    return sum(work.usd_per_day * float(at) / DAY_MS for work, at in zip(order, finish, strict=True))


def order_scenario(order: Sequence[Work]) -> Scenario:
    """Return a scenario in which one team does the work in this order."""
    jobs = [
        {
            "id": f"{at}",
            "submit": "0s",
            "duration": f"{max(1, round(work.days * DAY_MS))}ms",
            "gpus": 1,
            "tenant": "all",
        }
        for at, work in enumerate(order)
    ]
    return load(
        {
            "headroom": 1,
            "name": "order",
            "cluster": {"pools": [{"name": "team", "gpu": "any", "zones": {"z": 1}, "gpus_per_node": 1}]},
            "tenants": [{"name": "all"}],
            "workload": {"arrivals": {"jobs": jobs}},
            "policy": {"order": "fifo", "discipline": "strict", "placement": "counted"},
            "run": {"days": 1, "drain": True},
        }
    )
