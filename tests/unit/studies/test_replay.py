"""A log as recorded, as a result."""

import numpy as np

from scheduler_core.metrics import Value, summarize
from scheduler_core.result import Result
from scheduler_core.scenario import Scenario
from scheduler_core.studies import recorded_result, replay
from scheduler_core.traces import set_up
from tests.unit.metrics.hand import Job, S, hand_result

SWF = b"""; MaxProcs: 8
1 0 30 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1
2 10 90 50 8 -1 -1 8 200 -1 1 1 1 -1 1 -1 -1 -1
3 20 0 10 1 -1 -1 1 200 -1 1 2 1 -1 1 -1 -1 -1
"""


def test_recorded_starts_are_taken_as_given_and_unknown_ones_left_out() -> None:
    asked = hand_result([Job(0, 0, 100), Job(5, 5, 50), Job(7, 7, 9)])
    found = recorded_result(asked.scenario, asked.table, np.array([40 * S, -1, 7 * S]))
    assert found is not None
    assert found.n_jobs == 2
    assert found.outcome.start_ms.tolist() == [40 * S, 7 * S]
    assert found.outcome.finish_ms.tolist() == [140 * S, 9 * S]
    assert [found.job_id(row) for row in (0, 1)] == [asked.job_id(0), asked.job_id(2)]
    assert summarize(found).value("wait_mean") == Value(20.0 * S)  # (40 + 0) / 2
    assert summarize(found).cause_shares() == {}


def test_log_without_starts_has_no_recorded_result() -> None:
    asked = hand_result([Job(0, 0, 100)])
    assert recorded_result(asked.scenario, asked.table, np.array([-1])) is None


def test_replay_holds_recorded_and_simulated_waits_side_by_side() -> None:
    setup = set_up(SWF)

    def at_once(scenario: Scenario, *, log: object = None, **_: object) -> Result:
        table = setup.replay.table
        assert log is table
        made = hand_result([Job(0, 0, 1)])
        start = table.jobs.submit_ms
        outcome = recorded_result(scenario, table, start)
        assert outcome is not None
        return Result(scenario, table, outcome.outcome, made.provenance)

    study = replay(setup, simulate=at_once)
    assert study.recorded is not None
    assert study.recorded.wait_ms.tolist() == [30 * S, 90 * S, 0]
    whole = study.rows[0]
    assert (whole.size, whole.jobs) == ("all", 3)
    assert whole.recorded_median_ms == 30 * S
    assert whole.simulated_median_ms == 0
    assert study.scenario.run.drain
