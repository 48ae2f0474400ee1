"""E: what an answer claims, compared with the run the candidate made. Separate from the rules, which need no run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from practice.rubric.consistency import changes, values
from practice.rubric.model import View
from practice.rubric.numbers import Quantity
from practice.rubric.text import Span, document_of

UNITS: Mapping[str, tuple[str, float]] = {
    "share": ("percent", 100.0),
    "ms": ("duration", 0.001),
    "s": ("duration", 1.0),
    "min": ("duration", 60.0),
    "h": ("duration", 3600.0),
    "usd": ("money", 1.0),
    "gpus": ("gpu", 1.0),
    "count": ("count", 1.0),
    "ratio": ("ratio", 1.0),
}
"""Ending of a run metric's name -> kind of quantity and the factor to the unit claims are read in."""

LEAST_CLAIMS = 2
RUBRIC_PART, EVIDENCE_PART, CAP_WHEN_CONTRADICTED = 0.8, 0.2, 60.0
POINTS, AVAILABILITY_POINTS, RATIO, RELATIVE = 2.0, 0.03, 0.02, 0.10


@dataclass(frozen=True)
class Run:
    """What was simulated.

    Parameters
    ----------
    options : mapping of str to mapping of str to float
        Option -> metric -> value. A metric is a name of the rubric and a unit: `utilisation_share`, `slo_share`,
        `preemption_share`, `wait_min`, `cost_usd`; see `UNITS`. Where a run has several of one kind, a word after a
        dot tells them apart: `wait.urgent_min`, `wait.batch_min`.
    chosen : str
        The option that the candidate ended with.
    baseline : mapping of str to float
        The same metrics before anything was changed; may be empty.
    marks : mapping of str to tuple of str
        Option -> words by which an answer names it, for example `("0.5",)` for a threshold.
    limits : mapping of str to tuple of float and bool
        Metric -> its target or red line, and whether that is a ceiling.
    words : mapping of str to tuple of str
        What follows the dot -> words by which an answer says that it means this one, for example
        `{"batch": ("batch", ...)}`; the last one before a number decides.
    """

    options: Mapping[str, Mapping[str, float]]
    chosen: str
    baseline: Mapping[str, float]
    marks: Mapping[str, tuple[str, ...]]
    limits: Mapping[str, tuple[float, bool]]
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """One claim: metric, option, and its grade (1, 0.5, 0, or None where the run cannot say)."""

    metric: str
    option: str
    said: float
    simulated: float | None
    grade: float | None
    span: Span


@dataclass(frozen=True)
class Evidence:
    """All claims of an answer; `share` is the mean grade, or None with fewer than two that can be checked."""

    claims: tuple[Claim, ...]
    share: float | None

    @property
    def is_contradicted(self) -> bool:
        """Say whether a claim points the other way than the run."""
        return self.share is not None and any(one.grade == 0 for one in self.claims)


def check_claims(answer: str | Mapping[str, str], run: Run) -> Evidence:
    """Compare the numbers of Action and Result with a run.

    Raises
    ------
    ValueError
        If the chosen option was not run, or a metric's name ends in no known unit.
    """
    _check(run)
    view = View(document_of(answer))
    by_place: dict[Span, Claim] = {}  # without headings a sentence is read as Action and as Result, and claims once
    for claim in _claims(view, run):
        found = _graded(view, run, *claim)
        by_place.setdefault(found.span, found)
    claims = tuple(by_place.values())
    grades = [one.grade for one in claims if one.grade is not None]
    return Evidence(claims, sum(grades) / len(grades) if len(grades) >= LEAST_CLAIMS else None)


def scenario_total(rubric_total: float, evidence: Evidence) -> float:
    """Return the total of an exercise: the rubric and the evidence, capped where the run contradicts the answer."""
    if evidence.share is None:
        return rubric_total
    total = RUBRIC_PART * rubric_total + EVIDENCE_PART * evidence.share * 100
    return round(min(total, CAP_WHEN_CONTRADICTED) if evidence.is_contradicted else total, 1)


def _check(run: Run) -> None:
    if run.chosen not in run.options:
        raise ValueError(f"chosen is {run.chosen!r}; it must be one of {', '.join(sorted(run.options))}.")
    for metrics in (*run.options.values(), run.baseline):
        for name in metrics:
            if name.rpartition("_")[2] not in UNITS:
                raise ValueError(f"metric is {name!r}; its name must end in one of {', '.join(UNITS)}.")


def _claims(view: View, run: Run) -> Iterator[tuple[str, Quantity, Quantity | None, str]]:
    """Yield metric, value after, value before where told, and option, of each claim."""
    for sentence in view.sentences("A"):
        for clause in view.doc.clauses(sentence):
            named = _named(view, run, clause)
            for name, number in values(view, clause) if len(named) == 1 else ():
                yield name, number, None, named[0]
    for sentence in view.sentences("R"):
        pairs = changes(view, sentence)
        for change in pairs:
            yield change.metric, change.after, change.before, _option_at(view, run, change.span.start)
        for name, number in _levels(view, sentence):
            if not number.span.begins_in(one.span for one in pairs):
                yield name, number, None, _option_at(view, run, number.span.start)


