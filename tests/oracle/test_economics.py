"""Money against reference answers: worked out by hand and with other tools, to the digits given."""

import pytest

from scheduler_core.economics.assumptions import Assumptions
from scheduler_core.economics.dedicated import SEED_CASES
from tests.oracle.answers import Answer
from tests.oracle.money_answers import DRAWN, ORACLES, WORKED, by_name
from tests.oracle.readings import HURDLE_ROI, Worked, worked
from tests.oracle.write_economics_page import PAGE, written


@pytest.mark.parametrize("answer", ORACLES, ids=lambda answer: answer.slug)
def test_the_reference_table_is_met_to_its_digits(answer: Answer) -> None:
    assert answer.faults() == []


@pytest.mark.parametrize("answer", WORKED, ids=lambda answer: f"{answer.slug}: {answer.question}")
def test_the_questions_of_the_case_have_the_answers_worked_by_hand(answer: Answer) -> None:
    assert answer.faults() == []


@pytest.mark.parametrize("hand", list(worked()), ids=lambda hand: f"{hand.case}-{hand.name}")
def test_each_reading_is_what_its_definition_says(hand: Worked) -> None:
    found = by_name(Assumptions().change(SEED_CASES[hand.case]), hand.name)
    ours = (found.breakeven_per_day, found.hurdle_per_day, found.terms.cap_per_day, found.terms.roi_max)
    assert ours == pytest.approx((hand.volume(0), hand.volume(HURDLE_ROI), hand.cap, hand.highest), rel=1e-12)
    assert found.hurdle == HURDLE_ROI
    assert found.is_reachable == (hand.volume(HURDLE_ROI) <= hand.cap)
    assert found.floor_share == pytest.approx(hand.use(hand.volume(0)), rel=1e-12)


def test_both_cases_have_their_readings() -> None:
    names = [(each.case, each.name) for each in worked()]
    assert names == [("literal", name) for name in ("R1", "R2", "R2'", "R2''")] + [
        ("hurdle", name) for name in ("R1", "R2", "R2'")
    ]


def test_draws_agree_with_the_closed_form() -> None:
    assert DRAWN.faults() == []


def test_a_wrong_answer_is_found() -> None:
    wrong = Answer("X", "2 + 2; the same", "sum; whole", (5.0, 5), lambda: (4.0, 4))
    assert len(wrong.faults()) == 2
    assert Answer("X", "", "none", (None,), lambda: (1.0,)).faults()


def test_the_page_shows_the_answers_of_today() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "run python -m tests.oracle.write_economics_page"
    assert all(f"| {answer.slug} | {answer.question} |" in page for answer in (*ORACLES, *WORKED))
