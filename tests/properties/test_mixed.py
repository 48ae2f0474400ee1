"""Policies that mix all mechanisms: each keeps every invariant, and the engine equals the twin where it knows all."""

from collections import Counter

import pytest

from scheduler_core.scenario import load
from tests import builders
from tests.conftest import examples, is_set
from tests.oracle.asked import KNOWS, Document
from tests.oracle.pairs import Seen, engine_of, twin_of
from tests.properties.designs import Design, balanced, calmed, document_of, is_legal, legal_pairs, pairs_of

pytestmark = pytest.mark.timeout(0 if is_set("HEADROOM_SOAK") else 900)
TIMES = 100 if is_set("HEADROOM_SOAK") else 10
DESIGNS = balanced(TIMES)
CHUNKS = 16


def chunk(number: int) -> list[tuple[int, Design]]:
    """Return every sixteenth design with its seed."""
    return [(seed, design) for seed, design in enumerate(DESIGNS) if seed % CHUNKS == number]


@pytest.mark.once
def test_every_pair_of_settings_that_go_together_comes_often_enough() -> None:
    counts = Counter(pair for design in DESIGNS for pair in pairs_of(design))
    assert min(counts[pair] for pair in legal_pairs()) >= TIMES


@pytest.mark.once
@pytest.mark.parametrize("number", range(CHUNKS))
def test_every_mix_that_the_engine_does_not_know_keeps_the_invariants(number: int) -> None:
    # The others are checked beside the engine, so that the twin, which is slow, runs each design once.
    for seed, design in chunk(number):
        document = document_of(design, seed)
        if document != known_document(seed, design):
            check(document, twin_of(document))


@pytest.mark.parametrize("number", range(examples(CHUNKS, 2, CHUNKS)))
def test_the_engine_equals_the_twin_and_keeps_the_invariants_where_it_knows_every_mechanism(number: int) -> None:
    for seed, design in chunk(number):
        document = known_document(seed, design)
        if document is None:
            continue
        fast, slow = engine_of(document), twin_of(document)
        assert (fast.state, fast.start, fast.finish) == (slow.state, slow.start, slow.finish), (seed, design)
        assert (fast.causes, fast.order_behind, fast.end) == (slow.causes, slow.order_behind, slow.end), (seed, design)
        assert fast.ledger == slow.ledger, (seed, design)
        if fast.attempts:  # kept where somebody may leave or save
            assert (sorted(fast.attempts), fast.books) == (sorted(slow.attempts), slow.books), (seed, design)
            assert fast.requeue_wait == slow.requeue_wait, (seed, design)
        check(document, slow)


def known_document(seed: int, design: Design) -> Document | None:
    """Return the document with what the engine does not know at its calmest level, None if that is not legal."""
    calm = calmed(design, KNOWS["engine"])  # grows with KNOWS
    return document_of(calm, seed, KNOWS["engine"]) if is_legal(calm) else None


def check(document: dict[str, object], seen: Seen) -> None:
    """Causes sum to waits, books to allocated time, finished work to run times; nothing is used twice."""
    jobs = builders.table(load(document)).jobs
    gpus = jobs.gpus.tolist()
    held = 0
    for number, submit in enumerate(jobs.submit_ms.tolist()):
        stays = [attempt for attempt in seen.attempts if attempt[0] == number]
        held += gpus[number] * sum(end - start for _, start, _, end, _, _ in stays)
        check_job(submit, number, seen, sum(end - start for _, start, _, end, _, _ in stays))
    pools = document["cluster"]["pools"]  # type: ignore[index]
    total = sum(sum(pool["zones"].values()) * pool["gpus_per_node"] for pool in pools)
    for _, moment, *_ in seen.attempts:
        assert sum(gpus[row] for row, start, _, end, _, _ in seen.attempts if start <= moment < end) <= total
    kept = {name: gpu_ms for name, gpu_ms in seen.books.items() if name != "idle_held"}
    is_all = "idle_held" not in seen.books
    assert sum(kept.values()) == held or (not is_all and sum(seen.books.values()) >= held)
    assert sum(gpu_ms for *_, gpu_ms in seen.ledger) <= seen.books.get("lost", 0)


def check_job(submit: int, number: int, seen: Seen, ran: int) -> None:
    """One job: where its time went."""
    if seen.state[number] in ("unschedulable", "withheld"):
        assert (ran, seen.causes[number], seen.start[number]) == (0, {}, -1)
        return
    end = seen.finish[number] if seen.finish[number] >= 0 else max(seen.end, submit)
    waited = sum(seen.causes[number].values())
    assert waited == end - submit - ran
    begun = seen.start[number] if seen.start[number] >= 0 else end
    assert waited - seen.requeue_wait[number] == begun - submit
