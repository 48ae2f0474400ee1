"""From the order of a policy to the rank of every job, and what jobs need that come back with another rank."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from scheduler_core.engine.collected import collect_ms
from scheduler_core.engine.evictions import scopes_of
from scheduler_core.engine.members import WEIGHT_PARTS
from scheduler_core.engine.tenancy import kind_of_order, order_of
from scheduler_core.kernels import state as st
from scheduler_core.kernels.memory import Column, Same
from scheduler_core.kernels.ranks import rank_all
from scheduler_core.kernels.sorting import as_integers, sort_rows
from scheduler_core.kernels.tables import HOUR_MS, Int32, Jobs, JobTable
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.policy import Rounds
from scheduler_core.workload.draws import order_draws

REQUEUES = {"keep_submit": st.KEEP_SUBMIT, "eviction_time": st.BY_TOLD, "back": st.BY_LEFT}
Keys = NDArray[np.integer] | NDArray[np.float64]
Columns = dict[int, Column]


def weights_of(scenario: Scenario, table: JobTable) -> NDArray[np.float64]:
    """Return the weight of the tenant of each job, shape (n_jobs,)."""
    weights = {tenant.name: tenant.weight for tenant in scenario.tenants}
    return np.array([weights.get(name, 1.0) for name in table.tenants], np.float64)[table.jobs.tenant]


FACTS: Mapping[str, Callable[[Scenario, JobTable], Keys]] = {
    "draw": lambda _, table: order_draws(table),
    "priority": lambda _, table: table.jobs.priority / 1_000,
    "gpus": lambda _, table: table.jobs.gpus,
    "limit_h": lambda _, table: np.maximum(table.jobs.limit_ms, 1) / HOUR_MS,
    "weight": weights_of,
}
"""What an order may read about all jobs at once, by name."""


def keys_of(jobs: Jobs, table: JobTable, scenario: Scenario) -> Keys | None:
    """Return the key of every job when it is submitted, shape (n_jobs,); None if submit time alone decides."""
    order = order_of(scenario)
    if order.column is not None:
        return order.column({name: FACTS[name](scenario, table) for name in order.reads}, scenario.policy.order.params)
    if order.rank is None:
        return None
    keys = np.zeros(len(jobs.gpus), np.float64)
    is_constant = rank_all(order.rank, jobs, order.numbers(scenario.policy.order.params), keys)
    return None if is_constant else keys


def rows_in_order(keys: Keys | None, n_jobs: int) -> Int32:
    """Return the rows in the order (key, submit, row); rows of a job table stand in the order of submit."""
    return np.arange(n_jobs, dtype=np.int32) if keys is None else sort_rows(keys)


def weight_columns(scenario: Scenario, table: JobTable) -> Columns:
    """Return the weights that keys which change may read, in parts of 1."""
    if order_of(scenario).key is None:
        return {}
    return {st.JOB_WEIGHT: np.rint(weights_of(scenario, table) * WEIGHT_PARTS).astype(np.int64)}


def rounds_of(scenario: Scenario) -> Rounds:
    """Return the rounds in force; decisions at every event are rounds of no length."""
    return scenario.policy.rounds or Rounds()


def is_keeping(scenario: Scenario) -> bool:
    """Return whether keys change and jobs keep theirs between rounds in which free GPUs are filled."""
    rounds = rounds_of(scenario)
    return rounds.every > 0 and rounds.fill and kind_of_order(scenario) != st.BY_RANK


def is_by_member(scenario: Scenario) -> bool:
    """Return whether jobs of one group pass each other."""
    return kind_of_order(scenario) == st.BY_MEMBER or is_keeping(scenario)


def is_moving(scenario: Scenario) -> bool:
    """Return whether a job may come back with another rank, or ranks change, under any policy of the run."""
    policies = (policy for _, policy in scenario.policy.steps())
    return any(_is_moving_under(scenario.model_copy(update={"policy": policy})) for policy in policies)


def _is_moving_under(scenario: Scenario) -> bool:
    is_live = order_of(scenario).received(scenario.policy.order.params).kind != st.FIXED
    if is_by_member(scenario) or collect_ms(scenario) > 0:
        return True
    return scopes_of(scenario) > 0 and (is_live or scenario.policy.requeue != "keep_submit")


def moving_scalars(scenario: Scenario) -> dict[int, int]:
    """Return by what a job ranks that comes back, and when ranks count."""
    received, rounds = order_of(scenario).received(scenario.policy.order.params), rounds_of(scenario)
    return {
        st.REQUEUE: REQUEUES[scenario.policy.requeue],
        st.LIVE_KEY: received.kind,
        st.N_THRESHOLDS: len(received.thresholds),
        st.PROMOTE_MILLI: received.promote_milli,
        st.EVERY_MS: rounds.every,
        st.IS_FILLING: rounds.fill or rounds.every == 0,
        st.IS_KEEPING: is_keeping(scenario),
        st.IS_DECISION: rounds.every == 0,
        st.HAS_NEWS: 1,
        st.IS_BY_MEMBER: is_by_member(scenario),
        st.IS_MOVING: is_moving(scenario),
        st.KEY_SLOPE: order_of(scenario).slope_of(scenario.policy.order.params),
    }


def returned_columns(scenario: Scenario, jobs: Jobs, keys: Keys | None, n_groups: int) -> Columns:
    """Return the lists of jobs that come back, a list a group; none where they rank as before."""
    if not is_moving(scenario):
        return {st.QUEUED_AT: Same(st.SUBMIT)}
    n_jobs, empty = len(jobs.gpus), np.full(max(1, n_groups), -1, np.int64)
    fixed = n_jobs if keys is None else as_integers(keys)
    return {
        st.JOB_KEY: np.full(n_jobs, st.UNSET, np.int64) if is_keeping(scenario) else fixed,
        st.QUEUED_AT: jobs.submit_ms,
        st.THRESHOLD: np.array(order_of(scenario).received(scenario.policy.order.params).thresholds, np.int64),
        st.IS_RETURNED: np.full(n_jobs, is_by_member(scenario), np.int64),
        st.RETURNED_NEXT: n_jobs,
        st.RETURNED_BEFORE: n_jobs,
        st.RETURNED_FIRST: empty,
        st.RETURNED_LAST: empty,
        st.TRY_FRESH: empty,
        st.TRY_RETURNED: empty,
    }
