"""Short cuts save time and change nothing: a run that may take none of them gives the same."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from scheduler_core.engine import setup
from scheduler_core.engine.layout import Layout
from scheduler_core.engine.run import run
from scheduler_core.engine.setup import prepare
from scheduler_core.engine.shortcuts import short_cuts
from scheduler_core.kernels import state as st
from scheduler_core.kernels.tables import Jobs, JobTable
from scheduler_core.scenario import Scenario, apply
from tests.builders import job, pool, scenario

POLICIES: list[dict[str, Any]] = [
    {"order": "fifo", "discipline": "strict"},
    {"order": "fifo", "discipline": "best_effort"},
    {"order": "priority", "discipline": "strict"},
    {"order": {"priority": {"aging_per_h": 3.0, "aging": "log"}}, "discipline": "best_effort"},
    {"order": "weighted", "discipline": "best_effort"},
    {"order": "weighted", "discipline": "strict"},
    {"order": "fifo", "discipline": "best_effort", "isolation": "partition"},
    {"order": "priority", "discipline": "best_effort", "preemption": {"min_gap": 0.3, "grace": "20s"}},
    {"order": "fifo", "discipline": "best_effort", "reserve": [{"for": {"priority_below": 0.3}, "share": 0.2}]},
]


def busy(policy: Mapping[str, Any], placement: str, ties: str = "finish_first") -> tuple[Scenario, JobTable]:
    """Return 16 GPUs that are now idle, now overrun: a job every second, some at the same time, in waves."""
    random = np.random.default_rng(11)
    n_jobs = 160
    times = np.sort(random.integers(0, 80_000, n_jobs) // 500 * 500)
    rows = [job(0, 1, 1, tenant=name) for name in ("s", "t")]
    asked = scenario(
        rows,
        pool(2, 8),
        fences={"s": None, "t": None},
        run={"days": 1, "drain": True, "ties": ties},
        placement=placement,
        order=policy["order"],
        discipline=policy["discipline"],
    )
    quotas = {"tenants.s.nominal_gpus": 12, "tenants.t.nominal_gpus": 4} if "isolation" in policy else {}
    asked = apply(asked, {**{f"policy.{name}": value for name, value in policy.items()}, **quotas})
    jobs = Jobs(
        submit_ms=times,
        runtime_ms=random.integers(0, 24, n_jobs) * 500 * (1 + (times // 20_000) % 2),
        limit_ms=np.full(n_jobs, 30_000),
        gpus=random.choice([1, 1, 1, 2, 4, 12], n_jobs).astype(np.int32),
        priority=random.integers(0, 1_001, n_jobs).astype(np.int32),
        tenant=random.integers(0, 2, n_jobs).astype(np.int32),
        job_class=np.zeros(n_jobs, np.int32),
        type_set=np.zeros(n_jobs, np.int32),
    )
    return asked, JobTable(jobs, ("s", "t"), ("c",), (None,))


@pytest.mark.parametrize("ties", ["finish_first", "submit_first"])
@pytest.mark.parametrize("placement", ["counted", "best_fit"])
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: f"{policy['order']}-{policy['discipline']}")
def test_a_run_without_short_cuts_gives_the_same(
    policy: Mapping[str, Any], placement: str, ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, table = busy(policy, placement, ties)
    seen = run(asked, table, record_placements=True)
    monkeypatch.setattr(setup, "short_cuts", lambda _scalars, _layout: {})
    expected = run(asked, table, record_placements=True)
    assert (expected.start_ms > table.jobs.submit_ms).any()
    for name in ("start_ms", "finish_ms", "state", "cause_ms", "order_behind_ms"):
        assert np.array_equal(getattr(seen, name), getattr(expected, name)), name
    assert (seen.end_ms, seen.events) == (expected.end_ms, expected.events)
    assert seen.placements is not None
    assert expected.placements is not None
    for column in ("row", "node", "gpus"):
        assert np.array_equal(getattr(seen.placements, column), getattr(expected.placements, column)), column


def taken(policy: Mapping[str, Any], **more: Any) -> tuple[int, int]:  # noqa: ANN401 - settings of a scenario
    """Return when a job may start without standing in line, and whether causes depend on free GPUs and order alone."""
    asked, table = busy(policy, **{"placement": "counted", **more})
    memory = prepare(asked, table).memory
    return int(memory.m[st.DIRECT]), int(memory.m[st.IS_ONE_ROOM])


def test_strict_and_whoever_must_be_asked_in_turn_start_directly_past_nobody() -> None:
    assert taken(POLICIES[0]) == (st.TO_NOBODY, 1)
    assert taken(POLICIES[1]) == (st.PAST_REFUSED, 1)
    assert taken(POLICIES[1], ties="submit_first") == (st.TO_NOBODY, 1)
    assert taken({"order": "weighted", "discipline": "strict"}) == (st.TO_NOBODY, 0)
    assert taken(POLICIES[-2]) == (st.TO_NOBODY, 0)
    assert taken(POLICIES[-1]) == (st.TO_NOBODY, 0)


def test_nodes_and_plans_allow_less() -> None:
    assert taken(POLICIES[1], placement="best_fit") == (st.PAST_REFUSED, 0)
    layout = Layout((), (0,), (0,), (), is_counted=True)
    off = (st.HAS_STAYS, st.IS_QUOTA, st.IS_TURN_BASED, st.IS_SUBMIT_FIRST, st.ORDER_KIND, st.EVERY_MS, st.COLLECT_MS)
    plans = {st.DISCIPLINE: st.EASY} | dict.fromkeys(off, 0)
    assert short_cuts(plans, layout) == {st.DIRECT: st.NOT_DIRECT, st.IS_ONE_ROOM: False}
