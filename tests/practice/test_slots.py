"""Every paraphrase is caught by the rule it was written for, and no counter-example is."""

import re
from typing import Any

import pytest

from practice.rubric import score_answer
from tests.practice.answers import DATA, data
from tests.practice.placing import placed

FILES = sorted(path.name for path in (DATA / "slots").glob("*.toml"))
SLOTS: dict[str, dict[str, Any]] = {rule: rows for name in FILES for rule, rows in data(f"slots/{name}").items()}


def test_every_content_rule_has_thirty_paraphrases_and_fifteen_counter_examples_a_language() -> None:
    assert len(SLOTS) == 22  # all rules but G1 and G3, which look at the whole answer
    for rule, rows in SLOTS.items():
        for language in ("en", "zh"):
            assert len(_ways(rows[language])) >= 30, (rule, language)
            assert len(_ways(rows[f"not_{language}"])) >= 15, (rule, language)


def _ways(said: list[str]) -> set[str]:
    """Return the ways of saying it: the same words with other numbers or marks are one."""
    return {re.sub(r"[\d\W_]+", " ", one.lower()).strip() for one in said}


@pytest.mark.parametrize("rule", SLOTS)
def test_paraphrases_are_caught(rule: str) -> None:
    said = [*SLOTS[rule]["en"], *SLOTS[rule]["zh"]]
    assert [one for one in said if score_answer(placed(rule, one)).value(rule) < 0.5] == []


@pytest.mark.parametrize("rule", SLOTS)
def test_counter_examples_are_not(rule: str) -> None:
    said = [*SLOTS[rule]["not_en"], *SLOTS[rule]["not_zh"]]
    assert [one for one in said if score_answer(placed(rule, one)).value(rule) >= 0.5] == []
