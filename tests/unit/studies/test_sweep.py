"""A sweep gives for every point what a run on its own gives, in one process or in two."""

import io
import pickle
import queue
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from scheduler_core import api
from scheduler_core.engine.run import CancelledError
from scheduler_core.errors import InputError, KernelError
from scheduler_core.kernels.tables import JobTable
from scheduler_core.metrics import ScopeKind, Summary, all_metrics, summarize
from scheduler_core.scenario import Scenario, apply, load, load_case
from scheduler_core.studies import FolderCache, Means, Measure, compare, sweep
from scheduler_core.studies import sweep_workers as workers
from scheduler_core.studies.sweep_cache import MemoryCache
from scheduler_core.studies.sweep_points import Axis, read_axis
from scheduler_core.studies.sweep_worker import serve
from scheduler_core.workload import build, tables
from tests import builders as b

BASE = apply(
    load_case("priority-clash@1"), {"run.days": 0.5, "run.warmup_days": 0.1, "run.replications": 2, "run.drain": True}
)
ORDERS = [read_axis("policy.order=fifo,smallest,priority")]


class Counting(MemoryCache):
    """A cache that counts what is put into it."""

    n_put = 0

    def put(self, key: str, kinds: Iterable[ScopeKind], summary: Summary) -> None:
        self.n_put += 1
        super().put(key, kinds, summary)


def test_every_point_equals_runs_on_their_own_to_the_last_bit() -> None:
    axes = [*ORDERS, read_axis("workload.classes.urgent.per_day=100,150")]  # the jobs vary too
    found = sweep(BASE, axes, means=Means(n_workers=1))
    assert len(found.points) == 6
    for point, runs in zip(found.points, found.runs, strict=True):
        alone = [summarize(api.simulate(point.scenario, replication=k), ("all",)) for k in range(2)]
        assert list(runs.summaries) == alone
    assert not found.is_paired


def test_two_processes_give_the_same_and_hand_on_what_they_did() -> None:
    shares: list[float] = []

    def note(share: float) -> bool:
        shares.append(share)
        return True

    one = sweep(BASE, ORDERS, means=Means(n_workers=1))
    two = sweep(BASE, ORDERS, means=Means(n_workers=2), progress=note)
    assert two == one
    assert one.is_paired
    assert shares[0] == 0
    assert shares[-1] == 1
    assert all(0 <= share <= 1 for share in shares)


def test_differences_are_those_of_a_comparison() -> None:
    found = sweep(BASE, ORDERS, 3, measures=[Measure("wait_mean", "class:urgent")], means=Means(n_workers=1))
    pair = compare(BASE, apply(BASE, {"policy.order": "smallest"}), 3)
    assert found.baseline == 0
    assert found.difference(1, found.measures[0]) == pair.difference("wait_mean", "class:urgent")
    assert found.difference(0, found.measures[0]).change == "same"


def test_kept_runs_are_not_made_again_and_a_new_value_runs_alone(tmp_path: Path) -> None:
    cache = FolderCache(tmp_path)
    first = sweep(BASE, ORDERS, means=Means(n_workers=1, cache=cache))
    again = sweep(BASE, ORDERS, means=Means(n_workers=1, cache=FolderCache(tmp_path)))
    assert (first.n_kept, again.n_kept) == (0, 6)
    assert again.runs == first.runs
    counting = Counting()
    sweep(BASE, ORDERS, means=Means(n_workers=1, cache=counting))
    more = sweep(BASE, [read_axis("policy.order=fifo,shortest")], 3, means=Means(n_workers=1, cache=counting))
    assert more.n_kept == 2  # fifo, two draws
    assert counting.n_put == 6 + 4  # its third draw, and three of the new order


def test_a_kept_run_bears_the_name_of_the_question_that_asks_for_it() -> None:
    cache = MemoryCache()
    sweep(BASE, ORDERS, means=Means(n_workers=1, cache=cache))
    asked = BASE.model_copy(update={"targets": load({"case": "priority-clash@1", "targets": [
        {"metric": "wait_mean", "at_most": "1s"}]}).targets})  # fmt: skip
    kept = sweep(asked, ORDERS, measures=[Measure("wait_mean")], means=Means(n_workers=1, cache=cache))
    fresh = sweep(asked, ORDERS, measures=[Measure("wait_mean")], means=Means(n_workers=1))
    assert kept.n_kept == 6
    assert kept.runs == fresh.runs
    assert kept.keeps() == (False, False, False)


def test_targets_decide_who_competes() -> None:
    free = sweep(BASE, ORDERS, means=Means(n_workers=1))
    waits = [runs.estimate("wait_mean").mean or 0.0 for runs in free.runs]
    middle = sorted(waits)[1]
    targets = load(
        {"case": "priority-clash@1", "targets": [{"metric": "wait_mean", "at_most": f"{middle:.0f}ms"}]}
    ).targets
    asked = BASE.model_copy(update={"targets": targets})
    found = sweep(asked, ORDERS, means=Means(n_workers=1))
    assert found.keeps() == tuple(wait <= round(middle) for wait in waits)
    assert sum(found.keeps()) == 2
    best = found.recommend([Measure("wait_mean")])
    assert best is not None
    assert best.winner == waits.index(min(waits))


