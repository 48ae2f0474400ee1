"""What a run says to the money formulas: use, lost work and wait, beside the formula for one pool of equal jobs."""

from scheduler_core.economics.measured import Measured, pooled_wait_s
from scheduler_core.metrics import Summary
from scheduler_core.result import Result
from scheduler_core.scenario import Report


def measure(run: Result, summary: Summary, report: Report) -> Measured:
    """Return what a run gives the inputs of `price`.

    Parameters
    ----------
    run : Result
        A run.
    summary : Summary
        Its metrics.
    report : Report
        What `check` says about its scenario and jobs.

    Returns
    -------
    Measured
        Utilisation is allocated GPU time over all; lost is the part of it whose work was not kept.
    """
    used, kept = (summary.value(slug).value or 0.0 for slug in ("utilisation", "goodput"))
    wait = summary.value("wait_mean")
    asked, per_day = (sum(getattr(pool, name) for pool in report.pools) for name in ("asked_gpus", "jobs_per_day"))
    jobs = run.table.jobs
    hours = float(jobs.runtime_ms.sum())
    size = float((jobs.gpus * jobs.runtime_ms.astype(float)).sum()) / hours if hours else 1.0
    return Measured(
        utilisation=used,
        lost=max(0.0, 1 - kept / used) if used else 0.0,
        wait_s=(wait.value or 0.0) / 1_000,
        is_bound=wait.is_lower_bound,
        formula_wait_s=pooled_wait_s(run.healthy_gpus, asked, per_day, size) if per_day > 0 and asked > 0 else 0.0,
    )
