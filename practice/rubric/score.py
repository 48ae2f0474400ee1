"""Score one answer: every rule with its places in the text, penalties, dimensions, caps, band and hints."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from practice.rubric import consistency
from practice.rubric.lexicon import LEXICON
from practice.rubric.model import View
from practice.rubric.penalties import CHECKS
from practice.rubric.table import DIMENSIONS, LEVELS, PENALTIES, PERSONAS, RULES, VERSION, weights
from practice.rubric.text import Document, Span, document_of

MEDIUM_FROM, STRONG_FROM = 40.0, 70.0
_WORD = re.compile(r"[a-z][a-z'-]*", re.ASCII)
_CHINESE = re.compile("[\u4e00-\u9fff]")


TRUNCATED = "truncated"
"""Note of a score for which the beginning of the answer was read only."""


@dataclass(frozen=True)
class Outcome:
    """What one rule gave: value 0, 0.5 or 1, points, and where it was seen in the original text."""

    rule: str
    value: float
    points: float
    weight: float
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Charge:
    """What one penalty took, and where. For P3, `checks` has one letter for each pair of spans."""

    penalty: str
    points: float
    spans: tuple[Span, ...]
    checks: str = ""


@dataclass(frozen=True)
class Score:
    """The score of one answer.

    `text` is what all spans refer to: the answer as written, or the five boxes joined. `dimensions` holds 0 to 100, or
    None where nothing of a dimension was seen ("not evidenced"). `notes` are keys of the texts that explain a cap.
    """

    version: str
    persona: str
    text: str
    outcomes: tuple[Outcome, ...]
    charges: tuple[Charge, ...]
    total: float
    dimensions: Mapping[str, float | None]
    notes: tuple[str, ...]

    def value(self, rule: str) -> float:
        """Return the value of a rule: 0, 0.5 or 1."""
        return next(one.value for one in self.outcomes if one.rule == rule)

    @property
    def band(self) -> str:
        """Return weak, medium or strong."""
        return "weak" if self.total < MEDIUM_FROM else "medium" if self.total < STRONG_FROM else "strong"


def level_of(points: float) -> str:
    """Return strong, hire, borderline or no for 0 to 100 points."""
    return next(name for name, level in LEVELS.items() if points >= level["from"])


def score_answer(answer: str | Mapping[str, str], persona: str = "committee") -> Score:
    """Score an answer by the rules; the same answer always gives the same score.

    Parameters
    ----------
    answer : str or mapping of str to str
        One text, or the five boxes under the keys S, T, A, R and L.
    persona : str
        Whose weights to use; a key of `PERSONAS`.

    Raises
    ------
    ValueError
        If the persona is unknown, or a box has another key.
    """
    if persona not in PERSONAS:
        raise ValueError(f"persona is {persona!r}; it must be one of {', '.join(PERSONAS)}.")
    _check(answer)
    view = View(document_of(answer))
    return _scored(view, persona)


def _check(answer: object) -> None:
    """Refuse what is neither a text nor boxes of text."""
    if isinstance(answer, str):
        return
    if not isinstance(answer, Mapping):
        said = f"answer is {answer!r}; it must be a text, or texts under S, T, A, R and L."
        raise ValueError(said)  # noqa: TRY004 - like every other wrong input
    if unknown := sorted(set(map(str, answer)) - set("STARL")):
        raise ValueError(f"box is {unknown[0]!r}; it must be one of S, T, A, R, L.")
    if wrong := [name for name, text in answer.items() if not isinstance(text, str)]:
        raise ValueError(f"box {wrong[0]} is {answer[wrong[0]]!r}; it must be a text.")


def _scored(view: View, persona: str) -> Score:
    own = weights(persona)
    outcomes = []
    for rule in RULES:
        found = rule.detect(view)
        spans = tuple(view.doc.original_span(one) for one in found.spans)
        outcomes.append(Outcome(rule.id, found.value, found.value * own[rule.id], own[rule.id], spans))
    charges = _charges(view, PERSONAS[persona]["factors"])
    total = max(0.0, sum(one.points for one in outcomes) - sum(one.points for one in charges))
    cap, notes = _cap(view.doc)
    return Score(
        VERSION, persona, view.doc.original, tuple(outcomes), charges, round(min(total, cap), 1),
        _dimensions(outcomes, charges), notes,
    )  # fmt: skip


def _charges(view: View, factors: Mapping[str, float]) -> tuple[Charge, ...]:
    found: list[Charge] = []
    for penalty in PENALTIES:
        checks = ""
        if penalty.id == "P3":
            faults = consistency.faults(view)
            checks = "".join(one.check for one in faults)
            spans = [span for one in faults for span in (one.first, one.second)]
            count = len(faults)
        else:
            spans = CHECKS[penalty.id](view)
            count = len(spans)
        points = min(penalty.most, penalty.each * max(0, count - penalty.free)) * factors.get(penalty.id, 1.0)
        if points:
            places = tuple(view.doc.original_span(one) for one in spans)
            found.append(Charge(penalty.id, points, places, checks))
    return tuple(found)


def _dimensions(outcomes: list[Outcome], charges: tuple[Charge, ...]) -> dict[str, float | None]:
    of = {rule.id: rule.dimension for rule in RULES}
    result: dict[str, float | None] = {}
    for name in DIMENSIONS:
        mine = [one for one in outcomes if of[one.rule] == name]
        taken = sum(one.points * penalty.charge.get(name, 0) for one in charges for penalty in PENALTIES
                    if penalty.id == one.penalty)  # fmt: skip
        points = 100 * sum(one.points for one in mine) / sum(one.weight for one in mine) - taken
        result[name] = round(max(0.0, points), 1) if any(one.value for one in mine) else None
    return result


def _cap(doc: Document) -> tuple[float, tuple[str, ...]]:
    text = doc.counted_text
    cap, notes = 100.0, []
    if not LEXICON.has_terms(text, 3):
        cap, notes = 20.0, ["few_terms"]
    if len(_WORD.findall(text)) < 40 and len(_CHINESE.findall(text)) < 60:
        cap, notes = 15.0, ["short", *notes]
    if not doc.is_sectioned:
        notes.append("unsectioned")
    if doc.is_truncated:
        notes.append(TRUNCATED)
    return cap, tuple(notes)
