"""Tables of the practice pages."""

import pandas as pd

from dashboard.i18n import in_language, language, plain
from practice.exercises import Defence, Exercise, beside, beside_words, measure_title, say
from practice.player import Calibration
from practice.rubric import DIMENSIONS, RULES, Score
from practice.rubric import weights as weights_of


def weight_rows(persona: str) -> pd.DataFrame:
    """Return each rule with its weight in the table and as this persona sees it."""
    own = weights_of(persona)
    heads = [plain(f"practice.col.{one}") for one in ("rule", "dimension", "passes", "weight", "own_weight")]
    rows = [
        [
            rule.id,
            in_language(DIMENSIONS[rule.dimension]),
            in_language(rule.passes),
            rule.weight,
            round(own[rule.id], 1),
        ]
        for rule in RULES
    ]
    return pd.DataFrame(rows, columns=heads)


def rule_rows(score: Score) -> pd.DataFrame:
    """Return what every rule gave, with the text that it rests on."""
    texts = {rule.id: rule for rule in RULES}
    heads = [plain(f"practice.col.{one}") for one in ("rule", "dimension", "passes", "points", "weight", "seen")]
    rows = [
        [
            one.rule, in_language(DIMENSIONS[texts[one.rule].dimension]), in_language(texts[one.rule].passes),
            round(one.points, 1), round(one.weight, 1),
            " \u2026 ".join(score.text[span.start : span.end] for span in one.spans)[:120],
        ]
        for one in score.outcomes
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=heads)


def article_rows(exercise: Exercise) -> pd.DataFrame:
    """Return every figure of the articles beside the one computed here, with what is left between them."""
    heads = [plain(f"practice.col.{one}") for one in ("figure", "article", "computed", "range", "residual", "why")]
    rows = [beside_words(one, language()) for one in beside(exercise)]
    left_out = plain("practice.not_computed")
    return pd.DataFrame([[text, told, middle or left_out, *rest] for text, told, middle, *rest in rows], columns=heads)


def guess_rows(found: Calibration, options: dict[str, str], measures: dict[str, str]) -> pd.DataFrame:
    """Return every prediction beside what happened."""
    heads = [plain(f"practice.col.{one}") for one in ("option", "measure", "said", "happened")]
    rows = [
        [options[one.option], measures[one.measure], plain(f"practice.{one.said}"),
         plain(f"practice.{one.happened}") + ("" if one.is_right else " \u2717")]
        for one in found.guesses
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=heads)


def defence_rows(found: Defence) -> pd.DataFrame:
    """Return the measures of the evidence before, with the candidate's choices and with those of the strong answer."""
    heads = [plain(f"practice.col.{one}") for one in ("measure", "before", "yours", "strong")]
    rows = [
        [
            measure_title(found.exercise, mine.measure, language()),
            *(say(one.median, mine.unit, language()) for one in (mine.before, mine.after, theirs.after)),
        ]
        for mine, theirs in found.rows
    ]
    return pd.DataFrame(rows, columns=heads).set_index(heads[0])
