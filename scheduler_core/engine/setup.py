"""From a scenario and its jobs to the working tables of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core import registry
from scheduler_core.engine.layout import Layout, idle_levels, lay_out, place_tables
from scheduler_core.engine.shapes import Kinds, find_kinds, shape_tables, usable_domains
from scheduler_core.kernels import state as st
from scheduler_core.kernels.bits import tier_offsets
from scheduler_core.kernels.ranks import rank_all
from scheduler_core.kernels.tables import CAUSES, STATES, Int32, Int64, Jobs, JobTable
from scheduler_core.scenario.document import Scenario
from scheduler_core.scenario.policy import Choice

DISCIPLINES = {
    "strict": st.STRICT,
    "best_effort": st.BEST_EFFORT,
    "easy": st.EASY,
    "conservative": st.CONSERVATIVE,
}


@dataclass(frozen=True)
class Prepared:
    """A run that has not begun.

    Attributes
    ----------
    state : State
        The working tables.
    pick_node, pick_rest : kernel
        The placement rule.
    layout : Layout
        Lines and domains.
    """

    state: st.State
    pick_node: Any
    pick_rest: Any
    layout: Layout


def prepare(scenario: Scenario, table: JobTable, *, record_placements: bool = False) -> Prepared:
    """Build the working tables of a run.

    Parameters
    ----------
    scenario : Scenario
        Cluster, tenants, policy and run settings.
    table : JobTable
        The jobs, sorted by submit time; tenants in the order of the scenario.
    record_placements : bool
        Keep a log of which nodes each job ran on.

    Returns
    -------
    Prepared
        Ready for the event loop; jobs that fit no idle domain are marked unschedulable.
    """
    policy = scenario.policy
    placement: Any = registry.find("placements")[policy.placement.slug]
    by_name = {tenant.name: tenant for tenant in scenario.tenants}
    layout = lay_out(
        scenario.cluster, [by_name[name] for name in table.tenants], is_counted=placement.is_counted
    )
    places = place_tables(layout)
    idle = idle_levels(places)
    kinds = find_kinds(table, layout)
    usable = usable_domains(kinds, table, layout, places, idle)
    groups, lines_of_groups = _group(kinds, usable, DISCIPLINES[policy.discipline.slug])
    jobs = table.jobs._replace(limit_ms=np.maximum(table.jobs.limit_ms, 1))
    rank, order = _rank(jobs, policy.order)
    clock = st.Clock(
        cells=np.zeros(st.N_CELLS, np.int64),
        settings=_settings(scenario, table, is_counted=placement.is_counted, is_recording=record_placements),
    )
    state = st.State(
        clock=clock,
        jobs=jobs,
        places=places,
        levels=idle,
        later=_copy(idle),
        offered=_copy(idle),
        chosen=_scratch(places),
        heap=_heap(layout.total_gpus),
        line=_line(layout, groups, lines_of_groups, kinds, rank, order),
        by_limit=_by_limit(scenario, groups, kinds, jobs.limit_ms),
        shapes=shape_tables(kinds, usable, groups, table, layout),
        runs=_runs(scenario, table, kinds, usable),
        slices=_slices(layout.total_gpus),
        plan=_plan(layout),
        log=st.Log(*(np.zeros(0, np.int32) for _ in range(3))),
        domains=_domains(layout, places),
        slots=_slot_tables(scenario, table, layout, places),
    )
    return Prepared(state, placement.pick_node, placement.pick_rest, layout)


def _settings(scenario: Scenario, table: JobTable, *, is_counted: bool, is_recording: bool) -> Int64:
    run, discipline = scenario.run, scenario.policy.discipline
    params: Mapping[str, Any] = discipline.params
    submit = table.jobs.submit_ms
    settings = np.zeros(st.N_SETTINGS, np.int64)
    settings[st.END_MS] = st.NEVER if run.drain else run.days_ms
    settings[st.IS_SUBMIT_FIRST] = run.ties == "submit_first"
    settings[st.IS_PASS_PER_EVENT] = run.pass_per == "event"
    settings[st.DISCIPLINE] = DISCIPLINES[discipline.slug]
    settings[st.DEPTH] = st.ALL if params.get("depth", 100) is None else params.get("depth", 100)
    settings[st.IS_SHORTEST_FIRST] = params.get("candidates") == "shortest"
    settings[st.IS_RECOMPUTED] = params.get("slots") == "recomputed"
    settings[st.IS_COUNTED] = is_counted
    settings[st.IS_RECORDING] = is_recording
    settings[st.WINDOW_FIRST] = np.searchsorted(submit, run.warmup_ms, "left")
    settings[st.WINDOW_LAST] = len(submit) if run.drain else np.searchsorted(submit, run.days_ms, "left")
    settings[st.N_JOBS] = len(submit)
    return settings


def _rank(jobs: Jobs, order: Choice) -> tuple[Int32, Int32]:
    """Return the place of each row in the order (policy key, submit, row), and its inverse."""
    policy: Any = registry.find("policies")[order.slug]
    keys = np.zeros(len(jobs.gpus), np.float64)
    is_constant = rank_all(policy.rank, jobs, policy.numbers(order.params), keys)
    rows = np.arange(len(keys), dtype=np.int32)
    if is_constant:
        return rows, rows
    lowest, highest = keys.min(), keys.max()
    if highest - lowest < 1 << 16 and np.array_equal(keys, np.floor(keys)):
        keys = (keys - lowest).astype(np.uint16)  # type: ignore[assignment] # sorts by radix: 5 times faster
    by_rank = np.argsort(keys, kind="stable").astype(np.int32)
    rank = np.empty_like(by_rank)
    rank[by_rank] = rows
    return rank, by_rank


def _group(kinds: Kinds, usable: list[list[int]], discipline: int) -> tuple[Int32, list[int]]:
    """Return the group of each shape and the line of each group; groups are numbered by line.

    Jobs that one order and one answer cover stand in one group: strict may stop a whole list of domains
    at once, best-effort a shape, backfill looks through the line.
    """
    keys = []
    for shape, line in enumerate(kinds.line):
        if discipline == st.STRICT:
            keys.append((int(line), tuple(usable[shape])))
        elif discipline == st.BEST_EFFORT:
            keys.append((int(line), (shape,)))
        else:
            keys.append((int(line), ()))
    distinct = sorted(set(keys))
    number = {key: at for at, key in enumerate(distinct)}
    return np.array([number[key] for key in keys], np.int32), [key[0] for key in distinct]


def _slots(groups: NDArray[np.int32], kinds: Kinds, by_rank: Int32, n_groups: int) -> tuple[Int32, Int32, Int64]:
    """Return slot per row, row per slot, and where each group starts."""
    if n_groups <= 1:
        slot = np.empty_like(by_rank)
        slot[by_rank] = np.arange(len(by_rank), dtype=np.int32)
        return slot, by_rank, np.array([0, len(by_rank)], np.int64)
    group_of_row = groups[kinds.of_row]
    narrow = np.uint16 if n_groups < 1 << 16 else np.int64
    row_at = by_rank[np.argsort(group_of_row[by_rank].astype(narrow), kind="stable")]
    slot = np.empty_like(row_at)
    slot[row_at] = np.arange(len(row_at), dtype=np.int32)
    counts = np.bincount(group_of_row, minlength=n_groups)
    return slot, row_at, np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _line(
    layout: Layout, groups: Int32, lines_of_groups: list[int], kinds: Kinds, rank: Int32, by_rank: Int32
) -> st.Line:
    n_lines, n_groups = len(layout.line_domain) - 1, len(lines_of_groups)
    slot, row_at, starts = _slots(groups, kinds, by_rank, n_groups)
    tiers = tier_offsets(max(1, len(rank)))
    return st.Line(
        bits=np.zeros(int(tiers[-1]), np.int64),
        tiers=tiers,
        rank=rank,
        slot=slot,
        row_at=row_at,
        first=starts[:-1],
        last=starts[1:],
        head=np.full(max(1, n_groups), -1, np.int64),
        line_group=np.searchsorted(lines_of_groups, np.arange(n_lines + 1)).astype(np.int32),
        line_domain=np.array(layout.line_domain, np.int32),
        is_due=np.zeros(n_lines, np.int64),
        wake=np.full(n_lines, st.NEVER, np.int64),
    )


def _by_limit(scenario: Scenario, groups: Int32, kinds: Kinds, limit_ms: Int64) -> st.ByLimit:
    if scenario.policy.discipline.params.get("candidates") != "shortest":
        empty = np.zeros(0, np.int32)
        return st.ByLimit(np.zeros(0, np.int64), np.zeros(1, np.int64), empty, empty)
    by_limit = np.argsort(limit_ms, kind="stable").astype(np.int32)
    slot, row_at, _ = _slots(groups, kinds, by_limit, int(groups.max(initial=0)) + 1)
    tiers = tier_offsets(max(1, len(slot)))
    return st.ByLimit(np.zeros(int(tiers[-1]), np.int64), tiers, slot, row_at)


def _runs(scenario: Scenario, table: JobTable, kinds: Kinds, usable: list[list[int]]) -> st.Runs:
    n_jobs, jobs = table.n_jobs, table.jobs
    length = np.minimum(jobs.runtime_ms, np.maximum(jobs.limit_ms, 1)) if scenario.policy.kill_at_limit else jobs.runtime_ms
    state = np.zeros(n_jobs, np.int8)
    is_lost = np.array([not domains for domains in usable], bool)
    if is_lost.any():
        state[is_lost[kinds.of_row]] = STATES.index("unschedulable")
    return st.Runs(
        length=length,
        start=np.full(n_jobs, -1, np.int64),
        finish=np.full(n_jobs, -1, np.int64),
        state=state,
        slice=np.full(n_jobs, -1, np.int32),
        cause=np.zeros(n_jobs * len(CAUSES), np.int64),
        class_behind=np.zeros(max(1, len(table.classes)) * len(CAUSES), np.int64),
    )


def _copy(levels: st.Levels) -> st.Levels:
    return st.Levels(*(column.copy() for column in levels))


def _scratch(places: st.Places) -> st.Chosen:
    size = len(places.number) + 1
    return st.Chosen(
        node=np.zeros(size, np.int32),
        gpus=np.zeros(size, np.int32),
        count=np.zeros(1, np.int32),
        skip=np.zeros(len(places.blocks.size), np.int32),
    )


def _heap(n_gpus: int) -> st.Heap:
    size = n_gpus + 1
    return st.Heap(np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int32))


def _slices(n_gpus: int) -> st.Slices:
    following = np.arange(1, n_gpus + 1, dtype=np.int32)
    return st.Slices(np.zeros(n_gpus, np.int32), np.zeros(n_gpus, np.int32), following)


def _plan(layout: Layout) -> st.Plan:
    n_lines = len(layout.line_domain) - 1
    gpus = [
        sum(domain.gpus for domain in layout.domains[layout.line_domain[k] : layout.line_domain[k + 1]])
        for k in range(n_lines)
    ]
    first = np.concatenate(([0], np.cumsum(gpus))).astype(np.int64)
    return st.Plan(
        first, np.zeros(n_lines, np.int64), np.zeros(int(first[-1]), np.int64), np.zeros(int(first[-1]), np.int32)
    )


def _domains(layout: Layout, places: st.Places) -> st.Domains:
    n_domains, n_nodes = len(layout.domains), len(places.number)
    return st.Domains(
        holder=np.full(n_domains, -1, np.int64),
        shadow=np.full(n_domains, -1, np.int64),
        is_kept=np.zeros(n_nodes, np.int8),
        spare=np.zeros(n_nodes, np.int32),
    )


def _slot_tables(scenario: Scenario, table: JobTable, layout: Layout, places: st.Places) -> st.Slots:
    """Return room for slots: at most one a waiting job and `depth` a line, so it never has to grow."""
    n_lines, n_domains = len(layout.line_domain) - 1, len(layout.domains)
    if scenario.policy.discipline.slug != "conservative":
        narrow, wide = np.zeros(0, np.int32), np.zeros(0, np.int64)
        return st.Slots(
            wide, narrow, narrow, narrow, narrow, wide, wide, wide, narrow, narrow, wide, wide, narrow, wide
        )
    depth = scenario.policy.discipline.params.get("depth", 100)
    pieces = table.jobs.gpus // int(places.blocks.size.min()) + 2
    n_pieces = int(pieces.sum())
    if depth is not None:
        n_pieces = min(n_pieces, (int(depth) + 1) * n_lines * int(pieces.max(initial=0)))
    room = 2 * n_pieces + 2
    return st.Slots(
        start=np.full(table.n_jobs, -1, np.int64),
        piece=np.full(table.n_jobs, -1, np.int32),
        node=np.zeros(n_pieces + 1, np.int32),
        gpus=np.zeros(n_pieces + 1, np.int32),
        next=np.arange(1, n_pieces + 2, dtype=np.int32),
        first=np.arange(n_domains, dtype=np.int64) * room,
        count=np.zeros(n_domains, np.int64),
        time=np.zeros(n_domains * room, np.int64),
        where=np.zeros(n_domains * room, np.int32),
        delta=np.zeros(n_domains * room, np.int32),
        held=np.zeros(n_lines, np.int64),
        is_early=np.zeros(n_lines, np.int64),
        value=np.zeros(len(places.number), np.int32),
        mark=np.zeros(len(places.number), np.int64),
    )
