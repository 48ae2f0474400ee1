"""From a scenario and its jobs to the memory of a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core import registry
from scheduler_core.engine.collected import collecting_columns, collecting_scalars
from scheduler_core.engine.elastic import elastic_columns, elastic_scalars
from scheduler_core.engine.evictions import eviction_columns, eviction_scalars, has_stays, pinned_shapes
from scheduler_core.engine.layout import Layout, lay_out, place_columns
from scheduler_core.engine.loop import advance, advance_plain
from scheduler_core.engine.ordering import keys_of, moving_scalars, returned_columns, rows_in_order, weight_columns
from scheduler_core.engine.quotas import may_pass
from scheduler_core.engine.shapes import Kinds, find_kinds, most_nodes_of, parts_of, shape_columns, usable_domains
from scheduler_core.engine.shortcuts import short_cuts
from scheduler_core.engine.tenancy import (
    Claims,
    find_claims,
    order_numbers,
    order_of,
    quotas_of_run,
    share_columns,
    tenancy_scalars,
    tenant_columns,
    window_columns,
)
from scheduler_core.kernels import state as st
from scheduler_core.kernels.bits import tier_table
from scheduler_core.kernels.memory import Column, Memory, Same, Unknown
from scheduler_core.kernels.orders import same_key, same_share
from scheduler_core.kernels.sorting import sort_into_groups, sort_rows
from scheduler_core.kernels.tables import CAUSES, STATES, Floats, Int32, Int64, Jobs, JobTable
from scheduler_core.scenario.document import Scenario

DISCIPLINES = {
    "strict": st.STRICT,
    "best_effort": st.BEST_EFFORT,
    "easy": st.EASY,
    "conservative": st.CONSERVATIVE,
}
Columns = dict[int, Column]


@dataclass(frozen=True)
class Prepared:
    """A run that has not begun.

    Attributes
    ----------
    memory : Memory
        What the event loop reads and writes.
    pick_node, pick_rest : kernel
        The placement rule.
    key, share : kernel
        The order, where it changes with time: by jobs, or by tenants.
    numbers : ndarray of float64
        What `key` and `share` read and remember.
    """

    memory: Memory
    pick_node: Any
    pick_rest: Any
    key: Any
    share: Any
    numbers: Floats

    def advance(self, max_events: int) -> int:
        """Run on; return the status of the event loop."""
        arguments = (self.memory.m, self.pick_node, self.pick_rest, self.key, self.share, self.numbers, max_events)
        status = advance_plain(*arguments)
        return advance(*arguments) if status == st.NOT_PLAIN else status


def prepare(scenario: Scenario, table: JobTable, *, record_placements: bool = False) -> Prepared:
    """Lay out the memory of a run.

    Parameters
    ----------
    scenario : Scenario
        Cluster, tenants, policy and run settings.
    table : JobTable
        The jobs, sorted by submit time.
    record_placements : bool
        Keep a log of which nodes each job ran on.

    Returns
    -------
    Prepared
        Ready for the event loop; jobs that fit no idle domain are marked unschedulable.
    """
    policy = scenario.policy
    placement: Any = registry.find("placements")[policy.placement.slug]
    tenants = {tenant.name: tenant for tenant in scenario.tenants}
    layout = lay_out(scenario.cluster, [tenants[name] for name in table.tenants], is_counted=placement.is_counted)
    scalars, places = place_columns(layout)
    claims = find_claims(scenario, table)
    parts = None if placement.is_counted else parts_of(scenario, table)
    scalars[st.HAS_PARTS] = parts is not None
    kinds = find_kinds(table, layout, claims, parts)
    usable = usable_domains(kinds, table, layout, Memory(scalars, places).m)
    quotas = tenant_columns(scenario, table, layout)
    _strike_out(usable, kinds, claims, quotas_of_run(scenario, table, layout))
    turns = tenancy_scalars(scenario)
    has_claims = turns[st.N_LEAVES] + turns[st.N_SHARES] + turns[st.ORDER_KIND] + turns[st.IS_TURN_BASED] > 0
    is_by_shape = policy.discipline.slug == "best_effort" or (policy.discipline.slug == "strict" and has_claims)
    groups, lines_of_groups = _group(kinds, usable, DISCIPLINES[policy.discipline.slug], is_by_shape=is_by_shape)
    jobs = table.jobs
    if jobs.limit_ms.min(initial=1) < 1:
        jobs = jobs._replace(limit_ms=np.maximum(jobs.limit_ms, 1))
    evictions = eviction_scalars(scenario, layout, len(kinds.gpus))
    keys = keys_of(jobs, table, scenario)
    moving = moving_scalars(scenario)
    collecting = collecting_scalars(scenario, layout)
    kept = _possible_causes(layout, scenario.policy.discipline.slug, table, turns | evictions | moving | collecting)
    most_nodes = most_nodes_of(jobs, places, parts, is_scattered=collecting[st.COLLECT_MS] > 0)
    columns: Columns = {
        **places,
        **shape_columns(kinds, usable, groups, table, layout, claims),
        **quotas,
        **share_columns(scenario, layout),
        **window_columns(scenario, table, places[st.NUMBER], kinds.of_row),
        **_job_columns(scenario, jobs, kinds, usable),
        **weight_columns(scenario, table),
        **_cause_columns(kept, len(jobs.gpus), len(table.classes)),
        **_line_columns(layout, groups, lines_of_groups, kinds, rows_in_order(keys, len(jobs.gpus))),
        **returned_columns(scenario, jobs, keys, len(lines_of_groups)),
        **_limit_columns(scenario, groups, kinds, jobs.limit_ms),
        **_running_columns(layout, len(places[st.NUMBER])),
        **(_log_columns(most_nodes) if record_placements else {}),
        **_slot_columns(scenario, most_nodes, len(places[st.NUMBER]), layout),
        **collecting_columns(scenario, table, layout, len(lines_of_groups)),
    }
    stays, more = eviction_columns(scenario, table, layout, places)
    columns |= stays
    offers = elastic_scalars(scenario, table)
    columns |= elastic_columns(offers, table)
    if evictions[st.HAS_STAYS]:
        columns |= pinned_shapes(columns)
    if turns[st.IS_TURN_BASED]:  # others than the first of a group may be asked
        columns[st.TRY_ROW] = max(1, len(lines_of_groups))
    scalars |= _settings(scenario, jobs) | turns | evictions | more | moving | collecting | offers
    scalars |= {
        st.IS_COUNTED: placement.is_counted,
        st.N_LINES: layout.n_lines,
        st.N_KEPT: len(kept),
        st.IS_BY_SHAPE: is_by_shape,
        st.IS_EACH_DUE: scalars[st.DISCIPLINE] >= st.EASY
        or scalars[st.IS_SUBMIT_FIRST] == 1
        or turns[st.ORDER_KIND] != st.BY_RANK
        or turns[st.IS_HOLD] + turns[st.N_WINDOWS] > 0
        or evictions[st.SCOPES] > 0
        or moving[st.EVERY_MS] > 0
        or collecting[st.COLLECT_MS] > 0,
        st.IS_RECORDING: record_placements,
        st.NEWCOMER: -1,
    }
    scalars |= short_cuts(scalars, layout)
    order = order_of(scenario)
    return Prepared(
        Memory(scalars, columns),
        placement.pick_node,
        placement.pick_rest,
        order.key or same_key,
        order.share or same_share,
        order_numbers(scenario),
    )


def _settings(scenario: Scenario, jobs: Jobs) -> dict[int, int]:
    run, discipline = scenario.run, scenario.policy.discipline
    params: Mapping[str, Any] = discipline.params
    depth = params.get("depth", 100)
    submit = jobs.submit_ms
    return {
        st.END_MS: st.NEVER if run.drain else run.days_ms,
        st.IS_SUBMIT_FIRST: run.ties == "submit_first",
        st.IS_PASS_PER_EVENT: run.pass_per == "event",
        st.DISCIPLINE: DISCIPLINES[discipline.slug],
        st.DEPTH: st.ALL if depth is None else int(depth),
        st.IS_SHORTEST_FIRST: params.get("candidates") == "shortest",
        st.IS_RECOMPUTED: params.get("slots") == "recomputed",
        st.WINDOW_FIRST: int(np.searchsorted(submit, run.warmup_ms, "left")),
        st.WINDOW_LAST: int(np.searchsorted(submit, run.days_ms, "left")),
        st.N_JOBS: len(submit),
    }


def _strike_out(
    usable: list[list[int]], kinds: Kinds, claims: Claims, quotas: Sequence[Mapping[int, Int64 | int]]
) -> None:
    """Leave no domain to shapes that fail their quota test when nothing runs, under every policy of the run."""
    leaves = claims.leaf[kinds.claim]
    if (leaves >= 0).any():
        idle = [Memory({}, columns).m for columns in quotas]
        for shape, (leaf, gpus) in enumerate(zip(leaves.tolist(), kinds.gpus.tolist(), strict=True)):
            if idle and all(may_pass(m, leaf, gpus) == 0 for m in idle):
                usable[shape] = []


def _group(kinds: Kinds, usable: list[list[int]], discipline: int, *, is_by_shape: bool) -> tuple[Int64, list[int]]:
    """Return the group of each shape and the line of each group; groups are numbered by line.

    Jobs that one order and one answer cover stand in one group: strict may stop a whole list of domains
    at once, best-effort a shape (and so do quotas and shares), backfill looks through the line.
    """
    keys: list[tuple[int, tuple[int, ...]]] = []
    for shape, line in enumerate(kinds.line):
        if discipline >= st.EASY:
            keys.append((int(line), ()))
        else:
            keys.append((int(line), (shape,) if is_by_shape else tuple(usable[shape])))
    distinct = sorted(set(keys))
    number = {key: at for at, key in enumerate(distinct)}
    return np.array([number[key] for key in keys], np.int64), [key[0] for key in distinct]


def _slots(groups: Int64, kinds: Kinds, order: Int32, n_groups: int) -> tuple[Int32, Int32, Int32, Int64]:
    """Return slot per row, row per slot, rank per row, and where each group starts, given the rows in order."""
    if n_groups <= 1:
        places = _inverse(order)
        return places, order, places, np.array([0, len(order)], np.int64)
    slot, row_at, rank = np.empty_like(order), np.empty_like(order), np.empty_like(order)
    counts = np.zeros(n_groups, np.int64)
    np.add.at(counts, groups, kinds.n_jobs)
    starts = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    sort_into_groups(order, kinds.of_row, groups, starts[:-1].copy(), row_at, slot, rank)
    return slot, row_at, rank, starts


def _inverse(rows: Int32) -> Int32:
    """Return the place of each row; rows that stand in their places are their own inverse, shared."""
    in_order = np.arange(len(rows), dtype=np.int32)
    if np.array_equal(rows, in_order):
        return rows
    places = np.empty_like(rows)
    places[rows] = in_order
    return places


def _line_columns(layout: Layout, groups: Int64, lines_of_groups: list[int], kinds: Kinds, order: Int32) -> Columns:
    n_groups = len(lines_of_groups)
    slot, row_at, rank, starts = _slots(groups, kinds, order, n_groups)
    tiers = tier_table(max(1, len(order)))
    return {
        st.ROW_AT: row_at,
        st.SLOT: Same(st.ROW_AT) if slot is row_at else slot,
        st.RANK: Same(st.SLOT) if rank is slot else rank,
        st.LINE_BITS: int(tiers[-1]),
        st.LINE_TIERS: tiers,
        st.GROUP_FIRST: starts[:-1],
        st.GROUP_LAST: starts[1:],
        st.HEAD: Unknown(max(1, n_groups)),
        st.HEAD_ROW: Unknown(max(1, n_groups)),
        st.IN_GROUP: max(1, n_groups),
        st.BUSY_GROUP: n_groups,
        st.BUSY_AT: n_groups,
        st.N_BUSY: layout.n_lines,
        st.NEW_GROUP: n_groups,
        st.N_NEW: layout.n_lines,
        st.TRIED_GROUP: n_groups,
        st.TRY_ROW: Same(st.HEAD_ROW),
        st.PARKED: max(1, n_groups),
        st.GROUP_KEY: n_groups,
        st.REFUSED_IN: max(1, n_groups),
        st.LINE_GROUPS: np.searchsorted(lines_of_groups, np.arange(layout.n_lines + 1)),
        st.LINE_DOMAINS: np.array(layout.line_domain, np.int64),
        st.IS_DUE: layout.n_lines,
        st.WAKE: np.full(layout.n_lines, st.NEVER, np.int64),
        st.HOLDER: Unknown(len(layout.domains)),
        st.SHADOW: Unknown(len(layout.domains)),
    }


def _limit_columns(scenario: Scenario, groups: Int64, kinds: Kinds, limit_ms: Int64) -> Columns:
    if scenario.policy.discipline.params.get("candidates") != "shortest":
        return {}
    slot, row_at, _, _ = _slots(groups, kinds, sort_rows(limit_ms), int(groups.max(initial=0)) + 1)
    words = int(tier_table(max(1, len(slot)))[-1])
    return {st.LIMIT_SLOT: slot, st.LIMIT_ROW_AT: row_at, st.LIMIT_BITS: words}


def _job_columns(scenario: Scenario, jobs: Jobs, kinds: Kinds, usable: list[list[int]]) -> Columns:
    n_jobs = len(jobs.gpus)
    is_planned = (
        scenario.policy.discipline.slug in ("easy", "conservative")
        or scenario.run.ties == "submit_first"
        or has_stays(scenario)
        or scenario.policy.reserve is not None
        or order_of(scenario).key is not None
    )
    length = np.minimum(jobs.runtime_ms, jobs.limit_ms) if scenario.policy.kill_at_limit else jobs.runtime_ms
    is_own = has_stays(scenario) or any(policy.kill_at_limit for _, policy in scenario.policy.steps())
    state: NDArray[np.integer] | int = n_jobs
    is_lost = np.array([not domains for domains in usable], bool)
    if is_lost.any():
        state = np.where(is_lost[kinds.of_row], STATES.index("unschedulable"), 0)
    return {
        st.SUBMIT: jobs.submit_ms,
        st.RUNTIME: jobs.runtime_ms,
        st.LIMIT: jobs.limit_ms if is_planned else Same(st.RUNTIME),  # nobody asks then
        st.JOB_CLASS: jobs.job_class,
        st.JOB_PRIORITY: jobs.priority if order_of(scenario).key is not None else 0,
        st.LENGTH: length if is_own else Same(st.RUNTIME),
        st.START: Unknown(n_jobs),
        st.FINISH: Unknown(n_jobs),
        st.JOB_STATE: state,
        st.JOB_SLICE: Unknown(n_jobs),
    }


def _possible_causes(layout: Layout, discipline: str, table: JobTable, turns: dict[int, int]) -> Int64:
    """Return the causes that can occur: a column for each of twelve would be most of the memory of a run."""
    is_possible = {
        "scheduler": turns[st.IS_FILLING] == 0,
        "reservation": discipline in ("easy", "conservative")
        or turns[st.N_SHARES] + turns[st.N_WINDOWS] + turns[st.SCOPES] + turns[st.COLLECT_MS] > 0,
        "gang_hold": turns[st.COLLECT_MS] > 0,
        "grace": turns[st.SCOPES] + turns[st.HAS_STAYS] > 0,
        "order": discipline == "strict" or turns[st.IS_HOLD],
        "quota": layout.n_lines > 1 or turns[st.N_LEAVES] > 0,
        "type": any(accepted is not None for accepted in table.type_sets),
        "fragmentation": not layout.is_counted,
        "capacity": True,
    }
    return np.array([at for at, cause in enumerate(CAUSES) if is_possible.get(cause, False)], np.int64)


def _cause_columns(kept: Int64, n_jobs: int, n_classes: int) -> Columns:
    return {st.KEPT: kept, st.WAIT: n_jobs * len(kept), st.CLASS_BEHIND: max(1, n_classes) * len(CAUSES)}


def _running_columns(layout: Layout, n_nodes: int) -> Columns:
    """Return room for slices and planned ends (at most one a GPU) and for coming finishes.

    Finishes that free their GPUs before other events of their instant are still to come while new jobs
    start on those GPUs: at most two a GPU.
    """
    n_gpus = layout.total_gpus
    per_line = [layout.gpus_of_line(line) for line in range(layout.n_lines)]
    return {
        st.CHOSEN_NODE: n_nodes + 1,
        st.CHOSEN_GPUS: n_nodes + 1,
        st.HEAP_TIME: 2 * n_gpus + 1,
        st.HEAP_TICKET: 2 * n_gpus + 1,
        st.SLICE_NODE: n_gpus,
        st.SLICE_GPUS: n_gpus,
        st.SLICE_NEXT: np.arange(1, n_gpus + 1, dtype=np.int64),
        st.PLAN_FIRST: np.concatenate(([0], np.cumsum(per_line))).astype(np.int64),
        st.PLAN_COUNT: layout.n_lines,
        st.PLAN_END: n_gpus,
        st.PLAN_ROW: n_gpus,
        st.IS_KEPT: n_nodes,
        st.SPARE: n_nodes,
    }


def _log_columns(most_nodes: Int64) -> Columns:
    """Return room for the placement of every job, the latest if it starts several times."""
    room, n_jobs = int(most_nodes.sum()), len(most_nodes)
    return {
        st.LOG_FIRST: np.cumsum(most_nodes) - most_nodes,
        st.LOG_COUNT: n_jobs,
        st.LOG_SEQUENCE: n_jobs,
        st.LOG_NODE: room,
        st.LOG_GPUS: room,
    }


def _slot_columns(scenario: Scenario, pieces: Int64, n_nodes: int, layout: Layout) -> Columns:
    """Return room for slots: at most one a waiting job and `depth` a line, so it never grows."""
    discipline = scenario.policy.discipline
    if discipline.slug != "conservative":
        return {}
    n_domains, n_jobs = len(layout.domains), len(pieces)
    depth = discipline.params.get("depth", 100)
    n_pieces = int(pieces.sum())
    if depth is not None:
        n_pieces = min(n_pieces, (int(depth) + 1) * layout.n_lines * int(pieces.max(initial=0)))
    room = 2 * n_pieces + 2
    return {
        st.SLOT_START: Unknown(n_jobs),
        st.SLOT_PIECE: Unknown(n_jobs),
        st.PIECE_NODE: n_pieces + 1,
        st.PIECE_GPUS: n_pieces + 1,
        st.PIECE_NEXT: np.arange(1, n_pieces + 2, dtype=np.int64),
        st.CHANGE_FIRST: np.arange(n_domains, dtype=np.int64) * room,
        st.CHANGE_COUNT: n_domains,
        st.CHANGE_TIME: n_domains * room,
        st.CHANGE_NODE: n_domains * room,
        st.CHANGE_DELTA: n_domains * room,
        st.HELD: layout.n_lines,
        st.IS_EARLY: layout.n_lines,
        st.VALUE: n_nodes,
        st.NODE_MARK: n_nodes,
    }
