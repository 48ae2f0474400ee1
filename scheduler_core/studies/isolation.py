"""Each tenant alone on its own quota: what sharing cost it, and whom.

One more run a tenant, with the same jobs: the tenant is the only one, and its pools are cut to the GPUs it is entitled
to (`nominal_gpus`, else its part by weight), whole nodes first and one smaller node for the rest. Then job by job:

- *sharing anomaly*: the job waited over one minute longer than alone (Zhao et al., "HiveD", OSDI 2020);
  isolation = 1 - share of such jobs. A job too large for the quota never runs alone, so sharing cannot have cost it
  anything: it counts as not worse off.
- *finish-time fairness* rho = (finish - submit) / (the same alone) (Mahajan et al., "Themis", NSDI 2020); over 1.1
  the tenant would have been better off with its own part. It covers the jobs that finished alone.

A job that has not ended in the shared run enters with what it has reached so far, which is a lower bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scheduler_core.errors import KernelError
from scheduler_core.kernels.tables import Int64, JobTable
from scheduler_core.metrics import Value, mean, tenants_due
from scheduler_core.phrases import Phrase
from scheduler_core.result import FINISHED, PENDING, RUNNING, UNSCHEDULABLE, Provenance, Result
from scheduler_core.scenario import Scenario, run_hash, scenario_hash
from scheduler_core.scenario.cluster import Pool
from scheduler_core.scenario.fences import pools_of
from scheduler_core.scenario.quotas import PRESET_FIELDS
from scheduler_core.studies.replicate import Progress, step

SLACK_MS = 60_000
"""A wait longer by no more than this is no anomaly."""

WORSE_OFF = 1.1
"""A finish-time ratio above this says that the tenant would have been better off alone."""


class RunTable(Protocol):
    """How the study runs given jobs in a scenario; `run_table` by default."""

    def __call__(self, scenario: Scenario, table: JobTable, replication: int, progress: Progress | None, /) -> Result:
        """Return the result."""


@dataclass(frozen=True)
class JobsAlone:
    """The jobs of one tenant in the shared run against the run alone.

    Attributes
    ----------
    n_jobs : int
        Jobs that job metrics cover.
    n_too_large : int
        Those among them that can never run alone.
    n_longer, n_undecided : int
        Those that waited over a minute longer than alone, and those that wait so short so far that one cannot tell.
    rho : float64, shape (n_rho,)
        Finish-time ratios of the jobs that finished alone, smallest first.
    is_open : bool, shape (n_rho,)
        Whether the job has not ended in the shared run, so that its ratio can still grow.
    """

    n_jobs: int
    n_too_large: int
    n_longer: int
    n_undecided: int
    rho: NDArray[np.float64]
    is_open: NDArray[np.bool_]


@dataclass(frozen=True)
class Alone:
    """What sharing cost one tenant, or all together.

    Attributes
    ----------
    tenant : str
        Name; empty for all together.
    gpus : int
        GPUs it had alone; their sum for all together.
    n_jobs, n_too_large : int
        Jobs compared, and those among them that can never run alone.
    sharing_anomaly_share : Value
        Share of jobs that waited over a minute longer than alone; 0 to 1, lower is better.
    isolation : Value
        1 - that share; 0 to 1, higher is better. The truth may be smaller where the share is a lower bound.
    finish_time_fairness_max : Value
        Largest finish-time ratio; from 0, lower is better.
    finish_time_unfair_share : Value
        Share of jobs whose ratio is over 1.1; 0 to 1, lower is better.
    """

    tenant: str
    gpus: int
    n_jobs: int
    n_too_large: int
    sharing_anomaly_share: Value
    isolation: Value
    finish_time_fairness_max: Value
    finish_time_unfair_share: Value


@dataclass(frozen=True)
class IsolationStudy:
    """What sharing cost: all tenants together, and each."""

    everybody: Alone
    tenants: tuple[Alone, ...]


def compare_alone(shared: Result, alone: Result, tenant: str) -> JobsAlone:
    """Compare the jobs of a tenant in two runs; a pure function of the results.

    Parameters
    ----------
    shared : Result
        The run of everybody.
    alone : Result
        The run of the tenant alone, with the same jobs in the same order.
    tenant : str
        Its name.

    Returns
    -------
    JobsAlone
        Of the jobs that job metrics of the shared run cover.

    Raises
    ------
    KernelError
        If the runs do not have the same jobs.
    """
    rows = rows_of(shared.table, tenant)
    submit_ms = shared.table.jobs.submit_ms[rows]
    if not np.array_equal(submit_ms, alone.table.jobs.submit_ms):
        raise KernelError(Phrase("the run of {tenant!r} alone has other jobs than the shared run", tenant=tenant))
    counts = shared.is_counted[rows]
    rows, alone_rows, submit_ms = rows[counts], np.flatnonzero(counts), submit_ms[counts]
    state, alone_state = shared.outcome.state[rows], alone.outcome.state[alone_rows]
    is_too_large = alone_state == UNSCHEDULABLE
    longer = ~is_too_large & (shared.waited_ms[rows] > alone.waited_ms[alone_rows] + SLACK_MS)
    is_open = np.isin(state, (PENDING, RUNNING))
    end_ms = np.where(is_open, shared.outcome.end_ms, shared.outcome.finish_ms[rows])
    alone_ms = alone.outcome.finish_ms[alone_rows] - submit_ms
    known = (alone_state == FINISHED) & (alone_ms > 0) & (is_open | (state == FINISHED))
    rho = (end_ms - submit_ms)[known] / alone_ms[known]
    order = np.argsort(rho, kind="stable")
    return JobsAlone(
        n_jobs=int(rows.shape[0]),
        n_too_large=int(np.count_nonzero(is_too_large)),
        n_longer=int(np.count_nonzero(longer)),
        n_undecided=int(np.count_nonzero((state == PENDING) & ~longer & ~is_too_large)),
        rho=rho[order],
        is_open=is_open[known][order],
    )


def isolation(shared: Result, *, progress: Progress | None = None, run: RunTable | None = None) -> IsolationStudy:
    """Run each tenant alone on its quota and compare job by job.

    Parameters
    ----------
    shared : Result
        The run of everybody.
    progress : callable, optional
        Called with the share done; returning False cancels.
    run : callable, optional
        Runs given jobs; the engine by default.

    Returns
    -------
    IsolationStudy
        Tenants that asked for something, in the order of the job table. Parts by weight are rounded down to whole GPUs.

    Raises
    ------
    CancelledError
        If `progress` returned False.
    """
    start = run or run_table
    due = tenants_due(shared)
    found = []
    for at, (tenant, gpus) in enumerate(due.items()):
        asked = alone_scenario(shared.scenario, tenant, int(gpus + 1e-6))
        table = alone_table(shared.table, tenant)
        result = start(asked, table, shared.provenance.replication, step(progress, at, len(due)))
        found.append((tenant, asked.cluster.gpus, compare_alone(shared, result, tenant)))
    everybody = _measure("", sum(gpus for _, gpus, _ in found), [jobs for _, _, jobs in found])
    return IsolationStudy(everybody, tuple(_measure(tenant, gpus, [jobs]) for tenant, gpus, jobs in found))


def _measure(tenant: str, gpus: int, parts: Sequence[JobsAlone]) -> Alone:
    def total(count: Callable[[JobsAlone], int]) -> int:
        return sum(count(part) for part in parts)

    n_jobs = total(lambda part: part.n_jobs)
    anomaly = mean(total(lambda part: part.n_longer), n_jobs, total(lambda part: part.n_undecided))
    rho = np.concatenate([part.rho for part in parts]) if parts else np.zeros(0)
    is_open = np.concatenate([part.is_open for part in parts]) if parts else np.zeros(0, bool)
    worse = rho > WORSE_OFF
    n_open = int(np.count_nonzero(is_open))
    return Alone(
        tenant=tenant,
        gpus=gpus,
        n_jobs=n_jobs,
        n_too_large=total(lambda part: part.n_too_large),
        sharing_anomaly_share=anomaly,
        isolation=Value(None if anomaly.value is None else 1 - anomaly.value),
        finish_time_fairness_max=Value(float(rho.max()) if rho.shape[0] else None, n_open > 0),
        finish_time_unfair_share=mean(
            int(np.count_nonzero(worse)), int(rho.shape[0]), int(np.count_nonzero(is_open & ~worse))
        ),
    )


def rows_of(table: JobTable, tenant: str) -> Int64:
    """Return the rows of a tenant's jobs, int64, ascending."""
    return np.flatnonzero(table.jobs.tenant == table.tenants.index(tenant))


