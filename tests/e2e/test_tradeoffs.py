"""Trade-offs in a browser: a cold link, a value typed by hand, and the same address again in another browser."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage, headline, settle
from tests.server import AppServer

pytestmark = pytest.mark.browser
STUDY = "?case=one-pool-poisson@1&vary=cluster.pools.node.gpus_per_node:8,9,10&seeds=3&x=goodput&y=wait_mean&w=0,100"


def test_a_cold_link_gives_the_answer_and_a_typed_value_another(open_page: OpenPage, fresh_server: AppServer) -> None:
    page = open_page(f"{fresh_server.url}/tradeoffs{STUDY}", fresh=True)
    expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=60_000)
    assert "“10”" in headline(page)
    expect(page.locator(".js-plotly-plot")).to_be_in_viewport(ratio=0.9)
    values = page.locator(".st-key-tradeoffs-values1 input")
    values.press_sequentially("12", delay=30)
    expect(page.get_by_role("option").filter(has_text="12")).to_be_visible()
    values.press("Enter")
    page.keyboard.press("Escape")  # the open list hides the rest of the page from readers
    expect(page.get_by_role("heading", level=2).first).to_contain_text("“12”")
    settle(page)
    page.wait_for_url("**vary=cluster.pools.node.gpus_per_node:8,9,10,12**")
    again = open_page(page.url)
    expect(again.get_by_role("heading", level=2).first).to_contain_text("“12”", timeout=60_000)
    assert headline(again) == headline(page)
    page.reload()
    expect(page.get_by_role("heading", level=2).first).to_contain_text("“12”", timeout=60_000)
