"""Jobs that no placement can tell apart: same fence, accepted types and size."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.engine.layout import Layout
from scheduler_core.kernels.levels import fits
from scheduler_core.kernels.state import Levels, Places, Shapes
from scheduler_core.kernels.tables import CAUSES, Int32, JobTable


class Kinds(NamedTuple):
    """Distinct (line, type set, GPUs) of a table; one row a shape, and the shape of every job."""

    of_row: Int32
    line: Int32
    type_set: Int32
    gpus: Int32


def find_kinds(table: JobTable, layout: Layout) -> Kinds:
    """Number the distinct shapes of a table, by line, type set, then size."""
    jobs = table.jobs
    n_sets = len(table.type_sets)
    span = int(jobs.gpus.max(initial=0)) + 1
    line = np.array(layout.line_of_tenant, np.int64)[jobs.tenant]
    key = (line * n_sets + jobs.type_set) * span + jobs.gpus
    top = (max(layout.line_of_tenant, default=0) + 1) * n_sets * span
    if top <= 1 << 22:  # counting is ten times faster than sorting, and almost always possible
        is_present = np.bincount(key, minlength=1) > 0
        values = np.flatnonzero(is_present)
        number = np.cumsum(is_present) - 1
        of_row = number[key].astype(np.int32)
    else:
        values, inverse = np.unique(key, return_inverse=True)
        of_row = inverse.astype(np.int32)
    head, gpus = np.divmod(values, span)
    lines, type_sets = np.divmod(head, n_sets)
    return Kinds(of_row, lines.astype(np.int32), type_sets.astype(np.int32), gpus.astype(np.int32))


def usable_domains(kinds: Kinds, table: JobTable, layout: Layout, places: Places, idle: Levels) -> list[list[int]]:
    """Return, per shape, the domains it could use on an idle cluster, in document order."""
    usable = []
    for line, type_set, gpus in zip(kinds.line, kinds.type_set, kinds.gpus, strict=True):
        accepted = table.type_sets[type_set]
        domains = range(layout.line_domain[line], layout.line_domain[line + 1])
        usable.append(
            [
                domain
                for domain in domains
                if (accepted is None or layout.domains[domain].gpu in accepted)
                and fits(idle, places, domain, int(gpus)) == 1
            ]
        )
    return usable


def shape_tables(kinds: Kinds, usable: list[list[int]], groups: NDArray[np.int32], table: JobTable, layout: Layout) -> Shapes:
    """Return the working table of shapes, with all clocks at zero."""
    n_shapes = len(kinds.gpus)
    scopes = []
    for type_set in kinds.type_set:
        accepted = table.type_sets[type_set]
        scopes.append(
            [len(layout.domains) + k for k, gpu in enumerate(layout.types) if accepted is None or gpu in accepted]
        )
    return Shapes(
        of_row=kinds.of_row,
        gpus=kinds.gpus,
        group=groups,
        line=kinds.line,
        domain_first=_first(usable),
        domain=_flat(usable),
        type_first=_first(scopes),
        type_scope=_flat(scopes),
        waiting=np.zeros(n_shapes, np.int64),
        clock=np.zeros(n_shapes * len(CAUSES), np.int64),
        behind=np.zeros(n_shapes * len(CAUSES), np.int64),
        cause=np.full(n_shapes, -1, np.int64),
        ahead=np.full(n_shapes, -1, np.int64),
        fits_in=np.full(n_shapes, -1, np.int64),
        fresh=np.full(n_shapes, -1, np.int64),
        since=np.zeros(n_shapes, np.int64),
        listed=np.zeros(n_shapes, np.int32),
        place=np.zeros(n_shapes, np.int32),
    )


def _first(lists: list[list[int]]) -> Int32:
    return np.concatenate(([0], np.cumsum([len(entry) for entry in lists]))).astype(np.int32)


def _flat(lists: list[list[int]]) -> Int32:
    return np.array([value for entry in lists for value in entry], np.int32)
