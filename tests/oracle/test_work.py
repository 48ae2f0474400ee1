"""Timelines worked by hand: checkpoints, grace and the books (sections 9 and 15.8 to 15.13); suspension (15.18)."""

from typing import Any

import pytest

from tests.builders import Row, job
from tests.oracle.asked import Document, Play, asked, checkpoint, finishes, job_class, starts

MECHANISMS = ("preemption",)
LOW, HIGH = 0.2, 0.9
SAVING = job_class("saving", checkpoint=checkpoint(30, 5, 8))


def evicted_at(told: int, rules: dict[str, Any], *, again: int = 200) -> Document:
    """A saves every 30 s for 5, restarts in 8, has 100 s of work on all 8 GPUs; H has them from `told` to `again`."""
    leave = told + int(str(rules.get("grace", "0s")).removesuffix("s"))
    jobs = [job(0, 100, 8, priority=LOW, job_class="saving"), job(told, again - leave, 8, priority=HIGH)]
    return asked(jobs, classes=[SAVING], preemption={"min_gap": 0.6, **rules})


def books_of(seen_books: dict[str, int], less: int = 0) -> dict[str, int]:
    """Return the books per GPU of A in s: `less` is what H worked."""
    books = {kind: gpu_ms // 8_000 for kind, gpu_ms in seen_books.items()}
    return books | {"useful": books["useful"] - less}


def test_periodic_saves_stop_work_and_there_is_none_at_the_end(play: Play) -> None:
    # Rule 15.13: 30 + 5 + 30 + 5 + 30 + 5 + 10 = 115. 90 s of work at 30: saves at 30 and 60 only, 100 s.
    jobs = [job(0, 100, 8, job_class="saving"), job(0, 90, 8, job_class="saving")]
    seen = play(asked(jobs, classes=[SAVING], preemption={"min_gap": 0.6}))
    assert finishes(seen) == [115, 215]
    assert seen.books == {"useful": 8 * 190_000, "checkpoint": 8 * 25_000}


def test_without_time_to_save_the_work_since_the_last_save_is_lost(play: Play) -> None:
    # Rule 15.13, told at 80 with grace 3 < 5: leaves at 83, 60 saved, 10 lost. From 200: restart to 208, work to 238,
    # save to 243, work to 253. Useful 100, lost 10, saves 2 x 5 + 5, restart 8, grace 3.
    seen = play(evicted_at(80, {"grace": "3s"}))
    assert (starts(seen), finishes(seen)) == ([0, 83], [253, 200])
    assert books_of(seen.books, 117) == {"useful": 100, "lost": 10, "checkpoint": 15, "restart": 8, "grace": 3}
    assert seen.ledger == [(80_000, 0, 1, "own_queue", 80_000)]
    assert seen.attempts[0] == (0, 0, 80_000, 83_000, 60_000, "evicted")


def test_with_time_to_save_nothing_is_lost(play: Play) -> None:
    # Grace 20 >= 5: leaves at 85 with 70 saved; H runs 85-185. From there restart 8, work 30.
    seen = play(evicted_at(80, {"grace": "20s"}))
    assert starts(seen) == [0, 85]
    end = 85 + (200 - 100)
    assert finishes(seen) == [end + 8 + 30, end]
    assert books_of(seen.books, 100) == {"useful": 100, "checkpoint": 10, "restart": 8, "grace": 5}
    assert seen.ledger == [(80_000, 0, 1, "own_queue", 0)]


@pytest.mark.parametrize(
    ("told", "saved", "lost", "checkpoints"),
    [
        (30, 0, 30, 0),  # the save has not begun
        (33, 0, 30, 3),  # cut in the middle: abandoned
        (35, 30, 0, 5),  # completed at its end
        (36, 30, 1, 5),
    ],
)
def test_a_save_counts_when_it_is_completed(play: Play, told: int, saved: int, lost: int, checkpoints: int) -> None:
    # grace 0: A leaves when it is told.
    seen = play(evicted_at(told, {}))
    assert seen.attempts[0][4] == saved * 1_000
    assert seen.ledger[0][4] == lost * 8_000
    left = 100 - saved
    more = 5 * ((left - 1) // 30)
    assert finishes(seen)[0] == 200 + 8 + left + more
    assert books_of(seen.books, 200 - told) == {
        kind: value
        for kind, value in {
            "useful": 100, "lost": lost, "checkpoint": checkpoints + more, "restart": 8,
        }.items() if value
    }  # fmt: skip


def test_an_eviction_during_the_restart_loses_no_work(play: Play) -> None:
    # A is told at 35 (30 saved) by H1 (35-40), resumes at 40, and is told again at 44 in its restart (8 s) by H2.
    jobs: list[Row] = [job(0, 100, 8, priority=LOW, job_class="saving")]
    jobs += [job(35, 5, 8, priority=HIGH), job(44, 6, 8, priority=HIGH)]
    seen = play(asked(jobs, classes=[SAVING], preemption={"min_gap": 0.6}))
    assert starts(seen) == [0, 35, 44]
    assert finishes(seen)[0] == 50 + 8 + 70 + 2 * 5  # saves after 30 and 60 of 70
    assert books_of(seen.books, 11) == {"useful": 100, "checkpoint": 15, "restart": 4 + 8}
    assert [row[4] for row in seen.attempts if row[0] == 0] == [30_000, 30_000, 100_000]


def test_the_limit_counts_saves_and_restarts_and_begins_anew_with_each_attempt(play: Play) -> None:
    # 100 s of work take 115 > 110: killed at 110. Evicted at 35 and resumed at 200 it takes 8 + 70 + 10 = 88 <= 110.
    alone = play(
        asked(
            [job(0, 100, 8, limit=110, job_class="saving")],
            classes=[SAVING],
            kill_at_limit=True,
            preemption={"min_gap": 0.6},
        )
    )
    assert (alone.state, finishes(alone)) == (["killed"], [110])
    assert alone.books == {"lost": 8 * 95_000, "checkpoint": 8 * 15_000}  # 95 s of work, three saves
    jobs = [job(0, 100, 8, limit=110, priority=LOW, job_class="saving"), job(35, 165, 8, priority=HIGH)]
    seen = play(asked(jobs, classes=[SAVING], kill_at_limit=True, preemption={"min_gap": 0.6}))
    assert (seen.state, finishes(seen)) == (["finished", "finished"], [288, 200])


def test_a_job_killed_in_a_later_attempt_loses_what_it_had_saved(play: Play) -> None:
    # As before with limit 80: from 200 it is killed at 280 after 8 + 30 + 5 + 30 + 5 + 2. Lost: 30 + 62.
    jobs = [job(0, 100, 8, limit=80, priority=LOW, job_class="saving"), job(35, 165, 8, priority=HIGH)]
    seen = play(asked(jobs, classes=[SAVING], kill_at_limit=True, preemption={"min_gap": 0.6}))
    assert (seen.state[0], finishes(seen)[0]) == ("killed", 280)
    assert books_of(seen.books, 165) == {"useful": 0, "lost": 92, "checkpoint": 15, "restart": 8}


def test_who_waits_or_leaves_at_the_end_of_the_run_keeps_what_is_saved(play: Play) -> None:
    # A is told at 35 and 30 s are saved; the run ends at 60 with H running and A waiting for the second time.
    day_s = 86_400
    document = evicted_at(36, {}) | {"run": {"days": 60 / day_s}}
    seen = play(document)
    assert seen.state == ["pending", "running"]
    assert starts(seen) == [0, 36]
    assert seen.requeue_wait == [24_000, 0]
    assert books_of(seen.books, 24) == {"useful": 30, "lost": 1, "checkpoint": 5}
    in_grace = play(evicted_at(50, {"grace": "3s"}) | {"run": {"days": 52 / day_s}})
    assert in_grace.state == ["running", "pending"]
    assert books_of(in_grace.books) == {"useful": 30, "lost": 15, "checkpoint": 5, "grace": 2}


@pytest.mark.needs("suspend")
def test_suspension_frees_nothing(play: Play) -> None:
    # 15.18. A (100 s) is stopped at 10 and keeps its GPUs; H waits until its pins end after 20 s, then A works on and
    # ends at 120: it stood still for 20 s, and H starts 20 s later than without any preemption.
    jobs = [job(0, 100, 8, priority=LOW), job(10, 10, 8, priority=HIGH)]
    rules = {"min_gap": 0.6, "scope": ["own_queue"], "suspend": True, "pin_timeout": "20s"}
    seen = play(asked(jobs, preemption=rules))
    assert (starts(seen), finishes(seen)) == ([0, 120], [120, 130])
    assert [(when, lost) for when, _, _, _, lost in seen.ledger] == [(10_000, 0)]
    assert seen.causes[1] == {"grace": 20_000, "capacity": 90_000}
    assert books_of(seen.books) == {"useful": 110, "idle_held": 20}


@pytest.mark.needs("suspend")
def test_a_suspended_job_works_on_when_the_other_starts_elsewhere(play: Play) -> None:
    # A (4 GPUs, 40 s) is stopped at 10 for H (4 GPUs); B (4) ends at 15 and H starts there: A ends at 40 + 5.
    jobs = [job(0, 40, 4, priority=LOW), job(0, 15, 4, priority=0.5), job(10, 10, 4, priority=HIGH)]
    seen = play(asked(jobs, preemption={"min_gap": 0.6, "scope": ["own_queue"], "suspend": True}))
    assert starts(seen) == [0, 0, 15]
    assert finishes(seen) == [45, 15, 25]
    assert seen.books == {"useful": 4 * (40_000 + 15_000 + 10_000), "idle_held": 4 * 5_000}


SUSPEND = {"min_gap": 0.6, "scope": ["own_queue"], "suspend": True, "pin_timeout": "20s"}


@pytest.mark.needs("suspend")
def test_a_limit_does_not_wait_for_a_suspended_job(play: Play) -> None:
    # A is stopped at 10 and would work on at 30, when its limit ends it: only then H has GPUs.
    jobs = [job(0, 100, 8, priority=LOW, limit=25), job(10, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, preemption=SUSPEND, kill_at_limit=True))
    assert (seen.state, starts(seen), finishes(seen)) == (["killed", "finished"], [0, 25], [25, 35])
    assert books_of(seen.books) == {"useful": 10, "lost": 10, "idle_held": 15}


@pytest.mark.needs("suspend")
def test_whoever_suspended_asks_no_more_but_others_may(play: Play) -> None:
    # H stops A from 10 to 30 and waits on. K comes at 35 and stops it again, to 55: A ends at 100 + 20 + 20. Evicting A
    # for H would have let H start at 10.
    jobs = [job(0, 100, 8, priority=LOW), job(10, 10, 8, priority=HIGH), job(35, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, preemption=SUSPEND, discipline="best_effort"))
    assert (starts(seen), finishes(seen)[0]) == ([0, 140, 150], 140)
    assert [(when, victim, evictor) for when, victim, evictor, *_ in seen.ledger] == [(10_000, 0, 1), (35_000, 0, 2)]
    assert starts(play(asked(jobs, preemption={"min_gap": 0.6}, discipline="best_effort")))[:2] == [0, 10]


@pytest.mark.needs("suspend", "change")
def test_a_change_of_policy_lets_suspended_jobs_work_on(play: Play) -> None:
    jobs = [job(0, 100, 8, priority=LOW), job(10, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, preemption=SUSPEND, change=[{"at": "15s", "policy": {"preemption": None}}]))
    assert (starts(seen), finishes(seen)) == ([0, 105], [105, 115])


@pytest.mark.needs("suspend")
def test_a_save_under_way_is_not_completed_by_standing_still(play: Play) -> None:
    # Work 0-5, a save 5-9. A is stopped at 8 and ended by its limit at 12, before the save has its last second.
    classes = [job_class("saving", checkpoint=checkpoint(5, 4, 2))]
    jobs = [job(0, 30, 8, priority=LOW, limit=12, job_class="saving"), job(8, 10, 8, priority=HIGH)]
    seen = play(asked(jobs, classes=classes, preemption=SUSPEND, kill_at_limit=True))
    assert next((row, end, saved, why) for row, _, _, end, saved, why in seen.attempts) == (0, 12_000, 0, "killed")
