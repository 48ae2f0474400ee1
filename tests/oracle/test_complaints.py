"""What people complain about, replayed: each scenario has the complaint, its remedy, and the direction it must go.

The complaints are public issues of schedulers, named by repository and number. Directions are asserted on means over
five seeds with the same jobs on both sides; timelines, where one is enough, by hand.
"""

import ast
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from scheduler_core import simulate, summarize
from scheduler_core.metrics import Summary
from scheduler_core.result import Result
from scheduler_core.scenario import load
from tests.builders import Row, job, pool
from tests.oracle.asked import asked, job_class, starts, tenant
from tests.oracle.pairs import Seen, engine_of

SEEDS = 5
HOUR_MS = 3_600_000


def made(
    classes: list[Row],
    *pools: Row,
    tenants: list[Row],
    days: float = 4,
    run: Mapping[str, Any] | None = None,
    **policy: object,
) -> str:
    """Return a document with Poisson arrivals, as text, so that runs of it can be kept."""
    document = {
        "headroom": 1,
        "name": "complaint",
        "cluster": {"pools": list(pools)},
        "tenants": tenants,
        "workload": {"arrivals": {"process": "poisson"}, "classes": classes},
        "policy": {"order": "fifo", "discipline": "strict", "placement": "counted"} | policy,
        "run": {"days": days, "warmup_days": days / 8} | dict(run or {}),
    }
    return repr(document)


@cache
def runs(document: str) -> tuple[Result, ...]:
    asked_for = load(ast.literal_eval(document))
    return tuple(simulate(asked_for, replication=seed) for seed in range(SEEDS))


@cache
def summaries(document: str) -> tuple[Summary, ...]:
    return tuple(summarize(run) for run in runs(document))


def mean(document: str, metric: str, scope: str = "all") -> float:
    """Return a metric's mean over the seeds."""
    values = [each.value(metric, scope).value for each in summaries(document)]
    known = [value for value in values if value is not None]
    assert len(known) == SEEDS, (metric, scope, values)
    return float(np.mean(known))


def size(name: str, gpus: int, per_day: float, hours: float, *, of: str = "all", **more: object) -> Row:
    """Return a class of jobs of one size with exponential run times."""
    duration = {"exponential": {"mean": f"{hours}h"}}
    return {"name": name, "tenant": of, "per_day": per_day, "gpus": gpus, "duration": duration, **more}


# ---- order and backfill ---------------------------------------------------------------------------------------------


def test_kueue_8309_a_full_gpu_type_does_not_block_another() -> None:
    # Type A is asked for 1.2 times what there is, type B 0.5 times. A blocked job closes only what it could use (rule
    # 6.2): strict uses B as best effort does, and within a type nobody is overtaken.
    types = [pool(2, gpu="A100", name="a"), pool(2, gpu="H100", name="b")]
    two = [size("for_a", 4, 115, 1, of="x", gpu_types=["A100"]), size("for_b", 4, 48, 1, of="y", gpu_types=["H100"])]
    strict = made(two, *types, tenants=[tenant("x"), tenant("y")])
    best_effort = made(two, *types, tenants=[tenant("x"), tenant("y")], discipline="best_effort")
    assert mean(strict, "utilisation") == mean(best_effort, "utilisation")
    assert mean(strict, "wait_mean", "class:for_b") < HOUR_MS / 4 < mean(strict, "wait_mean", "class:for_a")
    for run in runs(strict):
        jobs, first = run.table.jobs, run.outcome.start_ms
        for each in range(2):
            mine = (jobs.job_class == each) & (first >= 0)
            assert np.all(np.diff(first[mine]) >= 0)


def test_kueue_4809_a_strict_head_keeps_others_from_what_it_waits_for() -> None:
    # 20 GPUs, nominal 12 for O and 8 for B. O runs 4 until 100; B runs 12, 4 of them borrowed. At 1 O asks for 8, which
    # are its own but not free (4 are); at 2 B asks for 4. Strict without reclaim: O first, at 100, and 4 stand idle
    # until then; B at 150. Best effort with reclaim: O at once, from B's job of 12, and B's 4 at 2.
    jobs = [
        job(0, 100, 4, tenant="O"),
        job(0, 300, 12, tenant="B"),
        job(1, 50, 8, tenant="O"),
        job(2, 300, 4, tenant="B"),
    ]
    tenants = [tenant("O", 12, borrow=0), tenant("B", 8, borrow="unlimited")]
    held = engine_of(asked(jobs, pool(1, 20), tenants=tenants, isolation="borrow"))
    free = engine_of(asked(jobs, pool(1, 20), tenants=tenants, isolation="reclaim", discipline="best_effort"))
    assert starts(held)[2:] == [100, 150]
    assert starts(free)[2:] == [1, 2]
    assert [victim for _, victim, *_ in free.ledger] == [1]


