"""From a scenario to the capacity plan and back: what its runs say to the inputs, and its cluster in another size."""

import math

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.notes import Time, say
from scheduler_core.economics.plan_size import plan_size
from scheduler_core.errors import InputError
from scheduler_core.phrases import Phrase
from scheduler_core.scenario import Scenario
from scheduler_core.studies.measured import MeasuredRuns
from scheduler_core.studies.plan_confirm import Confirmation
from scheduler_core.units import MS_PER_UNIT, write_duration

FAR = 2.0
"""A wait that many times the other is called far from it."""
_LEAST_MS = 1_000.0
_DIGITS = 4


def plan_changes(scenario: Scenario, found: MeasuredRuns) -> dict[str, object]:
    """Return the inputs of the capacity plan that a scenario and its runs give, with four significant digits.

    Parameters
    ----------
    scenario : Scenario
        What was run.
    found : MeasuredRuns
        Its replications.

    Returns
    -------
    dict
        Input -> value. Slots are as large as the mean job, weighted with its run time, so that slots times jobs at a
        time is the work that is asked for.

    Raises
    ------
    InputError
        If no job comes, so that there is nothing to plan for.
    """
    mean = found.mean_load
    if not mean.jobs_per_day > 0 or not mean.run_time_ms > 0:
        raise InputError(
            Phrase("the jobs a day of the scenario"), round(mean.jobs_per_day, 3), Phrase("above 0, with time to run")
        )
    gpus, used = scenario.cluster.gpus, found.shares["utilisation_share"].mean or 0.0
    zones = {zone for pool in scenario.cluster.pools for zone, nodes in pool.zones.items() if nodes}
    changes: dict[str, object] = {
        "slots_now": max(1, int(gpus // mean.mean_gpus)),
        "job_gpus": _rounded(mean.mean_gpus),
        "jobs_per_day": _rounded(mean.jobs_per_day),
        "run_time": _duration(mean.run_time_ms),
        "run_time_scv": _rounded(mean.run_time_scv),
        "capacity_now_gpus": gpus,
        "spare_nodes_of": scenario.cluster.nodes,
        "zone_load_jobs": _rounded(mean.asked_gpus / mean.mean_gpus),
        "burst_load_gpus": _rounded(mean.asked_gpus),
    }
    if used > 0:
        changes |= {"demand_now_gpus": _rounded(used * gpus), "zone_need_gpus": _rounded(used * gpus)}
        changes |= {"used_before_share": _rounded(used)}
    if len(zones) > 1:
        changes["zones"] = len(zones)
    return changes


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _duration(time_ms: float) -> str:
    """Return a duration to the second, or to the millisecond below ten minutes."""
    grain = MS_PER_UNIT["s"] if time_ms >= 10 * MS_PER_UNIT["min"] else 1
    return write_duration(max(1, round(time_ms / grain) * grain))


def confirm_today(asked: Assumptions, found: MeasuredRuns) -> Confirmation | None:
    """Return the wait of the runs beside that of one line of equal slots, as the plan takes it for today.

    Parameters
    ----------
    asked : Assumptions
        The inputs, with what `plan_changes` gives.
    found : MeasuredRuns
        The runs.

    Returns
    -------
    Confirmation, optional
        None where the formula has no finite wait.
    """
    plan = plan_size(asked.change({"wait_measure": "mean"}))
    formula, wait = plan.now, found.wait_ms
    if formula is None:
        return None
    ours, theirs = max(wait.mean or 0.0, _LEAST_MS), max(formula, _LEAST_MS)
    key = "far" if ours > FAR * theirs else "below" if theirs > FAR * ours else "near"
    note = say(f"plan.gap.run_{key}", wait=Time(wait.mean or 0.0), formula=Time(formula))
    return Confirmation("today", "ms", formula, None, wait, (note,))


def resize(scenario: Scenario, gpus: int) -> dict[str, str]:
    """Return the changes that bring the cluster of a scenario to at least some GPUs.

    Parameters
    ----------
    scenario : Scenario
        Whose pools keep their share of the cluster, and whose zones keep their share of the pool.
    gpus : int
        Wanted.

    Returns
    -------
    dict
        Path -> text, as `apply` takes it; whole nodes, so that a pool may have a few GPUs more.

    Raises
    ------
    InputError
        If `gpus` is not above 0.
    """
    if gpus <= 0:
        raise InputError(Phrase("the GPUs of the scenario"), gpus, Phrase("above 0"))
    have, changes = scenario.cluster.gpus, {}
    for pool in scenario.cluster.pools:
        nodes = math.ceil(gpus * pool.gpus / have / pool.gpus_per_node - 1e-9)
        zones = split(nodes, pool.zones)
        changes[f"cluster.pools.{pool.name}.zones"] = (
            "{" + ", ".join(f"{name}: {count}" for name, count in zones.items()) + "}"
        )
    return changes


def split(whole: int, parts: dict[str, int]) -> dict[str, int]:
    """Return whole numbers that add up to `whole` in proportion to `parts`; what is left goes to the largest rests.

    Examples
    --------
    >>> split(10, {"a": 2, "b": 2, "c": 2}), split(1, {"a": 0, "b": 5})
    ({'a': 4, 'b': 3, 'c': 3}, {'a': 0, 'b': 1})
    """
    total = sum(parts.values())
    exact = {name: whole * part / total for name, part in parts.items()}
    found = {name: int(part) for name, part in exact.items()}
    rests = sorted(exact, key=lambda name: found[name] - exact[name])
    for name in rests[: whole - sum(found.values())]:
        found[name] += 1
    return found
