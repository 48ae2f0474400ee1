"""The headline as data: who waits longest, why, and what stood idle meanwhile.

"Research waits 3.4 h on average: 15 % because the job itself did not fit its fence, 85 % in line behind one that did
not, while 1,780 GPUs outside stood idle." A page or a table turns the numbers into words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler_core.metrics._base import NOTHING, Value
from scheduler_core.metrics._summary import Summary
from scheduler_core.metrics._targets import TargetOutcome

ENOUGH_JOBS = 30
ENOUGH_SHARE = 0.2
"""A tenant or class is a headline if it has that many jobs, or that share of all jobs."""

VERDICT_METRICS = ("wait_mean", "wait_p50", "idle_outside_gpus", "utilisation", "goodput", "censored_share")
"""What a summary must hold for a verdict."""


@dataclass(frozen=True)
class Verdict:
    """What the first line of an answer says.

    Attributes
    ----------
    scope : str
        Key of the tenant (of the class where there is one tenant, else ``all``) with the longest mean wait, among
        those with enough jobs.
    n_jobs : int
        Its jobs.
    wait_mean, wait_p50 : Value
        Its wait in ms.
    causes : tuple of (str, float)
        Parts of its waiting time by cause, largest first; empty where nobody waited.
    order_behind : tuple of (str, float)
        What the job ahead waited for, as parts of the time booked `order`, largest first.
    idle_outside_gpus : Value
        Mean idle GPUs outside its pools while somebody waited for them; no number without a fence.
    utilisation, goodput, all_wait_mean : Value
        For the whole cluster.
    censored_share : float
        Share of the jobs of the scope that had not started by the end.
    passed, failed, unknown : int
        Number of targets in each state.
    """

    scope: str
    n_jobs: int
    wait_mean: Value
    wait_p50: Value
    causes: tuple[tuple[str, float], ...]
    order_behind: tuple[tuple[str, float], ...]
    idle_outside_gpus: Value
    utilisation: Value
    goodput: Value
    all_wait_mean: Value
    censored_share: float
    passed: int = 0
    failed: int = 0
    unknown: int = 0


def worst_scope(summary: Summary) -> str:
    """Return the key of the scope the headline is about; ties go to the first in the order of the tables."""
    keys = summary.scopes("tenant")
    if len(keys) < 2:
        keys = summary.scopes("class")
    if len(keys) < 2:
        return "all"
    enough = min(ENOUGH_JOBS, ENOUGH_SHARE * summary.jobs["all"])
    known = [key for key in keys if summary.jobs[key] >= max(enough, 1)]
    return max(known, key=lambda key: summary.value("wait_mean", key).value or 0.0, default="all")


def verdict(summary: Summary, targets: Sequence[TargetOutcome] = ()) -> Verdict:
    """Return the headline of a run.

    Parameters
    ----------
    summary : Summary
        The metrics, `VERDICT_METRICS` at least, with tenant, class and pool scopes.
    targets : sequence of TargetOutcome
        From `evaluate_targets`.

    Returns
    -------
    Verdict
        Numbers and slugs, no text.
    """
    scope = worst_scope(summary)
    fence = summary.fence_of.get(scope)
    states = [target.state for target in targets]
    return Verdict(
        scope=scope,
        n_jobs=summary.jobs.get(scope, 0),
        wait_mean=summary.value("wait_mean", scope),
        wait_p50=summary.value("wait_p50", scope),
        causes=tuple(summary.cause_shares(scope).items()),
        order_behind=tuple(summary.order_behind_shares(scope).items()),
        idle_outside_gpus=summary.value("idle_outside_gpus", fence) if fence else NOTHING,
        utilisation=summary.value("utilisation"),
        goodput=summary.value("goodput"),
        all_wait_mean=summary.value("wait_mean"),
        censored_share=summary.value("censored_share", scope).value or 0.0,
        passed=states.count("pass"),
        failed=states.count("fail"),
        unknown=states.count("unknown"),
    )
