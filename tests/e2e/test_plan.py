"""Plan in a browser: a cold link, the simulator on demand, and the same address again."""

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OpenPage, settle
from tests.server import AppServer

pytestmark = pytest.mark.browser
LINK = "?case=one-pool-poisson@1&topic=size&assume=slots_now:60&assume=confirm_seeds:2"


def test_a_cold_link_answers_and_the_simulator_confirms(open_page: OpenPage, fresh_server: AppServer) -> None:
    page = open_page(f"{fresh_server.url}/plan{LINK}", fresh=True)
    first = page.get_by_role("heading", level=2).first
    expect(first).to_contain_text("54 slots (432 GPUs) to keep the mean wait at 35.3 min", timeout=60_000)
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    page.get_by_role("button", name="Confirm by simulation").click()
    expect(page.get_by_text("Erlang's formula", exact=True)).to_be_visible(timeout=60_000)
    settle(page)
    page.wait_for_url("**topic=size**assume=slots_now:60**")
    again = open_page(page.url)
    expect(again.get_by_role("heading", level=2).first).to_contain_text("with today's 60 it is", timeout=60_000)
