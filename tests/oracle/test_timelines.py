"""Timelines worked by hand: orders and disciplines. One pool, GPUs counted, 8 of them unless said otherwise."""

from collections.abc import Callable

from scheduler_core.scenario import Scenario
from tests.builders import conservative, easy, job, pool, scenario
from tests.oracle.pairs import Seen

Run = Callable[[Scenario], Seen]
DAY_S = 86_400


def starts(seen: Seen) -> list[float]:
    """Return the start of each job in s."""
    return [start / 1_000 for start in seen.start]


# ---- strict and best effort ---------------------------------------------------------------------


def test_strict_head_holds_up_a_smaller_job_that_would_fit(run: Run) -> None:
    # 6 of 8 busy until 10. B needs 4 of the 2 free. C needs 2 and is behind B.
    seen = run(scenario([job(0, 10, 6), job(1, 10, 4), job(2, 10, 2)]))
    assert starts(seen) == [0, 10, 10]
    assert seen.causes == [{}, {"capacity": 9_000}, {"order": 8_000}]  # B 10 - 1, C 10 - 2
    assert seen.order_behind == {"jobs": {"capacity": 8_000}}  # C waited for B, which lacked GPUs


def test_best_effort_lets_the_smaller_job_pass(run: Run) -> None:
    # As above; C takes the 2 free GPUs at 2 and keeps them to 12; at 10 B finds 8 - 2 = 6 free.
    seen = run(scenario([job(0, 10, 6), job(1, 10, 4), job(2, 10, 2)], discipline="best_effort"))
    assert starts(seen) == [0, 10, 2]
    assert seen.causes == [{}, {"capacity": 9_000}, {}]


def test_best_effort_starves_a_large_job_while_small_ones_keep_coming(run: Run) -> None:
    # Small jobs of 5 s overlap: [0, 5), [4, 9), [8, 13); the large one needs all 8 and gets them at 13.
    seen = run(scenario([job(0, 5, 4), job(1, 1, 8), job(4, 5, 4), job(8, 5, 4)], discipline="best_effort"))
    assert starts(seen) == [0, 13, 4, 8]


def test_higher_priority_goes_first_and_ties_fall_to_submit_then_row(run: Run) -> None:
    # Each job takes the whole node for 10 s: D (0.9) at 10, then B and C (0.2, same submit) in row order, then E.
    jobs = [job(0, 10, 8), job(1, 10, 8, priority=0.2), job(1, 10, 8, priority=0.2), job(2, 10, 8, priority=0.9)]
    seen = run(scenario([*jobs, job(3, 10, 8, priority=0.2)], order="priority"))
    assert starts(seen) == [0, 20, 30, 10, 40]


def test_shortest_by_limit_and_by_true_run_time_can_disagree(run: Run) -> None:
    # B runs 5 s and asks for 30; C runs 20 s and asks for 20.
    jobs = [job(0, 10, 8), job(1, 5, 8, limit=30), job(1, 20, 8, limit=20)]
    by_limit = run(scenario(jobs, order={"shortest": {"by": "limit"}}))
    assert starts(by_limit) == [0, 30, 10]  # C 10 to 30, then B
    by_true = run(scenario(jobs, order={"shortest": {"by": "true"}}))
    assert starts(by_true) == [0, 10, 15]  # B 10 to 15, then C


def test_smallest_first_lets_two_halves_go_before_a_whole(run: Run) -> None:
    seen = run(scenario([job(0, 10, 8), job(1, 10, 8), job(1, 10, 4), job(1, 10, 4)], order="smallest"))
    assert starts(seen) == [0, 20, 10, 10]


def test_kill_at_limit_ends_a_job_and_a_finish_at_the_limit_is_no_kill(run: Run) -> None:
    # A would run 100 s and is killed at 10; B ends at its limit, 10 + 5.
    jobs = [job(0, 100, 8, limit=10), job(0, 5, 8, limit=5), job(0, 1, 8)]
    seen = run(scenario(jobs, kill_at_limit=True))
    assert starts(seen) == [0, 10, 15]
    assert seen.finish == [10_000, 15_000, 16_000]
    assert seen.state == ["killed", "finished", "finished"]
    assert run(scenario(jobs)).finish == [100_000, 105_000, 106_000]  # without it limits end nothing


