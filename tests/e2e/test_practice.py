"""Stories in a browser: a pause in typing saves, a refresh and tomorrow's visit find it, the score is kept."""

import json
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from practice.history import open_store
from tests.e2e.conftest import SMALL, OpenPage, assert_no_horizontal_scroll, settle
from tests.server import AppServer

pytestmark = pytest.mark.browser


def test_a_pause_in_typing_saves_and_a_refresh_loses_nothing(
    open_page: OpenPage, app_server: AppServer, tmp_path: Path
) -> None:
    page = open_page(f"{app_server.url}/stories{SMALL}", width=390, height=844)
    page.get_by_role("button", name="New story").click()
    box = page.get_by_label("Situation")
    box.click()
    box.press_sequentially("2,400 H100 GPUs serve two teams.", delay=5)
    expect(page.get_by_text("saved ")).to_be_visible()  # without leaving the box
    box.press_sequentially(" Utilisation is only 46%.", delay=5)
    page.wait_for_timeout(1_500)  # the pause after which a box is saved
    settle(page)
    expect(box).to_be_focused()
    assert_no_horizontal_scroll(page)
    page.reload()
    written = "2,400 H100 GPUs serve two teams. Utilisation is only 46%."
    expect(page.get_by_label("Situation")).to_have_value(written)
    (book,) = parse_qs(urlsplit(page.url).query)["book"]
    store = open_store(f"sqlite:///{app_server.data / 'headroom.db'}")
    (story,) = store.stories(book)
    assert story.texts() == {"S": written}

    tomorrow = page.context.new_page()  # the same browser, an address without the key
    tomorrow.goto(f"{app_server.url}/stories{SMALL}")
    expect(tomorrow.get_by_label("Situation")).to_have_value(written, timeout=30_000)
    stranger = open_page(f"{app_server.url}/stories{SMALL}")
    expect(stranger.get_by_text("No story yet")).to_be_visible()

    page.get_by_role("button", name="Score this story").click()
    expect(page.get_by_text("Solid line: a rule passed")).to_be_visible()
    page.goto(f"{app_server.url}/history{SMALL}&book={book}")
    expect(page.get_by_text("1 of 3 different exercises or stories")).to_be_visible()
    with page.expect_download() as html:
        page.get_by_role("button", name="One page to print").click()
    kept = tmp_path / "attempt.html"
    html.value.save_as(kept)
    assert "Utilisation is only" not in kept.read_text(encoding="utf-8")  # the answer was not ticked
    with page.expect_download() as export:
        page.get_by_role("button", name="Export everything").click()
    export.value.save_as(tmp_path / "all.json")
    whole = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
    assert whole["stories"][0]["sections"]["S"]["text"] == written
    assert datetime.fromisoformat(whole["exported_at"]) <= datetime.now(UTC)
