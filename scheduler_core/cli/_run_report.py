"""What ``--run`` prints before the topics: the figures that the runs give, and what they become."""

from typing import TYPE_CHECKING

from scheduler_core.cli._tables import say_estimate, say_interval, table
from scheduler_core.economics.assumptions import Assumptions

if TYPE_CHECKING:
    from scheduler_core.studies._estimate import Estimate
    from scheduler_core.studies.measured import MeasuredRuns

_USED = {"utilisation_share": "GPU time allocated", "lost_share": "of that lost"}
_MONEY = {
    "own_usd_per_kept_gpu_h": "an owned GPU hour whose work is kept, USD",
    "lost_usd_per_kept_gpu_h": "of that for lost work, USD",
    "wait_usd_per_day": "waiting of all jobs in a day, at wait_usd_per_h, USD",
    "late_usd_per_day": "penalty for jobs over wait_limit_s in a day, at late_usd_per_request, USD",
}
_LOAD = {
    "asked_gpus": ("GPUs asked for", ""),
    "jobs_per_day": ("jobs a day", ""),
    "mean_gpus": ("GPUs of a job, weighted with its run time", ""),
    "run_time_ms": ("mean run time", "ms"),
    "run_time_scv": ("spread of run times", ""),
}


def _table(found: "MeasuredRuns", rows: "list[tuple[str, Estimate, str]]") -> str:
    n_runs = len(found.runs)
    head = (f"from {n_runs} {'run' if n_runs == 1 else 'runs'}", "mean", "95 %")
    return table(head, [(name, say_estimate(each, unit), say_interval(each, unit) or "-") for name, each, unit in rows])


def money_text(found: "MeasuredRuns", asked: Assumptions) -> str:
    """Return mean and 95 % interval of use, lost work and the money they become, for people."""
    figures, money = found.figures, found.money(asked)
    rows = [(name, figures[slug], "share") for slug, name in _USED.items()]
    rows.append(("jobs that wait longer than wait_limit_s", found.late_share(asked), "share"))
    return _table(found, [*rows, *((name, money[slug], "") for slug, name in _MONEY.items())])


def money_document(found: "MeasuredRuns", asked: Assumptions) -> dict[str, object]:
    """Return the same for machines, with the mean wait in s."""
    late = {"late_share": found.late_share(asked)}
    return {"runs": len(found.runs), **found.figures, **late, **found.money(asked)}


def load_text(found: "MeasuredRuns") -> str:
    """Return mean and 95 % interval of what the jobs ask for, of use and of the wait, for people."""
    loads = found.loads
    rows = [(name, loads[slug], unit) for slug, (name, unit) in _LOAD.items()]
    used = ("GPU time allocated", found.shares["utilisation_share"], "share")
    return _table(found, [*rows, used, ("mean wait", found.wait_ms, "ms")])


def load_document(found: "MeasuredRuns") -> dict[str, object]:
    """Return the same for machines."""
    shares = found.shares["utilisation_share"]
    return {"runs": len(found.runs), **found.loads, "utilisation_share": shares, "wait_ms": found.wait_ms}