def test_a_job_of_no_length_starts_and_ends_at_one_instant(run: Run) -> None:
    # A holds all 8 GPUs at instant 5 and gives them back in the next round of the same instant.
    seen = run(scenario([job(5, 0, 8), job(5, 10, 8), job(5, 0, 8)]))
    assert starts(seen) == [5, 5, 15]
    assert seen.finish == [5_000, 15_000, 15_000]


def test_what_happens_at_the_end_of_the_run_or_later_is_not_applied(run: Run) -> None:
    # The run ends at 20. A 0 to 10; B 10 to 20 would end at the end; C never starts; D comes at 20.
    jobs = [job(0, 10, 8), job(0, 10, 8), job(0, 5, 8), job(20, 1, 8)]
    seen = run(scenario(jobs, run={"days": 20 / DAY_S}))
    assert seen.state == ["finished", "running", "pending", "pending"]
    assert seen.finish == [10_000, -1, -1, -1]
    assert seen.causes == [{}, {"capacity": 10_000}, {"capacity": 20_000}, {}]
    assert seen.end == 20_000


# ---- easy ---------------------------------------------------------------------------------------


def test_easy_reserves_nodes_and_not_a_count(run: Run) -> None:
    # Rule 6.8. `spread` puts A (to 10) on node 0 and B (to 100) on node 1. The head H needs a whole node: S = 10,
    # on node 0. C (4 GPUs, 1,000 s) would take node 0 by number and H would start at 100; it is offered
    # min(4, 8 - 8) = 0 there and min(4, 4 - 0) = 4 on node 1.
    jobs = [job(0, 10, 4, limit=10), job(0, 100, 4, limit=100), job(1, 5, 8, limit=5), job(2, 1_000, 4, limit=1_000)]
    seen = run(scenario(jobs, pool(2), discipline=easy(), placement="spread"))
    assert starts(seen) == [0, 0, 10, 2]
    assert seen.places == [{0: 4}, {1: 4}, {0: 8}, {1: 4}]


def test_easy_candidate_that_ends_by_the_reserved_time_may_use_anything(run: Run) -> None:
    # S = 10 for H. C: 2 + 8 = 10, in time. D: 10 + ... its limit 9 from 2 on is 11, and spare = 8 - 8 = 0.
    jobs = [job(0, 10, 5, limit=10), job(1, 10, 8, limit=10), job(2, 8, 1, limit=8), job(2, 8, 1, limit=9)]
    seen = run(scenario(jobs, discipline=easy()))
    assert starts(seen) == [0, 10, 2, 20]  # D after H, which runs 10 to 20
    assert seen.causes[3] == {"reservation": 8_000, "capacity": 10_000}  # 2 to 10: 2 free GPUs kept; 10 to 20: none


def test_easy_candidate_may_stay_on_gpus_the_head_will_not_need(run: Run) -> None:
    # S = 10, H needs 5 of 8: 3 spare. C takes 2 of them for 100 s, D the last, E finds none spare, though 1 is free.
    jobs = [job(0, 10, 4, limit=10), job(1, 10, 5, limit=10)]
    jobs += [job(2, 100, 2, limit=100), job(3, 100, 1, limit=100), job(4, 100, 1, limit=100)]
    seen = run(scenario(jobs, discipline=easy()))
    assert starts(seen) == [0, 10, 2, 3, 20]  # E when H ends: 8 - 5 - 2 - 1 = 0 free until then


def test_easy_looks_at_depth_jobs_behind_the_first_blocked_one(run: Run) -> None:
    # X does not fit before S = 10 and counts as looked at; Y (2 + 5 = 7) is looked at only with depth 2.
    jobs = [job(0, 10, 6, limit=10), job(1, 10, 8, limit=10), job(2, 20, 2, limit=20), job(2, 5, 2, limit=5)]
    assert starts(run(scenario(jobs, discipline=easy(depth=2)))) == [0, 10, 20, 2]
    shallow = run(scenario(jobs, discipline=easy(depth=1)))
    assert starts(shallow) == [0, 10, 20, 20]
    assert shallow.causes[3] == {"reservation": 8_000, "capacity": 10_000}  # also beyond depth


