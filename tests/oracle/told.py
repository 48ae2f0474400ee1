"""What the twin says, as a `Result`: books, metrics and pages can be judged before the engine knows a mechanism."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler_core.kernels.tables import ATTEMPT_ENDS, CAUSES, REASONS, STATES, Attempts, Ledger, Outcome
from scheduler_core.result import Provenance, Result
from scheduler_core.scenario import load
from tests import builders
from tests.oracle import naive
from tests.oracle.pairs import jobs_of, nodes_of, order_fields, settings_of


def told(document: Mapping[str, Any]) -> tuple[Result, naive.NaiveResult]:
    """Run the twin; return what it says as a result, and as it says it. The order may be one without a policy file."""
    given = dict(document["policy"])
    order = given.pop("order", "fifo")
    scenario = load({**document, "policy": given})
    table = builders.table(scenario)
    settings = replace(settings_of(scenario), **order_fields(order))
    found = naive.simulate(nodes_of(scenario), jobs_of(scenario, table), settings)
    source = Provenance("scenario", "run", "twin", scenario.run.seed)
    return Result(
        scenario, table, _outcome(found, len(table.classes), can_evict=settings.rules is not None), source
    ), found


def _outcome(found: naive.NaiveResult, n_classes: int, *, can_evict: bool) -> Outcome:
    causes = [[waited[cause] for cause in CAUSES] for waited in found.causes]
    behind = [[found.order_behind.get(at, {}).get(cause, 0) for cause in CAUSES] for at in range(n_classes)]
    return Outcome(
        start_ms=np.array(found.start, np.int64),
        finish_ms=np.array(found.finish, np.int64),
        state=np.array([STATES.index(name) for name in found.state], np.int8),
        cause_ms=np.array(causes, np.int64).reshape(-1, len(CAUSES)),
        order_behind_ms=np.array(behind, np.int64).reshape(-1, len(CAUSES)),
        end_ms=found.end,
        events=0,
        attempts=_attempts(found.attempts),
        ledger=_ledger(found.ledger) if can_evict else None,
        requeue_wait_ms=np.array(found.requeue_wait, np.int64) if can_evict else None,
    )


def _column(rows: Sequence[Any], of: Callable[[Any], int]) -> NDArray[np.int64]:
    return np.array([of(row) for row in rows], np.int64)


def _attempts(rows: Sequence[Any]) -> Attempts:
    return Attempts(
        row=_column(rows, lambda a: a.row).astype(np.int32),
        start_ms=_column(rows, lambda a: a.start),
        told_ms=_column(rows, lambda a: a.told),
        end_ms=_column(rows, lambda a: a.end),
        before_ms=_column(rows, lambda a: a.before),
        saved_ms=_column(rows, lambda a: a.saved),
        end=_column(rows, lambda a: ATTEMPT_ENDS.index(a.reason)).astype(np.int8),
    )


def _ledger(rows: Sequence[tuple[int, int, int, str, int]]) -> Ledger:
    return Ledger(
        time_ms=_column(rows, lambda row: row[0]),
        victim=_column(rows, lambda row: row[1]).astype(np.int32),
        evictor=_column(rows, lambda row: row[2]).astype(np.int32),
        reason=_column(rows, lambda row: REASONS.index(row[3])).astype(np.int8),
        lost_gpu_ms=_column(rows, lambda row: row[4]),
    )
