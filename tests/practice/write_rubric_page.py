"""Write docs/rubric.md anew: ``python -m tests.practice.write_rubric_page``."""

from pathlib import Path
from textwrap import wrap
from typing import Any

from practice.rubric import DIMENSIONS, PENALTIES, RULES, TEXT, VERSION, evidence
from tests.practice.answers import Labelled, labelled, of_round, rounds

PAGE = Path(__file__).parents[2] / "docs" / "rubric.md"


def page() -> str:
    """Return the page as the rules and the labelled answers make it now."""
    return "\n".join([*_head(), *_rules(), *_penalties(), *_claims(), *_rounds(), *_answers()]) + "\n"


def _head() -> list[str]:
    return [
        "# How an answer is scored",
        "",
        f"Rules of version {VERSION}. This page is generated from them: `python -m tests.practice.write_rubric_page`.",
        "",
        TEXT["honest"]["en"] + " " + TEXT["honest"]["zh"],
        "",
        "Total = sum of weight x value (0, 0.5 or 1), less the penalties, at least 0.",
        "Under 40 points is weak, from 70 strong.",
        f"{TEXT['short']['en']} {TEXT['few_terms']['en']} {TEXT['unsectioned']['en']}",
        "Over several answers each dimension is the mean of its two best answers, and the lowest dimension decides.",
        "",
    ]


def _rules() -> list[str]:
    rows = ["## Rules", "", "| rule | dimension | weight | full | half | \u6ee1\u5206 |", "|---|---|---|---|---|---|"]
    for rule in RULES:
        dimension = DIMENSIONS[rule.dimension]["en"]
        half = rule.half["en"] or "-"
        rows.append(f"| {rule.id} | {dimension} | {rule.weight} | {rule.passes['en']} | {half} | {rule.passes['zh']} |")
    return [*rows, ""]


def _penalties() -> list[str]:
    rows = ["## Penalties", "", "| penalty | each | at most | when | \u4f55\u65f6 |", "|---|---|---|---|---|"]
    rows += [f"| {one.id} | -{one.each} | -{one.most} | {one.passes['en']} | {one.passes['zh']} |" for one in PENALTIES]
    return [*rows, ""]


def _claims() -> list[str]:
    said = (
        "In an exercise the numbers of Action and Result are compared with the run of the option that they are about. "
        f"A claim agrees (1) within {evidence.POINTS:g} points of a percentage, {evidence.AVAILABILITY_POINTS:g} of "
        f"an availability, {evidence.RATIO:g} of a ratio, and {evidence.RELATIVE:.0%} of anything else; it counts 0.5 "
        "where only its size differs, and 0 where it moves the other way than the run, or lies on the other side of "
        "the target or red line. A claim within these limits that is the number of the run, rounded to the digits "
        'told, agrees in any case: "3 days" for 3.01 is true, although the line is at 3. A number in Action that tells '
        "how things were before is no claim, nor is one that the run does not have. With at least "
        f"{evidence.LEAST_CLAIMS} claims the total is {evidence.RUBRIC_PART:g} of the rubric and "
        f"{evidence.EVIDENCE_PART:g} of the mean of the claims, at most {evidence.CAP_WHEN_CONTRADICTED:g} where one "
        "of them counts 0."
    )
    return ["## Claims against the run", "", *wrap(said, 120), ""]


def _rounds() -> list[str]:
    rows = [
        "## How unseen answers fare",
        "",
        "Each round is 8 to 48 new answers, half of them Chinese, with a label for every rule, written from the",
        'printed definition before any rule saw them. "At first" is the only run before the rules were widened; it is',
        "kept in `tests/practice/data/unseen/first_runs.toml` with every outcome that differed, and never changes.",
        '"Now" only says that the rules were widened. Who wrote the first seven rounds also wrote the rules; the',
        "eighth is by a writer who never saw them, and ten of its answers try to score without saying anything. A",
        "label that the printed definition does not bear out was corrected after the first run, and is named there.",
        "",
        "| round | date | answers | bands at first | outcomes at first | bands now | outcomes now |",
        "|---|---|---|---|---|---|---|",
    ]
    return [*rows, *map(_round, rounds()), ""]


def _round(first: dict[str, Any]) -> str:
    answers = of_round(first["number"])
    labels, differing = sum(one.labels for one in answers), sum(len(one.differing) for one in answers)
    return (
        f"| {first['number']} | {first['date']} | {first['answers']} | {first['bands']} "
        f"| {first['agreeing']} of {first['outcomes']} ({first['agreeing'] / first['outcomes']:.0%}) "
        f"| {sum(one.is_in_band for one in answers)} | {labels - differing} of {labels} |"
    )


def _answers() -> list[str]:
    public, own = labelled("public.toml"), labelled("heldout.toml")
    rows = [
        "## Labelled answers",
        "",
        f"The first are public: {_agreement(public)}. H marks our own: {_agreement(own)}.",
        "Families were widened after a first look at both, so neither says how unseen answers fare.",
        "",
        "| answer | label | band | score | outcomes that differ |",
        "|---|---|---|---|---|",
    ]
    return [*rows, *(_row(one) for one in [*public, *own])]


def _agreement(answers: list[Labelled]) -> str:
    """Return how many answers are in their band and how many outcomes agree."""
    labels, differing = sum(one.labels for one in answers), sum(len(one.differing) for one in answers)
    n_inside = sum(one.is_in_band for one in answers)
    return f"{n_inside} of {len(answers)} in their band, {labels - differing} of {labels} outcomes as labelled"


def _row(one: Labelled) -> str:
    low, high = one.band
    return f"| {one.id} | {one.level} | {low:g}-{high:g} | {one.score.total:g} | {', '.join(one.differing) or '-'} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