def test_easy_can_try_the_shortest_candidates_first(run: Run) -> None:
    # 2 GPUs are free until S = 10 and both X (8 s) and Y (3 s) want them at 2.
    jobs = [job(0, 10, 6, limit=10), job(1, 10, 8, limit=10), job(2, 8, 2, limit=8), job(2, 3, 2, limit=3)]
    assert starts(run(scenario(jobs, discipline=easy()))) == [0, 10, 2, 20]
    assert starts(run(scenario(jobs, discipline=easy(candidates="shortest")))) == [0, 10, 20, 2]  # X: 5 + 8 > 10


def test_easy_head_starts_as_soon_as_a_job_ends_before_its_limit(run: Run) -> None:
    # S = 100 by A's limit, but A ends at 5.
    seen = run(scenario([job(0, 5, 8, limit=100), job(1, 10, 8, limit=10)], discipline=easy()))
    assert starts(seen) == [0, 5]


def test_easy_without_limits_promises_the_head_nothing_useful(run: Run) -> None:
    # A has no limit, so S is in 365 days and C (1,000 s) may pass; A ends at 10, but H waits for C until 1,002.
    jobs = [job(0, 10, 6), job(1, 10, 8, limit=10), job(2, 1_000, 2, limit=1_000)]
    assert starts(run(scenario(jobs, discipline=easy()))) == [0, 1_002, 2]


def test_easy_counts_on_an_overdue_job_to_end_in_a_moment(run: Run) -> None:
    # A was to end at 10 and runs to 50. At 20, S = 20.001: C (5 s) does not end by then and nothing is spare.
    jobs = [job(0, 50, 6, limit=10), job(1, 10, 8, limit=10), job(20, 5, 2, limit=5)]
    assert starts(run(scenario(jobs, discipline=easy()))) == [0, 50, 60]


def test_easy_holds_one_reservation_in_each_domain(run: Run) -> None:
    # A100: 6 busy to 10, G waits for all (S = 10). H100: 6 busy to 20, H waits for all (S = 20).
    # C on H100: 3 + 15 = 18 <= 20. D on A100: 3 + 8 = 11 > 10, none spare; after G, 10 to 20.
    jobs = [
        job(0, 10, 6, limit=10, gpu_types=["A100"]),
        job(0, 20, 6, limit=20, gpu_types=["H100"]),
        job(1, 10, 8, limit=10, gpu_types=["A100"]),
        job(2, 10, 8, limit=10, gpu_types=["H100"]),
        job(3, 15, 2, limit=15, gpu_types=["H100"]),
        job(3, 8, 2, limit=8, gpu_types=["A100"]),
    ]
    pools = (pool(name="a"), pool(gpu="H100", name="h"))
    assert starts(run(scenario(jobs, *pools, discipline=easy()))) == [0, 0, 10, 20, 3, 20]


# ---- conservative -------------------------------------------------------------------------------


def test_conservative_protects_the_second_job_where_easy_does_not(run: Run) -> None:
    # A to 10. H (6 GPUs) [10, 20). B (8) [20, 30). C wants 2 GPUs for 100 s at 3: easy sees 8 - 6 = 2 spare and B
    # waits until 103; conservative sees B's slot in the way and gives C the slot from 30 on.
    jobs = [job(0, 10, 6, limit=10), job(1, 10, 6, limit=10), job(2, 10, 8, limit=10), job(3, 100, 2, limit=100)]
    assert starts(run(scenario(jobs, discipline=easy()))) == [0, 10, 103, 3]
    seen = run(scenario(jobs, discipline=conservative()))
    assert starts(seen) == [0, 10, 20, 30]
    assert seen.causes[3] == {"reservation": 17_000, "capacity": 10_000}  # 3 to 20: 2 free; 20 to 30: none


def test_conservative_slots_move_up_when_a_job_ends_early(run: Run) -> None:
    # A may run to 10 and ends at 5: B moves from 10 to 5, and C from 20 to 5 + 10 = 15.
    jobs = [job(0, 5, 8, limit=10), job(1, 10, 8, limit=10), job(2, 10, 8, limit=10)]
    assert starts(run(scenario(jobs, discipline=conservative()))) == [0, 5, 15]