def alone_table(table: JobTable, tenant: str) -> JobTable:
    """Return the jobs of one tenant as a table in which it is the only tenant."""
    rows = rows_of(table, tenant)
    jobs = table.jobs._replace(**{name: column[rows] for name, column in table.jobs._asdict().items()})
    ids = None if table.ids is None else tuple(table.ids[row] for row in rows.tolist())
    jobs = jobs._replace(tenant=np.zeros(rows.shape[0], np.int32))
    n_backlog = int(np.count_nonzero(rows < table.n_backlog))
    offered = None if table.offered is None else table.offered[rows]
    return JobTable(jobs, (tenant,), table.classes, table.type_sets, ids, n_backlog, offered=offered)


def alone_scenario(scenario: Scenario, tenant: str, gpus: int) -> Scenario:
    """Return the scenario with one tenant and its pools cut to `gpus`; nothing is reserved for others.

    Parameters
    ----------
    scenario : Scenario
        That of everybody.
    tenant : str
        Who is left.
    gpus : int
        GPUs it is entitled to; not more than its pools have are given.

    Returns
    -------
    Scenario
        Same workload, order, discipline and placement.
    """
    pools = pools_of(scenario, tenant)
    sizes = _parts([pool.gpus for pool in pools], min(gpus, sum(pool.gpus for pool in pools)))
    cut = [part for pool, size in zip(pools, sizes, strict=True) for part in _cut(pool, size)]
    own = next(found for found in scenario.tenants if found.name == tenant)
    size = sum(sizes)
    only = own.model_copy(update={"pool": None, "parent": None, "nominal_gpus": size, **dict.fromkeys(PRESET_FIELDS)})
    return scenario.model_copy(
        update={
            "cluster": scenario.cluster.model_copy(update={"pools": tuple(cut)}),
            "tenants": (only,),
            "policy": scenario.policy.model_copy(update={"isolation": "none", "reserve": None}),
            "targets": (),
        }
    )


