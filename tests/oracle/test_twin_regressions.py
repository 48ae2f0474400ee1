"""Scenarios, found at random and made small, in which the two engines once differed; each says what went wrong."""

from collections.abc import Mapping
from typing import Any

import pytest

from scheduler_core.scenario import Scenario, load
from tests.builders import conservative, job, pool, scenario
from tests.oracle.asked import asked, job_class, tenant
from tests.oracle.pairs import engine, twin

EVENTS: Mapping[str, Any] = {"days": 1, "drain": True, "ties": "submit_first", "pass_per": "event"}
SUSPENDING: Mapping[str, Any] = {"min_gap": 0.3, "suspend": True, "pin_timeout": "6s", "scope": ["own_queue"]}


CASES = {
    # A job of no length that starts when it is submitted had its wait booked before it began.
    "zero length beside a wait": scenario(
        [job("8ms", "3ms", 1), job("6ms", 0, 4), job("6ms", "2ms", 1), job("11ms", 0, 4)],
        pool(2, 2),
        order="smallest",
    ),
    # Slots moved up while a due slot overlapped a job past its limit: GPUs were taken twice.
    "slots move up beside an overrun": scenario(
        [
            job(0, "2ms", 6),
            job("2ms", 0, 3),
            job("1ms", "2ms", 9),
            job("2ms", 0, 3, limit="11ms"),
            job(0, "5ms", 11, limit=0),
            job("2ms", 0, 3),
            job("1ms", 0, 12),
            job("1ms", 0, 5),
            job("1ms", 0, 5),
        ],
        pool(6, 4),
        discipline=conservative(100),
        placement="first_fit",
    ),
    # A slot began on a node where another ended at that moment, and was counted first.
    "slot begins where another ends": scenario(
        [
            job(0, 0, 5),
            job(0, 0, 5, limit="12ms"),
            job(0, 0, 2, limit="12ms"),
            job(0, 0, 6, priority=0.2),
            job(0, 0, 5, limit="9ms"),
            job(0, 0, 6, limit="3ms", priority=0.2),
            job(0, 0, 5, limit="12ms"),
            job(0, 0, 10, limit="7ms"),
            job(0, 0, 5, limit="1ms", priority=0.9),
            job(0, 0, 10),
            job(0, 0, 1, priority=0.2),
        ],
        pool(6, 3),
        run=EVENTS,
        order="priority",
        placement="first_fit",
        discipline=conservative(100, slots="recomputed"),
    ),
    # After an overrun a job took another's promised GPUs a millisecond early.
    "slots after an overrun": scenario(
        [job(0, "1ms", 6), job(0, 0, 4), job("1ms", 0, 1, limit="1ms"), job(0, 0, 1), job(0, "8ms", 9, limit="6ms")],
        pool(3, 3),
        order={"shortest": {"by": "limit"}},
        placement="first_fit",
        discipline=conservative(3),
    ),
    # A slot whose start had passed began late, on GPUs that another slot was promised later.
    "late start beside a promise": scenario(
        [
            job("1ms", "1ms", 6),
            job("2ms", "11ms", 3),
            job("1ms", "25ms", 3),
            job("2ms", "1ms", 3),
            job("26ms", "19ms", 3, limit="8ms"),
            job("2ms", 0, 3),
            job("1ms", 0, 6),
            job("2ms", 0, 3),
        ],
        pool(4, 2),
        order="smallest",
        placement="first_fit",
        discipline=conservative(100),
    ),
    # Under `pass_per: event` a job of no length ends before the next submission of its instant.
    "zero length between two submissions": scenario(
        [job(5, 0, 4), job(5, 0, 1)],
        pool(6, 4),
        run={"days": 1, "drain": True, "pass_per": "event"},
        discipline="best_effort",
        placement="first_fit",
    ),
    # Moved up to now but stopped by a reserved share, jobs kept room from those behind them until the pass was over.
    "moved up but passed over": scenario(
        [
            *[job(0, 0, 1, priority=0.5)] * 28,
            job(0, 0, 4, priority=0.2),
            job(0, "1ms", 1, priority=0.5),
            job(0, "1ms", 3, priority=0.5),
            job(0, "1ms", 12, priority=0.2),
        ],
        pool(2, 8),
        discipline=conservative(None),
        reserve=[{"for": {"priority_below": 0.4}, "share": 0.3}],
    ),
    # A share kept the first job of 4 from evicting; the last of its band started, and the next job of 4 may evict.
    "evicts once the share is free": load(
        asked(
            [
                job(0, 20, 4, priority=0.9, tenant="b"),
                job(1, 5, 4, priority=0.2, tenant="b"),
                job(3, 5, 4, priority=0.5, tenant="b"),
                job(9, 1, 2, priority=0.2, tenant="b"),
                job(11, 20, 2, priority=0.2, tenant="b"),
                job(13, 30, 1, priority=0.2, tenant="b"),
                job(24, 20, 4, priority=0.5, tenant="b"),
            ],
            pool(2, 2),
            tenants=[tenant("b", 4)],
            isolation="reclaim",
            reserve=[{"for": {"priority_below": 0.4}, "share": 0.25}],
            preemption={"min_gap": 0.3},
        )
    ),
    # Two branches without usage are equal; the one that is a leaf comes before the leaves of the other.
    "a tree has an order before anybody used anything": load(
        asked(
            [job(0, 30, 3, tenant="a"), job(0, 20, 2, tenant="c")],
            pool(1, 4),
            tenants=[tenant("org"), tenant("a", parent="org"), tenant("c")],
            order={"fair_share": {"form": "fair_tree"}},
        )
    ),
    # Two jobs had the same GPUs suspended, and one of them started: the other's pins rested on nothing, and the node
    # offered less than nothing, which wrote outside of a table.
    "pins that rest on nothing": load(
        asked(
            [
                job(5, 10, 6, priority=0.2),
                job(11, 20, 8, job_class="paired"),
                job(12, 20, 3, priority=0.2),
                job(13, 0, 3),
                job(27, 10, 4),
                job(35, 0, 2),
            ],
            pool(2),
            pool(2, name="own"),
            tenants=[tenant("all"), tenant("b", pool="own")],
            classes=[job_class("paired", shape={"nodes": 2, "gpus_per_node": 4}, gpus=None)],
            order="drf",
            placement="spread",
            preemption=SUSPENDING,
            rounds={"every": "8s", "fill": False},
        )
    ),
    # Pins ended at an instant with a step of the order and a round, and the round came before their end.
    "pins end where a step and a round fall": load(
        asked(
            [
                job(0, 30, 2),
                job(21, 0, 8, priority=0.9),
                job(23, 20, 3, priority=0.9),
                job(30, 0, 8, priority=0.9),
                job(35, 0, 8, priority=0.9),
                job(39, 30, 2),
            ],
            pool(2, 4),
            tenants=[tenant("all", 8)],
            isolation="partition",
            order={"fair_share": {"form": "fair_tree", "step_min": 0.1, "half_life_d": 0.0005}},
            preemption=SUSPENDING,
            rounds={"every": "10s"},
        )
    ),
}


@pytest.mark.parametrize("each", CASES.values(), ids=CASES.keys())
def test_both_engines_agree_where_they_once_did_not(each: Scenario) -> None:
    assert engine(each) == twin(each)
