"""The table of a scenario: names, order, and what does not change when something is added."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.errors import InputError
from scheduler_core.kernels.tables import Jobs, JobTable
from scheduler_core.scenario.document import Scenario, load
from scheduler_core.workload import build

A: dict[str, Any] = {
    "name": "a",
    "tenant": "red",
    "per_day": 300,
    "gpus": {1: 0.5, 8: 0.5},
    "duration": {"lognormal": {"median": "10min", "mean": "30min", "max": "24h"}},
    "limit": {"over_ask": "realistic"},
    "priority": {"uniform": [0.2, 0.6]},
}
B: dict[str, Any] = {
    "name": "b",
    "tenant": "blue",
    "per_day": 200,
    "gpus": 2,
    "gpu_types": ["A100"],
    "duration": {"exponential": {"mean": "1h"}},
    "limit": {"factors": [1, 2]},
    "priority": {"choice": {0.1: 0.5, 0.9: 0.5}},
}
C: dict[str, Any] = {**A, "name": "c", "tenant": "green"}


def scenario(
    classes: list[dict[str, Any]], tenants: str = "red blue", arrivals: dict[str, Any] | None = None, **run: object
) -> Scenario:
    return load(
        {
            "headroom": 1,
            "name": "test",
            "cluster": {"pools": [{"name": "p", "gpu": "A100", "zones": {"z": 10}}]},
            "tenants": [{"name": name} for name in tenants.split()],
            "workload": {
                "arrivals": arrivals or {"process": "bursty", "day": "office", "week": True},
                "classes": classes,
            },
            "policy": {"order": "fifo", "discipline": "strict", "placement": "best_fit"},
            "run": {"days": 7, **run},
        }
    )


def rows_of(table: JobTable, class_name: str) -> list[list[int]]:
    """All columns of one class except the numbers of tenant, class and type set, which depend on the names around."""
    is_of = table.jobs.job_class == table.classes.index(class_name)
    return [column[is_of].tolist() for column in table.jobs[:5]]


def columns(table: JobTable) -> bytes:
    return b"".join(column.tobytes() for column in table.jobs)


def test_names_and_types_of_columns_are_those_of_the_engine() -> None:
    table = build(scenario([A, B]))
    assert (table.tenants, table.classes, table.ids) == (("red", "blue"), ("a", "b"), None)
    kinds = [column.dtype for column in table.jobs]
    assert kinds == [np.int64] * 3 + [np.int32] * 5
    is_b = table.jobs.job_class == 1
    assert set(table.jobs.tenant[is_b].tolist()) == {1}
    assert {table.type_sets[index] for index in table.jobs.type_set[is_b]} == {("A100",)}
    assert {table.type_sets[index] for index in table.jobs.type_set[~is_b]} == {None}


def test_the_table_is_sorted_by_submit_then_class_then_index() -> None:
    # 100,000 jobs of each class in 100 s share most ms with jobs of the other.
    fast = [{**job_class, "per_day": 86_400_000 // 1_000} for job_class in (A, B)]
    table = build(scenario(fast, days=1))
    jobs = table.jobs
    key = jobs.submit_ms * 2 + jobs.job_class
    assert (np.diff(key) >= 0).all()
    assert (np.diff(jobs.submit_ms) == 0).any()
    alone = build(scenario(fast[:1], days=1))
    assert rows_of(table, "a") == [column.tolist() for column in alone.jobs[:5]]  # index order is kept


@pytest.mark.parametrize("process", ["poisson", "bursty"])
def test_adding_a_class_or_a_tenant_changes_no_other_draw(process: str) -> None:
    arrivals = {"process": process, "day": "office"}
    before = build(scenario([A, B], arrivals=arrivals))
    after = build(scenario([C, A, B], tenants="green red blue", arrivals=arrivals))
    for name in "ab":
        assert rows_of(before, name) == rows_of(after, name)
    assert rows_of(after, "c") != rows_of(after, "a")  # equal classes with different names differ


@settings(max_examples=25)
@given(
    change=st.fixed_dictionaries(
        {},
        optional={
            "gpus": st.sampled_from([4, {1: 0.1, 64: 0.9}]),
            "duration": st.just({"fixed": "5min"}),
            "priority": st.just(0.5),
            "limit": st.just("exact"),
        },
    )
)
def test_a_changed_setting_changes_its_own_column_only(change: dict[str, Any]) -> None:
    before, after = (build(scenario([job_class])) for job_class in (A, {**A, **change}))
    depends = {
        "gpus": {"gpus"},
        "duration": {"runtime_ms", "limit_ms"},
        "priority": {"priority"},
        "limit": {"limit_ms"},
    }
    may_differ = set().union(*(depends[name] for name in change))
    differs = {name for name in Jobs._fields if (getattr(before.jobs, name) != getattr(after.jobs, name)).any()}
    assert differs == may_differ


def test_replications_differ_and_repeat() -> None:
    same = scenario([A, B])
    tables = [columns(build(same, replication)) for replication in (0, 1, 2, 1)]
    assert tables[1] == tables[3]
    assert len(set(tables)) == 3
    assert columns(build(scenario([A, B], seed=2))) not in tables


def test_a_longer_run_begins_with_the_shorter_one() -> None:
    short, long = (build(scenario([A, B], days=days)) for days in (3, 5))
    for name in Jobs._fields:
        assert getattr(short.jobs, name).tolist() == getattr(long.jobs, name)[: short.n_jobs].tolist()


def test_a_class_at_rate_zero_gives_no_jobs() -> None:
    assert build(scenario([{**A, "per_day": 0}])).n_jobs == 0


def test_listed_jobs_and_csv_come_from_the_document() -> None:
    job = {"id": "x", "tenant": "blue", "submit": "1h", "duration": "2h", "gpus": 8, "class": "a"}
    as_rows = build(scenario([A], arrivals={"jobs": [job]}))
    as_csv = build(scenario([A], arrivals={"jobs_csv": f"{','.join(job)}\nx,blue,1h,2h,8,a\n"}), replication=3)
    assert as_rows.ids == as_csv.ids == ("x",)
    assert columns(as_rows) == columns(as_csv)
    assert as_rows.classes == ("a",)


def test_a_log_is_passed_through_and_asked_for() -> None:
    log = build(scenario([A]))
    replay = scenario([], arrivals={"log": {"sha256": "0" * 64, "format": "sacct"}})
    passed = build(replay, 2, log)
    assert passed.jobs is log.jobs
    assert passed.world == (replay.run.seed, 2)
    with pytest.raises(InputError, match="000000000000"):
        build(replay)