def test_kueue_2270_a_short_look_down_the_line_hides_small_jobs() -> None:
    # Jobs of 4 beyond what fits pile up before jobs of 1 that would fit a gap: looking at 3 jobs hides them.
    mix = [
        size("wide", 6, 26, 1),
        size("small", 1, 40, 0.5),
    ]
    shallow = made(mix, pool(1, 8), tenants=[tenant("all")], discipline={"easy": {"depth": 3}})
    deep = made(mix, pool(1, 8), tenants=[tenant("all")], discipline={"easy": {"depth": None}})
    assert mean(deep, "wait_mean", "class:small") < 0.7 * mean(shallow, "wait_mean", "class:small")
    assert mean(deep, "wait_mean", "class:wide") < 1.1 * mean(shallow, "wait_mean", "class:wide")


WIDE_AND_SMALL = [size("wide", 32, 6, 2, limit={"factor": 2}), size("small", 1, 700, 0.8, limit={"factor": 2})]


def test_volcano_4690_small_jobs_jump_over_a_large_one() -> None:
    # Best effort: the large job waits until the small ones happen to leave 32 of 40. Strict: it waits less, others
    # more. EASY: the large one's start is kept and the use is no lower than under strict.
    ways = {
        way: made(WIDE_AND_SMALL, pool(5), tenants=[tenant("all")], discipline=way)
        for way in ("best_effort", "strict", "easy")
    }
    wide = {way: mean(ways[way], "wait_mean", "class:wide") for way in ways}
    small = {way: mean(ways[way], "wait_mean", "class:small") for way in ways}
    used = {way: mean(ways[way], "utilisation") for way in ways}
    assert wide["strict"] < wide["best_effort"]
    assert wide["easy"] < wide["best_effort"]
    assert small["best_effort"] < small["easy"] < small["strict"]
    assert used["strict"] <= used["easy"] + 0.01


def test_kai_1970_aging_lifts_who_starves() -> None:
    # Jobs of low priority starve behind a nearly full cluster; the steeper the aging, the less the worst of them wait,
    # and those of high priority pay for it.
    two = [size("high", 4, 210, 0.8, priority=0.9), size("low", 4, 20, 0.8, priority=0.1)]

    def with_aging(slope: float) -> str:
        order = {"priority": {"aging_per_h": slope}}
        return made(two, pool(4), tenants=[tenant("all")], order=order, discipline="best_effort", days=8)

    low = [mean(with_aging(slope), "wait_p99", "class:low") for slope in (0.0, 0.05, 0.5)]
    high = [mean(with_aging(slope), "wait_mean", "class:high") for slope in (0.0, 0.05, 0.5)]
    assert low[0] > low[1] > low[2]
    assert high[0] < high[2]


