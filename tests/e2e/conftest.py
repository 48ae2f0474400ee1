"""Helpers for tests in a browser: open a page, wait for its answer, fail on errors of the page."""

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

SMALL = "?case=one-pool-poisson@1"
"""A case that runs in a few milliseconds."""

OpenPage = Callable[..., Page]
_WAIT_MS = 60_000
PERMISSIONS = ["clipboard-read", "clipboard-write"]
expect.set_options(timeout=30_000)  # a machine under load is slow, not wrong


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """Give one profile to all who need no fresh one, so that the scripts of a page are read and compiled once."""
    context = browser.new_context(permissions=PERMISSIONS)
    yield context
    context.close()


@pytest.fixture
def open_page(browser: Browser, profile: BrowserContext) -> Iterator[OpenPage]:
    """Give a function that opens an address; `fresh` or any option does so in a profile of its own.

    An error in a page fails the test.
    """
    contexts: list[BrowserContext] = []
    pages: list[Page] = []
    errors: list[str] = []

    def open_page(url: str, *, width: int = 1280, height: int = 800, fresh: bool = False, **options: object) -> Page:
        context = profile
        if fresh or options:
            context = browser.new_context(permissions=PERMISSIONS, **options)  # type: ignore[arg-type]
            contexts.append(context)
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(_WAIT_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        return page

    yield open_page
    for page in pages:
        page.close()
    for context in contexts:
        context.close()
    profile.clear_cookies()
    assert errors == []


def headline(page: Page) -> str:
    """Return the first sentence of a page once it is there and nothing runs any more."""
    title = page.get_by_role("heading", level=2).first
    expect(title).to_be_visible(timeout=_WAIT_MS)
    settle(page)
    return title.inner_text()


def final_headline(page: Page) -> str:
    """Return the first sentence of a page once all seeds are in it, which its interval shows."""
    expect(page.get_by_role("heading", level=2).first).to_contain_text("[", timeout=_WAIT_MS)
    return headline(page)


def settle(page: Page) -> None:
    """Wait until the script has run to its end."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=_WAIT_MS)


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Go on with the key Tab until what `selector` names has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached with Tab")


def go(page: Page, name: str) -> None:
    """Follow the menu, and wait until the other page has come: its address is written when it begins to run."""
    link = page.get_by_test_id("stTopNavLink").filter(has_text=name).first
    path = urlsplit(link.get_attribute("href") or "").path
    link.click()
    page.wait_for_url(lambda url: urlsplit(url).path == path, timeout=_WAIT_MS)
    settle(page)


def assert_no_horizontal_scroll(page: Page) -> None:
    """Fail when anything is wider than the window."""
    widths = page.evaluate(
        "[document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth, innerWidth]"
    )
    assert widths[0] <= widths[2], widths
    assert widths[1] <= widths[2], widths
