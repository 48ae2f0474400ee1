"""What runs say to the money formulas: use, lost work and wait, beside the formula for one pool of equal jobs."""

from collections import Counter
from dataclasses import dataclass, fields

import numpy as np

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.losses import late_penalty_usd
from scheduler_core.economics.measured import JobLoad, Measured, pooled_wait_s
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
    load = job_load(run.table, report)
    waited_for = (*summary.order_behind_shares(), *summary.cause_shares())
    has_jobs = load.jobs_per_day > 0 and load.asked_gpus > 0
    return Measured(
        utilisation=used,
        lost=max(0.0, 1 - kept / used) if used else 0.0,
        wait_s=(wait.value or 0.0) / 1_000,
        is_bound=wait.is_lower_bound,
        formula_wait_s=pooled_wait_s(run.healthy_gpus, load.asked_gpus, load.jobs_per_day, load.mean_gpus)
        if has_jobs
        else 0.0,
        load=load,
        cause=next((name for name in waited_for if name != "order"), "capacity"),
        waits_ms=np.sort(run.wait_ms[run.is_counted]),
    )


def job_load(table: JobTable, report: Report) -> JobLoad:
    """Return what the jobs of a table ask for; a table without jobs asks for nothing.

    Parameters
    ----------
    table : JobTable
        The jobs.
    report : Report
        What `check` says about them.
    """
    asked, per_day = (sum(getattr(pool, name) for pool in report.pools) for name in ("asked_gpus", "jobs_per_day"))
    times_ms, gpus = table.jobs.runtime_ms.astype(np.float64), table.jobs.gpus
    total_ms = float(times_ms.sum())
    if not total_ms:
        return JobLoad(asked, per_day, 1.0, 0.0, 1.0)
    mean_ms = total_ms / times_ms.size
    size = float((gpus * times_ms).sum()) / total_ms
    return JobLoad(asked, per_day, size, mean_ms, float(times_ms.var()) / mean_ms**2)


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
    def loads(self) -> dict[str, Estimate]:
        """What the jobs ask for, by the names of `JobLoad`, over the replications."""
        names = [each.name for each in fields(JobLoad)]
        return {name: estimate([getattr(run.load, name) for run in self.runs]).within(0.0, None) for name in names}

    @property
    def mean_load(self) -> JobLoad:
        """What the jobs ask for, on average over the replications."""
        return JobLoad(**{name: each.mean or 0.0 for name, each in self.loads.items()})

    @property
    def wait_ms(self) -> Estimate:
        """Mean wait over the replications."""
        waits = [1_000 * run.wait_s for run in self.runs]
        return estimate(waits, is_lower_bound=any(run.is_bound for run in self.runs)).within(0.0, None)

    @property
    def cause(self) -> str:
        """What most of the waiting comes from in most replications."""
        return Counter(run.cause for run in self.runs).most_common(1)[0][0]

    @property
    def formula_wait_ms(self) -> float | None:
        """Mean wait of one pool of equal jobs; None where its line grows for ever in any replication."""
        known = [1_000 * run.formula_wait_s for run in self.runs if run.formula_wait_s is not None]
        return sum(known) / len(known) if len(known) == len(self.runs) else None

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
            ``own_usd_per_kept_gpu_h``, an owned GPU hour whose work is kept, ``lost_usd_per_kept_gpu_h``, the part of
            it that pays for lost work, and ``wait_usd_per_day`` and ``late_usd_per_day``, see the methods.

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
            "wait_usd_per_day": self.wait_usd_per_day(asked),
            "late_usd_per_day": self.late_usd_per_day(asked),
        }

    def wait_usd_per_day(self, asked: Assumptions) -> Estimate:
        """Return what the waiting of a day costs: jobs a day, their mean wait, and the price of an hour of waiting.

        Parameters
        ----------
        asked : Assumptions
            `wait_usd_per_h` is the price, for one job.
        """
        usd = asked.number("wait_usd_per_h")
        costs = [usd * run.load.jobs_per_day * run.wait_s / 3_600 for run in self.runs]
        return estimate(costs, is_lower_bound=any(run.is_bound for run in self.runs)).within(0.0, None)

    def late_share(self, asked: Assumptions) -> Estimate:
        """Return the share of jobs that miss the promised wait, `wait_limit_s`."""
        return estimate([run.late_share(asked.number("wait_limit_s")) for run in self.runs]).within(0.0, 1.0)

    def late_usd_per_day(self, asked: Assumptions) -> Estimate:
        """Return the penalty of a day: jobs that miss the promised wait, each at `late_usd_per_request`."""
        limit_s, usd = asked.number("wait_limit_s"), asked.number("late_usd_per_request")
        costs = [late_penalty_usd(usd, run.load.jobs_per_day, run.late_share(limit_s)) for run in self.runs]
        return estimate(costs).within(0.0, None)


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
