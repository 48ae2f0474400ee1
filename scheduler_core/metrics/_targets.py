"""Targets: pass or fail with the room left, or unknown where the run cannot tell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scheduler_core.metrics._base import ScopeKind, Value
from scheduler_core.metrics._summary import Summary, all_metrics
from scheduler_core.scenario.targets import Target

Direction = Literal["at_most", "at_least"]
TargetState = Literal["pass", "fail", "unknown"]


@dataclass(frozen=True)
class TargetOutcome:
    """Whether a target holds.

    Attributes
    ----------
    metric, scope, unit : str
        What is measured, where, and the unit of `bound`, `value` and `margin` (ms for times).
    direction : str
        ``at_most`` or ``at_least``.
    bound : float
        The target.
    value : Value
        What was reached.
    state : str
        ``unknown`` where there is no number, or where the number is a lower bound and the truth may lie on the other
        side.
    margin : float, optional
        Room left; negative where the target is missed.
    """

    metric: str
    scope: str
    unit: str
    direction: Direction
    bound: float
    value: Value
    state: TargetState
    margin: float | None


def judge(value: Value, bound: float, direction: Direction) -> tuple[TargetState, float | None]:
    """Return whether a value keeps a bound, and the room left.

    Parameters
    ----------
    value : Value
        What was reached.
    bound : float
        The target, in the unit of the value.
    direction : str
        ``at_most`` or ``at_least``.

    Returns
    -------
    tuple of str and float
        The state and the margin.

    Examples
    --------
    >>> judge(Value(2.0), 3.0, "at_most")
    ('pass', 1.0)
    >>> judge(Value(2.0, is_lower_bound=True), 3.0, "at_most")
    ('unknown', 1.0)
    """
    if value.value is None:
        return "unknown", None
    margin = bound - value.value if direction == "at_most" else value.value - bound
    is_kept = margin >= 0
    # The truth may be larger: it can break an upper bound that looks kept, or keep a lower bound that looks missed.
    if value.is_lower_bound and is_kept == (direction == "at_most"):
        return "unknown", margin
    return ("pass" if is_kept else "fail"), margin


def scope_of(name: str | None, summary: Summary) -> str:
    """Return the scope key for the `of` of a target: a class, else a tenant, a pool or a band of sizes."""
    if name is None:
        return "all"
    kinds: tuple[ScopeKind, ...] = ("class", "tenant", "pool", "size")
    keys = [name, *(f"{kind}:{name}" for kind in kinds)]
    return next((key for key in keys if key in summary.jobs), f"class:{name}")


def evaluate_targets(targets: Sequence[Target], summary: Summary) -> tuple[TargetOutcome, ...]:
    """Return whether each target holds.

    Parameters
    ----------
    targets : sequence of Target
        Those of a scenario.
    summary : Summary
        The metrics of its run, or the means over its replications.

    Returns
    -------
    tuple of TargetOutcome
        In the order of the targets; a target with both bounds gives two.
    """
    metrics = all_metrics()
    found = []
    for target in targets:
        scope = scope_of(target.of, summary)
        value = summary.value(target.metric, scope)
        unit = metrics[target.metric].unit if target.metric in metrics else ""
        bounds: tuple[tuple[Direction, float | None], ...] = (
            ("at_most", target.at_most),
            ("at_least", target.at_least),
        )
        for direction, bound in bounds:
            if bound is not None:
                state, margin = judge(value, bound, direction)
                found.append(TargetOutcome(target.metric, scope, unit, direction, bound, value, state, margin))
    return tuple(found)
