"""An exported attempt: everything escaped, nothing from outside, the answer only where it is asked for."""

import csv
import io
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

import pytest

from practice.exercises import exercises
from practice.export import Page, disputes_csv, marked_html, rules_csv, to_html, to_markdown
from practice.history import Prediction, Section, graded, with_dispute
from practice.rubric import RULES, score_answer
from tests.practice.exam import exam_page
from tests.practice.history.builders import START, STRONG, WEAK, attempt, grade

HOSTILE = "<script>alert(1)</script> | **bold** [x](javascript:1) \"quoted\" & 'so'"
SAID = (Prediction(option="high", measure="wait", said="up", came="down"),)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self.seen.add(tag)
        if tag not in {"br", "meta"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> _Tags:
    tags = _Tags()
    tags.feed(html)
    assert tags.open == []
    return tags


def page(language: str = "en", *, has_answer: bool = True, subject: str = "Threshold", text: str = "") -> Page:
    one = attempt(STRONG, predictions=SAID, choices={"theta": "high"}, run_hash="ab" * 32)
    if text:
        section = {"A": Section(text=text, saved_at=START)}
        one = one.model_copy(update={"sections": section, "grade": graded(score_answer({"A": text}))})
    return Page(one, subject, language, has_answer)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_both_forms_hold_the_score_the_rules_and_the_predictions(language: str) -> None:
    for text in (to_markdown(page(language)), to_html(page(language))):
        assert f"{grade(STRONG).total:g}" in text.replace("\\", "")
        assert all(rule.id in text for rule in RULES)
        assert ("\u4e0a\u5347" if language == "zh" else "up") in text
        assert "abababababab" in text


def test_the_answer_is_left_out_unless_it_is_asked_for() -> None:
    words = "Two teams share 2,400 H100 GPUs"
    assert words in to_markdown(page())
    assert words in read(to_html(page())).text
    assert words not in to_markdown(page(has_answer=False))
    assert words not in to_html(page(has_answer=False))
    assert "left out" in to_html(page(has_answer=False))


def test_a_hostile_text_and_name_are_shown_and_never_markup() -> None:
    whole = to_html(page(subject=HOSTILE, text=HOSTILE))
    tags = read(whole)
    assert "script" not in tags.seen
    assert "a" not in tags.seen
    assert HOSTILE in tags.text
    markdown = to_markdown(page(subject=HOSTILE, text=HOSTILE))
    assert not re.search(r"(?<!\\)[<*\[]", markdown)


def test_the_file_asks_nothing_from_outside_and_prints() -> None:
    whole = to_html(page())
    assert "http" not in whole
    assert "src=" not in whole
    assert "@media print" in whole


def test_marked_text_is_the_text_and_names_its_rules() -> None:
    html = marked_html(grade(STRONG))
    assert read(html).text == grade(STRONG).text
    assert "underline 2px solid" in html
    assert 'title="S1' in html
    weak = marked_html(grade(WEAK))
    assert "underline 2px wavy" in weak
    assert re.search(r'title="[^"]*P[14]', weak)


def test_the_table_of_outcomes_has_a_row_for_every_rule_and_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(rules_csv([attempt(WEAK), attempt(STRONG, day=1)], {"sc04": "=1+1"}))))
    assert len(rows) == 2 * len(RULES)
    assert {row["subject"] for row in rows} == {"'=1+1"}
    strong = [row for row in rows if row["attempt"] == "2" and row["rule"] == "S1"]
    assert [row["value"] for row in strong] == ["1.0"]


def test_an_attempt_that_was_not_scored_can_be_exported() -> None:
    open_one = attempt(WEAK, grade=None, finished_at=None)
    assert "Not scored yet" in to_html(Page(open_one, "Threshold", "en", has_answer=True))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("form", [to_html, to_markdown])
def test_an_exam_is_told_in_words_with_its_evidence(form: Callable[[Page], str], language: str) -> None:
    exercise = exercises()["SC05"]
    told = form(exam_page(exercise, language)).replace("\\", "")
    chosen = exercise.decision("give").option("loan").label.of(language)
    assert chosen in told
    assert exercise.measures["newcomer_wait"].name is not None
    assert exercise.measures["newcomer_wait"].name.of(language) in told
    assert not re.search(r"growing_lost|newcomer_wait|>loan<|\| loan \|", told)
    assert "\u2605" in told


def test_five_pictures_at_most_and_the_first_one_decides() -> None:
    whole = to_html(exam_page(exercises()["SC01"], "en"))
    titles = re.findall(r"<figcaption>(.*?)</figcaption>", whole)
    assert len(titles) == whole.count("<svg") == 5
    assert [one.startswith("\u2605") for one in titles] == [True, False, False, False, False]
    assert all(re.search(r"(rises|falls|stays): .*\d", one) for one in titles)


def test_what_does_not_fit_on_the_page_is_said_and_stands_below() -> None:
    whole = to_html(exam_page(exercises()["SC01"], "en", times=30))
    sheet, rest = whole.split("</main>")
    left = re.search(r"([\d,]+) more characters do not fit", sheet)
    assert left is not None
    answer = exam_page(exercises()["SC01"], "en", times=30).attempt.grade
    assert answer is not None
    shown = len(read(f"<body>{sheet.split('<h2>Answer</h2>')[1].split('<p class=')[0]}</body>").text)
    assert shown + int(left[1].replace(",", "")) == len(answer.text)
    assert answer.text[-40:] in re.sub(r"<[^>]+>", "", unescape(rest))


def test_objections_are_listed_with_the_words_that_the_rule_saw() -> None:
    one = attempt(STRONG)
    one = one.model_copy(update={"progress": with_dispute(one, "A1", " =this was my decision ")})
    (row,) = csv.DictReader(io.StringIO(disputes_csv([one, attempt(WEAK)], {})))
    assert (row["rule"], row["given"], row["objection"]) == ("A1", "1.0", "'=this was my decision")
    assert "chose" in row["seen"]
