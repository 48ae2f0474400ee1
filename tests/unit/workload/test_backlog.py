"""Work that waits at the start: how much, from which classes, and in which metrics."""

import numpy as np
import pytest

from scheduler_core import simulate, summarize
from scheduler_core.errors import InputError, ScenarioError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.scenario import Scenario, load
from scheduler_core.workload import build

HOUR_MS = 3_600_000


def asked(backlog_gpu_h: float, *, nodes: int = 4, wide_per_day: float = 4, **run: float) -> Scenario:
    """One class of 4-hour jobs of 8 GPUs, one of half-hour jobs of 1 GPU; 128 and 24 GPU hours a day."""
    return load(
        {
            "headroom": 1,
            "name": "backlog",
            "cluster": {"pools": [{"name": "main", "gpu": "A100", "zones": {"z": nodes}, "gpus_per_node": 8}]},
            "tenants": [{"name": "lab"}, {"name": "ops"}],
            "workload": {
                "arrivals": {"process": "poisson"},
                "classes": [
                    {"name": "wide", "tenant": "lab", "per_day": wide_per_day, "gpus": 8, "duration": {"fixed": "4h"}},
                    {
                        "name": "small",
                        "tenant": "ops",
                        "per_day": 12 * wide_per_day,
                        "gpus": 1,
                        "duration": {"fixed": "30min"},
                    },
                ],
                "backlog_gpu_h": backlog_gpu_h,
            },
            "policy": {"order": "fifo", "discipline": "best_effort", "placement": "counted"},
            "run": {"days": 2, **run},
        }
    )


def work_gpu_h(table: JobTable) -> np.ndarray:
    first = table.n_backlog
    return table.jobs.gpus[:first] * table.jobs.runtime_ms[:first] / HOUR_MS


def test_backlog_ends_with_the_job_that_reaches_the_hours_asked_for() -> None:
    work = work_gpu_h(build(asked(5_000)))
    assert work.sum() >= 5_000 > work[:-1].sum()


def test_classes_have_the_share_of_hours_that_they_have_of_arrivals() -> None:
    table = build(asked(200_000))
    work = np.bincount(table.jobs.job_class[: table.n_backlog], work_gpu_h(table))
    assert work[0] / work.sum() == pytest.approx(128 / 152, abs=0.01)  # 4 x 32 GPU hours a day of 128 + 48 x 0.5


def test_backlog_comes_first_and_changes_no_other_draw() -> None:
    without, some, more = (build(asked(gpu_h)) for gpu_h in (0, 500, 5_000))
    assert without.n_backlog == 0
    assert not some.jobs.submit_ms[: some.n_backlog].any()
    for column in ("submit_ms", "runtime_ms", "gpus", "tenant", "job_class"):
        arrived = getattr(some.jobs, column)[some.n_backlog :]
        assert np.array_equal(arrived, getattr(without.jobs, column))
        waiting = getattr(more.jobs, column)[: some.n_backlog]
        assert np.array_equal(waiting, getattr(some.jobs, column)[: some.n_backlog])
    assert some.job_id(0) == "backlog-0"
    assert some.job_id(some.n_backlog) == without.job_id(0)
    for table in (without, some):
        assert [table.row_of(table.job_id(row)) for row in range(table.n_jobs)] == list(range(table.n_jobs))
    assert [some.row_of(f"backlog-{some.n_backlog}"), without.row_of("backlog-0"), some.row_of("x")] == [None] * 3


def test_backlog_is_used_but_in_no_metric_of_jobs() -> None:
    # Nothing arrives in the first instants, so with one node the backlog of 24 h x 8 GPUs fills most of the first day.
    scenario = asked(192, nodes=1, wide_per_day=0.01)
    result = simulate(scenario)
    summary = summarize(result)
    table = result.table
    assert not result.in_window[: table.n_backlog].any()
    assert sum(summary.jobs.values()) <= table.n_jobs - table.n_backlog
    backlog = summary.value("backlog_share").value
    assert backlog is not None
    assert backlog == pytest.approx(work_gpu_h(table).sum() / (8 * 48), abs=1e-9)  # all of it done, 48 h x 8 GPUs
    utilisation = summary.value("utilisation").value
    assert utilisation is not None
    assert utilisation >= backlog
    assert summarize(simulate(asked(0, nodes=1))).value("backlog_share").value is None


def test_a_policy_raises_utilisation_only_where_work_is_left() -> None:
    # 152 GPU hours a day arrive, 32 GPUs give 768. Alone, that is 152 / 768 = 20 %; a backlog fills the rest.
    alone, filled = (summarize(simulate(asked(gpu_h))).value("utilisation").value for gpu_h in (0, 10_000))
    assert alone is not None
    assert filled is not None
    assert alone < 0.3
    assert filled > 0.95


def test_backlog_without_arrivals_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"workload\.backlog_gpu_h"):
        asked(10, wide_per_day=0)


def test_backlog_of_more_jobs_than_a_run_may_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scheduler_core.workload.amount.limit", lambda _slug: 2_000)
    with pytest.raises(InputError, match="2,000 jobs"):
        build(asked(1e6))
