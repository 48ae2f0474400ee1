"""Looks: a phone without sideways scroll, dark mode, the picture in view, keyboard, alternative texts."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import SMALL, OpenPage, assert_no_horizontal_scroll, headline
from tests.server import AppServer

pytestmark = pytest.mark.browser
PAGES = ("", "setup", "results", "tradeoffs", "compare", "plan", "economics", "practice", "stories", "history")


@pytest.mark.parametrize("slug", PAGES)
def test_a_phone_needs_no_sideways_scroll(open_page: OpenPage, app_server: AppServer, slug: str) -> None:
    page = open_page(f"{app_server.url}/{slug}{SMALL}&set=policy.order:smallest", width=390, height=844)
    headline(page)
    assert_no_horizontal_scroll(page)


def test_the_answer_comes_first_on_a_phone(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/results{SMALL}", width=390, height=844)
    headline(page)
    expect(page.get_by_role("heading", level=2).first).to_be_in_viewport(ratio=1)


def test_the_picture_that_proves_the_answer_is_in_view(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/results{SMALL}")
    headline(page)
    picture = page.locator(".js-plotly-plot").first
    expect(picture).to_be_in_viewport(ratio=0.9)


def test_dark_mode_has_dark_ground_and_light_ink(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/results{SMALL}", color_scheme="dark")
    headline(page)
    ground = page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
    ink = page.evaluate("getComputedStyle(document.querySelector('h2')).color")
    assert ground == "rgb(18, 22, 28)"  # #12161C
    assert ink == "rgb(230, 235, 242)"  # #E6EBF2


def test_every_picture_has_an_alternative_text(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/results{SMALL}")
    headline(page)
    expect(page.locator(".js-plotly-plot")).not_to_have_count(0)
    labelled = page.locator("[role=figure][aria-label]")
    expect(labelled.nth(2)).to_be_visible()
    assert labelled.count() >= 3
    assert all(labelled.nth(at).get_attribute("aria-label") for at in range(labelled.count()))


def test_the_menu_is_reached_with_the_keyboard(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/{SMALL}")
    headline(page)
    for _ in range(12):
        page.keyboard.press("Tab")
        if "Results" in (page.evaluate("document.activeElement.innerText") or ""):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/results*")
