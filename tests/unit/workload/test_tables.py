"""Job tables that are used again: the same jobs for another policy, other jobs for anything they depend on."""

import numpy as np
import pytest

from scheduler_core import simulate, workload
from scheduler_core.scenario import apply, load_case
from scheduler_core.workload import JobTables

BASE = apply(load_case("one-pool-poisson@1"), {"run.days": "0.2", "run.warmup_days": "0"})


@pytest.mark.parametrize("change", [{"policy.order": "smallest"}, {"run.replications": "3"}])
def test_another_policy_is_asked_about_the_same_jobs(change: dict[str, str]) -> None:
    tables = JobTables(2)
    assert tables.get(apply(BASE, change)) is tables.get(BASE)


@pytest.mark.parametrize("change", [{"run.seed": "8"}, {"run.days": "0.3"}, {"workload.backlog_gpu_h": "5"}])
def test_what_the_jobs_depend_on_gives_others(change: dict[str, str]) -> None:
    tables = JobTables(2)
    before = tables.get(BASE)
    after = apply(BASE, change)
    assert tables.get(after) is not before
    for kept, drawn in zip(tables.get(after).jobs, workload.build(after).jobs, strict=True):
        np.testing.assert_array_equal(kept, drawn)


def test_few_tables_are_kept() -> None:
    tables = JobTables(2)
    found = [tables.get(BASE, k) for k in range(4)]
    assert tables.get(BASE, 3) is found[3]
    assert tables.get(BASE, 0) is not found[0]


def test_a_run_on_a_table_that_was_kept_is_the_same_run() -> None:
    tables = JobTables(1)
    simulate(apply(BASE, {"policy.order": "smallest"}), tables=tables)
    again, alone = simulate(BASE, tables=tables), simulate(BASE)
    np.testing.assert_array_equal(again.outcome.start_ms, alone.outcome.start_ms)
    assert again.provenance == alone.provenance