def _levels(view: View, sentence: Span) -> Iterator[tuple[str, Quantity]]:
    """Yield the numbers that state a level, not a size of change."""
    sizes = view.hits("percent_change", sentence)
    for name, number in values(view, sentence):
        if not number.span.begins_in(sizes) and not view.first("points", number.span):
            yield name, number


def _named(view: View, run: Run, span: Span) -> list[str]:
    text = view.text[span.start : span.end]
    return [option for option, marks in run.marks.items() if any(mark.lower() in text for mark in marks)]


def _option_at(view: View, run: Run, position: int) -> str:
    """Return the option that a place in Result is about: what was changed there divides before from after."""
    for sentence in view.sentences("R"):
        for hit in view.hits("pair", sentence):
            named = _named(view, run, Span(hit.start, hit.end + 1))
            if len(named) == 2 and position < hit.start:
                text = view.text[hit.start : hit.end + 1]
                return min(named, key=lambda option: min(text.find(m.lower()) % 10_000 for m in run.marks[option]))
    return run.chosen


def _graded(view: View, run: Run, metric: str, said: Quantity, before: Quantity | None, option: str) -> Claim:
    which = _which(view, run, metric, said.span)
    simulated = _value_of(run.options.get(option, {}), which, said.kind)
    grade = None
    if simulated is not None:
        grade = _grade(run, which, said, before, simulated)
    if grade != 1.0 and _is_of_before(view, run, which, said):
        grade = None
    return Claim(metric, option, said.value, simulated, grade, view.doc.original_span(said.span))


def _is_of_before(view: View, run: Run, metric: str, said: Quantity) -> bool:
    """Say whether a number in Action may tell how things were: "I found 804 GPUs idle" is no claim about an option."""
    base = _value_of(run.baseline, metric, said.kind)
    is_found = said.span.begins_in(view.sentences("A"))
    return base is not None and is_found and said.is_rounded_from(base)


def _which(view: View, run: Run, metric: str, place: Span) -> str:
    """Return the name of the metric that a number is about, where the run has several of its kind."""
    kinds = {name.rpartition("_")[0] for metrics in run.options.values() for name in metrics}
    several = {one.partition(".")[2] for one in kinds if one.startswith(f"{metric}.")}
    sentence = next((one for one in view.sentences("AR") if one.start <= place.start < one.end), place)
    before, after = (
        _without_marks(view.text[one.start : one.end], run)
        for one in (Span(sentence.start, place.start), Span(place.start, sentence.end))
    )
    words = [(word.lower(), one) for one in several for word in run.words.get(one, ())]
    said = [(before.rfind(word) + len(word), len(word), one) for word, one in words if word in before]
    said = said or [(-after.find(word), len(word), one) for word, one in words if word in after]
    return f"{metric}.{max(said)[2]}" if said else metric


def _without_marks(text: str, run: Run) -> str:
    """Blank the names of options: "the wait of the launch with the growing user first" is not the growing user's."""
    for mark in sorted((one.lower() for marks in run.marks.values() for one in marks), key=len, reverse=True):
        text = text.replace(mark, " " * len(mark))
    return text


def _value_of(metrics: Mapping[str, float], metric: str, kind: str) -> float | None:
    for name, value in metrics.items():
        base, _, unit = name.rpartition("_")
        if base == metric and UNITS[unit][0] == kind:
            return value * UNITS[unit][1]
    return None


def _grade(run: Run, metric: str, said: Quantity, before: Quantity | None, simulated: float) -> float:
    is_near = abs(said.value - simulated) <= _tolerance(metric, said.kind, simulated)
    if is_near and said.is_rounded_from(simulated):
        return 1.0  # "3 days" for 3.01: true to its digits, whatever side of a line the rounding falls on
    if _is_turned(run, metric, said, before, simulated):
        return 0.0
    limit = next((one for name, one in run.limits.items() if name.rpartition("_")[0] == metric), None)
    if limit is not None and _is_beyond(run, metric, said.value, limit) != _is_beyond(run, metric, simulated, limit):
        return 0.0
    return 1.0 if is_near else 0.5


def _is_turned(run: Run, metric: str, said: Quantity, before: Quantity | None, simulated: float) -> bool:
    """Say whether a claim moves the other way than the run; a start told in the same digits is no movement."""
    base = _value_of(run.baseline, metric, said.kind)
    if base is None:
        return False
    if before is not None and before.kind == said.kind:
        return (said.value - before.value) * (simulated - base) < 0
    return not said.is_rounded_from(base) and (said.value - base) * (simulated - base) < 0


def _is_beyond(run: Run, metric: str, value: float, limit: tuple[float, bool]) -> bool:
    unit = next(name.rpartition("_")[2] for name in run.limits if name.rpartition("_")[0] == metric)
    line = limit[0] * UNITS[unit][1]
    return value > line if limit[1] else value < line


def _tolerance(metric: str, kind: str, simulated: float) -> float:
    if kind == "percent":
        return AVAILABILITY_POINTS if metric.partition(".")[0] == "slo" else POINTS
    return RATIO if kind == "ratio" else abs(simulated) * RELATIVE
