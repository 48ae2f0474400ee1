"""Money against reference answers: worked out by hand and with other tools, to the digits given."""

import pytest

from tests.oracle.answers import Answer
from tests.oracle.money_answers import DRAWN, ORACLES, WORKED
from tests.oracle.write_economics_page import PAGE, written


@pytest.mark.parametrize("answer", ORACLES, ids=lambda answer: answer.slug)
def test_the_reference_table_is_met_to_its_digits(answer: Answer) -> None:
    assert answer.faults() == []


@pytest.mark.parametrize("answer", WORKED, ids=lambda answer: f"{answer.slug}: {answer.question}")
def test_the_questions_of_the_case_have_the_answers_worked_by_hand(answer: Answer) -> None:
    assert answer.faults() == []


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
