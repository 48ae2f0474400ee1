"""Whole answers: the public twelve, our own, the nine pairs, and what must not change a score."""

import unicodedata
from typing import Any

import pytest

from practice.rubric import RULES, score_answer
from practice.rubric.text import document_of
from tests.practice.answers import Labelled, data, labelled, of_round, rounds

PUBLIC, OWN = labelled("public.toml"), labelled("heldout.toml")
ROUNDS = {f"round {one['number']}": of_round(one["number"]) for one in rounds()}
UNSEEN = [one for answers in ROUNDS.values() for one in answers]
BY_ID = {one.id: one for one in PUBLIC}


def wide(text: str) -> str:
    """Return the text with its ASCII letters, digits and marks in full width; spaces and full stops stay."""
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" and one not in ".'" else one for one in text)


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.id)
def test_public_answers_are_in_their_band(one: Labelled) -> None:
    assert one.is_in_band, one.score.total


def test_public_outcomes_agree_with_their_labels() -> None:
    labels = sum(one.labels for one in PUBLIC)
    assert labels == 217
    assert sum(len(one.differing) for one in PUBLIC) <= 0.05 * labels


def test_our_own_answers_agree_with_their_labels() -> None:
    assert len(OWN) == 24
    assert [one.id for one in OWN if not one.is_in_band] == []
    assert sum(len(one.differing) for one in OWN) <= 0.1 * sum(one.labels for one in OWN)


@pytest.mark.parametrize("answers", ROUNDS.values(), ids=ROUNDS)
def test_answers_of_every_round_agree_with_their_labels(answers: list[Labelled]) -> None:
    assert [(one.id, one.score.total) for one in answers if not one.is_in_band] == []
    assert sum(len(one.differing) for one in answers) <= 0.05 * sum(one.labels for one in answers)


@pytest.mark.parametrize("first", rounds(), ids=ROUNDS)
def test_the_record_of_a_first_run_fits_its_answers(first: dict[str, Any]) -> None:
    answers = of_round(first["number"])
    assert [one.language for one in answers].count("zh") * 2 == len(answers) == first["answers"]
    assert {one.level for one in answers} == {"weak", "medium", "strong"}
    assert sum(one.labels for one in answers) == first["outcomes"]
    differing = [rule for row in first["differing"] for rule in row.partition(": ")[2].split()]
    assert first["outcomes"] - first["agreeing"] == len(differing)


def test_the_last_rounds_met_the_acceptance_before_any_widening() -> None:
    for first in rounds()[-2:]:
        assert first["bands"] * 12 >= 10 * first["answers"]
        assert first["agreeing"] >= 0.9 * first["outcomes"]


@pytest.mark.parametrize("answers", [PUBLIC, OWN, *ROUNDS.values()], ids=["public", "own", *ROUNDS])
def test_every_weak_is_below_every_medium_below_every_strong(answers: list[Labelled]) -> None:
    totals = {
        level: [one.score.total for one in answers if one.level == level] for level in ("weak", "medium", "strong")
    }
    assert max(totals["weak"]) < min(totals["medium"])
    assert max(totals["medium"]) < min(totals["strong"])


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_same_answer_in_both_languages_scores_alike(number: int) -> None:
    assert abs(BY_ID[f"E{number}"].score.total - BY_ID[f"Z{number}"].score.total) <= 8


@pytest.mark.parametrize("pair", data("pairs.toml")["pair"], ids=lambda pair: pair["about"])
def test_the_strong_way_of_a_pair_beats_the_weak(pair: dict[str, str]) -> None:
    assert score_answer(pair["bad"]).total < score_answer(pair["good"]).total


def test_there_are_nine_pairs() -> None:
    assert len(data("pairs.toml")["pair"]) == 9


