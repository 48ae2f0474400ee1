"""The books equal the twin's, kind by kind, over the whole run, any part of it, and the bins of a timeline."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from scheduler_core.books import BOOKS, eviction_of
from scheduler_core.kernels.tables import HOUR_MS, REASONS
from scheduler_core.metrics import summarize, timeline
from scheduler_core.result import Result
from tests.oracle.naive import NaiveResult
from tests.oracle.told import told
from tests.properties.designs import Design, balanced, document_of, draw, mechanisms_of

CHUNKS = 8
SEED_OF = 10_000
"""Seeds from here on, so that these are other documents than those of test_mixed.py."""


def evicting(most: int) -> list[Design]:
    """Return designs in which somebody may be evicted; hold-and-wait gangs hold GPUs outside attempts."""
    found = [each for each in balanced(1) if "preemption" in mechanisms_of(each) and each["gang"] == "atomic"]
    source = random.Random(most)
    calm = {"preemption": "fewest", "gang": "atomic", "discipline": "best_effort", "change": "none", "reserve": "none"}
    rare = [draw(source, {"order": order, **calm}) for order in BY_SHARE]
    return [*rare, *source.sample(found, min(most, len(found)))]


BY_SHARE = ("classic", "fair_tree", "drf", "weighted") * 3
"""Orders under which tenants take from others above their share; rare among mixed designs."""
DESIGNS = evicting(150)


def pieces_in(found: NaiveResult, begin: int, end: int) -> Mapping[str, int]:
    """Return GPU-ms by kind within a span, from the twin's pieces."""
    books: Counter[str] = Counter()
    for _, gpus, (kind, first, last) in found.booked:
        books[kind] += gpus * max(min(last, end) - max(first, begin), 0)
    return +books


def booked_in(result: Result, begin: int, end: int) -> Mapping[str, int]:
    """Return GPU-ms by kind within a span, from the result."""
    return +Counter({kind: int(spent.sum()) for kind, spent in result.gpu_ms_in(begin, end).items()})


def test_enough_of_everything_happens() -> None:
    assert len(DESIGNS) >= 150
    books: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for seed, design in enumerate(DESIGNS):
        found = told(document_of(design, SEED_OF + seed))[1]
        books.update(found.books)
        reasons.update(reason for _, _, _, reason, _ in found.ledger)
    assert min(books[kind] for kind in BOOKS) > 0
    assert {"own_queue", "borrowers", "fair_share", "reservation", "order"} == set(reasons)


@pytest.mark.parametrize("number", range(CHUNKS))
def test_books_equal_those_of_the_twin(number: int) -> None:
    for seed, design in list(enumerate(DESIGNS))[number::CHUNKS]:
        result, found = told(document_of(design, SEED_OF + seed))
        end = found.end + 1
        assert booked_in(result, 0, end) == +Counter(found.books), (seed, design)
        source = random.Random(seed)
        for begin, until in ((source.randint(0, end), source.randint(0, end)) for _ in range(3)):
            low, high = sorted((begin, until))
            assert booked_in(result, low, high) == pieces_in(found, low, high), (seed, design, low, high)
        begin, until = result.window_ms
        assert +Counter(result.books) == pieces_in(found, begin, until), (seed, design)
        check_lines(result, found)
        check_ledger(result, found)
        check_metrics(result)


def check_lines(result: Result, found: NaiveResult) -> None:
    """GPUs over time: allocated and useful in each bin; jobs in line for as long as they waited."""
    seen = timeline(result, 37)
    for at, (low, high) in enumerate(zip(seen.bin_edges_ms[:-1].tolist(), seen.bin_edges_ms[1:].tolist(), strict=True)):
        pieces = pieces_in(found, low, high)
        assert int(seen.useful_gpu_ms[:, at].sum()) == pieces.get("useful", 0)
        assert int(seen.allocated_gpu_ms[:, at].sum()) == sum(pieces.values())
    spans = result.spans_in_line
    waited = np.zeros(result.n_jobs, np.int64)
    np.add.at(waited, spans.row, spans.end_ms - spans.begin_ms)
    assert waited.tolist() == result.outcome.cause_ms.sum(axis=1).tolist()
    assert (result.wait_ms + result.requeue_wait_ms).tolist() == waited.tolist()


def check_ledger(result: Result, found: NaiveResult) -> None:
    """Each preemption ended the attempt of its victim in which it was told, and no two the same."""
    ledger = result.outcome.ledger
    assert ledger is not None
    ended = eviction_of(result.attempts, ledger).tolist()
    told_at = _told(found.attempts)
    assert sorted(at for at in ended if at >= 0) == np.flatnonzero(result.attempts.told_ms >= 0).tolist()
    for at, victim, time in zip(ended, ledger.victim.tolist(), ledger.time_ms.tolist(), strict=True):
        assert at < 0 or (result.attempts.row[at], result.attempts.told_ms[at]) == (victim, time)
        assert (at >= 0) == ((victim, time) in told_at)


def check_metrics(result: Result) -> None:
    """What was lost is lost to limits or to evictions, and those for one reason or another."""
    summary = summarize(result, ("all",))
    lost = {slug: summary.value(slug).value or 0.0 for slug in summary.values if slug.startswith("lost_")}
    assert lost["lost_gpu_h"] * HOUR_MS == pytest.approx(result.books["lost"])
    assert lost["lost_gpu_h"] == pytest.approx(lost["lost_limit_gpu_h"] + lost["lost_evicted_gpu_h"])
    assert lost["lost_evicted_gpu_h"] == pytest.approx(sum(lost[f"lost_{reason}_gpu_h"] for reason in REASONS))
    numbers = [value.value for scopes in summary.values.values() for value in scopes.values()]
    assert all(number is None or np.isfinite(number) for number in numbers)


def _told(attempts: Sequence[object]) -> set[tuple[int, int]]:
    return {(a.row, a.told) for a in attempts if a.told >= 0}  # type: ignore[attr-defined]
