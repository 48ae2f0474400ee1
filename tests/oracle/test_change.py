"""Timelines worked by hand: a policy that changes at a stated time (section 18 of docs/model.md)."""

from tests.builders import easy, job, pool
from tests.oracle.asked import Play, asked, finishes, starts, tenant

MECHANISMS = ("change", "preemption", "quotas", "orders", "reserve")
LOW, HIGH = 0.2, 0.9


def test_a_change_of_order_counts_from_its_time(play: Play) -> None:
    # FIFO until 15, then priority: B at 10 (FIFO), D (0.9) before C (0.2) at 20.
    jobs = [job(0, 10, 8), job(1, 10, 8), job(2, 10, 8, priority=LOW), job(3, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, change=[{"at": "15s", "policy": {"order": "priority"}}]))
    assert starts(seen) == [0, 10, 30, 20]


def test_a_change_brings_a_pass_of_its_own(play: Play) -> None:
    # strict to best effort at 5: C (2 GPUs) is no longer behind B (8) and starts at 5.
    jobs = [job(0, 10, 6), job(1, 10, 8), job(2, 3, 2)]
    seen = play(asked(jobs, change=[{"at": "5s", "policy": {"discipline": "best_effort"}}]))
    assert starts(seen) == [0, 10, 5]
    assert seen.causes[2] == {"order": 3_000}


def test_quotas_that_come_into_force_evict_nobody(play: Play) -> None:
    # A (nominal 4) has 8 until 20, partition from 10. A2 (4) and B (4) wait: at 20 both start. A3 (4) at 25: 4 + 4 > 4.
    jobs = [job(0, 20, 8, tenant="A"), job(1, 10, 4, tenant="A"), job(1, 10, 4, tenant="A"), job(2, 10, 4, tenant="B")]
    tenants = [tenant("A", 4), tenant("B", 4)]
    seen = play(asked(jobs, tenants=tenants, change=[{"at": "10s", "policy": {"isolation": "partition"}}]))
    assert starts(seen) == [0, 20, 30, 20]
    # Under partition a job of 8 could never run; it may until then, so it is not unschedulable.
    assert seen.state[0] == "finished"


def test_preemption_that_comes_asks_at_once(play: Play) -> None:
    # Preemption with grace 5 from 10: A is told at 10 and leaves at 15.
    jobs = [job(0, 100, 8, priority=LOW), job(1, 10, 8, priority=HIGH)]
    change = [{"at": "10s", "policy": {"preemption": {"min_gap": 0.6, "grace": "5s"}}}]
    seen = play(asked(jobs, change=change))
    assert (starts(seen), finishes(seen)) == ([0, 15], [125, 25])
    assert seen.causes[1] == {"capacity": 9_000, "grace": 5_000}


def test_grace_under_way_stays_and_pins_end(play: Play) -> None:
    # The same, and at 12 preemption ends again: A leaves at 15 all the same, but nothing is kept for B any more, and
    # by FIFO A stands first. B waits for it from the start.
    jobs = [job(0, 100, 8, priority=LOW), job(1, 10, 8, priority=HIGH)]
    change = [
        {"at": "10s", "policy": {"preemption": {"min_gap": 0.6, "grace": "5s"}}},
        {"at": "12s", "policy": {"preemption": None}},
    ]
    seen = play(asked(jobs, change=change))
    assert (starts(seen), finishes(seen)) == ([0, 115], [115, 125])
    assert [(when, victim, evictor, lost) for when, victim, evictor, _, lost in seen.ledger] == [(10_000, 0, 1, 80_000)]
    assert seen.causes[1] == {"capacity": 9_000 + 100_000, "grace": 5_000}


def test_slots_are_given_back_when_easy_takes_over(play: Play) -> None:
    # conservative: C (2 GPUs, limit 100) waits for B's slot [20, 30) to pass. easy from 5: only H's reservation counts
    # (S = 10, 2 spare), so C starts at 5 (see test_timelines: conservative protects the second job).
    jobs = [job(0, 10, 6, limit=10), job(1, 10, 6, limit=10), job(2, 10, 8, limit=10), job(3, 100, 2, limit=100)]
    change = [{"at": "5s", "policy": {"discipline": easy()}}]
    seen = play(asked(jobs, discipline={"conservative": {"depth": None}}, change=change))
    assert starts(seen) == [0, 10, 105, 5]


