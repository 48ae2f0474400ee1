"""From hold-and-wait gangs of a scenario to what engine/members_held.py reads, and back to what happened."""

from typing import Any

import numpy as np

from scheduler_core.engine.layout import Layout
from scheduler_core.kernels import state as st
from scheduler_core.kernels.memory import IDLENESS, Column, Memory, Unknown
from scheduler_core.kernels.tables import Holds, JobTable
from scheduler_core.scenario.document import Scenario
from scheduler_core.workload.draws import backoff_draws

ROOM = 1 << 16
"""Stretches of idle holding there is room for at first, besides 8 a GPU: in one instant there are at most 2 a GPU."""


def collect_ms(scenario: Scenario) -> int:
    """Return how long a gang holds its first members while it waits for the others, in ms; 0 if it never does."""
    timeout: Any = scenario.policy.gang.params.get("timeout", 0)
    return int(timeout)


def collecting_scalars(scenario: Scenario, layout: Layout) -> dict[int, int]:
    """Return the settings of hold-and-wait gangs; all off if gangs start all at once."""
    is_on = collect_ms(scenario) > 0
    return {
        st.COLLECT_MS: collect_ms(scenario),
        st.COLLECT_FIRST: -1,
        st.COLLECT_LAST: -1,
        st.MOST_IDLE: ROOM + 8 * layout.total_gpus if is_on else 0,
    }


def collecting_columns(scenario: Scenario, table: JobTable, layout: Layout, n_groups: int) -> dict[int, Column]:
    """Return what gangs that collect need; nothing if gangs start all at once."""
    if collect_ms(scenario) == 0:
        return {}
    n_jobs = table.n_jobs
    columns: dict[int, Column] = dict.fromkeys(
        (st.COLLECT_NEXT, st.COLLECT_BEFORE, st.COLLECT_UNTIL, st.COLLECT_DOMAIN, st.N_MEMBERS, st.AWAY_MS, st.N_AWAY),
        n_jobs,
    )
    columns |= dict.fromkeys((st.AWAY_TIME, st.AWAY_TICKET), n_jobs + 1)
    columns |= dict.fromkeys(IDLENESS.cells, collecting_scalars(scenario, layout)[st.MOST_IDLE])
    return columns | {
        st.GROUP_COLLECTING: max(1, n_groups),
        st.SLICE_SINCE: 2 * layout.total_gpus,
        st.BLOCK_HELD: sum(len(domain.sizes) for domain in layout.domains),
        st.AWAY_SINCE: Unknown(n_jobs),
        st.BACKOFF: backoff_draws(table).ravel(),
    }


def go_on_collecting(memory: Memory, old: Memory) -> None:
    """Let gangs collect on, or stay away, under the next policy; what they hold is taken in engine/resume.py."""
    m = memory.m
    for cell in (
        st.COLLECT_NEXT, st.COLLECT_BEFORE, st.COLLECT_UNTIL, st.COLLECT_DOMAIN, st.N_MEMBERS, st.N_AWAY,
        st.AWAY_TIME, st.AWAY_TICKET,
    ):  # fmt: skip
        memory.column(cell)[:] = old.column(cell)
    for cell in (st.COLLECT_FIRST, st.COLLECT_LAST, st.AWAY_SIZE):
        m[cell] = old.m[cell]
    memory.column(st.AWAY_SINCE)[memory.column(st.AWAY_TICKET)[: int(m[st.AWAY_SIZE])]] = m[st.NOW]


def holds_of(memory: Memory) -> Holds:
    """Return what gangs held without running."""
    n_rows = int(memory.m[st.N_IDLE])
    row, begin, end, gpus = (memory.column(cell)[:n_rows].copy() for cell in IDLENESS.cells)
    return Holds(row.astype(np.int32), begin, end, gpus.astype(np.int32))
