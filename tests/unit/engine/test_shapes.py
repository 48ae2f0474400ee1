"""Jobs that no placement can tell apart, and the domains each may use."""

import numpy as np

from scheduler_core.engine.layout import lay_out, place_columns
from scheduler_core.engine.shapes import find_kinds, usable_domains
from scheduler_core.engine.tenancy import find_claims
from scheduler_core.kernels.memory import Memory
from scheduler_core.scenario import Scenario
from tests import builders
from tests.builders import job, pool, scenario

ASKED = scenario(
    [
        job(0, 1, 4, tenant="s"),
        job(1, 1, 4, tenant="s", priority=0.9),  # the shape of the first: neither time nor priority is part of it
        job(2, 1, 12, tenant="s"),
        job(3, 1, 4, tenant="s", gpu_types=["B"]),
        job(4, 1, 4, tenant="t"),
        job(5, 1, 8, tenant="t"),
        job(6, 1, 4, tenant="u"),  # another tenant of the same fence
    ],
    pool(2, 8, gpu="A", name="a"),
    pool(1, 4, gpu="B", name="b"),
    pool(1, 4, gpu="B", name="own"),
    fences={"s": None, "t": "own", "u": None},
)


def usable(asked: Scenario) -> tuple[list[int], list[list[int]]]:
    """Return the shape of each job and the domains of each shape."""
    table = builders.table(asked)
    tenants = {tenant.name: tenant for tenant in asked.tenants}
    layout = lay_out(asked.cluster, [tenants[name] for name in table.tenants], is_counted=False)
    kinds = find_kinds(table, layout, find_claims(asked, table))
    return kinds.of_row.tolist(), usable_domains(kinds, table, layout, Memory(*place_columns(layout)).m)


def test_shapes_are_fence_accepted_types_and_size() -> None:
    of_row, domains = usable(ASKED)
    assert of_row[0] == of_row[1] == of_row[6]
    assert len(set(of_row)) == len(domains) == 5


def test_a_job_may_use_the_domains_of_its_fence_that_accept_and_could_ever_hold_it() -> None:
    # Domains: 0 = shared A (2 x 8), 1 = shared B (4), 2 = own B (4).
    of_row, domains = usable(ASKED)
    assert [domains[shape] for shape in of_row] == [[0, 1], [0, 1], [0], [1], [2], [], [0, 1]]


def test_counting_and_sorting_find_the_same_shapes() -> None:
    # Five sets of types times a million sizes are more possible shapes than the engine counts in.
    small = [job(0, 1, size) for size in (3, 1, 2, 3, 1)]
    typed = [job(1, 1, 2, gpu_types=types) for types in (["A100"], ["X"], ["A100", "X"], ["Y"])]
    sorted_ones = usable(scenario([*small, *typed, job(2, 1, 1_000_000)], pool(125_000, 8)))
    counted_ones = usable(scenario([*small, *typed, job(2, 1, 4)], pool(125_000, 8)))
    assert sorted_ones == counted_ones
    assert sorted_ones[0][:5] == [2, 0, 1, 2, 0]


def test_a_shape_is_found_again_in_its_row() -> None:
    table = builders.table(ASKED)
    tenants = {tenant.name: tenant for tenant in ASKED.tenants}
    layout = lay_out(ASKED.cluster, [tenants[name] for name in table.tenants], is_counted=False)
    kinds = find_kinds(table, layout, find_claims(ASKED, table))
    assert np.array_equal(kinds.gpus[kinds.of_row], table.jobs.gpus)
    assert np.array_equal(kinds.type_set[kinds.of_row], table.jobs.type_set)
    assert np.array_equal(kinds.line[kinds.of_row], np.array(layout.line_of_tenant)[table.jobs.tenant])
