"""A product manager walks through Economics and Plan: reads, changes an input, confirms, and sends the link on."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import SMALL, OpenPage, headline, settle
from tests.server import AppServer

pytestmark = pytest.mark.browser

DEAL = {
    "en": ("At 320,000 a day the return is 3 ", "Confirm return and purchase", "formula lies inside the interval"),
    "zh": ("每天 320,000 个请求时，回报率为 3", "用抽样日请求量确认", "公式值落在仿真区间内"),
}
SHARE = {"en": ("Share", "Copy the link", "Copied"), "zh": ("分享", "复制链接", "已复制")}
GROWTH = {
    "en": ("Full in 2.65 months", "Confirm by drawn paths", "With ups and downs of 5.0 % a month"),
    "zh": ("2.65 个月后用满", "用抽样路径确认", "若逐月波动 5.0%"),
}


def set_number(page: Page, slug: str, text: str) -> None:
    field = page.locator(f".st-key-a-{slug} input")
    field.fill(text)
    field.press("Enter")
    page.wait_for_url(re.compile(f"assume={slug}:{text}"))
    settle(page)


def copied_link(page: Page, lang: str) -> str:
    share, copy, copied = SHARE[lang]
    page.get_by_test_id("stPopover").filter(has_text=share).get_by_role("button").click()
    page.get_by_role("button", name=copy).click()
    expect(page.get_by_role("button", name=copied)).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_deal_is_read_changed_confirmed_and_sent_on(open_page: OpenPage, app_server: AppServer, lang: str) -> None:
    sentence, button, holds = DEAL[lang]
    page = open_page(f"{app_server.url}/economics{SMALL}&lang={lang}&assume=confirm_seeds:10")
    first = headline(page)
    assert "80,000" in first
    set_number(page, "requests_per_day", "320000")
    expect(page.get_by_role("heading", level=2).first).to_contain_text(sentence)
    said = headline(page)
    assert said != first
    page.get_by_role("button", name=re.compile(button)).click()
    expect(page.get_by_text(holds).first).to_be_visible()
    again = open_page(copied_link(page, lang))
    assert headline(again) == said


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_order_date_is_read_changed_and_confirmed(open_page: OpenPage, app_server: AppServer, lang: str) -> None:
    sentence, button, drawn = GROWTH[lang]
    page = open_page(f"{app_server.url}/plan{SMALL}&topic=growth&lang={lang}")
    headline(page)
    set_number(page, "demand_now_gpus", "2250")
    expect(page.get_by_role("heading", level=2).first).to_contain_text(sentence)  # ln(2560 / 2250) / ln 1.05
    page.get_by_role("button", name=button).click()
    expect(page.get_by_text(drawn).first).to_be_visible()
    again = open_page(page.url)
    assert headline(again) == headline(page)
