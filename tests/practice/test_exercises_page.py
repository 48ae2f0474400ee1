"""The tables of the page about exercises are current."""

from tests.practice.write_exercises_page import PAGE, page


def test_the_page_of_the_exercises_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