def _cut(pool: Pool, gpus: int) -> list[Pool]:
    """Return a pool cut to `gpus`: whole nodes spread over its zones, and one smaller node for the rest."""
    whole, rest = divmod(gpus, pool.gpus_per_node)
    nodes = _parts(list(pool.zones.values()), whole)
    found = []
    if whole:
        zones = {zone: count for zone, count in zip(pool.zones, nodes, strict=True) if count}
        found.append(pool.model_copy(update={"zones": zones}))
    if rest:
        zone = next(iter(pool.zones))
        name = f"{pool.name} rest"
        found.append(pool.model_copy(update={"name": name, "zones": {zone: 1}, "gpus_per_node": rest}))
    return found


def _parts(sizes: Sequence[int], wanted: int) -> list[int]:
    """Return whole parts of the sizes that sum to `wanted`, in proportion; largest remainders first, then order."""
    total = max(sum(sizes), 1)
    parts = [size * wanted // total for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda at: -(sizes[at] * wanted % total))
    for at in by_remainder[: wanted - sum(parts)]:
        parts[at] += 1
    return parts


def run_table(scenario: Scenario, table: JobTable, replication: int, progress: Progress | None) -> Result:
    """Run the jobs of a table with the engine."""
    from scheduler_core import api  # noqa: PLC0415  loads (or compiles) the kernels
    from scheduler_core.engine.run import run  # noqa: PLC0415

    outcome = run(scenario, table, progress=progress)
    hashes = (scenario_hash(scenario), run_hash(scenario, api.ENGINE_VERSION, replication))
    provenance = Provenance(*hashes, api.ENGINE_VERSION, scenario.run.seed, replication)
    return Result(scenario, table, outcome, provenance)
