"""An exam in a browser, with the keyboard alone: from start, over a closed tab, to a link that somebody else opens."""

import pytest
from playwright.sync_api import Page, expect

from practice.exercises import exercises, fill_answer
from practice.history import open_store
from practice.player import MODES
from tests.e2e.conftest import SMALL, OpenPage, assert_no_horizontal_scroll, settle, tab_to
from tests.practice.exam import keep_at_the_answer
from tests.server import AppServer

pytestmark = pytest.mark.browser
EXERCISE = exercises()["SC03"]


def press(page: Page, key: str) -> None:
    page.locator(f".st-key-{key} button").first.click()
    settle(page)


def move_on(page: Page) -> None:
    """Press next, and wait until another step is named: right after a click nothing runs yet."""
    line = page.get_by_test_id("stProgress").first.locator("strong")
    before = line.inner_text()
    press(page, "next")
    expect(line).not_to_have_text(before)
    settle(page)


def move_on_with(page: Page, key: str) -> None:
    """Press a key that leads to the next step, and wait until that is named."""
    line = page.get_by_test_id("stProgress").first.locator("strong")
    before = line.inner_text()
    page.keyboard.press(key)
    expect(line).not_to_have_text(before)
    settle(page)


def begin_exam(page: Page) -> None:
    """Choose the exam and begin, with the keyboard."""
    exam = page.get_by_role("radio", name="Exam", exact=True)
    expect(exam).to_be_visible()
    settle(page)
    tab_to(page, ".st-key-practice-mode [role=radio]")
    for _ in range(len(MODES)):
        if exam.get_attribute("aria-checked") == "true":
            break
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
    expect(exam).to_have_attribute("aria-checked", "true")
    settle(page)
    tab_to(page, f".st-key-start_{EXERCISE.id} button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("timer")).to_be_visible()
    settle(page)


def predict_all(page: Page) -> None:
    """Go through all predictions as fast as keys do: none may get lost on the way."""
    for option in EXERCISE.decision(EXERCISE.predict.decision).options:
        for measure in EXERCISE.predict.measures:
            tab_to(page, f"[class*='st-key-guess-{EXERCISE.id}-{option.id}-{measure}'] [role=radio]")
            page.keyboard.press("Space")
    expect(page.locator(".st-key-next button")).to_be_enabled()
    settle(page)


def at_the_answer(server: AppServer) -> str:
    """Return the address of a drill whose decisions are taken, as another visit left it."""
    store = open_store(f"sqlite:///{(server.data / 'headroom.db').as_posix()}")
    kept = keep_at_the_answer(store, store.new_notebook(), EXERCISE, "drill")
    store.engine.dispose()
    return f"{server.url}/practice{SMALL}&lang=en&try={kept}"


def test_an_exam_from_start_to_a_link_that_a_reviewer_opens(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/practice{SMALL}&lang=en", fresh=True)
    begin_exam(page)
    move_on_with(page, "n")
    move_on_with(page, "n")
    predict_all(page)
    move_on_with(page, "n")
    for decision in EXERCISE.decisions:
        labels = [one.id for one in decision.options]
        chosen = EXERCISE.strong.choices[decision.id]
        expect(page.locator(f".st-key-choose_{decision.id}_{chosen} button")).to_be_enabled()
        page.keyboard.press(str(1 + labels.index(chosen)))
        expect(page.locator(f".st-key-choose_{decision.id}_{chosen} button[kind=primary]")).to_be_visible()
        settle(page)
    move_on_with(page, "n")
    expect(page.locator(".js-plotly-plot").nth(2)).to_be_visible()
    move_on_with(page, "n")
    box = page.get_by_label("Situation", exact=True)
    tab_to(page, "textarea")
    expect(box).to_be_focused()
    page.keyboard.type("One sentence that is never committed by hand, 160 GPUs.")
    expect(page.get_by_text("saved ")).to_be_visible()
    page.keyboard.type(" And more")
    expect(box).to_have_value("One sentence that is never committed by hand, 160 GPUs. And more")

    address = page.url
    page.context.close()  # the tab is closed in the middle of the exam
    page = open_page(address, fresh=True)
    box = page.get_by_label("Situation", exact=True)
    expect(box).to_have_value("One sentence that is never committed by hand, 160 GPUs.")
    for name, text in zip(
        ("Situation", "Task", "Action", "Result", "Learning"), fill_answer(EXERCISE, EXERCISE.strong, "en").values(),
        strict=True,
    ):  # fmt: skip
        tab_to(page, "textarea")
        expect(page.get_by_label(name, exact=True)).to_be_focused()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(text)
    tab_to(page, ".st-key-next button")
    settle(page)
    move_on_with(page, "Enter")
    expect(page.get_by_text("I am not convinced")).to_be_visible()
    expect(page.locator("[class*='st-key-felt-'] button").first).to_be_visible()
    tab_to(page, "textarea")
    page.keyboard.insert_text("Because the replay of two weeks says so.")
    tab_to(page, "[class*='st-key-felt-'] button")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-next button")
    settle(page)
    move_on_with(page, "Enter")
    total = page.get_by_role("heading", level=3).first
    expect(total).to_contain_text("of 100: strong")
    expect(page.locator("mark.passed").first).to_be_visible()

    page.locator(".st-key-practice_share button").first.click()
    link = page.locator(".st-key-practice_share code, [data-testid=stCode] code").last
    bare = link.inner_text()
    page.get_by_text("Include what I wrote").click()
    expect(link).not_to_have_text(bare)
    settle(page)
    reviewer = open_page(link.inner_text(), fresh=True)
    settle(reviewer)
    expect(reviewer.get_by_text("The evidence is the same as its sender saw.")).to_be_visible()
    expect(reviewer.get_by_role("heading", level=3).first).to_have_text(total.inner_text())
    expect(reviewer.locator("textarea")).to_have_count(0)


def test_a_phone_needs_no_sideways_scroll_while_predicting(open_page: OpenPage, app_server: AppServer) -> None:
    page = open_page(f"{app_server.url}/practice{SMALL}&lang=zh", width=390, height=844)
    settle(page)
    assert_no_horizontal_scroll(page)
    press(page, f"start_{EXERCISE.id}")
    move_on(page)
    move_on(page)
    assert_no_horizontal_scroll(page)


def test_typing_on_in_the_next_boxes_survives_the_saving_of_those_before(
    open_page: OpenPage, app_server: AppServer
) -> None:
    page = open_page(at_the_answer(app_server))
    words = "Typed on while the box before is saved."
    names = ("Situation", "Task", "Action", "Result", "Learning")
    page.get_by_label(names[0], exact=True).click()
    for name in names:
        page.keyboard.type(f"{name}: {words}", delay=25)
        expect(page.get_by_label(name, exact=True)).to_be_focused()
        page.keyboard.press("Tab")  # leaving a box saves it
    expect(page.get_by_text("saved ").nth(len(names) - 1)).to_be_visible()
    settle(page)
    for name in names:
        expect(page.get_by_label(name, exact=True)).to_have_value(f"{name}: {words}")
