"""What runs say to the money formulas: use, lost work and wait, beside the formula for one pool of equal jobs."""

from dataclasses import dataclass

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.measured import Measured, pooled_wait_s
from scheduler_core.economics.owning import own
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import Summary
from scheduler_core.result import Result
from scheduler_core.scenario import Report, Scenario, check
from scheduler_core.studies._estimate import Estimate, estimate
from scheduler_core.studies.replicate import Progress, Simulate, replicate


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


@dataclass(frozen=True)
class MeasuredRuns:
    """What all replications of a scenario give the inputs of `price`.

    Attributes
    ----------
    runs : tuple of Measured
        One a replication, in order; at least one.
    """

    runs: tuple[Measured, ...]

    @property
    def shares(self) -> dict[str, Estimate]:
        """The inputs of the table that the runs give, by their names there, over the replications."""
        return {
            slug: estimate([run.shares[slug] for run in self.runs]).within(0.0, 1.0) for slug in self.runs[0].shares
        }

    @property
    def figures(self) -> dict[str, Estimate]:
        """Use and lost work as shares, and the mean wait in s, over the replications."""
        wait = estimate([run.wait_s for run in self.runs], is_lower_bound=any(run.is_bound for run in self.runs))
        return {**self.shares, "wait_s": wait.within(0.0, None)}

    def changes(self) -> dict[str, object]:
        """Return the inputs that the runs give: means, rounded to a thousandth."""
        return {slug: round(share.mean or 0.0, 3) for slug, share in self.shares.items()}

    def money(self, asked: Assumptions) -> dict[str, Estimate]:
        """Return what the figures become in USD, priced replication by replication.

        Parameters
        ----------
        asked : Assumptions
            Every other input.

        Returns
        -------
        dict
            ``own_usd_per_kept_gpu_h``, an owned GPU hour whose work is kept, and ``lost_usd_per_kept_gpu_h``, the
            part of it that pays for lost work.

        Raises
        ------
        InputError
            If no GPU was in use, or all work was lost: then no hour is kept.
        """
        prices = [own(asked.change(dict(run.shares))).usd_per_useful_gpu_h for run in self.runs]
        lost = [usd * run.lost for usd, run in zip(prices, self.runs, strict=True)]
        return {
            "own_usd_per_kept_gpu_h": estimate(prices).within(0.0, None),
            "lost_usd_per_kept_gpu_h": estimate(lost).within(0.0, None),
        }


def measure_runs(
    scenario: Scenario,
    *,
    log: JobTable | None = None,
    progress: Progress | None = None,
    simulate: Simulate | None = None,
) -> MeasuredRuns:
    """Run every replication of a scenario and return what they give the inputs of `price`.

    Parameters
    ----------
    scenario : Scenario
        What to run; once where nothing is drawn.
    log : JobTable, optional
        Jobs of the log it replays.
    progress, simulate : callable, optional
        As for `replicate`.
    """
    found: list[Measured] = []

    def keep(run: Result, summary: Summary) -> None:
        found.append(measure(run, summary, check(scenario, run.table)))

    replicate(scenario, log=log, progress=progress, simulate=simulate, scopes=("all",), keep=keep)
    return MeasuredRuns(tuple(found))
