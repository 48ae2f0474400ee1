"""The heap of coming finishes, against a sorted list."""

import heapq

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.kernels import state
from scheduler_core.kernels.heap import ROW_BITS, ROW_MASK
from scheduler_core.kernels.memory import Memory
from scheduler_core.scenario.limits import limit
from tests.conftest import examples
from tests.unit.kernels import entries

ROOM = 80


def memory() -> Memory:
    """Return room for `ROOM` entries and nothing else, so that bounds checks see every slip."""
    return Memory({}, {state.HEAP_TIME: ROOM, state.HEAP_TICKET: ROOM})


def first(memory: Memory) -> tuple[int, int, int]:
    """Return (time, sequence, row) at the top."""
    time, ticket = int(memory.column(state.HEAP_TIME)[0]), int(memory.column(state.HEAP_TICKET)[0])
    return time, ticket >> ROW_BITS, ticket & ROW_MASK


@given(st.lists(st.integers(0, 6) | st.just(None), max_size=ROOM))
@settings(max_examples=examples(200, 50))
def test_entries_come_out_by_time_then_in_order_of_start(acts: list[int | None]) -> None:
    # A number is pushed as a finish that many ms ahead; None takes the first finish out. Times tie often.
    held, plain, size = memory(), list[tuple[int, int, int]](), 0
    for sequence, ahead in enumerate([*acts, *[None] * ROOM]):
        if ahead is not None:
            size = entries.push(held.m, size, ahead, sequence, 1_000 - sequence)
            heapq.heappush(plain, (ahead, sequence, 1_000 - sequence))
        elif plain:
            assert first(held) == heapq.heappop(plain)
            size = entries.pop(held.m, size)
        assert size == len(plain)


def test_a_ticket_has_room_for_every_row_and_for_many_starts_of_each() -> None:
    assert limit("jobs") <= ROW_MASK
    held, last = memory(), ROW_MASK
    size = entries.push(held.m, 0, 7, (1 << 35) - 1, last)
    assert first(held) == (7, (1 << 35) - 1, last)
    assert entries.pop(held.m, size) == 0


def test_equal_times_end_in_order_of_start() -> None:
    held = memory()
    size = 0
    for sequence in range(20):
        size = entries.push(held.m, size, 5, sequence, sequence)
    rows = []
    while size > 0:
        rows.append(first(held)[2])
        size = entries.pop(held.m, size)
    assert rows == list(range(20))
