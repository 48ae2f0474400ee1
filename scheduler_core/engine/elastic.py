"""Elastic demand: whether an offer comes (docs/model.md 10.10).

First starts of the tenant's jobs are written down in their order; two counts over the last window are kept up to date,
so that judging costs no more than what started.
"""

from collections.abc import Mapping

import numpy as np

from scheduler_core.engine.layout import tenant_names
from scheduler_core.kernels import state as st
from scheduler_core.kernels.jit import INT, INTS, step
from scheduler_core.kernels.memory import Column
from scheduler_core.kernels.state import (
    BEGUN_ROW,
    ELASTIC_ROLE,
    IS_OPEN,
    IS_QUOTA,
    JOB_STATE,
    LEAST_FREE_GPUS,
    N_BEGUN,
    N_CAME,
    N_PASSED,
    N_SHORT,
    NOW,
    OFFER_LEAF,
    OFFERED_ROLE,
    SHORT_MS,
    START,
    SUBMIT,
    TENANT_NOMINAL,
    TENANT_USE,
    WATCH_MS,
)
from scheduler_core.kernels.tables import STATES, Int64, JobTable
from scheduler_core.scenario.document import Scenario

WITHHELD = STATES.index("withheld")


@step(INT(INTS, INT))
def note_begun(m: Int64, row: int) -> int:
    """Write down that job `row` is about to start, if it is one of the tenant's and has not before; return 1 or 0."""
    if m[m[ELASTIC_ROLE] + row] == 0 or m[m[START] + row] >= 0:
        return 0
    m[m[BEGUN_ROW] + m[N_BEGUN]] = row
    m[N_SHORT] += 1 if m[NOW] - m[m[SUBMIT] + row] < m[SHORT_MS] else 0
    m[N_BEGUN] += 1
    return 1


@step(INT(INTS))
def judge(m: Int64) -> int:
    """Open or close the gate for the offers of this instant; return 1 if it is open, else 0."""
    while m[N_PASSED] < m[N_BEGUN] and m[m[START] + m[m[BEGUN_ROW] + m[N_PASSED]]] < m[NOW] - m[WATCH_MS]:
        row = m[m[BEGUN_ROW] + m[N_PASSED]]
        m[N_SHORT] -= 1 if m[m[START] + row] - m[m[SUBMIT] + row] < m[SHORT_MS] else 0
        m[N_PASSED] += 1
    n_started = m[N_BEGUN] - m[N_PASSED]
    if m[LEAST_FREE_GPUS] > 0:
        free = m[m[TENANT_NOMINAL] + m[OFFER_LEAF]] - m[m[TENANT_USE] + m[OFFER_LEAF]]
        m[IS_OPEN] = 1 if m[IS_QUOTA] == 0 or free >= m[LEAST_FREE_GPUS] else 0
    elif n_started == 0:
        m[IS_OPEN] = 1 if m[N_CAME] == m[N_BEGUN] else 0
    else:
        m[IS_OPEN] = 1 if 2 * m[N_SHORT] > n_started else 0
    return m[IS_OPEN]


@step(INT(INTS, INT))
def is_withheld(m: Int64, row: int) -> int:
    """Return 1 if job `row`, which may come now, is an offer that does not, else 0; count it if it is the tenant's."""
    if m[m[ELASTIC_ROLE] + row] == OFFERED_ROLE and m[IS_OPEN] == 0:
        m[m[JOB_STATE] + row] = WITHHELD
        return 1
    if m[m[ELASTIC_ROLE] + row] > 0:
        m[N_CAME] += 1
    return 0


def elastic_scalars(scenario: Scenario, table: JobTable) -> dict[int, int]:
    """Return what the gate goes by; nothing where the table has no offers."""
    elastic = scenario.workload.elastic
    if elastic is None or table.offered is None or not table.offered.any():
        return {}
    when, tenant = elastic.appears_when, table.tenants[_own_tenant(table)]
    return {
        st.OFFER_MS: elastic.every,
        st.WATCH_MS: elastic.window,
        st.SHORT_MS: when.wait_p50_below or 0,
        st.LEAST_FREE_GPUS: when.quota_free_gpus or 0,
        st.OFFER_LEAF: tenant_names(scenario).index(tenant),
    }


def elastic_columns(scalars: Mapping[int, int], table: JobTable) -> dict[int, Column]:
    """Return the columns that `elastic_scalars` asks for."""
    if not scalars or table.offered is None:
        return {}
    is_own = table.jobs.tenant == _own_tenant(table)
    role = np.where(table.offered, st.OFFERED_ROLE, np.where(is_own, st.OWN_ROLE, 0))
    return {st.ELASTIC_ROLE: role.astype(np.int64), st.BEGUN_ROW: int(np.count_nonzero(role))}


def _own_tenant(table: JobTable) -> int:
    """Return the tenant of the offers: its number in the table."""
    return int(table.jobs.tenant[table.offered][0])