def test_hyperqueue_848_cpu_tasks_do_not_wait_behind_gpu_tasks_that_cannot_use_the_cpus() -> None:
    # A node of 8 GPUs and one of 4 CPUs. G2 needs a whole GPU node, which is taken until 100; C1 and C2 need the CPUs.
    # Strict, and nobody says which nodes a task can use: C1 waits for G2. Filling (best effort): C1 at 2, C2 at 52, and
    # G2 as before. So does strict once the nodes are of two types (rule 6.2).
    wants = [job_class("gpu", shape={"nodes": 1, "gpus_per_node": 8}, gpus=None), job_class("cpu", gpus=4)]
    rows = [job(0, 100, 8, **{"class": "gpu"}), job(1, 100, 8, **{"class": "gpu"})]
    rows = [row | {"priority": 0.9} for row in rows]
    rows += [job(2, 50, 4, priority=0.1, **{"class": "cpu"}) for _ in range(2)]
    both, types = ([pool(1, name="g"), pool(1, 4, gpu=kind, name="c")] for kind in ("A100", "CPU"))
    policy: dict[str, Any] = {"order": "priority", "placement": "best_fit"}
    waiting = engine_of(asked(rows, *both, classes=wants, **policy))
    filling = engine_of(asked(rows, *both, classes=wants, discipline="best_effort", **policy))
    told = [row | {"gpu_types": ["CPU" if row["class"] == "cpu" else "A100"]} for row in rows]
    apart = engine_of(asked(told, *types, classes=wants, **policy))
    assert starts(waiting) == [0, 100, 100, 150]
    assert starts(filling) == starts(apart) == [0, 100, 2, 52]
    # The same with drawn tasks, more of the GPU kind than fit: each starts when it would with no CPU task there.
    gpu = size("gpu", 8, 110, 0.5, of="x", gpu_types=["A100"], priority=0.9)
    cpu = size("cpu", 2, 100, 0.5, of="y", gpu_types=["CPU"], priority=0.1)
    nodes = [pool(2, name="g"), pool(2, 4, gpu="CPU", name="c")]
    tenants = [tenant("x"), tenant("y")]
    mixed, alone = (made(classes, *nodes, tenants=tenants, order="priority") for classes in ([gpu, cpu], [gpu]))
    for with_cpu, without in zip(runs(mixed), runs(alone), strict=True):
        is_gpu = with_cpu.table.jobs.job_class == 0
        assert np.array_equal(with_cpu.outcome.start_ms[is_gpu], without.outcome.start_ms)
    assert mean(mixed, "wait_mean", "class:cpu") < HOUR_MS / 4 < mean(mixed, "wait_mean", "class:gpu")
    assert mean(mixed, "utilisation") > mean(alone, "utilisation") + 0.1


# ---- preemption -----------------------------------------------------------------------------------------------------


def reclaimed(*, pin: bool, grace: str = "0s") -> Seen:
    """An owner of 8 whose two borrowers stand before it in line: what they leave is theirs again without a pin."""
    jobs = [job(0, 400, 4, tenant="B"), job(0, 400, 4, tenant="B"), job(10, 50, 8, tenant="O")]
    tenants = [tenant("O", 8), tenant("B", 0, borrow="unlimited")]
    preemption = {"pin": pin, "grace": grace}
    run = {"days": 1 / 24}
    return engine_of(
        asked(jobs, tenants=tenants, isolation="reclaim", discipline="best_effort", preemption=preemption, run=run)
    )


def test_kueue_3779_without_a_pin_the_evicted_come_back_before_the_preemptor() -> None:
    with_pin, without = reclaimed(pin=True, grace="10s"), reclaimed(pin=False, grace="10s")
    assert len(with_pin.ledger) == 2
    assert starts(with_pin)[2] == 20  # 10 + the grace period
    assert len(without.ledger) > 10 * len(with_pin.ledger)


BATCH = size("batch", 2, 400, 1.2, priority=0.2)
CHECKPOINTED = BATCH | {"checkpoint": {"every": "30min", "cost": "1min", "restart": "5min"}}
URGENT = size("urgent", 8, 30, 0.5, priority=0.9)


def preempting(batch: Row = CHECKPOINTED, **rules: object) -> str:
    return made(
        [batch, URGENT],
        pool(4),
        tenants=[tenant("all")],
        order="priority",
        discipline="best_effort",
        preemption={"min_gap": 0.5, **rules},
        days=6,
    )


def test_kueue_9596_a_guaranteed_run_time_saves_work_and_costs_latency() -> None:
    ways = [preempting(min_runtime=f"{minutes}min") for minutes in (0, 30, 120)]
    lost = [mean(way, "lost_evicted_gpu_h") for way in ways]
    waits = [mean(way, "wait_mean", "class:urgent") for way in ways]
    assert waits[0] < waits[1] < waits[2]
    assert lost[2] < lost[0]


def test_kueue_477_victims_chosen_by_what_they_lose() -> None:
    # A job's loss is what it has done since its last save. Oldest work saved or not, `least_lost_work` takes the
    # cheapest: less is lost for the same urgent jobs, and they wait no longer.
    careless = preempting(victims="lowest_priority")
    careful = preempting(victims="least_lost_work")
    assert mean(careful, "lost_evicted_gpu_h") < 0.8 * mean(careless, "lost_evicted_gpu_h")
    assert mean(careful, "wait_mean", "class:urgent") == mean(careless, "wait_mean", "class:urgent") == 0


# ---- gangs ----------------------------------------------------------------------------------------------------------


