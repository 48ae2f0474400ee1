"""The page of the rubric is current."""

from tests.practice.write_rubric_page import PAGE, page


def test_the_page_of_the_rubric_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
