"""One scenario, two engines, one shape of answer, so that tests can compare or judge both.

The twin gets its input from the scenario and the job table alone; nothing of the engine is used for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.kernels.tables import CAUSES, NO_LIMIT_MS, STATES, JobTable
from scheduler_core.scenario import Scenario
from tests import builders
from tests.oracle import naive


@dataclass(frozen=True)
class Seen:
    """What happened to each job, in row order: times in ms, -1 for never; waits as {cause: ms} without zeros."""

    start: list[int]
    finish: list[int]
    state: list[str]
    causes: list[dict[str, int]]
    order_behind: dict[str, dict[str, int]]
    places: list[dict[int, int]]
    end: int


def engine(scenario: Scenario, table: JobTable | None = None, *, slice_events: int | None = None) -> Seen:
    """Run the real engine."""
    from scheduler_core.engine.run import run

    table = builders.table(scenario) if table is None else table
    outcome = run(scenario, table, record_placements=True, slice_events=slice_events)
    assert outcome.placements is not None
    places: list[dict[int, int]] = [{} for _ in range(table.n_jobs)]
    placed = outcome.placements
    for row, node, gpus in zip(placed.row.tolist(), placed.node.tolist(), placed.gpus.tolist(), strict=True):
        assert node not in places[row], "one row a job and node"
        places[row][node] = gpus
    return Seen(
        start=outcome.start_ms.tolist(),
        finish=outcome.finish_ms.tolist(),
        state=[STATES[code] for code in outcome.state.tolist()],
        causes=[_without_zeros(dict(zip(CAUSES, line, strict=True))) for line in outcome.cause_ms.tolist()],
        order_behind={
            name: kept
            for name, line in zip(table.classes, outcome.order_behind_ms.tolist(), strict=True)
            if (kept := _without_zeros(dict(zip(CAUSES, line, strict=True))))
        },
        places=places,
        end=outcome.end_ms,
    )


def twin(scenario: Scenario, table: JobTable | None = None) -> Seen:
    """Run the slow, obvious engine."""
    table = builders.table(scenario) if table is None else table
    result = twin_result(scenario, table)
    return Seen(
        start=result.start,
        finish=result.finish,
        state=result.state,
        causes=[_without_zeros(waited) for waited in result.causes],
        order_behind={table.classes[k]: _without_zeros(sums) for k, sums in result.order_behind.items()},
        places=[result.placements.get(row, {}) for row in range(table.n_jobs)],
        end=result.end,
    )


ENGINES: Mapping[str, Callable[[Scenario], Seen]] = {"engine": engine, "twin": twin}
"""Who is judged by a hand-worked timeline."""


def twin_result(scenario: Scenario, table: JobTable) -> naive.NaiveResult:
    """Run the twin and keep everything it notes down."""
    return naive.simulate(nodes_of(scenario), jobs_of(scenario, table), settings_of(scenario))


def nodes_of(scenario: Scenario) -> list[naive.NaiveNode]:
    """Return the machines in the order of their numbers: pools, then zones, in document order."""
    return [
        naive.NaiveNode(pool.name, pool.gpu, pool.gpus_per_node)
        for pool in scenario.cluster.pools
        for nodes in pool.zones.values()
        for _ in range(nodes)
    ]


def jobs_of(scenario: Scenario, table: JobTable) -> list[naive.NaiveJob]:
    """Return the rows of a job table as the twin sees them."""
    fences = {tenant.name: tenant.pool for tenant in scenario.tenants}
    columns = zip(*(column.tolist() for column in table.jobs), strict=True)
    return [
        naive.NaiveJob(
            submit=submit,
            runtime=runtime,
            gpus=gpus,
            limit=None if limit == NO_LIMIT_MS else limit,
            priority=priority,
            fence=fences[table.tenants[tenant]],
            types=table.type_sets[type_set],
            job_class=job_class,
        )
        for submit, runtime, limit, gpus, priority, tenant, job_class, type_set in columns
    ]


def settings_of(scenario: Scenario) -> naive.NaiveSettings:
    """Return policy and run as the twin sees them."""
    policy, run = scenario.policy, scenario.run
    params: dict[str, Any] = {**policy.order.params, **policy.discipline.params}
    return naive.NaiveSettings(
        order=policy.order.slug,
        discipline=policy.discipline.slug,
        placement=policy.placement.slug,
        kill_at_limit=policy.kill_at_limit,
        ties=run.ties,
        pass_per=run.pass_per,
        end=None if run.drain else run.days_ms,
        warmup=run.warmup_ms,
        days=run.days_ms,
        fences=frozenset(tenant.pool for tenant in scenario.tenants if tenant.pool is not None),
        **params,
    )


def _without_zeros(values: Mapping[str, int]) -> dict[str, int]:
    return {name: value for name, value in values.items() if value}
