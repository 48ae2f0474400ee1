"""What must hold in every run, whatever is drawn; and the few theorems there are, where they are theorems."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core import simulate, timeline
from scheduler_core.books import BOOKS
from tests import builders
from tests.conftest import examples, is_set
from tests.oracle.pairs import Seen, engine, nodes_of, twin_result
from tests.properties.strategies import CONSERVATIVE, DEPTHS, PLACEMENTS, Asked, policies, scenarios, simple_scenarios

pytestmark = pytest.mark.timeout(0 if is_set("HEADROOM_SOAK") else 900)
"""Shrinking a failure takes minutes; a soak takes hours."""

STRICT_FIFO_COUNTED = policies(st.just("fifo"), st.just("strict"), st.just("counted"))
EASY_FIFO = policies(
    st.just("fifo"), st.builds(builders.easy, DEPTHS, st.sampled_from(("order", "shortest"))), PLACEMENTS
)
KEPT_FIFO = policies(st.just("fifo"), st.builds(builders.conservative, DEPTHS, st.just("kept")), PLACEMENTS)
CONSERVATIVE_ANY = policies(discipline=CONSERVATIVE)

Span = tuple[int, int, int]
"""From, to, GPUs."""


def spans_by_node(seen: Seen) -> dict[int, list[Span]]:
    """Return when how many GPUs of each node were held."""
    spans: dict[int, list[Span]] = {}
    for row, places in enumerate(seen.places):
        finish = seen.finish[row] if seen.finish[row] >= 0 else seen.end
        for node, gpus in places.items():
            spans.setdefault(node, []).append((seen.start[row], finish, gpus))
    return spans


def most_at_once(spans: list[Span]) -> int:
    """Return the most GPUs held at one time; one job may take over from another at one instant."""
    return max(sum(gpus for begin, end, gpus in spans if begin <= time < end) for time, _, _ in spans)


def sizes(asked: Asked) -> dict[int, int]:
    """Return the GPUs of each node; under `counted` those of each domain, under the number of its first node."""
    nodes = nodes_of(asked.scenario())
    if asked.policy["placement"] != "counted":
        return {number: node.gpus for number, node in enumerate(nodes)}
    named = set(asked.fences.values())
    first: dict[tuple[str | None, str], int] = {}
    gpus: dict[int, int] = {}
    for number, node in enumerate(nodes):
        domain = (node.pool if node.pool in named else None, node.gpu_type)
        place = first.setdefault(domain, number)
        gpus[place] = gpus.get(place, 0) + node.gpus
    return gpus


@given(scenarios())
@settings(max_examples=examples(500, 100, 20_000))
def test_no_gpu_is_used_twice_and_no_gang_starts_partially(asked: Asked) -> None:
    seen, available = engine(asked.scenario()), sizes(asked)
    for node, spans in spans_by_node(seen).items():
        assert most_at_once(spans) <= available[node]
    wanted = sorted_by_submit(asked)
    for row, places in enumerate(seen.places):
        assert all(gpus > 0 for gpus in places.values())
        assert sum(places.values()) == (wanted[row][2] if seen.start[row] >= 0 else 0)


def sorted_by_submit(asked: Asked) -> list[tuple[str, str, int, Any]]:
    """Return the jobs in row order."""
    return sorted(asked.jobs, key=lambda drawn: milliseconds(drawn[0]))


def milliseconds(text: str) -> int:
    """Return the number of a text such as 5ms."""
    return int(text.removesuffix("ms"))


@given(scenarios())
@settings(max_examples=examples(500, 100, 20_000))
def test_every_job_is_accounted_for_and_its_causes_sum_to_its_wait(asked: Asked) -> None:
    seen = engine(asked.scenario())
    jobs = sorted_by_submit(asked)
    assert len(seen.state) == len(jobs)
    for row, (submitted, duration, _, more) in enumerate(jobs):
        submit, runtime = milliseconds(submitted), milliseconds(duration)
        start, finish, state, causes = seen.start[row], seen.finish[row], seen.state[row], seen.causes[row]
        limit = max(milliseconds(more["limit"]), 1) if "limit" in more else runtime
        is_cut = asked.policy["kill_at_limit"] and runtime > limit
        assert all(waited > 0 for waited in causes.values())
        match state:
            case "unschedulable":
                assert (start, finish, causes) == (-1, -1, {})
            case "pending":
                assert (start, finish) == (-1, -1)
                assert not asked.run["drain"]
                assert sum(causes.values()) == max(seen.end - submit, 0)
            case "running":
                assert not asked.run["drain"]
                assert submit <= start < seen.end
                assert finish == -1
                assert start + (limit if is_cut else runtime) >= seen.end
            case _:
                assert state == ("killed" if is_cut else "finished")
                assert finish == start + (limit if is_cut else runtime)
        if start >= 0:
            assert sum(causes.values()) == start - submit


@given(scenarios())
@settings(max_examples=examples(300, 100, 10_000))
def test_books_balance(asked: Asked) -> None:
    result = simulate(asked.scenario())
    out, gpus = result.outcome, result.table.jobs.gpus.tolist()
    begin, end = result.window_ms
    held = {"useful": 0, "lost": 0}
    whole_run = 0
    for row, (start, finish) in enumerate(zip(out.start_ms.tolist(), out.finish_ms.tolist(), strict=True)):
        if start < 0:
            continue
        stop = finish if finish >= 0 else out.end_ms
        is_killed = out.state[row] == 3
        held["lost" if is_killed else "useful"] += gpus[row] * max(min(stop, end) - max(start, begin), 0)
        whole_run += gpus[row] * (stop - start)
    assert result.books == dict.fromkeys(BOOKS, 0) | held
    bins = timeline(result, 7)
    assert int(bins.allocated_gpu_ms.sum()) == whole_run
    widths = bins.bin_edges_ms[1:] - bins.bin_edges_ms[:-1]
    assert (bins.allocated_gpu_ms.sum(axis=0) <= result.healthy_gpus * widths).all()
    assert (bins.useful_gpu_ms <= bins.allocated_gpu_ms).all()


@given(simple_scenarios(STRICT_FIFO_COUNTED, hold=False))
@settings(max_examples=examples(500, 100, 20_000))
def test_one_more_gpu_never_delays_anyone_under_strict_fifo_counted(asked: Asked) -> None:
    # A theorem only here: with another order, discipline or placement a larger cluster can delay single jobs.
    (pool,) = asked.pools
    one_more = {"nodes": 1, "gpus": 1, "gpu": pool["gpu"], "name": "extra"}
    before, after = engine(asked.scenario()), engine(replace(asked, pools=(pool, one_more)).scenario())
    assert all(late >= early >= 0 for late, early in zip(before.start, after.start, strict=True))


@given(simple_scenarios(EASY_FIFO))
@settings(max_examples=examples(250, 60, 20_000))
def test_easy_head_never_starts_later_than_any_time_promised_to_it(asked: Asked) -> None:
    # Limits hold; one pass an instant (a pass in the middle of an instant sees some jobs end 1 ms late: rule 6.3).
    asked = replace(asked, run={**asked.run, "pass_per": "instant"})
    scenario = asked.scenario()
    started = engine(scenario).start
    for row, promised in twin_result(scenario, builders.table(scenario)).promises:
        assert started[row] <= promised


@given(simple_scenarios(KEPT_FIFO))
@settings(max_examples=examples(200, 60, 20_000))  # the twin builds every slot from nothing
def test_kept_slot_is_never_followed_by_a_later_start(asked: Asked) -> None:
    scenario = asked.scenario()
    started = engine(scenario).start
    given_slots = twin_result(scenario, builders.table(scenario)).slots
    assert {row for row, _ in given_slots} == set(range(len(started)))
    for row, promised in given_slots:
        assert started[row] <= promised


@given(simple_scenarios(CONSERVATIVE_ANY, hold=False))
@settings(max_examples=examples(200, 50, 10_000))
def test_conservative_starts_everybody_in_the_end(asked: Asked) -> None:
    # Overruns, ties and evicted slots included: nobody is forgotten, and no millisecond is looked at for its own sake.
    seen = engine(asked.scenario())
    assert all(state in {"finished", "killed"} for state in seen.state)
