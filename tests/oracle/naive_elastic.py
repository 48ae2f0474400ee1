"""Elastic demand in the slow, obvious engine (10.10 of docs/model.md)."""

from collections.abc import Collection

from tests.oracle.naive_quota import held_by_leaf, quota_of, use_of
from tests.oracle.naive_state import State


def is_open(state: State, came: Collection[int]) -> bool:
    """The gate, judged before anything else of the instant; `came` are the jobs submitted so far (10.10)."""
    elastic, now = state.settings.elastic, state.now
    if elastic is None:
        return False
    if elastic.quota_free is not None:
        used = use_of(state.settings, elastic.tenant, held_by_leaf(state))
        return quota_of(state.settings, elastic.tenant).nominal - used >= elastic.quota_free
    own = [row for row in came if state.jobs[row].tenant == elastic.tenant]
    waits = [
        state.started[row] - state.jobs[row].submit
        for row in own
        if row in state.started and now - elastic.window <= state.started[row] < now
    ]
    if not waits:
        return all(row in state.started for row in own)
    assert elastic.wait_below is not None
    return 2 * sum(wait < elastic.wait_below for wait in waits) > len(waits)