def test_jobs_are_drawn_once_for_points_that_share_them(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def counting(scenario: Scenario, replication: int = 0, log: JobTable | None = None) -> JobTable:
        drawn.append(replication)
        return build(scenario, replication, log)

    monkeypatch.setattr(tables, "build", counting)
    sweep(BASE, ORDERS, 3, means=Means(n_workers=1))
    assert drawn == [0, 1, 2]
    drawn.clear()
    sweep(BASE, [read_axis("workload.classes.bulk.per_day=10,20")], 2, means=Means(n_workers=1))
    assert drawn == [0, 0, 1, 1]


def test_listed_jobs_run_once() -> None:
    listed = b.scenario([b.job(0, 60, 8), b.job(1, 60, 4), b.job(2, 5, 4)])
    found = sweep(listed, [read_axis("policy.order=fifo,smallest")])
    assert found.n_replications == 1
    # fifo: the second waits 59 s, the third 58 s; one node of 8 holds both at 60 s
    assert found.estimate(0, Measure("wait_mean")).mean == pytest.approx((59_000 + 58_000) / 3)


@pytest.mark.parametrize("n_workers", [1, 2])
def test_cancelling_ends_it(n_workers: int) -> None:
    with pytest.raises(CancelledError):
        sweep(BASE, ORDERS, means=Means(n_workers=n_workers), progress=lambda _share: False)


@pytest.mark.parametrize("n_workers", [1, 2])
def test_an_interrupt_leaves_no_process(n_workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[workers._Worker] = []
    make = workers._Worker

    def remembering(log: JobTable | None, inbox: "queue.SimpleQueue[workers.Message]") -> workers._Worker:
        started.append(make(log, inbox))
        return started[-1]

    def interrupt(_share: float) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "_Worker", remembering)
    with pytest.raises(KeyboardInterrupt):
        sweep(BASE, ORDERS, means=Means(n_workers=n_workers), progress=interrupt)
    assert len(started) == (0 if n_workers == 1 else 2)
    assert all(worker.process.poll() is not None for worker in started)


def test_a_worker_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(KernelError, match="ended with status"):
        sweep(BASE, ORDERS, means=Means(n_workers=2))


def test_an_error_inside_a_worker_is_told_as_if_it_had_happened_here() -> None:
    seen: dict[int, Summary] = {}
    with pytest.raises(InputError, match="the imported log"):  # whose jobs nobody has handed over
        workers.run_all([workers.Task(BASE, 0), workers.Task(replaying(), 0)], ("all",), seen.__setitem__, n_workers=2)


def replaying() -> Scenario:
    log = {"sha256": "0" * 64, "format": "swf"}
    return apply(BASE, {"workload.arrivals": {"log": log}})


def test_worker_answers_on_its_stream_and_ends_with_its_input() -> None:
    tasks, answers = io.BytesIO(), io.BytesIO()
    for message in (None, (5, BASE, 0, ("all",)), (6, replaying(), 0, ("all",))):
        pickle.dump(message, tasks)
    tasks.seek(0)
    serve(tasks, answers)
    answers.seek(0)
    found = []
    while answers.tell() < len(answers.getvalue()):
        found.append(pickle.load(answers))  # noqa: S301
    told = {number: content for kind, number, content in found if kind == "done"}
    assert told == {5: summarize(api.simulate(BASE), ("all",))}
    assert ("failed", 6, None) in found


def test_small_work_stays_in_this_process_and_large_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 64)
    small = [workers.Task(BASE, 0)] * 3
    large = [workers.Task(load_case("fenced-research@1"), k) for k in range(12)]
    assert workers.workers_for(small) == 1
    assert workers.workers_for(large) == workers.MOST_WORKERS
    assert workers.workers_for(large[:4]) == 4
    assert workers.expected_jobs(large[0].scenario) == 320_000  # 80,000 a day for 4 days
    assert workers.expected_jobs(b.scenario([b.job(0, 1)])) == 1


@pytest.mark.parametrize(("n", "sentence"), [(0, "at least 1"), (2_000, "at most 4,000")])
def test_a_wrong_number_of_runs_is_refused(n: int, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        sweep(BASE, ORDERS, n)


def test_a_sweep_without_objectives_recommends_nothing() -> None:
    plain = [Measure(next(slug for slug, metric in all_metrics().items() if metric.better == "none"))]
    found = sweep(BASE, ORDERS, 1, measures=plain, means=Means(n_workers=1))
    assert found.recommend() is None
    assert found.regions() == [None, None, None]
    assert found.axes == (Axis("policy.order", ("fifo", "smallest", "priority")),)