def test_kept_slots_hold_against_higher_priority_and_recomputed_ones_do_not(run: Run) -> None:
    # B has the slot [10, 20) when N comes with a higher priority.
    jobs = [job(0, 10, 8, limit=10), job(1, 10, 8, limit=10, priority=0.2), job(2, 10, 8, limit=10, priority=0.9)]
    assert starts(run(scenario(jobs, order="priority", discipline=conservative()))) == [0, 10, 20]
    recomputed = conservative(slots="recomputed")
    assert starts(run(scenario(jobs, order="priority", discipline=recomputed))) == [0, 20, 10]


def test_conservative_jobs_beyond_depth_do_not_start(run: Run) -> None:
    # C would fit from 2 to 7. With depth 1 only H holds a slot; C enters at 10, when H runs, and gets 20.
    jobs = [job(0, 10, 6, limit=10), job(1, 10, 8, limit=10), job(2, 5, 2, limit=5)]
    assert starts(run(scenario(jobs, discipline=conservative(depth=2)))) == [0, 10, 2]
    assert starts(run(scenario(jobs, discipline=conservative(depth=1)))) == [0, 10, 20]


def test_a_promised_start_comes_without_any_other_event(run: Run) -> None:
    # J (low) has [10, 20) and K (high, 8 s) comes later and gets [20, 28). At 5 A ends early. K first: [5, 13) meets J
    # at 10, so it stays; then J moves to 5 and runs to 15, its limit. K's slot still begins at 20, and nothing else
    # happens then.
    jobs = [job(0, 5, 8, limit=10), job(1, 10, 8, limit=10, priority=0.2), job(2, 8, 8, limit=8, priority=0.9)]
    seen = run(scenario(jobs, order="priority", discipline=conservative()))
    assert starts(seen) == [0, 5, 20]
    assert seen.causes[2] == {"capacity": 13_000, "reservation": 5_000}  # 2 to 15 full; 15 to 20 kept


def test_conservative_gives_new_slots_when_a_job_runs_past_its_limit(run: Run) -> None:
    # A was to end at 10 and ends at 30. B and C wait in their order, whatever was promised: B 30 to 40, then C.
    jobs = [job(0, 30, 8, limit=10), job(1, 10, 8, limit=10), job(2, 5, 8, limit=5)]
    assert starts(run(scenario(jobs, discipline=conservative()))) == [0, 30, 40]


def test_conservative_slot_names_nodes(run: Run) -> None:
    # As rule 6.8: H has node 0 from 10 on; C (4 GPUs, 1,000 s) goes beside B on node 1, or H would wait until 100.
    jobs = [job(0, 10, 4, limit=10), job(0, 100, 4, limit=100), job(1, 5, 8, limit=5), job(2, 1_000, 4, limit=1_000)]
    seen = run(scenario(jobs, pool(2), discipline=conservative(), placement="spread"))
    assert starts(seen) == [0, 0, 10, 2]
    assert seen.places == [{0: 4}, {1: 4}, {0: 8}, {1: 4}]


# ---- ties ---------------------------------------------------------------------------------------


def test_a_job_submitted_when_another_ends_sees_the_free_gpus_unless_submissions_come_first(run: Run) -> None:
    # At 10 A ends (limit 20, so not as planned) and B and C come. Finish first: 8 free, B (6) starts, C (4) does not.
    # Submissions first, a pass after each: B does not fit the 4 free GPUs, C does and starts; then A ends and B (6)
    # does not fit 8 - 4 = 4.
    jobs = [job(0, 10, 4, limit=20), job(10, 10, 6, limit=10), job(10, 10, 4, limit=10)]
    assert starts(run(scenario(jobs, discipline="best_effort"))) == [0, 10, 20]
    order = {"days": 1, "drain": True, "ties": "submit_first", "pass_per": "event"}
    assert starts(run(scenario(jobs, discipline="best_effort", run=order))) == [0, 20, 10]


def test_a_finish_on_the_limit_frees_before_submissions_even_when_they_come_first(run: Run) -> None:
    # As above, but A ends as planned: its GPUs are free before B is looked at.
    jobs = [job(0, 10, 4, limit=10), job(10, 10, 6, limit=10), job(10, 10, 4, limit=10)]
    order = {"days": 1, "drain": True, "ties": "submit_first", "pass_per": "event"}
    assert starts(run(scenario(jobs, discipline="best_effort", run=order))) == [0, 10, 20]