def test_scheduler_plugins_117_incomplete_gangs_hold_all_gpus() -> None:
    # Two nodes of 8, 60 gangs of 1 to 8 for 10 minutes each, all at 0. Without gang scheduling the first 16 take one
    # GPU each, and then hold each other up, give up after a minute, and begin again. All at once, the 267 GPUs asked
    # for need at least 267 / 16 x 10 min = 2.8 h: less is allocated over 6 h, and more of it is work.
    jobs = [job(0, 600, 1 + number % 8) for number in range(60)]
    policy: dict[str, Any] = {"discipline": "best_effort", "placement": "first_fit", "run": {"days": 0.25}}
    held = engine_of(asked(jobs, pool(2), gang={"hold_and_wait": {"timeout": "1min"}}, **policy))
    whole = engine_of(asked(jobs, pool(2), **policy))
    assert held.state.count("pending") > 45
    assert whole.state.count("pending") == 0
    assert sum(held.books.values()) > 0.95 * 16 * 6 * HOUR_MS > sum(whole.books.values())
    assert whole.books["useful"] > 10 * held.books["useful"]
    assert sum(causes.get("gang_hold", 0) for causes in held.causes) > 200 * HOUR_MS
    assert {cause for causes in whole.causes for cause in causes} == {"capacity", "fragmentation"}


# ---- quotas and fair shares -----------------------------------------------------------------------------------------


def test_volcano_3725_two_deserve_five_each_and_ask_for_six() -> None:
    # Partitions of 5 never hold a job of 6: nothing runs. With borrowing one of them runs at a time: 6 of 10.
    jobs = [job(0, 100, 6, tenant="x"), job(0, 100, 6, tenant="y")]
    tenants = [tenant("x", 5), tenant("y", 5)]
    apart = load(asked(jobs, pool(1, 10), tenants=tenants, isolation="partition"))
    together = load(asked(jobs, pool(1, 10), tenants=tenants, isolation="borrow"))
    assert summarize(simulate(apart)).value("utilisation").value == 0
    assert summarize(simulate(apart)).n_unschedulable == 2
    seen = engine_of(asked(jobs, pool(1, 10), tenants=tenants, isolation="borrow"))
    assert starts(seen) == [0, 100]
    assert summarize(simulate(together)).n_unschedulable == 0


def test_volcano_5881_reclaim_gives_the_owner_its_gpus_within_the_grace_period() -> None:
    # Low has nothing of its own and borrows all there is. Without reclaim High waits for jobs of hours; with reclaim
    # for the grace period of 5 minutes at most (it never asks for more than its nominal), and Low loses work.
    two = [size("high", 4, 20, 1, of="High", priority=0.9), size("low", 4, 100, 6, of="Low", priority=0.1)]
    tenants = [tenant("High", 32), tenant("Low", 0, borrow="unlimited")]

    def isolated(isolation: str) -> str:
        return made(
            two,
            pool(4),
            tenants=tenants,
            isolation=isolation,
            order="priority",
            discipline="best_effort",
            preemption={"grace": "5min"} if isolation == "reclaim" else None,
        )

    assert mean(isolated("borrow"), "wait_mean", "class:high") > 0.5 * HOUR_MS
    assert mean(isolated("reclaim"), "wait_mean", "class:high") < 0.1 * HOUR_MS
    assert mean(isolated("reclaim"), "lost_borrowers_gpu_h") > 1


def test_cbio_137_long_jobs_lock_a_queue_until_their_limit() -> None:
    # One tenant fills the cluster with jobs of 800 h, another comes an hour later. Fair shares can act only where a job
    # ends: after 800 h, or, if everybody resubmits every 72 h and pays a restart of 10 minutes, after 72 h.
    def first_share(hours: int, parts: int) -> tuple[float, float]:
        long = [job(0, f"{hours}h", 8, tenant="x") for _ in range(4 * parts)]
        late = [job("1h", "24h", 8, tenant="y") for _ in range(4)]
        seen = engine_of(
            asked([*long, *late], pool(4), tenants=[tenant("x"), tenant("y")], order="fair_share", discipline="strict")
        )
        return min(starts(seen)[-4:]) / 3_600, max(seen.finish) / HOUR_MS

    locked, end_locked = first_share(800, 1)
    limited, end_limited = first_share(73, 11)  # 72 h of work and the restart, generously
    assert locked == 800
    assert limited == 73
    assert end_limited < 1.05 * end_locked
