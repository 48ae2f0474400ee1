"""One scenario, two engines, one shape of answer, so that tests can compare or judge both.

The twin gets its input from the scenario and the job table alone; nothing of the engine is used for it.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from simpleeval import simple_eval

from scheduler_core import registry, units
from scheduler_core.kernels.tables import (
    ATTEMPT_ENDS,
    CAUSES,
    NO_LIMIT_MS,
    REASONS,
    STATES,
    Attempts,
    JobTable,
    Ledger,
    Outcome,
)
from scheduler_core.result import Provenance, Result
from scheduler_core.scenario import Policy, Scenario, load
from scheduler_core.scenario.preemption import Preemption
from scheduler_core.scenario.reserve import Reserve
from scheduler_core.scenario.tenants import Tenant
from scheduler_core.scenario.workload import JobClass
from scheduler_core.workload.draws import backoff_draws, order_draws
from tests import builders
from tests.oracle import naive, naive_input


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
    requeue_wait: list[int] = field(default_factory=list, compare=False)
    attempts: list[tuple[int, int, int, int, int, str]] = field(default_factory=list, compare=False)
    ledger: list[tuple[int, int, int, str, int]] = field(default_factory=list, compare=False)
    books: dict[str, int] = field(default_factory=dict, compare=False)


def engine(scenario: Scenario, table: JobTable | None = None, *, slice_events: int | None = None) -> Seen:
    """Run the real engine."""
    from scheduler_core.engine.run import run

    table = builders.table(scenario) if table is None else table
    outcome = run(scenario, table, record_placements=True, slice_events=slice_events)
    assert outcome.placements is not None
    places: list[dict[int, int]] = [{} for _ in range(table.n_jobs)]
    placed, stays, ledger = outcome.placements, outcome.attempts, outcome.ledger
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
        requeue_wait=[] if outcome.requeue_wait_ms is None else outcome.requeue_wait_ms.tolist(),
        attempts=[] if stays is None else attempts_of(stays),
        ledger=[] if ledger is None else ledger_of(ledger),
        books=books_of(scenario, table, outcome),
    )


def books_of(scenario: Scenario, table: JobTable, outcome: Outcome) -> dict[str, int]:
    """Return the GPU-ms of the whole run by kind, without zeros."""
    found = Result(scenario, table, outcome, Provenance("scenario", "run", "engine", scenario.run.seed))
    return _without_zeros(found.books_in(0, outcome.end_ms))


def attempts_of(stays: Attempts) -> list[tuple[int, int, int, int, int, str]]:
    """Return row, start, told, end, saved and reason of each stay."""
    columns = (stays.row, stays.start_ms, stays.told_ms, stays.end_ms, stays.saved_ms, stays.end)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(row, start, told, end, saved, ATTEMPT_ENDS[why]) for row, start, told, end, saved, why in rows]


def ledger_of(ledger: Ledger) -> list[tuple[int, int, int, str, int]]:
    """Return time, victim, evictor, reason and what was lost of each preemption."""
    columns = (ledger.time_ms, ledger.victim, ledger.evictor, ledger.reason, ledger.lost_gpu_ms)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(time, victim, evictor, REASONS[why], lost) for time, victim, evictor, why, lost in rows]


def twin(scenario: Scenario, table: JobTable | None = None) -> Seen:
    """Run the slow, obvious engine."""
    table = builders.table(scenario) if table is None else table
    return _seen(twin_result(scenario, table), table)


def _seen(result: naive.NaiveResult, table: JobTable) -> Seen:
    return Seen(
        start=result.start,
        finish=result.finish,
        state=result.state,
        causes=[_without_zeros(waited) for waited in result.causes],
        order_behind={table.classes[k]: _without_zeros(sums) for k, sums in result.order_behind.items()},
        places=[result.placements.get(row, {}) for row in range(table.n_jobs)],
        end=result.end,
        requeue_wait=result.requeue_wait,
        attempts=[(a.row, a.start, a.told, a.end, a.saved, a.reason) for a in result.attempts],
        ledger=result.ledger,
        books=_without_zeros(result.books),
    )


def engine_of(document: Mapping[str, Any]) -> Seen:
    """Read a document and run the real engine."""
    return engine(load(document))


def twin_of(document: Mapping[str, Any]) -> Seen:
    """Read a document and run the twin, also with an order for which there is no policy file yet."""
    given = dict(document["policy"])
    order = given.pop("order", "fifo")
    if (order if isinstance(order, str) else next(iter(order))) in registry.find("policies"):
        return twin(load(document))  # with its order, a change that does not state one keeps it
    scenario = load({**document, "policy": given})
    table = builders.table(scenario)
    settings = replace(settings_of(scenario), **order_fields(order))
    return _seen(naive.simulate(nodes_of(scenario), jobs_of(scenario, table), settings), table)


def order_fields(order: object) -> dict[str, Any]:
    """Return the fields of an order as a document writes it: a word, or a word with its settings."""
    if isinstance(order, str):
        return {"order": order}
    if isinstance(order, Mapping) and "formula" in order:
        typed = order["formula"]
        return {"order": "formula", "formula": evaluator(typed if isinstance(typed, str) else typed["expression"])}
    assert isinstance(order, Mapping)
    ((word, params),) = order.items()
    read = dict(params)
    if "thresholds" in read:  # one text with commas
        read["thresholds"] = tuple(units.parse_duration(text.strip()) for text in read["thresholds"].split(","))
    for name, field_name, unit in (("half_life_d", "half_life", "d"), ("step_min", "step", "min")):
        if name in read:
            read[field_name] = round(read.pop(name) * UNITS_MS[unit])
    return {"order": word, **read}


def evaluator(expression: str) -> Callable[[Mapping[str, float]], float]:
    """Return what computes a typed formula for the twin; another reader of formulas than that of the engine."""
    functions = {"abs": abs, "min": min, "max": max, "sqrt": math.sqrt, "log": math.log, "exp": math.exp}
    return lambda job: float(simple_eval(expression, names=dict(job), functions=functions))


UNITS_MS = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


ENGINES: Mapping[str, Callable[[Scenario], Seen]] = {"engine": engine, "twin": twin}
"""Who is judged by a hand-worked timeline."""


def twin_result(scenario: Scenario, table: JobTable) -> naive.NaiveResult:
    """Run the twin and keep everything it notes down."""
    return naive.simulate(nodes_of(scenario), jobs_of(scenario, table), settings_of(scenario))


def nodes_of(scenario: Scenario) -> list[naive.NaiveNode]:
    """Return the machines in the order of their numbers: pools, then zones, in document order."""
    return [
        naive.NaiveNode(pool.name, pool.gpu, pool.gpus_per_node, pool.cpus_per_node, pool.mem_gb_per_node)
        for pool in scenario.cluster.pools
        for nodes in pool.zones.values()
        for _ in range(nodes)
    ]


def jobs_of(scenario: Scenario, table: JobTable) -> list[naive.NaiveJob]:
    """Return the rows of a job table as the twin sees them."""
    fences = {tenant.name: tenant.pool for tenant in scenario.tenants}
    habits = {found.name: class_fields(found) for found in scenario.workload.classes}
    jobs = table.jobs
    rows = zip(
        *(column.tolist() for column in (jobs.submit_ms, jobs.runtime_ms, jobs.limit_ms, jobs.gpus, jobs.priority)),
        *(column.tolist() for column in (jobs.tenant, jobs.job_class, jobs.type_set, order_draws(table))),
        backoff_draws(table).tolist(),
        [False] * table.n_jobs if table.offered is None else table.offered.tolist(),
        strict=True,
    )
    return [
        with_shape(
            naive.NaiveJob(
                submit=submit,
                runtime=runtime,
                gpus=gpus,
                limit=None if limit == NO_LIMIT_MS else limit,
                priority=priority,
                fence=fences[table.tenants[tenant]],
                types=table.type_sets[type_set],
                job_class=job_class,
                tenant=table.tenants[tenant],
                draw=draw,
                backoffs=tuple(backoffs),
                is_wall=scenario.workload.arrivals.kind == "log",
                is_offered=offered,
                **habits.get(table.classes[job_class], {}),
            )
        )
        for submit, runtime, limit, gpus, priority, tenant, job_class, type_set, draw, backoffs, offered in rows
    ]


def class_fields(found: JobClass) -> dict[str, Any]:
    """Return what a job has from its class."""
    saves, shape = found.checkpoint, found.shape
    return {
        "preemptible": found.preemptible,
        "checkpoint": None if saves is None else (saves.every, saves.cost, saves.restart),
        "shape": None if shape is None else (shape.nodes, shape.gpus_per_node),
        "cpus_per_gpu": found.cpus_per_gpu or 0,
        "mem_gb_per_gpu": found.mem_gb_per_gpu or 0,
    }


def with_shape(job: naive.NaiveJob) -> naive.NaiveJob:
    """A listed job has the shape of its class if its GPUs match (5.6)."""
    is_like = job.shape is not None and job.shape[0] * job.shape[1] == job.gpus
    return job if is_like else replace(job, shape=None)


def settings_of(scenario: Scenario) -> naive.NaiveSettings:
    """Return policy and run as the twin sees them."""
    run = scenario.run
    first, *later = [(at, policy_fields(scenario, policy)) for at, policy in scenario.policy.steps()]
    return naive.NaiveSettings(
        ties=run.ties,
        pass_per=run.pass_per,
        end=None if run.drain else run.days_ms,
        warmup=run.warmup_ms,
        days=run.days_ms,
        fences=frozenset(tenant.pool for tenant in scenario.tenants if tenant.pool is not None),
        tenants=tuple(tenant_of(tenant) for tenant in scenario.tenants),
        change=tuple(later),
        elastic=elastic_of(scenario),
        **first[1],
    )


def elastic_of(scenario: Scenario) -> naive_input.NaiveElastic | None:
    """Return when elastic demand comes as the twin sees it."""
    found = scenario.workload.elastic
    if found is None:
        return None
    tenant = next(each.tenant for each in scenario.workload.classes if each.name == found.job_class)
    when = found.appears_when
    return naive_input.NaiveElastic(tenant, found.every, found.window, when.wait_p50_below, when.quota_free_gpus)


def policy_fields(scenario: Scenario, policy: Policy) -> dict[str, Any]:
    """Return one policy, whole, as the twin sees it."""
    preemption, rounds = policy.preemption, policy.rounds
    classes = list(builders.table(scenario).classes)
    return {
        "discipline": policy.discipline.slug,
        "placement": policy.placement.slug,
        "kill_at_limit": policy.kill_at_limit,
        "isolation": policy.isolation,
        "quota_blocked": policy.quota_blocked,
        "requeue": policy.requeue,
        "reserve": tuple(reserve_of(entry, classes) for entry in policy.reserve or ()),
        "preemption": None if preemption is None else preemption_of(preemption),
        "every": 0 if rounds is None else rounds.every,
        "fill": rounds is None or rounds.fill,
        "timeout": policy.gang.params.get("timeout"),
        **order_fields({policy.order.slug: policy.order.params}),
        **policy.discipline.params,
    }


def preemption_of(block: Preemption) -> naive_input.NaivePreemption:
    """Return the block as the twin sees it; the scope that is not stated is that of 15.1."""
    stated = block.scope
    return naive_input.NaivePreemption(
        min_gap=block.min_gap,
        protect_at=block.protect_at,
        scope=("own_queue", "borrowers") if stated is None else tuple(stated),
        victims=block.victims,
        grace=block.grace,
        min_runtime=block.min_runtime,
        pin=block.pin,
        pin_timeout=block.pin_timeout,
        suspend=block.suspend,
    )


def reserve_of(entry: Reserve, classes: list[str]) -> naive_input.NaiveReserve:
    """Return a reserved share or a window as the twin sees it."""
    name = entry.who.job_class
    job_class = None if name is None else classes.index(name) if name in classes else -1
    return naive_input.NaiveReserve(
        priority_below=entry.who.priority_below,
        tenant=entry.who.tenant,
        job_class=job_class,
        share=None if entry.share is None else float(entry.share),
        nodes=tuple(entry.nodes or ()),
        opens=entry.begin or 0,
        closes=entry.to or 0,
    )


def tenant_of(tenant: Tenant) -> naive_input.NaiveTenant:
    """Return a tenant as the twin sees it."""
    borrow = tenant.borrow_gpus
    return naive_input.NaiveTenant(
        name=tenant.name,
        parent=tenant.parent,
        weight=tenant.weight,
        nominal=tenant.nominal_gpus,
        guarantee=tenant.guarantee_gpus,
        borrow=naive_input.UNLIMITED if borrow == "unlimited" else borrow,
        lend=tenant.lend_gpus,
        cap=tenant.cap_gpus,
    )


def _without_zeros(values: Mapping[str, int]) -> dict[str, int]:
    return {name: value for name, value in values.items() if value}
