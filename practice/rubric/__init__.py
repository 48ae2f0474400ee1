"""A transparent, deterministic score for a written STAR-L answer, in English and Chinese.

`score_answer` applies the rules of `data/rules.toml`; every outcome carries the places in the text that it rests on.
`check_claims` compares the numbers of an answer with a run, `hints_for` picks what to improve first, and
`session_verdict` sums up several answers. No answer is ever judged by anything that a reader cannot look up.
"""

from practice.rubric.consistency import Fault, compare_turns
from practice.rubric.effects import facts_without_effect
from practice.rubric.evidence import Claim, Evidence, Run, check_claims, scenario_total
from practice.rubric.hints import Hint, hints_for
from practice.rubric.marking import Mark, Seen, cut
from practice.rubric.said import quantities_in
from practice.rubric.score import TRUNCATED, Charge, Outcome, Score, level_of, score_answer
from practice.rubric.session import Judged, Verdict, session_verdict
from practice.rubric.table import ASKS, DIMENSIONS, LEVELS, PENALTIES, PERSONAS, RULES, TEXT, VERSION, weights
from practice.rubric.text import Span

__all__ = [
    "ASKS",
    "DIMENSIONS",
    "LEVELS",
    "PENALTIES",
    "PERSONAS",
    "RULES",
    "TEXT",
    "TRUNCATED",
    "VERSION",
    "Charge",
    "Claim",
    "Evidence",
    "Fault",
    "Hint",
    "Judged",
    "Mark",
    "Outcome",
    "Run",
    "Score",
    "Seen",
    "Span",
    "Verdict",
    "check_claims",
    "compare_turns",
    "cut",
    "facts_without_effect",
    "hints_for",
    "level_of",
    "quantities_in",
    "scenario_total",
    "score_answer",
    "session_verdict",
    "weights",
]
