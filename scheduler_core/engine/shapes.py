"""Jobs that the scheduler can tell apart only by their place in line: same fence, claims, types, size and parts."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from scheduler_core.distinct import number_keys
from scheduler_core.engine.layout import Layout
from scheduler_core.engine.tenancy import Claims
from scheduler_core.kernels import state as st
from scheduler_core.kernels.levels import can_place
from scheduler_core.kernels.tables import CAUSES, Int32, Int64, Jobs, JobTable
from scheduler_core.scenario.document import Scenario


class Kinds(NamedTuple):
    """Distinct (line, claim, type set, parts, GPUs) of a table, one row each; the row of each job, the jobs of each.

    `parts` is 0 for a gang whose GPUs lie as placement finds them, and `asks` what a placement rule is asked for.
    """

    of_row: Int32
    n_jobs: Int64
    line: Int32
    claim: Int32
    type_set: Int32
    parts: Int32
    gpus: Int32

    @property
    def asks(self) -> Int64:
        """GPUs; or the number of parts, shifted, and the GPUs of each."""
        gpus, parts = self.gpus.astype(np.int64), self.parts.astype(np.int64)
        return np.where(parts > 0, parts << st.PART_BITS | gpus // np.maximum(parts, 1), gpus)


def parts_of(scenario: Scenario, table: JobTable) -> Int64 | None:
    """Return in how many equal parts each job wants its GPUs, 0 where it does not matter; None if it never does.

    A job has the shape of its class if its GPUs are those of the shape (docs/model.md, 5.6).
    """
    found = {job_class.name: job_class.shape for job_class in scenario.workload.classes}
    shapes = [found.get(name) for name in table.classes]
    if not any(shapes) or table.n_jobs == 0:
        return None
    gpus = np.array([0 if shape is None else shape.gpus for shape in shapes])[table.jobs.job_class]
    parts = np.array([0 if shape is None else shape.nodes for shape in shapes])[table.jobs.job_class]
    return np.where(gpus == table.jobs.gpus, parts, 0)


def most_nodes_of(jobs: Jobs, places: Mapping[int, Int64], parts: Int64 | None, *, is_scattered: bool) -> Int64:
    """Return the most nodes each job can lie on: whole ones of the smallest size and one for the rest, or its parts.

    A gang that collects takes GPUs one by one, wherever they are.
    """
    if is_scattered:
        return np.minimum(jobs.gpus.astype(np.int64), len(places[st.NUMBER]))
    most = jobs.gpus.astype(np.int64) // int(places[st.BLOCK_SIZE].min()) + 2
    return most if parts is None else np.maximum(most, parts)


def find_kinds(table: JobTable, layout: Layout, claims: Claims, parts: Int64 | None = None) -> Kinds:
    """Find the distinct shapes of a table, by line, claim, type set, parts, then size."""
    jobs = table.jobs
    n_sets = len(table.type_sets)
    numbers, part = (np.zeros(1, int), None) if parts is None else np.unique(parts, return_inverse=True)
    span = int(jobs.gpus.max(initial=0)) + 1
    n_lines = max(layout.line_of_tenant, default=0) + 1
    key, top = jobs.gpus.astype(np.int64), span
    if part is not None:
        key += part * np.int64(top)
    top *= len(numbers)
    if n_sets > 1:  # a column of zeros would be one more pass over all jobs
        key += jobs.type_set * np.int64(top)
    top *= n_sets
    if claims.n_keys > 1:
        key += claims.key * top
    top *= claims.n_keys
    if n_lines > 1:
        key += np.array(layout.line_of_tenant, np.int64)[jobs.tenant] * top
    top *= n_lines
    values, of_row, counts = number_keys(key, top)
    head, gpus = np.divmod(values, span)
    head, part = np.divmod(head, len(numbers))
    head, type_sets = np.divmod(head, n_sets)
    lines, claim = np.divmod(head, claims.n_keys)
    told_apart = [column.astype(np.int32) for column in (lines, claim, type_sets, numbers[part], gpus)]
    return Kinds(of_row, counts, *told_apart)


def usable_domains(kinds: Kinds, table: JobTable, layout: Layout, idle: Int64) -> list[list[int]]:
    """Return, per shape, the domains it could use on an idle cluster (memory `idle`), in document order."""
    usable = []
    for line, type_set, ask in zip(kinds.line, kinds.type_set, kinds.asks, strict=True):
        accepted = table.type_sets[type_set]
        domains = range(layout.line_domain[line], layout.line_domain[line + 1])
        usable.append(
            [
                domain
                for domain in domains
                if (accepted is None or layout.domains[domain].gpu in accepted)
                and can_place(idle, st.LIVE, domain, int(ask)) == 1
            ]
        )
    return usable


def shape_columns(
    kinds: Kinds, usable: list[list[int]], groups: Int64, table: JobTable, layout: Layout, claims: Claims
) -> dict[int, Int64 | Int32 | int]:
    """Return the columns of shapes, with all clocks at zero."""
    n_shapes = len(kinds.gpus)
    scopes, others = [], []
    for shape, type_set in enumerate(kinds.type_set):
        accepted = table.type_sets[type_set]
        own = {layout.domains[domain].gpu for domain in usable[shape] if layout.is_alone(domain)}
        numbered = [(len(layout.domains) + k, gpu) for k, gpu in enumerate(layout.types)]
        # A type that lies in one domain of the job's own needs no second look, unless a quota may forbid that one.
        own = own if claims.leaf[kinds.claim[shape]] < 0 else set()
        scopes.append([k for k, gpu in numbered if gpu not in own and (accepted is None or gpu in accepted)])
        others.append([k for k, gpu in numbered if accepted is not None and gpu not in accepted])
    unknown = np.full(n_shapes, -1, np.int64)
    return {
        st.SHAPE: kinds.of_row,
        st.SHAPE_GPUS: kinds.gpus,
        st.SHAPE_ASK: kinds.asks,
        st.SHAPE_GROUP: groups,
        st.SHAPE_LINE: kinds.line,
        st.SHAPE_LEAF: claims.leaf[kinds.claim],
        st.SHAPE_SHARES: claims.shares[kinds.claim],
        st.SHAPE_DOMAINS: _first(usable),
        st.SHAPE_DOMAIN: _flat(usable),
        st.SHAPE_TYPES: _first(scopes),
        st.SHAPE_TYPE: _flat(scopes),
        st.SHAPE_OTHERS: _first(others),
        st.SHAPE_OTHER: _flat(others),
        st.WAITING: n_shapes,
        st.CLOCKS: n_shapes * len(CAUSES),
        st.BEHIND: n_shapes * len(CAUSES),
        st.CAUSE: unknown,
        st.AHEAD: unknown,
        st.FITS_IN: unknown,
        st.FRESH: unknown,
        st.SINCE: n_shapes,
        st.LISTED: n_shapes,
        st.LISTED_AT: n_shapes,
    }


def _first(lists: list[list[int]]) -> Int64:
    return np.concatenate(([0], np.cumsum([len(entry) for entry in lists]))).astype(np.int64)


def _flat(lists: list[list[int]]) -> Int64:
    return np.array([value for entry in lists for value in entry], np.int64)
