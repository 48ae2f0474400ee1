"""From preemption and checkpoints of a scenario to the columns that the engine reads, and back to what happened."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from scheduler_core.engine.collected import collect_ms
from scheduler_core.engine.layout import Layout, count_leaves, tenant_numbers
from scheduler_core.kernels import state as st
from scheduler_core.kernels.memory import Column, Memory, Same, Unknown
from scheduler_core.kernels.tables import REASONS, STATES, Attempts, Int64, JobTable, Ledger
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.policy_rules import has_shares, is_preemptive, preemption_of
from scheduler_core.scenario.preemption import PIN_AFTER_GRACE_MS, Preemption

Columns = dict[int, Column]
ROOM = 1 << 20
"""Evictions there is room for at first, besides 16 a GPU; pages that are never touched cost nothing."""


def has_stays(scenario: Scenario) -> bool:
    """Return whether jobs may leave and come back, save their work, or give up what they hold, under any policy."""
    is_saving = any(job_class.checkpoint is not None for job_class in scenario.workload.classes)
    is_evicting = any(preemption_of(policy) is not None for _, policy in scenario.policy.steps())
    return is_saving or is_evicting or collect_ms(scenario) > 0


def has_pauses(scenario: Scenario) -> bool:
    """Return whether jobs may stand still on their GPUs, under any policy of the run."""
    blocks = (preemption_of(policy) for _, policy in scenario.policy.steps())
    return any(block is not None and block.suspend for block in blocks)


def scopes_of(scenario: Scenario) -> int:
    """Return whom a job may evict, as bits in the order of `REASONS`."""
    block = preemption_of(scenario.policy)
    if block is None:
        return 0
    scopes = set(block.scope or ())
    if block.min_gap is None or is_preemptive(scenario.policy):
        scopes.discard("own_queue")
    if scenario.policy.isolation != "reclaim":
        scopes.discard("borrowers")
    if not scenario.policy.reserve:
        scopes.discard("reservation")
    if not has_shares(scenario.policy):
        scopes.discard("fair_share")
    reasons = {*scopes, "order"} if is_preemptive(scenario.policy) else scopes
    return sum(1 << at for at, reason in enumerate(REASONS) if reason in reasons)


def victims_of(scenario: Scenario, block: Preemption) -> int:
    """Return who goes first; under an order that evicts, the last in it."""
    if is_preemptive(scenario.policy):
        return st.BY_KEY_LAST
    return {"lowest_priority": st.BY_LEVEL, "least_lost_work": st.BY_LOSS}.get(block.victims, st.BY_BUCKET)


def eviction_scalars(scenario: Scenario, layout: Layout, n_shapes: int) -> dict[int, int]:
    """Return the settings of preemption; all off if nobody is ever evicted."""
    block = preemption_of(scenario.policy) or Preemption()
    timeout = block.pin_timeout
    return {
        st.HAS_STAYS: has_stays(scenario),
        st.SCOPES: scopes_of(scenario),
        st.MIN_GAP: block.min_gap or 0,
        st.VICTIMS: victims_of(scenario, block),
        st.GRACE_MS: block.grace,
        st.MIN_RUN_MS: block.min_runtime,
        st.IS_PINNING: block.pin,
        st.PIN_MS: block.grace + PIN_AFTER_GRACE_MS if timeout is None else timeout,
        st.IS_SUSPENDING: block.suspend,
        st.HAS_PAUSES: has_pauses(scenario),
        st.IS_KILLING: scenario.policy.kill_at_limit,
        st.N_SHAPES: n_shapes,
        st.PINNED_FIRST: -1,
        st.PINNED_LAST: -1,
        st.BACK_FIRST: -1,
        st.MOST_EVICTIONS: ROOM + 16 * layout.total_gpus if has_stays(scenario) else 0,
    }


def pinned_shapes(columns: Mapping[int, Any]) -> Columns:
    """Return the columns of shapes once more behind themselves: jobs with pins wait as shapes of their own."""
    twice: Columns = {}
    for cell in (
        st.SHAPE_GPUS, st.SHAPE_ASK, st.SHAPE_GROUP, st.SHAPE_LINE, st.SHAPE_LEAF, st.SHAPE_SHARES, st.CAUSE, st.AHEAD,
        st.FITS_IN, st.FRESH,
    ):  # fmt: skip
        twice[cell] = np.concatenate([columns[cell], columns[cell]])
    for first, entries in (
        (st.SHAPE_DOMAINS, st.SHAPE_DOMAIN), (st.SHAPE_TYPES, st.SHAPE_TYPE), (st.SHAPE_OTHERS, st.SHAPE_OTHER),
    ):  # fmt: skip
        twice[first] = np.concatenate([columns[first], columns[first][1:] + len(columns[entries])])
        twice[entries] = np.concatenate([columns[entries], columns[entries]])
    for cell in (st.WAITING, st.CLOCKS, st.BEHIND, st.SINCE, st.LISTED, st.LISTED_AT):
        twice[cell] = 2 * columns[cell]
    return twice


def _class_columns(scenario: Scenario, table: JobTable) -> Columns:
    found = {job_class.name: job_class for job_class in scenario.workload.classes}
    saves = [found[name].checkpoint if name in found else None for name in table.classes]
    is_wall = scenario.workload.arrivals.kind == "log"
    return {
        st.CLASS_EVERY: np.array([0 if c is None else c.every for c in saves], np.int64),
        st.CLASS_COST: np.array([0 if c is None else c.cost for c in saves], np.int64),
        st.CLASS_SAVE: np.array([0 if c is None or is_wall else c.cost for c in saves], np.int64),
        st.CLASS_RESTART: np.array([0 if c is None else c.restart for c in saves], np.int64),
    }


def _victim_columns(scenario: Scenario, table: JobTable, layout: Layout) -> tuple[Columns, dict[int, int]]:
    """Return the lists of running jobs that may be evicted, and their number."""
    block = preemption_of(scenario.policy) or Preemption()
    found = {job_class.name: job_class for job_class in scenario.workload.classes}
    is_firm = np.array([name in found and not found[name].preemptible for name in table.classes], bool)
    priorities, level_of = np.unique(table.jobs.priority, return_inverse=True)
    is_safe = is_firm[table.jobs.job_class]
    if block.protect_at is not None:
        is_safe = is_safe | (table.jobs.priority >= block.protect_at)
    bucket_of = np.zeros(table.n_jobs, np.int64)
    if victims_of(scenario, block) == st.BY_LEVEL:
        bucket_of = level_of.astype(np.int64)
    elif block.victims == "fewest" and not is_preemptive(scenario.policy):
        bucket_of = np.unique(-table.jobs.gpus.astype(np.int64), return_inverse=True)[1]
    n_buckets = int(bucket_of.max(initial=0)) + 1
    n_lists = count_leaves(scenario) if scenario.policy.isolation != "none" else 1
    biggest = np.zeros(len(scenario.tenants), np.int64)
    gpus = table.jobs.gpus.astype(np.int64)  # numpy takes twenty times as long if it must convert one by one
    np.maximum.at(biggest, tenant_numbers(scenario, table)[table.jobs.tenant], gpus)
    columns: Columns = {
        st.RUN_FIRST: np.full(layout.n_lines * n_lists * n_buckets, -1, np.int64),
        st.BUCKET_OF: bucket_of,
        st.LEVEL_OF: level_of.astype(np.int64),
        st.LEVEL_PRIORITY: priorities.astype(np.int64),
        st.LEVEL_GPUS: layout.n_lines * n_lists * max(1, len(priorities)),
        st.LIST_GPUS: layout.n_lines * n_lists,
        st.LAST_KEY: np.full(layout.n_lines * n_lists, -1),
        st.LAST_QUEUED: layout.n_lines * n_lists,
        st.LAST_UNTIL: np.full(layout.n_lines * n_lists, st.NEVER),
        st.CURSOR: n_lists,
        st.CURSOR_LAST: n_lists,
        st.BIGGEST: biggest,
        st.IS_SAFE: is_safe.astype(np.int64),
        st.SORTED_ROW: 2 * layout.total_gpus + 1,
        st.SORTED_KEY: 2 * layout.total_gpus + 1,
    }
    return columns, {st.N_LEVELS: len(priorities), st.N_BUCKETS: n_buckets, st.N_LISTS: n_lists}


def eviction_columns(
    scenario: Scenario, table: JobTable, layout: Layout, places: Mapping[int, Int64]
) -> tuple[Columns, dict[int, int]]:
    """Return what stays of jobs need besides what every run needs, and the scalars that go with it.

    Without preemption and saves a job has one stay, which its start and end describe: nothing is needed then.
    """
    if not has_stays(scenario):
        same: Columns = {st.BEGAN: Same(st.START)}
        for which in (st.FREE, st.SETS, st.COUNT, st.TOTAL):
            same[which + st.ACTUAL] = Same(which)
        return same, {}
    n_jobs, n_nodes, n_gpus = table.n_jobs, len(places[st.NUMBER]), layout.total_gpus
    victims, scalars = _victim_columns(scenario, table, layout)
    columns: Columns = {**_class_columns(scenario, table), **victims}
    columns |= dict.fromkeys(
        (st.BEGAN, st.TOLD, st.LEAVES, st.EVICTOR, st.DECIDED, st.BUCKET, st.PIN_PIECE), Unknown(n_jobs)
    )
    columns |= dict.fromkeys(
        (
            st.N_STAYS, st.BEFORE, st.KEEPS, st.WORKED, st.IS_CUT, st.SEQUENCE_OF, st.EVICTION, st.LEFT,
            st.REQUEUE_WAIT,
            st.IS_COUNTING, st.BACK_NEXT, st.IS_BACK, st.RUN_NEXT, st.RUN_BEFORE, st.LEAVE_NEXT, st.LEAVE_BEFORE,
            st.PIN_UNTIL, st.PIN_NEXT, st.PIN_BEFORE,
        ),
        n_jobs,
    )  # fmt: skip
    columns |= dict.fromkeys((st.NODE_LEAVING, st.NODE_PINNED, st.NODE_FREED, st.NODE_LEFT), n_nodes)
    columns |= {
        st.LEAVE_FIRST: np.full(layout.n_lines, -1, np.int64),
        st.LINE_LEAVING: layout.n_lines,
        st.BLOCK_LEAVING: len(places[st.BLOCK_FIRST]),
        st.BLOCK_PINNED: len(places[st.BLOCK_FIRST]),
        st.TENANT_LEAVING: len(scenario.tenants) + 1,
        st.TENANT_TAKEN: len(scenario.tenants) + 1,
        st.GONE_ROW: 2 * n_gpus + 1,
        st.GONE_WHY: 2 * n_gpus + 1,
        # Running jobs hold at most one slice a GPU, and pins lie on GPUs that are free or come free.
        st.SLICE_NODE: 2 * n_gpus,
        st.SLICE_GPUS: 2 * n_gpus,
        st.SLICE_NEXT: np.arange(1, 2 * n_gpus + 1, dtype=np.int64),
        st.HEAP_TIME: 4 * n_gpus + 4,
        st.HEAP_TICKET: 4 * n_gpus + 4,
    }
    if has_pauses(scenario):
        columns |= dict.fromkeys((st.STOP_NEXT, st.STOP_BEFORE, st.IDLE_MS, st.KILLED_AT, st.IS_SPENT), n_jobs)
        columns |= {st.STOPPED: Unknown(n_jobs), st.STOP_FIRST: Unknown(layout.n_lines)}
    for which in (st.FREE, st.SETS, st.COUNT, st.TOTAL):
        columns[which + st.ACTUAL] = places[which]
    room = ROOM + 16 * n_gpus
    columns |= dict.fromkeys(range(st.EVICTED_ROW, st.EVICTED_LEFT + 1), room)
    return columns, scalars | {st.HEAP_ROOM: 4 * n_gpus + 3}


# ---- what happened ------------------------------------------------------------------------------------


def ledger_of(memory: Memory) -> Ledger:
    """Return every preemption."""
    n_rows = int(memory.m[st.N_EVICTIONS])

    def rows(cell: int) -> Int64:
        return memory.column(cell)[:n_rows]

    why = np.log2(np.maximum(rows(st.EVICTED_WHY), 1)).astype(np.int8)
    return Ledger(
        time_ms=rows(st.EVICTED_TOLD).copy(),
        victim=rows(st.EVICTED_ROW).astype(np.int32),
        evictor=rows(st.EVICTED_FOR).astype(np.int32),
        reason=why,
        lost_gpu_ms=rows(st.EVICTED_LOST).copy(),
    )


def attempts_of(memory: Memory) -> Attempts:
    """Return every stay: those that were cut short, and the last of each job that did not wait at the end."""
    end_ms, n_rows = int(memory.m[st.NOW]), int(memory.m[st.N_EVICTIONS])
    left = memory.column(st.EVICTED_LEFT)[:n_rows]
    gone = np.flatnonzero(left >= 0)
    state = memory.column(st.JOB_STATE)
    last = np.flatnonzero(np.isin(state, [STATES.index(name) for name in ("finished", "killed", "running")]))
    is_running = state[last] == STATES.index("running")
    is_leaving = is_running & (memory.column(st.SEQUENCE_OF)[last] >> 34 > 0)
    end = np.where(is_running, end_ms, memory.column(st.FINISH)[last])
    kind = np.where(is_running, 3, np.where(state[last] == STATES.index("killed"), 1, 0))
    parts = [
        (memory.column(st.EVICTED_ROW)[:n_rows][gone], last),
        (memory.column(st.EVICTED_BEGAN)[:n_rows][gone], memory.column(st.BEGAN)[last]),
        (memory.column(st.EVICTED_TOLD)[:n_rows][gone], np.where(is_leaving, memory.column(st.TOLD)[last], -1)),
        (left[gone], end),
        (memory.column(st.EVICTED_BEFORE)[:n_rows][gone], memory.column(st.BEFORE)[last]),
        (memory.column(st.EVICTED_KEEPS)[:n_rows][gone], memory.column(st.KEEPS)[last]),
        (np.full(len(gone), 2), kind),
    ]
    row, began, told, ended, before, kept, why = (np.concatenate(part) for part in parts)
    by_end = np.argsort(ended, kind="stable")
    return Attempts(
        row=row[by_end].astype(np.int32),
        start_ms=began[by_end],
        told_ms=told[by_end],
        end_ms=ended[by_end],
        before_ms=before[by_end],
        saved_ms=kept[by_end],
        end=why[by_end].astype(np.int8),
    )
