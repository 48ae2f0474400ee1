"""Own stories: what they lack, their score, and stress that uses their own numbers."""

from datetime import UTC, datetime

import pytest

from practice.history import LedgerLine, Section, Story
from practice.rubric import score_answer
from practice.stories import STRESSES, contradictions, lacks, numbers_in, probes, score_story, stress_label

NOW = datetime(2027, 1, 4, tzinfo=UTC)
BOXES = {
    "S": "2,400 H100 GPUs serve two teams, yet utilisation is only 46%.",
    "T": "I was asked to raise it to 58% by June.",
    "A": "I chose preemption with a 5-minute window because a replay showed it loses least.",
    "R": "Utilisation rose from 46% to 59%.",
    "L": "I learned to check first.",
}


def story(texts: dict[str, str], *ledger: LedgerLine) -> Story:
    sections = {name: Section(text=text, saved_at=NOW) for name, text in texts.items()}
    return Story(id="story-0001", sections=sections, ledger=ledger, created_at=NOW, updated_at=NOW)


def line(name: str, value: str, meaning: str = "what a quarter costs") -> LedgerLine:
    return LedgerLine(name=name, value=value, meaning=meaning)


def test_an_empty_story_lacks_every_box_both_slots_and_its_numbers() -> None:
    found = lacks(story({}))
    assert [(one.kind, one.what) for one in found] == [
        *(("box", name) for name in "STARL"), ("slot", "failure"), ("slot", "corrected"), ("ledger", ""),
    ]  # fmt: skip


def test_a_number_of_the_task_that_no_line_explains_is_named() -> None:
    full = BOXES | {"failure": "The first threshold was wrong.", "corrected": "I had trusted the mean."}
    lines = (line("cluster", "2,400 GPUs"), line("utilisation", "46%"), line("target", "58%", meaning=" "))
    assert [(one.kind, one.what) for one in lacks(story(full, *lines))] == [("meaning", "target 58%")]
    assert [(one.kind, one.what) for one in lacks(story(full, *lines[:2]))] == [("number", "58")]


def test_digits_of_names_are_no_numbers_and_full_width_is_read() -> None:
    assert numbers_in("3,200 A100, P95 by Q4, \uff14\uff10 h, 99.9%.") == ["3200", "40", "99.9"]


def test_a_story_is_scored_by_the_rules_of_the_rubric_without_evidence() -> None:
    assert score_story(story(BOXES | {"failure": "not read"})) == score_answer(BOXES)


@pytest.mark.parametrize("stress", STRESSES)
def test_every_stress_asks_about_technique_logic_and_data_in_both_languages(stress: str) -> None:
    found = probes(story(BOXES, line("budget", "$1.2M")), stress)
    assert {one.kind for one in found} == {"technical", "logic", "data"}
    assert all(one.of("en") and one.of("zh") and "{" not in one.en + one.zh for one in found)
    assert set(stress_label(stress)) == {"en", "zh"}


def test_a_cut_budget_is_computed_from_the_line_of_money() -> None:
    lines = (line("cluster", "2,400 GPUs"), line("budget", "$1.2M"), line("staff", "9"))
    (asked, *_) = probes(story(BOXES, *lines), "budget")
    assert "budget was $1.2M; $0.36M is left" in asked.en  # 1.2 x 0.3
    (unasked, *_) = probes(story(BOXES, lines[0]), "budget")
    assert "What did it cost" in unasked.en
    (chinese, *_) = probes(story(BOXES, line("\u9884\u7b97", "1,200 \u4e07\u5143")), "budget")
    assert "360 \u4e07\u5143" in chinese.zh


def test_an_answer_to_a_stress_that_tells_other_numbers_contradicts_the_story() -> None:
    told = BOXES | {"stress_budget": "Utilisation rose from 46% to 75%, so I would keep all of it."}
    assert contradictions(story(told), "budget") != ()
    assert contradictions(story(BOXES | {"stress_budget": "I would drop the pilot."}), "budget") == ()


def test_braces_in_a_ledger_are_words_and_no_placeholder() -> None:
    assert "{x}" in probes(story(BOXES, line("{x}", "$5 {y}")), "budget")[0].en


def test_an_unknown_stress_is_named() -> None:
    with pytest.raises(ValueError, match="'flood'; it must be one of budget, engineer, customer"):
        probes(story(BOXES), "flood")
