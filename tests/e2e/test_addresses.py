"""Addresses: cold deep links, reload, back and forward, languages, two users."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SMALL, OpenPage, final_headline, go, headline, settle
from tests.server import AppServer

pytestmark = pytest.mark.browser


def choose_order(page: Page, name: str) -> None:
    page.get_by_role("combobox", name="Order of the line").first.click()
    page.get_by_role("option", name=name).click()
    settle(page)


@pytest.mark.parametrize("slug", ["setup", "results", "compare", "economics", "plan"])
def test_a_cold_deep_link_opens_the_page_inside_the_frame(
    open_page: OpenPage, fresh_server: AppServer, slug: str
) -> None:
    page = open_page(f"{fresh_server.url}/{slug}{SMALL}&set=policy.order:smallest", fresh=True)
    headline(page)
    expect(page.locator(".st-key-changes")).to_contain_text("1 change")
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_visible()
    expect(page.get_by_text("Page not found")).to_have_count(0)
    assert f"/{slug}?" in page.url


def test_the_address_holds_the_scenario_on_every_page_and_after_reload(
    open_page: OpenPage, app_server: AppServer
) -> None:
    page = open_page(f"{app_server.url}/setup{SMALL}")
    headline(page)
    choose_order(page, "Smallest first")
    expect(page).to_have_url(re.compile(r"set=policy\.order:smallest"))
    go(page, "Results")
    expect(page).to_have_url(re.compile(r"/results\?.*set=policy\.order:smallest"))
    before = final_headline(page)
    page.reload()
    assert final_headline(page) == before
    expect(page.locator(".st-key-changes")).to_contain_text("1 change")


def test_back_and_forward_bring_the_scenario_and_a_burst_is_one_step(
    open_page: OpenPage, app_server: AppServer
) -> None:
    page = open_page(f"{app_server.url}/setup{SMALL}")
    headline(page)
    steps = page.evaluate("history.length")
    choose_order(page, "Smallest first")
    expect(page).to_have_url(re.compile("smallest"))
    choose_order(page, "Shortest first")
    expect(page).to_have_url(re.compile("shortest"))
    assert page.evaluate("history.length") == steps + 1
    page.go_back()
    expect(page).not_to_have_url(re.compile("shortest"))
    settle(page)
    expect(page.locator(".st-key-changes")).to_contain_text("no changes")
    page.go_forward()
    expect(page).to_have_url(re.compile("shortest"))
    expect(page.locator(".st-key-changes")).to_contain_text("1 change")


def test_switching_the_language_keeps_the_scenario(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/results{SMALL}&set=policy.order:smallest")
    headline(page)
    page.get_by_text("中文", exact=True).click()
    expect(page.locator(".st-key-changes")).to_contain_text("1 处改动")
    expect(page).to_have_url(re.compile("set=policy.order:smallest.*lang=zh"))
    page.reload()
    expect(page.locator(".st-key-changes")).to_contain_text("1 处改动")


def test_a_chinese_browser_is_greeted_in_chinese(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/{SMALL}", locale="zh-CN")
    headline(page)
    expect(page.get_by_text("您想决定什么？")).to_be_visible()


def test_two_users_do_not_see_each_others_scenario(open_page: OpenPage, app_server: AppServer) -> None:
    first, second = (open_page(f"{app_server.url}/setup{SMALL}", fresh=True) for _ in range(2))
    headline(first)
    headline(second)
    choose_order(first, "Smallest first")
    expect(first.locator(".st-key-changes")).to_contain_text("1 change")
    second.reload()
    headline(second)
    expect(second.locator(".st-key-changes")).to_contain_text("no changes")


def test_a_damaged_link_says_so_and_shows_the_nearest_scenario(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/results{SMALL}&set=policy.order:nonsense")
    headline(page)
    expect(page.get_by_text("This link cannot be opened as it is")).to_be_visible()