def test_a_change_is_the_first_thing_of_its_instant(play: Play) -> None:
    # A ends at 10, when the order becomes priority. Even with a pass for each event C (0.9) goes before B (0.2).
    jobs = [job(0, 10, 8), job(1, 10, 8, priority=LOW), job(2, 10, 8, priority=HIGH)]
    change = [{"at": "10s", "policy": {"order": "priority"}}]
    seen = play(asked(jobs, change=change, run={"days": 1, "drain": True, "pass_per": "event"}))
    assert starts(seen) == [0, 20, 10]


def test_a_job_that_one_policy_lets_run_waits_for_it_on_an_idle_cluster(play: Play) -> None:
    # Under partition A's job of 6 exceeds its 4 and nothing runs; at 30 the fences fall.
    change = [{"at": "30s", "policy": {"isolation": "none"}}]
    tenants = [tenant("A", 4), tenant("B", 4)]
    seen = play(asked([job(0, 10, 6, tenant="A")], tenants=tenants, isolation="partition", change=change))
    assert (starts(seen), seen.causes, seen.end) == ([30], [{"quota": 30_000}], 40_000)


def test_the_run_ends_with_its_last_job_although_a_change_would_come(play: Play) -> None:
    seen = play(asked([job(0, 10, 8)], change=[{"at": "30s", "policy": {"order": "priority"}}]))
    assert (seen.end, seen.state) == (10_000, ["finished"])


def test_a_job_keeps_the_limit_it_started_under(play: Play) -> None:
    # A (run 20, limit 10) starts without kills, B (the same) after they come: A finishes, B is killed.
    jobs = [job(0, 20, 8, limit=10), job(1, 20, 8, limit=10)]
    seen = play(asked(jobs, change=[{"at": "5s", "policy": {"kill_at_limit": True}}]))
    assert (starts(seen), finishes(seen), seen.state) == ([0, 20], [20, 30], ["finished", "killed"])


def test_usage_begins_with_the_order_that_counts_it(play: Play) -> None:
    # 1 GPU. A has run from 0 to 30 when fair share (steps of 6 s) comes at 30; B runs from 30 to 40. At 40 usage
    # is A 0, B 6 GPU-s (one step, to 36), so A goes first; with fair share from the beginning B would.
    jobs = [job(0, 30, 1, tenant="A"), job(1, 10, 1, tenant="B"), job(2, 10, 1, tenant="B"), job(3, 10, 1, tenant="A")]
    tenants, fair = [tenant("A"), tenant("B")], {"fair_share": {"form": "classic", "step_min": 0.1}}
    seen = play(asked(jobs, pool(1, 1), tenants=tenants, change=[{"at": "30s", "policy": {"order": fair}}]))
    assert starts(seen)[:2] == [0, 30]
    assert starts(seen)[2:] == [50, 40]
    assert starts(play(asked(jobs, pool(1, 1), tenants=tenants, order=fair)))[2:] == [40, 50]


def test_reserved_shares_count_from_the_change(play: Play) -> None:
    # 10 GPUs. H (9) waits for A (10) to end at 10; from 5 on 2 are kept for L (0.2), which waits: at 10 L starts, then
    # nobody of its band waits, and H (9 of 7) does not fit until L ends at 20.
    jobs = [job(0, 10, 10, priority=HIGH), job(1, 10, 9, priority=HIGH), job(2, 10, 3, priority=LOW)]
    reserve = [{"for": {"priority_below": 0.4}, "share": 0.2}]
    seen = play(asked(jobs, pool(1, 10), change=[{"at": "5s", "policy": {"reserve": reserve}}]))
    assert starts(seen) == [0, 20, 10]


def test_steps_end_when_nobody_can_ever_start(play: Play) -> None:
    # A runs to 10. From 5 on B (8) exceeds its quota of 4 for good. Steps come at 6 and, because something ended since,
    # at 12; then nothing runs and nothing comes, so the run is over and B is pending.
    jobs = [job(0, 10, 8, tenant="A"), job(1, 10, 8, tenant="B")]
    fair = {"fair_share": {"form": "classic", "step_min": 0.1}}
    change = [{"at": "5s", "policy": {"isolation": "partition", "order": fair}}]
    seen = play(asked(jobs, tenants=[tenant("A", 4), tenant("B", 4)], change=change))
    assert (seen.end, seen.state) == (12_000, ["finished", "pending"])
