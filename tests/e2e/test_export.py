"""An exported exam on paper: a browser prints it on one A4 page, however long the answer is."""

import re

import pytest
from playwright.sync_api import Browser

from practice.exercises import Exercise, exercises
from practice.export import to_html
from tests.practice.exam import exam_page

pytestmark = pytest.mark.browser
_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("exercise", exercises().values(), ids=lambda one: one.id)
def test_a_full_exam_answer_prints_on_one_page(browser: Browser, exercise: Exercise, language: str) -> None:
    page = browser.new_page()
    page.emulate_media(media="print")
    pages, lengths = {}, {}
    for times in (1, 40):
        page.set_content(to_html(exam_page(exercise, language, times=times)))
        pages[times] = len(_PAGE.findall(page.pdf(prefer_css_page_size=True, print_background=True)))
        lengths[times] = page.locator(".cut").filter(visible=True).count()
    page.close()
    assert pages == {1: 1, 40: 1}
    assert lengths == {1: 0, 40: 1}, "only what does not fit is left out, and that is said"
