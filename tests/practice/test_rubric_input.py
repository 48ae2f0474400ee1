"""Whatever is typed or pasted gets a sensible score, and the same text in another writing gets the same one."""

import re
import time
from collections.abc import Callable

import pytest

from practice.rubric import score_answer
from tests.practice.answers import data

TEXTS = {row["id"]: row["text"] for row in data("public.toml")["answer"]}
ENGLISH, CHINESE = TEXTS["E5"], TEXTS["Z5"]
HEADS = {"S": "Situation", "T": "Task", "A": "Action", "R": "Result", "L": "Learning"}


def headed(form: str) -> Callable[[str], str]:
    """Return what writes the headings in another form: `{letter}` and `{name}` are filled in."""
    return lambda text: re.sub(r" ?\b([STARL]): ", lambda m: form.format(letter=m[1], name=HEADS[m[1]]), text)


SAME: dict[str, Callable[[str], str]] = {
    "a byte order mark": lambda text: f"\ufeff{text}",
    "zero-width spaces": lambda text: text.replace("e", "e\u200b"),
    "soft hyphens": lambda text: text.replace("utilisation", "utili\u00adsation"),
    "hard spaces": lambda text: text.replace(" ", "\u00a0"),
    "control characters": lambda text: f"\x00{text}\x07",
    "half a surrogate pair": lambda text: f"\ud800{text}",
    "capitals": str.upper,
    "tabs": lambda text: text.replace(" ", "\t"),
    "lines as in Windows": lambda text: text.replace(". ", ".\r\n"),
    "pictures between sentences": lambda text: text.replace(". ", ". \U0001f600 "),
    "headings of Markdown": headed("\n\n## {name}: "),
    "bold headings": headed("\n**{letter}:** "),
    "headings as bullets": headed("\n- {name}: "),
    "sentences as bullets": lambda text: re.sub(r"\. (?=[A-Z])", ".\n- ", text),
    "a table": lambda text: "<table><tr><td>" + headed("</td></tr><tr><td>{name}: ")(text) + "</td></tr></table>",
    "a list of HTML": lambda text: "<ul><li>" + re.sub(r"\. (?=[A-Z])", ".</li>\n<li>", text) + "</li></ul>",
    "entities": lambda text: text.replace(" and ", "&nbsp;and "),
    "no separator": lambda text: text.replace("2,400", "2400"),
    "a space as separator": lambda text: text.replace("2,400", "2 400"),
    "an apostrophe as separator": lambda text: text.replace("2,400", "2'400"),
    "the answer twice": lambda text: f"{text}\n{text}",
    "sections in another order": lambda text: " ".join(reversed(re.split(r" (?=[STARL]: )", text))),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_another_writing_of_the_same_answer_scores_the_same(change: Callable[[str], str]) -> None:
    first, second = score_answer(ENGLISH), score_answer(change(ENGLISH))
    assert change(ENGLISH) != ENGLISH
    assert {one.rule: one.value for one in first.outcomes} == {one.rule: one.value for one in second.outcomes}
    assert second.total == first.total


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\n", "S: T: A: R: L:", "S:\nT:\nA:\nR:\nL:", "...", "\u3002\u3002", "<div></div>", "0", "\u200b"],
)
def test_no_answer_is_zero(text: str) -> None:
    assert score_answer(text).total == 0


@pytest.mark.parametrize(
    "word", ["GPU", "preemption", "99.9%", "\u62a2\u5360", "\u4e00\u5343\u5f20\u5361", "$2M", "because"]
)
def test_one_word_is_capped_as_short(word: str) -> None:
    score = score_answer(word)
    assert "short" in score.notes
    assert score.total <= 15


def test_half_an_answer_in_each_language_is_still_strong() -> None:
    mixed = ENGLISH.split(" A: ")[0] + "\n" + CHINESE[CHINESE.index("A\uff1a") :]
    assert score_answer(mixed).band == "strong"


def test_a_hundred_thousand_words_are_cut_and_cost_no_time() -> None:
    start = time.process_time()
    score = score_answer(f"{ENGLISH} " * 600)  # about 100,000 words
    assert "truncated" in score.notes
    assert score.total == score_answer(ENGLISH).total
    assert time.process_time() - start < 5


@pytest.mark.parametrize("answer", [None, 7, ["S"], {"S": None}, {"A": 3}])
def test_what_is_no_text_is_refused_in_one_sentence(answer: object) -> None:
    with pytest.raises(ValueError, match=r"; it must be a text(\.|, or texts under S, T, A, R and L\.)$"):
        score_answer(answer)  # type: ignore[arg-type]


def test_a_word_that_ends_in_a_colon_inside_a_section_is_no_heading() -> None:
    told = ENGLISH.replace("both KPIs are real", "Result: nobody moves. Both KPIs are real")
    assert score_answer(told).value("S3") == 1.0
    assert score_answer(told).total == score_answer(ENGLISH).total


@pytest.mark.parametrize("terms", ["queue wait delay", "\u6392\u961f \u7b49\u5f85 \u5ef6\u8fdf"])
def test_three_words_of_the_field_are_three_even_for_one_metric(terms: str) -> None:
    assert "few_terms" not in score_answer(terms).notes
    assert "few_terms" in score_answer("hello there").notes


def test_an_answer_is_scored_in_fifty_milliseconds() -> None:
    rows = [row["text"] for name in ("public", "heldout") for row in data(f"{name}.toml")["answer"]]
    for text in rows:
        score_answer(text)
    best = [min(_cost(text), _cost(text), _cost(text)) for text in rows]
    assert max(best) < 0.05  # of its own processor time, so that a busy machine changes little


def test_the_time_of_an_answer_grows_with_its_length_and_no_faster() -> None:
    rows = {row["id"]: row["text"] for name in ("public", "heldout") for row in data(f"{name}.toml")["answer"]}
    parts = [text.split(". ") for text in rows.values()]
    told = [f"{sentence} (no. {number})" for number, part in enumerate(parts) for sentence in part]
    short = {box: ". ".join(told[at::20]) for at, box in enumerate("STARL")}
    long = {box: ". ".join(told[at::5]) for at, box in enumerate("STARL")}
    times = len("".join(long.values())) / len("".join(short.values()))
    assert times > 3
    assert min(_cost(long) for _ in range(3)) < 2 * times * min(_cost(short) for _ in range(3))


def _cost(text: str | dict[str, str]) -> float:
    start = time.process_time()
    score_answer(text)
    return time.process_time() - start
