"""The newcomer's walk: see the default case, drop a log, see who waits and why, change the policy, share it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.app.test_uploads import LOG
from tests.e2e.conftest import OpenPage, go, headline, settle
from tests.server import AppServer

pytestmark = pytest.mark.browser


def test_the_default_case_is_there_already(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(app_server.url, fresh=True)
    said = headline(page)
    assert "Research waits" in said
    assert "stood idle" in said
    expect(page.locator(".js-plotly-plot").first).to_be_in_viewport()
    expect(page.get_by_text("Mean of 5 seeds")).to_be_visible(timeout=120_000)
    assert re.search(r"\[[\d.]+, [\d.]+\]", headline(page)), "five seeds give an interval"


def test_a_newcomer_drops_a_log_changes_the_policy_and_shares_it(
    open_page: OpenPage, app_server: AppServer, tmp_path: Path
) -> None:
    log = tmp_path / "march.psv"
    log.write_text(LOG, encoding="utf-8")
    page = open_page(f"{app_server.url}/?case=one-pool-poisson@1")
    headline(page)

    page.locator("input[type=file]").first.set_input_files(log)
    expect(page.get_by_text("What was read from march.psv")).to_be_visible()
    expect(page.get_by_text("How far to trust a what-if")).to_be_visible()

    go(page, "Results")
    assert "waits" in headline(page)
    expect(page.get_by_text("Why did this job wait?")).to_be_visible()
    expect(page.get_by_text("asked for").first).to_be_visible()

    go(page, "Set up")
    page.get_by_role("combobox", name="When a job does not fit").first.click()
    page.get_by_role("option", name="whatever fits may start").click()
    expect(page.locator(".st-key-changes")).to_contain_text("1 change")
    settle(page)

    go(page, "Compare")
    expect(page.get_by_text("Number by number")).to_be_visible()

    go(page, "Results")
    mine = headline(page)
    source = page.get_by_text(re.compile(r"^Scenario [0-9a-f]{8}")).first.inner_text()
    page.get_by_test_id("stPopover").filter(has_text="Share").get_by_role("button").click()
    link = page.get_by_test_id("stCode").first.inner_text().strip()
    assert link.startswith(f"{app_server.url}/results?")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link

    other = open_page(link, fresh=True)
    assert headline(other) == mine
    assert other.get_by_text(re.compile(r"^Scenario [0-9a-f]{8}")).first.inner_text() == source
