"""Economics in a browser: edits one after the other stay, and the address brings them to somebody else."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SMALL, OpenPage, headline, settle
from tests.server import AppServer

pytestmark = pytest.mark.browser


def type_into(page: Page, slug: str, text: str) -> None:
    field = page.locator(f".st-key-a-{slug} input")
    field.fill(text)
    field.press("Enter")
    settle(page)


def test_edits_stay_and_the_address_brings_them_to_somebody_else(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/economics{SMALL}&assume=hurdle_roi:2&lang=en")
    headline(page)
    for slug, text in (("requests_per_day", "90000"), ("premium_ratio", "3")):
        type_into(page, slug, text)
        expect(page).to_have_url(re.compile(f"assume={slug}:{text}"))
    said = headline(page)
    assert said.startswith("At 90,000 a day the return is 0.768")  # 90,000 x (0.060 - 0.005) over 2,800, less 1
    assert all(part in page.url for part in ("hurdle_roi:2", "requests_per_day:90000", "premium_ratio:3"))
    assert headline(open_page(page.url, fresh=True)) == said