@pytest.mark.parametrize("case", data("adversarial.toml")["case"], ids=lambda case: case["about"])
def test_an_empty_answer_in_disguise_stays_low(case: dict[str, str]) -> None:
    assert score_answer(case["text"]).total <= float(case["most"])


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.id)
def test_full_width_text_scores_the_same(one: Labelled) -> None:
    assert unicodedata.normalize("NFKC", wide(one.text)) == unicodedata.normalize("NFKC", one.text)
    assert score_answer(wide(one.text)).outcomes == one.score.outcomes


OFF_TOPIC = (
    "My holiday in Italy cost me $900 and I learned that the train from Rome to Naples takes 70 minutes.",
    "However, the weather got worse from day 3 to day 5, so I changed the hotel.",
    "\u5468\u672b\u6211\u53bb\u722c\u5c71\uff0c\u82b1\u4e863\u5c0f\u65f6\uff0c\u4f46\u662f\u5929\u6c14\u53d8\u5dee\u4e86\u3002",
)


@pytest.mark.parametrize("paragraph", OFF_TOPIC)
@pytest.mark.parametrize("one", [*PUBLIC, *OWN, *UNSEEN], ids=lambda one: one.id)
def test_a_paragraph_about_something_else_never_raises_the_score(one: Labelled, paragraph: str) -> None:
    assert score_answer(f"{one.text}\n\n{paragraph}").total <= one.score.total


@pytest.mark.parametrize("one", PUBLIC, ids=lambda one: one.id)
def test_repeating_a_sentence_in_its_section_never_raises_the_score(one: Labelled) -> None:
    doc = document_of(one.text)
    for sentence in doc.sentences():
        span = doc.original_span(sentence)
        said = one.text[span.start : span.end]
        stop = span.end + 1
        repeated = f"{one.text[:stop]} {said.strip()}. {one.text[stop:]}"
        assert score_answer(repeated).total <= one.score.total, said


@pytest.mark.parametrize("one", [*PUBLIC, *OWN, *UNSEEN], ids=lambda one: one.id)
def test_without_a_result_nothing_of_it_counts(one: Labelled) -> None:
    boxes = boxes_of(one.text)
    if not boxes:
        return
    score = score_answer({name: text for name, text in boxes.items() if name != "R"})
    assert [score.value(rule) for rule in ("O1", "O2", "O3", "O4", "O5")] == [0.0] * 5


@pytest.mark.parametrize("one", [*PUBLIC, *OWN, *UNSEEN], ids=lambda one: one.id)
def test_five_boxes_and_headings_agree(one: Labelled) -> None:
    boxes = boxes_of(one.text)
    if boxes:
        boxed = score_answer(boxes)
        assert boxed.total == one.score.total
        assert [rule.value for rule in boxed.outcomes] == [rule.value for rule in one.score.outcomes]


def boxes_of(text: str) -> dict[str, str]:
    """Return the sections of a headed answer as boxes, cut at the spans of their sentences."""
    doc = document_of(text)
    if not doc.is_sectioned:
        return {}
    boxes = {}
    for name, section in doc.sections.items():
        start = doc.original_span(section.sentences[0]).start
        end = doc.original_span(section.sentences[-1]).end
        boxes[name] = text[start : end + 1]
    return boxes


def test_a_hundred_runs_give_the_same_bytes() -> None:
    for one in (BY_ID["E5"], BY_ID["Z5"]):
        assert {repr(score_answer(one.text)) for _ in range(100)} == {repr(one.score)}


@pytest.mark.parametrize("one", [*PUBLIC, *OWN, *UNSEEN], ids=lambda one: one.id)
def test_every_point_for_content_shows_its_place(one: Labelled) -> None:
    for outcome in one.score.outcomes:
        if outcome.value and outcome.rule not in {"G1", "G3"}:
            assert outcome.spans
        for span in outcome.spans:
            assert one.score.text[span.start : span.end].strip()


def test_the_weights_add_up_to_a_hundred_for_everybody() -> None:
    assert sum(rule.weight for rule in RULES) == 100
    for persona in ("committee", "vp", "collaborative", "business"):
        score = score_answer(BY_ID["E4"].text, persona)
        assert sum(one.weight for one in score.outcomes) == pytest.approx(100)
